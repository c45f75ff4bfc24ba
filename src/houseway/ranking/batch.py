"""Hands by the million: numpy arrays of cards in, categories and strengths out.

A hand is a row of ``uint8`` card numbers (``houseway.cards``). The kernels are imported when first
called, so that ranking a single hand needs neither numba nor its start-up time.

>>> import numpy as np
>>> from houseway.cards import parse_cards
>>> from houseway.ranking import ranking
>>> both = parse_cards("As Ks Qs Js Ts Kh Qh"), parse_cards("9s 9h 4d 4c 2s 3h 7d")
>>> hands = np.array(both, dtype=np.uint8)
>>> names, found = bonus_categories(ranking("pa-659a"), "fortune", hands)
>>> [names[i] for i in found]
['royal_flush_royal_match', 'none']
>>> high = strengths(ranking("pa-659a"), "high", hands[:, :4])
>>> bool(high[0] > high[1])
True
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Deck
from houseway.errors import InvalidInputError
from houseway.ranking.listing import FIVE, Among, JokerMode
from houseway.ranking.ranking import Ranking
from houseway.ranking.tables import (
    CARDS,
    FLUSH_MASK,
    START,
    ListingTables,
    binomials,
    listing_tables,
    part_table,
)

if TYPE_CHECKING:
    from houseway.kernels.listings import Tables

Array = NDArray[Any]
_SEVEN = 7
_SIX = 6
_BYTES = 256


def bonus_categories(
    ranking: Ranking, listing: str, hands: Array, mode: JokerMode = "semi", among: Among = None
) -> tuple[tuple[str, ...], Array]:
    """Return the names of a listing's categories and, for each hand, the number of its name."""
    from houseway.kernels.listings import categories  # noqa: PLC0415 - numba only when it is needed

    check_shape(hands)
    tables = listing_tables(ranking, listing, hands.shape[1], mode, among)
    out = np.empty(len(hands), dtype=np.uint8)
    if categories(np.ascontiguousarray(hands), out, _for_kernel(tables)) >= 0:
        check_hands(hands)
    return tables.names, out


def count_categories(
    ranking: Ranking,
    listing: str,
    size: int,
    deck: Deck | None = None,
    mode: JokerMode = "semi",
    among: Among = None,
) -> dict[str, int]:
    """Count, over every hand of a deck, how many make each category of a listing. Exact, in a moment."""
    from houseway.kernels.listings import count_hands  # noqa: PLC0415 - numba only when it is needed

    if size not in (_SIX, _SEVEN):
        raise InvalidInputError("hands have six or seven cards", value=size)
    tables = listing_tables(ranking, listing, size, mode, among)
    cards = np.array((deck or Deck.standard()).cards, dtype=np.int64)
    begun = np.array(list(combinations(range(len(cards)), size - FIVE)), dtype=np.int64)
    sums = START + tables.card_sum[cards[begun]].sum(axis=1)
    bits = tables.card_bits[cards[begun]].sum(axis=1)
    counts = count_hands(cards, sums, bits, begun[:, -1] + 1, _for_kernel(tables)).sum(axis=0)
    return {name: int(count) for name, count in zip(tables.names, counts, strict=False)}


def strengths(ranking: Ranking, part: str, hands: Array) -> Array:
    """Return the strength of each hand of a part."""
    check_hands(hands)
    check_size(hands, ranking.judge(part).part.cards)
    table, places = part_table(ranking, part), binomials()
    ordered = np.sort(hands, axis=1)
    numbers = sum(places[place][ordered[:, place]] for place in range(hands.shape[1]))
    values: Array = table[numbers]
    return values


def check_shape(hands: Array) -> None:
    """Refuse an array that is not rows of card numbers."""
    if hands.ndim != 2 or hands.dtype != np.uint8 or not hands.shape[1]:  # noqa: PLR2004 - rows and columns
        raise InvalidInputError(
            "hands are a two-dimensional array of uint8", value=f"{hands.dtype}{hands.shape}"
        )


def check_size(hands: Array, size: int) -> None:
    """Refuse hands of another number of cards."""
    if hands.shape[1] != size:
        raise InvalidInputError(f"hands of {size} cards are needed", value=int(hands.shape[1]))


def check_hands(hands: Array) -> None:
    """Refuse an array that does not hold hands: rows of distinct cards."""
    check_shape(hands)
    if len(hands) and hands.max() >= CARDS:
        raise InvalidInputError("no card has this number", value=int(hands.max()))
    ordered = np.sort(hands, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if twice.any():
        raise InvalidInputError("the same card twice in row", value=int(twice.argmax()))


def _for_kernel(tables: ListingTables) -> Tables:
    from houseway.kernels.listings import Tables  # noqa: PLC0415 - numba only when it is needed

    return Tables(
        START,
        FLUSH_MASK,
        np.pad(tables.card_sum, (0, _BYTES - CARDS)),
        np.pad(tables.card_bits, (0, _BYTES - CARDS), constant_values=1 << CARDS),
        tables.by_ranks,
        tables.by_suit,
        tables.combine,
        tables.royal,
        tables.match,
    )
