"""A hand's kind is all that its rank depends on, and one number; there are no others than those listed."""

from __future__ import annotations

from itertools import combinations
from operator import itemgetter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import Card
from houseway.ranking.held import PartCards, all_kinds, kind_of, kinds_of
from houseway.ranking.tables import _kinds, hand_numbers

PACK = [Card(number) for number in range(53)]
HANDS = st.lists(st.sampled_from(PACK), min_size=1, max_size=5, unique=True)


@given(HANDS)
def test_a_kind_tells_what_a_hand_holds(cards: list[Card]) -> None:
    assert PartCards.of_kind(kind_of(cards)) == PartCards.of(cards)


@given(HANDS, st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_change_the_kind(cards: list[Card], chance: Random) -> None:
    shuffled = cards.copy()
    chance.shuffle(shuffled)
    assert kind_of(shuffled) == kind_of(cards)


@given(HANDS)
def test_the_kinds_of_many_subsets_are_those_of_each(cards: list[Card]) -> None:
    places = range(len(cards))
    chosen = [some for size in range(1, len(cards) + 1) for some in combinations(places, size)]
    found = kinds_of(cards, {mask: itemgetter(*some) for mask, some in enumerate(chosen)})
    assert found == {mask: kind_of([cards[place] for place in some]) for mask, some in enumerate(chosen)}


@pytest.mark.parametrize("size", [1, 2, 4, 5])
def test_every_hand_is_of_one_of_the_kinds_and_every_kind_has_a_hand(size: int) -> None:
    found = list(all_kinds(size))
    assert sorted(found) == np.unique(_kinds(hand_numbers(size))).tolist()


@given(HANDS)
def test_hands_in_bulk_are_of_the_same_kinds(cards: list[Card]) -> None:
    assert _kinds(np.array([cards], dtype=np.uint8)).tolist() == [kind_of(cards)]
