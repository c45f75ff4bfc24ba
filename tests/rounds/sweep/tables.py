"""Every game, dealt in every way, in every state."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tests.games.support import Changes
from tests.rounds.cardroom import MANUAL as BY_PILES
from tests.rounds.support import AUTOMATED, BY_HAND, MANUAL, SHAKER, Floor
from tests.rounds.sweep.bank import california
from tests.rounds.sweep.keypad import washington
from tests.rounds.sweep.pennsylvania import pennsylvania
from tests.rounds.washington import WAYS as PROCEDURES
from tests.rounds.ways import EVERY_WAGER

TABLES: Mapping[str, tuple[str, Changes]] = {
    **{f"{game} shoe": (game, MANUAL | SHAKER) for game in EVERY_WAGER},
    **{f"{game} hand": (game, BY_HAND) for game in EVERY_WAGER},
    **{f"{game} automated": (game, AUTOMATED) for game in EVERY_WAGER},
    **{f"wa-fap {way}": ("wa-fap", changes) for way, changes in PROCEDURES.items()},
    "ca-fpgp shuffler": ("ca-fpgp", {}),
    "ca-fpgp piles": ("ca-fpgp", BY_PILES),
}
"""Every game, dealt in every way."""
BUILDERS = {"pa": pennsylvania, "wa": washington, "ca": california}


@cache
def states_of(name: str) -> Mapping[str, Floor]:
    """Return a table in every state that it may be in."""
    game, changes = TABLES[name]
    return BUILDERS[game[:2]](game, changes)
