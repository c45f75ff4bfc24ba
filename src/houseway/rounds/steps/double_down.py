"""The Double Down: offered when every player has looked, and placed by those who want it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.games.wagers import verify_wagers
from houseway.law.citations import UNCITED
from houseway.law.problems import Problem
from houseway.money import Cents, dollars
from houseway.rounds.action import Action, OnHand
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import Asks, FieldRule
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.outcomes import Restaked
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Hand, PersonId, Phase, Table, changed
from houseway.rounds.step import Actor, AnyStep, Check, Event, Guard, Panel, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    hand_has_not,
    hand_of,
    is_playing,
    marks_round,
    moot,
    round_has,
    round_has_not,
    sense,
)
from houseway.rounds.steps.for_players import NOTED, PLAYERS_OWN
from houseway.rounds.steps.hand import own_or_dealer
from houseway.rounds.steps.money import move_stakes
from houseway.settlement import Status
from houseway.settlement.model import DOUBLE_DOWN, MAIN


class OfferDouble(Action, frozen=True, tag="offer_double"):
    """The dealer offers the Double Down."""


class DoubleDown(OnHand, frozen=True, tag="double_down"):
    """A player doubles down, by the amount of the main wager unless another is named."""

    amount: Annotated[Cents | None, Ask("Amount")] = None


_GONE: Final = (Status.ABANDONED, Status.SURRENDERED)


# --- the Double Down ----------------------------------------------------------------------------------


def _all_looked(table: Table) -> bool:
    return all(
        hand.has(HandMark.LOOKED) or hand.has(HandMark.LEFT) or hand.status in _GONE
        for hand in table.round.playing()
    )


def _with_double(hand: Hand, action: DoubleDown) -> Hand:
    amount = hand.amount(MAIN) if action.amount is None else action.amount
    return changed(hand, wagers={**hand.wagers, DOUBLE_DOWN: amount})


def _double_problems(s: Situation, action: DoubleDown) -> Iterable[Problem]:
    hand = hand_of(s, action)
    amount = _with_double(hand, action).amount(DOUBLE_DOWN)
    if amount <= 0:
        terms = s.rules.terms(DOUBLE_DOWN)
        law = terms.equals_main.cites if terms.equals_main else UNCITED
        return (Problem("double_down", "must equal the main wager", dollars(amount), law),)
    return verify_wagers(s.rules, {MAIN: hand.amount(MAIN), DOUBLE_DOWN: amount})


def _decide_double(s: Situation, action: DoubleDown) -> Restaked:
    hand = hand_of(s, action)
    return Restaked(move_stakes(hand, _with_double(hand, action)))


def _double(table: Table, event: Event[DoubleDown, Restaked]) -> Table:
    hand = _with_double(table.round.hands[event.action.position], event.action)
    return table.with_round(hands={**table.round.hands, hand.position: hand})


# --- what is due --------------------------------------------------------------------------------------


def _suggest_offer(rules: Rules, table: Table) -> Iterable[Proposal]:
    offered = table.round.has(RoundMark.DOUBLE_OFFERED)
    if rules.offers(DOUBLE_DOWN) and not offered and _all_looked(table):
        yield Proposal(dealer_of(table), OfferDouble())


# --- what its fields take -----------------------------------------------------------------------------


def _bringer(table: Table, _: Actor, action: DoubleDown) -> PersonId | None:
    hand = table.round.hands.get(action.position)
    return hand.person if hand is not None else None


def _asks_amount(_: Rules, table: Table, position: int) -> Asks:
    hand = table.round.hands.get(position)
    main = hand.amount(MAIN) if hand else None
    return {"amount": FieldRule(least=main, most=main, default=main)}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=OfferDouble,
        stage=Stage.PLAYERS,
        by=(Role.DEALER,),
        phases=(Phase.SETTING,),
        words=Words(
            "Offer the Double Down",
            says="Would anyone like to double down?",
            follows="Players can double down until the dealer's cards are turned over.",
        ),
        guards=(
            moot("the table does not offer it", lambda s, _: s.rules.offers(DOUBLE_DOWN)),
            moot("the Double Down was offered already", round_has_not(RoundMark.DOUBLE_OFFERED)),
            Guard(
                "all_looked",
                "every player has looked at the cards first",
                lambda s, _: _all_looked(s.table),
            ),
        ),
        evolve=marks_round(RoundMark.DOUBLE_OFFERED),
        suggest=_suggest_offer,
    ),
    Step(
        action=DoubleDown,
        stage=Stage.PLAYERS,
        by=(Role.PLAYER, Role.DEALER),
        phases=(Phase.SETTING,),
        words=Words(
            "Double down",
            follows="The hand carries a Double Down wager beside its main wager.",
        ),
        guards=(
            sense("only the player of the hand", own_or_dealer),
            always("seated", "the player has left the table", hand_has_not(HandMark.LEFT)),
            moot("the hand is not in play", is_playing),
            always(
                "offered", "the dealer offers it once all have looked", round_has(RoundMark.DOUBLE_OFFERED)
            ),
            moot("the hand is doubled already", lambda s, action: not hand_of(s, action).amount(DOUBLE_DOWN)),
            PLAYERS_OWN,
            NOTED,
        ),
        checks=(Check(_double_problems, ("amount",)),),
        outcome=_decide_double,
        evolve=_double,
        brings=_bringer,
        asks=_asks_amount,
        choice=True,
        panels=(Panel.SEAT, Panel.HAND),
    ),
)
