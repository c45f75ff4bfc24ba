"""A process as a server is one: what its imports cost, and what it holds with a table of each game."""

from __future__ import annotations

import json
import time
from importlib import import_module
from pathlib import Path

NEEDED = ("live", "views", "codec", "redaction", "options")
"""What a server needs of ``houseway.rounds``."""
GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
ROUNDS = 20


def import_seconds() -> float:
    """Import what a server needs; return the processor's time for it."""
    begin = time.process_time()
    for name in NEEDED:
        import_module(f"houseway.rounds.{name}")
    return time.process_time() - begin


def megabytes_playing() -> float:
    """Play rounds of every game, keep the tables, and return the most memory that was ever resident."""
    prepare = import_module("benchmarks.prepare")
    tables = [prepare.played_table(game, ROUNDS) for game in GAMES]
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    del tables
    return int(status["VmHWM"].split()[0]) / 1024


if __name__ == "__main__":
    print(json.dumps({"import": import_seconds(), "resident": megabytes_playing()}))
