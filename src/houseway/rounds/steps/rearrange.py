"""A hand rearranged into the best it makes for the bonus wagers, and whether others envy it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Final

from msgspec import field

from houseway.games import Rules
from houseway.law.citations import UNCITED, Cites
from houseway.money import Basis
from houseway.ranking import ranking
from houseway.ranking.picture import Glance, glance
from houseway.rounds.action import OnHand
from houseway.rounds.annotations import Shown
from houseway.rounds.marks import HandMark, nothing
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Hand, Table
from houseway.rounds.step import (
    AnyStep,
    CitedOutcome,
    Event,
    Guard,
    Proposal,
    Situation,
    Step,
    Words,
    in_law,
    law_of,
)
from houseway.rounds.steps.common import always, dealer_of, hand_has_not, hand_of, moot, sense
from houseway.rounds.steps.money import round_of
from houseway.rounds.steps.turns import COLLECTED, SETTLING, due, next_of_hand, optional, to_rearrange, turn
from houseway.settlement.envy import owed
from houseway.settlement.model import DOUBLE_DOWN, FORTUNE, MAIN, PROGRESSIVE
from houseway.settlement.sides import hand_made


class Rearrange(OnHand, frozen=True, tag="rearrange"):
    """A hand is rearranged into the best that it makes for the bonus wagers."""


class Rearranged(Outcome, frozen=True, tag="rearranged", kw_only=True):
    """What the cards make for the bonus wagers, and whether others envy them."""

    made: Annotated[Mapping[str, str], Shown("made")] = {}
    marks: frozenset[HandMark] = field(default_factory=nothing)
    envied: frozenset[str] = field(default_factory=nothing)
    announced: Annotated[tuple[str, ...], Shown("envy_announced")] = ()


ROYAL: Final = "royal_flush"


# --- rearranged ---------------------------------------------------------------------------------------


def _main_settled(s: Situation, action: Rearrange) -> bool:
    return MAIN in hand_of(s, action).settled


def _double_settled(s: Situation, action: Rearrange) -> bool:
    return DOUBLE_DOWN not in due(s.rules, hand_of(s, action))


def _decide_rearrangement(s: Situation, action: Rearrange) -> CitedOutcome[Rearranged]:
    """Find the best hand of the dealt cards for each wager that asks, and whether others envy it.

    Where the law has an envied hand acknowledged and left face up, it is so even if no one is owed by it.
    """
    hand = hand_of(s, action)
    seen, order = glance(hand.cards), s.rules.ranking()
    lines, marks = _best(s.rules, seen, optional(s.rules, hand))
    if _royal_by_reading(s.rules, seen):
        marks |= {HandMark.JOKER_ROYAL}
    envied = [t.id for t in s.rules.envied if t.envy and order.meets(t.envy.qualifier, seen)]
    if not envied:
        return CitedOutcome(Rearranged(made=lines, marks=marks), UNCITED)
    laws = {w: _law_of_acknowledgement(s.rules, hand, w) for w in envied if _to_be_said(s, w)}
    laws = {w: law for w, law in laws.items() if law.binds}
    whole = round_of(s)
    stays = frozenset(
        w for w, law in laws.items() if law or any(debt.holder == hand.position for debt in owed(whole, w))
    )
    if stays:
        marks |= {HandMark.HELD}
    done = Rearranged(made=lines, marks=marks, envied=stays, announced=tuple(laws))
    return CitedOutcome(done, Cites([clause for law in laws.values() for clause in law]))


def _best(rules: Rules, seen: Glance, wagers: list[str]) -> tuple[dict[str, str], frozenset[HandMark]]:
    """Return what cards make for each of these wagers, and the marks of a win."""
    lines = {wager: hand_made(rules, wager, seen) for wager in wagers}
    marks = {HandMark.REARRANGED}
    if PROGRESSIVE in lines:
        basis = rules.line(PROGRESSIVE, lines[PROGRESSIVE]).pays.basis
        if basis is not Basis.LOSE:
            marks.add(HandMark.PROGRESSIVE_WIN)
        if basis is Basis.METER:
            marks.add(HandMark.PROGRESSIVE_SHARE)
    return lines, frozenset(marks)


def _royal_by_reading(rules: Rules, seen: Glance) -> bool:
    """Whether the cards are a royal flush only by the reading that the joker may be any of its cards."""
    if "review_royal" not in rules.game.procedure or rules.ranking().category_made(FORTUNE, seen) != ROYAL:
        return False
    strict = ranking(rules.game.ranking, readings={**rules.readings, "six_joker_royal": "listed_only"})
    return strict.category_made(FORTUNE, seen) != ROYAL


def _to_be_said(s: Situation, wager: str) -> bool:
    """Whether an envied hand is acknowledged: always, or if anyone has placed a wager that earns by it."""
    always_said = wager != PROGRESSIVE and in_law(s.rules, "rearrange", "unasked")
    return always_said or _placed_for_envy(s, wager)


def _placed_for_envy(s: Situation, wager: str) -> bool:
    """Whether anyone has placed a wager that earns Envy Bonuses."""
    return any(s.rules.qualifies_for_envy(wager, other.amount(wager)) for other in s.round.playing())


def _law_of_acknowledgement(rules: Rules, hand: Hand, wager: str) -> Cites:
    """Return the law by which the dealer says aloud that others envy this hand, and leaves it face up."""
    key = "announces" if hand.amount(wager) else "announces_other"
    if wager == PROGRESSIVE and "announces_progressive" in rules.game.procedure["rearrange"]:
        key = "announces_progressive"
    return law_of(rules, "rearrange", key)


def _rearrange(table: Table, event: Event[Rearrange, Rearranged]) -> Table:
    hand, done = table.round.hands[event.action.position], event.outcome
    return table.with_hand(
        hand.position,
        made={**hand.made, **done.made},
        marks=hand.marks | done.marks,
        envied=hand.envied | done.envied,
    )


# --- what is due --------------------------------------------------------------------------------------


def _suggest_rearrange(rules: Rules, table: Table) -> Iterable[Proposal]:
    hand = turn(rules, table)
    if hand is None or MAIN not in hand.settled or hand.has(HandMark.REARRANGED):
        return
    if to_rearrange(rules, table, hand):
        yield Proposal(dealer_of(table), Rearrange(hand.position))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Rearrange,
        stage=Stage.SETTLE,
        by=(Role.DEALER,),
        phases=SETTLING,
        words=Words(
            "Rearrange the hand",
            follows="The best that the cards make is known for every wager that asks for it.",
        ),
        guards=(
            always("after_main", "after the main wager", _main_settled),
            Guard("after_double", "the Double Down is settled first", _double_settled),
            COLLECTED,
            sense("the cards are entered first", lambda s, action: bool(hand_of(s, action).cards)),
            moot("the hand is rearranged already", hand_has_not(HandMark.REARRANGED)),
            moot("nothing asks for it", lambda s, action: to_rearrange(s.rules, s.table, hand_of(s, action))),
        ),
        outcome=_decide_rearrangement,
        evolve=_rearrange,
        automatic_next=next_of_hand,
        suggest=_suggest_rearrange,
    ),
)
