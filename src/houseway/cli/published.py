"""``houseway odds GAME --published``: the figures that the law prints, held against the counts."""

from __future__ import annotations

import typer

from houseway.cli.output import emit, table
from houseway.errors import IllegalError
from houseway.games import Game
from houseway.odds import published_checks

DIFFERENT = 1


def show_published(game: Game, *, as_json: bool) -> None:
    """Print each published figure of a game with the counted one; exit 1 if any differs."""
    checks = [check for check in published_checks() if check.game == game.id]
    if not checks:
        raise IllegalError("the law prints no figures for this game", value=game.id)
    rows = [
        (check.clause, check.wager, name, printed, counted)
        for check in checks
        for (name, printed), counted in zip(check.expected().items(), check.computed().values(), strict=True)
    ]
    heads = ("clause", "wager", "figure", "printed", "counted")
    if as_json:
        emit({"published": [dict(zip(heads, row, strict=True)) for row in rows]})
    else:
        table(f"{game.name}: figures of the law", list(heads), rows)
    if any(printed != counted for *_, printed, counted in rows):
        raise typer.Exit(DIFFERENT)
