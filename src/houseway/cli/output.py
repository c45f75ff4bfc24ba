"""Options and printing that commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from houseway.cli.printing import console, emit, table
from houseway.overview import game_ids

__all__ = [
    "AsJson",
    "GameArgument",
    "NotesOption",
    "console",
    "emit",
    "table",
]

NotesOption = Annotated[
    Path | None,
    typer.Option("--notes", help="Where counts are noted; the user's cache if none."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game's id; `houseway games` lists them.",
        autocompletion=game_ids,
    ),
]
