"""A store that fails by chance, and clients who know what they were answered: who is told a lie is noticed.

Each client has a seat of its own, and sits down and leaves in turns. So a command is refused only if an
earlier one became something else than what its client was told.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from houseway.floor.batches import Answer, Fault
from houseway.floor.streams import TableId, table_stream
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, Command
from houseway.rounds.steps.players import Leave, Sit
from houseway.runtime import BusyError
from houseway.service.loop import ANSWER_MARGIN, TIME_LIMIT, FloorLoop
from houseway.store.entries import CommandId, Entry, Head, StreamId
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch, Picture, Snapshot, Store
from houseway.store.sqlite import SqliteStore
from houseway.store.store_errors import OutcomeUnknownError, StaleError, StoreGoneError

T = TypeVar("T")
SEATS: Final = (2, 3, 4, 5, 6)


class Faults:
    """What fails by chance: now and then, and for a while everything."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.rate, self.failures = chance, 0.0, Counter[str]()
        self.outage = 0
        """So many calls more fail, whatever chance says: the database is away for a while."""

    def end(self) -> None:
        """Let nothing fail any more."""
        self.rate, self.outage = 0.0, 0

    def before(self, name: str, *errors: Exception) -> None:
        """Fail, or let something begin."""
        if self.outage == 0 and self.rate and self.chance.random() < self.rate / 10:
            self.outage = self.chance.randrange(2, 60)
        if self.outage:
            self.outage -= 1
            self.failures[f"{name} in an outage"] += 1
            raise errors[0]
        if self.chance.random() < self.rate / 2:
            self.failures[f"{name} before"] += 1
            raise self.chance.choice(errors)

    def after(self, name: str, *errors: Exception) -> None:
        """Fail though something was done, or let its result be known."""
        if self.chance.random() < self.rate / 2:
            self.failures[f"{name} afterwards"] += 1
            raise self.chance.choice(errors)


class FaultyStore(MemoryStore):
    """A store whose every method fails at random, before it has done anything or after all is done."""

    def __init__(self, faults: Faults) -> None:
        super().__init__()
        self._faults = faults

    def append_batch(self, batch: Batch) -> None:
        errors = (
            StoreGoneError("away"),
            StaleError("first"),
            RuntimeError("a mistake"),
            OutcomeUnknownError("lost"),
        )
        self._faults.before("append", *errors)
        super().append_batch(batch)
        self._faults.after("append", OutcomeUnknownError("lost"))

    def entries_of(self, commands: Sequence[CommandId]) -> Sequence[Entry]:
        return self._read("entries_of", lambda: super(FaultyStore, self).entries_of(commands))

    def tails(self, heads: Mapping[StreamId, int], most: int | None = None) -> Iterable[Entry]:
        return self._read("tails", lambda: super(FaultyStore, self).tails(heads, most))

    def part(self, stream: StreamId, after: int, until: int) -> Iterable[Entry]:
        return self._read("part", lambda: super(FaultyStore, self).part(stream, after, until))

    def head(self, stream: StreamId) -> Head:
        return self._read("head", lambda: super(FaultyStore, self).head(stream))

    def snapshot_at(self, stream: StreamId, version: int) -> Snapshot | None:
        return self._read("snapshot_at", lambda: super(FaultyStore, self).snapshot_at(stream, version))

    def heads(self) -> Mapping[StreamId, Head]:
        return self._read("heads", super().heads)

    def snapshots(self, streams: Sequence[StreamId]) -> Mapping[StreamId, Snapshot]:
        return self._read("snapshots", lambda: super(FaultyStore, self).snapshots(streams))

    def sealed_decks(self, stream: StreamId) -> Mapping[str, bytes]:
        return self._read("sealed_decks", lambda: super(FaultyStore, self).sealed_decks(stream))

    def probe(self) -> None:
        return self._read("probe", super().probe)

    def _read(self, name: str, work: Callable[[], T]) -> T:
        errors = StoreGoneError("away"), RuntimeError("a mistake of the program")
        self._faults.before(name, *errors)
        result = work()
        self._faults.after(name, *errors)
        return result

    @contextmanager
    def picture(self) -> Iterator[Picture]:
        plain = MemoryStore()
        plain.__dict__.update({name: copy(self.__dict__[name]) for name in plain.__dict__})
        yield plain


def disk_error() -> sqlite3.OperationalError:
    """Return what SQLite raises over a disk that fails."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_IOERR, "SQLITE_IOERR"
    return error


def faulty_sqlite(path: Path, faults: Faults, monkeypatch: pytest.MonkeyPatch) -> SqliteStore:
    """Open a SQLite file on a disk that fails at statements, before or after they did anything."""

    class Cursor(sqlite3.Cursor):
        def execute(self, *words: Any) -> Any:
            faults.before("statement", disk_error())
            result = super().execute(*words)
            faults.after("statement", disk_error())
            return result

    class Connection(sqlite3.Connection):
        def cursor(self, *_: Any) -> Any:
            return super().cursor(Cursor)

        def execute(self, *words: Any) -> Any:
            return self.cursor().execute(*words)

        def executemany(self, *words: Any) -> Any:
            faults.before("rows", disk_error())
            return super().executemany(*words)

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Connection))
    return SqliteStore(path)


@dataclass
class Figures:
    """What became of the commands of all clients."""

    answers: dict[tuple[TableId, CommandId], int] = field(default_factory=dict)
    """The version of each command that was carried out, as its client was answered."""
    abandoned: set[tuple[TableId, CommandId]] = field(default_factory=set)
    """The last that was heard of these is that they were not carried out."""
    counts: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    """Seconds that an answer took, at most."""


class Client:
    """Somebody who sits down at a seat of their own and leaves it, whatever happens."""

    def __init__(self, table: TableId, at: int, chance: random.Random, figures: Figures) -> None:
        self.table, self.at, self.chance, self.figures = table, at, chance, figures
        self.by = Actor(f"{table} {at}", Role.PLAYER)
        self.sits, self.number = False, 0

    async def go_on(self, loops: Sequence[FloorLoop], commands: int, patience: float) -> None:
        """Carry on for so many commands; with less patience some that were not carried out are given up."""
        for _ in range(commands):
            self.number += 1
            action = Leave(self.at) if self.sits else Sit(self.at)
            command = Command(self.by, action, id=f"{self.by.id}/{self.number}")
            if await self._sent(loops, command, patience):
                self.sits = not self.sits

    async def _sent(self, loops: Sequence[FloorLoop], command: Command, patience: float) -> bool:
        """Send a command until it is answered for good; return whether it was carried out."""
        name, counts = (self.table, command.id), self.figures.counts
        counts["sent"] += 1
        while True:
            answer = await self._answered(self.chance.choice(loops), command)
            assert answer is None or not answer.refused, f"{name} is refused: {answer}"
            if answer is not None and answer.version:
                self.figures.answers[name] = answer.version
                counts["answered"] += 1
                return True
            counts["again" if answer is None else str(answer.kind)] += 1
            final = answer is not None and answer.kind in (Fault.LATE, Fault.BROKEN)
            if final and self.chance.random() > patience:
                self.figures.abandoned.add(name)
                return False
            await loops[0].runtime.sleep(self.chance.random())

    async def _answered(self, loop: FloorLoop, command: Command) -> Answer | None:
        """Return what is answered in time, or nothing if the server is busy."""
        begun, within = loop.runtime.monotonic(), self.chance.choice((0.5, 2.0, TIME_LIMIT))
        try:
            answer = await loop.command(self.table, command, within)
        except BusyError:
            return None
        spent = loop.runtime.monotonic() - begun
        assert spent <= within + ANSWER_MARGIN, f"{command.id} was answered after {spent:.1f} s of {within} s"
        self.figures.slowest = max(self.figures.slowest, spent)
        return answer


def check_stored(store: Store, tables: Iterable[TableId], figures: Figures) -> None:
    """Compare what clients were answered with what the log holds."""
    for table in tables:
        entries = list(store.tails({table_stream(table): 0}))
        stored = {entry.command: entry.version for entry in entries}
        assert len(stored) == len(entries), "a command was carried out twice"
        answers = {name: version for (at, name), version in figures.answers.items() if at == table}
        lost = {name for name, version in answers.items() if stored.get(name) != version}
        assert not lost, f"answered, and not stored so: {sorted(lost)[:3]}"
        lies = {name for at, name in figures.abandoned if at == table} & stored.keys()
        assert not lies, f"carried out, though it was answered that it was not: {sorted(lies)[:3]}"
        assert stored.keys() == answers.keys(), (
            f"never answered: {sorted(stored.keys() - answers.keys())[:3]}"
        )


async def with_loops(loops: Sequence[FloorLoop], work: Coroutine[object, object, None]) -> None:
    """Run loops as long as some work takes; none of them may end before."""
    running = [asyncio.ensure_future(loop.run()) for loop in loops]
    pulses = [asyncio.ensure_future(loop.pulse()) for loop in loops]
    await work
    assert not any(task.done() for task in (*running, *pulses)), "a loop has ended"
    for loop in loops:
        loop.stop()
    await asyncio.gather(*running)
    for pulse in pulses:
        pulse.cancel()


@contextmanager
def quiet() -> Iterator[None]:
    """Print nothing of the thousands of failures that are wanted."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
