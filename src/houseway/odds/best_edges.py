"""Edges of best play that were counted before, by the hash of all that decides them.

A count of best play takes half an hour and more, so a sheet reads it here. The file has the counts of
``houseway best`` (``docs/bestplay.py`` writes it); for any other submission there is none.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert

from houseway.games import Rules
from houseway.games.decided import decided_by
from houseway.settlement.model import DOUBLE_DOWN, MAIN


class BestRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The house's edge against a player who sets every hand best, both wagers together with doubling."""

    key: str
    game: str
    house_way: str
    doubling: bool
    """Whether the player may double, and does wherever that pays."""
    house_way_edge: str
    """The edge where the player sets the house way too, and never doubles."""
    edge: str


@dataclass(frozen=True)
class BestEdge:
    """The house's edge against best play, as a part of a main wager."""

    edge: Fraction
    gives_up: Fraction
    """What a player gives up who sets the house way and never doubles."""
    doubling: bool


@cache
def best_rows() -> tuple[BestRow, ...]:
    """Return every count of best play."""
    text = (files("houseway.odds") / "data" / "best.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text)["best"], tuple[BestRow, ...])


def best_edge(rules: Rules) -> BestEdge | None:
    """Return the house's edge against best play under a submission; None if it was not counted."""
    key, doubling = decided_by(rules, MAIN), rules.offers(DOUBLE_DOWN)
    for row in best_rows():
        if (row.key, row.doubling) == (key, doubling):
            edge = Fraction(row.edge)
            return BestEdge(edge, Fraction(row.house_way_edge) - edge, doubling)
    return None
