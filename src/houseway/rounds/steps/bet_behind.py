"""Wagers behind another player's hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Final

from houseway.games.wagers import verify_bettors, verify_wagers
from houseway.law.problems import Problem
from houseway.money import Cents
from houseway.rounds.action import OnHand, WagerId
from houseway.rounds.annotations import Ask
from houseway.rounds.outcomes import Restaked
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Hand, PersonId, Phase, Table, changed
from houseway.rounds.step import Actor, AnyStep, Check, Event, Guard, Panel, Situation, Step, Words
from houseway.rounds.steps.common import NOT_HOUSE, not_the_house, sense
from houseway.rounds.steps.money import is_more, move_stakes
from houseway.rounds.steps.wagers import CEASED, asks_wagers, not_ceased, not_the_banker, rate_problems
from houseway.settlement import Bettor


class BetBehind(OnHand, frozen=True, tag="bet_behind"):
    """A person bets on another player's hand."""

    wagers: Annotated[Mapping[WagerId, Cents], Ask("Wagers")]


# --- behind a player ----------------------------------------------------------------------------------


def _standing_behind(s: Situation, action: BetBehind) -> bool:
    return s.round.hands[action.position].person != s.by.id


def _behind_problems(s: Situation, action: BetBehind) -> Iterable[Problem]:
    hand = s.round.hands[action.position]
    for name, amount in action.wagers.items():
        if name not in s.rules.wager_order or amount < 0:
            yield Problem(f"wager.{name}", "no such wager, or no amount of money", repr(amount))
            return
    wrong = (*verify_bettors(s.rules, len(hand.behind) + 1), *verify_wagers(s.rules, action.wagers))
    yield from wrong
    if not wrong and any(action.wagers.values()):
        yield from rate_problems(s, _with_bettor(hand, s.by.id, action), s.by.id)


def _with_bettor(hand: Hand, person: str, action: BetBehind) -> Hand:
    wagers = {name: amount for name, amount in action.wagers.items() if amount}
    others = tuple(bettor for bettor in hand.behind if bettor.person != person)
    bettor = (Bettor(person, wagers, backline=True),) if wagers else ()
    return changed(hand, behind=(*others, *bettor))


def _decide_bet(s: Situation, action: BetBehind) -> Restaked:
    hand = s.round.hands[action.position]
    return Restaked(move_stakes(hand, _with_bettor(hand, s.by.id, action)))


def _bet(table: Table, event: Event[BetBehind, Restaked]) -> Table:
    hand = _with_bettor(table.round.hands[event.action.position], event.by.id, event.action)
    return table.with_round(hands={**table.round.hands, hand.position: hand})


# --- where, and by whom -------------------------------------------------------------------------------


def _taken_back_or_not_ceased(s: Situation, action: BetBehind) -> bool:
    return not any(action.wagers.values()) or not_ceased(s, action)


def _bringer(table: Table, by: Actor, action: BetBehind) -> PersonId | None:
    hand = table.round.hands.get(action.position)
    before = next((bettor.wagers for bettor in hand.behind if bettor.person == by.id), {}) if hand else {}
    return by.id if is_more(action.wagers, before) else None


def _own_hand_there(table: Table, position: int | None) -> frozenset[PersonId]:
    """Return whose hand it is: no one bets behind their own."""
    hand = table.round.hands.get(position or 0)
    return frozenset({hand.person} if hand else ())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=BetBehind,
        stage=Stage.BETS,
        by=(Role.PLAYER,),
        phases=(Phase.BETTING,),
        words=Words(
            "Bet behind",
            follows="The wagers behind the hand are on record and win or lose with it.",
        ),
        guards=(
            sense("no other player's hand is there to bet behind", _standing_behind),
            Guard("not_house", NOT_HOUSE, not_the_house),
            sense("the player-dealer places no wager against their own bank", not_the_banker),
            Guard("open", "wagers are placed before the deal", lambda s, _: s.table.phase is Phase.BETTING),
            Guard("ceased", CEASED, _taken_back_or_not_ceased, about=("wagers",)),
        ),
        checks=(Check(_behind_problems, ("wagers",)),),
        outcome=_decide_bet,
        evolve=_bet,
        brings=_bringer,
        asks=asks_wagers,
        standing=True,
        not_for=_own_hand_there,
        panels=(Panel.SEAT,),
    ),
)
