"""The progressive's chips: locked and counted, or booked by COIN IN and taken off the layout."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Annotated, Final

from houseway.games import Rules
from houseway.ledger import SEED, Movement
from houseway.meters import reverse_contribution
from houseway.rounds.action import Action, Position
from houseway.rounds.annotations import Ask, Shown
from houseway.rounds.asks import Asks, FieldRule
from houseway.rounds.marks import RoundMark
from houseway.rounds.outcomes import Moves, Paid
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Hand, Phase, Table, changed
from houseway.rounds.step import (
    AnEvent,
    AnyStep,
    CitedOutcome,
    Event,
    Panel,
    Proposal,
    Situation,
    Step,
    Words,
    in_law,
)
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    given,
    marks_round,
    moot,
    round_has,
    round_has_not,
    sense,
)
from houseway.rounds.steps.money import (
    cite_payments,
    keep_payments,
    move_stakes,
    round_of,
    standing_payments,
    undo,
)
from houseway.settlement import Payment, PaymentKind
from houseway.settlement.house import lock_progressive
from houseway.settlement.model import PROGRESSIVE, Spot


class LockProgressive(Action, frozen=True, tag="lock_progressive"):
    """The progressive takes no more wagers."""


class CountProgressive(Action, frozen=True, tag="count_progressive"):
    """The progressive's chips are counted against the system."""

    chips: Annotated[int, Ask("Chips counted")]


class RuleCount(Action, frozen=True, tag="rule_count"):
    """The floor rules that wagers whose chips are not there were not placed."""

    without: Annotated[tuple[Position, ...], Ask("Positions without a chip")]
    reason: Annotated[str, Ask("Reason")]


class CoinIn(Action, frozen=True, tag="coin_in"):
    """COIN IN books the progressive wagers."""


class RemoveProgressive(Action, frozen=True, tag="remove_progressive"):
    """The booked chips are taken off the layout."""

    chips: Annotated[int, Ask("Chips counted")]


class ProgressiveTaken(Moves, frozen=True, tag="progressive_taken", kw_only=True):
    """The progressive wagers taken, and what each put into the meter."""

    accepted: Annotated[int, Shown("accepted")]
    taken: Mapping[int, tuple[Movement, ...]] = {}


# --- the progressive ----------------------------------------------------------------------------------


def count_accepted(table: Table) -> int:
    """Return how many progressive wagers the system accepted."""
    return len([hand for hand in table.round.active() if hand.wagers.get(PROGRESSIVE)])


def offered(rules: Rules, family: str) -> bool:
    """Whether the table offers a wager of this family."""
    return family in rules.families


def locked(s: Situation, _: Action) -> bool:
    """Whether the progressive is locked, if the table has one."""
    return s.round.has(RoundMark.LOCKED) or not offered(s.rules, PROGRESSIVE)


def counted(s: Situation, _: Action) -> bool:
    """Whether the progressive chips are counted, if there are any."""
    done = s.round.has(RoundMark.COUNTED)
    return done or not offered(s.rules, PROGRESSIVE) or not count_accepted(s.table)


def chips_agree(s: Situation, action: CountProgressive | RemoveProgressive) -> bool:
    """Whether as many chips lie there as the system accepted wagers."""
    return action.chips == count_accepted(s.table)


def take_wagers(s: Situation, _: Action) -> CitedOutcome[ProgressiveTaken]:
    """Take the progressive wagers, and the meter's part of them into the meter."""
    payments, meter, taken = lock_progressive(round_of(s))
    return cite_payments(
        ProgressiveTaken(
            payments=tuple(payments),
            meter=s.moved(meter, payments),
            accepted=count_accepted(s.table),
            taken=taken,
        )
    )


def _count(table: Table, event: Event[CountProgressive, ProgressiveTaken]) -> Table:
    return keep_payments(table, event).with_round(taken=event.outcome.taken).mark_round(RoundMark.COUNTED)


# --- wagers whose chips are not there -----------------------------------------------------------------


def _not_yet_counted(s: Situation, _: RuleCount) -> bool:
    done = RoundMark.CHIPS_REMOVED if s.round.has(RoundMark.COIN_IN) else RoundMark.COUNTED
    return not s.round.has(done)


def _booked_there(s: Situation, action: RuleCount) -> bool:
    hands, named = s.round.hands, action.without
    return bool(named) and all(at in hands and hands[at].amount(PROGRESSIVE) for at in named)


def _without_progressive(hand: Hand) -> Hand:
    return changed(hand, wagers={w: amount for w, amount in hand.wagers.items() if w != PROGRESSIVE})


def _make_up(s: Situation, at: int, taken: Iterable[Movement], back: Iterable[Movement]) -> Iterator[Payment]:
    """Yield what the house puts into a meter that no longer holds what a wager put in, to be taken back."""
    hand = s.round.hands[at]
    spot = Spot(at, hand.person, PROGRESSIVE, hand.amount(PROGRESSIVE))
    for movement in taken:
        short = movement.units - sum(refund.units for refund in back if refund.source == movement.to)
        if short:
            yield spot.carry(Movement(short, SEED, movement.to, "put back by the house"), PaymentKind.SEED)


def unbook(s: Situation, positions: Iterable[Position], why: str) -> Paid:
    """Return what takes back all that was booked for progressive wagers, and the wagers themselves."""
    payments: list[Payment] = []
    stakes: list[Payment] = []
    meter = s.meter
    for at in dict.fromkeys(positions):
        booked = [p for p in standing_payments(s.round.payments, at) if p.wager == PROGRESSIVE]
        payments += [undo(payment, why) for payment in reversed(booked)]
        moved = s.round.taken.get(at, ())
        if meter is not None and moved:
            meter, back = reverse_contribution(meter, moved, why)
            payments = [*_make_up(s, at, moved, back), *payments]
        hand = s.round.hands[at]
        stakes += move_stakes(hand, _without_progressive(hand))
    return Paid(tuple(stakes), tuple(payments), s.moved(meter, payments))


def take_out_unplaced(table: Table, event: AnEvent, positions: Collection[Position]) -> Table:
    """Take out progressive wagers that were not placed: nothing was accepted from them."""
    table = keep_payments(table, event)
    hands = {
        at: _without_progressive(hand) if at in positions else hand for at, hand in table.round.hands.items()
    }
    taken = {at: moved for at, moved in table.round.taken.items() if at not in positions}
    return table.with_round(hands=hands, taken=taken)


def _decide_unbooking(s: Situation, action: RuleCount) -> CitedOutcome[Paid]:
    return cite_payments(unbook(s, action.without, "its chips are not there"))


# --- what is due --------------------------------------------------------------------------------------


def _suggest_lock(rules: Rules, table: Table) -> Iterable[Proposal]:
    if offered(rules, PROGRESSIVE) and not table.round.has(RoundMark.LOCKED):
        yield Proposal(dealer_of(table), LockProgressive())


def _suggest_count(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.has(RoundMark.LOCKED) and not table.round.has(RoundMark.COUNTED) and count_accepted(table):
        yield Proposal(dealer_of(table), CountProgressive(count_accepted(table)))


# --- COIN IN ------------------------------------------------------------------------------------------


def lights(rules: Rules, table: Table) -> Mapping[int, str]:
    """Return what each sensor shows: a chip detected, or its wager accepted by COIN IN until Game Over."""
    key = "accepted" if table.round.has(RoundMark.COIN_IN) else "detected"
    if table.round.has(RoundMark.GAME_OVER) or not in_law(rules, "coin_in", key):
        return {}
    return {hand.position: key for hand in table.round.active() if hand.amount(PROGRESSIVE)}


def _book(table: Table, event: Event[CoinIn, ProgressiveTaken]) -> Table:
    done = event.outcome
    before = done.meter.before if done.meter else None
    table = keep_payments(table, event).with_round(taken=done.taken, meter_before=before)
    return table.mark_round(RoundMark.COIN_IN, RoundMark.LOCKED, RoundMark.COUNTED)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_coin_in(rules: Rules, table: Table) -> Iterable[Proposal]:
    if offered(rules, PROGRESSIVE) and count_accepted(table) and not table.round.has(RoundMark.COIN_IN):
        yield Proposal(dealer_of(table), CoinIn())


def _suggest_remove(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.has(RoundMark.COIN_IN) and not table.round.has(RoundMark.CHIPS_REMOVED):
        yield Proposal(dealer_of(table), RemoveProgressive(count_accepted(table)))


# --- what its fields take -----------------------------------------------------------------------------


def asks_lines(rules: Rules, _: Table, __: int) -> Asks:
    """Ask for a line of the progressive paytable."""
    listed = rules.paytable(PROGRESSIVE).shown_lines() if rules.offers(PROGRESSIVE) else ()
    return {"hand": FieldRule(tuple(line.hand for line in listed))}


def _asks_booked(_: Rules, table: Table, __: int) -> Asks:
    return {
        "without": FieldRule(
            tuple(hand.position for hand in table.round.active() if hand.amount(PROGRESSIVE))
        )
    }


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=LockProgressive,
        stage=Stage.CLOSING,
        by=(Role.DEALER, Role.KEYPAD),
        phases=(Phase.STARTING,),
        words=Words(
            "Lock the progressive",
            follows="The progressive takes no more wagers, and its chips can be counted.",
        ),
        guards=(
            moot("the table has no progressive", lambda s, _: offered(s.rules, PROGRESSIVE)),
            moot("the progressive is locked already", round_has_not(RoundMark.LOCKED)),
        ),
        evolve=marks_round(RoundMark.LOCKED),
        suggest=_suggest_lock,
    ),
    Step(
        action=CountProgressive,
        stage=Stage.CLOSING,
        by=(Role.DEALER,),
        phases=(Phase.STARTING,),
        words=Words(
            "Count progressive chips",
            follows="The progressive wagers are taken, and the meter gets its part of them.",
        ),
        guards=(
            sense("the progressive is locked first", round_has(RoundMark.LOCKED)),
            moot("the chips are counted already", round_has_not(RoundMark.COUNTED)),
            always(
                "agrees",
                "as many chips as the system accepted wagers: the floor is called",
                chips_agree,
                "chips",
            ),
        ),
        outcome=take_wagers,
        evolve=_count,
        suggest=_suggest_count,
    ),
    Step(
        action=RuleCount,
        by=FLOOR,
        phases=(Phase.BETTING, Phase.STARTING),
        exceptional=True,
        words=Words(
            "Rule on missing chips",
            says="The progressive wager was not placed.",
            follows=(
                "The progressive wagers named count as not placed, and what was booked for them is undone."
            ),
        ),
        guards=(
            sense("the progressive is locked first", round_has(RoundMark.LOCKED)),
            moot("the chips are counted already", _not_yet_counted),
            sense("no progressive wager is booked there", _booked_there, "without"),
            sense("the reason is put on record", lambda _, action: given(action.reason), "reason"),
        ),
        outcome=_decide_unbooking,
        evolve=lambda table, event: take_out_unplaced(table, event, event.action.without),
        asks=_asks_booked,
        panels=(Panel.RULINGS,),
        foretold=True,
    ),
    Step(
        action=CoinIn,
        stage=Stage.BETS,
        by=(Role.DEALER,),
        phases=(Phase.BETTING,),
        words=Words(
            "Press COIN IN",
            done="Press",
            follows=(
                "The progressive wagers are booked and can no longer change, and the meter gets "
                "its part of them."
            ),
        ),
        guards=(
            moot("the table has no progressive", lambda s, _: offered(s.rules, PROGRESSIVE)),
            moot("COIN IN is pressed already", round_has_not(RoundMark.COIN_IN)),
            sense("nobody has wagered", lambda s, _: bool(s.round.active())),
        ),
        outcome=take_wagers,
        evolve=_book,
        suggest=_suggest_coin_in,
        after_bets=True,
    ),
    Step(
        action=RemoveProgressive,
        stage=Stage.BETS,
        by=(Role.DEALER,),
        phases=(Phase.BETTING,),
        words=Words(
            "Remove progressive chips",
            follows="The booked chips are off the layout and no longer keep the round from starting.",
        ),
        guards=(
            moot("COIN IN is pressed first", round_has(RoundMark.COIN_IN)),
            moot("the bets are removed already", round_has_not(RoundMark.CHIPS_REMOVED)),
            always(
                "agrees",
                "as many chips as COIN IN accepted wagers: the floor is called",
                chips_agree,
                "chips",
            ),
        ),
        evolve=marks_round(RoundMark.CHIPS_REMOVED),
        suggest=_suggest_remove,
    ),
)
