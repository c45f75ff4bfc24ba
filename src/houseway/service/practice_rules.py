"""The rules of practice: play money, house players, and undoing the last choice."""

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
from houseway.service.table_plans import HousePlayer, Pace, Patience, TablePlan
from houseway.store.entries import Entry

PLAY_MONEY: Final[Cents] = cents("$1,000")
"""The chips of a player who sits down at a practice table, and again once they have lost them."""
PRACTICE_FLOORPERSON: Final = Actor("automatic floor", Role.FLOORPERSON)
"""The actor who creates practice tables."""
HOUSE_PLAYER_SEAT: Final = 2
"""The position of the house player at a practice table."""
PRACTICE_PACE: Final = Pace(step=0.4, followed=1.4)


def practice_players(table: TableId) -> Mapping[int, HousePlayer]:
    """Return the one house player of a practice table, by position."""
    return {HOUSE_PLAYER_SEAT: HousePlayer(f"house-player-{table}", "Ben (house)")}


def practice_plan(players: Mapping[int, HousePlayer], pace: Pace = PRACTICE_PACE) -> TablePlan:
    """Return the plan of a practice table: all duties are automated, and players without chips get some.

    Its time limits are generous.
    """
    return TablePlan(
        players=players,
        rulings=True,
        alone=False,
        balance=PLAY_MONEY,
        pace=pace,
        patience=Patience(betting=900, answering=300, setting=1800, vanished=180),
    )


def actor_at(house: House, table: TableId, actor: Actor) -> Actor:
    """Return the actor as they are at a table: a guest plays at a practice table."""
    setup = house.tables.get(table)
    if actor.role is Role.GUEST and setup is not None and setup.practice:
        return Actor(actor.id, Role.PLAYER, "Guest")
    return actor


# --- undo ---------------------------------------------------------------------------------------------


def undo_choice(floor: Floor, table: TableId, by: Actor, plan: TablePlan) -> RunningTable:
    """Undo everything since the player's last choice at a practice table; return the table."""
    if table not in floor.house.tables or not floor.house.tables[table].practice:
        raise IllegalError("nothing is undone at a licensed table", value=table)
    running = floor.table(table)
    seated = {seat.person for seat in running.table.seats.values()}
    if by.role is not Role.PLAYER or by.id not in seated:
        raise IllegalError("only a player at the table can undo", value=str(by))
    others = sorted(person for person in seated - {by.id} if not plan.is_house(person))
    if others:
        raise IllegalError("nothing can be undone while another person plays here", value=", ".join(others))
    return floor.undo(table, _last_choice(floor, running, by) - 1, by)


def _last_choice(floor: Floor, running: RunningTable, by: Actor) -> int:
    """Return the version of a player's last choice that was not undone."""
    begin = max(0, running.head.version - UNDO_WITHIN)
    entries = standing_entries(floor.store.tails({running.stream: begin}))
    version = next((entry.version for entry in entries if _is_choice(entry, by)), None)
    if version is None:
        raise IllegalError(
            "that is too far back to undo" if begin else "there is no choice to undo", value=by.id
        )
    return version


def _is_choice(entry: Entry, by: Actor) -> bool:
    body = read_body(entry)
    if not isinstance(body, Turn):
        return False
    command = body.command
    chosen = STEPS[step_of(type(command.action))].choice
    return chosen and command.by.id == by.id and command.by.role is by.role
