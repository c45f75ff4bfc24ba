"""Stored values of a hand's settings: looked up at once, without compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from houseway.cards import Card
from houseway.houseways import CompiledWay, decide
from houseway.odds.catalogue import PARTS, Catalogue, catalogue
from houseway.odds.coach import HandAdvice, SettingOdds, advice_about
from houseway.odds.files import SumsFile, values_folder
from houseway.odds.fingerprint import VALUES, fingerprint, way_text
from houseway.odds.handspace import HandSpace

Array = NDArray[Any]


@dataclass(frozen=True)
class StoredValues:
    """The stored values of the player's settings against one dealer's way."""

    dealer: CompiledWay
    own: Catalogue
    values: Array
    commission: Fraction = Fraction(0)
    doubled: Array | None = None
    """The Double Down's sums for each setting, where players may double."""

    def advise(self, cards: Sequence[Card], *, placed: bool = False) -> HandAdvice | None:
        """Return the values of a hand's undominated settings, or None if the house way's own is dominated."""
        every = self.own.space.opponents
        settings = []
        for place, setting in self.own.settings_of(cards):
            wins = int(self.values[place, 0])
            losses = every - wins if self.own.parts == PARTS else wins - int(self.values[place, 1])
            net = None if self.doubled is None else int(self.doubled[place, 1])
            pushes = every - wins - losses
            settings.append(SettingOdds(setting, wins, pushes, losses, self.commission, net, placed))
        return advice_about(self.dealer, settings, decide(self.dealer, cards))


def remember_values(dealer: CompiledWay, sums: SumsFile, doubled: SumsFile | None = None) -> None:
    """Store the names of the files with the values against a dealer's way, a line each."""
    path = _index_path(dealer)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(file.path.name for file in (sums, doubled) if file), encoding="utf-8")


def stored_values(
    dealer: CompiledWay, commission: Fraction = Fraction(0), *, doubling: bool = False
) -> StoredValues | None:
    """Return the values against a dealer's way, or None if this code has not counted them.

    Where players may double, the values of doubling are needed too.
    """
    path = _index_path(dealer)
    if not path.exists():
        return None
    named = path.read_text(encoding="utf-8").split("\n")
    every = (SumsFile(values_folder() / name).result() for name in named[: 1 + doubling])
    arrays = [array for array in every if array is not None]
    if len(arrays) <= doubling:
        return None
    own = catalogue(dealer, HandSpace(sum(dealer.split)))
    return StoredValues(dealer, own, arrays[0], commission, arrays[1] if doubling else None)


def _index_path(dealer: CompiledWay) -> Path:
    return values_folder() / f"way-{fingerprint(way_text(dealer), code=VALUES)[:24]}.txt"
