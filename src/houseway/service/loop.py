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
from houseway.store.entries import StaleError

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
        self._wake, self._busy = asyncio.Event(), asyncio.Lock()
        self._stopping = False

    async def command(self, table: TableId, command: Command | ChipCommand) -> Answer:
        """Have a command carried out; the answer comes once it is durable."""
        if self._stopping:
            raise StoppedError
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._asked.setdefault(command.id, []).append(answered)
        if isinstance(command, ChipCommand):
            self.floor.submit_chips(table, command)
        else:
            self.floor.submit(table, command)
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
            while self.floor.waiting:
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
        making, failed = self.floor.prepare(), None
        try:
            if making.entries:
                await asyncio.to_thread(self.floor.store.append_batch, making.batch)
        except StaleError as error:
            failed = error
        except Exception as error:  # whatever a database raises: what was stored is found out by asking again
            LOG.exception("a batch could not be stored")
            failed = StaleError("the database did not answer")
            failed.__cause__ = error
        answers = await asyncio.to_thread(self.floor.settle, making, failed)
        self._release(answers)
        if failed is None and making.entries:
            self._tell(making)
        return failed is None or failed.__cause__ is None

    def _release(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            for waiting in self._asked.pop(answer.command, ()):
                if not waiting.done():
                    waiting.set_result(answer)

    def _tell(self, making: Making) -> None:
        heads = {entry.stream: entry.version for entry in making.entries}
        self._bus.hint([Changed(stream, version) for stream, version in heads.items()])
        self._on_change(frozenset(making.tables))

    async def heard(self, changed: Sequence[Changed]) -> None:
        """Read what other servers have done."""
        tables = frozenset(one.stream.removeprefix(TABLES) for one in changed)
        await self.between(lambda: self.floor.catch_up(tables))
        self._on_change(tables)
