"""A table that runs: its rules, its state, its chips, its sealed decks, and where its stream ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from houseway.chips import NO_CHIPS, ChipTurn, Tray, apply_movements, evolve_chips, movements_of
from houseway.errors import IllegalError, UnknownNameError
from houseway.floor.bodies import is_of, read_body
from houseway.floor.house import House
from houseway.floor.setup_events import TableMade
from houseway.floor.streams import TableId, is_practice, table_stream
from houseway.floor.table_events import Branched, TableEntry, TableSnapshot, Undone
from houseway.games import Rules
from houseway.rng import SealedDeck
from houseway.rounds.codec import decode, encode
from houseway.rounds.deciding import evolve_all
from houseway.rounds.live import METER, new_table
from houseway.rounds.replay import rules_after
from houseway.rounds.state import Table, changed
from houseway.store.entries import EMPTY, Entry, Head, StreamId, check_chain
from houseway.store.protocol import Snapshot, Store, Streams
from houseway.store.safe import Believes, DeckSafe, believe_none


@dataclass(frozen=True)
class RunningTable:
    """A table as folded from its stream."""

    rules: Rules
    table: Table
    head: Head = EMPTY
    tray: Tray = NO_CHIPS
    chips: bool = False
    """Whether its chips are followed; the tray is empty if they are not."""

    @property
    def stream(self) -> str:
        """The stream of the table."""
        return table_stream(self.table.id)

    def after(self, turn: TableEntry, head: Head, folded: Table | None = None) -> RunningTable:
        """Return the table after a turn of play or with its chips, its stream ending at ``head``.

        ``folded`` is the state after the turn where it is known, because the turn was decided just now.
        """
        if isinstance(turn, Branched):
            return replace(self, head=head)
        if isinstance(turn, Undone):
            if not is_practice(self.table.id):
                raise IllegalError("nothing is undone at a licensed table", value=self.table.id)
            return self.with_state(turn.state, head)
        if isinstance(turn, ChipTurn):
            return replace(self, tray=evolve_chips(self.tray, turn), head=head)
        events, tray = tuple(turn.events), self.tray
        if self.chips:
            tray = apply_movements(tray, [moved for event in events for moved in movements_of(event)])
        rules, table = rules_after(self.rules, events), folded or evolve_all(self.table, events)
        return replace(self, rules=rules, table=table, tray=tray, head=head)

    def with_state(self, state: TableSnapshot, head: Head) -> RunningTable:
        """Return the table in a stored state, its stream ending at ``head``."""
        rules = Rules.of(state.submission)
        return replace(self, rules=rules, table=state.table, tray=state.tray, head=head)

    def state(self) -> TableSnapshot:
        """Return the state of the table, as it is stored."""
        return TableSnapshot(submission=self.rules.submission, table=self.table, tray=self.tray)

    def after_entries(self, entries: Iterable[Entry]) -> RunningTable:
        """Return the table after more entries of its stream."""
        running = self
        for entry in entries:
            check_chain([entry], {running.stream: running.head})
            turn = read_body(entry)
            assert isinstance(turn, TableEntry)
            running = running.after(turn, entry.head)
        return running

    def at_snapshot(self, snapshot: Snapshot) -> RunningTable:
        """Return the table as a snapshot has it."""
        saved, head = decode(TableSnapshot, snapshot.body), Head(snapshot.version, snapshot.hash)
        return replace(self, rules=Rules.of(saved.submission), table=saved.table, head=head, tray=saved.tray)

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the table, so that it loads fast."""
        body = encode(self.state())
        return Snapshot(stream=self.stream, version=self.head.version, hash=self.head.hash, body=body)


def new_running_table(event: TableMade) -> RunningTable:
    """Return a table as it was made, before any command."""
    rules = Rules.of(event.submission)
    if event.rules and event.rules != rules.fingerprint:
        cause = "the configuration is not the one that was approved"
        raise IllegalError(cause, value=rules.submission.reference, where=f"table {event.table}")
    meter = event.meter or METER
    table = new_table(rules, event.origin, name=event.table, meter=meter, automated=event.automated)
    return RunningTable(rules, table, chips=event.chips)


def table_at_start(
    streams: Streams, house: House, table: TableId, believes: Believes = believe_none
) -> RunningTable:
    """Return a table as its stream begins: just made, or where its branch begins."""
    if table not in house.tables:
        raise UnknownNameError("no such table", value=table)
    branch = house.branches.get(table)
    if branch is None:
        return new_running_table(house.tables[table])
    return branch_table(table_at_version(streams, house, branch.of, believes, branch.version), table)


def branch_table(running: RunningTable, table: TableId) -> RunningTable:
    """Return a table as a branch of it begins."""
    return replace(running, table=changed(running.table, id=table), head=EMPTY)


def load_table(streams: Streams, house: House, table: TableId, believes: Believes) -> RunningTable:
    """Load a table from its last trusted snapshot and the entries after it."""
    return table_at_version(streams, house, table, believes)


def table_at_version(
    streams: Streams, house: House, table: TableId, believes: Believes, version: int | None = None
) -> RunningTable:
    """Return a table after some version of its stream, or as it stands."""
    if table not in house.tables:
        raise UnknownNameError("no such table", value=table)
    running = new_running_table(house.tables[table])
    until = streams.head(running.stream).version if version is None else version
    snapshot = trusted_snapshot(streams, running.stream, until, believes)
    if snapshot is not None:
        running = running.at_snapshot(snapshot)
    elif table in house.branches:
        running = table_at_start(streams, house, table, believes)
    entries: Iterable[Entry] = streams.part(running.stream, running.head.version, until)
    if is_practice(table):
        running, entries = _since_undone(running, [*entries])
    return running.after_entries(entries)


def trusted_snapshot(streams: Streams, stream: StreamId, version: int, believes: Believes) -> Snapshot | None:
    """Return the last snapshot of a stream at or before a version that ``believes`` accepts, if any."""
    snapshot = streams.snapshot_at(stream, version)
    while snapshot is not None and not believes(snapshot):
        snapshot = streams.snapshot_at(stream, snapshot.version - 1)
    return snapshot


def _since_undone(running: RunningTable, entries: list[Entry]) -> tuple[RunningTable, list[Entry]]:
    """Return a practice table as it stood when something was last undone, and what came since."""
    for at in range(len(entries) - 1, -1, -1):
        if is_of(entries[at], Undone):
            body = read_body(entries[at])
            assert isinstance(body, Undone)
            return running.after(body, entries[at].head), entries[at + 1 :]
    return running, entries


def open_commitments(table: Table) -> set[str]:
    """Return the commitments of a table that are not opened yet: these decks must be in the store."""
    decks = {deck.commitment for deck in table.decks.values() if deck.commitment}
    return decks | ({table.round.commitment} if table.round.commitment else set())


def decks_of(store: Store, safe: DeckSafe, running: RunningTable) -> dict[str, SealedDeck]:
    """Return the sealed decks of a table, opened with the floor's key."""
    return {
        commitment: safe.unlock(running.stream, commitment, locked)
        for commitment, locked in store.sealed_decks(running.stream).items()
    }
