"""Who has which practice table: one's own again, a free one, or a new one; and how tables end."""

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
from houseway.service.plans import AUTOMATED
from houseway.service.practice import PRACTICE_MAKER, company, practice_plan
from houseway.store.practice_storage import PracticeStore
from houseway.store.store_errors import StoreError

MOST_TABLES: Final = 500
"""So many practice tables there are at once: who comes later asks again."""
LONG: Final = 2_000
"""A table whose stream is longer is not handed on: it is forgotten."""
SETTLING_IN: Final = timedelta(minutes=1)
"""So long a table that somebody took is theirs though nobody sits there."""
UNTOUCHED: Final = timedelta(hours=1)
"""After this time a table is free for the next, whoever sits there."""
ENDED: Final = timedelta(hours=24)
"""After this time a table that nobody touches is no more, nor is the whole storage."""
LOOKS: Final = 10
"""So many tables that seem to lie idle are looked at each time that somebody asks for one."""
LOOKED_BACK: Final = 200
"""So many entries back it is looked for what a person did last: a round has fewer."""
_NAME_BYTES: Final = 5


class PracticeTables:
    """The practice tables of a floor, and who has them. Everything here is done between two batches."""

    def __init__(self, floor: Floor, store: PracticeStore, licensed: Callable[[], House]) -> None:
        self.floor, self._store, self._licensed = floor, store, licensed
        self._touched: dict[TableId, datetime] = {}
        """When each table was last asked about here."""

    # --- what is asked --------------------------------------------------------------------------------

    def touch(self, table: TableId) -> None:
        """Take note that somebody asks for something at a table."""
        self._touched[table] = self.floor.clock()

    def of(self, person: PersonId) -> list[TableId]:
        """Return the tables that a person has."""
        return sorted(name for name, taken in self.floor.house.taken.items() if taken.by.id == person)

    def take(self, game: str, person: Actor) -> TableId:
        """Return a practice table of a game for a person alone: theirs, or a free one, or a new one."""
        self.floor.refresh()
        rules = self._rules(game)
        table = self._own(rules, person) or self._free(rules, person)
        if table is None:
            table = self._made(game, rules, person)
        self.touch(table)
        return table

    def _rules(self, game: str) -> Fingerprint:
        """Return rules of a game that are in effect on the licensed floor, the latest."""
        house, now = self._licensed(), self.floor.clock()
        begun = {rules: at for rules, at in house.effective.items() if at <= now}
        named = [rules for rules in begun if house.filed[rules].submission.game == game]
        if not named:
            raise UnknownNameError("no rules of such a game are in effect", value=game)
        return max(named, key=lambda rules: (begun[rules], rules))

    def _with_rules(self, rules: Fingerprint) -> list[TableId]:
        """Return the tables that play by some rules, the one that was taken first first."""
        house = self.floor.house
        mine = [name for name in house.taken if house.tables[name].rules == rules]
        return sorted(mine, key=lambda name: house.taken[name].at)

    def _own(self, rules: Fingerprint, person: Actor) -> TableId | None:
        """Return the table that a person has already, unless it cannot be opened."""
        own = set(self.of(person.id)).intersection(self._with_rules(rules))
        return next((name for name in sorted(own) if self._opened(name) is not None), None)

    def _free(self, rules: Fingerprint, person: Actor) -> TableId | None:
        """Return a table that nobody uses any more, and that is the person's from now on."""
        looks = 0
        for name in self._with_rules(rules):
            taken = self.floor.house.taken.get(name)
            if taken is None:
                continue  # another process has forgotten it meanwhile
            idle = self._idle(name)
            if idle < (SETTLING_IN if self.floor.is_open(name) else UNTOUCHED):
                continue
            looks += idle >= UNTOUCHED
            if looks > LOOKS:
                break
            if self._may_be_handed_on(name) and self._taken_over(name, taken.at, person):
                return name
        return None

    def _may_be_handed_on(self, table: TableId) -> bool:
        """Whether nobody uses a table; what lay idle and is of no use to anybody else is forgotten."""
        running = self._opened(table)
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

    def _taken_over(self, table: TableId, since: datetime, person: Actor) -> bool:
        """Let a person have a table, unless another process has given it to somebody meanwhile."""

        def taken(house: House, now: datetime) -> Iterator[SetupEvent]:
            if table in house.taken and house.taken[table].at == since:
                yield take_table(house, table, person, now)

        self.floor.set_up(taken)
        now_taken = self.floor.house.taken.get(table)
        return now_taken is not None and now_taken.by.id == person.id

    # --- a new one ------------------------------------------------------------------------------------

    def _made(self, game: str, rules: Fingerprint, person: Actor) -> TableId:
        """Make a table that plays by rules of the licensed floor, which are filed here for it."""
        name = f"{PRACTICE}{game}-{self.floor.entropy.read(_NAME_BYTES).hex()}"

        def made(house: House, now: datetime) -> Iterator[SetupEvent]:
            if len(house.tables) >= MOST_TABLES:
                raise BusyError("so many practise that there is no table free: ask again", value=MOST_TABLES)
            for event in _copied(house, self._licensed(), rules, now):
                house = evolve_house(house, event)
                yield event
            for event in make_table(house, name, rules, PRACTICE_MAKER, now, chips=True, practice=True):
                house = evolve_house(house, event)
                yield event
            yield take_table(house, name, person, now)

        self._end_idle()
        self.floor.set_up(made)
        return name

    # --- the end of tables ----------------------------------------------------------------------------

    def _end_idle(self) -> None:
        """Forget tables that nobody has touched for a day, or for an hour if there is no room for more."""
        longest = UNTOUCHED if len(self.floor.house.tables) >= MOST_TABLES else ENDED
        idle = [name for name in self.floor.house.taken if self._idle(name) >= longest]
        for name in idle[:LOOKS]:
            running = self._opened(name)
            if running is not None and self._idle(name, running) >= longest:
                self.forget(name)

    def forget(self, table: TableId) -> None:
        """Let a table be no more: it is put on record first, so that no other process goes on with it."""

        def forgotten(house: House, now: datetime) -> Iterator[SetupEvent]:
            if table in house.tables:
                yield forget_table(house, table, PRACTICE_MAKER, now)

        self.floor.set_up(forgotten)
        self._store.forget([table_stream(table), meter_stream(table)])
        self._touched.pop(table, None)

    def _opened(self, table: TableId) -> RunningTable | None:
        """Return a table as it stands for all servers; one that cannot be opened any more is forgotten."""
        try:
            self.floor.catch_up([table])
            return self.floor.table(table)
        except StoreError:
            raise
        except FOLDING_ERRORS:
            self.forget(table)
            return None

    def _idle(self, table: TableId, running: RunningTable | None = None) -> timedelta:
        """Return how long nobody has touched a table, as far as is known here, or as its stream tells."""
        taken = self.floor.house.taken[table].at
        last = max(taken, self._touched.get(table, taken))
        if running is not None:
            last = self._touched[table] = max(last, self._last_done(running) or last)
        return self.floor.clock() - last

    def _last_done(self, running: RunningTable) -> datetime | None:
        """Return when a person, of whatever server, last did something at a table."""
        begin = max(0, running.head.version - LOOKED_BACK)
        plan = practice_plan(company(running.table.id))
        machines = set(AUTOMATED.values())
        bodies = [read_body(entry) for entry in self.floor.store.tails({running.stream: begin})]
        done = [
            body.at
            for body in bodies
            if (by := _done_by(body)) and by.id not in machines and not plan.is_house(by.id)
        ]
        return max(done, default=None)


def _done_by(body: Body) -> Actor | None:
    """Return who did what an entry of a table tells."""
    if isinstance(body, Turn):
        return body.command.by
    return body.by if isinstance(body, ChipTurn | Undone) else None


def people_at(running: RunningTable) -> set[PersonId]:
    """Return who sits at a practice table, house players aside."""
    plan = practice_plan(company(running.table.id))
    return {seat.person for seat in running.table.seats.values() if not plan.is_house(seat.person)}


def _copied(house: House, licensed: House, rules: Fingerprint, now: datetime) -> Iterator[SetupEvent]:
    """Yield what puts rules of the licensed floor in effect on a practice floor that lacks them."""
    by = PRACTICE_MAKER
    if house.program != this_program():
        yield ProgramApproved(program=this_program(), second=by, by=by, at=now)
    if rules not in house.filed:
        yield licensed.filed[rules]
    if rules not in house.effective:
        yield SubmissionApproved(submission=rules, effective=licensed.effective[rules], by=by, at=now)
