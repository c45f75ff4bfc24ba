"""What is swept out of the database of a served floor: sessions nobody ended, failures long ago."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from sqlalchemy import func, select
from starlette.testclient import TestClient

from houseway.service.api import make_app
from houseway.service.cleanup import CLEANUP_INTERVAL
from houseway.service.server_setup import build_server
from houseway.store.memory import MemoryStore
from houseway.store.schema import SESSIONS, TRIES
from tests.floor.support import NOON, new_floor
from tests.service.doors import API
from tests.support.runtime import TestRuntime

IDLE, FORGOTTEN_WHOLLY = timedelta(minutes=30), timedelta(days=1)
LOOKS = 2_000
"""So often a test looks before it gives up."""


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def test_sessions_that_nobody_ended_and_old_failures_are_swept_out() -> None:
    clock = Clock()
    floor = new_floor(MemoryStore())
    floor.clock = clock
    runtime = TestRuntime(clock)
    server = build_server(floor, {}, runtime)
    sessions, tries = server.auth._sessions._engine, server.auth.credentials.tries._engine  # type: ignore[attr-defined]

    def rows() -> tuple[int, int]:
        with sessions.connect() as one, tries.connect() as other:
            asked = (select(func.count()).select_from(table) for table in (SESSIONS, TRIES))
            counts = [
                connection.execute(question).scalar_one()
                for connection, question in zip((one, other), asked, strict=True)
            ]
        return counts[0], counts[1]

    async def left(expected: tuple[int, int]) -> tuple[int, int]:
        found = (-1, -1)
        for _ in range(LOOKS):
            found = await server.loop.between(rows)
            if found == expected:
                break
            runtime.advance(1)
            await asyncio.sleep(0.002)
        return found

    with TestClient(make_app(server)) as client:
        portal = client.portal
        assert portal is not None
        client.post(f"{API}/session/guest")
        client.post(f"{API}/session", json={"name": "Nobody", "password": "x"})
        assert portal.call(left, (1, 3)) == (1, 3)
        clock.now += IDLE + timedelta(seconds=1)
        runtime.advance(CLEANUP_INTERVAL)
        assert portal.call(left, (0, 3)) == (0, 3)
        clock.now += FORGOTTEN_WHOLLY
        runtime.advance(CLEANUP_INTERVAL)
        assert portal.call(left, (0, 0)) == (0, 0)
