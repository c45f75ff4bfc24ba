"""Main games counted once: counts are stored in a folder, by a name that stands for exactly this count."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Final, TypeVar

from houseway.cards import Deck
from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay
from houseway.odds.best import Best
from houseway.odds.files import user_folder
from houseway.odds.fingerprint import COUNTS, fingerprint, way_text
from houseway.odds.maingame import MainGame, Told, main_games
from houseway.odds.notes import NotesFile

Way = CompiledWay | Best
"""A side's way of setting its hands."""
W = TypeVar("W")
BEST: Final = "best"
"""Stands in place of a house way: every hand set best against the other side's."""


def both_sides(
    open_way: Callable[[W | None], CompiledWay], player: W | None, house: W | None, commission: Fraction
) -> tuple[Way, Way]:
    """Return how the player and the dealer set their hands: by a house way each, or one of them best.

    ``open_way`` returns the house way of a name, and the game's own without one.
    """
    if house == BEST:
        if player in (BEST, None):
            raise InvalidInputError("one side sets best against the other's house way", value=BEST)
        mine = open_way(player)
        return mine, Best(mine, False, commission)
    dealer = open_way(house)
    if player == BEST:
        return Best(dealer, True, commission), dealer
    return dealer if player is None else open_way(player), dealer


def count_sides(
    player: Way,
    dealer: Way,
    deck: Deck | None = None,
    tell: Told | None = None,
    notes: NotesFile | None = None,
) -> MainGame:
    """Count the main game; where a side sets best, its settings are chosen first.

    With notes, levels that were counted before are not counted again.
    """
    if isinstance(player, Best):
        return player.play(deck, tell).main
    if isinstance(dealer, Best):
        return dealer.play(deck, tell).main
    ((game,),) = main_games((player,), (dealer,), deck, tell, notes)
    return game


def notes_of(player: Way, dealer: Way, folder: Path | None = None) -> NotesFile:
    """Return the notes of a count of all cards; without a folder they lie in the user's."""
    return NotesFile((folder or user_folder()) / f"{_count_name(player, dealer)}.json")


def _count_name(player: Way, dealer: Way) -> str:
    """Return a name that stands for this count by this code."""
    return fingerprint(side_text(player), side_text(dealer), code=COUNTS)[:24]


def side_text(way: Way) -> str:
    """Return all that decides how a side sets its hands, and what they are worth, as text."""
    if isinstance(way, Best):
        return f"best at {way.commission} against {side_text(way.against)}"
    return way_text(way)
