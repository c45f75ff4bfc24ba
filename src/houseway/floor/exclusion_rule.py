"""The house rule on self-exclusion and time-outs, at every table whatever its game and law.

A person who has excluded themselves from play, or is in a time-out, puts up nothing more and takes no seat,
no matter who enters the command. A hand already in play is played out, and they are paid what is theirs. The
dealer or the floor records that they left, as the law of the game lets a player leave; anyone who may play
leaves by themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from msgspec import Struct

from houseway.chips import ChipCommand
from houseway.chips.actions import BringChips, BuyIn
from houseway.law.problems import Problem
from houseway.rounds.action import Action
from houseway.rounds.capacities import has_left
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId, Table
from houseway.rounds.step import Command
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.players import RECORDS_LEAVING, Leave

BarCheck = Callable[[PersonId, datetime], str | None]
"""Returns why a person is not to play at a moment, if so: "is not to play until …"."""
HOUSE_RULE: Final = "house rule on self-exclusion and time-outs"
LEAVING_RECORDERS: Final = RECORDS_LEAVING
"""The roles that see who is to leave a table, and record that they did."""


def bar_no_one(_: PersonId, __: datetime) -> str | None:
    """Return None: no one is barred."""
    return None


class SeatToLeave(Struct, frozen=True):
    """A seat whose player is not to play, and leaves it at the next lawful moment."""

    position: int
    person: PersonId
    name: str
    reason: str


def seats_to_leave(table: Table, barred: BarCheck, now: datetime) -> tuple[SeatToLeave, ...]:
    """Return the seats of a table whose players are to leave it."""
    seats = (
        (at, seat, barred(seat.person, now))
        for at, seat in sorted(table.seats.items())
        if not seat.area and not has_left(table, at)
    )
    return tuple(
        SeatToLeave(at, seat.person, seat.name or seat.person, f"{HOUSE_RULE}: {why}")
        for at, seat, why in seats
        if why is not None
    )


def exclusion_problems(
    table: Table, command: Command | ChipCommand, barred: BarCheck, now: datetime
) -> tuple[Problem, ...]:
    """Return the problems of a command that brings a barred person to play, or makes another leave."""
    person = person_brought_in(table, command)
    why = barred(person, now) if person is not None else None
    if why is not None:
        return (Problem("person", f"{HOUSE_RULE}: {person} {why}", person),)
    person = person_leaving(table, command)
    if person is None or barred(person, now) is not None:
        return ()
    return (Problem("position", f"{HOUSE_RULE}: {person} may play, and gets up by themselves", person),)


def person_leaving(table: Table, command: Command | ChipCommand) -> PersonId | None:
    """Return who leaves their seat by a command, if another person enters it."""
    action = command.action
    if not isinstance(action, Leave) or command.by.role is Role.PLAYER:
        return None
    seat = table.seats.get(action.position)
    return seat.person if seat is not None else None


def person_brought_in(table: Table, command: Command | ChipCommand) -> PersonId | None:
    """Return who would take a seat, wager more, or buy chips by a command.

    That is whose seat or hand it is, not the actor: a dealer enters wagers for others.
    """
    action = command.action
    if isinstance(action, Action):
        return STEPS[action.step].brings(table, command.by, action)
    return action.person if isinstance(action, BuyIn | BringChips) else None
