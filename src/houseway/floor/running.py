"""A table that runs: its rules, its state, its chips, its sealed decks, and where its stream ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from houseway.chips import NO_CHIPS, ChipTurn, Tray, after_round, evolve_chips, moved_by
from houseway.errors import IllegalError, UnknownNameError
from houseway.floor.bodies import read_body
from houseway.floor.house import House
from houseway.floor.streams import (
    Branched,
    TableEntry,
    TableId,
    TableMade,
    TableSnapshot,
    table_stream,
)
from houseway.games import Rules, rules_for
from houseway.rng import SealedDeck
from houseway.rounds.codec import decode, encode
from houseway.rounds.deciding import evolve_all
from houseway.rounds.live import METER, new_table
from houseway.rounds.replay import rules_after
from houseway.rounds.state import Table, changed
from houseway.store.entries import EMPTY, Entry, Head, check_chain
from houseway.store.protocol import Snapshot, Store
from houseway.store.sealing import DeckSafe


@dataclass(frozen=True)
class RunningTable:
    """A table as its stream leaves it."""

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

    def after(self, turn: TableEntry, head: Head) -> RunningTable:
        """Return the table after a turn of play or with its chips, its stream ending so."""
        if isinstance(turn, Branched):
            return replace(self, head=head)
        if isinstance(turn, ChipTurn):
            return replace(self, tray=evolve_chips(self.tray, turn), head=head)
        events, tray = tuple(turn.events), self.tray
        if self.chips:
            tray = after_round(tray, [moved for event in events for moved in moved_by(event)])
        rules, table = rules_after(self.rules, events), evolve_all(self.table, events)
        return replace(self, rules=rules, table=table, tray=tray, head=head)

    def caught_up(self, entries: Iterable[Entry]) -> RunningTable:
        """Return the table after what was added to its stream meanwhile."""
        running = self
        for entry in entries:
            check_chain([entry], {running.stream: running.head})
            turn = read_body(entry)
            assert isinstance(turn, TableEntry)
            running = running.after(turn, entry.head)
        return running

    def snapshot(self) -> Snapshot:
        """Return the table written down, so that it opens soon."""
        body = encode(TableSnapshot(submission=self.rules.submission, table=self.table, tray=self.tray))
        return Snapshot(stream=self.stream, version=self.head.version, hash=self.head.hash, body=body)


def made(event: TableMade) -> RunningTable:
    """Return a table that was made and never commanded."""
    rules = rules_for(event.submission)
    if event.rules and event.rules != rules.fingerprint:
        said = "the configuration is not the one that was approved"
        raise IllegalError(said, value=rules.submission.reference, where=f"table {event.table}")
    meter = event.meter or METER
    table = new_table(rules, event.origin, name=event.table, meter=meter, automated=event.automated)
    return RunningTable(rules, table, chips=event.chips)


def begun(store: Store, house: House, table: TableId) -> RunningTable:
    """Return a table as its stream begins: just made, or where its branch leaves another."""
    if table not in house.tables:
        raise UnknownNameError("no such table", value=table)
    branch = house.branches.get(table)
    if branch is None:
        return made(house.tables[table])
    return branched(at_version(store, house, branch.of, branch.version), table)


def branched(running: RunningTable, table: TableId) -> RunningTable:
    """Return a table as a branch of it begins."""
    return replace(running, table=changed(running.table, id=table), head=EMPTY)


def opened(store: Store, house: House, table: TableId) -> RunningTable:
    """Open a table from its last snapshot and what came after it."""
    return at_version(store, house, table)


def at_version(store: Store, house: House, table: TableId, version: int | None = None) -> RunningTable:
    """Return a table after some version of its stream, or as it stands."""
    if table not in house.tables:
        raise UnknownNameError("no such table", value=table)
    running = made(house.tables[table])
    kept = store.snapshots([running.stream]).get(running.stream)
    if kept is not None and (version is None or kept.version <= version):
        found = decode(TableSnapshot, kept.body)
        rules, head = rules_for(found.submission), Head(kept.version, kept.hash)
        running = replace(running, rules=rules, table=found.table, tray=found.tray, head=head)
    elif table in house.branches:
        running = begun(store, house, table)
    tail = store.tails({running.stream: running.head.version})
    return running.caught_up(one for one in tail if version is None or one.version <= version)


def committed_decks(table: Table) -> set[str]:
    """Return what a table has committed to and not opened yet: these decks must be locked away."""
    decks = {deck.commitment for deck in table.decks.values() if deck.commitment}
    return decks | ({table.round.commitment} if table.round.commitment else set())


def decks_of(store: Store, safe: DeckSafe, running: RunningTable) -> dict[str, SealedDeck]:
    """Return the sealed decks of a table, opened with the floor's key."""
    return {
        commitment: safe.unlock(running.stream, commitment, locked)
        for commitment, locked in store.sealed(running.stream).items()
    }
