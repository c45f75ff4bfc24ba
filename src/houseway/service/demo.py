"""The demo floor: every game at a table, house players, a shared progressive, and rules for practice.

One more table is dealt by people: its devices are automated, its dealer and floorperson are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from houseway.floor.core import Floor
from houseway.floor.house import (
    House,
    approve_program,
    approve_submission,
    file_submission,
    make_table,
    this_program,
)
from houseway.floor.setup_events import SetupEvent
from houseway.floor.streams import Fingerprint, TableId
from houseway.games import Submission, example_submission, rules_for
from houseway.games.changes import reference_problems
from houseway.rounds.roles import Role
from houseway.rounds.state import MeterId, PersonId, Phase
from houseway.service.demo_people import MEMBERS
from houseway.service.driver import Driver, queue
from houseway.service.table_plans import AUTOMATED, DEVICES, USUAL, HousePlayer, Pace, Patience, TablePlan

GAMES: Final = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
LINKED: Final = "pa-659a"
"""The game of the tables that share a progressive, since the games differ in the chance to win one."""
_MANAGER, _SECOND, _FLOOR, _DEALER = MEMBERS[:4]
_NAMES: Final = ("Ada", "Ben", "Cora", "Dev", "Esme", "Finn")
_SEATS: Final = {1: "ca-fpgp", 2: "", 3: "pa-575", 5: "", 6: "wa-fap"}
"""The positions of house players, with the one game they play there; "" is every game."""
_RESTS: Final = 600.0
BY_HAND: Final = "dealer-table"
"""The table that is dealt by people."""
ONLY_DEVICES: Final = {device: AUTOMATED[device] for device in DEVICES}


class DemoTable(Struct, frozen=True):
    """A table of the demo: its game, and the meter that it shares, if any."""

    name: TableId
    game: str
    meter: MeterId | None = None


def demo_tables() -> tuple[DemoTable, ...]:
    """Return the licensed tables of the demo: one for each game, and two more of the linked game."""
    meter = f"{LINKED}-link"
    one_each = (DemoTable(game, game, meter if game == LINKED else None) for game in GAMES)
    return (*one_each, DemoTable(f"{LINKED}-second", LINKED, meter), DemoTable(BY_HAND, LINKED, meter))


def demo_floor(floor: Floor, pace: Pace = USUAL) -> Mapping[TableId, TablePlan]:
    """Set up whatever the demo lacks on a floor; return the plan of each table."""
    floor.set_up(_approvals)
    rules = {game: _put_in_effect(floor, _submission(game)) for game in GAMES}
    plans = dict[TableId, TablePlan]()
    for table in demo_tables():
        if table.name not in floor.house.tables:
            _make(floor, table, rules[table.game])
        plans[table.name] = replace(_plan(table), pace=pace)
    return plans


def _plan(table: DemoTable) -> TablePlan:
    players, patience = _house_players(table.name, table.game), Patience(resting=_RESTS)
    if table.name == BY_HAND:
        return TablePlan(duties=ONLY_DEVICES, players=dict([players.popitem()]), patience=patience)
    return TablePlan(players=players, rulings=True, patience=patience)


def _submission(game: str) -> Submission:
    """Return the example submission of a game, as of a day on which its law was in force."""
    return example_submission(game)


def _approvals(house: House, now: datetime) -> Iterator[SetupEvent]:
    """Yield the approval of this program by two people, unless it is approved."""
    if house.program != this_program():
        yield approve_program(this_program(), _MANAGER, _SECOND, now)


def _put_in_effect(floor: Floor, submission: Submission) -> Fingerprint:
    """File rules and have a second person approve them, unless that is done; return their fingerprint."""
    submission = _under_free_reference(floor.house, submission)
    rules = rules_for(submission).fingerprint

    def file_rules(house: House, now: datetime) -> Iterator[SetupEvent]:
        if rules not in house.filed:
            yield file_submission(house, submission, _MANAGER, now)

    def approve_rules(house: House, now: datetime) -> Iterator[SetupEvent]:
        if rules not in house.effective:
            yield approve_submission(house, rules, _SECOND, now)

    floor.set_up(file_rules)
    floor.set_up(approve_rules)
    return rules


def _under_free_reference(house: House, submission: Submission) -> Submission:
    """Return rules under a reference that is not taken: an earlier version may have filed other rules."""
    file_rules = [event.submission for event in house.filed.values()]
    names = (submission.reference, *(f"{submission.reference} ({number})" for number in range(2, 100)))
    candidates = (submission.model_copy(update={"reference": name}) for name in names)
    return next(rules for rules in candidates if not reference_problems(file_rules, rules))


def _make(floor: Floor, table: DemoTable, rules: Fingerprint) -> None:
    floor.set_up(lambda house, now: make_table(house, table.name, rules, _FLOOR, now, meter=table.meter))
    if table.name == BY_HAND:
        open_by_hand(floor, table.name, _plan(table).players)


def open_by_hand(floor: Floor, table: TableId, players: Mapping[int, HousePlayer]) -> None:
    """Have the demo's dealer and floorperson open their table, up to the first wager.

    A house player is seated first, as the player who may inspect the cards.
    """
    duties = {**ONLY_DEVICES, Role.DEALER: _DEALER.id, Role.FLOORPERSON: _FLOOR.id}
    driver = Driver(
        floor, {table: TablePlan(duties=duties, players=players, pace=Pace(preparing=0))}, floor.clock
    )
    while floor.table(table).table.phase in (Phase.CLOSED, Phase.OPENING):
        due = driver.due(floor.clock())
        if not due:
            break  # a step is refused: people see why, and continue from here
        queue(floor, due)
        for answer in floor.run():
            driver.take_answer(answer)


def _house_players(table: TableId, game: str) -> dict[int, HousePlayer]:
    """Return the house players of a table, each under an id of its own."""
    seats = [at for at, only in _SEATS.items() if only in ("", game)]
    return {
        at: HousePlayer(_person(table, at), f"{_NAMES[at - 1]} (house)", doubles=bool(at % 2)) for at in seats
    }


def _person(table: TableId, at: int) -> PersonId:
    return f"house-player-{table}-{at}"
