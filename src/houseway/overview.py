"""What games there are, in a few words, read from their documents without the rules: a list costs little.

``houseway.games`` reads the documents whole and judges them; a test holds this list against it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from houseway.showing import Rows

_PACKAGE: Final = Path(__file__).parent
_GAMES: Final = _PACKAGE / "games" / "data"
_RULE_SETS: Final = _PACKAGE / "law" / "data" / "rule_sets"
NO_LAW: Final = "none: for odds work only"


@cache
def game_ids() -> tuple[str, ...]:
    """Return the ids of the games, which are the names of their folders.

    >>> game_ids()
    ('ca-fpgp', 'pa-575', 'pa-659a', 'pa-670a', 'ref-pgp', 'wa-fap')
    """
    return tuple(sorted(path.parent.name for path in _GAMES.glob("*/game.toml")))


def games_in_short() -> list[dict[str, Any]]:
    """Return each game's id, name, split, law and wagers."""
    return [_in_short(game_id) for game_id in game_ids()]


def list_games() -> Rows:
    """List the games, for a person or a data frame."""
    return Rows(games_in_short(), "Games")


def _in_short(game_id: str) -> dict[str, Any]:
    document = _read(_GAMES / game_id / "game.toml")
    rule_set = document.get("rule_set")
    return {
        "id": document["id"],
        "name": document["name"],
        "split": "-".join(str(part["cards"]) for part in document["parts"]),
        "law": _read(_RULE_SETS / f"{rule_set}.toml")["law"] if rule_set else NO_LAW,
        "wagers": ", ".join(wager["id"] for wager in document.get("wager", ())),
    }


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
