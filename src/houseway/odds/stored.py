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
    doubled: Array | None = None
    """What a Double Down comes to with each setting, where players may double."""

    def advise(self, cards: Sequence[Card], *, placed: bool = False) -> Advice | None:
        """Return what the settings of a hand are worth, those left out that another one dominates.

        Nothing is returned if the house way's own setting is among those.
        """
        every = self.own.space.opponents
        found = []
        for place, setting in self.own.settings_of(cards):
            wins = int(self.values[place, 0])
            losses = every - wins if self.own.parts == PARTS else wins - int(self.values[place, 1])
            net = None if self.doubled is None else int(self.doubled[place, 1])
            pushes = every - wins - losses
            found.append(SettingOdds(setting, wins, pushes, losses, self.commission, net, placed))
        return advice_about(self.dealer, found, decide(self.dealer, cards))


def remember_values(dealer: Program, sums: SumsFile, doubled: SumsFile | None = None) -> None:
    """Keep under which names the values against a dealer's way are kept: a line each."""
    path = _name(dealer)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(one.path.name for one in (sums, doubled) if one), encoding="utf-8")


def stored_values(
    dealer: Program, commission: Fraction = Fraction(0), *, doubling: bool = False
) -> StoredValues | None:
    """Return the values against a dealer's way, if they were counted by this code.

    Where players may double, only with what doubling comes to.
    """
    path = _name(dealer)
    if not path.exists():
        return None
    named = path.read_text(encoding="utf-8").split("\n")
    every = (SumsFile(values_folder() / name).result() for name in named[: 1 + doubling])
    arrays = [array for array in every if array is not None]
    if len(arrays) <= doubling:
        return None
    own = catalogue(dealer, HandSpace(sum(dealer.split)))
    return StoredValues(dealer, own, arrays[0], commission, arrays[1] if doubling else None)


def _name(dealer: Program) -> Path:
    return values_folder() / f"way-{fingerprint(way_text(dealer), code=VALUES)[:24]}.txt"
