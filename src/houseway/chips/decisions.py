"""Decides chip actions, or returns every reason against them, and applies turns to the tray."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Final

from houseway.chips import player_chips, slips, tray_counts
from houseway.chips.actions import ChipAction, ChipTurn
from houseway.chips.config import ChipConfig
from houseway.chips.rights import right_problems
from houseway.chips.step import AnyChipStep, ChipSituation
from houseway.chips.tray import Tray, apply_movements
from houseway.law.problems import Problem, refuse
from houseway.ledger import Ledger, LedgerEntry
from houseway.rounds.books import placed
from houseway.rounds.codec import canonical
from houseway.rounds.step import Actor

CHIP_STEPS: Final[Mapping[type[ChipAction], AnyChipStep]] = MappingProxyType(
    {step.action: step for step in (*player_chips.STEPS, *slips.STEPS, *tray_counts.STEPS)}
)
"""The chip steps, by the class of their action."""


def chip_problems(
    tray: Tray, action: ChipAction, by: Actor, second: Actor | None, now: datetime, config: ChipConfig
) -> tuple[Problem, ...]:
    """Return every reason why an action is refused."""
    person = getattr(action, "person", None)
    rights = right_problems(action.step, by, second, person, self_service=config.self_service)
    situation = ChipSituation(tray, by, now, config)
    problems = (*_unwritable_problems(action), *rights, *CHIP_STEPS[type(action)].problems(situation, action))
    named = (_with_step(problem, action.step) for problem in problems)
    return tuple(dict.fromkeys(named))


def _unwritable_problems(action: ChipAction) -> Iterator[Problem]:
    """Yield a problem if an action has text or numbers that no store can hold."""
    try:
        canonical(action)
    except (UnicodeEncodeError, ValueError, OverflowError):
        yield Problem("action", "cannot be written down")


def _with_step(problem: Problem, step: str) -> Problem:
    """Return a problem with the step in front of its field."""
    return Problem(f"{step}.{problem.field}", problem.reason, problem.value, problem.clauses)


def decide_chips(
    tray: Tray, action: ChipAction, by: Actor, second: Actor | None, now: datetime, config: ChipConfig
) -> ChipTurn:
    """Return the turn for a chip action, or raise ``RefusedError`` with every reason at once."""
    refuse(action.step, chip_problems(tray, action, by, second, now, config))
    outcome = CHIP_STEPS[type(action)].outcome(ChipSituation(tray, by, now, config), action)
    return ChipTurn(at=now, by=by, second=second, action=action, outcome=outcome)


def evolve_chips(tray: Tray, turn: ChipTurn) -> Tray:
    """Return the tray after a turn."""
    moved = apply_movements(tray, turn.outcome.moved)
    return CHIP_STEPS[type(turn.action)].evolve(moved, turn.action, turn)


def post_chips(ledger: Ledger, table: str, version: int, turn: ChipTurn) -> Ledger:
    """Return the ledger after a turn, booked under its version in the table's stream."""
    if not turn.outcome.moved:
        return ledger
    movements = tuple(placed(table, 0, movement) for movement in turn.outcome.moved)
    return ledger.post(LedgerEntry(f"{table}/chips/{version}", movements))
