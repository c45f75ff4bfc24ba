"""Long exact counts on the command line: a bar while they run, and notes to go on after an interruption."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import Exit

from houseway.cli.entry import INTERRUPTED
from houseway.cli.files import make_folder
from houseway.cli.progress import progress
from houseway.odds.counted import Way, count_sides, notes_of
from houseway.odds.files import user_folder
from houseway.odds.maingame import MainGame

RecountOption = Annotated[bool, typer.Option("--recount", help="Count again, without the stored counts.")]


def count_main_game(
    player: Way,
    dealer: Way,
    *,
    folder: Path | None = None,
    recount: bool = False,
    quiet: bool = False,
    what: str = "every pair of hands",
) -> MainGame:
    """Count a main game with a bar; an interrupted count continues where it stopped."""
    make_folder(folder or user_folder())
    notes = notes_of(player, dealer, folder)
    if recount:
        notes.path.unlink(missing_ok=True)
    try:
        with progress(what, quiet=quiet) as advance:
            return count_sides(player, dealer, tell=advance, notes=notes)
    except KeyboardInterrupt:
        typer.echo("interrupted; run the same command to continue", err=True)
        raise Exit(INTERRUPTED) from None
