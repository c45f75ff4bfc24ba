"""The server's loop: while one batch is made durable, arriving commands form the next.

Everything that touches the floor or its database goes through here, one task at a time; views are read from
immutable values at any time. No failure of a database or a command ends the loop: commands wait while the
database is away, and each is answered by its deadline, with its outcome or the reason for failure.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from houseway.chips import ChipCommand
from houseway.chips.actions import CountCloser
from houseway.floor.batches import UNKNOWN, Answer, BatchDraft, Fault, Reply, WaitingCommand, fault_reply
from houseway.floor.bus import Bus, StreamHint
from houseway.floor.core import Floor
from houseway.floor.running_table import RunningTable
from houseway.floor.streams import TABLES, TableId
from houseway.rounds.step import Command
from houseway.runtime import BusyError, Pool, Runtime
from houseway.store.entries import StreamId
from houseway.store.store_errors import OutcomeUnknownError, StaleError, StoreGoneError, UnstorableError

LOG: Final = logging.getLogger("houseway.service")
PATIENCE: Final = 0.05
"""The first wait, in seconds, after the database did not answer; it doubles each time."""
MOST_PATIENCE: Final = 2.0
TIME_LIMIT: Final = 10.0
"""Seconds within which a command is carried out or refused, unless its sender allows less."""
ANSWER_MARGIN: Final = 2.0
"""Seconds after its deadline by which a command is answered, even if the database is silent."""
MOST_WAITING: Final = 1_000
"""The most commands that wait at once; further ones are refused."""
PULSE: Final = 0.5
"""Seconds between two checks for commands past their deadline."""
AWAY: Final = (StoreGoneError, OutcomeUnknownError, BusyError)
"""Temporary failures, after which the loop waits a little and tries again."""
OUTCOMES: Final[Mapping[type, str]] = {
    type(None): "stored",
    StaleError: "stale",
    UnstorableError: "refused",
    OutcomeUnknownError: "unknown",
    StoreGoneError: "gone",
}
"""The labels by which batches are counted."""
T = TypeVar("T")
OnChange = Callable[[frozenset[TableId]], None]
AnyCommand = Command | ChipCommand


class StoppingError(Exception):
    """The server is stopping: the command may or may not have been carried out, and can be sent again."""


class StoredBatch(NamedTuple):
    """What was prepared of a batch, and the failure to prepare or store it, if there was one."""

    draft: BatchDraft | None
    failure: Exception | None = None


class FloorLoop:
    """Carries out commands in batches, and reports which tables have changed."""

    def __init__(
        self, floor: Floor, bus: Bus, on_change: OnChange, runtime: Runtime, pool: Pool = Pool.FLOOR
    ) -> None:
        self.floor, self._bus, self._on_change = floor, bus, on_change
        self.runtime, self._pool = runtime, pool
        self._answers: dict[WaitingCommand, asyncio.Future[Answer]] = {}
        self._unsent: dict[StreamId, int] = {}
        self._wake, self._hint = asyncio.Event(), asyncio.Event()
        self._busy, self._line = asyncio.Lock(), asyncio.Lock()
        self._stopping = False
        self.turned_at = runtime.monotonic()
        """When the loop last went round."""
        self.failure: Exception | None = None
        """The failure of the last batch, until one is stored again."""
        self.failed_at = -math.inf
        """When the last failure happened."""
        self.shift_closed = False
        """Whether a shift was closed since the tree was last signed."""
        self.count_batch: Callable[[str], object] = lambda _: None
        """Called with the outcome of each batch."""

    @property
    def waiting(self) -> int:
        """The number of commands that wait."""
        return self.floor.waiting

    async def command(self, table: TableId, command: AnyCommand, within: float = TIME_LIMIT) -> Answer:
        """Carry out a command; return its answer once it is durable, or once its time is up."""
        if self._stopping:
            raise StoppingError
        if self.waiting >= MOST_WAITING:
            raise BusyError("too many commands wait: ask again", value=self.waiting)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        deadline = self.runtime.monotonic() + min(within, TIME_LIMIT)
        self._answers[self.floor.submit(table, command, deadline)] = answer
        self._wake.set()
        return await answer

    async def table(self, table: TableId) -> RunningTable:
        """Return a table as it stands; one that is not open yet is read between two batches."""
        if not self.floor.is_open(table):
            await self.between(lambda: self.floor.table(table))
        return self.floor.table(table)

    async def between(self, work: Callable[[], T]) -> T:
        """Run work with the floor or its database between two batches.

        Such work queues separately, so that a batch never waits for more than two pieces of it, however many
        strangers try to sign in.
        """
        async with self._line, self._busy:
            return await self.runtime.in_thread(self._pool, work)

    # --- the loop -------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Carry out commands until stopped and none waits."""
        patience = PATIENCE
        while not (self._stopping and not self.waiting):
            if not self.waiting:
                await self._wake.wait()
            self._wake.clear()
            self.turned_at = self.runtime.monotonic()
            if not self.waiting:
                continue
            failure = await self._turn()
            if not isinstance(failure, AWAY):  # a fault of one command delays nobody
                patience = PATIENCE
                continue
            soonest = self.floor.next_deadline - self.runtime.monotonic()
            await self.runtime.sleep(max(PATIENCE, min(patience, soonest)))
            patience = min(MOST_PATIENCE, 2 * patience)

    def stop(self) -> None:
        """Accept no more commands; ``run`` ends when those waiting are answered."""
        self._stopping = True
        self._wake.set()

    async def pulse(self) -> None:
        """Check regularly that the loop goes round, and answer commands whose time is up."""
        while True:
            await self.runtime.sleep(PULSE)
            self._wake.set()
            now = self.runtime.monotonic()
            for waiting, answer in self._answers.items():
                if now + PULSE > waiting.deadline + ANSWER_MARGIN and not answer.done():
                    answer.set_result(fault_reply(waiting, Fault.UNKNOWN, UNKNOWN).answer)

    async def _turn(self) -> Exception | None:
        """Decide and store one batch, and answer its commands; return its failure, if any.

        The queue of the floor changes in this thread alone; the other one reads it.
        """
        async with self._busy:
            try:
                batch = await self.runtime.in_thread(self._pool, self._decide_and_store)
            except Exception as error:  # no thread was available: all commands keep waiting
                batch = StoredBatch(None, BusyError("no thread takes a batch", value=str(error)))
            else:
                self._settle(batch)
        draft, failure = batch
        self._report(draft, failure)
        if draft is not None and failure is None and draft.entries:
            self._unsent |= {entry.stream: entry.version for entry in draft.entries}
            self._hint.set()
            self.shift_closed |= any(isinstance(each.command.action, CountCloser) for each in draft.waiting)
            self._show(frozenset(draft.tables))
        return failure

    def _settle(self, batch: StoredBatch) -> None:
        """Answer the commands of a batch, and those whose time is up."""
        if batch.draft is not None:
            replies = self.floor.settle(batch.draft, batch.failure)
        else:
            replies = self.floor.fail(batch.failure or BusyError("no batch was prepared"))
        self._release([*replies, *self.floor.expire(self.runtime.monotonic())])

    def _decide_and_store(self) -> StoredBatch:
        """Decide the waiting commands and store the batch, in one thread, as all of it uses the database."""
        try:
            draft = self.floor.prepare(self.runtime.monotonic())
        except Exception as error:  # whatever it is, commands wait or are answered, and the loop goes on
            return StoredBatch(None, error)
        try:
            if self.runtime.monotonic() > draft.deadline:
                return StoredBatch(draft, StaleError("the time of a command passed while the batch was made"))
            if draft.entries:
                self.floor.store.append_batch(draft.batch)
        except Exception as error:  # the next read shows what was stored
            return StoredBatch(draft, error)
        return StoredBatch(draft)

    def _show(self, tables: frozenset[TableId]) -> None:
        """Show changed tables; a failure to show them must not stop commands."""
        try:
            self._on_change(tables)
        except Exception:
            LOG.exception("the program failed to show tables")

    def _release(self, replies: Sequence[Reply]) -> None:
        for waiting, answer in replies:
            future = self._answers.pop(waiting, None)
            if future is not None and not future.done():
                future.set_result(answer)

    def _report(self, draft: BatchDraft | None, failure: Exception | None) -> None:
        """Log failures: defects always, an unavailable database once."""
        if failure is not None or (draft is not None and draft.entries):
            self.count_batch(OUTCOMES.get(type(failure), "failed"))
        for defect in draft.defects if draft else ():
            LOG.error("the program failed over a command", exc_info=defect)
        if failure is not None and not isinstance(failure, StaleError):
            if not isinstance(failure, AWAY) or self.failure is None:
                LOG.error("a batch could not be stored", exc_info=failure)
            if not isinstance(failure, UnstorableError):  # that is not a failure of the database
                self.failure, self.failed_at = failure, self.runtime.monotonic()
        elif failure is None and draft is not None and draft.entries:
            if self.failure is not None:
                LOG.warning("batches are stored again")
            self.failure = None

    # --- other servers --------------------------------------------------------------------------------

    async def send_hints(self) -> None:
        """Send hints about changed streams to other servers; changes during a send go with the next hint."""
        while True:
            await self._hint.wait()
            self._hint.clear()
            streams, self._unsent = self._unsent, {}
            changed = [StreamHint(stream, version) for stream, version in streams.items()]
            await self.runtime.in_thread(Pool.WAITING, lambda: self._bus.hint(changed))  # noqa: B023 - awaited

    async def read_changes(self, changed: Sequence[StreamHint]) -> None:
        """Read what other servers have changed."""
        streams = [change.stream for change in changed if change.stream.startswith(TABLES)]
        await self._show_changes({stream.removeprefix(TABLES) for stream in streams})

    async def look_around(self) -> None:
        """Read what other servers have changed at any open table, in case a hint was lost."""
        await self._show_changes({running.table.id for running in self.floor.open_tables()})

    async def _show_changes(self, tables: set[TableId]) -> None:
        self._show(await self.between(lambda: self._read_tables(tables)))

    def _read_tables(self, tables: set[TableId]) -> frozenset[TableId]:
        """Read the changes of tables, open new ones, and return all whose view changed."""
        floor = self.floor
        before = {running.table.id: running.head.version for running in floor.open_tables()}
        down = floor.house.down
        floor.catch_up(tables)
        known = tables & floor.house.tables.keys()
        changed = {name for name in known if floor.table(name).head.version != before.get(name)}
        return frozenset(changed if floor.house.down == down else changed | before.keys())
