"""The bar of long commands: the part done, the time so far, and an estimate of the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from houseway.cli.output import console

Advance = Callable[[int, int], None]
"""A callback: how much is done, of how much."""
_UNKNOWN: Final = 1
"""The total until it is known, so that a bar begins at 0 per cent."""


def columns() -> tuple[ProgressColumn, ...]:
    """Return the columns of the bar."""
    return (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("still"),
        TimeRemainingColumn(),
    )


@contextmanager
def progress(what: str, *, quiet: bool = False, total: int = _UNKNOWN, done: int = 0) -> Iterator[Advance]:
    """Show a bar while the block runs; the block calls what is yielded to move it on."""
    with Progress(*columns(), console=console(), transient=True, disable=quiet) as bar:
        task = bar.add_task(what, total=total, completed=done)
        yield lambda done, total: bar.update(task, completed=done, total=total)
