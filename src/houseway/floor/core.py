"""The floor's core: commands come in, batches go to the store, answers go out once they are durable.

``submit`` queues, ``prepare`` decides what is queued and returns a draft to store, ``settle`` takes the
result. Nothing here waits, starts a thread or looks at a clock that was not passed in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from houseway.chips import ChipCommand, ChipConfig, standard_config
from houseway.errors import HousewayError, UnknownNameError
from houseway.floor.batches import (
    BROKEN,
    LATE,
    UNKNOWN,
    Answer,
    BatchDraft,
    Fault,
    Reply,
    WaitingCommand,
    fault_reply,
)
from houseway.floor.bodies import entries_after, read_body
from houseway.floor.event_kinds import Body
from houseway.floor.exclusion_rule import BarCheck, bar_no_one
from houseway.floor.house import House, evolve_house
from houseway.floor.meter_events import MeterEntry
from houseway.floor.repeats import answer_again
from houseway.floor.running_table import (
    RunningTable,
    decks_of,
    load_table,
    table_at_version,
    trusted_snapshot,
)
from houseway.floor.setup_events import MeterOpened, SetupEvent, TableForgotten
from houseway.floor.shared_meters import SharedMeter, evolve_meter, load_meter, open_meter
from houseway.floor.streams import SETUP, TableId, meter_stream
from houseway.floor.undo import undo_batch
from houseway.meters import MeterState
from houseway.rng import Entropy
from houseway.rounds.chance import Moment, Vault, live
from houseway.rounds.state import MeterId
from houseway.rounds.step import Actor, Command
from houseway.store.entries import EMPTY, CommandId, Entry, Head, StreamId
from houseway.store.protocol import Batch, Store
from houseway.store.reliable_append import append_reliably
from houseway.store.safe import DeckSafe
from houseway.store.store_errors import (
    OutcomeUnknownError,
    StaleError,
    StoreError,
    StoreGoneError,
    UnstorableError,
)

Clock = Callable[[], datetime]
Part = tuple[StreamId, Head, Iterable[Body]]
"""A stream, where it ends, and the events to add to it."""
MOST: Final = 128
"""The maximum number of commands in one batch."""


class Floor:
    """Tables and meters on a store. The clock, chance and which chips there are are passed in."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        entropy: Entropy,
        safe: DeckSafe,
        chips: ChipConfig | None = None,
        barred: BarCheck = bar_no_one,
    ) -> None:
        self.store, self.clock, self.entropy, self.safe = store, clock, entropy, safe
        self.chips = chips or standard_config()
        self.barred = barred
        """Returns why a person is not to play now; passed in by the server, which knows the people."""
        self.follow: Callable[[datetime], object] = lambda _: None
        """Is called with the moments of other servers' events, so that the clock is not behind them."""
        self._queue: list[WaitingCommand] = []
        self._absent: set[CommandId] = set()
        """Waiting commands that are known not to be in the log."""
        self._most = MOST
        self._behind = False
        """Whether streams may have gone on without this process knowing: then it reads before it decides."""
        self._setup_head = EMPTY
        self.house = House()
        """What is set up, as far as this process has read it."""
        self._tables: dict[TableId, RunningTable] = {}
        self._vaults: dict[TableId, Vault] = {}
        self._meters: dict[MeterId, SharedMeter] = {}
        self.refresh()

    # --- what there is --------------------------------------------------------------------------------

    @property
    def tables(self) -> Sequence[TableId]:
        """The tables of the floor."""
        return sorted(self.house.tables)

    def table(self, table: TableId) -> RunningTable:
        """Return a table as it stands; it is opened if it was not."""
        if table not in self._tables:
            running = load_table(self.store, self.house, table, self.safe.snapshots.believes)
            self._vaults[table] = self._vault(running)
            self._tables[table] = running  # open only once its decks are read too
        return self._tables[table]

    def is_open(self, table: TableId) -> bool:
        """Whether a table was opened: then looking at it reads nothing from the store."""
        return table in self._tables

    def open_tables(self) -> Sequence[RunningTable]:
        """Return the tables that this process has opened, as it knows them."""
        return tuple(self._tables.values())

    def meter(self, meter: MeterId) -> SharedMeter:
        """Return a meter as it stands, with its history."""
        if meter not in self._meters:
            raise UnknownNameError("no such meter", value=meter)
        return self._meters[meter]

    def meters(self) -> Mapping[MeterId, MeterState]:
        """Return how the meters stand."""
        return {name: meter.state for name, meter in self._meters.items()}

    def moment(self, table: TableId) -> Moment:
        """Return the moment with which views and options of a table are computed now."""
        self.table(table)
        return live(self.clock(), self.entropy, self._vaults[table], self.meters())

    def _vault(self, running: RunningTable) -> Vault:
        return Vault(self.entropy, decks_of(self.store, self.safe, running))

    # --- what is done at no table ---------------------------------------------------------------------

    def set_up(
        self,
        decide: Callable[[House, datetime], Iterable[SetupEvent]],
        beside: Callable[[], Sequence[Part]] = lambda: (),
    ) -> None:
        """Set something up durably, decided from the floor as it stands now.

        ``beside`` says what other streams get with it: all of it is stored, or nothing.
        """
        self._add(lambda: [(SETUP, self._setup_head, decide(self.house, self.clock())), *beside()])

    def on_meter(
        self,
        meter: MeterId,
        decide: Callable[[SharedMeter, datetime], MeterEntry],
        also: Callable[[House, datetime], Iterable[SetupEvent]] = lambda *_: (),
    ) -> SharedMeter:
        """Do something to a meter durably, decided from the meter as it stands now.

        ``also`` says what is set up with it: both are stored, or neither.
        """
        stream = meter_stream(meter)
        self._add(
            lambda: [
                (stream, self.meter(meter).head, [decide(self.meter(meter), self.clock())]),
                (SETUP, self._setup_head, also(self.house, self.clock())),
            ]
        )
        return self.meter(meter)

    def _add(self, decide: Callable[[], Sequence[Part]]) -> None:
        """Add to streams what is decided; decide again whenever another process was first."""
        while True:
            self.refresh()
            entries = [entry for part in decide() for entry in entries_after(*part)]
            try:
                append_reliably(self.store, Batch(entries=entries))
            except StaleError:
                continue
            self.refresh()
            return

    def undo(self, table: TableId, version: int, by: Actor) -> RunningTable:
        """Restore a practice table to an earlier version; return it."""
        while True:
            self.catch_up([table])
            now = self.table(table)
            past = table_at_version(self.store, self.house, table, self.safe.snapshots.believes, version)
            decks = decks_of(self.store, self.safe, now)
            try:
                append_reliably(self.store, undo_batch(now, past, decks, by, self.clock()))
            except StaleError:
                continue
            self.catch_up([table])
            return self.table(table)

    def refresh(self) -> None:
        """Read what other processes have set up, and how the meters stand."""
        for entry in self.store.tails({SETUP: self._setup_head.version}):
            event = read_body(entry)
            assert isinstance(event, SetupEvent)
            self.house, self._setup_head = evolve_house(self.house, event), entry.head
            self.follow(event.at)
            if isinstance(event, MeterOpened):
                self._meters[event.meter] = self._load_meter(event)
            elif isinstance(event, TableForgotten):
                for known in (self._tables, self._vaults, self._meters):
                    known.pop(event.table, None)
        self._catch_up_meters()

    def _load_meter(self, event: MeterOpened) -> SharedMeter:
        """Return a meter from its last trusted snapshot, or as it was opened."""
        stream = meter_stream(event.meter)
        last = trusted_snapshot(
            self.store, stream, self.store.head(stream).version, self.safe.snapshots.believes
        )
        return load_meter(last) if last else open_meter(event)

    # --- commands -------------------------------------------------------------------------------------

    def submit(
        self, table: TableId, command: Command | ChipCommand, deadline: float = math.inf
    ) -> WaitingCommand:
        """Queue a command for a table, or for its chips; it waits until it is answered."""
        waiting = WaitingCommand(table, command, deadline)
        self._queue.append(waiting)
        return waiting

    @property
    def waiting(self) -> int:
        """How many commands are queued."""
        return len(self._queue)

    @property
    def next_deadline(self) -> float:
        """When the time of the next command that waits has passed."""
        return min((waiting.deadline for waiting in self._queue), default=math.inf)

    def expire(self, at: float) -> Sequence[Reply]:
        """Answer the commands whose time has passed; what was never stored is never carried out.

        Sent before under the same id, a command may be in the log: whether it is only the database can say.
        """
        replies = [
            fault_reply(waiting, Fault.LATE, LATE)
            if waiting.command.id in self._absent
            else fault_reply(waiting, Fault.UNKNOWN, UNKNOWN)
            for waiting in self._queue
            if waiting.deadline < at
        ]
        return self._dequeue(replies)

    def prepare(self, at: float = -math.inf) -> BatchDraft:
        """Decide what is queued, as far as one batch goes; nothing is changed until it is settled.

        Commands whose time has passed ``at`` this moment are not decided, but only looked up.
        """
        taken = self._queue[: self._most]
        if self._behind or not self.store.exclusive:
            self.catch_up(waiting.table for waiting in taken)
            self._behind = False
        draft = BatchDraft(
            self.clock(),
            self.entropy,
            self.safe,
            self.chips,
            self.house,
            self._setup_head,
            dict(self._meters),
            barred=self.barred,
        )
        ids = {waiting.command.id for waiting in taken}
        known: dict[CommandId, list[Entry]] = {}
        for entry in self.store.entries_of(sorted(ids)):
            known.setdefault(entry.command, []).append(entry)
        self._absent |= ids - known.keys()
        names = set[CommandId]()
        for waiting in taken:
            name = waiting.command.id
            if name in known:
                draft.replies.append(Reply(waiting, answer_again(waiting, known[name])))
            elif waiting.deadline < at:
                draft.replies.append(fault_reply(waiting, Fault.LATE, LATE))
            elif name not in names:  # sent twice at once: the second waits until the first is stored
                names.add(name)
                draft.waiting.append(waiting)
                self._decide(draft, waiting)
        return draft

    def _decide(self, draft: BatchDraft, waiting: WaitingCommand) -> None:
        try:
            running = self.table(waiting.table)
        except StoreError:
            raise
        except HousewayError as error:
            draft.replies.append(fault_reply(waiting, Fault.MEANINGLESS, str(error)))
        else:
            draft.answer(waiting, running, self._vaults[waiting.table])

    def settle(self, draft: BatchDraft, failed: Exception | None = None) -> Sequence[Reply]:
        """Return the replies to a batch if it is durable; else its commands wait on, in order.

        What was carried out before is answered either way. A command that fails all by itself, and not
        because the database is away or another process was first, is answered too: it would only fail again.
        """
        if failed is None:
            self._tables |= draft.tables
            self._vaults |= draft.vaults
            self._meters = draft.meters
            self.house, self._setup_head = draft.house, draft.setup_head
            self._most = MOST
            return self._dequeue(draft.replies)
        self._behind = True
        if isinstance(failed, OutcomeUnknownError):
            self._absent -= {waiting.command.id for waiting in draft.waiting}
        again = set(draft.waiting)
        replies = [reply for reply in draft.replies if reply.waiting not in again]
        return self._dequeue([*replies, *self._narrow(draft.waiting, failed)])

    def fail(self, failed: Exception) -> Sequence[Reply]:
        """Handle that no batch could be prepared: commands wait on, unless one fails all by itself."""
        self._behind = True
        return self._dequeue(self._narrow(self._queue[: self._most], failed))

    def _narrow(self, commands: Sequence[WaitingCommand], failed: Exception) -> Sequence[Reply]:
        """Halve the size of the next batch, until the command that fails is alone; then answer it."""
        if isinstance(failed, StoreGoneError | OutcomeUnknownError):
            return []
        self._most = max(1, len(commands) // 2)
        if len(commands) != 1 or isinstance(failed, StaleError):
            return []
        (alone,) = commands
        if isinstance(failed, UnstorableError) or alone.command.id in self._absent:
            return [fault_reply(alone, Fault.BROKEN, BROKEN)]
        return [fault_reply(alone, Fault.UNKNOWN, UNKNOWN)]

    def _dequeue(self, replies: Sequence[Reply]) -> Sequence[Reply]:
        """Remove answered commands from the queue; return the replies."""
        if replies:
            done = {reply.waiting for reply in replies}
            self._queue = [waiting for waiting in self._queue if waiting not in done]
            self._absent -= {waiting.command.id for waiting in done}
        return replies

    def catch_up(self, tables: Iterable[TableId]) -> None:
        """Read the entries of other processes at these tables, of meters, and of the setup."""
        self.refresh()
        behind = {name: self._tables[name] for name in sorted(set(tables)) if name in self._tables}
        tails: dict[StreamId, list[Entry]] = {}
        for entry in self.store.tails({running.stream: running.head.version for running in behind.values()}):
            tails.setdefault(entry.stream, []).append(entry)
        for name, running in behind.items():
            if running.stream in tails:
                self.follow(read_body(tails[running.stream][-1]).at)
                now = running.after_entries(tails[running.stream])
                self._tables[name], self._vaults[name] = now, self._vault(now)

    def _catch_up_meters(self) -> None:
        for entry in self.store.tails({meter_stream(m): now.head.version for m, now in self._meters.items()}):
            event = read_body(entry)
            assert isinstance(event, MeterEntry)
            self._meters[event.meter] = evolve_meter(self._meters[event.meter], event, entry.head)
            self.follow(event.at)

    def run(self) -> Sequence[Answer]:
        """Carry out the queued commands, batch by batch, and return the answers when all is durable."""
        answers: list[Answer] = []
        while self._queue:
            draft, failed = self.prepare(), None
            try:
                self.store.append_batch(draft.batch)
            except StaleError as error:
                failed = error
            answers += [reply.answer for reply in self.settle(draft, failed)]
        return answers
