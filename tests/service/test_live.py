"""Live views over real sockets: what is asked costs others nothing, and slow readers hold nobody up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, Command
from houseway.rounds.steps.players import Sit
from houseway.service.connections import CloseCause
from houseway.service.live_views import ClientVersion, Hub
from houseway.service.network_limits import NetworkLimits
from houseway.service.socket_limits import TokenBucket
from houseway.store.memory import MemoryStore
from tests.floor.support import new_floor, two_tables
from tests.service.asgi import SOON
from tests.service.networking import Counted, Networked, answer, everything, networked, request

ANN, EVE = Actor("Ann", Role.PLAYER), Actor("Eve", Role.PLAYER)
UPGRADE = {
    "connection": "upgrade",
    "upgrade": "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
}
CLOSED = "houseway_connections_closed_total"
HEALTH = request("GET", "/health")
HAVE = '{"have":0}'


@contextmanager
def watching(floor: Networked, cookie: str, table: str = "t1") -> Iterator[ClientConnection]:
    """Watch a table over a real line."""
    where = f"ws://127.0.0.1:{floor.port}/api/v1/tables/{table}/live"
    with connect(where, additional_headers={"Cookie": cookie}, open_timeout=SOON, max_size=None) as line:
        yield line


def closed(line: ClientConnection) -> tuple[int | None, str | None]:
    """Return by which code a line is closed, and why, whatever comes before."""
    try:
        while True:
            line.recv(SOON)
    except ConnectionClosed:
        return line.close_code, line.close_reason


# --- what is asked ------------------------------------------------------------------------------------


def test_a_thousand_questions_at_once_are_one_view_and_the_socket_is_closed() -> None:
    with networked() as floor, watching(floor, floor.let_in("Mal")) as line:
        line.recv(SOON)
        built = len(floor.built)
        try:
            for _ in range(1000):
                line.send(HAVE)
        except ConnectionClosed:
            pass
        assert closed(line)[0] == 1008
        assert len(floor.built) - built <= 4, "looked at twice at most, for one person"


def test_questions_are_answered_from_what_is_known_and_coalesced() -> None:
    async def asked() -> None:
        floor, built, now = two_tables(new_floor(MemoryStore())), list[str](), 0.0
        hub = Hub(floor, lambda: now, lambda floor, table: Counted(built, floor, table))
        subscriptions = [hub.watch(who, "t1") for who in (ANN, ANN, EVE)]
        first, _, _ = [await each.next() for each in subscriptions]
        assert built == ["table", "Ann", "Eve"], "a person who watches twice is worked out once"
        for _ in range(100):
            subscriptions[0].ask(ClientVersion(first.version, "another"))
            subscriptions[0].ask(ClientVersion(first.version, first.hash))
        assert b'"same":true' in (await subscriptions[0].next()).text, "only the last question counts"
        subscriptions[0].ask(ClientVersion(0))
        assert await subscriptions[0].next() == first
        assert len(built) == 3
        hub.show(frozenset({"t1"}))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(subscriptions[0].next(), 0.01)
        assert [each.table for each in subscriptions] == ["t1"] * 3
        built.clear()
        now = 1.0
        for each in subscriptions:
            each.ask(ClientVersion(0))
            await each.next()
        assert built == ["table", "Ann", "Eve"], "looked at again a second later, for all of them"

    asyncio.run(asked())


def test_what_changes_is_worked_out_when_a_viewer_is_ready_and_not_before() -> None:
    async def changed() -> None:
        floor, built = two_tables(new_floor(MemoryStore())), list[str]()
        hub = Hub(floor, lambda: 0.0, lambda floor, table: Counted(built, floor, table))
        slow = hub.watch(ANN, "t1")
        first = await slow.next()
        for at, name in ((3, "Bob"), (4, "Cleo"), (6, "Eve")):
            floor.submit("t1", Command(Actor(name, Role.PLAYER), Sit(at), id=name))
            floor.run()
            hub.show(frozenset({"t1"}))
        assert built == ["table", "Ann"]
        assert (await slow.next()).version == first.version + 3
        assert built == ["table", "Ann"] * 2
        hub.show(frozenset({"t1"}))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(slow.next(), 0.01)
        hub.leave(slow)
        assert hub.viewers == 0 and not hub.people

    asyncio.run(changed())


def test_tables_are_shown_one_by_one_so_that_commands_are_heard_between_them() -> None:
    """A floor where every table changes at once has turns of its loop for other work before all are shown."""

    async def shown() -> None:
        floor, built = two_tables(new_floor(MemoryStore())), list[str]()
        hub = Hub(floor, lambda: 0.0, lambda floor, table: Counted(built, floor, table))
        lines = [hub.watch(ANN, table) for table in floor.tables]
        for line in lines:
            await line.next()
        built.clear()
        waiting = [asyncio.create_task(line.next()) for line in lines]
        await asyncio.sleep(0)
        for table in floor.tables:
            floor.submit(table, Command(Actor("Bob", Role.PLAYER), Sit(3), id=table))
        floor.run()
        hub.show(frozenset(floor.tables))
        turns = list[int]()
        while len(turns) < 20 and not all(task.done() for task in waiting):
            await asyncio.sleep(0)
            turns.append(built.count("table"))
        assert turns[0] <= 1 and 1 in turns and turns[-1] == len(lines)

    asyncio.run(shown())


@pytest.mark.parametrize("said", ["x", "[]", '{"have":"x"}'])
def test_what_is_not_understood_is_refused(said: str) -> None:
    with networked() as floor, watching(floor, floor.let_in("Ann")) as line:
        line.send(said)
        code, reason = closed(line)
        assert code == 1007 and "have" in str(reason)
        floor.until(lambda: floor.server.hub.viewers == 0)


def test_a_message_is_at_most_a_kilobyte() -> None:
    with networked() as floor, watching(floor, floor.let_in("Ann")) as line:
        line.send('{"have":0,"hash":"' + "x" * 900 + '"}')
        line.recv(SOON)
        line.send("x" * 1025)
        assert closed(line)[0] == 1009


def test_pings_without_number_close_the_socket() -> None:
    with networked() as floor, watching(floor, floor.let_in("Ann")) as line:
        line.recv(SOON)
        ping = b"\x89\x80" + bytes(4)
        try:
            for _ in range(100):
                line.socket.sendall(ping * 1000)
        except OSError:
            pass
        floor.until(lambda: floor.server.hub.viewers == 0)
        assert floor.measured(CLOSED, cause=CloseCause.FLOOD) == 1


def test_a_bucket_gives_so_much_at_once_and_fills_at_its_pace() -> None:
    now = 100.0
    bucket = TokenBucket(10, 20, lambda: now)
    assert [bucket.take() for _ in range(21)] == [True] * 20 + [False]
    now += 0.25
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now += 1000
    assert bucket.take(20) and not bucket.take(0.1)


# --- how many -----------------------------------------------------------------------------------------


def test_a_session_has_twelve_sockets_and_the_next_is_told_so() -> None:
    with networked() as floor:
        cookie = floor.let_in("Ann")
        lines = [floor.lines().enter_context(watching(floor, cookie)) for _ in range(12)]
        with watching(floor, cookie) as line:
            assert closed(line) == (4429, "you watch 12 tables already")
        with watching(floor, floor.let_in("Eve")) as line:
            line.recv(SOON)
        assert floor.measured("houseway_sockets_refused_total", limit="session") == 1
        floor.until(lambda: floor.measured("houseway_sockets_open") == 12)
        lines[0].close()
        floor.until(lambda: floor.measured("houseway_sockets_open") == 11)
        with watching(floor, cookie) as line:
            line.recv(SOON)


def test_an_address_has_only_so_many_sockets() -> None:
    with networked(NetworkLimits(sockets_per_address=3)) as floor:
        for name in ("Ann", "Bob", "Cleo"):
            floor.lines().enter_context(watching(floor, floor.let_in(name))).recv(SOON)
        with watching(floor, floor.let_in("Eve")) as line:
            assert closed(line) == (4429, "3 live views go to your address already")
        assert floor.measured("houseway_sockets_refused_total", limit="address") == 1


def test_sockets_count_as_connections_of_their_address_until_they_end() -> None:
    with networked(NetworkLimits(connections_per_address=2)) as floor:
        with watching(floor, floor.let_in("Ann")), watching(floor, floor.let_in("Bob")):
            floor.until(lambda: floor.server.hub.viewers == 2)
            assert floor.measured("houseway_connections_open") == 2
            assert not everything(floor.line(HEALTH)).startswith(b"HTTP/1.1 200 ")
        floor.until(lambda: floor.measured("houseway_connections_open") == 0)
        assert answer(floor.line(HEALTH))[0] == 200


# --- who reads nothing --------------------------------------------------------------------------------


def test_who_reads_nothing_is_let_go_and_everybody_else_is_shown_what_happens() -> None:
    with networked(padding=8_000_000) as floor, watching(floor, floor.let_in("Ann")) as line:
        version = json.loads(line.recv(SOON))["version"]
        deaf = floor.line(
            request("GET", "/api/v1/tables/t1/live", {**UPGRADE, "cookie": floor.let_in("Mal")})
        )
        floor.until(lambda: floor.server.hub.viewers == 2)
        for number in range(3):
            floor.show("t1")
            line.send(f'{{"have":{number}}}')
            assert json.loads(line.recv(SOON))["version"] == version
        floor.late_until(lambda: floor.measured(CLOSED, cause=CloseCause.SLOW_READER) == 1)
        text = everything(deaf)
        assert text.startswith(b"HTTP/1.1 101 ") and len(text) < 8_000_000
        floor.until(lambda: floor.server.hub.viewers == 1)
        line.send(HAVE)
        assert json.loads(line.recv(SOON))["version"] == version
