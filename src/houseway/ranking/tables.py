"""Look-up tables expanded from the readable reference, so that kernels only gather.

*Part tables* hold the strength of every hand of one to five cards, found by its combination number.
The reference is asked once for every set of ranks, with and without the joker, in one suit and in
several: all that a strength can depend on.

*Listing tables* hold the category of all the dealt cards. A sum of small keys, one for each rank,
names a multiset of ranks without collision; another table covers five and more cards of one suit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER, RANKS, SUITS, Card, Cards
from houseway.errors import DataError
from houseway.ranking.held import COUNT_BITS, JOKER_BIT, SUITED_BIT, AceLow
from houseway.ranking.listing import FIVE, NONE, SUITED, WHOLE, Among, DealtHand, JokerMode, first_made
from houseway.ranking.order import Category
from houseway.ranking.picture import picture
from houseway.ranking.ranking import Ranking, ranking

Array = NDArray[Any]
CARDS: Final = 53
RANK_COUNT: Final = len(RANKS)
SUIT_COUNT: Final = len(SUITS)
_SUIT_FIELD: Final = 4
_SUIT_SHIFT: Final = 40
FLUSH_MASK: Final = sum(8 << _SUIT_SHIFT + _SUIT_FIELD * suit for suit in range(SUIT_COUNT))
START: Final = sum(3 << _SUIT_SHIFT + _SUIT_FIELD * suit for suit in range(SUIT_COUNT))
"""Each suit's counter starts at three, so that five cards of it reach eight and set one bit."""

RANK_KEYS: Final = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""A key for each rank: no two multisets of seven cards, or of six, have the same sum (checked in use)."""

Key = tuple[str, AceLow, AceLow, tuple[tuple[str, str], ...], tuple[str, ...]]


def key_of(order: Ranking) -> Key:
    """Return what a ranking is made of, fit to remember tables by."""
    readings = tuple(sorted(order.readings.items()))
    return order.id, order.ace_low_straight, order.ace_low_straight_flush, readings, order.struck


def ranking_of(key: Key) -> Ranking:
    """Make the ranking again from its key."""
    name, straight, straight_flush, readings, struck = key
    return ranking(
        name,
        ace_low_straight=straight,
        ace_low_straight_flush=straight_flush,
        readings=dict(readings),
        struck=struck,
    )


@cache
def hand_numbers(size: int) -> Array:
    """Return every combination of ``size`` cards of 53, a row each, in the order of their numbers.

    >>> hand_numbers(2)[:4].tolist(), len(hand_numbers(4))
    ([[0, 1], [0, 2], [1, 2], [0, 3]], 292825)
    """
    if size == 1:
        return np.arange(CARDS, dtype=np.uint8).reshape(-1, 1)
    below = hand_numbers(size - 1)
    blocks = []
    for top in range(size - 1, CARDS):
        rows = below[: comb(top, size - 1)]
        blocks.append(np.column_stack([rows, np.full(len(rows), top, dtype=np.uint8)]))
    return np.concatenate(blocks)


@cache
def binomials() -> Array:
    """Return the table by which a sorted hand is numbered: the sum of ``binomials[place, card]``."""
    rows = [[comb(card, place + 1) for card in range(CARDS)] for place in range(FIVE)]
    return np.array(rows, dtype=np.int32)


def part_table(order: Ranking, part: str) -> Array:
    """Return the strength of every hand of a part, by combination number."""
    return _part_table(key_of(order), part)


@cache
def _part_table(key: Key, part: str) -> Array:
    order = ranking_of(key)
    hands = hand_numbers(order.judge(part).part.cards)
    kinds, where = np.unique(_kinds(hands), return_inverse=True)
    strengths = np.array([order.rank_kind(part, int(kind)).strength for kind in kinds], dtype=np.int32)
    expanded: Array = strengths[where.reshape(-1)]
    return expanded


def _kinds(hands: Array) -> Array:
    """Number each hand by its kind, ``held.kind_of`` of many at once."""
    joker = hands == JOKER
    rank, suit = hands // SUIT_COUNT, hands % SUIT_COUNT
    unit = np.where(joker, 0, np.int64(1) << (COUNT_BITS * rank.astype(np.int64)))
    natural_min = np.where(joker, SUIT_COUNT, suit).min(axis=1)
    natural_max = np.where(joker, -1, suit.astype(np.int64)).max(axis=1)
    suited = (natural_max <= natural_min).astype(np.int64)
    flags = joker.any(axis=1).astype(np.int64) << JOKER_BIT
    kinds: Array = unit.sum(axis=1) | flags | suited << SUITED_BIT
    return kinds


ROYAL: Final = "royal_flush"
MATCH: Final = "royal_flush_royal_match"


@dataclass(frozen=True)
class ListingTables:
    """What the listing kernels gather from, and the names their numbers stand for."""

    names: tuple[str, ...]
    card_sum: Array
    card_bits: Array
    by_ranks: Array
    by_suit: Array
    combine: Array
    royal: int
    match: int


def listing_tables(
    order: Ranking, listing: str, size: int, mode: JokerMode = "semi", among: Among = None
) -> ListingTables:
    """Return the tables of one listing for hands of ``size`` cards."""
    return _listing_tables(key_of(order), listing, size, mode, among)


@cache
def _listing_tables(key: Key, listing: str, size: int, mode: JokerMode, among: Among) -> ListingTables:
    order = ranking_of(key)
    categories = order.listing(listing).standing(order.readings, among)
    names = (*dict.fromkeys(c.name for c in categories), NONE)
    index = {name: place for place, name in enumerate(names)}
    plain = [c for c in categories if c.name not in SUITED]
    suited = [c for c in categories if c.name in SUITED]
    by_suit, combine = _by_suit(size, suited, index), _combine(plain, names)
    if MATCH in index and ROYAL not in index:
        index[ROYAL] = len(names)
        with_royal = _by_suit(
            size, _add_royal(suited, order.listing(listing).standing(order.readings)), index
        )
        by_suit, combine = with_royal, _without_royal(combine, by_suit[with_royal == index[ROYAL]])
    return ListingTables(
        names=names,
        card_sum=_card_sums(size),
        card_bits=np.array([1 << _bit(card) for card in range(CARDS)], dtype=np.int64),
        by_ranks=_by_ranks(size, plain, index, mode),
        by_suit=by_suit,
        combine=combine,
        royal=index.get(ROYAL, -1),
        match=index.get(MATCH, -1),
    )


def _add_royal(suited: Sequence[Category], every: Sequence[Category]) -> list[Category]:
    """Return the categories of a suit with the royal flush in its place, which the list does not have."""
    place = next(n for n, category in enumerate(every) if category.name == ROYAL)
    above = {category.name for category in every[:place]}
    cut = next((n for n, category in enumerate(suited) if category.name not in above), len(suited))
    return [*suited[:cut], every[place], *suited[cut:]]


def _without_royal(combine: Array, otherwise: Array) -> Array:
    """Return how ranks and suit combine where a royal flush has a number but no place on the list.

    The number stands for a hand of which the match is still to be looked for; without it, it is what the list
    makes of a royal flush otherwise.
    """
    stands_for = np.unique(otherwise)
    if len(stands_for) != 1:
        cause = "a royal flush without its match is more than one hand of the list"
        raise DataError(cause, value=str(stands_for))
    wider: Array = np.hstack([combine, combine[:, stands_for]])
    return np.vstack([wider, wider[stands_for]])


def _bit(card: int) -> int:
    rank, suit = divmod(card, SUIT_COUNT)
    return RANK_COUNT * SUIT_COUNT if card == JOKER else RANK_COUNT * suit + rank


def _card_sums(size: int) -> Array:
    """Return each card's share of a hand's sum: its rank's key, and one on its suit's counter."""
    counters = [1 << _SUIT_SHIFT + _SUIT_FIELD * suit for suit in range(SUIT_COUNT)]
    natural = [RANK_KEYS[card // SUIT_COUNT] + counters[card % SUIT_COUNT] for card in range(CARDS - 1)]
    return np.array([*natural, _joker_key(size) + sum(counters)], dtype=np.int64)


def _joker_key(size: int) -> int:
    """Return a key for the joker that lies above every sum without it."""
    whole, rest = divmod(size, SUIT_COUNT)
    top = sorted(RANK_KEYS, reverse=True)
    return SUIT_COUNT * sum(top[:whole]) + rest * top[whole] + 1


def _by_ranks(size: int, plain: Sequence[Category], index: dict[str, int], mode: JokerMode) -> Array:
    """Ask the reference once for every picture that a multiset of ranks can show."""
    places, pictures, examples = _pictures(size)
    numbers = [index[first_made(DealtHand(hand, mode), plain)] for hand in examples]
    table = np.full(2 * _joker_key(size), index[NONE], dtype=np.uint8)
    table[places] = np.array(numbers, dtype=np.uint8)[pictures]
    return table


@cache
def _pictures(size: int) -> tuple[Array, Array, tuple[Cards, ...]]:
    """Return the sum of every multiset of ranks, which picture it shows in suits that make no flush, and
    for each picture a hand that shows it.
    """
    deck, joker_key = [Card(number) for number in range(CARDS)], _joker_key(size)
    numbers: dict[int | None, int] = {}
    examples: list[Cards] = []
    places, shown = [], []
    for joker in (False, True):
        for ranks in combinations_with_replacement(range(RANK_COUNT), size - joker):
            if any(ranks[i] == ranks[i + SUIT_COUNT] for i in range(len(ranks) - SUIT_COUNT)):
                continue
            hand = [deck[SUIT_COUNT * rank + place % SUIT_COUNT] for place, rank in enumerate(ranks)]
            cards = (*hand, deck[JOKER]) if joker else tuple(hand)
            seen = picture(cards)
            if seen not in numbers:
                numbers[seen] = len(examples)
                examples.append(cards)
            places.append(sum([RANK_KEYS[rank] for rank in ranks]) + joker * joker_key)
            shown.append(numbers[seen])
    if len(set(places)) < len(places):
        raise DataError("two multisets of ranks have the same sum", value=size)
    return np.array(places), np.array(shown), tuple(examples)


def _by_suit(size: int, suited: Sequence[Category], index: dict[str, int]) -> Array:
    """Ask the reference for every set of five and more ranks of one suit, with and without the joker."""
    table = np.full(2 << RANK_COUNT, index[NONE], dtype=np.uint8)
    for joker in (0, 1):
        for ranks in range(1 << RANK_COUNT):
            count = ranks.bit_count() + joker
            if not FIVE <= count <= size:
                continue
            hand = [Card(SUIT_COUNT * rank) for rank in range(RANK_COUNT) if ranks >> rank & 1]
            possible = [c for c in suited if count == size or c.name not in WHOLE]
            name = first_made(DealtHand([*hand, JOKER] if joker else hand), possible)
            table[joker << RANK_COUNT | ranks] = index[name]
    return table


def _combine(plain: Sequence[Category], names: Sequence[str]) -> Array:
    """Return the better of what ranks and suit make; a high-card line does not survive a flush."""
    last = len(names) - 1
    spoilt = {c.name for c in plain if c.name.endswith("_high") and c.flush == "matters"}
    table = np.empty((len(names), len(names)), dtype=np.uint8)
    for by_ranks, name in enumerate(names):
        for by_suit in range(len(names)):
            table[by_ranks, by_suit] = min(last if name in spoilt else by_ranks, by_suit)
    return table
