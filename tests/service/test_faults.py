"""Nothing stops a floor: its database restarts, is cut off, fills up; all that was sent is answered truly."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from houseway.rounds.roles import Role
from houseway.service.api.auth import Identity
from houseway.store.memory import MemoryStore
from houseway.store.store_errors import StoreGoneError
from tests.floor.support import new_floor, two_tables
from tests.service.load import DECK_KEY, Load, check_log, conditions, furnish, load, until
from tests.service.support import Person, served
from tests.service.test_serve_command import free_port, serving, started
from tests.service.test_workers import children
from tests.store.own_postgres import OwnPostgres, own_postgres

MODES = ("fast", "immediate")
AWAY = 1.0
"""Seconds that a database is away in the tests of every change, and in those of ``make prove``."""
LONG_AWAY = 30.0
BETWEEN = 10
"""So many commands are carried out between two faults."""


@pytest.fixture(autouse=True)
def _deck_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSEWAY_DECK_KEY", DECK_KEY)


# --- PostgreSQL ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server() -> Iterator[OwnPostgres]:
    with own_postgres() as postgres:
        yield postgres


@pytest.fixture
def database(server: OwnPostgres) -> OwnPostgres:
    """An empty database on a server that nobody else uses."""
    server.start()
    server.empty()
    return server


def through_outages(database: OwnPostgres, workers: int, restarts: int, cuts: int, away: float) -> None:
    """Serve a floor from a PostgreSQL that restarts and loses its connections; check all that was answered.

    The last time it is away for so many seconds.
    """
    players = furnish(database.url)
    port = free_port()
    with serving(database.url, port, "--workers", str(workers)), load(port, players) as crowd:
        crowd.go_on(BETWEEN)
        ended = 0
        for _ in range(cuts):
            ended += database.cut()
            crowd.go_on(BETWEEN)
        for _, mode in zip(range(restarts), cycle(MODES), strict=False):
            restart(database, mode, crowd)
        restart(database, MODES[0], crowd, away)
        until(lambda: conditions(port) == (200, []), "ready")
        figures = crowd.end()
    counts = check_log(database.url, figures)
    assert not counts["not answered in time"]
    print(f"{workers} processes, {restarts} restarts, {cuts} cuts of {ended} connections: {dict(counts)}")
    print(f"slowest answer: {figures.slowest:.1f} s")


def restart(database: OwnPostgres, mode: str, crowd: Load, away: float = 0.0) -> None:
    """Stop the database, and start it again after so many seconds."""
    database.stop(mode)
    time.sleep(away)
    database.start()
    crowd.go_on(BETWEEN)


def test_a_postgresql_that_restarts_and_loses_connections_stops_nothing(database: OwnPostgres) -> None:
    through_outages(database, workers=1, restarts=1, cuts=15, away=AWAY)


def test_a_postgresql_that_restarts_stops_none_of_three_processes(database: OwnPostgres) -> None:
    through_outages(database, workers=3, restarts=0, cuts=3, away=0.0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("workers", [1, 3])
def test_a_postgresql_that_restarts_and_loses_connections_for_long(
    database: OwnPostgres, workers: int
) -> None:
    through_outages(database, workers, restarts=19, cuts=200, away=LONG_AWAY)


def test_whoever_comes_while_the_database_is_away_is_told_to_come_again() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    with served(floor) as (client, server):
        pat = Person(client, "Pat", Role.PLAYER)

        async def find(_: str) -> Identity | None:
            raise StoreGoneError("the database does not answer")

        server.auth.find = find  # type: ignore[method-assign, assignment]
        for answer in (pat.do("t1", {"step": "sit", "position": 3}), pat.send("GET", "/api/v1/tables")):
            assert answer.status_code == 503 and answer.headers["retry-after"]
            assert "nothing was changed" in answer.json()["title"]


# --- SQLite -------------------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path) -> Iterator[Callable[[int], AbstractContextManager[None]]]:
    """Give a function that fills the disk under a folder as long as its block lasts."""
    disk = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    subprocess.run(disk, check=True, capture_output=True)

    @contextmanager
    def full(_: int) -> Iterator[None]:
        filler = folder / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        yield
        filler.unlink()

    try:
        yield full
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def small_files(folder: Path) -> Iterator[Callable[[int], AbstractContextManager[None]]]:
    """Give a function that lets no file of a process grow as long as its block lasts."""
    del folder

    @contextmanager
    def limited(parent: int) -> Iterator[None]:
        (server,) = children(parent)
        _, most = resource.prlimit(server, resource.RLIMIT_FSIZE)
        resource.prlimit(server, resource.RLIMIT_FSIZE, (4096, most))
        yield
        resource.prlimit(server, resource.RLIMIT_FSIZE, (most, most))

    yield limited


def may_mount() -> bool:
    """Whether this process may mount a disk: a full one is tried then too, besides files that do not grow."""
    with TemporaryDirectory() as folder:
        try:
            subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return False
        subprocess.run(["umount", folder], check=True)
        return True


TROUBLES = {"small files": small_files, **({"full disk": small_disk} if may_mount() else {})}


def through_troubles(folder: Path, troubles: Iterable[str], times: int, seconds: float) -> None:
    """Serve a floor from a disk that takes nothing for so many seconds, so many times for each reason."""
    with ExitStack() as kinds:
        stops = [kinds.enter_context(TROUBLES[trouble](folder)) for trouble in troubles]
        database, port = folder / "floor.db", free_port()
        players = furnish(str(database))
        with serving(database, port) as served_by, load(port, players) as crowd:
            for stopped in stops * times:
                crowd.go_on(BETWEEN)
                with stopped(served_by.pid):
                    until(lambda: conditions(port) == (503, ["storage"]), "storage is named")
                    answered = crowd.answered
                    time.sleep(seconds)
                    # what is refused needs no room, and a log that begins anew has some left
                    assert crowd.answered <= answered + 10 * len(players), "hardly anything finds room"
                crowd.go_on(BETWEEN)
                until(lambda: conditions(port) == (200, []), "ready")
            figures = crowd.end()
        counts = check_log(str(database), figures)
    assert not counts["not answered in time"]
    print(f"{len(stops)} troubles, {times} times: {dict(counts)}; slowest answer: {figures.slowest:.1f} s")


def test_a_disk_that_takes_nothing_is_named_and_all_goes_on_by_itself(tmp_path: Path) -> None:
    through_troubles(tmp_path, TROUBLES, times=1, seconds=1)


@pytest.mark.exhaustive
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_disk_that_takes_nothing_again_and_again(trouble: str, tmp_path: Path) -> None:
    through_troubles(tmp_path, [trouble], times=10, seconds=15)


# --- processes ----------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_a_process_begun_while_the_database_is_away_says_so_in_a_line_and_comes_back(
    database: OwnPostgres,
) -> None:
    players = furnish(database.url)
    port = free_port()
    with serving(database.url, port) as served_by, load(port, players) as crowd:
        crowd.go_on(BETWEEN)
        database.stop("fast")
        (first,) = children(served_by.pid)
        os.kill(first, signal.SIGKILL)
        until(lambda: any("cannot begin" in line for line in served_by.said), "a process that cannot begin")
        database.start()
        crowd.go_on(BETWEEN)
        figures = crowd.end()
    check_log(database.url, figures)
    line = next(line for line in served_by.said if "cannot begin" in line)
    assert "the database does not answer" in line


@pytest.mark.parametrize("kind", [pytest.param("ends", marks=pytest.mark.exhaustive), "hangs"])
def test_a_process_whose_loop_cannot_go_on_gives_itself_up_for_another(kind: str, tmp_path: Path) -> None:
    database, port, mark = tmp_path / "floor.db", free_port(), tmp_path / "begun"
    players = furnish(str(database))
    words = [sys.executable, "-m", "tests.service.hanging", kind, str(database), str(port), str(mark)]
    with started(words, port) as served_by, load(port, players) as crowd:
        (first,) = children(served_by.pid)
        if kind == "hangs":
            until(lambda: "loop" in conditions(port)[1], "the loop is named")
        until(lambda: children(served_by.pid) not in ([first], []), "another process")
        crowd.go_on(BETWEEN)
        until(lambda: conditions(port) == (200, []), "ready")
        figures = crowd.end()
    assert any("gives itself up" in line for line in served_by.said)
    print(f"{kind}: {dict(check_log(str(database), figures))}")
