"""The floor's core: commands come in, batches go to the store, answers go out once they are durable.

``submit`` queues, ``prepare`` decides whatever is queued and says what is to be stored, ``settle`` takes
what became of it. Nothing here waits, starts a thread or looks at a clock that was not passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from houseway.errors import HousewayError, IllegalError
from houseway.floor.batches import Answer, Asked, Making, MeterNow
from houseway.floor.running import RunningTable, decks_of, opened
from houseway.floor.streams import (
    SETUP,
    MeterOpened,
    MeterTurn,
    SetUp,
    SetUpEntry,
    TableId,
    TableMade,
    meter_stream,
    table_stream,
)
from houseway.games import Submission, rules_for
from houseway.meters import MeterState
from houseway.rng import Entropy
from houseway.rounds.chance import Moment, Vault, live
from houseway.rounds.codec import decode, encode
from houseway.rounds.live import fresh_meter
from houseway.rounds.state import CardOrigin, MeterId
from houseway.rounds.step import Actor, Command
from houseway.store.entries import EMPTY, Entry, StaleError, following
from houseway.store.protocol import Batch, Store
from houseway.store.sealing import DeckSafe

Clock = Callable[[], datetime]
MOST: Final = 128
"""So many commands are carried out in one batch."""


class Floor:
    """Tables and meters on a store. The clock and chance are passed in."""

    def __init__(self, store: Store, clock: Clock, entropy: Entropy, safe: DeckSafe) -> None:
        self.store, self.clock, self.entropy, self.safe = store, clock, entropy, safe
        self._queue: list[Asked] = []
        self._most = MOST
        self._setup = EMPTY
        self._made: dict[TableId, TableMade] = {}
        self._tables: dict[TableId, RunningTable] = {}
        self._vaults: dict[TableId, Vault] = {}
        self._meters: dict[MeterId, MeterNow] = {}
        self.refresh()

    # --- what there is --------------------------------------------------------------------------------

    @property
    def tables(self) -> Sequence[TableId]:
        """The tables of the floor."""
        return sorted(self._made)

    def table(self, table: TableId) -> RunningTable:
        """Return a table as it stands; it is opened if it was not."""
        if table not in self._tables:
            self._tables[table] = opened(self.store, self._made, table)
            self._vaults[table] = self._vault(self._tables[table])
        return self._tables[table]

    def meters(self) -> Mapping[MeterId, MeterState]:
        """Return how the meters stand."""
        return {name: meter.state for name, meter in self._meters.items()}

    def moment(self, table: TableId) -> Moment:
        """Return what views and options of a table are worked out with now."""
        self.table(table)
        return live(self.clock(), self.entropy, self._vaults[table], self.meters())

    def _vault(self, running: RunningTable) -> Vault:
        return Vault(self.entropy, decks_of(self.store, self.safe, running))

    # --- setting up -----------------------------------------------------------------------------------

    def make_table(
        self,
        table: TableId,
        submission: Submission,
        by: Actor,
        *,
        meter: MeterId | None = None,
        origin: CardOrigin = CardOrigin.VIRTUAL_DECK,
        automated: frozenset[str] = frozenset(),
    ) -> None:
        """Make a table that plays by a submission, and open the meter it shares if that does not run yet."""
        self.refresh()
        if table in self._made:
            raise IllegalError("there is a table of this name", value=table)
        rules, now = rules_for(submission), self.clock()
        shares = (meter or table) if rules.offers("progressive") else None
        events: list[SetUp] = []
        if shares is not None and shares not in self._meters:
            state = fresh_meter(rules, shares)
            events.append(MeterOpened(meter=shares, state=state, submission=rules.fingerprint, by=by, at=now))
        made = TableMade(
            table=table,
            submission=submission,
            origin=origin,
            meter=shares,
            automated=automated,
            by=by,
            at=now,
        )
        self._set_up(*events, made)

    def _set_up(self, *events: SetUp) -> None:
        head, entries = self._setup, list[Entry]()
        for event in events:
            body = encode(SetUpEntry(event))
            entries.append(following(head, SETUP, f"{SETUP}/{head.version + 1}", body, b""))
            head = entries[-1].head
        self.store.append_batch(Batch(entries=entries))
        self.refresh()

    def refresh(self) -> None:
        """Learn what others have set up, and how the meters stand."""
        for entry in self.store.tails({SETUP: self._setup.version}):
            event = decode(SetUpEntry, entry.body).event
            if isinstance(event, TableMade):
                self._made[event.table] = event
            else:
                self._meters[event.meter] = MeterNow(event.state, EMPTY)
            self._setup = entry.head
        self._catch_up_meters()

    # --- commands -------------------------------------------------------------------------------------

    def submit(self, table: TableId, command: Command) -> None:
        """Queue a command for a table."""
        self._queue.append(Asked(table, command))

    def prepare(self) -> Making:
        """Decide what is queued, as far as one batch goes; nothing is changed until it is settled."""
        taken, self._queue = self._queue[: self._most], self._queue[self._most :]
        if not self.store.exclusive:
            self.catch_up(one.table for one in taken)
        making = Making(self.clock(), self.entropy, self.safe, dict(self._meters))
        known = self.store.known([one.command.id for one in taken])
        names: set[str] = set()
        for one in taken:
            name = one.command.id
            if name in known:
                making.answers.append(decode(Answer, known[name]))
            elif name in names:
                self._queue.insert(0, one)  # sent twice at once: the second is answered as the first was
            else:
                names.add(name)
                making.asked.append(one)
                self._decide(making, one)
        return making

    def _decide(self, making: Making, one: Asked) -> None:
        try:
            running = self.table(one.table)
        except HousewayError as error:
            making.answers.append(Answer(command=one.command.id, table=one.table, fault=str(error)))
        else:
            making.answer(one, running, self._vaults[one.table])

    def settle(self, making: Making, failed: StaleError | None = None) -> Sequence[Answer]:
        """Take what became of a batch: answers if it is durable, else its commands wait again, in order."""
        if failed is None:
            self._tables |= making.tables
            self._vaults |= making.vaults
            self._meters = making.meters
            self._most = MOST
            return making.answers
        self._queue = [*making.asked, *self._queue]
        self._most = max(1, len(making.asked) // 2)
        self.catch_up(one.table for one in making.asked)
        return ()

    def catch_up(self, tables: Iterable[TableId]) -> None:
        """Read what others have done at tables, to meters, and to the floor."""
        self.refresh()
        for name in set(tables):
            if name in self._tables:
                running = self._tables[name]
                tail = self.store.tails({table_stream(name): running.head.version})
                now = running.caught_up(tail)
                if now is not running:
                    self._tables[name], self._vaults[name] = now, self._vault(now)

    def _catch_up_meters(self) -> None:
        for entry in self.store.tails({meter_stream(m): now.head.version for m, now in self._meters.items()}):
            turn = decode(MeterTurn, entry.body)
            self._meters[turn.meter] = MeterNow(turn.after, entry.head)

    def run(self) -> Sequence[Answer]:
        """Carry out whatever is queued, batch by batch, and return the answers when all is durable."""
        answers: list[Answer] = []
        while self._queue:
            making, failed = self.prepare(), None
            try:
                self.store.append_batch(making.batch)
            except StaleError as error:
                failed = error
            answers += self.settle(making, failed)
        return answers
