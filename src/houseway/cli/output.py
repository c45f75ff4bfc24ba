"""What commands print: tables for people, JSON for programs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from houseway.errors import has_control_characters, printable

_UNESCAPED: Final = re.compile(r"[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What JSON leaves as it is and a terminal may obey."""

NotesOption = Annotated[
    Path | None,
    typer.Option("--notes", help="Where counts are noted; the user's cache if none."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's id; `houseway games` lists them.")
]


class _Console(Console):
    """A console that obeys nothing in what it prints, and whose reader may stop reading.

    That somebody stops reading ends the command, and is no failure of it.
    """

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def print(self, *objects: Any, **options: Any) -> None:  # noqa: ANN401 - as its parent has it
        """Print with every control character written as an escape."""
        super().print(*map(_harmless, objects), **options)


def _harmless(what: object) -> object:
    if isinstance(what, str):
        return printable(what, lines=True)
    if isinstance(what, Text) and has_control_characters(what.plain, lines=True):
        return Text(printable(what.plain, lines=True))
    return what


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
    text = json.dumps(data, ensure_ascii=narrow, indent=2, default=str)
    print(_UNESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table."""
    grid = Table(title=Text(printable(title)), title_justify="left", title_style="bold", header_style="dim")
    for column in columns:
        grid.add_column(column, overflow="fold")
    for row in rows:
        grid.add_row(*(Text("" if cell is None else printable(str(cell), lines=True)) for cell in row))
    console().print(grid)
