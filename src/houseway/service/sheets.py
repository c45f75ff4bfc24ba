"""Sheets that take long to count: each counted once, one at a time, in a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from houseway.errors import HousewayError

Counting = Callable[[Sequence[str], bytes], Awaitable[str]]
"""Runs a command on what it is given, and returns what it writes."""
LAST_WORDS: Final = 300
"""So much of what a command said is told when it fails."""


class SheetState(StrEnum):
    """How far a sheet has come."""

    COUNTING = "counting"
    COUNTED = "counted"
    FAILED = "failed"


class NotCountedError(HousewayError):
    """A sheet could not be counted."""


@dataclass
class Sheet:
    """A sheet that is counted, was counted, or could not be."""

    state: SheetState = SheetState.COUNTING
    page: str = ""
    fault: str = ""
    begun: float = 0.0
    """When counting it was asked for, in seconds that only go forward."""

    def seconds(self, now: float) -> int:
        """Return how long it has been counted."""
        return int(now - self.begun)


async def counted_apart(command: Sequence[str], given: bytes) -> str:
    """Run a command in a process of its own, which ends with whoever waits for it."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        page, said = await process.communicate(given)
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode:
        raise NotCountedError(said.decode(errors="replace").strip()[-LAST_WORDS:] or "it was ended")
    return page.decode()


class Sheets:
    """The sheets of one server, by name; what was counted is kept as long as the server runs."""

    def __init__(self, count: Counting = counted_apart) -> None:
        self._count = count
        self._sheets: dict[str, Sheet] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()

    def ask(
        self, name: str, command: Sequence[str], given: bytes, now: float, *, again: bool = False
    ) -> Sheet:
        """Return a sheet as far as it has come; who asks first has it counted."""
        found = self._sheets.get(name)
        if found is None or (again and found.state is SheetState.FAILED):
            found = self._sheets[name] = Sheet(begun=now)
            task = asyncio.create_task(self._counted(found, command, given))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return found

    async def _counted(self, sheet: Sheet, command: Sequence[str], given: bytes) -> None:
        try:
            async with self._turn:
                sheet.page = await self._count(command, given)
        except (HousewayError, OSError) as error:
            sheet.state, sheet.fault = SheetState.FAILED, str(error)
        else:
            sheet.state = SheetState.COUNTED
