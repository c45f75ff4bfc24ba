"""A hand's settings looked up where they were valued once: in a moment, and without compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from houseway.cards import Card
from houseway.houseways import Program, decide
from houseway.odds.catalogue import PARTS, Catalogue, catalogue
from houseway.odds.coach import Advice, SettingOdds, advice_about
from houseway.odds.files import SumsFile, values_folder
from houseway.odds.fingerprint import VALUES, fingerprint, way_text
from houseway.odds.handspace import HandSpace

Array = NDArray[Any]


@dataclass(frozen=True)
class StoredValues:
    """What the player's settings are worth against one dealer's way, as they are kept."""

    dealer: Program
    own: Catalogue
    values: Array
    commission: Fraction = Fraction(0)

    def advise(self, cards: Sequence[Card]) -> Advice | None:
        """Return what the settings of a hand are worth, those left out that another one dominates.

        Nothing is returned if the house way's own setting is among those.
        """
        every = self.own.space.opponents
        found = []
        for place, setting in self.own.settings_of(cards):
            wins = int(self.values[place, 0])
            losses = every - wins if self.own.parts == PARTS else wins - int(self.values[place, 1])
            found.append(SettingOdds(setting, wins, every - wins - losses, losses, self.commission))
        return advice_about(self.dealer, found, decide(self.dealer, cards))


def remember_values(dealer: Program, sums: SumsFile) -> None:
    """Keep under which name the values against a dealer's way are kept."""
    path = _name(dealer)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(sums.path.name, encoding="utf-8")


def stored_values(dealer: Program, commission: Fraction = Fraction(0)) -> StoredValues | None:
    """Return the values against a dealer's way, if they were counted by this code."""
    path = _name(dealer)
    if not path.exists():
        return None
    found = SumsFile(values_folder() / path.read_text(encoding="utf-8")).result()
    if found is None:
        return None
    return StoredValues(dealer, catalogue(dealer, HandSpace(sum(dealer.split))), found, commission)


def _name(dealer: Program) -> Path:
    return values_folder() / f"way-{fingerprint(way_text(dealer), code=VALUES)[:24]}.txt"
