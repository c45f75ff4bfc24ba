"""Counts of the tray (opener and closer), the shift, the gaming day, the drop box and its count."""

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

TrayCount = CountOpener | CountCloser


def _is_first_count(tray: Tray) -> bool:
    """Whether the tray was never counted: its first count is what the cage delivered."""
    return tray.day is None


# --- the opener -----------------------------------------------------------------------------------------


def _opener_problems(situation: ChipSituation, action: CountOpener) -> Iterator[Problem]:
    tray = situation.tray
    if tray.open:
        yield Problem("shift", "a shift is open: count its closer first", str(tray.shift))
    yield from chips_problems(situation, "chips", action.chips, some=False)
    today = situation.config.gaming_day(situation.now)
    if tray.day is not None and tray.day < today:
        yield Problem("day", "the gaming day is over: roll it first", str(tray.day))
    if not _is_first_count(tray):
        yield from reason_problems(action.reason, value_of(action.chips) - tray.value)


def _decide_opener(situation: ChipSituation, action: CountOpener) -> ChipOutcome:
    tray, counted = situation.tray, value_of(action.chips)
    if _is_first_count(tray):
        moved = movements(counted - tray.value, CAGE, INVENTORY, "first chips of the table")
        return ChipOutcome(moved=moved, expected=counted, day=situation.config.gaming_day(situation.now))
    return _compare(tray, action)


def _compare(tray: Tray, action: TrayCount) -> ChipOutcome:
    over = value_of(action.chips) - tray.value
    reason = f"count {over_or_short(over)}: {action.reason.strip()}"
    return ChipOutcome(moved=movements(over, VARIANCE, INVENTORY, reason), expected=tray.value)


def _apply_opener(tray: Tray, action: CountOpener, turn: ChipTurn) -> Tray:
    counted = value_of(action.chips)
    figures = ShiftFigures(opener=counted, variance=_variance(turn, counted))
    return replace(
        _set_counted(tray, action),
        day=turn.outcome.day or tray.day,
        shift=tray.shift + 1,
        open=True,
        figures=figures,
    )


def _set_counted(tray: Tray, action: TrayCount) -> Tray:
    counted = {kind: count for kind, count in sorted(action.chips.items()) if count}
    return replace(tray, counted=counted, moved={})


def _variance(turn: ChipTurn, counted: int) -> Cents:
    expected = turn.outcome.expected
    assert expected is not None, "every count has an expected value"
    return Cents(counted - expected)


# --- the closer and the shift ---------------------------------------------------------------------------


def _closer_problems(situation: ChipSituation, action: CountCloser) -> Iterator[Problem]:
    tray = situation.tray
    if not tray.open:
        yield Problem("shift", "no shift is open")
    for serial in sorted(tray.slips):
        yield Problem("slips", "the slip is still open: carry it out or void it first", serial)
    yield from chips_problems(situation, "chips", action.chips, some=False)
    yield from reason_problems(action.reason, value_of(action.chips) - tray.value)


def _decide_closer(situation: ChipSituation, action: CountCloser) -> ChipOutcome:
    return _compare(situation.tray, action)


def _apply_closer(tray: Tray, action: CountCloser, turn: ChipTurn) -> Tray:
    counted, figures = value_of(action.chips), tray.figures
    figures = replace(figures, closer=counted, variance=Cents(figures.variance + _variance(turn, counted)))
    return replace(_set_counted(tray, action), closing=True, figures=figures)


def _close_problems(situation: ChipSituation, _: CloseShift) -> Iterator[Problem]:
    tray = situation.tray
    if not tray.open:
        yield Problem("shift", "no shift is open")
    elif not tray.closing:
        yield Problem("shift", "count the closer first")
    elif tray.value != tray.figures.closer:
        reason = "play has moved chips since the closer was counted: count it again"
        yield Problem("shift", reason, dollars(tray.value - tray.figures.closer))


def _decide_close(situation: ChipSituation, _: CloseShift) -> ChipOutcome:
    return ChipOutcome(figures=situation.tray.figures)


def _apply_close(tray: Tray, _: CloseShift, __: ChipTurn) -> Tray:
    return replace(tray, open=False, closing=False, figures=ShiftFigures())


# --- the gaming day -------------------------------------------------------------------------------------


def _roll_problems(situation: ChipSituation, _: RollDay) -> Iterator[Problem]:
    tray, today = situation.tray, situation.config.gaming_day(situation.now)
    if tray.day is None:
        yield Problem("day", "no gaming day has begun: count the opener")
    elif tray.day >= today:
        reason = f"a gaming day ends at {situation.config.day.rolls_at}:00 {situation.config.day.zone}"
        yield Problem("day", reason, str(tray.day))
    if tray.open:
        yield Problem("shift", "a shift is open: close it first", str(tray.shift))
    if tray.box:
        yield Problem("box", "take the drop of the day first", dollars(tray.box))


def _decide_roll(situation: ChipSituation, _: RollDay) -> ChipOutcome:
    return ChipOutcome(day=situation.config.gaming_day(situation.now))


def _apply_roll(tray: Tray, _: RollDay, turn: ChipTurn) -> Tray:
    return replace(tray, day=turn.outcome.day, shift=0, cash={})


# --- the drop -------------------------------------------------------------------------------------------


def _take_problems(situation: ChipSituation, action: TakeDrop) -> Iterator[Problem]:
    if not action.box.strip():
        yield Problem("box", "the number of the drop box is needed", action.box)
    if action.box in situation.tray.taken:
        yield Problem("box", "the box of this number was taken and is not counted yet", action.box)


def _apply_take(tray: Tray, action: TakeDrop, _: ChipTurn) -> Tray:
    return replace(tray, box=Cents(0), taken={**tray.taken, action.box: tray.box})


def _count_problems(situation: ChipSituation, action: CountDrop) -> Iterator[Problem]:
    yield from cash_problems("cash", action.cash, least=0)
    expected = situation.tray.taken.get(action.box)
    if expected is None:
        yield Problem("box", "no box of this number waits to be counted", action.box)
    else:
        yield from reason_problems(action.reason, action.cash - expected)


def _decide_drop_count(situation: ChipSituation, action: CountDrop) -> ChipOutcome:
    expected = situation.tray.taken[action.box]
    over = action.cash - expected
    reason = f"drop {over_or_short(over)}: {action.reason.strip()}"
    moved = (
        *movements(over, VARIANCE, DROP, reason),
        *movements(action.cash, DROP, CAGE, f"drop box {action.box}"),
    )
    return ChipOutcome(moved=moved, expected=expected)


def _apply_drop_count(tray: Tray, action: CountDrop, _: ChipTurn) -> Tray:
    """Correct the box: the movements took the cash from the one at the table, but another was counted."""
    cash = tray.taken[action.box]
    left = {box: cash for box, cash in tray.taken.items() if box != action.box}
    return replace(tray, box=Cents(tray.box + cash), taken=left)


STEPS: Final[tuple[AnyChipStep, ...]] = (
    ChipStep(action=CountOpener, problems=_opener_problems, outcome=_decide_opener, evolve=_apply_opener),
    ChipStep(action=CountCloser, problems=_closer_problems, outcome=_decide_closer, evolve=_apply_closer),
    ChipStep(action=CloseShift, problems=_close_problems, outcome=_decide_close, evolve=_apply_close),
    ChipStep(action=RollDay, problems=_roll_problems, outcome=_decide_roll, evolve=_apply_roll),
    ChipStep(action=TakeDrop, problems=_take_problems, evolve=_apply_take),
    ChipStep(
        action=CountDrop, problems=_count_problems, outcome=_decide_drop_count, evolve=_apply_drop_count
    ),
)
