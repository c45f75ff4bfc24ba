"""Best play as it was counted once: by the hash over all that decides it, and never for anything else.

To count best play takes half an hour and more, so that a sheet asks here. What is stored was counted by
``houseway best`` (``docs/bestplay.py`` writes it); a submission under which nobody counted has none.
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
    """The house's edge against a player who sets every hand best, both wagers together where they double."""

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
    """What best play leaves the house, of a main wager."""

    edge: Fraction
    gives_up: Fraction
    """What a player who sets the house way gives up, never doubling."""
    doubling: bool


@cache
def best_rows() -> tuple[BestRow, ...]:
    """Return every best play that was counted."""
    text = (files("houseway.odds") / "data" / "best.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text)["best"], tuple[BestRow, ...])


def best_edge(rules: Rules) -> BestEdge | None:
    """Return what best play leaves the house under a submission, if it was counted under its very rules."""
    key, doubling = decided_by(rules, MAIN), rules.offers(DOUBLE_DOWN)
    for row in best_rows():
        if (row.key, row.doubling) == (key, doubling):
            edge = Fraction(row.edge)
            return BestEdge(edge, Fraction(row.house_way_edge) - edge, doubling)
    return None
