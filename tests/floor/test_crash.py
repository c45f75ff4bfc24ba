"""Killed at any point of an append: nothing acknowledged is lost or doubled, and the round goes on."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from houseway.floor.shared_meters import check_meter
from houseway.games import example_submission
from houseway.store.log_check import verify_log
from houseway.store.protocol import Point
from tests.floor.crashing import AWARD, open_store
from tests.floor.crashing_shift import commands, undisturbed
from tests.floor.support import make_table, new_floor
from tests.store.support import DATABASES, fresh_database

KILLED = -9
ACROSS = ("47", AWARD)
"""Which appends are interrupted: one with cards out, and one that pays a jackpot."""
COMMANDS, ENOUGH = 60, 400
"""What the last run does; and what the others would do at most, if they were not killed."""


def run(url: str, name: str, point: str = "", which: str = "") -> tuple[list[tuple[str, str, int]], int]:
    """Run a floor in its own process; return what it acknowledged, and how it ended."""
    words = [
        sys.executable,
        "-m",
        "tests.floor.crashing",
        url,
        name,
        point,
        which,
        str(ENOUGH if which else COMMANDS),
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode in (0, KILLED), done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    return [(name, table, int(version)) for name, table, version in rows], done.returncode


@pytest.mark.parametrize("kind", DATABASES)
def test_a_floor_killed_at_every_point_loses_nothing_it_acknowledged(kind: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        url = str(tmp_path / "floor.db") if kind == "sqlite" else stack.enter_context(fresh_database())
        store = open_store(url)
        for table in ("t1", "t2"):
            make_table(new_floor(store), table, example_submission("pa-659a"), "link")
        store.close()
        acknowledged: list[tuple[str, str, int]] = []
        for point in Point:
            for which in ACROSS:
                said, ended = run(url, f"{point}-{which}", point, which)
                assert ended == KILLED
                acknowledged += said
        last, ended = run(url, "last")
        assert ended == 0 and len(last) == COMMANDS
        store = open_store(url)
        verify_log(store)
        meter = new_floor(store).meter("link")
        check_meter(meter)
        assert meter.won, "a jackpot was paid and survived"
        stored = {
            (entry.command, entry.stream.removeprefix("table/"), entry.version)
            for _, entry in store.everything()
            if entry.stream.startswith("table/")
        }
        assert set(acknowledged) | set(last) <= stored
        unanswered = stored - set(acknowledged) - set(last)
        assert len(unanswered) == len(ACROSS)  # those that were durable when they were killed: never repeated
        assert len({command for command, _, _ in stored}) == len(stored)
        store.close()


@pytest.mark.parametrize("kind", DATABASES)
def test_a_shift_killed_at_every_point_and_sent_again_is_done_once(kind: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        url = str(tmp_path / "floor.db") if kind == "sqlite" else stack.enter_context(fresh_database())
        store = open_store(url)
        make_table(new_floor(store), "t1", example_submission("pa-659a"), chips=True)
        store.close()
        words = [sys.executable, "-m", "tests.floor.crashing_shift", url]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr
        answered = [line.split() for line in done.stdout.splitlines()]
        assert answered == [[one.id, str(version)] for version, one in enumerate(commands(), start=1)]
        store = open_store(url)
        verify_log(store)
        assert new_floor(store).table("t1").tray == undisturbed().table("t1").tray
        store.close()
