"""A floor at work: many tables commanded and watched over loopback, generator and server each a process."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from benchmarks.floors import database, postgres_server
from benchmarks.measure import Measure

TABLES = 100
SECONDS = 20
LONG_TABLES, LONG_SECONDS = 200, 600
EARLY = 2
"""In which minute a long floor has all it needs."""
BAR = 250
"""Milliseconds within which 99 of 100 commands are answered."""
PATIENCE = 180.0


def floor() -> list[Measure]:
    """A hundred tables of all five games, a command a second and ten viewers each, over loopback.

    The generator is a process of its own on the same machine, and takes its share of it. A command is
    timed from when it was due, so that a server that falls behind is not flattered; a live message from
    its commit to the client. What else runs on the machine is told by its load, and by the share of time
    in which the server wanted a processor and had none.
    """
    kinds = ["SQLite", *(["PostgreSQL"] if postgres_server() else [])]
    return [measure for kind in kinds for measure in at_work(kind)]


def long_floor() -> list[Measure]:
    """Two hundred tables watched by two thousand for ten minutes: nothing grows."""
    kinds = ["SQLite", *(["PostgreSQL"] if postgres_server() else [])]
    return [measure for kind in kinds for measure in at_work(kind, LONG_TABLES, LONG_SECONDS)]


def at_work(kind: str, tables: int = TABLES, seconds: int = SECONDS) -> list[Measure]:
    """Serve, generate, and put together what both have measured."""
    with database(kind) as url, tempfile.TemporaryDirectory(prefix="houseway-bench-") as name:
        folder, port = Path(name), _free_port()
        words = [
            sys.executable,
            "-m",
            "benchmarks.floor_server",
            url,
            str(port),
            str(tables),
            str(seconds),
            name,
        ]
        with subprocess.Popen(words) as server:
            try:
                _wait(server, port)
                load = [sys.executable, "-m", "benchmarks.floor_load", name, str(port), str(seconds)]
                subprocess.run(load, check=True, timeout=PATIENCE + 10 * seconds)
            finally:
                server.send_signal(signal.SIGTERM)
                server.wait(PATIENCE)
        found, measured = (_read(folder / name) for name in ("load.json", "measured.json"))
        lines = (folder / "commits.txt").read_text(encoding="utf-8").splitlines()
        commits = {entry: float(at) for entry, _, at in (line.partition(" ") for line in lines)}
    return [*_lines(kind, tables, found, measured, commits)]


def _lines(
    kind: str, tables: int, found: dict[str, Any], measured: dict[str, Any], commits: dict[str, float]
) -> list[Measure]:
    took = sorted(found["took"])
    shown = sorted(
        at - commits[key]
        for table, version, at in found["shown"]
        if at >= found["begun"] and (key := f"table/{table}#{version}") in commits
    )
    working = {whose: count for whose, count in measured["samples"].items() if whose != "idle"}
    load, starved = os.getloadavg()[0], 100 * measured["starved"]
    what = f"{kind}: {tables} tables, {found['viewers']:,} viewers, load {load:.0f}, starved {starved:.0f} %"
    return [
        Measure(what, found["rate"], "commands/s", "wanted", float(tables)),
        Measure("  a command answered, the middle one", _at(took, 0.5), "ms"),
        Measure("  a command answered, one in a hundred", _at(took, 0.99), "ms", "the bar", BAR),
        Measure("  a live message, from commit to client, the middle one", _at(shown, 0.5), "ms"),
        Measure("  a live message, one in a hundred", _at(shown, 0.99), "ms", "the bar", BAR),
        Measure("  live messages", found["messages"], "messages/s"),
        Measure("  the server's processor", 100 * measured["busy"], "% of a core"),
        Measure("  of its work, in our code", 100 * working.get("ours", 0) / sum(working.values()), "%"),
        Measure("  the generator's processor", 100 * found["busy"], "% of a core"),
        *_weights(measured["megabytes"]),
    ]


def _weights(megabytes: list[float]) -> list[Measure]:
    """What the server holds at its end beside what it held in its second minute, if it ran that long."""
    if len(megabytes) <= EARLY:
        return []
    early, late = megabytes[EARLY - 1], megabytes[-1]
    what = f"  the server holds in minute {len(megabytes)}"
    return [Measure(what, late, "MB", f"in minute {EARLY}", early)]


def _at(times: list[float], share: float) -> float:
    """Return the time that a share of all are within, in milliseconds."""
    return 1e3 * times[min(len(times) - 1, int(share * len(times)))]


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _wait(server: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=PATIENCE):
                return
        except urllib.error.URLError:
            time.sleep(0.1)
    raise RuntimeError("the server does not answer")
