"""Connections over real sockets: whoever begins and does not end is let go, and everybody else is served."""

from __future__ import annotations

import socket
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from pickle import loads
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from houseway.cli.app import app as command_line
from houseway.errors import InvalidInputError
from houseway.service.connections import CloseCause, Connections
from houseway.service.metrics import Metrics
from houseway.service.network_limits import NetworkLimits
from houseway.service.uvicorn_protocols import ANSWERS
from houseway.service.workers import listen_at
from tests.service.asgi import CSRF
from tests.service.networking import Networked, answer, everything, networked, request

HEALTH = request("GET", "/health")
HALF = b"GET /health HTTP/1.1\r\nhost: floor\r\nx-half: "
CLOSED = "houseway_connections_closed_total"
SITS = b'{"id": "1", "action": {"step": "sit", "position": 6}}'
OTHERS = "127.0.0.2"


def served(floor: Networked, host: str = "127.0.0.1") -> bool:
    """Whether somebody who asks is answered."""
    with floor.line(HEALTH, host) as line:
        return answer(line)[0] == 200


def test_six_hundred_half_sent_headers_are_let_go_while_others_are_served() -> None:
    with networked() as floor:
        halves: list[socket.socket] = []
        for _ in range(12):
            halves += [floor.line(HALF) for _ in range(50)]
            floor.until(lambda: floor.measured("houseway_connections_open") <= 64)  # open files are few
        crowded = [everything(line) for line in halves[:500]]  # the first, give or take a few
        assert served(floor) and served(floor, OTHERS)
        assert {text.partition(b"\r\n")[0] for text in crowded} <= {b"HTTP/1.1 503 Service Unavailable", b""}
        late = [floor.late(line) for line in halves[560:]]
        assert all(text.startswith(b"HTTP/1.1 408 ") for text in late)
        floor.until(lambda: floor.measured("houseway_connections_open") == 0)
        assert served(floor)
        assert floor.measured(CLOSED, cause=CloseCause.UNFINISHED) >= 40


def test_who_connects_and_sends_nothing_or_a_byte_now_and_then_is_let_go() -> None:
    with networked() as floor:
        silent, dripping = floor.line(), floor.line(HALF)
        for _ in range(4):
            floor.runtime.ahead += 2
            dripping.sendall(b"x")
        assert floor.measured(CLOSED, cause=CloseCause.UNFINISHED) == 0
        for line in (silent, dripping):
            assert floor.late(line).startswith(b"HTTP/1.1 408 ")


def test_a_connection_that_is_kept_has_time_for_its_next_request_from_the_first_byte_of_it() -> None:
    with networked() as floor, floor.line(HEALTH) as line:
        assert answer(line)[0] == 200
        floor.runtime.ahead += 100
        line.sendall(HALF)
        floor.runtime.ahead += 5
        line.sendall(b"1\r\n\r\n")
        assert answer(line)[0] == 200
        line.sendall(HALF)
        assert floor.late(line).startswith(b"HTTP/1.1 408 ")


def test_headers_longer_than_any_are_refused() -> None:
    with networked() as floor:
        line = floor.line(HALF + b"x" * (16 * 1024 + 1))
        assert everything(line).startswith(b"HTTP/1.1 400 ")
        assert served(floor)


def test_an_address_has_only_so_many_connections_and_another_has_its_own() -> None:
    with networked(NetworkLimits(connections_per_address=5)) as floor:
        lines = [floor.line(HEALTH) for _ in range(5)]
        assert [answer(line)[0] for line in lines] == [200] * 5
        refused = everything(floor.line(HEALTH))
        assert refused.startswith(b"HTTP/1.1 503 ") or not refused, "it may be lost with the connection"
        assert not refused or refused.endswith(b"your address has as many connections as it may have")
        assert floor.measured(CLOSED, cause=CloseCause.TOO_MANY) == 1
        assert served(floor, OTHERS)
        lines[0].close()
        floor.until(lambda: floor.measured("houseway_connections_open") <= 4)
        assert served(floor)


def test_a_body_that_does_not_come_whole_is_answered_408_and_its_connection_ends() -> None:
    with networked() as floor:
        headers = {"cookie": floor.let_in("Ann"), "x-csrf-token": CSRF}
        whole = request("POST", "/api/v1/tables/t1/commands", headers, SITS)
        line = floor.line(whole[:-5])
        text = floor.late(line)
        assert text.startswith(b"HTTP/1.1 408 ") and b"the request must arrive within 10 seconds" in text
        assert b"\r\nconnection: close\r\n" in text
        whole_line = floor.line(whole)
        assert answer(whole_line)[0] == 200


def test_the_rest_of_a_body_that_nobody_asked_for_is_not_waited_for_either() -> None:
    with networked() as floor:
        line = floor.line(b"POST /api/v1/session/guest HTTP/1.1\r\nhost: floor\r\ncontent-length: 90000\r\n")
        line.sendall(b"origin: https://elsewhere.example\r\n\r\nx")
        assert answer(line)[0] == 403
        for _ in range(4):
            floor.runtime.ahead += 2
            line.sendall(b"x")
        assert floor.late(line) == b""
        assert floor.measured(CLOSED, cause=CloseCause.UNFINISHED) == 1


def test_answers_are_sent_at_once_by_every_process_that_accepts() -> None:
    with listen_at("127.0.0.1", 0) as listening, loads(ForkingPickler.dumps(listening)) as in_a_worker:
        assert in_a_worker.proto == socket.IPPROTO_TCP
    with networked() as floor, floor.line(HEALTH) as line:
        assert answer(line)[0] == 200
        assert _no_delay(line.getsockname(), line.getpeername()) == 1


def _no_delay(client: tuple[str, int], server: tuple[str, int]) -> int:
    """Return whether the server's end of a line, which is in this process, sends at once."""
    for entry in Path("/proc/self/fd").iterdir():
        try:
            end = socket.socket(fileno=int(entry.name))
        except OSError:
            continue
        try:
            if end.getsockname() == server and end.getpeername() == client:
                return end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        except OSError:
            pass
        finally:
            end.detach()
    raise AssertionError("no such line")


# --- readers ------------------------------------------------------------------------------------------


class Reader:
    """A connection of which only what waits for its reader matters."""

    def __init__(self, address: str = OTHERS) -> None:
        self.address, self.unsent = address, 0
        self.given_up: list[CloseCause] = []

    def give_up(self, cause: CloseCause) -> None:
        self.given_up.append(cause)


def test_a_reader_has_half_a_minute_from_when_it_last_took_something() -> None:
    now, slow, deaf = 0.0, Reader(), Reader()
    connections = Connections(NetworkLimits(), Metrics(), lambda: now)
    for reader in (slow, deaf):
        assert connections.open(reader)
        reader.unsent = 1000
    connections.close_late()
    for now in (29.0, 30.0, 58.0):
        slow.unsent -= 1
        connections.close_late()
        assert deaf.given_up == ([CloseCause.SLOW_READER] if now >= 30 else [])
        connections.close(deaf if deaf.given_up else Reader())
    assert not slow.given_up
    slow.unsent = 0
    connections.close_late()
    now = 200.0
    connections.close_late()
    assert not slow.given_up, "whoever has taken everything is waited for no more"


def test_whoever_asks_at_once_is_not_crowded_out_by_those_who_do_not() -> None:
    connections = Connections(NetworkLimits(unfinished_per_address=2), Metrics(), lambda: 0.0)
    first, second, third, elsewhere = Reader(), Reader(), Reader(), Reader("192.0.2.1")
    for reader in (elsewhere, first, second):
        assert connections.open(reader)
        connections.wait(reader, CloseCause.UNFINISHED)
    connections.stop_waiting(first, CloseCause.UNFINISHED)
    connections.open(third)
    connections.wait(third, CloseCause.UNFINISHED)
    assert not second.given_up
    connections.wait(first, CloseCause.UNFINISHED)
    given_up = [each.given_up for each in (first, second, third, elsewhere)]
    assert given_up == [[], [CloseCause.CROWDED_OUT], [], []]


def test_a_connection_has_ten_seconds_for_its_request_and_a_reader_thirty() -> None:
    now, asks, reads = 0.0, Reader(), Reader()
    connections = Connections(NetworkLimits(), Metrics(), lambda: now)
    for each in (asks, reads):
        assert connections.open(each)
    connections.wait(asks, CloseCause.UNFINISHED)
    reads.unsent = 1
    ended = {}
    for tenths in range(400):
        now = tenths / 10
        connections.close_late()
        for each in (asks, reads):
            if each.given_up and each not in ended:
                ended[each] = (now, each.given_up[0])
                connections.close(each)
    assert ended == {asks: (10, CloseCause.UNFINISHED), reads: (30, CloseCause.SLOW_READER)}


def test_who_is_closed_before_an_answer_is_told_why() -> None:
    assert {cause: (status.value, why.decode()) for cause, (status, why) in ANSWERS.items()} == {
        CloseCause.UNFINISHED: (408, "the request did not come in time"),
        CloseCause.CROWDED_OUT: (503, "too many connections of your address have sent no request"),
        CloseCause.TOO_MANY: (503, "your address has as many connections as it may have"),
    }
    with networked(NetworkLimits(unfinished_per_address=1)) as floor:
        first, second = floor.line(HALF), floor.line(HALF)
        assert everything(first).endswith(b"too many connections of your address have sent no request")
        second.close()


@pytest.mark.parametrize(
    ("limit", "usual"),
    [
        ("connections_per_address", 512),
        ("unfinished_per_address", 64),
        ("sockets_per_address", 256),
        ("sockets_per_session", 12),
    ],
)
def test_the_limits_of_an_address_are_those_of_the_manual_and_may_be_others(limit: str, usual: int) -> None:
    assert getattr(NetworkLimits(), limit) == usual
    for least_or_most in (1, 100_000):
        assert getattr(replace(NetworkLimits(), **{limit: least_or_most}), limit) == least_or_most
    for none in (0, 100_001):
        with pytest.raises(InvalidInputError, match="from 1 to 100,000"):
            replace(NetworkLimits(), **{limit: none})


# --- proxies ------------------------------------------------------------------------------------------


def guests(floor: Networked, *addresses: str, by: str = "127.0.0.1") -> list[int]:
    """Return what is answered to guests who come from so many addresses, as a header says that one sends."""
    answered = []
    for address in addresses:
        headers = {"x-forwarded-for": address, "x-forwarded-proto": "https"}
        with floor.line(request("POST", "/api/v1/session/guest", headers), by) as line:
            answered.append(answer(line)[0])
    return answered


MANY = tuple(f"192.0.2.{number}" for number in range(1, 7))


def test_what_a_stranger_says_of_their_address_gets_them_no_further_tries() -> None:
    with networked(real_door=True) as floor:
        assert guests(floor, *MANY) == [200] * 5 + [429]


def test_what_a_trusted_proxy_says_is_believed_and_what_others_say_is_not() -> None:
    with networked(NetworkLimits(trusted_proxies=("127.0.0.2", "127.9.0.0/16")), real_door=True) as floor:
        assert guests(floor, *MANY[:4], by=OTHERS) == [200] * 4
        assert guests(floor, *MANY[4:], by="127.9.8.7") == [200] * 2
        assert guests(floor, *MANY[:1] * 5, by=OTHERS) == [200] * 4 + [429]
        assert guests(floor, *MANY) == [200] * 5 + [429]


@pytest.mark.parametrize("trusted", [(), ("127.0.0.1",)])
def test_cookies_are_secure_where_a_trusted_proxy_says_https(trusted: tuple[str, ...]) -> None:
    with networked(NetworkLimits(trusted_proxies=trusted), real_door=True) as floor:
        line = floor.line(request("POST", "/api/v1/session/guest", {"x-forwarded-proto": "https"}))
        status, text = answer(line)
        (cookie,) = (one for one in text.split("\r\n") if one.startswith("set-cookie"))
        assert status == 200 and ("; Secure" in cookie) is bool(trusted)


def test_connections_of_a_trusted_proxy_are_not_counted_for_they_are_of_many_people() -> None:
    network = NetworkLimits(
        connections_per_address=2, unfinished_per_address=2, trusted_proxies=("127.0.0.1",)
    )
    with networked(network) as floor:
        lines = [floor.line(HEALTH) for _ in range(5)]
        assert [answer(line)[0] for line in lines] == [200] * 5


@pytest.mark.parametrize(
    ("named", "value"),
    [
        ({"trusted_proxies": ("proxy.example",)}, "proxy.example"),
        ({"connections_per_address": 0}, "0"),
        ({"sockets_per_address": 100_001}, "100001"),
        ({"sockets_per_session": -1}, "-1"),
    ],
)
def test_what_is_no_proxy_or_no_limit_is_refused_by_name(named: dict[str, Any], value: str) -> None:
    with pytest.raises(InvalidInputError, match=value):
        NetworkLimits(**named)


def test_a_proxy_is_named_on_the_command_line() -> None:
    words = ["serve", "--trusted-proxy", "10.0.0.1,proxy.example", "--database", "none.db"]
    done = CliRunner().invoke(command_line, words)
    assert "proxy.example" in str(done.exception), done.output
