"""Several servers of one floor: what one does the others show, one of them drives, and none is missed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from houseway.cli.app import app as command_line
from houseway.cli.system import SystemRuntime
from houseway.floor.core import Floor
from houseway.floor.verification import verify_floor
from houseway.games import example_submission
from houseway.intake import AUTO
from houseway.rng import SystemEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.api import make_app
from houseway.service.driver import Driver
from houseway.service.leader import PostgresLeader
from houseway.service.metrics import FRESH, Metrics
from houseway.service.server_setup import build_server
from houseway.service.table_plans import HousePlayer, Pace, TablePlan
from houseway.store.postgres import PostgresStore
from tests.floor.support import SAFE, make_table
from tests.service.asgi import SOON, OpenDoor, Viewer, post
from tests.service.test_serve_command import ask, free_port, serving
from tests.store.support import fresh_database

ANN = Actor("Ann", Role.PLAYER)
PLAN = TablePlan(players={2: HousePlayer("Bea"), 5: HousePlayer("Cal")}, pace=Pace(0, 0, 0))


class Serving:
    """A server with connections of its own, as a process is one."""

    def __init__(self, url: str, plan: TablePlan | None) -> None:
        runtime = SystemRuntime()
        floor = Floor(PostgresStore(url), runtime.now, SystemEntropy(), SAFE)
        self.server = build_server(floor, {"t": plan} if plan else {}, runtime)
        self.server.auth = self.door = OpenDoor()
        self.app = make_app(self.server)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self.app.router.lifespan_context(self.app):
            yield
        self.server.close()

    @property
    def driver(self) -> Driver:
        assert self.server.driver is not None
        return self.server.driver

    @property
    def rounds(self) -> int:
        return self.server.loop.floor.table("t").table.rounds


def on_one_table(scene: Callable[[str], Any]) -> None:
    """Run a scene on a PostgreSQL database with one table."""
    with fresh_database() as url:
        floor = Floor(PostgresStore(url), SystemRuntime().now, SystemEntropy(), SAFE)
        make_table(floor, "t", example_submission("pa-575"))
        floor.store.close()
        asyncio.run(asyncio.wait_for(scene(url), 3 * SOON))


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something is so."""
    for _ in range(round(SOON / 0.02)):
        if holds():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never comes to that")


def test_a_command_sent_to_one_server_shows_live_at_a_viewer_of_the_other() -> None:
    async def scene(url: str) -> None:
        one, other = Serving(url, None), Serving(url, None)
        async with one.running(), other.running():
            viewer = Viewer(other.door.let_in(Actor("Sam", Role.SURVEILLANCE)), "t")
            viewer.connect(other.app)
            await until(lambda: viewer.received == 1)
            body = {"id": "1", "action": {"step": "sit", "position": 4}}
            status, said = await post(one.app, "/api/v1/tables/t/commands", one.door.let_in(ANN), body)
            assert status == 200
            await viewer.shown(said["version"])
            assert await viewer.is_up_to_date()
            await viewer.break_off()

    on_one_table(scene)


def test_one_of_two_servers_drives_and_the_other_takes_over_knowing_who_is_there() -> None:
    async def scene(url: str) -> None:
        servers = Serving(url, PLAN), Serving(url, PLAN)
        async with AsyncExitStack() as first_stack, AsyncExitStack() as second_stack:
            stacks = first_stack, second_stack
            for serving_one, stack in zip(servers, stacks, strict=True):
                await stack.enter_async_context(serving_one.running())
            await until(lambda: all(one.rounds for one in servers))
            driving = [one.driver._watched != {} for one in servers]
            assert sorted(driving) == [False, True], "one of them drives, and both see what comes of it"
            first, second = servers if driving[0] else reversed(servers)
            first.server.note_seen(ANN.id)
            first.server.note_ready("t", ANN.id)
            await until(lambda: ANN.id in second.driver._seen)
            await until(lambda: "t" in second.driver._watched and bool(second.driver._watched["t"].ready))
            await stacks[0 if driving[0] else 1].aclose()
            rounds = second.rounds
            await until(lambda: second.rounds >= rounds + 2)

    on_one_table(scene)


def test_the_lock_of_whoever_drives_is_free_once_they_are_gone() -> None:
    with fresh_database() as url:
        one, other = PostgresLeader(url), PostgresLeader(url)
        assert one.leads() and not other.leads() and one.leads() and not other.leads()
        one.close()
        assert other.leads() and not one.leads()
        other.close()
        assert one.leads()
        one.close()


# --- real processes -----------------------------------------------------------------------------------


def children(pid: int) -> list[int]:
    """Return the server processes of a parent."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(one) for one in found if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


def watching(stack: ExitStack, port: int, cookie: str) -> ClientConnection:
    """Watch a table over a real line."""
    where = f"ws://127.0.0.1:{port}/api/v1/tables/pa-659a/live"
    return stack.enter_context(connect(where, additional_headers={"Cookie": cookie}, open_timeout=SOON))


def test_two_processes_on_one_port_one_is_killed_and_all_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSEWAY_DECK_KEY", "07" * 32)
    with fresh_database() as url, ExitStack() as stack:
        port = free_port()
        with serving(url, port, "--workers", "2", "--demo", "--pace", "0.05") as served:
            assert any("demo-only-pat" in line for line in served.said)
            login = {"name": "Administrator", "password": "demo-only-administrator"}
            cookie = ask(port, "/api/v1/session", login)["cookie"]
            parent = served.pid
            first, second = children(parent)
            lines = [watching(stack, port, cookie) for _ in range(8)]
            versions = [json.loads(line.recv(SOON))["version"] for line in lines]
            os.kill(first, signal.SIGKILL)
            live = [line for line in lines if _goes_on(line, max(versions) + 3)]
            deadline = time.monotonic() + 3 * SOON
            while len(children(parent)) < 2 and time.monotonic() < deadline:
                time.sleep(0.1)
            assert second in children(parent) and first not in children(parent)
            again = watching(stack, port, cookie)
            live.append(again)
        assert [_closed(line) for line in live] == [1012] * len(live), "a stopping server says so"
        store = PostgresStore(url)
        with store.picture() as picture:
            found = verify_floor(picture)
            assert found.total == 0
            automatic = [entry.command for _, entry in picture.everything() if entry.command.startswith(AUTO)]
            assert len(automatic) > 50
        store.close()


def _goes_on(line: ClientConnection, version: int) -> bool:
    """Whether a line shows a version before it breaks."""
    try:
        while json.loads(line.recv(SOON))["version"] < version:
            pass
    except ConnectionClosed:
        return False
    return True


def _closed(line: ClientConnection) -> int | None:
    """Return the code by which a line was closed."""
    try:
        while True:
            line.recv(SOON)
    except ConnectionClosed:
        return line.close_code


# --- what is refused, what is counted -----------------------------------------------------------------


def test_several_processes_on_a_sqlite_file_are_refused_in_a_line() -> None:
    done = CliRunner().invoke(command_line, ["serve", "--workers", "2", "--database", "floor.db"])
    assert done.exit_code and "several need --database postgresql" in str(done.exception)


def test_whichever_process_is_asked_answers_for_all(tmp_path: Path) -> None:
    now = 0.0
    mine, theirs = Metrics(), Metrics()
    for metrics, viewers in ((mine, 2), (theirs, 3)):
        metrics.share(tmp_path, lambda: now)
        metrics.viewers.set(viewers)
        metrics.sockets_refused.labels("address").inc(viewers)
        for seconds in (0.002, 0.2):
            metrics.count_request("table", 200, seconds)
    theirs.publish()
    (left,) = tmp_path.glob("*.json")
    left.rename(tmp_path / "1.json")
    text = mine.text().decode().splitlines()
    counted = {
        'houseway_requests_total{route="table",status="200"} 4.0',
        'houseway_request_seconds_bucket{le="0.0025",route="table"} 2.0',
        'houseway_request_seconds_bucket{le="+Inf",route="table"} 4.0',
        'houseway_request_seconds_count{route="table"} 4.0',
        'houseway_sockets_refused_total{limit="address"} 5.0',
    }
    assert counted <= set(text)
    assert {"houseway_viewers 5.0", "houseway_waiting 0.0", "houseway_processes 2.0"} <= set(text)
    now = FRESH
    text = mine.text().decode().splitlines()
    assert counted <= set(text), "what a process counted that is gone still counts"
    assert {"houseway_viewers 2.0", "houseway_processes 1.0"} <= set(text)
