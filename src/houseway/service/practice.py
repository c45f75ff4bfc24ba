"""What practice is: play money, nobody's licence, and a choice undone by standing again as before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.errors import IllegalError
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.house import House
from houseway.floor.running_table import RunningTable
from houseway.floor.streams import TableId
from houseway.floor.undo import UNDO_WITHIN, standing_entries
from houseway.money import Cents, cents
from houseway.rounds.action import step_of
from houseway.rounds.record import Turn
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps import STEPS
from houseway.service.plans import HousePlayer, Pace, Patience, TablePlan
from houseway.store.entries import Entry

PLAY_MONEY: Final[Cents] = cents("$1,000")
"""What somebody has when they sit down at a practice table, and again when they have lost it."""
PRACTICE_MAKER: Final = Actor("automatic floor", Role.FLOORPERSON)
"""Who makes a practice table when somebody wants one."""
COMPANY: Final = 2
"""Where the house player of a practice table sits."""
PRACTICE_PACE: Final = Pace(step=0.4, followed=1.4)


def company(table: TableId) -> Mapping[int, HousePlayer]:
    """Return the one house player who keeps people company at a practice table."""
    return {COMPANY: HousePlayer(f"house-player-{table}", "Ben (house)")}


def practice_plan(players: Mapping[int, HousePlayer], pace: Pace = PRACTICE_PACE) -> TablePlan:
    """Return what runs by itself at a practice table: everything, and all who are without chips get some.

    Nobody is hurried there.
    """
    return TablePlan(
        players=players,
        rulings=True,
        alone=False,
        balance=PLAY_MONEY,
        pace=pace,
        patience=Patience(betting=900, answering=300, setting=1800, vanished=180),
    )


def player_at(house: House, table: TableId, actor: Actor) -> Actor:
    """Return in which capacity somebody is at a table: at a practice table a guest plays."""
    made = house.tables.get(table)
    if actor.role is Role.GUEST and made is not None and made.practice:
        return Actor(actor.id, Role.PLAYER, "Guest")
    return actor


# --- undoing ------------------------------------------------------------------------------------------


def undo(floor: Floor, table: TableId, by: Actor, plan: TablePlan) -> RunningTable:
    """Let a practice table stand again as it did before the player's last choice; return it."""
    if table not in floor.house.tables or not floor.house.tables[table].practice:
        raise IllegalError("nothing is undone at a licensed table", value=table)
    running = floor.table(table)
    seated = {seat.person for seat in running.table.seats.values()}
    if by.role is not Role.PLAYER or by.id not in seated:
        raise IllegalError("who undoes something sits at the table", value=str(by))
    others = sorted(person for person in seated - {by.id} if not plan.is_house(person))
    if others:
        raise IllegalError("nothing is undone while somebody else plays here", value=", ".join(others))
    return floor.undo(table, _last_choice(floor, running, by) - 1, by)


def _last_choice(floor: Floor, running: RunningTable, by: Actor) -> int:
    """Return the version at which a player chose something last, of what was not undone."""
    begin = max(0, running.head.version - UNDO_WITHIN)
    entries = standing_entries(floor.store.tails({running.stream: begin}))
    version = next((entry.version for entry in entries if _is_choice(entry, by)), None)
    if version is None:
        raise IllegalError(
            "that is too far back to undo" if begin else "nothing was chosen here", value=by.id
        )
    return version


def _is_choice(entry: Entry, by: Actor) -> bool:
    body = read_body(entry)
    if not isinstance(body, Turn):
        return False
    command = body.command
    chosen = STEPS[step_of(type(command.action))].choice
    return chosen and command.by.id == by.id and command.by.role is by.role
