"""Six casinos' house ways for five and two cards, coded by hand from the texts that print them."""

from __future__ import annotations

from typing import Any, Final

from numba import njit

from tests.odds.independent.evaluate import (
    ACE,
    CATEGORY,
    FIVE_ACE_LOW_SECOND,
    FLUSH,
    JOKER,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TOP_OF_FIVE,
    Array,
    first,
    groups,
    is_complete,
    long_part,
    rank_bit,
    rank_of,
    two_cards,
)
from tests.odds.independent.ways import (
    FOUR_TWO_ONE,
    JACK,
    KING,
    NINE,
    SEVEN,
    SEVEN_CARDS,
    SIX,
    TEN,
    beside_four,
    best_front,
    has_five_aces,
    no_complete_hand,
    set_hand,
    split_four,
)

TRUMP_PLAZA: Final = 4
CLARIDGE: Final = 5
BALLYS: Final = 6
FLAMINGO: Final = 7
GOLDEN_NUGGET: Final = 8
MGM_GRAND: Final = 9

FIVE: Final = ACE >> 9
TWO: Final = ACE >> 12
ACE_AND_FACE: Final = ACE | JACK
"""The least that an ace with a face card is, as the strength of two cards."""


@njit
def set_as(game: Any, hand: Array) -> Any:  # noqa: PLR0911 - one for each row of the charts
    """Set a sorted hand the way of its game, or of its casino."""
    if game <= FOUR_TWO_ONE:
        return set_hand(game, hand)
    four, trip1, trip2, pair1, pair2, pair3, odd = groups(hand)
    if four:
        return _four(game, hand, four, trip1, pair1, odd)
    if trip2:
        return first(trip1, 2)  # two threes of a kind: a pair of the higher
    if trip1 and pair1:
        return _full_house(game, hand, pair1, odd)
    if pair3:
        return pair1  # three pairs: the highest
    complete = is_complete(hand, 5)
    if pair2:
        return _two_pairs(game, hand, pair1, pair2, odd, complete)
    if complete:
        return _complete(game, hand, trip1, pair1, odd)
    return no_complete_hand(hand, trip1, pair1, odd)


@njit
def _full_house(game: Any, hand: Array, pair1: Any, odd: Any) -> Any:
    """Return the pair in front; but at five of six houses twos stay behind when ace and king are to spare."""
    ace_king = odd != 0 and two_cards(hand, odd) == ACE | KING
    return odd if game != CLARIDGE and rank_of(hand, pair1) == TWO and ace_king else pair1


# --- four of a kind --------------------------------------------------------------------------------


@njit
def _four(game: Any, hand: Array, four: Any, trip1: Any, pair1: Any, odd: Any) -> Any:
    beside = rank_of(hand, trip1 | pair1)
    if has_five_aces(hand):
        return pair1 if beside == KING else first(four, 2)
    rank, spare = rank_of(hand, four), two_cards(hand, first(odd, 2)) if not beside else 0
    if game in (FLAMINGO, GOLDEN_NUGGET):
        keep = _las_vegas_four(game, rank, beside, spare)
    elif game == TRUMP_PLAZA:
        keep = beside or rank <= SIX or (rank <= TEN and spare >= KING) or (rank <= KING and spare >= ACE)
    elif game == CLARIDGE:
        keep = beside or rank <= SIX or (rank <= TEN and spare >= ACE)
    elif rank == ACE:
        keep = beside == KING  # Bally's and the MGM Grand
    elif game == BALLYS:
        keep = beside or rank <= NINE or spare >= ACE
    else:
        keep = beside or rank <= SIX or (rank <= TEN and spare >= ACE)
    return beside_four(trip1, pair1, odd) if keep else split_four(hand, four, FIVE_ACE_LOW_SECOND)


@njit
def _las_vegas_four(game: Any, rank: Any, beside: Any, spare: Any) -> Any:
    if rank <= SIX:
        return True
    if rank <= TEN:
        return beside != 0 or spare >= (ACE_AND_FACE if game == FLAMINGO else ACE)
    return beside >= (TEN if rank <= KING else SEVEN)


# --- two pairs -------------------------------------------------------------------------------------


@njit
def _two_pairs(game: Any, hand: Array, pair1: Any, pair2: Any, odd: Any, complete: Any) -> Any:
    bigger, smaller, spare = rank_of(hand, pair1), rank_of(hand, pair2), rank_of(hand, odd)
    ace = spare == ACE
    if game == FLAMINGO:
        as_two_pairs = bigger == ACE or smaller >= TEN or (bigger <= TEN and ace)
        keep = (
            bigger <= SIX or (bigger <= TEN and ace) or (JACK <= bigger <= KING and smaller <= FIVE and ace)
        )
    elif game == GOLDEN_NUGGET:
        as_two_pairs = ace or (bigger >= JACK and smaller >= SIX) or bigger == ACE
        split = (bigger >= SEVEN and not ace) or (bigger >= JACK and smaller >= SIX and ace) or bigger == ACE
        keep = not split
    elif game == MGM_GRAND:
        as_two_pairs = bigger >= SEVEN or ace
        keep = bigger <= SIX or (ace and (bigger <= TEN or (bigger != ACE and smaller <= SIX)))
    else:
        as_two_pairs = True
        if bigger == ACE or (bigger >= JACK and smaller >= SEVEN):
            keep = False
        elif smaller <= SIX and bigger <= TEN:
            keep = spare >= KING
        else:
            keep = ace
    if complete and not as_two_pairs:
        return _complete(game, hand, 0, 0, 0)
    return first(odd, 2) if keep else pair2


# --- straights and flushes ---------------------------------------------------------------------------


@njit
def _complete(game: Any, hand: Array, trip1: Any, pair1: Any, odd: Any) -> Any:
    if game in (FLAMINGO, GOLDEN_NUGGET):
        return _las_vegas_complete(game, hand)
    if game == BALLYS and hand[0] == JOKER and rank_bit(hand[1]) == ACE and _only_ace_high(hand):
        return first(trip1, 1) | first(odd, 1) if trip1 else first(odd, 2)
    if game == MGM_GRAND and TEN <= rank_of(hand, pair1) <= KING and rank_of(hand, odd) == ACE:
        front = _beside_the_ace(hand, first(odd, 1))
        return front if front else first(odd, 2)
    return best_front(hand, FIVE_ACE_LOW_SECOND, False, STRAIGHT)


@njit
def _only_ace_high(hand: Array) -> Any:
    """Whether every straight or flush here is an ace-high straight that takes the joker and an ace."""
    for place in range(7):
        for other in range(place):
            front = 1 << place | 1 << other
            high = long_part(hand, SEVEN_CARDS ^ front, FIVE_ACE_LOW_SECOND, 5)
            kind = high >> CATEGORY
            if kind in (FLUSH, STRAIGHT_FLUSH):
                return False
            behind = rank_of(hand, SEVEN_CARDS ^ front & ~1 ^ 1)  # the joker aside, which comes first
            if kind in (STRAIGHT, ROYAL_FLUSH) and (high & 15 != TOP_OF_FIVE or front & 1 or behind != ACE):
                return False
    return True


@njit
def _beside_the_ace(hand: Array, ace: Any) -> Any:
    """Return the ace and the best card that leave a straight or flush behind, then the best of those."""
    best, best_low, best_high = 0, -1, -1
    for place in range(7):
        front = ace | 1 << place
        if front == ace:
            continue
        low, high = two_cards(hand, front), long_part(hand, SEVEN_CARDS ^ front, FIVE_ACE_LOW_SECOND, 5)
        complete = high >> CATEGORY in (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH)
        if complete and (low, high) > (best_low, best_high):
            best, best_low, best_high = front, low, high
    return best


@njit
def _best_with(hand: Array, wanted: Any) -> Any:
    """Return the best two cards that leave this category behind, then its best hand; or none."""
    best, best_low, best_high = 0, -1, -1
    for place in range(7):
        for other in range(place):
            front = 1 << place | 1 << other
            high = long_part(hand, SEVEN_CARDS ^ front, FIVE_ACE_LOW_SECOND, 5)
            low = two_cards(hand, front)
            if high >> CATEGORY == wanted and (low, high) > (best_low, best_high):
                best, best_low, best_high = front, low, high
    return best


@njit
def _las_vegas_complete(game: Any, hand: Array) -> Any:
    """Keep the highest of royal, straight flush and so on, unless a lower one improves the front enough."""
    royal, running = _best_with(hand, ROYAL_FLUSH), _best_with(hand, STRAIGHT_FLUSH)
    flush, straight = _best_with(hand, FLUSH), _best_with(hand, STRAIGHT)
    if royal:
        lower, least = _better(hand, running, _better(hand, flush, straight)), KING
    elif running:
        royal, lower = running, _better(hand, flush, straight)
        least = ACE_AND_FACE if game == FLAMINGO else JACK
    elif flush and straight and game == FLAMINGO:
        royal, lower, least = flush, straight, KING
    else:
        return _better(hand, flush, straight)
    if lower:
        low = two_cards(hand, lower)
        if low >= least and low > two_cards(hand, royal):
            return lower
    return royal


@njit
def _better(hand: Array, first: Any, other: Any) -> Any:
    """Return whichever of two fronts, if they are there, is better; the first if they are equal."""
    if not first or not other:
        return first | other
    return other if two_cards(hand, other) > two_cards(hand, first) else first
