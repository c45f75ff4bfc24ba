"""Hands by number: all that contain some shared cards, each with its entry in a table.

A hand's number is its place among all combinations of the deck.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

Array = NDArray[Any]


class Level(NamedTuple):
    """Sets of shared cards of one size, their weights, and the deck whose hands contain them."""

    shared: Array
    weights: Array
    cards: int
    size: int
    room: int
    threads: int
    binomials: Array


@njit(cache=True)
def fill_places(level: Level, row: Any, rest: Array, table: Array) -> Any:
    """Fill ``table[i, r]``: what the r-th free card adds to a hand's number as its i-th free card.

    Shared cards below it count into its place; the shared cards' own parts are folded in, so that a
    hand's number is the returned constant and one entry for each free card.
    """
    shared, binomials = level.shared[row], level.binomials
    choose = level.size - len(shared)
    table[:] = 0
    count = 0
    for card in range(level.cards):
        is_shared = False
        for s in shared:
            if s == card:
                is_shared = True
        if not is_shared:
            rest[count] = card
            count += 1
    for i in range(choose + 1):
        below = 0
        running = 0
        for r in range(count):
            while below < len(shared) and shared[below] < rest[r]:
                running += binomials[below + i, shared[below]]
                below += 1
            if i < choose:
                table[i, r] += binomials[i + below, rest[r]] + running
            if i > 0:
                table[i - 1, r] -= running
    constant = 0
    for t in range(len(shared)):
        constant += binomials[t + choose, shared[t]]
    return constant


@njit(cache=True)
def gather_hands(level: Level, constant: Any, table: Array, strengths: Array, out: Array) -> Any:
    """Collect the strengths of every hand that contains the shared cards; return their count."""
    choose, free = level.size - level.shared.shape[1], level.cards - level.shared.shape[1]
    if choose == 0:
        out[0] = strengths[constant]
        return 1
    places = np.empty(choose, np.int64)
    partial = np.empty(choose + 1, np.int64)
    for i in range(choose):
        places[i] = i
    partial[choose] = constant
    for i in range(choose - 1, 0, -1):
        partial[i] = partial[i + 1] + table[i, places[i]]
    count = 0
    while True:
        top = free if choose == 1 else places[1]
        base = partial[1]
        for r in range(top):
            out[count] = strengths[base + table[0, r]]
            count += 1
        i = 1
        while i < choose:
            limit = free if i == choose - 1 else places[i + 1]
            if places[i] + 1 < limit:
                places[i] += 1
                for j in range(i - 1, 0, -1):
                    places[j] = j
                for j in range(i, 0, -1):
                    partial[j] = partial[j + 1] + table[j, places[j]]
                break
            i += 1
        if i >= choose:
            return count


@njit(cache=True)
def number_hand(cards: Array, binomials: Array) -> Any:
    """Sort the cards, and return their number among all sets of that size."""
    for place in range(1, len(cards)):
        card = cards[place]
        back = place
        while back > 0 and cards[back - 1] > card:
            cards[back] = cards[back - 1]
            back -= 1
        cards[back] = card
    number = np.int64(0)
    for place in range(len(cards)):
        number += binomials[place, cards[place]]
    return number


@njit(cache=True, parallel=True, nogil=True)
def expand(hands: Array, values: Array, turned: Array, binomials: Array, out: Array) -> None:
    """Write the value of each suit class to every hand of it, by the hand's number.

    ``turned`` has what every card becomes, for each permutation of the suits.
    """
    size = hands.shape[1]
    for row in prange(hands.shape[0]):
        cards = np.empty(size, np.uint8)
        for turn in range(turned.shape[0]):
            for place in range(size):
                cards[place] = turned[turn, hands[row, place]]
            out[number_hand(cards, binomials)] = values[row]
