"""A floor under a flood: what other people's commands take while guests flood sockets and sign-ins.

Server, flood and whoever is measured are processes of their own on one machine. The flood comes from loopback
addresses of its own, and begins again whenever it is thrown out.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from http.client import HTTPConnection

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from benchmarks.live_floor import _at, _free_port, _wait
from benchmarks.measure import Measure
from houseway.service.api.auth import COOKIE, CSRF_HEADER

SOCKETS, SIGN_INS = 8, 40
SECONDS = 15.0
APART = 0.02
"""Seconds between two commands of whoever is measured."""
QUIET_BAR, KEPT_BAR = 4, 5
"""How many times its quiet value a command's p99 may take; milliseconds of a kept connection's answer."""


def floods() -> list[Measure]:
    """Commands of one person, quiet and under a flood of sockets and sign-ins; and a kept connection."""
    port = _free_port()
    with tempfile.TemporaryDirectory(prefix="houseway-bench-") as folder:
        words = ["-m", "houseway", "serve", "--demo", "--database", f"{folder}/floor.db", "--port", str(port)]
        with subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL) as server:
            try:
                _wait(server, port)
                time.sleep(5)  # its tables open
                kept = sorted(_kept_answers(port))
                cookie, csrf = _signed_in(port)
                quiet = sorted(_commands(port, cookie, csrf))
                flood = [sys.executable, "-m", "benchmarks.floods", str(port), str(SECONDS + 10)]
                with subprocess.Popen(flood, stdout=subprocess.PIPE, text=True) as flooding:
                    time.sleep(3)
                    loud = sorted(_commands(port, cookie, csrf))
                    sent = json.loads(flooding.communicate(timeout=60)[0])
            finally:
                server.send_signal(signal.SIGTERM)
                server.wait(60)
    at_most = QUIET_BAR * _at(quiet, 0.99)
    what = f"  under {sent['messages']:,} messages and {sent['tries']:,} sign-ins, one in a hundred"
    return [
        Measure("a kept connection's answer, the middle one", _at(kept, 0.5), "ms", "the bar", KEPT_BAR),
        Measure("a command on a quiet floor, the middle one", _at(quiet, 0.5), "ms"),
        Measure("  one in a hundred", _at(quiet, 0.99), "ms"),
        Measure(what, _at(loud, 0.99), "ms", "four times quiet", at_most),
        Measure("  the middle one", _at(loud, 0.5), "ms"),
    ]


def _kept_answers(port: int) -> list[float]:
    """Return how long plain questions took on one connection."""
    connection, took = HTTPConnection("127.0.0.1", port), []
    for _ in range(300):
        begun = time.perf_counter()
        connection.request("GET", "/health")
        connection.getresponse().read()
        took.append(time.perf_counter() - begun)
    return took


def _signed_in(port: int) -> tuple[str, str]:
    """Sign a player of the demo in; return their cookie, and what their pages send along."""
    connection = HTTPConnection("127.0.0.1", port)
    body = json.dumps({"name": "Pat", "password": "demo-only-pat"})
    connection.request("POST", "/api/v1/session", body)
    answer = connection.getresponse()
    cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
    return cookie, json.loads(answer.read())["csrf"]


def _commands(port: int, cookie: str, csrf: str) -> list[float]:
    """Sit down and get up again and again at a licensed table; return how long each answer took."""
    connection = HTTPConnection("127.0.0.1", port)
    took, until, number = list[float](), time.monotonic() + SECONDS, 0
    while time.monotonic() < until:
        action = {"step": ("sit", "leave")[number % 2], "position": 4}
        sent = json.dumps({"id": f"{time.monotonic_ns()}", "action": action})
        begun = time.perf_counter()
        headers = {"cookie": cookie, CSRF_HEADER: csrf}
        connection.request("POST", "/api/v1/tables/pa-575/commands", sent, headers)
        found = connection.getresponse()
        found.read()
        took.append(time.perf_counter() - begun)
        number += 1
        time.sleep(APART)
    return took


# --- the flood ----------------------------------------------------------------------------------------


class Flood:
    """Guests who flood sockets, and strangers who try passwords, until a moment."""

    def __init__(self, port: int, until: float) -> None:
        self.port, self.until = port, until
        self.messages = self.tries = 0

    async def sockets(self, number: int) -> None:
        """Ask again and again whether a view is up to date, without waiting for any answer."""
        token = await asyncio.to_thread(_guest, self.port)
        where = f"ws://127.0.0.1:{self.port}/api/v1/tables/pa-575/live"
        address = (f"127.0.1.{number + 1}", 0)
        while time.monotonic() < self.until:
            with suppress(OSError, WebSocketException, TimeoutError):
                headers = {"Cookie": f"{COOKIE}={token}"}
                async with connect(where, additional_headers=headers, local_addr=address) as line:
                    while time.monotonic() < self.until:
                        await line.send('{"have":0}')
                        self.messages += 1
            await asyncio.sleep(0)

    async def sign_ins(self, number: int) -> None:
        """Try to sign in again and again."""
        body = json.dumps({"name": f"nobody {number}", "password": "a password that is wrong"})
        head = f"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        while time.monotonic() < self.until:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(f"127.0.2.{number + 1}", 0)
                )
                while time.monotonic() < self.until:
                    writer.write(f"{head}{body}".encode())
                    answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                    await reader.readexactly(int(answer.split("content-length: ")[1].split("\r\n")[0]))
                    self.tries += 1
            await asyncio.sleep(0)


def _guest(port: int) -> str:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/session/guest", data=b"")
    while True:
        try:
            with urllib.request.urlopen(request) as answer:
                return str(answer.headers["set-cookie"]).partition(";")[0].partition("=")[2]
        except OSError:
            time.sleep(1)


async def _flood(port: int, seconds: float) -> None:
    flood = Flood(port, time.monotonic() + seconds)
    await asyncio.gather(
        *(flood.sockets(number) for number in range(SOCKETS)),
        *(flood.sign_ins(number) for number in range(SIGN_INS)),
    )
    print(json.dumps({"messages": flood.messages, "tries": flood.tries}))


if __name__ == "__main__":
    asyncio.run(_flood(int(sys.argv[1]), float(sys.argv[2])))
