"""Assignment of practice tables: the person's own, a free one, or a new one; and the end of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Final

from houseway.chips import ChipTurn
from houseway.errors import UnknownNameError
from houseway.floor.bodies import FOLDING_ERRORS, read_body
from houseway.floor.core import Floor
from houseway.floor.event_kinds import Body
from houseway.floor.house import House, evolve_house, forget_table, make_table, take_table, this_program
from houseway.floor.running_table import RunningTable
from houseway.floor.setup_events import ProgramApproved, SetupEvent, SubmissionApproved
from houseway.floor.streams import PRACTICE, Fingerprint, TableId, meter_stream, table_stream
from houseway.floor.table_events import Undone
from houseway.rounds.record import Turn
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.runtime import BusyError
from houseway.service.practice_rules import PRACTICE_FLOORPERSON, practice_plan, practice_players
from houseway.service.table_plans import AUTOMATED
from houseway.store.practice_storage import PracticeStore
from houseway.store.store_errors import StoreError

MOST_TABLES: Final = 500
"""The most practice tables at once; further requests are refused with "ask again"."""
LONG: Final = 2_000
"""The longest stream of a table that is given to another person; a longer one is removed."""
SETTLING_IN: Final = timedelta(minutes=1)
"""How long a table is reserved for the person who took it, though nobody sits there."""
UNTOUCHED: Final = timedelta(hours=1)
"""How long a table must be unused before another person may have it, even if people sit there."""
ENDED: Final = timedelta(hours=24)
"""How long a table, or the whole storage, must be unused before it is removed."""
LOOKS: Final = 10
"""The most idle tables that are examined at each request."""
LOOKED_BACK: Final = 200
"""The most entries searched for a person's last action; a round has fewer."""
_NAME_BYTES: Final = 5


class PracticeTables:
    """The practice tables of a floor, and who has them; used between two batches."""

    def __init__(self, floor: Floor, store: PracticeStore, licensed: Callable[[], House]) -> None:
        self.floor, self._store, self._licensed = floor, store, licensed
        self._touched: dict[TableId, datetime] = {}
        """When each table was last used through this process."""

    # --- requests -------------------------------------------------------------------------------------

    def touch(self, table: TableId) -> None:
        """Note that a table is used."""
        self._touched[table] = self.floor.clock()

    def tables_of(self, person: PersonId) -> list[TableId]:
        """Return the tables that a person has."""
        return sorted(name for name, taken in self.floor.house.taken.items() if taken.by.id == person)

    def take(self, game: str, person: Actor) -> TableId:
        """Return a practice table of a game for a person alone: their own, a free one, or a new one."""
        self.floor.refresh()
        rules = self._rules(game)
        table = self._find_own(rules, person) or self._find_free(rules, person)
        if table is None:
            table = self._make(game, rules, person)
        self.touch(table)
        return table

    def _rules(self, game: str) -> Fingerprint:
        """Return the latest rules of a game in effect on the licensed floor."""
        house, now = self._licensed(), self.floor.clock()
        in_effect = {rules: at for rules, at in house.effective.items() if at <= now}
        named = [rules for rules in in_effect if house.filed[rules].submission.game == game]
        if not named:
            raise UnknownNameError("no rules of this game are in effect", value=game)
        return max(named, key=lambda rules: (in_effect[rules], rules))

    def _with_rules(self, rules: Fingerprint) -> list[TableId]:
        """Return the tables that play by some rules, in the order in which they were taken."""
        house = self.floor.house
        mine = [name for name in house.taken if house.tables[name].rules == rules]
        return sorted(mine, key=lambda name: house.taken[name].at)

    def _find_own(self, rules: Fingerprint, person: Actor) -> TableId | None:
        """Return the table that a person already has, unless it cannot be opened."""
        own = set(self.tables_of(person.id)).intersection(self._with_rules(rules))
        return next((name for name in sorted(own) if self._open(name) is not None), None)

    def _find_free(self, rules: Fingerprint, person: Actor) -> TableId | None:
        """Assign a table that is no longer used to a person; return it, or None."""
        looks = 0
        for name in self._with_rules(rules):
            taken = self.floor.house.taken.get(name)
            if taken is None:
                continue  # another process has removed it meanwhile
            idle = self._idle(name)
            if idle < (SETTLING_IN if self.floor.is_open(name) else UNTOUCHED):
                continue
            looks += idle >= UNTOUCHED
            if looks > LOOKS:
                break
            if self._may_be_handed_on(name) and self._take_over(name, taken.at, person):
                return name
        return None

    def _may_be_handed_on(self, table: TableId) -> bool:
        """Whether a table may be assigned again; an idle one that may not is removed."""
        running = self._open(table)
        if running is None:
            return False
        empty = not people_at(running)
        unused = self._idle(table, running) >= UNTOUCHED
        if not empty and not unused:
            return False
        if empty and running.head.version <= LONG:
            return True
        self.forget(table)
        return False

    def _take_over(self, table: TableId, since: datetime, person: Actor) -> bool:
        """Assign a table to a person unless another process has done so; return whether it is theirs."""

        def take(house: House, now: datetime) -> Iterator[SetupEvent]:
            if table in house.taken and house.taken[table].at == since:
                yield take_table(house, table, person, now)

        self.floor.set_up(take)
        now_taken = self.floor.house.taken.get(table)
        return now_taken is not None and now_taken.by.id == person.id

    # --- new tables -----------------------------------------------------------------------------------

    def _make(self, game: str, rules: Fingerprint, person: Actor) -> TableId:
        """Create a table under rules of the licensed floor, which are filed here if necessary."""
        name = f"{PRACTICE}{game}-{self.floor.entropy.read(_NAME_BYTES).hex()}"

        def set_up(house: House, now: datetime) -> Iterator[SetupEvent]:
            if len(house.tables) >= MOST_TABLES:
                raise BusyError("all practice tables are in use: ask again later", value=MOST_TABLES)
            for event in _copy_rules(house, self._licensed(), rules, now):
                house = evolve_house(house, event)
                yield event
            for event in make_table(house, name, rules, PRACTICE_FLOORPERSON, now, chips=True, practice=True):
                house = evolve_house(house, event)
                yield event
            yield take_table(house, name, person, now)

        self._end_idle()
        self.floor.set_up(set_up)
        return name

    # --- the end of tables ----------------------------------------------------------------------------

    def _end_idle(self) -> None:
        """Remove tables unused for a day, or for an hour if there is no room for more."""
        longest = UNTOUCHED if len(self.floor.house.tables) >= MOST_TABLES else ENDED
        idle = [name for name in self.floor.house.taken if self._idle(name) >= longest]
        for name in idle[:LOOKS]:
            running = self._open(name)
            if running is not None and self._idle(name, running) >= longest:
                self.forget(name)

    def forget(self, table: TableId) -> None:
        """Remove a table; this is recorded first, so that no other process continues with it."""

        def forgotten(house: House, now: datetime) -> Iterator[SetupEvent]:
            if table in house.tables:
                yield forget_table(house, table, PRACTICE_FLOORPERSON, now)

        self.floor.set_up(forgotten)
        self._store.forget([table_stream(table), meter_stream(table)])
        self._touched.pop(table, None)

    def _open(self, table: TableId) -> RunningTable | None:
        """Return a table with all servers' changes; one that cannot be opened any more is removed."""
        try:
            self.floor.catch_up([table])
            return self.floor.table(table)
        except StoreError:
            raise
        except FOLDING_ERRORS:
            self.forget(table)
            return None

    def _idle(self, table: TableId, running: RunningTable | None = None) -> timedelta:
        """Return how long a table has been unused, by what this process knows, or by its stream."""
        taken = self.floor.house.taken[table].at
        last = max(taken, self._touched.get(table, taken))
        if running is not None:
            last = self._touched[table] = max(last, self._last_action_at(running) or last)
        return self.floor.clock() - last

    def _last_action_at(self, running: RunningTable) -> datetime | None:
        """Return when a person last did something at a table, through any server."""
        begin = max(0, running.head.version - LOOKED_BACK)
        plan = practice_plan(practice_players(running.table.id))
        machines = set(AUTOMATED.values())
        bodies = [read_body(entry) for entry in self.floor.store.tails({running.stream: begin})]
        done = [
            body.at
            for body in bodies
            if (by := _actor_of(body)) and by.id not in machines and not plan.is_house(by.id)
        ]
        return max(done, default=None)


def _actor_of(body: Body) -> Actor | None:
    """Return the actor of an entry of a table, if it has one."""
    if isinstance(body, Turn):
        return body.command.by
    return body.by if isinstance(body, ChipTurn | Undone) else None


def people_at(running: RunningTable) -> set[PersonId]:
    """Return the people who sit at a practice table, house players left out."""
    plan = practice_plan(practice_players(running.table.id))
    return {seat.person for seat in running.table.seats.values() if not plan.is_house(seat.person)}


def _copy_rules(house: House, licensed: House, rules: Fingerprint, now: datetime) -> Iterator[SetupEvent]:
    """Yield the events that put rules of the licensed floor in effect on the practice floor."""
    by = PRACTICE_FLOORPERSON
    if house.program != this_program():
        yield ProgramApproved(program=this_program(), second=by, by=by, at=now)
    if rules not in house.filed:
        yield licensed.filed[rules]
    if rules not in house.effective:
        yield SubmissionApproved(submission=rules, effective=licensed.effective[rules], by=by, at=now)
