"""Practice tables: play money, nobody's licence, and undoing by going on from where a choice was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from houseway.errors import IllegalError, UnknownNameError
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.house import House, make_table
from houseway.floor.streams import (
    PRACTICE,
    Branched,
    Fingerprint,
    TableId,
    is_practice,
    root_of,
    table_stream,
)
from houseway.money import Cents, cents
from houseway.rounds.actions import Action
from houseway.rounds.record import Turn
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.service.plans import HousePlayer, Pace, Patience, TablePlan

PLAY_MONEY: Final[Cents] = cents("$1,000")
"""What somebody has when they sit down at a practice table, and again when they have lost it."""
PRACTICE_MAKER: Final = Actor("automatic floor", Role.FLOORPERSON)
"""Who makes a practice table when somebody wants one."""
COMPANY: Final = 2
"""Where the house player of a practice table sits."""
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


def company(table: TableId) -> Mapping[int, HousePlayer]:
    """Return the one house player who keeps people company at a practice table."""
    return {COMPANY: HousePlayer(f"house-player-{root_of(table)}", "Ben (house)")}


def practice_plan(players: Mapping[int, HousePlayer]) -> TablePlan:
    """Return what runs by itself at a practice table: everything, and all who are without chips get some.

    Nobody is hurried there.
    """
    return TablePlan(
        players=players,
        rulings=True,
        alone=False,
        balance=PLAY_MONEY,
        pace=Pace(step=0.4, followed=1.4),
        patience=Patience(betting=900, answering=300, setting=1800, vanished=180),
    )


def player_at(house: House, table: TableId, actor: Actor) -> Actor:
    """Return in which capacity somebody is at a table: at a practice table a guest plays."""
    made = house.tables.get(table)
    if actor.role is Role.GUEST and made is not None and made.practice:
        return Actor(actor.id, Role.PLAYER, "Guest")
    return actor


def practice_table(floor: Floor, game: str, person: PersonId, by: Actor) -> TableId:
    """Return a practice table of a game for a person alone: theirs, or a free one, or a new one."""
    rules = _rules_of(floor.house, game)
    roots = [name for name, made in floor.house.tables.items() if made.practice and name == root_of(name)]
    mine = [name for name in roots if floor.house.tables[name].rules == rules]
    sitting = {name: _people_at(floor, name) for name in mine}
    for wanted in ({person}, set[PersonId]()):
        found = next((name for name in mine if sitting[name] == wanted), None)
        if found is not None:
            return found
    number = 1 + len(mine)
    name = game if number == 1 else f"{game}-{number}"
    return make_practice(floor, name, rules, by)


def _people_at(floor: Floor, table: TableId) -> set[PersonId]:
    """Return who sits at a practice table, house players aside."""
    plan, seats = practice_plan(company(table)), floor.table(floor.house.stands_for(table)).table.seats
    return {seat.person for seat in seats.values() if not plan.is_house(seat.person)}


def _rules_of(house: House, game: str) -> Fingerprint:
    """Return rules of a game that are in effect, the latest."""
    filed = [name for name in house.effective if house.filed[name].submission.game == game]
    if not filed:
        raise UnknownNameError("no rules of such a game are in effect", value=game)
    return max(filed, key=lambda name: (house.effective[name], name))


def is_practised(table: TableId) -> bool:
    """Whether a name is that of a practice table, and of no branch of one."""
    return is_practice(table) and root_of(table) == table


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
