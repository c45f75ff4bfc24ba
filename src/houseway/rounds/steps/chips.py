"""Between bets and deal: Envy lammers, the progressive locked, its chips counted against the system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from houseway.games import Rules
from houseway.ledger import SEED, Movement
from houseway.meters import reverse_contribution
from houseway.rounds.actions import (
    Action,
    CountProgressive,
    LockProgressive,
    PlaceLammers,
    RemoveProgressive,
    RuleCount,
)
from houseway.rounds.marks import RoundMark
from houseway.rounds.outcomes import LammersPlaced, Paid, ProgressiveTaken
from houseway.rounds.state import Hand, Phase, Table, changed
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Proposal, Situation, Step, in_law
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
from houseway.rounds.steps.money import cited, paid, round_of, stakes_changed, undo
from houseway.settlement import Payment, PaymentKind
from houseway.settlement.house import lock_progressive
from houseway.settlement.model import PROGRESSIVE, Spot

BONUS: Final = "bonus"
"""The family of wagers whose Envy Bonuses have lammers."""


# --- lammers ------------------------------------------------------------------------------------------


def due_lammers(rules: Rules, table: Table) -> tuple[int, ...]:
    """Return the positions whose wager earns Envy Bonuses on a bonus."""
    active = table.round.active()
    bonuses = [terms.id for terms in rules.envied if terms.family == BONUS]
    return tuple(
        sorted(
            {
                hand.position
                for wager in bonuses
                for hand in active
                if wager in hand.wagers and rules.qualifies_for_envy(wager, hand.wagers[wager])
            }
        )
    )


def _right_lammers(s: Situation, action: PlaceLammers) -> bool:
    return action.positions is None or tuple(sorted(action.positions)) == due_lammers(s.rules, s.table)


def _all_in_place(rules: Rules, table: Table) -> bool:
    return table.round.lammers == frozenset(due_lammers(rules, table))


def lammers_placed(s: Situation, _: Action) -> bool:
    """Whether every lammer lies where it belongs, if the table has any; once cards are dealt they stay."""
    return s.round.dealt > 0 or _all_in_place(s.rules, s.table)


def _in_time(s: Situation, _: PlaceLammers) -> bool:
    """Whether the bets are closed, where the law does not have a lammer given with the wager."""
    return s.round.has(RoundMark.NO_MORE_BETS) or in_law(s.rules, "place_lammers", "with_wager")


def _not_yet_placed(s: Situation, _: PlaceLammers) -> bool:
    return not (s.round.has(RoundMark.LAMMERS) and _all_in_place(s.rules, s.table))


def _placing(s: Situation, _: PlaceLammers) -> LammersPlaced:
    return LammersPlaced(due_lammers(s.rules, s.table))


def _placed(table: Table, event: Event[PlaceLammers, LammersPlaced]) -> Table:
    return table.mark_round(RoundMark.LAMMERS).with_round(lammers=frozenset(event.outcome.positions))


# --- the progressive ----------------------------------------------------------------------------------


def accepted(table: Table) -> int:
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
    return done or not offered(s.rules, PROGRESSIVE) or not accepted(s.table)


def chips_agree(s: Situation, action: CountProgressive | RemoveProgressive) -> bool:
    """Whether as many chips lie there as the system accepted wagers."""
    return action.chips == accepted(s.table)


def taking(s: Situation, _: Action) -> CitedOutcome[ProgressiveTaken]:
    """Take the progressive wagers, and the meter's part of them into the meter."""
    payments, meter, taken = lock_progressive(round_of(s))
    return cited(
        ProgressiveTaken(
            payments=tuple(payments), meter=s.moved(meter, payments), accepted=accepted(s.table), taken=taken
        )
    )


def _counted(table: Table, event: Event[CountProgressive, ProgressiveTaken]) -> Table:
    return paid(table, event).with_round(taken=event.outcome.taken).mark_round(RoundMark.COUNTED)


# --- wagers whose chips are not there -----------------------------------------------------------------


def _not_yet_counted(s: Situation, _: RuleCount) -> bool:
    done = RoundMark.CHIPS_REMOVED if s.round.has(RoundMark.COIN_IN) else RoundMark.COUNTED
    return not s.round.has(done)


def _booked_there(s: Situation, action: RuleCount) -> bool:
    hands, named = s.round.hands, action.without
    return bool(named) and all(at in hands and hands[at].amount(PROGRESSIVE) for at in named)


def _without_progressive(hand: Hand) -> Hand:
    return changed(hand, wagers={w: amount for w, amount in hand.wagers.items() if w != PROGRESSIVE})


def _made_up(s: Situation, at: int, taken: Iterable[Movement], back: Iterable[Movement]) -> Iterator[Payment]:
    """Yield what the house puts into a meter that no longer holds what a wager put in, to be taken back."""
    hand = s.round.hands[at]
    spot = Spot(at, hand.person, PROGRESSIVE, hand.amount(PROGRESSIVE))
    for movement in taken:
        short = movement.units - sum(one.units for one in back if one.source == movement.to)
        if short:
            yield spot.carry(Movement(short, SEED, movement.to, "put back by the house"), PaymentKind.SEED)


def _unbooking(s: Situation, action: RuleCount) -> CitedOutcome[Paid]:
    """Take back what was booked already for wagers whose chips are not there, and the wagers themselves."""
    payments: list[Payment] = []
    stakes: list[Payment] = []
    meter = s.meter
    for at in dict.fromkeys(action.without):
        booked = [p for p in s.round.payments if p.position == at and p.wager == PROGRESSIVE]
        payments += [undo(payment, "its chips are not there") for payment in reversed(booked)]
        moved = s.round.taken.get(at, ())
        if meter is not None and moved:
            meter, back = reverse_contribution(meter, moved, "its chips are not there")
            payments = [*_made_up(s, at, moved, back), *payments]
        hand = s.round.hands[at]
        stakes += stakes_changed(hand, _without_progressive(hand))
    return cited(Paid(tuple(stakes), tuple(payments), s.moved(meter, payments)))


def _ruled_out(table: Table, event: Event[RuleCount, Paid]) -> Table:
    """Take out wagers whose chips are not there: nothing was accepted from them."""
    without, table = event.action.without, paid(table, event)
    hands = {
        at: _without_progressive(hand) if at in without else hand for at, hand in table.round.hands.items()
    }
    taken = {at: moved for at, moved in table.round.taken.items() if at not in without}
    return table.with_round(hands=hands, taken=taken)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_lammers(rules: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.has(RoundMark.NO_MORE_BETS) and not _all_in_place(rules, table):
        yield Proposal(dealer_of(table), PlaceLammers())


def _suggest_lock(rules: Rules, table: Table) -> Iterable[Proposal]:
    if offered(rules, PROGRESSIVE) and not table.round.has(RoundMark.LOCKED):
        yield Proposal(dealer_of(table), LockProgressive())


def _suggest_count(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.has(RoundMark.LOCKED) and not table.round.has(RoundMark.COUNTED) and accepted(table):
        yield Proposal(dealer_of(table), CountProgressive(accepted(table)))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=PlaceLammers,
        phases=(Phase.BETTING, Phase.STARTING),
        guards=(
            sense("no more bets is announced first", _in_time),
            moot("the lammers are placed already", _not_yet_placed),
            always("right", "a lammer lies at each qualifying wager and at no other", _right_lammers),
        ),
        outcome=_placing,
        evolve=_placed,
        suggest=_suggest_lammers,
    ),
    Step(
        action=LockProgressive,
        phases=(Phase.STARTING,),
        guards=(moot("the table has no progressive", lambda s, _: offered(s.rules, PROGRESSIVE)),),
        evolve=marks_round(RoundMark.LOCKED),
        suggest=_suggest_lock,
    ),
    Step(
        action=RuleCount,
        phases=(Phase.BETTING, Phase.STARTING),
        guards=(
            sense("the progressive is locked first", round_has(RoundMark.LOCKED)),
            moot("the chips are counted already", _not_yet_counted),
            sense("no progressive wager is booked there", _booked_there, "without"),
            sense("the reason is put on record", lambda _, action: given(action.reason), "reason"),
        ),
        outcome=_unbooking,
        evolve=_ruled_out,
    ),
    Step(
        action=CountProgressive,
        phases=(Phase.STARTING,),
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
        outcome=taking,
        evolve=_counted,
        suggest=_suggest_count,
    ),
)
