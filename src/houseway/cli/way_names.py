"""House ways named on the command line, and the ranking and commission they are counted by."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Annotated

import typer
from typer.exceptions import Exit

from houseway.cli.hands import ranking_of
from houseway.games import games
from houseway.games.game import Game
from houseway.houseways import HouseWay, HouseWayFaultsError, house_way
from houseway.ranking import Ranking

WayArgument = Annotated[str, typer.Argument(metavar="ID|FILE", help="A house way's id, or a .toml file.")]
DealersWay = Annotated[str | None, typer.Option("--house-way", help="The dealer's: an id, or a .toml file.")]
GameOption = Annotated[
    str | None,
    typer.Option("--game", help="The game whose commission and readings apply; else the way's own."),
]


def find_way(name: str, *, as_json: bool = False) -> HouseWay:
    """Return a house way; if its document has several faults, print them all, a line each, and exit."""
    try:
        return house_way(name)
    except HouseWayFaultsError as error:
        if as_json or len(error.faults) == 1:
            raise
        print(f"houseway: {error.where}: {len(error.faults)} faults", file=sys.stderr)
        for fault in error.faults:
            print(f"  {fault}", file=sys.stderr)
        raise Exit(2) from None


def game_of(way: HouseWay, game_id: str | None = None) -> tuple[Game, Ranking]:
    """Return the game that a way is counted in, with its ranking by the example submission's readings."""
    return ranking_of(game_id or next(game.id for game in games() if game.ranking == way.ranking))


def commission_of(document: Game) -> Fraction:
    """Return the part of a win that the house keeps."""
    return document.commission or Fraction(0)
