"""``houseway games``: what there is to play."""

from __future__ import annotations

from houseway.cli.output import AsJson, emit, table
from houseway.games import Game, games


def games_command(as_json: AsJson = False) -> None:
    """List the games."""
    if as_json:
        emit([_summary(g) for g in games()])
        return
    rows = [
        (g.id, g.name, "-".join(map(str, g.split)), _law(g), ", ".join(w.id for w in g.wager))
        for g in games()
    ]
    table("Games", ["id", "name", "split", "law", "wagers"], rows)


def _law(found: Game) -> str:
    return found.law.law if found.law else "none: for odds work only"


def _summary(found: Game) -> dict[str, object]:
    law = found.law
    return {
        "id": found.id,
        "name": found.name,
        "law": law.law if law else None,
        "licensed": found.licensed,
        "in_force_from": str(law.begins.date) if law and law.begins else None,
        "in_force_from_assumed": law.assumed if law else None,
        "lapsed_from": str(law.last_day_excluded) if law and law.last_day_excluded else None,
        "hand_cards": found.hand_cards,
        "split": list(found.split),
        "wagers": [w.id for w in found.wager],
    }
