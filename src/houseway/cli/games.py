"""``houseway games``: the list of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houseway.cli.entry import print_games
from houseway.cli.output import AsJson, emit

if TYPE_CHECKING:
    from houseway.games import Game


def games_command(as_json: AsJson = False) -> None:
    """List the games."""
    if as_json:
        from houseway.games import games  # noqa: PLC0415 - slow, and a list for people needs little of it

        emit([_summary(game) for game in games()])
        return
    print_games()


def _summary(game: Game) -> dict[str, object]:
    law = game.law
    return {
        "id": game.id,
        "name": game.name,
        "law": law.law if law else None,
        "licensed": game.licensed,
        "in_force_from": str(law.begins.date) if law and law.begins else None,
        "in_force_from_assumed": law.assumed if law else None,
        "lapsed_from": str(law.last_day_excluded) if law and law.last_day_excluded else None,
        "hand_cards": game.hand_cards,
        "split": list(game.split),
        "wagers": [w.id for w in game.wager],
    }
