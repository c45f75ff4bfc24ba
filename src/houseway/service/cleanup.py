"""What is swept out from time to time: sessions that ended by themselves, failures long ago, old secrets."""

from __future__ import annotations

from typing import Final

from houseway.runtime import Runtime
from houseway.service.credentials import Credentials
from houseway.service.loop import FloorLoop
from houseway.service.sessions import Sessions

CLEANUP_INTERVAL: Final = 300.0
"""Seconds between two times."""


async def clean_up(sessions: Sessions, credentials: Credentials, loop: FloorLoop, runtime: Runtime) -> None:
    """Remove what has ended and what counts no more, every few minutes."""
    while True:
        await runtime.sleep(CLEANUP_INTERVAL)
        await loop.between(lambda: sessions.forget_ended(loop.floor.clock()))
        await loop.between(lambda: credentials.tries.forget_old(runtime.now()))
        await loop.between(lambda: credentials.codes.forget_old(runtime.now()))
