"""A reader of everything never skips: writers of PostgreSQL are paused at every statement, in every order.

Positions are handed out before a commit, so that a later one may be seen first. The control reads by position
alone, as one would think: it misses entries, in just those orders in which the earlier position is durable
later.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import permutations
from queue import Queue

import psycopg
import pytest

from houseway.store.postgres import PostgresStore
from houseway.store.protocol import START, Batch, Place, Point
from tests.store.support import Writer, fresh_database

Order = tuple[int, ...]
"""Which writer goes on to its next pause, turn by turn."""


class PausedWriter:
    """Appends on a thread of its own, and stands still wherever an append is until it is told to go on."""

    def __init__(self, url: str, stream: str) -> None:
        self._reached: Queue[Point] = Queue()
        self._go_on: Queue[bool] = Queue()
        self._store = PostgresStore(url, at_point=self._pause)
        self._writer = Writer(self._store)
        self._stream = stream
        self._thread: threading.Thread | None = None

    def _pause(self, point: Point) -> None:
        self._reached.put(point)
        self._go_on.get(timeout=30)

    def step(self) -> Point:
        """Go on to the next pause, or begin an append; return where it is then."""
        if self._thread is None:
            batch = Batch(entries=[self._writer.entry(self._stream) for _ in range(2)])
            self._thread = threading.Thread(target=self._store.append_batch, args=(batch,))
            self._thread.start()
        else:
            self._go_on.put(True)
        return self._reached.get(timeout=30)

    def finish(self) -> None:
        """Let an append that is durable return."""
        self._go_on.put(True)
        assert self._thread is not None
        self._thread.join()
        self._thread = None

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()


class ByPosition:
    """Reads on from the last position that it has seen."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self.read: list[int] = []

    def go_on(self) -> None:
        """Read what is there now."""
        last = self.read[-1] if self.read else 0
        asked = "SELECT position FROM entries WHERE position > %s ORDER BY position"
        self.read += [position for (position,) in self._connection.execute(asked, [last])]

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()


class ByPlace:
    """Reads on from the last place, as whoever follows a store does."""

    def __init__(self, url: str) -> None:
        self._store = PostgresStore(url)
        self.read: list[Place] = []

    def go_on(self) -> None:
        """Read what is there now."""
        self.read += [place for place, _ in self._store.everything(self.read[-1] if self.read else START)]

    def all(self) -> list[Place]:
        """Return every place there is."""
        return [place for place, _ in self._store.everything()]

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()


def orders(writers: int, steps: int) -> Iterator[Order]:
    """Yield every order in which so many writers take so many steps each."""
    yield from sorted(set(permutations([n for n in range(writers) for _ in range(steps)])))


def overtaken(order: Order, steps: int) -> bool:
    """Whether a writer that wrote later was durable first."""
    written = [
        next(i for i, n in enumerate(order) if order[: i + 1].count(w) == steps - 1) for w in set(order)
    ]
    durable = [max(i for i, n in enumerate(order) if n == w) for w in set(order)]
    return sorted(written) != [at for _, at in sorted(zip(durable, written, strict=True))]


@pytest.mark.parametrize(("writers", "steps"), [(2, 3), (3, 2)], ids=["two writers", "three writers"])
def test_every_entry_is_read_once_in_order_wherever_writers_are_paused(writers: int, steps: int) -> None:
    with fresh_database() as url, ExitStack() as stack:
        reader, control = ByPlace(url), ByPosition(url)
        paused = [PausedWriter(url, f"table/{n}") for n in range(writers)]
        for close in (reader.close, control.close, *(one.close for one in paused)):
            stack.callback(close)
        for order in orders(writers, steps):
            if steps == 2:  # they have all begun, and have written nothing
                assert {one.step() for one in paused} == {Point.BEGUN}
            for turn in order:
                paused[turn].step()
                reader.go_on()
                control.go_on()
            for one in paused:
                one.finish()
            reader.go_on()
            control.go_on()
            there = reader.all()
            missed = {position for _, position in there[-2 * writers :]} - set(control.read)
            assert bool(missed) is overtaken(order, steps), order
            assert reader.read == sorted(reader.read) == there, order
        assert len(reader.read) == 2 * writers * len(list(orders(writers, steps)))
        assert set(control.read) < {position for _, position in reader.read}
