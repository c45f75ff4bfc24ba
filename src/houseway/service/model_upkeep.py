"""Updating of read models between commands, a few entries at a time."""

from __future__ import annotations

from functools import partial
from typing import Final

from houseway.floor.readmodels import ReadModels
from houseway.service.loop import FloorLoop

ENTRIES_AT_ONCE: Final = 20
"""The most entries taken at a time, so that no command waits long."""


async def catch_up_models(models: ReadModels, loop: FloorLoop) -> None:
    """Update read models to the end of the log, in steps that let commands pass in between."""
    while await loop.between(partial(models.catch_up, ENTRIES_AT_ONCE)) == ENTRIES_AT_ONCE:
        pass
