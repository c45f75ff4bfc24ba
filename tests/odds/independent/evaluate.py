"""How strong a part is: a second evaluator, written from the ranking lists and nothing else.

A card is a number, four to a rank from the twos up, 52 the joker. A part is a mask of places in a hand,
and its strength a number: the category, the ranks that make it, the other ranks. Ranks are bits in a mask,
so that two hands of one category compare as two masks do.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]
JOKER: Final = 52
ACE: Final = 1 << 12
RANK_MASKS: Final = 1 << 13
OF_ONE: Final = 13
"""Bits that the other ranks take, below the ranks that make the category."""
CATEGORY: Final = 26
"""Bits below the category."""

PAIR: Final = 1
TWO_PAIR: Final = 2
THREE: Final = 3
STRAIGHT: Final = 4
FLUSH: Final = 5
FULL_HOUSE: Final = 6
FOUR: Final = 7
STRAIGHT_FLUSH: Final = 8
ROYAL_FLUSH: Final = 9
ALL_ACES: Final = 10
"""Five aces in a hand of five, four aces in a hand of four."""
PLAYERS_LOW_JOKER: Final = 1 << 14
"""A player's joker as the low hand of Six-Card Fortune: above the ace."""


def run_masks(size: int) -> list[int]:
    """Return the straights of a size as masks of ranks, from the ace-high one down, the ace-low one last."""
    plain = [((1 << size) - 1) << lowest for lowest in range(13 - size, -1, -1)]
    return [*plain, ACE | (1 << size - 1) - 1]


def _ladder(size: int, *, ace_low_second: bool) -> Array:
    """Return the place, from the bottom, of the best straight a mask of ranks makes or lacks one card of."""
    order = run_masks(size)
    if ace_low_second:
        order.insert(1, order.pop())
    places = np.zeros(RANK_MASKS, dtype=np.int8)
    for place, run in enumerate(reversed(order), start=1):
        places[run] = place
        for rank in range(13):
            if run >> rank & 1:
                places[run ^ 1 << rank] = place
    return places


FIVE_ACE_LOW_SECOND: Final = _ladder(5, ace_low_second=True)
FIVE_ACE_LOW_LAST: Final = _ladder(5, ace_low_second=False)
FOUR_ACE_LOW_SECOND: Final = _ladder(4, ace_low_second=True)
TOP_OF_FIVE: Final = 10
RUNS_OF_SIX: Final = np.array(run_masks(6), dtype=np.int64)
RUNS_OF_FIVE: Final = np.array(run_masks(5), dtype=np.int64)
RUNS_OF_FOUR: Final = np.array(run_masks(4), dtype=np.int64)


@njit
def rank_bit(card: Any) -> Any:
    """Return the bit of a card's rank, the joker an ace."""
    return ACE if card == JOKER else 1 << (card >> 2)


@njit
def counted(hand: Array, part: Any) -> Any:
    """Return the natural ranks held at least once, twice, three and four times; the suit; the joker."""
    once, twice, thrice, four = 0, 0, 0, 0
    suits, joker = 15, False
    for place in range(len(hand)):
        if part >> place & 1:
            card = hand[place]
            if card == JOKER:
                joker = True
            else:
                bit = 1 << (card >> 2)
                suits &= 1 << (card & 3)
                four |= thrice & bit
                thrice |= twice & bit
                twice |= once & bit
                once |= bit
    return once, twice, thrice, four, suits != 0, joker


@njit
def highest_missing(ranks: Any) -> Any:
    """Return the highest rank that a flush does not hold yet: what its joker stands for."""
    bit = ACE
    while ranks & bit:
        bit >>= 1
    return bit


@njit
def of_a_kind(once: Any, twice: Any, thrice: Any) -> Any:
    """Return the strength of full house, three, two pair, pair or nothing, the joker already an ace."""
    if thrice:
        pair = twice ^ thrice
        if pair:
            return FULL_HOUSE << CATEGORY | thrice << OF_ONE | pair
        return THREE << CATEGORY | thrice << OF_ONE | once ^ thrice
    if twice:
        category = TWO_PAIR if twice & (twice - 1) else PAIR
        return category << CATEGORY | twice << OF_ONE | once ^ twice
    return once


@njit
def long_part(hand: Array, part: Any, ladder: Array, size: Any) -> Any:  # noqa: PLR0911 - one a category
    """Return the strength of four or five cards; the ladder says which straights beat which."""
    once, twice, thrice, four, suited, joker = counted(hand, part)
    if twice == 0:
        place = np.int64(ladder[once])
        if suited and place:
            royal = size == 5 and place == TOP_OF_FIVE
            return (ROYAL_FLUSH if royal else STRAIGHT_FLUSH) << CATEGORY | place
        if suited:
            return FLUSH << CATEGORY | once | (highest_missing(once) if joker else 0)
        if place:
            return STRAIGHT << CATEGORY | place
    if joker:
        if four & ACE:
            return ALL_ACES << CATEGORY
        four |= thrice & ACE
        thrice |= twice & ACE
        twice |= once & ACE
        once |= ACE
    if four:
        if size == 4 and four == ACE:
            return ALL_ACES << CATEGORY
        return FOUR << CATEGORY | four << OF_ONE | once ^ four
    return of_a_kind(once, twice, thrice)


@njit
def two_cards(hand: Array, part: Any) -> Any:
    """Return the strength of two cards: a pair, the joker an ace, or the higher card and the lower."""
    once, twice = 0, 0
    for place in range(len(hand)):
        if part >> place & 1:
            bit = rank_bit(hand[place])
            twice |= once & bit
            once |= bit
    return PAIR << CATEGORY | twice << OF_ONE if twice else once


@njit
def one_card(hand: Array, part: Any) -> Any:
    """Return the strength of one card, its rank; the joker is an ace."""
    place = 0
    while not part >> place & 1:
        place += 1
    return rank_bit(hand[place])


@njit
def top_ranks(ranks: Any, count: Any) -> Any:
    """Return the highest few of a mask of ranks."""
    highest, bit = 0, ACE
    while count and bit:
        if ranks & bit:
            highest |= bit
            count -= 1
        bit >>= 1
    return highest


@njit
def outranks(shorter: Any, longer: Any, cards: Any) -> Any:
    """Whether a part of one or two cards is higher than the longer part above it, which would be foul."""
    category = longer >> CATEGORY
    if category != shorter >> CATEGORY:
        return category < shorter >> CATEGORY
    if category == PAIR:
        return shorter >> OF_ONE > longer >> OF_ONE
    return category == 0 and shorter > top_ranks(longer, cards)


@njit
def has_run(hand: Array, runs: Array) -> Any:
    """Whether the cards, with the joker for one that lacks, hold some straight of these."""
    once, _, _, _, _, joker = counted(hand, (1 << len(hand)) - 1)
    for run in runs:
        lacks = run & ~once
        if lacks == 0 or (joker and lacks & (lacks - 1) == 0):
            return True
    return False


@njit
def has_flush(hand: Array, size: Any) -> Any:
    """Whether so many cards are of one suit, the joker of any."""
    suits, jokers = 0, 0
    for card in hand:
        if card == JOKER:
            jokers = 1
        else:
            suits += 1 << 4 * (card & 3)
    most = 0
    for suit in range(4):
        most = max(most, suits >> 4 * suit & 15)
    return most + jokers >= size


@njit
def is_complete(hand: Array, size: Any) -> Any:
    """Whether four or five of the cards make a straight, a flush or both."""
    return has_flush(hand, size) or has_run(hand, RUNS_OF_FIVE if size == 5 else RUNS_OF_FOUR)


# --- what a whole hand holds ---------------------------------------------------------------------


@njit
def sort_hand(hand: Array) -> Any:
    """Sort a hand in place, best card first."""
    for end in range(1, len(hand)):
        card = hand[end]
        place = end
        while place and hand[place - 1] < card:
            hand[place] = hand[place - 1]
            place -= 1
        hand[place] = card


@njit
def first(places: Any, count: Any) -> Any:
    """Return the highest few of some cards."""
    ranks = 0
    while count:
        best = places & -places
        ranks |= best
        places ^= best
        count -= 1
    return ranks


@njit
def rank_of(hand: Array, places: Any) -> Any:
    """Return the rank of the highest of some cards, as a bit; nothing for no cards."""
    return one_card(hand, places) if places else 0


@njit
def groups(hand: Array) -> Any:
    """Return the cards of four or five of a kind, two trips, three pairs, and the odd cards, best first."""
    four, trip1, trip2, pair1, pair2, pair3, odd = 0, 0, 0, 0, 0, 0, 0
    start, size = 0, len(hand)
    while start < size:
        end = start + 1
        while end < size and rank_bit(hand[end]) == rank_bit(hand[start]):
            end += 1
        places = (1 << end) - (1 << start)
        count = end - start
        if count > 3:
            four = places
        elif count == 3:
            trip1, trip2 = (trip1, places) if trip1 else (places, 0)
        elif count == 1:
            odd |= places
        elif not pair1:
            pair1 = places
        elif not pair2:
            pair2 = places
        else:
            pair3 = places
        start = end
    return four, trip1, trip2, pair1, pair2, pair3, odd
