"""Opener and closer, the shift and the gaming day, the drop box and its count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from houseway.chips.actions import (
    ChipOutcome,
    ChipTurn,
    CloseShift,
    CountCloser,
    CountDrop,
    CountOpener,
    RollDay,
    ShiftFigures,
    TakeDrop,
    value_of,
)
from houseway.chips.step import (
    AnyChipStep,
    ChipSituation,
    ChipStep,
    cash_problems,
    chips_problems,
    movements,
    over_or_short,
    reason_problems,
)
from houseway.chips.tray import Tray
from houseway.law.problems import Problem
from houseway.ledger import CAGE, DROP, INVENTORY, VARIANCE
from houseway.money import Cents, dollars

Counting = CountOpener | CountCloser


def _first(tray: Tray) -> bool:
    """Whether the tray was never counted: what is found then is what the cage has sent."""
    return tray.day is None


# --- the opener -----------------------------------------------------------------------------------------


def _opener_problems(asking: ChipSituation, action: CountOpener) -> Iterator[Problem]:
    tray = asking.tray
    if tray.open:
        yield Problem("shift", "a shift is open: its closer is counted first", str(tray.shift))
    yield from chips_problems(asking, "chips", action.chips, some=False)
    today = asking.config.gaming_day(asking.now)
    if tray.day is not None and tray.day < today:
        yield Problem("day", "the gaming day is over: it is rolled first", str(tray.day))
    if not _first(tray):
        yield from reason_problems(action.reason, value_of(action.chips) - tray.value)


def _opener(asking: ChipSituation, action: CountOpener) -> ChipOutcome:
    tray, counted = asking.tray, value_of(action.chips)
    if _first(tray):
        moved = movements(counted - tray.value, CAGE, INVENTORY, "first chips of the table")
        return ChipOutcome(moved=moved, expected=counted, day=asking.config.gaming_day(asking.now))
    return _compared(tray, action)


def _compared(tray: Tray, action: Counting) -> ChipOutcome:
    over = value_of(action.chips) - tray.value
    reason = f"count {over_or_short(over)}: {action.reason.strip()}"
    return ChipOutcome(moved=movements(over, VARIANCE, INVENTORY, reason), expected=tray.value)


def _opened(tray: Tray, action: CountOpener, turn: ChipTurn) -> Tray:
    counted = value_of(action.chips)
    figures = ShiftFigures(opener=counted, variance=_over(turn, counted))
    return replace(
        _as_counted(tray, action),
        day=turn.outcome.day or tray.day,
        shift=tray.shift + 1,
        open=True,
        figures=figures,
    )


def _as_counted(tray: Tray, action: Counting) -> Tray:
    counted = {kind: count for kind, count in sorted(action.chips.items()) if count}
    return replace(tray, counted=counted, moved={})


def _over(turn: ChipTurn, counted: int) -> Cents:
    expected = turn.outcome.expected
    assert expected is not None, "whoever counts is told what is expected"
    return Cents(counted - expected)


# --- the closer and the shift ---------------------------------------------------------------------------


def _closer_problems(asking: ChipSituation, action: CountCloser) -> Iterator[Problem]:
    tray = asking.tray
    if not tray.open:
        yield Problem("shift", "no shift is open")
    for serial in sorted(tray.slips):
        yield Problem("slips", "the slip is still under way: it is carried out or voided first", serial)
    yield from chips_problems(asking, "chips", action.chips, some=False)
    yield from reason_problems(action.reason, value_of(action.chips) - tray.value)


def _closer(asking: ChipSituation, action: CountCloser) -> ChipOutcome:
    return _compared(asking.tray, action)


def _closer_counted(tray: Tray, action: CountCloser, turn: ChipTurn) -> Tray:
    counted, figures = value_of(action.chips), tray.figures
    figures = replace(figures, closer=counted, variance=Cents(figures.variance + _over(turn, counted)))
    return replace(_as_counted(tray, action), closing=True, figures=figures)


def _close_problems(asking: ChipSituation, _: CloseShift) -> Iterator[Problem]:
    tray = asking.tray
    if not tray.open:
        yield Problem("shift", "no shift is open")
    elif not tray.closing:
        yield Problem("shift", "the closer is counted first")
    elif tray.value != tray.figures.closer:
        reason = "play has moved chips since the closer was counted: it is counted again"
        yield Problem("shift", reason, dollars(tray.value - tray.figures.closer))


def _close(asking: ChipSituation, _: CloseShift) -> ChipOutcome:
    return ChipOutcome(figures=asking.tray.figures)


def _closed(tray: Tray, _: CloseShift, __: ChipTurn) -> Tray:
    return replace(tray, open=False, closing=False, figures=ShiftFigures())


# --- the gaming day -------------------------------------------------------------------------------------


def _roll_problems(asking: ChipSituation, _: RollDay) -> Iterator[Problem]:
    tray, today = asking.tray, asking.config.gaming_day(asking.now)
    if tray.day is None:
        yield Problem("day", "no gaming day has begun: the opener begins it")
    elif tray.day >= today:
        reason = f"a gaming day ends at {asking.config.day.rolls_at}:00 {asking.config.day.zone}"
        yield Problem("day", reason, str(tray.day))
    if tray.open:
        yield Problem("shift", "a shift is open: it is closed first", str(tray.shift))
    if tray.box:
        yield Problem("box", "the drop of the day is taken first", dollars(tray.box))


def _roll(asking: ChipSituation, _: RollDay) -> ChipOutcome:
    return ChipOutcome(day=asking.config.gaming_day(asking.now))


def _rolled(tray: Tray, _: RollDay, turn: ChipTurn) -> Tray:
    return replace(tray, day=turn.outcome.day, shift=0, cash={})


# --- the drop -------------------------------------------------------------------------------------------


def _take_problems(asking: ChipSituation, action: TakeDrop) -> Iterator[Problem]:
    if not action.box.strip():
        yield Problem("box", "the number of the drop box is needed", action.box)
    if action.box in asking.tray.taken:
        yield Problem("box", "the box of this number was taken and is not counted yet", action.box)


def _taken(tray: Tray, action: TakeDrop, _: ChipTurn) -> Tray:
    return replace(tray, box=Cents(0), taken={**tray.taken, action.box: tray.box})


def _count_problems(asking: ChipSituation, action: CountDrop) -> Iterator[Problem]:
    yield from cash_problems("cash", action.cash, least=0)
    expected = asking.tray.taken.get(action.box)
    if expected is None:
        yield Problem("box", "no box of this number waits to be counted", action.box)
    else:
        yield from reason_problems(action.reason, action.cash - expected)


def _count(asking: ChipSituation, action: CountDrop) -> ChipOutcome:
    expected = asking.tray.taken[action.box]
    over = action.cash - expected
    reason = f"drop {over_or_short(over)}: {action.reason.strip()}"
    moved = (
        *movements(over, VARIANCE, DROP, reason),
        *movements(action.cash, DROP, CAGE, f"drop box {action.box}"),
    )
    return ChipOutcome(moved=moved, expected=expected)


def _drop_counted(tray: Tray, action: CountDrop, _: ChipTurn) -> Tray:
    """The movements took the cash out of the box at the table: it was in the one that was taken."""
    there = tray.taken[action.box]
    left = {box: cash for box, cash in tray.taken.items() if box != action.box}
    return replace(tray, box=Cents(tray.box + there), taken=left)


STEPS: Final[tuple[AnyChipStep, ...]] = (
    ChipStep(action=CountOpener, problems=_opener_problems, outcome=_opener, evolve=_opened),
    ChipStep(action=CountCloser, problems=_closer_problems, outcome=_closer, evolve=_closer_counted),
    ChipStep(action=CloseShift, problems=_close_problems, outcome=_close, evolve=_closed),
    ChipStep(action=RollDay, problems=_roll_problems, outcome=_roll, evolve=_rolled),
    ChipStep(action=TakeDrop, problems=_take_problems, evolve=_taken),
    ChipStep(action=CountDrop, problems=_count_problems, outcome=_count, evolve=_drop_counted),
)
