"""The server's loop: while one batch is made durable, the commands that arrive form the next.

Everything that touches the floor or its database goes through here, one thing at a time; a view is read from
values that never change, at any time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from houseway.chips import ChipCommand
from houseway.floor.batches import Answer, Making
from houseway.floor.bus import Bus, Changed
from houseway.floor.core import Floor
from houseway.floor.running import RunningTable
from houseway.floor.streams import TABLES, TableId
from houseway.rounds.step import Command
from houseway.store.entries import StaleError, StreamId

LOG: Final = logging.getLogger("houseway.service")
PATIENCE: Final = 0.05
"""Seconds to wait after a database did not answer, twice as long each time."""
MOST_PATIENCE: Final = 5.0
T = TypeVar("T")
OnChange = Callable[[frozenset[TableId]], None]


class StoppedError(Exception):
    """The server stops: the command may or may not have been carried out, and can be sent again."""


class FloorLoop:
    """Carries commands out in batches, and tells whoever listens which tables have changed."""

    def __init__(self, floor: Floor, bus: Bus, on_change: OnChange) -> None:
        self.floor, self._bus, self._on_change = floor, bus, on_change
        self._asked: dict[str, list[asyncio.Future[Answer]]] = {}
        self._coming: list[tuple[TableId, Command | ChipCommand]] = []
        self._untold: dict[StreamId, int] = {}
        self._wake, self._tell, self._busy = asyncio.Event(), asyncio.Event(), asyncio.Lock()
        self._stopping = False

    @property
    def waiting(self) -> int:
        """How many commands wait."""
        return len(self._coming) + self.floor.waiting

    async def command(self, table: TableId, command: Command | ChipCommand) -> Answer:
        """Have a command carried out; the answer comes once it is durable."""
        if self._stopping:
            raise StoppedError
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._asked.setdefault(command.id, []).append(answered)
        self._coming.append((table, command))
        self._wake.set()
        return await answered

    async def table(self, table: TableId) -> RunningTable:
        """Return a table as it stands; one that was not opened yet is read between two batches."""
        if not self.floor.is_open(table):
            await self.between(lambda: self.floor.table(table))
        return self.floor.table(table)

    async def between(self, work: Callable[[], T]) -> T:
        """Do something with the floor or its database between two batches."""
        async with self._busy:
            return await asyncio.to_thread(work)

    async def run(self) -> None:
        """Carry out whatever comes, until stopped and nothing waits."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            patience = PATIENCE
            while self.waiting:
                async with self._busy:
                    done = await self._batch()
                if not done:
                    await asyncio.sleep(patience)
                    patience = min(MOST_PATIENCE, 2 * patience)
                else:
                    patience = PATIENCE
            if self._stopping:
                return

    def stop(self) -> None:
        """Take nothing more; ``run`` ends when what waits is answered."""
        self._stopping = True
        self._wake.set()

    async def _batch(self) -> bool:
        """Decide and store one batch; return whether the database answered."""
        coming, self._coming = self._coming, []
        making, failed, answers = await asyncio.to_thread(self._carried_out, coming)
        self._release(answers)
        if failed is None and making.entries:
            self._untold |= {entry.stream: entry.version for entry in making.entries}
            self._tell.set()
            self._on_change(frozenset(making.tables))
        return failed is None or failed.__cause__ is None

    def _carried_out(
        self, coming: Sequence[tuple[TableId, Command | ChipCommand]]
    ) -> tuple[Making, StaleError | None, Sequence[Answer]]:
        """Decide whatever waits and store it; all of it in one thread, for all of it asks the database."""
        for table, command in coming:
            if isinstance(command, ChipCommand):
                self.floor.submit_chips(table, command)
            else:
                self.floor.submit(table, command)
        making, failed = self.floor.prepare(), None
        try:
            if making.entries:
                self.floor.store.append_batch(making.batch)
        except StaleError as error:
            failed = error
        except Exception as error:  # whatever a database raises: what was stored is found out by asking again
            LOG.exception("a batch could not be stored")
            failed = StaleError("the database did not answer")
            failed.__cause__ = error
        return making, failed, self.floor.settle(making, failed)

    def _release(self, answers: Sequence[Answer]) -> None:
        """Answer each command; those of one id are answered one by one, in the order that they came in."""
        for answer in answers:
            waiting = self._asked.get(answer.command, [])
            if waiting:
                answered = waiting.pop(0)
                if not answered.done():
                    answered.set_result(answer)
            if not waiting:
                self._asked.pop(answer.command, None)

    async def tell(self) -> None:
        """Hint to other servers at what was done here; what is done meanwhile goes with the next hint."""
        while True:
            await self._tell.wait()
            self._tell.clear()
            told, self._untold = self._untold, {}
            changed = [Changed(stream, version) for stream, version in told.items()]
            await asyncio.to_thread(self._bus.hint, changed)

    async def heard(self, changed: Sequence[Changed]) -> None:
        """Read what other servers have done."""
        streams = [one.stream for one in changed if one.stream.startswith(TABLES)]
        await self._catch_up({stream.removeprefix(TABLES) for stream in streams})

    async def look_around(self) -> None:
        """Read whatever others have done at any table that is open here: a hint may be lost."""
        await self._catch_up({running.table.id for running in self.floor.opened()})

    async def _catch_up(self, tables: set[TableId]) -> None:
        self._on_change(await self.between(lambda: self._caught_up(tables)))

    def _caught_up(self, tables: set[TableId]) -> frozenset[TableId]:
        """Read what was done at tables, open those that are new, and return all that look another way."""
        floor = self.floor
        before = {running.table.id: running.head.version for running in floor.opened()}
        down = floor.house.down
        floor.catch_up(tables)
        known = tables & floor.house.tables.keys()
        changed = {name for name in known if floor.table(name).head.version != before.get(name)}
        return frozenset(changed if floor.house.down == down else changed | before.keys())
