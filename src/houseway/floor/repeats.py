"""A command whose id was used before: it gets the same answer if it is the same, and else is a conflict.

An id stands for one command of one person at one table. What is compared is what is stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from houseway.chips import ChipAction, ChipCommand, ChipTurn
from houseway.errors import HousewayError
from houseway.floor.batches import UNREADABLE, Answer, Fault, FirstUse, WaitingCommand
from houseway.floor.bodies import read_body
from houseway.floor.streams import TABLES, table_stream
from houseway.rounds.action import Action
from houseway.rounds.codec import canonical, decode
from houseway.rounds.record import Turn
from houseway.rounds.step import Actor
from houseway.store.entries import Entry

CONFLICT: Final = (
    "the id was used for another command, by another person or at another table: send another id"
)


def answer_again(waiting: WaitingCommand, stored: Iterable[Entry]) -> Answer:
    """Return the first answer to a command that was carried out, or the conflict with another command."""
    answer, entries = Answer(command=waiting.command.id, table=waiting.table), [*stored]
    try:
        for entry in entries:
            if _is_stored_as(waiting, entry):
                first = decode(Answer, entry.answer)
                return first if first.version else replace(answer, fault=UNREADABLE, kind=Fault.UNREADABLE)
    except HousewayError:
        return replace(answer, fault=UNREADABLE, kind=Fault.UNREADABLE)
    return replace(answer, fault=CONFLICT, kind=Fault.CONFLICT, first=_first_use(entries))


def _first_use(stored: Iterable[Entry]) -> FirstUse | None:
    """Return at which table an id was used first, and the version that shows it."""
    at_tables = (entry for entry in stored if entry.stream.startswith(TABLES))
    return next((FirstUse(entry.stream.removeprefix(TABLES), entry.version) for entry in at_tables), None)


def _is_stored_as(waiting: WaitingCommand, entry: Entry) -> bool:
    """Whether an entry is what a command came to."""
    if entry.stream != table_stream(waiting.table):
        return False
    turn = read_body(entry)
    about_chips = isinstance(waiting.command, ChipCommand)
    if not isinstance(turn, ChipTurn if about_chips else Turn):
        return False
    return is_same(turn, waiting.command.by, waiting.command.action)


def is_same(turn: Turn | ChipTurn, by: Actor, action: Action | ChipAction) -> bool:
    """Whether a turn is this action of this person, in this role; what they are called may have changed."""
    command = turn.command if isinstance(turn, Turn) else turn
    who = (command.by.id, command.by.role) == (by.id, by.role)
    return who and canonical(command.action) == canonical(action)
