"""In which states of deck, hand, round and seat the law lets each step be taken."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from tests.rounds.sweep import california_law, pennsylvania_law, washington_law
from tests.rounds.sweep.row import Row, named, split

LAWS: dict[str, ModuleType] = {"pa": pennsylvania_law, "wa": washington_law, "ca": california_law}


def row(game: str, way: str, step: str) -> Row:
    """Return what the law says of a step in a game that is dealt some way."""
    law = LAWS[game[:2]]
    places = ((place, step) for place in (f"{game} {way}", way, game))
    otherwise = next((law.OTHERWISE[place] for place in places if place in law.OTHERWISE), None)
    found: Row = otherwise or law.LAW[step]
    return found


@cache
def states(game: str) -> tuple[str, ...]:
    """Return the names of the states of a game: those of an ordinary round in order, then those beside it."""
    law = LAWS[game[:2]]
    return (*split(law.COURSE), *split(law.ASIDE))


@cache
def lawful_states(game: str, way: str, step: str) -> frozenset[str]:
    """Return the states in which a step is lawful."""
    return named(row(game, way, step).states, states(game))
