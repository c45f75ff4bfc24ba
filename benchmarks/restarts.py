"""A start with much practice behind it, beside a start with none: from the command to the first answer."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.live_floor import _free_port, _wait
from benchmarks.measure import Measure
from houseway.cli.system import SystemRuntime
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.server_setup import build_server, open_floor

TIMES = 3
TABLES, ROUNDS, ENTRIES = 100, 10_000, 25
"""Practice tables, rounds at all of them, entries of a round: as much is stored as if they were played."""
BAR = 1.5


def restarts() -> list[Measure]:
    """``houseway serve`` on one floor, without practice and with ten thousand rounds of it behind."""
    with tempfile.TemporaryDirectory(prefix="houseway-bench-") as name:
        folder = Path(name)
        fresh = median(_start(folder) for _ in range(TIMES))
        _practise(folder)
        stored = (folder / "floor-practice.db").stat().st_size / 1e6
        behind = median(_start(folder) for _ in range(TIMES))
    what = f"a start with {ROUNDS:,} practice rounds behind it ({stored:.0f} MB)"
    return [
        Measure("a start with no practice behind it", fresh, "s"),
        Measure(what, behind, "s", "1.5 times that", BAR * fresh),
    ]


def _start(folder: Path) -> float:
    """Return how long it takes from the command until the server is ready."""
    port, begun = _free_port(), time.monotonic()
    words = ["-m", "houseway", "serve", "--demo", "--database", str(folder / "floor.db"), "--port", str(port)]
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL) as server:
        _wait(server, port)
        took = time.monotonic() - begun
        server.send_signal(signal.SIGTERM)
        server.wait(60)
    return took


def _practise(folder: Path) -> None:
    """Give practice tables to guests, and make their streams as long as if they had played."""
    server = build_server(open_floor(str(folder / "floor.db"), SystemRuntime()), {}, SystemRuntime())
    assert server.practice is not None
    names = [
        server.practice.tables.take("pa-575", Actor(f"guest-{number}", Role.GUEST))
        for number in range(TABLES)
    ]
    server.close()
    with sqlite3.connect(folder / "floor-practice.db") as connection:
        (last,) = connection.execute("SELECT max(position) FROM entries").fetchone()
        columns = "position, stream, version, command, body, answer, hash"
        row = f"INSERT INTO entries ({columns}) VALUES (?,?,?,?,?,?,?)"
        body, answer = bytes(1_200), bytes(80)
        each = ROUNDS * ENTRIES // TABLES
        for at, name in enumerate(names):
            first = -(at + 1) * each  # before what is there: the last entry stays the last
            connection.executemany(
                row,
                (
                    (first + number, f"table/{name}", 10 + number, f"b/{at}/{number}", body, answer, b"")
                    for number in range(each)
                ),
            )
        assert last is not None
