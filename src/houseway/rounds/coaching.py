"""What a coach is asked about a hand, and what it answers: it counts in a process of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct

from houseway.cards import Cards
from houseway.games import Submission
from houseway.ranking import Setting
from houseway.rounds.houseway import same_setting


class CoachQuestion(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A hand whose settings are to be valued against a dealer who sets the house way."""

    id: int
    game: str
    cards: Cards
    seen: Cards = ()
    """Other cards that the dealer cannot have."""
    submission: Submission | None = None
    """The rules that the dealer's house way is taken from; nothing for a game that has none."""
    doubled: bool = False
    """Whether a Double Down is placed on the hand already."""


class SettingWorth(Struct, frozen=True, kw_only=True):
    """A setting: against how many of the dealer's hands it wins, pushes and loses, and what it is worth."""

    setting: Setting
    win: int
    push: int
    lose: int
    expectation: float
    """What a main wager of one wins on average, doubled where that pays or is done already."""
    exact: str
    """The same as a fraction."""
    gives_up: float
    """What it is worth less than the best setting, of a wager."""
    double: bool | None = None
    """Whether a Double Down pays with it, or is placed already; nothing where there is none."""
    double_adds: float | None = None
    """What a Double Down adds on average, of the main wager."""


class HouseWayWorth(SettingWorth, frozen=True, kw_only=True):
    """The house way's own setting of the hand, and the rule of it that decides."""

    way: str
    rule: str
    say: str
    clauses: tuple[str, ...] = ()


class HandWorth(Struct, frozen=True, kw_only=True):
    """Every legal setting of a hand by what it is worth, the best first."""

    game: str
    cards: Cards
    seen: Cards
    commission: str
    """What is kept of what a player wins, as a fraction."""
    hands: int
    """How many hands the dealer can have."""
    doubled: bool = False
    """Whether a Double Down is placed on the hand already."""
    best: SettingWorth
    house_way: HouseWayWorth
    price: float
    """What the house way's setting gives up of a wager."""
    settings: tuple[SettingWorth, ...]


class CoachReply(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The answer to a question, or in plain words why there is none."""

    id: int
    worth: HandWorth | None = None
    refused: str = ""


Worth = TypeVar("Worth", bound=SettingWorth)


def worth_of(settings: Iterable[Worth], setting: Setting) -> Worth | None:
    """Return what a setting is worth, if it is among those that were valued."""
    return next((worth for worth in settings if same_setting(worth.setting, setting)), None)
