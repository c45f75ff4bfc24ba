"""Long exact counts on the command line: a bar while they run, and notes so that they can be interrupted."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final

import typer
from typer.exceptions import Exit

from houseway.cli.entry import INTERRUPTED
from houseway.cli.files import make_folder
from houseway.cli.progress import progress
from houseway.cli.ways import program_for
from houseway.errors import InvalidInputError
from houseway.games.game import Game
from houseway.odds.best import Best
from houseway.odds.counted import Way, counted_once, user_folder
from houseway.odds.maingame import MainGame
from houseway.ranking import Ranking

BEST: Final = "best"
"""In place of a house way: every hand set best against the other side's."""
AfreshOption = Annotated[bool, typer.Option("--afresh", help="Count anew, whatever is noted.")]


def both_sides(found: Game, order: Ranking, house: str | None, player: str | None) -> tuple[Way, Way]:
    """Return how the player and the dealer set their hands: a house way each, or one of them best."""
    if house == BEST and player in (BEST, None):
        raise InvalidInputError("one side sets best against the other's house way", value=BEST)
    if house == BEST:
        mine = program_for(found, order, player)
        return mine, Best(mine, False, found.commission or Fraction(0))
    dealer = program_for(found, order, house)
    if player == BEST:
        return Best(dealer, True, found.commission or Fraction(0)), dealer
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
    make_folder(folder or user_folder())
    try:
        with progress(what, quiet=quiet) as told:
            return counted_once(player, dealer, folder=folder, afresh=afresh, tell=told)
    except KeyboardInterrupt:
        typer.echo("interrupted; the same command goes on where it stopped", err=True)
        raise Exit(INTERRUPTED) from None
