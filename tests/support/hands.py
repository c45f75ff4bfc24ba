"""Random hands that also meet what is rare: the joker, few ranks, few suits, runs and nothing."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Card, Cards

Array = NDArray[Any]
JOKER = 52


def random_hands(seed: int, size: int, count: int) -> Array:
    """Return hands of ``size`` cards, cards in no order: as many of each kind below."""
    chance = random.Random(seed)
    kinds = (_any, _with_joker, _of_few_ranks, _of_two_suits, _of_a_run, _of_low_ranks)
    return np.array([kinds[row % len(kinds)](chance, size) for row in range(count)], dtype=np.uint8)


def cards_of(hand: Array) -> Cards:
    """Return a row of numbers as cards."""
    return tuple(Card(int(card)) for card in hand)


def _any(chance: random.Random, size: int) -> list[int]:
    return chance.sample(range(JOKER + 1), size)


def _with_joker(chance: random.Random, size: int) -> list[int]:
    return [JOKER, *chance.sample(range(JOKER), size - 1)]


def _of_few_ranks(chance: random.Random, size: int) -> list[int]:
    ranks = chance.sample(range(13), 4)
    return chance.sample([4 * rank + suit for rank in ranks for suit in range(4)] + [JOKER], size)


def _of_two_suits(chance: random.Random, size: int) -> list[int]:
    suits = chance.sample(range(4), 2)
    return chance.sample([4 * rank + suit for rank in range(13) for suit in suits] + [JOKER], size)


def _of_a_run(chance: random.Random, size: int) -> list[int]:
    lowest, suits = chance.randrange(13), chance.sample(range(4), 2)
    ranks = [(lowest + step) % 13 for step in range(7)]
    return chance.sample([4 * rank + suit for rank in ranks for suit in suits] + [JOKER], size)


def _of_low_ranks(chance: random.Random, size: int) -> list[int]:
    ranks = chance.sample(range(chance.randrange(7, 13)), size)
    return [4 * rank + chance.randrange(4) for rank in ranks]
