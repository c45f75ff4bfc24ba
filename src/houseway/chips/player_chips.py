"""The chips in front of people: buy-in, colour-up, cash-out, and chips brought or taken away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from houseway.chips.actions import (
    BringChips,
    BuyIn,
    CashOut,
    ChipOutcome,
    ChipTurn,
    ColourUp,
    PersonAction,
    TakeChips,
    value_of,
)
from houseway.chips.reports import ReportDue, ThresholdKind, reports_due
from houseway.chips.step import (
    AnyChipStep,
    ChipSituation,
    ChipStep,
    cash_problems,
    chips_problems,
    movements,
    person_problems,
    shift_problems,
    tray_problems,
)
from houseway.chips.tray import DayCash, Tray, chips_of, covers, with_chips
from houseway.law.problems import Problem
from houseway.ledger import CAGE, DROP, INVENTORY, player, pocket
from houseway.money import Cents, dollars


def _no_chips_problems(situation: ChipSituation, action: PersonAction, amount: int) -> Iterator[Problem]:
    if not covers(situation.tray, action.person, amount):
        reason = f"{action.person} has {dollars(chips_of(situation.tray, action.person))} in chips here"
        yield Problem("amount", reason, dollars(amount))


def _reports(
    situation: ChipSituation, counted: ThresholdKind, person: str, amount: Cents
) -> tuple[ReportDue, ...]:
    day = situation.tray.day or situation.config.gaming_day(situation.now)
    had = situation.tray.cash.get(person, DayCash())
    before = had.given if counted is ThresholdKind.CASH_IN else had.got
    return reports_due(situation.config.thresholds, day, counted, person, amount, before=before)


def _with_cash(tray: Tray, person: str, given: int = 0, got: int = 0) -> Tray:
    had, figures = tray.cash.get(person, DayCash()), tray.figures
    now = DayCash(Cents(had.given + given), Cents(had.got + got))
    figures = replace(figures, cash_in=Cents(figures.cash_in + given), cash_out=Cents(figures.cash_out + got))
    return replace(tray, cash={**tray.cash, person: now}, figures=figures)


# --- cash and chips -------------------------------------------------------------------------------------


def _buy_in_problems(situation: ChipSituation, action: BuyIn) -> Iterator[Problem]:
    yield from person_problems(action.person)
    yield from shift_problems(situation)
    yield from cash_problems("cash", action.cash)
    yield from chips_problems(situation, "chips", action.chips, some=not situation.config.self_service)
    if action.chips and value_of(action.chips) != action.cash:
        reason = f"the chips are worth {dollars(value_of(action.chips))}, not the amount paid for them"
        yield Problem("chips", reason, dollars(action.cash))
    yield from tray_problems(situation, action.chips or {action.cash: 1})


def _decide_buy_in(situation: ChipSituation, action: BuyIn) -> ChipOutcome:
    cash = movements(action.cash, pocket(action.person), DROP, "cash dropped")
    chips = movements(action.cash, INVENTORY, player(action.person), "chips bought")
    reports = _reports(situation, ThresholdKind.CASH_IN, action.person, action.cash)
    return ChipOutcome(moved=(*cash, *chips), reports=reports)


def _apply_buy_in(tray: Tray, action: BuyIn, _: ChipTurn) -> Tray:
    return with_chips(_with_cash(tray, action.person, given=action.cash), (action.chips, -1))


def _cash_out_problems(situation: ChipSituation, action: CashOut) -> Iterator[Problem]:
    if not situation.config.self_service:
        yield Problem("table", "chips are paid at the cage, not at this table")
    yield from person_problems(action.person)
    yield from shift_problems(situation)
    yield from cash_problems("amount", action.amount)
    yield from _no_chips_problems(situation, action, action.amount)


def _decide_cash_out(situation: ChipSituation, action: CashOut) -> ChipOutcome:
    chips = movements(action.amount, player(action.person), INVENTORY, "chips taken back")
    cash = movements(action.amount, CAGE, pocket(action.person), "paid for chips")
    reports = _reports(situation, ThresholdKind.CASH_OUT, action.person, action.amount)
    return ChipOutcome(moved=(*chips, *cash), reports=reports)


def _apply_cash_out(tray: Tray, action: CashOut, _: ChipTurn) -> Tray:
    return _with_cash(tray, action.person, got=action.amount)


def _colour_up_problems(situation: ChipSituation, action: ColourUp) -> Iterator[Problem]:
    yield from person_problems(action.person)
    yield from shift_problems(situation)
    yield from chips_problems(situation, "gives", action.gives)
    yield from chips_problems(situation, "takes", action.takes)
    given, taken = value_of(action.gives), value_of(action.takes)
    if given != taken:
        yield Problem(
            "takes", f"chips for {dollars(given)} must be exchanged for the same value", dollars(taken)
        )
    yield from _no_chips_problems(situation, action, given)


def _apply_colour_up(tray: Tray, action: ColourUp, _: ChipTurn) -> Tray:
    return with_chips(tray, (action.gives, 1), (action.takes, -1))


# --- chips from elsewhere -------------------------------------------------------------------------------


def _bring_problems(_: ChipSituation, action: BringChips) -> Iterator[Problem]:
    yield from person_problems(action.person)
    yield from cash_problems("amount", action.amount)


def _decide_bring(_: ChipSituation, action: BringChips) -> ChipOutcome:
    return ChipOutcome(
        moved=movements(action.amount, pocket(action.person), player(action.person), "chips brought")
    )


def _take_problems(situation: ChipSituation, action: TakeChips) -> Iterator[Problem]:
    yield from person_problems(action.person)
    yield from cash_problems("amount", action.amount)
    yield from _no_chips_problems(situation, action, action.amount)


def _decide_take(_: ChipSituation, action: TakeChips) -> ChipOutcome:
    return ChipOutcome(
        moved=movements(action.amount, player(action.person), pocket(action.person), "chips taken away")
    )


STEPS: Final[tuple[AnyChipStep, ...]] = (
    ChipStep(action=BuyIn, problems=_buy_in_problems, outcome=_decide_buy_in, evolve=_apply_buy_in),
    ChipStep(action=CashOut, problems=_cash_out_problems, outcome=_decide_cash_out, evolve=_apply_cash_out),
    ChipStep(action=ColourUp, problems=_colour_up_problems, evolve=_apply_colour_up),
    ChipStep(action=BringChips, problems=_bring_problems, outcome=_decide_bring),
    ChipStep(action=TakeChips, problems=_take_problems, outcome=_decide_take),
)
