"""A meter adjusted by hand: two people, a reason, and never while a wager is still to be paid from it."""

from __future__ import annotations

from typing import Final

from houseway.ledger import units
from houseway.meters import adjust
from houseway.rounds.actions import AdjustMeter
from houseway.rounds.marks import RoundMark
from houseway.rounds.outcomes import MeterAdjusted
from houseway.rounds.state import Phase
from houseway.rounds.step import AnyStep, Situation, Step
from houseway.rounds.steps.common import always, given, sense
from houseway.rounds.steps.turns import due
from houseway.settlement.model import PROGRESSIVE


def _adjusting(s: Situation, action: AdjustMeter) -> MeterAdjusted:
    if s.meter is None:
        return MeterAdjusted()
    meter, moved = adjust(
        s.meter, units(action.amount), reason=action.reason, first=s.by.id, second=action.second
    )
    return MeterAdjusted(meter=s.moved(meter, moved), movements=moved)


def _two_people(s: Situation, action: AdjustMeter) -> bool:
    people = {s.by.id.strip().casefold(), action.second.strip().casefold()} - {""}
    return len(people) > 1 and given(action.reason)


def _meter_covers(s: Situation, action: AdjustMeter) -> bool:
    """What this round's wagers put in stays in until the round is over: it may yet be void."""
    meter = s.meter
    if meter is None:
        return False
    put_in = sum(m.units for moved in s.round.taken.values() for m in moved if m.to == meter.terms.account)
    return meter.value + units(action.amount) >= put_in


def _none_to_come(s: Situation, _: AdjustMeter) -> bool:
    """No wager of this round is still to be paid from the meter."""
    if s.table.phase is Phase.SETTLING:
        return not any(PROGRESSIVE in due(s.rules, hand) for hand in s.round.playing())
    return not s.round.has(RoundMark.COIN_IN)


def _win_known(s: Situation, action: AdjustMeter) -> bool:
    plays = [s.round, *([s.table.last] if s.table.last else [])]
    return action.win is None or any(
        win.position == action.win for this_round in plays for win in this_round.wins
    )


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=AdjustMeter,
        phases=tuple(Phase),
        guards=(
            always(
                "two_people",
                "a manual adjustment needs a reason and two people",
                _two_people,
                "second",
                "reason",
            ),
            sense("the meter does not hold so much", _meter_covers, "amount"),
            sense("a wager of this round is still to be paid from the meter", _none_to_come),
            always("win", "no such win is recorded", _win_known),
        ),
        outcome=_adjusting,
    ),
)
