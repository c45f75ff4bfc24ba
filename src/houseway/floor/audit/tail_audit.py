"""What came after a checkpoint decided again before a start: the same walk, begun in the middle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from heapq import merge
from typing import Final

from houseway.build import this_build
from houseway.chips import ChipConfig
from houseway.floor.audit.persons import Persons
from houseway.floor.audit.table_judge import Decks
from houseway.floor.audit.walk import Audit
from houseway.floor.bodies import build_of, read_body
from houseway.floor.floor_books import MeterMoveChecks
from houseway.floor.house import House, evolve_house
from houseway.floor.meter_events import MeterEntry
from houseway.floor.people_events import BookmarkEvent, PeopleEvent
from houseway.floor.running_table import RunningTable, table_at_version, trusted_snapshot
from houseway.floor.setup_events import MeterOpened, SetupEvent, TableBranched
from houseway.floor.shared_meters import SharedMeter, evolve_meter, load_meter, open_meter
from houseway.floor.streams import (
    BOOKMARKS,
    METERS,
    PEOPLE,
    SETUP,
    TABLES,
    is_practice,
    meter_stream,
    table_stream,
)
from houseway.store.entries import EMPTY, Entry, Head, StreamId, covers_answer
from houseway.store.protocol import Streams
from houseway.store.safe import Believes

_ORDER: Final = (PEOPLE, SETUP, TABLES, METERS)
"""Of what is of one moment, this comes first: what is opened is opened before it moves."""


class TailAudit:
    """Decides again what streams have got since a checkpoint, without what came before."""

    def __init__(
        self,
        streams: Streams,
        seen: Mapping[StreamId, Head],
        persons: Persons,
        believes: Believes,
        chips: ChipConfig,
    ) -> None:
        """Begin where streams ended when a checkpoint saw them."""
        self._streams, self._seen, self._believes = streams, seen, believes
        self._audit = Audit(None, persons, chips=chips, books=MeterMoveChecks())

    def run(self, decks: Callable[[RunningTable], Decks]) -> int:
        """Decide everything again, or name the first lie; return how much was decided."""
        audit = self._audit
        self._begin()
        tails = [self._tail(stream) for stream in sorted(self._streams.heads()) if not _practises(stream)]
        for _, _, _, entry, covered in merge(*tails):
            event = read_body(entry)
            if isinstance(event, TableBranched) and build_of(entry) != this_build():
                # how undoing was written once: where the branch begins was not read
                audit.begin(evolve_house(audit.house, event), event.at)
                continue
            audit.see(entry, covers_answer=covered)
        return audit.finish_tail(lambda stream: decks(audit.tables[stream]) if stream in audit.tables else {})

    def _tail(self, stream: StreamId) -> Iterator[tuple[datetime, int, StreamId, Entry, bool]]:
        """Yield what a stream has got, each by what it comes after in other streams."""
        before, last = self._seen.get(stream, EMPTY), datetime.min
        rank = next((rank for rank, name in enumerate(_ORDER) if stream.startswith(name)), len(_ORDER))
        for entry in self._streams.tails({stream: before.version}):
            at = read_body(entry).at.replace(tzinfo=None)
            last = max(last, at)
            yield last, rank, f"{stream} {entry.version:09d}", entry, covers_answer(entry, before)
            before = entry.head

    # --- how the floor was ----------------------------------------------------------------------------

    def _begin(self) -> None:
        """Fold what was set up, and people; open tables and meters as they were."""
        audit = self._audit
        for entry in merge(self._before(SETUP), self._before(PEOPLE), key=lambda entry: read_body(entry).at):
            event = read_body(entry)
            if isinstance(event, SetupEvent):
                audit.begin(evolve_house(audit.house, event), event.at)
            else:
                assert isinstance(event, PeopleEvent)
                audit.begin_persons(audit.persons.after(event), event.at)
        for table in audit.house.licensed_tables:
            audit.tables[table_stream(table)] = self._table(audit.house, table)
        for meter, opened in audit.house.meters.items():
            if not is_practice(meter):
                audit.meters[meter_stream(meter)] = self._meter(opened)
        for stream in self._seen:
            if stream.startswith(BOOKMARKS):
                for entry in self._before(stream):
                    event = read_body(entry)
                    assert isinstance(event, BookmarkEvent)
                    audit.mark(event)

    def _before(self, stream: StreamId) -> Iterable[Entry]:
        """Return what a stream had when the checkpoint saw it."""
        return self._streams.part(stream, 0, self._seen.get(stream, EMPTY).version)

    def _table(self, house: House, table: str) -> RunningTable:
        version = self._seen.get(table_stream(table), EMPTY).version
        return table_at_version(self._streams, house, table, self._believes, version)

    def _meter(self, opened: MeterOpened) -> SharedMeter:
        stream = meter_stream(opened.meter)
        version = self._seen.get(stream, EMPTY).version
        snapshot = trusted_snapshot(self._streams, stream, version, self._believes)
        now = load_meter(snapshot) if snapshot else open_meter(opened)
        for entry in self._streams.part(stream, now.head.version, version):
            event = read_body(entry)
            assert isinstance(event, MeterEntry)
            now = evolve_meter(now, event, entry.head)
        return now


def _practises(stream: StreamId) -> bool:
    return any(
        stream.startswith(kind) and is_practice(stream.removeprefix(kind)) for kind in (TABLES, METERS)
    )
