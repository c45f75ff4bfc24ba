"""The log of a floor read from its beginning: chains, checkpoints, and all that its entries come to.

Every table is folded, every meter, and the books of all of them; whatever does not fit is named by stream
and version. A start looks only at what came after the last checkpoint.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from msgspec import Struct

from houseway.chips import ChipTurn
from houseway.errors import IllegalError
from houseway.floor.bodies import FOLDING_ERRORS, read_body
from houseway.floor.books import Books, BooksError, place
from houseway.floor.core import Floor
from houseway.floor.house import House, evolve_house
from houseway.floor.meters import MeterNow, check_meter, evolve_meter, meter_from, meter_opened
from houseway.floor.running import RunningTable, branched, committed_decks, made
from houseway.floor.streams import (
    ACCESS,
    BOOKMARKS,
    METERS,
    PEOPLE,
    SETUP,
    TABLES,
    AccessEvent,
    Body,
    BookmarkEvent,
    Branched,
    MeterAdjusted,
    MeterEntry,
    MeterOpened,
    MeterTurn,
    PeopleEvent,
    SetUp,
    TableBranched,
    TableEntry,
    TableForgotten,
    TableId,
    TableMade,
    TableSnapshot,
    Undone,
    is_practice,
    meter_stream,
    table_stream,
)
from houseway.floor.undoing import UNDO_WITHIN
from houseway.ledger import Units
from houseway.rounds.codec import decode
from houseway.rounds.state import changed
from houseway.store.checkpoints import check_checkpoints, read_checkpoint
from houseway.store.entries import EMPTY, BrokenChainError, Entry, Head, StreamId, check_next
from houseway.store.protocol import Checkpoint, Picture, Snapshot, Streams
from houseway.store.verifying import Verified, verify_log


class RefoldError(BooksError):
    """An entry that does not follow from those before it; ``where`` is its stream and version."""


class MissingDeckError(IllegalError):
    """A deck that a table committed to is in the database no more: its round cannot go on."""


class FloorVerified(Struct, frozen=True):
    """What was checked of a floor and found whole, and what it comes to."""

    log: Verified
    rounds: int
    tables: int
    meters: int
    total: Units
    """The total of the books: nothing, always."""


def verify_floor(
    picture: Picture, exported: Iterable[bytes] = (), seen: Callable[[], object] = lambda: None
) -> FloorVerified:
    """Check a whole log, and refold everything that it tells; ``seen`` is called for every entry.

    One pass over the log; what is remembered is what tables and meters are, not what was done.
    """
    refold = Refold(picture)

    def look(entry: Entry) -> None:
        refold.see(entry)
        seen()

    return refold.finish(verify_log(picture, exported, look))


class Refold:
    """Tables, meters and books folded entry by entry, in order."""

    def __init__(self, picture: Picture | None = None) -> None:
        """Begin with nothing; the snapshots of a picture are compared with what its entries come to."""
        self._picture = picture
        self.house = House()
        self.tables: dict[StreamId, RunningTable] = {}
        self.meters: dict[StreamId, MeterNow] = {}
        self.books = Books()
        kept = picture.every_snapshot() if picture is not None else ()
        self._snapshots = {(one.stream, one.version) for one in kept}
        """Where the snapshots are that were not compared yet; what they say is read when it is needed."""
        self._past: dict[StreamId, deque[RunningTable]] = {}
        """How practice tables stood lately, for those who go on from there."""

    def see(self, entry: Entry) -> None:
        """Fold the next entry, or say that it does not follow."""
        try:
            self._fold(entry, read_body(entry))
        except BooksError:
            raise
        except FOLDING_ERRORS as error:
            said = str(error) or type(error).__name__
            raise RefoldError(said, where=place(entry.stream, entry.version)) from None

    def _fold(self, entry: Entry, body: Body) -> None:
        if entry.stream == SETUP:
            self._set_up(body)
        elif entry.stream.startswith(TABLES):
            self._turn(entry, body)
        elif entry.stream.startswith(METERS):
            self._move(entry, body)
        elif entry.stream == PEOPLE:
            assert isinstance(body, PeopleEvent), "the stream of people holds what became of them"
        elif entry.stream.startswith(BOOKMARKS):
            assert isinstance(body, BookmarkEvent), "a stream of bookmarks holds what somebody marked"
        elif entry.stream == ACCESS:
            assert isinstance(body, AccessEvent), "the stream of access holds who came and went"

    def _set_up(self, body: Body) -> None:
        assert isinstance(body, SetUp), "something else is set up here"
        self.house = evolve_house(self.house, body)
        if isinstance(body, TableMade):
            self.tables[table_stream(body.table)] = made(body)
        elif isinstance(body, TableForgotten):
            for streams in (self.tables, self._past):
                streams.pop(table_stream(body.table), None)
            self.meters.pop(meter_stream(body.table), None)
        elif isinstance(body, TableBranched):
            self.tables[table_stream(body.table)] = self._branch(body)
        elif isinstance(body, MeterOpened):
            self.meters[meter_stream(body.meter)] = meter_opened(body)
            if not is_practice(body.meter):
                self.books.open_meter(body)

    def _branch(self, event: TableBranched) -> RunningTable:
        """Return a table as a branch of it begins, or say that it never stood so."""
        past = self._stood(table_stream(event.of), event.version, event.hash)
        if past is None:
            raise RefoldError(
                "a branch begins where its table never was", where=place(event.of, event.version)
            )
        return branched(past, event.table)

    def _stood(self, stream: StreamId, version: int, found: str) -> RunningTable | None:
        """Return a practice table as it lately stood after a version with this hash, if it did."""
        head = Head(version, bytes.fromhex(found))
        return next((running for running in self._past.get(stream, ()) if running.head == head), None)

    def _turn(self, entry: Entry, body: Body) -> None:
        assert isinstance(body, TableEntry), "the stream of a table holds its turns"
        if entry.stream not in self.tables:
            raise RefoldError("no such table was made", where=place(entry.stream, entry.version))
        if isinstance(body, Undone):
            past = self._stood(entry.stream, body.version, body.hash)
            if past is None or past.state() != body.state:
                raise RefoldError(
                    "it is undone to where the table never was", where=place(entry.stream, entry.version)
                )
        running = self.tables[entry.stream].after(body, entry.head)
        self.tables[entry.stream] = running
        kept = self._snapshot_of(entry)
        if kept is not None:
            _check_snapshot(running, kept)
        if is_practice(running.table.id):
            self._past.setdefault(entry.stream, deque(maxlen=UNDO_WITHIN + 1)).append(running)
            return  # play money is in no books
        assert not isinstance(body, Branched | Undone), "only at practice tables anything is undone"
        if isinstance(body, ChipTurn):
            self.books.move_chips(running.table.id, entry.version, body)
        else:
            self.books.take(running.table.id, entry.version, tuple(body.events))

    def _move(self, entry: Entry, body: Body) -> None:
        assert isinstance(body, MeterEntry), "the stream of a meter holds its moves"
        if entry.stream not in self.meters:
            raise RefoldError("no such meter was opened", where=place(entry.stream, entry.version))
        now = evolve_meter(self.meters[entry.stream], body, entry.head)
        check_meter(now)
        self.meters[entry.stream] = now
        kept = self._snapshot_of(entry)
        if kept is not None and meter_from(kept) != now:
            raise RefoldError("a snapshot is not the meter", where=place(kept.stream, kept.version))
        if isinstance(body, MeterTurn | MeterAdjusted) and not is_practice(body.meter):
            self.books.move_meter(entry.version, body)

    def _snapshot_of(self, entry: Entry) -> Snapshot | None:
        """Return the snapshot that was written down at an entry, if there is one."""
        key = entry.stream, entry.version
        if self._picture is None or key not in self._snapshots:
            return None
        self._snapshots.remove(key)
        return self._picture.snapshot_at(*key)

    def finish(self, log: Verified) -> FloorVerified:
        """Say what all of it comes to, or what does not fit."""
        for stream, version in sorted(self._snapshots):
            raise RefoldError("a snapshot is of no entry", where=place(stream, version))
        tables = [one for one in self.tables.values() if not is_practice(one.table.id)]
        meters = [one for name, one in self.meters.items() if not is_practice(name.removeprefix(METERS))]
        total = self.books.close(tables, meters)
        return FloorVerified(log, self.books.rounds, len(self.tables), len(self.meters), total)


def _check_snapshot(running: RunningTable, kept: Snapshot) -> None:
    """Refuse a snapshot that is not the table as its stream leaves it.

    What the law's fingerprint was is not compared: a table made under an earlier program has its own.
    """
    found = decode(TableSnapshot, kept.body)
    same = changed(found.table, law=running.table.law) == running.table and found.tray == running.tray
    if kept.hash != running.head.hash or found.submission != running.rules.submission or not same:
        raise RefoldError("a snapshot is not the table", where=place(kept.stream, kept.version))


# --- at a start ---------------------------------------------------------------------------------------


def verify_start(floor: Floor) -> Verified:
    """Check what came after the last checkpoint, and what every meter holds, before a floor is served."""
    found = verify_since_checkpoint(floor.store)
    for meter in floor.meters():
        check_meter(floor.meter(meter))
    for table in floor.tables:
        if not is_practice(table):
            _check_decks(floor, table)
    return found


def _check_decks(floor: Floor, table: TableId) -> None:
    """Refuse a table that has committed to a deck which is not locked away, or not with this floor's key."""
    running = floor.table(table)
    missing = committed_decks(running.table) - floor.store.sealed(running.stream).keys()
    for commitment in sorted(missing):
        said = "a sealed deck is missing that the table has committed to"
        raise MissingDeckError(said, value=commitment, where=f"table {table}")


def verify_since_checkpoint(streams: Streams) -> Verified:
    """Check every chain from the last checkpoint on, and that its entries are there; all if there is none."""
    checkpoints = streams.checkpoints()
    last = check_checkpoints(checkpoints)
    seen = _heads_of(last)
    ends = streams.heads()
    for stream, (version, _) in sorted(seen.items()):
        if stream not in ends or ends[stream].version < version:
            where = f"{place(stream, version)}, checkpoint {last.number if last else 0}"
            raise BrokenChainError("entries are missing that a checkpoint saw", value=where)
    kept = streams.snapshots(list(ends))
    entries = sum(_verified_since(streams, stream, *seen.get(stream, (0, ""))) for stream in sorted(ends))
    for stream, snapshot in kept.items():
        _check_hash_at(streams, stream, snapshot)
    return Verified(len(ends), entries, len(checkpoints))


def _heads_of(checkpoint: Checkpoint | None) -> dict[StreamId, tuple[int, str]]:
    return read_checkpoint(checkpoint.body).heads if checkpoint else {}


def _verified_since(streams: Streams, stream: StreamId, version: int, seen: str) -> int:
    """Check a stream from the entry that a checkpoint saw; return how many entries were read."""
    tail = iter(streams.tails({stream: max(0, version - 2)}))
    head, count = EMPTY, 0
    if version > 1:
        head = next(tail).head  # what the entry of the checkpoint is chained to
    for entry in tail:
        head = check_next(entry, head)
        count += 1
        if entry.version == version and entry.hash.hex() != seen:
            raise BrokenChainError(
                "entries were written anew since a checkpoint", value=place(stream, version)
            )
    return count


def _check_hash_at(streams: Streams, stream: StreamId, snapshot: Snapshot) -> None:
    at = next(iter(streams.part(stream, snapshot.version - 1, snapshot.version)), None)
    if at is None or at.head != Head(snapshot.version, snapshot.hash):
        raise BrokenChainError("a snapshot is of no entry", value=place(stream, snapshot.version))
