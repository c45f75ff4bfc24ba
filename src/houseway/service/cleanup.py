"""Regular removal of ended sessions, old sign-in failures and unused factor secrets."""

from __future__ import annotations

from typing import Final

from houseway.runtime import Runtime
from houseway.service.credentials import Credentials
from houseway.service.loop import FloorLoop
from houseway.service.sessions import Sessions

CLEANUP_INTERVAL: Final = 300.0
"""Seconds between two clean-ups."""


async def clean_up(sessions: Sessions, credentials: Credentials, loop: FloorLoop, runtime: Runtime) -> None:
    """Remove what has ended or no longer counts, every few minutes, forever."""
    while True:
        await runtime.sleep(CLEANUP_INTERVAL)
        await loop.between(lambda: sessions.forget_ended(loop.floor.clock()))
        await loop.between(lambda: credentials.tries.forget_old(runtime.now()))
        await loop.between(lambda: credentials.codes.forget_old(runtime.now()))
