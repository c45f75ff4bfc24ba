"""The generator: people who watch tables over WebSockets and command them over HTTP, in a process apart."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from houseway.service.api.auth import COOKIE, CSRF_HEADER

OK = 200
SETTLING = 3.0
"""Seconds before anything counts."""


class Load:
    """What is sent, what comes back, and when."""

    def __init__(self, told: dict[str, Any], port: int) -> None:
        self.told, self.port = told, port
        self.answers: list[tuple[float, float]] = []
        self.shown: list[tuple[str, int, float]] = []
        self.bytes = 0
        self.ready = asyncio.Event()
        self.waiting = sum(map(len, told["watching"].values()))

    async def watch(self, table: str, token: str) -> None:
        """Watch a table, and note when each version is shown."""
        where = f"ws://127.0.0.1:{self.port}/api/v1/tables/{table}/live"
        headers = {"Cookie": f"{COOKIE}={token}"}
        async with connect(
            where, additional_headers=headers, compression=None, open_timeout=120, ping_interval=None
        ) as line:
            first = True
            async for text in line:
                at = time.monotonic()
                version = int(text[text.index(":") + 1 : text.index(",")])  # type: ignore[arg-type]
                self.shown.append((table, version, at))
                self.bytes += len(text)
                if first:
                    first, self.waiting = False, self.waiting - 1
                    if not self.waiting:
                        self.ready.set()

    async def command(self, number: int, table: str, until: float) -> None:
        """Send a command a second to a table, over one connection."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        tokens, moves = self.told["tokens"][table], iter(self.told["scripts"][self.told["games"][table]])
        due, sent = time.monotonic() + number / len(self.told["games"]), 0
        while due < until:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            person, action = next(moves)
            token, csrf = tokens[f"{person} {table}"]
            body = json.dumps({"id": f"{table}-{sent}", "action": action}).encode()
            head = (
                f"POST /api/v1/tables/{table}/commands HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                f"Cookie: {COOKIE}={token}\r\n{CSRF_HEADER}: {csrf}\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            begun = time.monotonic()
            writer.write(head.encode() + body)
            status = await _answer(reader)
            if status != OK:
                raise RuntimeError(f"{table} {action}: {status}")
            self.answers.append((due, time.monotonic() - min(begun, due)))
            due, sent = due + 1, sent + 1
        writer.close()


async def _answer(reader: asyncio.StreamReader) -> int:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = int(head.split("content-length: ")[1].split("\r\n")[0])
    text = await reader.readexactly(length)
    status = int(head.split(" ")[1])
    if status != OK:
        print(text.decode(), file=sys.stderr)
    return status


async def generate(told: dict[str, Any], port: int, seconds: float) -> dict[str, Any]:
    """Watch and command every table for so many seconds; return what came of it."""
    load = Load(told, port)
    watching = [
        asyncio.create_task(load.watch(table, told["tokens"][table][person][0]))
        for table, people in told["watching"].items()
        for person in people
    ]
    everybody = asyncio.create_task(load.ready.wait())
    await asyncio.wait([everybody, *watching], timeout=180, return_when=asyncio.FIRST_COMPLETED)
    if not everybody.done():
        raise RuntimeError("somebody cannot watch")
    begun, busy = time.monotonic(), time.process_time()
    until = begun + seconds + SETTLING
    await asyncio.gather(*(load.command(n, table, until) for n, table in enumerate(told["games"])))
    spent = time.monotonic() - begun
    await asyncio.sleep(1)
    for one in watching:
        one.cancel()
    counted = [took for due, took in load.answers if due >= begun + SETTLING]
    return {
        "begun": begun + SETTLING,
        "took": counted,
        "rate": len(load.answers) / spent,
        "messages": len(load.shown) / spent,
        "bytes": load.bytes / max(1, len(load.shown)),
        "busy": (time.process_time() - busy) / spent,
        "shown": load.shown,
        "viewers": len(watching),
    }


def main() -> None:
    """Read what the server tells, generate, and write what came of it."""
    folder, port, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    told = json.loads((folder / "told.json").read_text(encoding="utf-8"))
    found = asyncio.run(generate(told, port, seconds))
    (folder / "load.json").write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
