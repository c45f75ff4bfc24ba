"""One round of a table, found in its stream: the entries that make it, its record, and what covers it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce

from houseway.errors import HousewayError, IllegalError, UnknownNameError
from houseway.floor.bodies import read_body
from houseway.floor.chain_watch import ChainWatch, CoveringCheckpoint
from houseway.floor.house import House, evolve_house
from houseway.floor.running_table import RunningTable, load_table, table_at_start, trusted_snapshot
from houseway.floor.setup_events import Program, ProgramApproved, SetupEvent
from houseway.floor.streams import SETUP, TableId, is_practice
from houseway.floor.table_events import TableEntry
from houseway.floor.undo import standing_entries
from houseway.games import rules_for
from houseway.rounds.record import Record, Turn, ends_round, make_record
from houseway.rounds.state import changed
from houseway.rounds.step import AnEvent
from houseway.rounds.steps.adoption import RulesAdopted
from houseway.store.entries import EMPTY, BrokenChainError, Entry, Head, StreamId
from houseway.store.protocol import Checkpoint, Streams
from houseway.store.safe import Believes, believe_none
from houseway.store.store_errors import StoreError


@dataclass(frozen=True, kw_only=True)
class LoggedRound:
    """A round as a table's stream has it, and what was found of its stream."""

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
    """Whether cards of a later round lie on the table where the stream ends: its hash would reveal them."""
    folded_after: int = 0
    """The version of the snapshot that the fold began at; none if it began with the first entry."""
    covered: CoveringCheckpoint | None = None
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


def find_round(
    streams: Streams,
    table: TableId,
    number: int,
    *,
    running: bool = False,
    versions: tuple[int, int] | None = None,
    believes: Believes = believe_none,
) -> LoggedRound:
    """Find one round of a table; the one in progress is refused unless ``running`` is asked for.

    ``versions`` are those of its first and its last entry, if the caller knows them: then the stream is read
    from the snapshot before them, if it ``believes`` that, to the first checkpoint after them. Where they are
    wrong or not given, the stream is read whole.
    """
    checkpoints = streams.checkpoints()  # before the entries: what a checkpoint saw is then in them
    floor = ChainWatch(SETUP, checkpoints)
    set_up = [_set_up(floor.entry(entry)) for entry in streams.tails({SETUP: 0})]
    house = reduce(evolve_house, set_up, House())
    if table not in house.tables:
        raise UnknownNameError("no such table", value=table)
    begin = table_at_start(streams, house, table, believes)
    search = (
        _in_part(streams, begin, checkpoints, number, versions, believes) if versions is not None else None
    )
    search = search or _in_whole(streams, begin, checkpoints, number)
    search.check(running=running)
    return LoggedRound(
        number=number,
        program=_program_at(set_up, search.turns[0].at),
        before=search.before,
        after=search.now,
        entries=tuple(search.entries),
        bodies=tuple(search.bodies),
        undone=frozenset(search.undone),
        record=search.record(),
        head=search.head,
        cards_out=search.entries[-1].head != search.head and _cards_out(streams, house, table, believes),
        folded_after=search.begin.head.version,
        covered=search.covered,
        faults=tuple(dict.fromkeys([*floor.check_whole(), *search.faults])),
    )


def _in_whole(
    streams: Streams, begin: RunningTable, checkpoints: Sequence[Checkpoint], number: int
) -> _Search:
    """Look for a round in the whole stream of its table, from the first entry to the last."""
    search, watch = _Search(number, begin), ChainWatch(begin.stream, checkpoints)
    every = [watch.entry(entry) for entry in streams.tails({begin.stream: 0})]
    undoes = is_practice(begin.table.id)
    for entry in reversed([*standing_entries(every)]) if undoes else every:
        search.entry(entry)
    if undoes and search.entries:
        search.fill_gaps(every)
    search.head, search.faults = watch.head, watch.check_whole()
    search.covered = watch.find_covering(search.now.head.version) if search.over else None
    return search


def _in_part(
    streams: Streams,
    begin: RunningTable,
    checkpoints: Sequence[Checkpoint],
    number: int,
    versions: tuple[int, int],
    believes: Believes,
) -> _Search | None:
    """Look for a round at the versions given; return None if it is not there, or that cannot be decided.

    Neither the versions nor the snapshot are trusted: the snapshot's entry is checked, with the one that it
    is chained to, and the round begins only where the one before it ends.
    """
    stream, (first, last) = begin.stream, versions
    try:
        snapshot = trusted_snapshot(streams, stream, first - 1, believes)
        start = begin.at_snapshot(snapshot) if snapshot is not None else begin
        after = max(0, start.head.version - 2)
        watch = ChainWatch(stream, checkpoints, after)
        earlier = [watch.entry(entry) for entry in streams.part(stream, after, start.head.version)]
        if watch.head != start.head:
            return None
        search = _Search(number, start, between_rounds=not earlier or _ends(_body(earlier[-1])))
        covered = watch.find_covering(last)
        until = covered.head.version if covered else last
        for entry in streams.part(stream, start.head.version, until):
            search.entry(watch.entry(entry))
    except StoreError:
        raise
    except HousewayError:  # a snapshot of another version, or one that is no table: the entries decide
        return None
    if not search.lies_in(versions):
        return None
    search.head, search.faults = streams.head(stream), watch.check_part(streams, until)
    search.covered = covered
    return search


def _cards_out(streams: Streams, house: House, table: TableId, believes: Believes) -> bool:
    """Whether cards are dealt at a table now, or the table cannot be read."""
    try:
        return bool(load_table(streams, house, table, believes).table.round.dealt)
    except StoreError:
        raise
    except HousewayError:
        return True


def _set_up(entry: Entry) -> SetupEvent:
    event = read_body(entry)
    if not isinstance(event, SetupEvent):
        raise BrokenChainError("nothing that is set up", value=f"{entry.stream} version {entry.version}")
    return event


def _program_at(set_up: Iterable[SetupEvent], moment: datetime) -> Program | None:
    """Return the program that was approved last before a moment."""
    approved = [e.program for e in set_up if isinstance(e, ProgramApproved) and e.at <= moment]
    return approved[-1] if approved else None


class _Search:
    """A round being looked for: the table folded so far, and the turns since the last round ended."""

    def __init__(self, number: int, begin: RunningTable, *, between_rounds: bool = True) -> None:
        self.number = number
        self.begin = self.before = self.now = begin
        self.entries: list[Entry] = []
        self.bodies: list[TableEntry] = []
        self.undone: set[int] = set()
        self.over = False
        self.head = EMPTY
        """Where the stream ends."""
        self.covered: CoveringCheckpoint | None = None
        self.faults: list[str] = []
        self._between_rounds = between_rounds
        """Whether a round is known to begin after the table that is ``before``."""

    @property
    def turns(self) -> list[Turn]:
        """The turns of play that stand."""
        every = zip(self.entries, self.bodies, strict=True)
        return [body for entry, body in every if isinstance(body, Turn) and entry.version not in self.undone]

    def entry(self, entry: Entry) -> None:
        """Go on by an entry, until the round is over."""
        if self.over:
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
        if _ends(turn):
            self._end_round()

    def _end_round(self) -> None:
        if self.before.table.round.number == self.number:
            self.over = True
        else:
            self.before, self.entries, self.bodies = self.now, [], []
            self._between_rounds = True

    def lies_in(self, versions: tuple[int, int]) -> bool:
        """Whether the round is found, and lies exactly there."""
        if not self.over or not self._between_rounds:
            return False
        return (self.entries[0].version, self.entries[-1].version) == versions

    def check(self, *, running: bool) -> None:
        """Refuse a round that there is not, or not yet."""
        if self.over:
            return
        if self.before.table.round.number != self.number or not self.turns:
            raise UnknownNameError("no such round at this table", value=self.number)
        if not running:
            raise IllegalError("the round is not over yet", value=self.number)

    def fill_gaps(self, every: Iterable[Entry]) -> None:
        """Put what was undone back between the entries that stand: only all of them are chained."""
        first, last = self.entries[0].version, self.entries[-1].version
        stand = {entry.version for entry in self.entries}
        self.entries = [entry for entry in every if first <= entry.version <= last]
        self.bodies = [_body(entry) for entry in self.entries]
        self.undone = {entry.version for entry in self.entries} - stand

    def record(self) -> Record | None:
        """Return the record of the round, if it is over, by the law as this program has it.

        What its fingerprint was under an earlier program is not compared.
        """
        if not self.over:
            return None
        before, after = (
            changed(side.table, law=side.rules.law_fingerprint) for side in (self.before, self.now)
        )
        return make_record(self.before.rules.submission, before, map(_by_this_law, self.turns), after)


def _by_this_law(turn: Turn) -> Turn:
    """Return a turn in which rules that were adopted have the law's fingerprint under this program."""
    if not any(isinstance(event.outcome, RulesAdopted) for event in turn.events):
        return turn
    return changed(turn, events=tuple(map(_adoption_by_this_law, turn.events)))


def _adoption_by_this_law(event: AnEvent) -> AnEvent:
    adopted = event.outcome
    if not isinstance(adopted, RulesAdopted):
        return event
    law = rules_for(adopted.submission).law_fingerprint
    return changed(event, outcome=changed(adopted, law=law))


def _body(entry: Entry) -> TableEntry:
    body = read_body(entry)
    if not isinstance(body, TableEntry):
        raise BrokenChainError("not a turn of the table", value=f"{entry.stream} version {entry.version}")
    return body


def _ends(body: TableEntry) -> bool:
    return isinstance(body, Turn) and any(map(ends_round, body.events))
