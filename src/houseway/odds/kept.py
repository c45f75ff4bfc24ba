"""A dealer's setting of every hand, computed once and stored by the hash of what produced it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from houseway.houseways import CompiledWay
from houseway.odds.coach import dealer_table
from houseway.odds.files import kept_array
from houseway.odds.fingerprint import VALUES, fingerprint, way_text
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import Told

Array = NDArray[Any]


def kept_table(dealer: CompiledWay, tell: Told | None = None, folder: Path | None = None) -> Array:
    """Return the packed strengths of a dealer's setting of every hand, by the hand's number."""

    def make() -> Array:
        if tell:
            tell(0, 1)
        table = dealer_table(dealer, HandSpace(sum(dealer.split)))
        if tell:
            tell(1, 1)
        return table

    return kept_array(f"table-{fingerprint(way_text(dealer), code=VALUES)[:24]}", make, folder)
