"""One round of a table, found in its stream: the entries that make it, its record, and what covers it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import NamedTuple, ParamSpec

from msgspec.structs import replace

from houseway.errors import HousewayError, IllegalError, UnknownNameError
from houseway.floor.bodies import read_body
from houseway.floor.house import House, evolve_house
from houseway.floor.running import RunningTable, begun, opened
from houseway.floor.streams import (
    SETUP,
    Program,
    ProgramApproved,
    SetUp,
    TableEntry,
    TableId,
    TableSnapshot,
    is_practice,
)
from houseway.floor.undoing import standing
from houseway.games import rules_for
from houseway.rounds.codec import decode
from houseway.rounds.record import Record, Turn, ends_round, make_record
from houseway.store.checkpoints import Heads, check_against, check_checkpoints, noted, read_checkpoint, wanted
from houseway.store.entries import EMPTY, BrokenChainError, Entry, Head, StreamId, check_chain
from houseway.store.protocol import Checkpoint, Store

P = ParamSpec("P")


class Covering(NamedTuple):
    """A checkpoint, and where it saw a stream end."""

    checkpoint: Checkpoint
    head: Head


@dataclass(frozen=True, kw_only=True)
class RoundInLog:
    """A round as a table's stream has it, and how its stream was found."""

    number: int
    program: Program | None
    """The program that was approved when the round began."""
    before: RunningTable
    """The table where the round begins."""
    after: RunningTable
    """The table where the round ends, or as it stands now."""
    entries: tuple[Entry, ...]
    bodies: tuple[TableEntry, ...]
    """What each entry says: a turn of play, or one with the table's chips."""
    undone: frozenset[int] = frozenset()
    """The versions of those entries that do not stand: they were undone at a practice table, or undo them."""
    record: Record | None
    """Nothing as long as the round goes on."""
    head: Head
    """Where the stream ends."""
    cards_out: bool = False
    """Whether cards of a later round lie on the table where the stream ends: its hash would tell them."""
    folded_after: int = 0
    """The version of the snapshot that the fold began at; none if it began with the first entry."""
    covered: Covering | None = None
    """The first checkpoint that covers the whole round."""
    faults: tuple[str, ...] = ()
    """What is wrong with the chain of the stream, or against its checkpoints."""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of play that stand."""
        every = zip(self.entries, self.bodies, strict=True)
        return tuple(
            body for entry, body in every if isinstance(body, Turn) and entry.version not in self.undone
        )

    @property
    def stream(self) -> StreamId:
        """The stream of the table."""
        return self.before.stream


def round_of_table(
    store: Store,
    table: TableId,
    number: int,
    *,
    running: bool = False,
    first: int | None = None,
    last: int | None = None,
) -> RoundInLog:
    """Find one round of a table; the one in progress is refused unless ``running`` is asked for.

    ``first`` and ``last`` are the versions of its entries where somebody knows them: then the table is
    folded from a snapshot that lies before them, if there is one. The chain is checked all the same.
    """
    checkpoints = store.checkpoints()  # before the entries: what a checkpoint saw is in them, whoever adds
    floor = _Watching(SETUP, checkpoints)
    set_up = [_set_up(floor.entry(entry)) for entry in store.tails({SETUP: 0})]
    house = reduce(evolve_house, set_up, House())
    if table not in house.tables:
        raise UnknownNameError("no such table", value=table)
    begin = begun(store, house, table)
    kept = _snapshot_before(store, begin, first) or begin
    found, watch = _Finding(number, kept), _Watching(begin.stream, checkpoints, kept.head)
    entries: Iterable[Entry] = map(watch.entry, store.tails({begin.stream: 0}))
    if is_practice(table):
        every = list(entries)
        entries = [*standing(every)][::-1]
    for entry in entries:
        found.entry(entry)
    found.check(running=running)
    found.check_hints(first, last)
    if is_practice(table):
        found.fill_gaps(every)
    return RoundInLog(
        number=number,
        program=_program_at(set_up, found.turns[0].at),
        before=found.before,
        after=found.now,
        entries=tuple(found.entries),
        bodies=tuple(found.bodies),
        undone=frozenset(found.undone),
        record=found.record(),
        head=watch.head,
        cards_out=found.entries[-1].head != watch.head and _cards_out(store, house, table),
        folded_after=kept.head.version,
        covered=watch.covering(found.entries[-1].version) if found.over else None,
        faults=tuple(dict.fromkeys([*floor.ended(), *watch.ended()])),
    )


def _cards_out(store: Store, house: House, table: TableId) -> bool:
    """Whether cards are dealt at a table now, or nobody can tell."""
    try:
        return bool(opened(store, house, table).table.round.dealt)
    except HousewayError:
        return True


def _set_up(entry: Entry) -> SetUp:
    event = read_body(entry)
    if not isinstance(event, SetUp):
        raise BrokenChainError("nothing that is set up", value=f"{entry.stream} version {entry.version}")
    return event


def _program_at(set_up: Iterable[SetUp], moment: datetime) -> Program | None:
    """Return the program that was approved last before a moment."""
    approved = [e.program for e in set_up if isinstance(e, ProgramApproved) and e.at <= moment]
    return approved[-1] if approved else None


def _snapshot_before(store: Store, begin: RunningTable, first: int | None) -> RunningTable | None:
    """Return a table as it was written down before a version, if it was."""
    kept = store.snapshots([begin.stream]).get(begin.stream) if first is not None else None
    if kept is None or first is None or kept.version >= first:
        return None
    found = decode(TableSnapshot, kept.body)
    head = Head(kept.version, kept.hash)
    return RunningTable(rules_for(found.submission), found.table, head, found.tray, begin.chips)


class _Finding:
    """A round being looked for: the table folded so far, and the turns since the last round ended."""

    def __init__(self, number: int, begin: RunningTable) -> None:
        self.number = number
        self.before = self.now = begin
        self.entries: list[Entry] = []
        self.bodies: list[TableEntry] = []
        self.undone: set[int] = set()
        self.over = False

    @property
    def turns(self) -> list[Turn]:
        """The turns of play that stand."""
        every = zip(self.entries, self.bodies, strict=True)
        return [body for entry, body in every if isinstance(body, Turn) and entry.version not in self.undone]

    def entry(self, entry: Entry) -> None:
        """Go on by an entry, until the round is over."""
        if self.over or entry.version <= self.now.head.version:
            return
        turn = _body(entry)
        try:
            after = self.now.after(turn, entry.head)
        except (HousewayError, LookupError, ValueError, TypeError, AttributeError) as error:
            where = f"{entry.stream} version {entry.version}"
            raise BrokenChainError(
                "the entry does not follow from the ones before it", value=where
            ) from error
        self.entries.append(entry)
        self.bodies.append(turn)
        self.now = after
        if isinstance(turn, Turn) and any(map(ends_round, turn.events)):
            self._ended()

    def _ended(self) -> None:
        if self.before.table.round.number == self.number:
            self.over = True
        else:
            self.before, self.entries, self.bodies = self.now, [], []

    def check(self, *, running: bool) -> None:
        """Refuse a round that there is not, or not yet."""
        if self.over:
            return
        if self.before.table.round.number != self.number or not self.turns:
            raise UnknownNameError("no such round at this table", value=self.number)
        if not running:
            raise IllegalError("the round is not over yet", value=self.number)

    def check_hints(self, first: int | None, last: int | None) -> None:
        """Refuse a round that lies elsewhere than somebody thought."""
        ends = (self.entries[0].version, self.entries[-1].version)
        for hint, found in zip((first, last), ends, strict=True):
            if hint is not None and hint != found:
                raise IllegalError("the round lies elsewhere in its stream", value=f"version {hint}")

    def fill_gaps(self, every: Iterable[Entry]) -> None:
        """Put what was undone back between the entries that stand: only all of them are chained."""
        first, last = self.entries[0].version, self.entries[-1].version
        stand = {entry.version for entry in self.entries}
        self.entries = [entry for entry in every if first <= entry.version <= last]
        self.bodies = [_body(entry) for entry in self.entries]
        self.undone = {entry.version for entry in self.entries} - stand

    def record(self) -> Record | None:
        """Return the record of the round, if it is over."""
        if not self.over:
            return None
        return make_record(self.before.rules.submission, self.before.table, self.turns, self.now.table)


def _body(entry: Entry) -> TableEntry:
    found = read_body(entry)
    if not isinstance(found, TableEntry):
        raise BrokenChainError("not a turn of the table", value=f"{entry.stream} version {entry.version}")
    return found


class _Watching:
    """The chain of a stream, checked entry by entry; what is wrong is noted, and read on."""

    def __init__(self, stream: StreamId, checkpoints: Sequence[Checkpoint], kept: Head = EMPTY) -> None:
        self.stream, self.kept, self.head = stream, kept, EMPTY
        self.faults: list[str] = []
        self.covers: list[tuple[Checkpoint, Heads]] = []
        """The checkpoints that tell of the stream, each with what it says of it."""
        self._try(self._read, checkpoints)
        told = [said for _, said in self.covers]
        self._wanted = wanted(told) | {(stream, kept.version)}
        self._hashes: dict[tuple[StreamId, int], bytes] = {}

    def _read(self, checkpoints: Sequence[Checkpoint]) -> None:
        check_checkpoints(checkpoints)
        for one in checkpoints:
            said = read_checkpoint(one.body)
            if self.stream in said.heads:
                self.covers.append((one, replace(said, heads={self.stream: said.heads[self.stream]})))

    def entry(self, entry: Entry) -> Entry:
        """Check that an entry is chained to the one before it, and return it."""
        self._try(check_chain, [entry], {self.stream: self.head})
        self.head = entry.head
        return noted(entry, self._wanted, self._hashes)

    def ended(self) -> list[str]:
        """Check the stream against its checkpoints and the snapshot it was folded from; return all faults."""
        if self.kept.version and self._hashes.get((self.stream, self.kept.version)) != self.kept.hash:
            self.faults.append(f"the snapshot is not of this stream: version {self.kept.version}")
        for _, said in self.covers:
            self._try(check_against, said, self._hashes)
        return self.faults

    def covering(self, version: int) -> Covering | None:
        """Return the first checkpoint that saw the stream at a version or later."""
        for checkpoint, said in self.covers:
            ends, found = said.heads[self.stream]
            if ends >= version:
                return Covering(checkpoint, Head(ends, bytes.fromhex(found)))
        return None

    def _try(self, check: Callable[P, object], *args: P.args, **named: P.kwargs) -> None:
        try:
            check(*args, **named)
        except BrokenChainError as error:
            self.faults.append(str(error))
