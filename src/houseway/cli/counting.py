"""Long exact counts on the command line: a bar while they run, and notes so that they can be interrupted."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape
from rich.progress import Progress
from typer.exceptions import Exit

from houseway.cli.files import make_folder
from houseway.cli.fingerprint import COUNTS, fingerprint
from houseway.cli.output import console
from houseway.cli.ways import program_for
from houseway.errors import InvalidInputError
from houseway.games.game import Game
from houseway.houseways import Program
from houseway.odds.best import Best
from houseway.odds.maingame import MainGame, Way, main_game
from houseway.odds.notes import NotesFile
from houseway.ranking import Ranking

BEST: Final = "best"
"""In place of a house way: every hand set best against the other side's."""
INTERRUPTED: Final = 130
AfreshOption = Annotated[bool, typer.Option("--afresh", help="Count anew, whatever is noted.")]


def both_sides(found: Game, order: Ranking, house: str | None, player: str | None) -> tuple[Way, Way]:
    """Return how the player and the dealer set their hands: a house way each, or one of them best."""
    if house == BEST and player in (BEST, None):
        raise InvalidInputError("one side sets best against the other's house way", value=BEST)
    if house == BEST:
        mine = program_for(found, order, player)
        return mine, Best(mine, as_player=False)
    dealer = program_for(found, order, house)
    if player == BEST:
        return Best(dealer), dealer
    return dealer if player is None else program_for(found, order, player), dealer


def counted(
    player: Way,
    dealer: Way,
    *,
    folder: Path | None = None,
    afresh: bool = False,
    quiet: bool = False,
    what: str = "every pair of hands",
) -> MainGame:
    """Count a main game with a bar; what was counted before it was interrupted is not counted again."""
    folder = folder or _cache()
    make_folder(folder)
    notes = NotesFile(folder / f"{_name(player, dealer)}.json")
    if afresh:
        notes.path.unlink(missing_ok=True)
    try:
        with Progress(console=console(), transient=True, disable=quiet) as bar:
            task = bar.add_task(escape(what), total=None)
            told = lambda done, total: bar.update(task, completed=done, total=total)  # noqa: E731 - a callback
            return main_game(player, dealer, tell=told, notes=notes)
    except KeyboardInterrupt:
        typer.echo("interrupted; the same command goes on where it stopped", err=True)
        raise Exit(INTERRUPTED) from None


def _cache() -> Path:
    """Return where a user's programs keep what they can make again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "houseway" / "counts"


def _name(player: Way, dealer: Way) -> str:
    """Return a name that stands for this count, made by this code."""
    return fingerprint(_told(player), _told(dealer), code=COUNTS)[:24]


def _told(way: Way) -> str:
    """Tell everything that decides how a side sets its hands, and what they are worth."""
    if isinstance(way, Best):
        return f"best against {_told(way.against)}"
    order = way.ranking
    options = [order.id, order.ace_low_straight, order.ace_low_straight_flush]
    options += [f"{name}={choice}" for name, choice in sorted(order.readings.items())]
    document = way.way.rules_text() if isinstance(way, Program) else repr(way)
    return json.dumps([document, options])
