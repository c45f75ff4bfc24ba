"""The bar that long commands show: how far, in per cent, for how long, and about how long still."""

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

Told = Callable[[int, int], None]
"""Takes how much is done, and of how much."""
_UNKNOWN: Final = 1
"""Stands for how much there is to do until that is told, so that a bar begins at 0 per cent."""


def columns() -> tuple[ProgressColumn, ...]:
    """Return what a bar shows."""
    return (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("still"),
        TimeRemainingColumn(),
    )


@contextmanager
def progress(what: str, *, quiet: bool = False, total: int = _UNKNOWN, done: int = 0) -> Iterator[Told]:
    """Show a bar while something long goes on; what is yielded is to be told how far it is."""
    with Progress(*columns(), console=console(), transient=True, disable=quiet) as bar:
        task = bar.add_task(what, total=total, completed=done)
        yield lambda done, total: bar.update(task, completed=done, total=total)
