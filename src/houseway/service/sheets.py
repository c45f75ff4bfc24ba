"""Sheets that take long to count: each is counted once, one at a time, in a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from houseway.errors import HousewayError

SheetCommand = Callable[[Sequence[str], bytes], Awaitable[str]]
"""Runs a command with input data, and returns its output."""
LAST_WORDS: Final = 300
"""The most characters of a failed command's errors that are reported."""


class SheetState(StrEnum):
    """The state of a sheet's count."""

    COUNTING = "counting"
    COUNTED = "counted"
    FAILED = "failed"


class NotCountedError(HousewayError):
    """A sheet could not be counted."""


@dataclass
class Sheet:
    """A sheet: being counted, counted, or failed."""

    state: SheetState = SheetState.COUNTING
    page: str = ""
    fault: str = ""
    begun: float = 0.0
    """When its count was requested, on the monotonic clock."""

    def seconds(self, now: float) -> int:
        """Return for how long it has been counted."""
        return int(now - self.begun)


async def run_command(command: Sequence[str], data: bytes) -> str:
    """Run a command in a process of its own, which is killed if the wait is cancelled."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        page, errors = await process.communicate(data)
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode:
        raise NotCountedError(errors.decode(errors="replace").strip()[-LAST_WORDS:] or "it was ended")
    return page.decode()


class Sheets:
    """The sheets of one server, by name, kept while the server runs."""

    def __init__(self, count: SheetCommand = run_command) -> None:
        self._count = count
        self._sheets: dict[str, Sheet] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()

    def ask(
        self, name: str, command: Sequence[str], data: bytes, now: float, *, again: bool = False
    ) -> Sheet:
        """Return a sheet in its current state; the first request starts its count."""
        sheet = self._sheets.get(name)
        if sheet is None or (again and sheet.state is SheetState.FAILED):
            sheet = self._sheets[name] = Sheet(begun=now)
            task = asyncio.create_task(self._count_sheet(sheet, command, data))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return sheet

    async def _count_sheet(self, sheet: Sheet, command: Sequence[str], data: bytes) -> None:
        try:
            async with self._turn:
                sheet.page = await self._count(command, data)
        except (HousewayError, OSError) as error:
            sheet.state, sheet.fault = SheetState.FAILED, str(error)
        else:
            sheet.state = SheetState.COUNTED
