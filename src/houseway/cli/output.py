"""What commands print: tables for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
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


def console() -> Console:
    """Return a console on today's standard output."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def emit(data: Any) -> None:  # noqa: ANN401 - whatever JSON can carry
    """Print JSON."""
    print(json.dumps(data, ensure_ascii=False, indent=2, default=str))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table."""
    grid = Table(title=title, title_justify="left", title_style="bold", header_style="dim")
    for column in columns:
        grid.add_column(column, overflow="fold")
    for row in rows:
        grid.add_row(*("" if cell is None else str(cell) for cell in row))
    console().print(grid)
