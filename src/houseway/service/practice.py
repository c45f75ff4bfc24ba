"""Practice tables: play money, nobody's licence, and undoing by going on from where a choice was made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from houseway.errors import IllegalError
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.house import make_table
from houseway.floor.streams import PRACTICE, Branched, Fingerprint, TableId, table_stream
from houseway.money import Cents, cents
from houseway.rounds.actions import Action
from houseway.rounds.record import Turn
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.plans import HousePlayer, TablePlan

PLAY_MONEY: Final[Cents] = cents("$1,000")
"""What somebody has when they sit down at a practice table, and again when they have lost it."""
CHOICES: Final = frozenset({"wager", "set", "double_down", "surrender", "ask_help", "choose_hand"})
"""What a player decides, and may want to decide otherwise."""


def practice_name(name: str) -> TableId:
    """Return the name of a practice table.

    >>> practice_name("pa-575")
    'practice-pa-575'
    """
    return f"{PRACTICE}{name}"


def make_practice(floor: Floor, name: str, rules: Fingerprint, by: Actor) -> TableId:
    """Make a practice table that plays by a submission in effect; return what it is called."""
    table = practice_name(name)
    floor.set_up(lambda house, now: make_table(house, table, rules, by, now, chips=True, practice=True))
    return table


def practice_plan(players: dict[int, HousePlayer] | None = None) -> TablePlan:
    """Return what runs by itself at a practice table: everything, and all who are without chips get some."""
    return TablePlan(players=players or {}, rulings=True, alone=False, balance=PLAY_MONEY)


# --- undoing ------------------------------------------------------------------------------------------


class _Choice(NamedTuple):
    """Where a choice was made: in which branch, and by which of its entries."""

    table: TableId
    version: int


def undo(floor: Floor, table: TableId, by: Actor, plan: TablePlan) -> TableId:
    """Go back to before the player's last choice: the table goes on in a branch, whose name is returned."""
    if table not in floor.house.tables or not floor.house.tables[table].practice:
        raise IllegalError("what was done at a licensed table stays done", value=table)
    now = floor.house.stands_for(table)
    seated = {seat.person for seat in floor.table(now).table.seats.values()}
    if by.role is not Role.PLAYER or by.id not in seated:
        raise IllegalError("who undoes something sits at the table", value=str(by))
    others = sorted(person for person in seated - {by.id} if not plan.is_house(person))
    if others:
        raise IllegalError("nothing is undone while somebody else plays here", value=others[0])
    choice = next(_choices(floor, now, by), None)
    if choice is None:
        raise IllegalError("nothing was chosen here", value=by.id)
    return floor.branch(choice.table, choice.version - 1, by)


def _is_choice(action: Action, made_by: Actor, by: Actor) -> bool:
    return made_by.id == by.id and made_by.role is by.role and action.step in CHOICES


def _choices(floor: Floor, table: TableId, by: Actor) -> Iterator[_Choice]:
    """Yield where a player has chosen something, the last first, back through the branches."""
    before: int | None = None
    while True:
        entries = list(floor.store.tails({table_stream(table): 0}))
        branched: Branched | None = None
        for entry in reversed(entries):
            if before is not None and entry.version > before:
                continue
            body = read_body(entry)
            if isinstance(body, Branched):
                branched = body
            elif isinstance(body, Turn) and _is_choice(body.command.action, body.command.by, by):
                yield _Choice(table, entry.version)
        if branched is None:
            return
        table, before = branched.of, branched.version
