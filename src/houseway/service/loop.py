"""The server's loop: while one batch is made durable, the commands that arrive form the next.

Everything that touches the floor or its database goes through here, one thing at a time; a view is read from
values that never change, at any time. Nothing that a database or a command does ends the loop: commands wait
while the database is away, and each is answered by its deadline, with its outcome or with why not.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from houseway.chips import ChipCommand
from houseway.chips.actions import CountCloser
from houseway.floor.batches import UNKNOWN, Answer, BatchDraft, Fault, Reply, WaitingCommand
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
"""Seconds to wait after a database did not answer, twice as long each time."""
MOST_PATIENCE: Final = 2.0
LONGEST: Final = 10.0
"""Seconds within which a command is carried out or refused, unless its sender gives it less."""
BEYOND: Final = 2.0
"""Seconds after its deadline by which a command is answered though the database still says nothing."""
MOST_WAITING: Final = 1_000
"""So many commands wait at once; more would only make everybody wait."""
PULSE: Final = 0.5
"""Seconds between two looks at whether anybody waits in vain."""
AWAY: Final = (StoreGoneError, OutcomeUnknownError, BusyError)
"""What passes by itself: after it the loop waits a little before it tries again."""
OUTCOMES: Final[Mapping[type, str]] = {
    type(None): "stored",
    StaleError: "stale",
    UnstorableError: "refused",
    OutcomeUnknownError: "unknown",
    StoreGoneError: "gone",
}
"""What becomes of a batch, as it is counted."""
T = TypeVar("T")
OnChange = Callable[[frozenset[TableId]], None]
AnyCommand = Command | ChipCommand


class StoppedError(Exception):
    """The server stops: the command may or may not have been carried out, and can be sent again."""


class WaitingAnswer(NamedTuple):
    """Somebody who waits for the answer to a command."""

    table: TableId
    command: AnyCommand
    deadline: float
    answer: asyncio.Future[Answer]


class LoopTurn(NamedTuple):
    """What a turn of the loop came to: the batch it made, what stood in its way, and who is answered."""

    making: BatchDraft | None
    failed: Exception | None
    replies: Sequence[Reply]


class FloorLoop:
    """Carries commands out in batches, and tells whoever listens which tables have changed."""

    def __init__(
        self, floor: Floor, bus: Bus, on_change: OnChange, runtime: Runtime, pool: Pool = Pool.FLOOR
    ) -> None:
        self.floor, self._bus, self._on_change = floor, bus, on_change
        self.runtime, self._pool = runtime, pool
        self._coming: list[WaitingAnswer] = []
        self._asked: dict[WaitingCommand, WaitingAnswer] = {}
        self._untold: dict[StreamId, int] = {}
        self._wake, self._tell = asyncio.Event(), asyncio.Event()
        self._busy, self._line = asyncio.Lock(), asyncio.Lock()
        self._stopping = False
        self.turned = runtime.monotonic()
        """When the loop went round last."""
        self.failing: Exception | None = None
        """What stood in the way of the last batch, until one is stored again."""
        self.failed = -math.inf
        """When that was."""
        self.shift_closed = False
        """Whether a shift was closed since the tree was signed."""
        self.count_batch: Callable[[str], object] = lambda _: None
        """Is told what became of each batch."""

    @property
    def waiting(self) -> int:
        """How many commands wait."""
        return len(self._coming) + self.floor.waiting

    async def command(self, table: TableId, command: AnyCommand, within: float = LONGEST) -> Answer:
        """Have a command carried out; the answer comes once it is durable, or once its time has passed."""
        if self._stopping:
            raise StoppedError
        if self.waiting >= MOST_WAITING:
            raise BusyError("too many commands wait: ask again", value=self.waiting)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        deadline = self.runtime.monotonic() + min(within, LONGEST)
        self._coming.append(WaitingAnswer(table, command, deadline, answer))
        self._wake.set()
        return await answer

    async def table(self, table: TableId) -> RunningTable:
        """Return a table as it stands; one that was not opened yet is read between two batches."""
        if not self.floor.is_open(table):
            await self.between(lambda: self.floor.table(table))
        return self.floor.table(table)

    async def between(self, work: Callable[[], T]) -> T:
        """Do something with the floor or its database between two batches.

        Whoever wants that stands in a line of their own, so that a batch never waits for more than two of
        them, however many strangers try to sign in.
        """
        async with self._line, self._busy:
            return await self.runtime.in_thread(self._pool, work)

    # --- the loop -------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Carry out whatever comes, until stopped and nothing waits."""
        patience = PATIENCE
        while not (self._stopping and not self.waiting):
            if not self.waiting:
                await self._wake.wait()
            self._wake.clear()
            self.turned = self.runtime.monotonic()
            if not self.waiting:
                continue
            failed = await self._turn()
            if not isinstance(failed, AWAY):  # what is wrong with one command only keeps nobody waiting
                patience = PATIENCE
                continue
            soonest = self.floor.next_deadline - self.runtime.monotonic()
            await self.runtime.sleep(max(PATIENCE, min(patience, soonest)))
            patience = min(MOST_PATIENCE, 2 * patience)

    def stop(self) -> None:
        """Take nothing more; ``run`` ends when what waits is answered."""
        self._stopping = True
        self._wake.set()

    async def pulse(self) -> None:
        """See from time to time that the loop goes round, and that nobody waits beyond their time."""
        while True:
            await self.runtime.sleep(PULSE)
            self._wake.set()
            now = self.runtime.monotonic()
            for waiting in [*self._asked.values(), *self._coming]:
                if now + PULSE > waiting.deadline + BEYOND and not waiting.answer.done():
                    name = waiting.command.id
                    unknown = Answer(command=name, table=waiting.table, fault=UNKNOWN, kind=Fault.UNKNOWN)
                    waiting.answer.set_result(unknown)

    async def _turn(self) -> Exception | None:
        """Decide and store one batch; return what stood in its way."""
        coming, self._coming = self._coming, []
        for waiting in coming:
            self._asked[self.floor.submit(waiting.table, waiting.command, waiting.deadline)] = waiting
        try:
            async with self._busy:
                making, failed, replies = await self.runtime.in_thread(self._pool, self._carry_out)
        except Exception as error:  # not even a thread was to be had: everybody waits on
            making, failed, replies = None, BusyError("no thread takes a batch", value=str(error)), ()
        self._release(replies)
        self._report(making, failed)
        if making is not None and failed is None and making.entries:
            self._untold |= {entry.stream: entry.version for entry in making.entries}
            self._tell.set()
            self.shift_closed |= any(isinstance(waiting.command.action, CountCloser) for waiting in coming)
            self._show(frozenset(making.tables))
        return failed

    def _carry_out(self) -> LoopTurn:
        """Decide whatever waits and store it; all of it in one thread, for all of it asks the database."""
        try:
            making = self.floor.prepare(self.runtime.monotonic())
        except Exception as error:  # whatever it is, it waits or is answered, and the loop goes on
            return LoopTurn(
                None, error, [*self.floor.fail(error), *self.floor.expire(self.runtime.monotonic())]
            )
        failed: Exception | None = None
        try:
            if self.runtime.monotonic() > making.deadline:
                failed = StaleError("the time of a command passed while the batch was made")
            elif making.entries:
                self.floor.store.append_batch(making.batch)
        except Exception as error:  # what was stored is found out by asking again
            failed = error
        settled = self.floor.settle(making, failed)
        return LoopTurn(making, failed, [*settled, *self.floor.expire(self.runtime.monotonic())])

    def _show(self, tables: frozenset[TableId]) -> None:
        """Show how tables look now; where the program fails at it, commands are carried out all the same."""
        try:
            self._on_change(tables)
        except Exception:
            LOG.exception("the program failed to show tables")

    def _release(self, replies: Sequence[Reply]) -> None:
        for asked, answer in replies:
            waiting = self._asked.pop(asked, None)
            if waiting is not None and not waiting.answer.done():
                waiting.answer.set_result(answer)

    def _report(self, making: BatchDraft | None, failed: Exception | None) -> None:
        """Log what went wrong: a mistake of the program always, a database that is away once."""
        if failed is not None or (making is not None and making.entries):
            self.count_batch(OUTCOMES.get(type(failed), "failed"))
        for defect in making.defects if making else ():
            LOG.error("the program failed over a command", exc_info=defect)
        if failed is not None and not isinstance(failed, StaleError):
            if not isinstance(failed, AWAY) or self.failing is None:
                LOG.error("a batch could not be stored", exc_info=failed)
            if not isinstance(failed, UnstorableError):  # that is no failure of the database
                self.failing, self.failed = failed, self.runtime.monotonic()
        elif failed is None and making is not None and making.entries:
            if self.failing is not None:
                LOG.warning("batches are stored again")
            self.failing = None

    # --- other servers --------------------------------------------------------------------------------

    async def tell(self) -> None:
        """Hint to other servers at what was done here; what is done meanwhile goes with the next hint."""
        while True:
            await self._tell.wait()
            self._tell.clear()
            streams, self._untold = self._untold, {}
            changed = [StreamHint(stream, version) for stream, version in streams.items()]
            await self.runtime.in_thread(Pool.WAITING, lambda: self._bus.hint(changed))  # noqa: B023 - awaited

    async def heard(self, changed: Sequence[StreamHint]) -> None:
        """Read what other servers have done."""
        streams = [one.stream for one in changed if one.stream.startswith(TABLES)]
        await self._catch_up({stream.removeprefix(TABLES) for stream in streams})

    async def look_around(self) -> None:
        """Read whatever others have done at any table that is open here: a hint may be lost."""
        await self._catch_up({running.table.id for running in self.floor.open_tables()})

    async def _catch_up(self, tables: set[TableId]) -> None:
        self._show(await self.between(lambda: self._caught_up(tables)))

    def _caught_up(self, tables: set[TableId]) -> frozenset[TableId]:
        """Read what was done at tables, open those that are new, and return all that look another way."""
        floor = self.floor
        before = {running.table.id: running.head.version for running in floor.open_tables()}
        down = floor.house.down
        floor.catch_up(tables)
        known = tables & floor.house.tables.keys()
        changed = {name for name in known if floor.table(name).head.version != before.get(name)}
        return frozenset(changed if floor.house.down == down else changed | before.keys())
