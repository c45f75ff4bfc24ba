"""``ChipStep``: the problems, the outcome and the evolution of the tray for one chip action."""

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
"""The most chips of one denomination in an action."""
MOST_CASH: Final = Cents(100_000_000_000_00)
"""The most cash in an action."""
A = TypeVar("A", bound=ChipAction)


class ChipSituation(Struct, frozen=True):
    """What a chip action is decided on: the tray, the actor, the time, the configuration."""

    tray: Tray
    by: Actor
    now: datetime
    config: ChipConfig


@dataclass(frozen=True, kw_only=True)
class ChipStep(Generic[A]):
    """The rules of one chip action."""

    action: type[A]
    problems: Callable[[ChipSituation, A], Iterable[Problem]]
    outcome: Callable[[ChipSituation, A], ChipOutcome] = lambda _, __: ChipOutcome()
    evolve: Callable[[Tray, A, ChipTurn], Tray] = lambda tray, _, __: tray
    """Returns the tray after the turn; its movements have been applied already."""


AnyChipStep = ChipStep[Any]


def movements(amount: int, source: Account, to: Account, reason: str) -> tuple[Movement, ...]:
    """Return the movement of an amount of cents; none for 0, and a negative amount moves back."""
    if not amount:
        return ()
    if amount < 0:
        source, to = to, source
    return (Movement(units(abs(amount)), source, to, reason),)


# --- what may be wrong ----------------------------------------------------------------------------------


def chips_problems(
    situation: ChipSituation, field: str, chips: Chips, *, some: bool = True
) -> Iterator[Problem]:
    """Yield the problems of a list of chips; with ``some`` it may not be empty."""
    for kind, count in sorted(chips.items()):
        if kind not in situation.config.denominations:
            yield Problem(field, "no such chip is in use", dollars(kind))
        if not 0 <= count <= MOST_CHIPS:
            yield Problem(field, f"a number of chips from 0 to {MOST_CHIPS:,} is needed", str(count))
    if some and not any(chips.values()):
        yield Problem(field, "list at least one chip")


def cash_problems(field: str, amount: int, *, least: int = 1) -> Iterator[Problem]:
    """Yield the problem of an amount of money outside the limits."""
    if not least <= amount <= MOST_CASH:
        yield Problem(field, "an amount of money is needed", dollars(amount))


def person_problems(person: str) -> Iterator[Problem]:
    """Yield the problem of an empty person."""
    if not person.strip():
        yield Problem("person", "the person is missing", person)


def shift_problems(situation: ChipSituation) -> Iterator[Problem]:
    """Yield a problem if no shift is open, or the open one is being closed."""
    if not situation.tray.open:
        yield Problem("shift", "no shift is open: count the opener first")
    elif situation.tray.closing:
        yield Problem("shift", "the closer is counted: close the shift first")


def tray_problems(situation: ChipSituation, chips: Chips) -> Iterator[Problem]:
    """Yield a problem if the tray does not hold enough chips."""
    if value_of(chips) > situation.tray.value:
        reason = f"the tray holds {dollars(situation.tray.value)}: request a fill first"
        yield Problem("chips", reason, dollars(value_of(chips)))


def over_or_short(difference: int) -> str:
    """Return "over" or "short" for a count that differs from what was expected."""
    return "over" if difference > 0 else "short"


def reason_problems(reason: str, difference: int) -> Iterator[Problem]:
    """Yield a problem if a difference has no reason."""
    if difference and not reason.strip():
        cause = f"the count is {over_or_short(difference)}: the difference is explained"
        yield Problem("reason", cause, dollars(difference))
