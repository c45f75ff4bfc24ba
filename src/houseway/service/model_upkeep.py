"""Read models kept up beside the commands of a floor: the floor is held for a few entries at a time."""

from __future__ import annotations

from functools import partial
from typing import Final

from houseway.floor.readmodels import ReadModels
from houseway.service.loop import FloorLoop

ENTRIES_AT_ONCE: Final = 20
"""So many entries read models take at a time, so that no command waits for long."""


async def catch_up_models(models: ReadModels, loop: FloorLoop) -> None:
    """Have read models take every entry there is; commands that wait are carried out meanwhile."""
    while await loop.between(partial(models.catch_up, ENTRIES_AT_ONCE)) == ENTRIES_AT_ONCE:
        pass
