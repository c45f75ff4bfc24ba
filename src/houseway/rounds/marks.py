"""What has been done: to a deck, in a round, with a hand, at a table. One enum for each bearer.

Much of what a procedure asks is "has this been done yet?". A step that does something leaves a mark, and
a condition is a question about marks.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final


class DeckMark(StrEnum):
    """What has been done to a deck."""

    INSPECTED = "inspected"
    VERIFIED = "verified"
    JOKER_BY_DEALER = "joker_by_dealer"
    JOKER_BY_FLOOR = "joker_by_floor"
    TORN = "torn"
    SPREAD = "spread"
    VIEWED = "viewed"
    TURNED_DOWN = "turned_down"
    WASHED = "washed"
    STACKED = "stacked"
    SHUFFLED = "shuffled"
    PRESHUFFLED = "preshuffled"
    SQUARED = "squared"
    COVERED = "covered"
    CUT = "cut"
    RECUT = "recut"
    MOVED = "moved"
    SPARED = "spared"
    LOADED = "loaded"
    PLAYED = "played"
    FAULTED = "faulted"
    ORDERED = "ordered"
    REMOVED = "removed"


class RoundMark(StrEnum):
    """What has been done in a round."""

    NO_MORE_BETS = "no_more_bets"
    LAMMERS = "lammers"
    LOCKED = "locked"
    COUNTED = "counted"
    COIN_IN = "coin_in"
    CHIPS_REMOVED = "removed"
    FEES = "fees"
    SHAKEN = "shaken"
    UNCOVERED = "uncovered"
    STARTED = "started"
    DEALT_OUT = "dealt_out"
    DRAWN_EARLY = "drawn_early"
    STUB = "stub"
    STUB_WRONG = "stub_wrong"
    DISTRIBUTED = "distributed"
    COLLECTED = "collected"
    SHAKER_BACK = "shaker_back"
    DOUBLE_OFFERED = "double_offered"
    DEALER_SET = "dealer_set"
    DEALER_WRONG = "dealer_wrong"
    RESET = "reset"
    BANK_RESET = "bank_reset"
    BANKER_LEFT = "banker_left"
    LAMMERS_CLEARED = "lammers_cleared"
    GAME_OVER = "game_over"


class HandMark(StrEnum):
    """What has been done with a hand."""

    LEFT = "left"
    RULED = "ruled"
    LOOKED = "looked"
    ASKED = "asked"
    HELPED = "helped"
    PLACED = "placed"
    BY_DEALER = "by_dealer"
    BY_DISPLAY = "by_display"
    CHOOSING = "choosing"
    CHOSEN = "chosen"
    FOUL = "foul"
    ANNOUNCED = "announced"
    COUNTED = "counted"
    REARRANGED = "rearranged"
    HELD = "held"
    JOKER_ROYAL = "joker_royal"
    REVIEWED = "reviewed"
    PROGRESSIVE_WIN = "progressive_win"
    PROGRESSIVE_SHARE = "progressive_share"
    WIN_VERIFIED = "win_verified"
    LIGHT = "light"
    """The light was lit, or the floor has ruled that the wager was placed without it."""
    UNLIT = "unlit"
    VALIDATED = "validated"
    PAID_AWAY = "paid_away"
    ACKNOWLEDGED = "acknowledged"
    JACKPOT_VERIFIED = "jackpot_verified"
    JACKPOT = "jackpot"
    DOCUMENTED = "documented"
    RACKED = "racked"
    REOPENED = "reopened"
    """The hand had been opened when the floor let it be typed in again: everyone has seen its cards."""


class TableMark(StrEnum):
    """What is so of a table."""

    OPEN = "open"
    BEGUN = "begun"
    VACATED = "vacated"
    PROOF = "proof"
    KEY_JPH = "key_jph"


READY: Final = frozenset(
    {
        DeckMark.INSPECTED,
        DeckMark.VERIFIED,
        DeckMark.SPREAD,
        DeckMark.VIEWED,
        DeckMark.TURNED_DOWN,
        DeckMark.WASHED,
        DeckMark.STACKED,
    }
)
"""All that is done to a deck before its first shuffle."""
SPREADING: Final = frozenset({DeckMark.VIEWED, DeckMark.TURNED_DOWN, DeckMark.WASHED, DeckMark.STACKED})
"""What spreading the cards again makes undone."""
SHUFFLING: Final = frozenset(
    {
        DeckMark.SHUFFLED,
        DeckMark.SQUARED,
        DeckMark.COVERED,
        DeckMark.CUT,
        DeckMark.RECUT,
        DeckMark.MOVED,
        DeckMark.SPARED,
        DeckMark.LOADED,
        DeckMark.PLAYED,
        DeckMark.PRESHUFFLED,
        DeckMark.FAULTED,
        DeckMark.ORDERED,
    }
)
"""What a new shuffle makes undone."""


def nothing() -> frozenset[Any]:
    """Return the empty set, as the default of a field that is always written.

    A default that is left out when written is known by identity, and there is more than one empty set.
    """
    return frozenset()
