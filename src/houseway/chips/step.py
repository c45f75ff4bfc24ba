"""One ``ChipStep`` for each thing done with chips: why not, what comes of it, the tray afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from houseway.chips.actions import ChipAction, ChipOutcome, Chips, ChipTurn, value_of
from houseway.chips.config import ChipConfig
from houseway.chips.tray import Tray
from houseway.law.problems import Problem
from houseway.ledger import Account, Movement, units
from houseway.money import Cents, dollars
from houseway.rounds.step import Actor

MOST_CHIPS: Final = 1_000_000
"""No more chips of a kind are anywhere."""
MOST_CASH: Final = Cents(100_000_000_000_00)
"""No more cash changes hands at once."""
A = TypeVar("A", bound=ChipAction)


class ChipSituation(Struct, frozen=True):
    """What a decision looks at: the tray, who acts, the clock, the configuration."""

    tray: Tray
    by: Actor
    now: datetime
    config: ChipConfig


@dataclass(frozen=True, kw_only=True)
class ChipStep(Generic[A]):
    """Something that may be done with chips."""

    action: type[A]
    problems: Callable[[ChipSituation, A], Iterable[Problem]]
    outcome: Callable[[ChipSituation, A], ChipOutcome] = lambda _, __: ChipOutcome()
    evolve: Callable[[Tray, A, ChipTurn], Tray] = lambda tray, _, __: tray
    """The tray after all but the movements, which are made first."""


AnyChipStep = ChipStep[Any]


def movements(amount: int, source: Account, to: Account, reason: str) -> tuple[Movement, ...]:
    """Return the movement of an amount of cents, or none of nothing; a negative one goes the other way."""
    if not amount:
        return ()
    if amount < 0:
        source, to = to, source
    return (Movement(units(abs(amount)), source, to, reason),)


# --- what may be wrong ----------------------------------------------------------------------------------


def chips_problems(
    asking: ChipSituation, field: str, chips: Chips, *, some: bool = True
) -> Iterator[Problem]:
    """Yield what is wrong with a list of chips; ``some`` asks for at least one of them."""
    for kind, count in sorted(chips.items()):
        if kind not in asking.config.denominations:
            yield Problem(field, "no such chip is in use", dollars(kind))
        if not 0 <= count <= MOST_CHIPS:
            yield Problem(field, f"a number of chips from 0 to {MOST_CHIPS:,} is needed", str(count))
    if some and not any(chips.values()):
        yield Problem(field, "which chips is not said")


def cash_problems(field: str, amount: int, *, least: int = 1) -> Iterator[Problem]:
    """Yield what is wrong with an amount of money."""
    if not least <= amount <= MOST_CASH:
        yield Problem(field, "an amount of money is needed", dollars(amount))


def person_problems(person: str) -> Iterator[Problem]:
    """Yield what is wrong with a person's name."""
    if not person.strip():
        yield Problem("person", "whose chips is not said", person)


def shift_problems(asking: ChipSituation) -> Iterator[Problem]:
    """Yield why the tray is not to be touched: no shift is open, or it is being closed."""
    if not asking.tray.open:
        yield Problem("shift", "no shift is open: the opener is counted first")
    elif asking.tray.closing:
        yield Problem("shift", "the closer is counted: the shift is closed first")


def tray_problems(asking: ChipSituation, chips: Chips) -> Iterator[Problem]:
    """Yield why the tray cannot give chips."""
    if value_of(chips) > asking.tray.value:
        reason = f"the tray holds {dollars(asking.tray.value)}: a fill comes first"
        yield Problem("chips", reason, dollars(value_of(chips)))


def over_or_short(difference: int) -> str:
    """Return what a count is called that differs from what was expected."""
    return "over" if difference > 0 else "short"


def reason_problems(reason: str, difference: int) -> Iterator[Problem]:
    """Yield that a difference is not explained."""
    if difference and not reason.strip():
        cause = f"the count is {over_or_short(difference)}: the difference is explained"
        yield Problem("reason", cause, dollars(difference))
