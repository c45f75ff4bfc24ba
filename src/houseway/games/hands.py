"""The names of the hands that paytables speak of: the law's own, in snake case."""

from __future__ import annotations

from typing import Final

from houseway.cards import RANK_NAMES

HIGH_CARD_NAMES: Final = tuple(f"{rank}_high" for rank in RANK_NAMES[5:])  # no lower high card is met

HAND_NAMES: Final = (
    "win",
    "seven_card_straight_flush",
    "royal_flush_royal_match",
    "seven_card_straight_flush_joker",
    "three_of_a_kind_and_four_8s",
    "five_aces",
    "four_aces",
    "royal_flush",
    "natural_straight_flush",
    "straight_flush_joker",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "three_pair",
    "two_pair",
    "pair",
    "high_card",
    "none",
    *HIGH_CARD_NAMES,
)

_SPOKEN: Final = {
    "seven_card_straight_flush": "Seven-card straight flush",
    "royal_flush_royal_match": "Royal flush and Royal Match",
    "seven_card_straight_flush_joker": "Seven-card straight flush with joker",
    "three_of_a_kind_and_four_8s": "Three-of-a-kind and four 8s",
    "straight_flush_joker": "Straight flush with joker",
    "four_of_a_kind": "Four-of-a-kind",
    "three_of_a_kind": "Three-of-a-kind",
}


def spoken(hand: str) -> str:
    """Return a hand's name as a layout prints it.

    >>> spoken("nine_high"), spoken("four_of_a_kind"), spoken("win")
    ('Nine-high', 'Four-of-a-kind', 'Winning wager')
    """
    if hand == "win":
        return "Winning wager"
    if hand in HIGH_CARD_NAMES:
        return hand.replace("_", "-").capitalize()
    return _SPOKEN.get(hand, hand.replace("_", " ").capitalize())
