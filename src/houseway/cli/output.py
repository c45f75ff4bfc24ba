"""What commands print: tables for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

NotesOption = Annotated[
    Path | None,
    typer.Option("--notes", help="Where counts are noted; the user's cache if none."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's id; `houseway games` lists them.")
]


class _Console(Console):
    """A console whose reader may stop reading: that ends the command, and is no failure of it."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Return a console on today's standard output."""
    return _Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def speak_plainly() -> None:
    """Write what a terminal's alphabet lacks by its number, instead of failing over it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def emit(data: Any) -> None:  # noqa: ANN401 - whatever JSON can carry
    """Print JSON, in escapes where the output knows no Unicode."""
    narrow = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    print(json.dumps(data, ensure_ascii=narrow, indent=2, default=str))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table."""
    grid = Table(title=title, title_justify="left", title_style="bold", header_style="dim")
    for column in columns:
        grid.add_column(column, overflow="fold")
    for row in rows:
        grid.add_row(*("" if cell is None else str(cell) for cell in row))
    console().print(grid)
