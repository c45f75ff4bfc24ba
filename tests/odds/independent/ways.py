"""Four house ways coded by hand from the words of their documents.

A hand comes sorted, best card first and the joker before the aces, so that of any cards the highest are
the first. A setting is the mask of the places in front: two cards, or one in the game of six. In the game
of four, two and one it is the medium hand's mask and, eight bits up, the low hand's.
"""

from __future__ import annotations

from typing import Any, Final

from numba import njit

from tests.odds.independent.evaluate import (
    ACE,
    CATEGORY,
    FIVE_ACE_LOW_LAST,
    FIVE_ACE_LOW_SECOND,
    FLUSH,
    FOUR_ACE_LOW_SECOND,
    JOKER,
    PAIR,
    PLAYERS_LOW_JOKER,
    ROYAL_FLUSH,
    RUNS_OF_SIX,
    STRAIGHT,
    STRAIGHT_FLUSH,
    Array,
    first,
    groups,
    has_flush,
    has_run,
    is_complete,
    long_part,
    one_card,
    outranks,
    rank_bit,
    rank_of,
    two_cards,
)

FOXWOODS: Final = 0
CALIFORNIA: Final = 1
SIX_CARD: Final = 2
FOUR_TWO_ONE: Final = 3

LOW: Final = 8
"""Bits below the low hand's mask in a setting of three parts."""
SEVEN_CARDS: Final = (1 << 7) - 1
SIX_CARDS: Final = (1 << 6) - 1
SPLIT_PAIR: Final = 0b10010 | 0b100 << LOW
"""A pair above five singles, split: the best single low, the next high, or medium would outrank high.

High is no straight or flush: that, a card of the pair leading medium, is set by the rule before.
"""

# Ranks as bits, to read the charts by.
KING: Final = ACE >> 1
QUEEN: Final = ACE >> 2
JACK: Final = ACE >> 3
TEN: Final = ACE >> 4
NINE: Final = ACE >> 5
SEVEN: Final = ACE >> 7
SIX: Final = ACE >> 8


@njit
def has_five_aces(hand: Array) -> Any:
    """Whether all four aces and the joker are held: they come first."""
    return rank_bit(hand[0]) == ACE and rank_bit(hand[4]) == ACE


# --- five and two --------------------------------------------------------------------------------


@njit
def best_front(hand: Array, ladder: Array, pair_needed: Any, lowest: Any) -> Any:
    """Return the best two cards that leave such a hand behind, then the strongest hand behind; or none.

    Asked for less than a straight behind, the front must still not outrank the back.
    """
    best_front, best_low, best_high = 0, -1, -1
    for left in range(len(hand)):
        for other in range(left):
            front = 1 << left | 1 << other
            low = two_cards(hand, front)
            if low < best_low or (pair_needed and low >> CATEGORY != PAIR):
                continue
            high = long_part(hand, SEVEN_CARDS ^ front, ladder, 5)
            if high >> CATEGORY < lowest or outranks(low, high, 2):
                continue
            if low > best_low or high > best_high:
                best_front, best_low, best_high = front, low, high
    return best_front


@njit
def split_four(hand: Array, four: Any, ladder: Array) -> Any:
    """Return the two of four of a kind whose place in front leaves the strongest hand behind."""
    best_front, best = 0, -1
    for left in range(7):
        for other in range(left):
            front = 1 << left | 1 << other
            if front & ~four == 0:
                high = long_part(hand, SEVEN_CARDS ^ front, ladder, 5)
                if high > best:
                    best_front, best = front, high
    return best_front


@njit
def beside_four(trip1: Any, pair1: Any, odd: Any) -> Any:
    """Return the best two cards beside four of a kind: a pair if there is one."""
    if trip1 or pair1:
        return first(trip1 | pair1, 2)
    return first(odd, 2)


@njit
def no_complete_hand(hand: Array, trip1: Any, pair1: Any, odd: Any) -> Any:
    """Set trips, a pair or nothing, as both charts do."""
    if rank_of(hand, trip1) == ACE:
        return first(trip1, 1) | first(odd, 1)  # three aces: one, and the next highest card
    if trip1 or pair1:
        return first(odd, 2)
    return 0b110  # no pair: the second and third highest


@njit
def foxwoods(hand: Array) -> Any:  # noqa: PLR0911 - one for each row of the chart
    """Set seven cards the Foxwoods way."""
    four, trip1, trip2, pair1, pair2, pair3, odd = groups(hand)
    if four:
        return _foxwoods_four(hand, four, trip1, pair1, odd)
    if trip2:
        return first(trip1, 2)  # two threes of a kind: a pair of the higher
    if trip1 and pair1:
        return pair1  # full house: the trips behind, the highest pair in front
    if pair3:
        return pair1  # three pairs: the highest
    if pair2:
        return _foxwoods_two_pair(hand, pair1, pair2, odd)
    if is_complete(hand, 5):
        front = best_front(hand, FIVE_ACE_LOW_SECOND, False, STRAIGHT)
        if TEN <= rank_of(hand, pair1) <= KING and rank_of(hand, odd) == ACE:
            ace = first(odd, 2)  # the pair behind and the ace in front, if that improves the front
            if two_cards(hand, ace) > two_cards(hand, front):
                return ace
        return front
    return no_complete_hand(hand, trip1, pair1, odd)


@njit
def _foxwoods_four(hand: Array, four: Any, trip1: Any, pair1: Any, odd: Any) -> Any:
    if has_five_aces(hand):
        return pair1 if rank_of(hand, pair1) == KING else first(four, 2)
    rank = rank_of(hand, four)
    keep = trip1 or pair1 or rank <= SIX or (rank <= TEN and rank_of(hand, odd) >= KING)
    return beside_four(trip1, pair1, odd) if keep else split_four(hand, four, FIVE_ACE_LOW_SECOND)


@njit
def _foxwoods_two_pair(hand: Array, pair1: Any, pair2: Any, odd: Any) -> Any:
    bigger, spare = rank_of(hand, pair1), rank_of(hand, odd)
    if SEVEN <= bigger <= TEN and spare == ACE:
        return first(odd, 2)
    if bigger <= SIX and spare >= KING:
        return first(odd, 2)
    return pair2


@njit
def california(hand: Array) -> Any:  # noqa: PLR0911 - one for each row of the chart
    """Set seven cards by California's chart and its golden rule."""
    four, trip1, trip2, pair1, pair2, pair3, odd = groups(hand)
    if four:
        return _california_four(hand, four, trip1, pair1, odd)
    if trip2:
        return first(trip1, 2)  # twice three of a kind: a pair of the higher
    if trip1 and pair1:
        golden = best_front(hand, FIVE_ACE_LOW_LAST, True, STRAIGHT)
        return golden if golden else best_front(hand, FIVE_ACE_LOW_LAST, True, 0)
    if pair3:
        return pair1  # three pairs: the highest
    if pair2:
        return _california_two_pair(hand, pair1, pair2, odd)
    if is_complete(hand, 5):
        return best_front(hand, FIVE_ACE_LOW_LAST, False, STRAIGHT)
    return no_complete_hand(hand, trip1, pair1, odd)


@njit
def _california_four(hand: Array, four: Any, trip1: Any, pair1: Any, odd: Any) -> Any:
    if has_five_aces(hand):
        return first(four, 2)
    rank, paired, spare = rank_of(hand, four), trip1 or pair1, rank_of(hand, odd)
    if rank >= QUEEN:
        keep = paired != 0
    elif rank >= NINE:
        keep = paired != 0 or spare >= KING
    elif rank >= SIX:
        keep = paired != 0 or spare >= QUEEN
    else:
        keep = True
    return beside_four(trip1, pair1, odd) if keep else split_four(hand, four, FIVE_ACE_LOW_LAST)


@njit
def _california_two_pair(hand: Array, pair1: Any, pair2: Any, odd: Any) -> Any:
    bigger, spare = rank_of(hand, pair1), rank_of(hand, odd)
    if NINE <= bigger <= JACK:
        keep = spare == ACE
    elif SIX <= bigger < NINE:
        keep = spare >= KING
    else:
        keep = bigger < SIX and spare >= QUEEN
    return first(odd, 2) if keep else pair2


# --- five and one --------------------------------------------------------------------------------


@njit
def six_card(hand: Array) -> Any:  # noqa: PLR0911 - one for each rule
    """Set six cards as § 670a.11(d) has the dealer do: which card is low."""
    four, trip1, trip2, pair1, _, pair3, odd = groups(hand)
    if four:
        return first(SIX_CARDS ^ four, 1)  # five aces, or four of a kind: the higher of the others
    if trip2:
        return first(trip1, 1)  # the third of the higher trips
    if trip1 and pair1:
        return odd  # full house: the odd card
    if is_complete(hand, 5):
        return _six_card_complete(hand)
    if pair3:
        return first(pair1, 1)  # three pairs: one of the top pair
    if pair1 or trip1:
        return first(odd, 1)  # kept together, the highest odd card low
    return 0b10  # nothing: the second highest


@njit
def _six_card_complete(hand: Array) -> Any:
    """Keep the best of straight, flush, straight flush and royal; the highest card it spares is low.

    In a six-card straight flush the royal counts as any other. Of ace and joker the joker goes low, as
    it comes first.
    """
    merge = has_flush(hand, 6) and has_run(hand, RUNS_OF_SIX)
    best_front, best_kind, best_low, best_high = 0, -1, -1, -1
    for place in range(6):
        high = long_part(hand, SIX_CARDS ^ 1 << place, FIVE_ACE_LOW_SECOND, 5)
        kind, low = high >> CATEGORY, rank_bit(hand[place])
        if kind not in (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH):
            continue
        if merge and kind == ROYAL_FLUSH:
            kind = STRAIGHT_FLUSH
        if (kind, low, high) > (best_kind, best_low, best_high):
            best_front, best_kind, best_low, best_high = 1 << place, kind, low, high
    return best_front


# --- four, two and one ---------------------------------------------------------------------------


@njit
def four_two_one(hand: Array) -> Any:
    """Set seven cards by houseway's own rules for four, two and one."""
    four, trip1, trip2, pair1, pair2, _, odd = groups(hand)
    if four or trip2 or pair2 or (trip1 and pair1):
        return pair_in_the_middle(hand)
    if trip1:
        return _four_two_one_trips(hand, trip1, odd)
    complete = is_complete(hand, 4)
    if complete:
        beside = complete_before(hand, pair1, odd) if pair1 else 0
        setting = beside if beside else complete_behind(hand, rank_bit(hand[0]))
        if setting:
            return setting
    if pair1:
        top = pair1 == 0b11 and rank_of(hand, pair1) >= QUEEN
        return SPLIT_PAIR if top else spread(odd)
    setting = complete_behind(hand, rank_bit(hand[1])) if complete else 0
    return setting if setting else spread(0b1111110)  # nothing: the highest card leads the high hand


@njit
def _four_two_one_trips(hand: Array, trip1: Any, odd: Any) -> Any:
    setting, best_low, best_high = 0, -1, -1
    for spare in range(7):
        if trip1 >> spare & 1:
            medium = trip1 ^ 1 << spare
            placed = complete_before(hand, medium, SEVEN_CARDS ^ medium)
            if placed:
                low = one_card(hand, placed >> LOW)
                high = long_part(hand, SEVEN_CARDS ^ medium ^ placed >> LOW, FOUR_ACE_LOW_SECOND, 4)
                if (low, high) > (best_low, best_high):
                    setting, best_low, best_high = placed, low, high
    if setting:
        return setting
    if rank_of(hand, trip1) >= JACK:
        # A pair high and no more than a pair: the third is the joker if it is there, or it might complete.
        return spread(odd | first(trip1, 1))
    return spread(odd)


@njit
def spread(cards: Any) -> Any:
    """Return the best card to lead the medium hand, the next as the low hand, the third to the medium."""
    lead, two, three = first(cards, 1), first(cards, 2), first(cards, 3)
    return lead | three ^ two | (two ^ lead) << LOW


@njit
def complete_before(hand: Array, medium: Any, others: Any) -> Any:
    """Return the setting with this pair medium, a straight or better high, the highest card low; or none."""
    setting, best_low, best_high = 0, -1, -1
    for place in range(7):
        if others >> place & 1:
            low = rank_bit(hand[place])
            high = long_part(hand, others ^ 1 << place, FOUR_ACE_LOW_SECOND, 4)
            if high >> CATEGORY >= STRAIGHT and (low, high) > (best_low, best_high):
                setting, best_low, best_high = medium | 1 << place << LOW, low, high
    return setting


@njit
def complete_behind(hand: Array, leader: Any) -> Any:
    """Return the setting with a straight or better high and this rank leading the medium hand; or none.

    The best low card first, which may not be above the leader, then the best medium and high hands.
    """
    setting, best_low, best_medium, best_high = 0, -1, -1, -1
    for left in range(7):
        for right in range(left + 1, 7):
            if rank_bit(hand[left]) != leader:
                continue
            pair = 1 << left | 1 << right
            medium = two_cards(hand, pair)
            for place in range(7):
                low = rank_bit(hand[place])
                if pair >> place & 1 or low > leader or (low, medium) < (best_low, best_medium):
                    continue
                high = long_part(hand, SEVEN_CARDS ^ pair ^ 1 << place, FOUR_ACE_LOW_SECOND, 4)
                better = (low, medium, high) > (best_low, best_medium, best_high)
                if better and high >> CATEGORY >= STRAIGHT:
                    setting = pair | 1 << place << LOW
                    best_low, best_medium, best_high = low, medium, high
    return setting


@njit
def pair_in_the_middle(hand: Array) -> Any:
    """Return the setting with the highest pair medium that the high hand allows, the highest card low."""
    setting, best_medium, best_low, best_high = 0, -1, -1, -1
    for left in range(7):
        for right in range(left + 1, 7):
            pair = 1 << left | 1 << right
            medium = two_cards(hand, pair)
            if rank_bit(hand[left]) != rank_bit(hand[right]) or medium < best_medium:
                continue
            for place in range(7):
                if pair >> place & 1:
                    continue
                low = rank_bit(hand[place])
                high = long_part(hand, SEVEN_CARDS ^ pair ^ 1 << place, FOUR_ACE_LOW_SECOND, 4)
                better = (medium, low, high) > (best_medium, best_low, best_high)
                if better and not outranks(medium, high, 2):
                    setting = pair | 1 << place << LOW
                    best_medium, best_low, best_high = medium, low, high
    return setting


@njit
def set_hand(game: Any, hand: Array) -> Any:
    """Set a sorted hand the way of its game."""
    if game == FOXWOODS:
        return foxwoods(hand)
    if game == CALIFORNIA:
        return california(hand)
    if game == SIX_CARD:
        return six_card(hand)
    return four_two_one(hand)


@njit
def strengths(game: Any, hand: Array, setting: Any, as_player: Any) -> Any:
    """Return the strengths of the parts of a setting, the third of two parts being nothing.

    In the game of six a player's joker as the low hand beats any card; the dealer's is an ace.
    """
    if game == FOUR_TWO_ONE:
        medium, low = setting & SEVEN_CARDS, setting >> LOW
        high = long_part(hand, SEVEN_CARDS ^ medium ^ low, FOUR_ACE_LOW_SECOND, 4)
        return high, two_cards(hand, medium), one_card(hand, low)
    if game == SIX_CARD:
        joker_low = as_player and setting == 1 and hand[0] == JOKER  # the joker comes first of any hand
        low = PLAYERS_LOW_JOKER if joker_low else one_card(hand, setting)
        return long_part(hand, SIX_CARDS ^ setting, FIVE_ACE_LOW_SECOND, 5), low, 0
    ladder = FIVE_ACE_LOW_LAST if game == CALIFORNIA else FIVE_ACE_LOW_SECOND
    return long_part(hand, SEVEN_CARDS ^ setting, ladder, 5), two_cards(hand, setting), 0
