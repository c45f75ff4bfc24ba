"""Printing: tables for people, JSON for programs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, Final

from houseway.errors import HousewayError, printable, shortened

if TYPE_CHECKING:
    from rich.console import Console

_UNESCAPED: Final = re.compile(r"[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that JSON leaves as they are and a terminal may obey."""

LONGEST_MESSAGE: Final = 2_000
"""The limit of a refusal's length."""
BAD_INPUT: Final = 2
"""The exit code for bad input."""


def console() -> Console:
    """Return a console on the current standard output."""
    from houseway.cli.harmless import HarmlessConsole  # noqa: PLC0415 - slow, and JSON needs none

    return HarmlessConsole(highlight=False, soft_wrap=not sys.stdout.isatty())


def configure_encoding() -> None:
    """Escape characters that the terminal's encoding lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def emit(data: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print JSON."""
    print(json_text(data, indent=2))


def json_text(data: Any, indent: int | None = None) -> str:  # noqa: ANN401 - any JSON value
    """Return data as JSON, escaped where the output is not Unicode."""
    narrow = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    text = json.dumps(data, ensure_ascii=narrow, indent=indent, default=str)
    return _UNESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def report(error: HousewayError, *, as_json: bool) -> None:
    """Print a refusal on the standard error: one line of text or of JSON."""
    if as_json:
        line = json_text({"errors": error.as_dicts()})
    else:
        line = f"houseway: {shortened(' '.join(str(error).split()), LONGEST_MESSAGE)}"
    print(line, file=sys.stderr)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table."""
    from rich.table import Table  # noqa: PLC0415 - slow, and JSON needs none
    from rich.text import Text  # noqa: PLC0415

    grid = Table(title=Text(printable(title)), title_justify="left", title_style="bold", header_style="dim")
    for column in columns:
        grid.add_column(Text(printable(column)), overflow="fold")
    for row in rows:
        grid.add_row(*(Text("" if cell is None else printable(str(cell), lines=True)) for cell in row))
    console().print(grid)
