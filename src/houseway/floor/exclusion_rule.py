"""Who is not to play: a house rule of the floor, whatever game and law a table plays by.

Somebody who has excluded themselves from play, or is in a time-out, puts up nothing more and takes no seat,
whoever commands it for them. A hand already in play is played out, and what they have is paid to them. That
they got up the dealer or the floor records, as the law of the game lets a player leave; whoever may play gets
up by themselves.
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
"""Returns why somebody is not to play at a moment, if so: "is not to play until …"."""
HOUSE_RULE: Final = "house rule on self-exclusion and time-outs"
LEAVING_RECORDERS: Final = RECORDS_LEAVING
"""Who is told that somebody at a table is to get up, and records that they did."""


def bar_no_one(_: PersonId, __: datetime) -> str | None:
    """Bar nobody."""
    return None


class SeatToLeave(Struct, frozen=True):
    """Somebody who sits at a table and is not to play: they get up at the next lawful moment."""

    position: int
    person: PersonId
    name: str
    reason: str


def seats_to_leave(table: Table, barred: BarCheck, now: datetime) -> tuple[SeatToLeave, ...]:
    """Return who is to get up from a table."""
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
    """Return why the house does not let a command bring somebody to play, if it does not."""
    person = person_brought_in(table, command)
    why = barred(person, now) if person is not None else None
    if why is not None:
        return (Problem("person", f"{HOUSE_RULE}: {person} {why}", person),)
    person = person_leaving(table, command)
    if person is None or barred(person, now) is not None:
        return ()
    return (Problem("position", f"{HOUSE_RULE}: {person} may play, and gets up by themselves", person),)


def person_leaving(table: Table, command: Command | ChipCommand) -> PersonId | None:
    """Return who gets up from their seat, if it is somebody else who records it."""
    action = command.action
    if not isinstance(action, Leave) or command.by.role is Role.PLAYER:
        return None
    seat = table.seats.get(action.position)
    return seat.person if seat is not None else None


def person_brought_in(table: Table, command: Command | ChipCommand) -> PersonId | None:
    """Return who would take a seat, put up more than lies there, or buy chips, by a command of anybody's.

    It is whose seat or hand it is, and not who commands: a dealer enters wagers for others.
    """
    action = command.action
    if isinstance(action, Action):
        return STEPS[action.step].brings(table, command.by, action)
    return action.person if isinstance(action, BuyIn | BringChips) else None
