"""The kernel for hands set one at a time sets them as the interpreter does."""

from __future__ import annotations

import random

import pytest

from houseway.cards import Deck
from houseway.houseways import compile_way, decide, house_way, house_ways
from houseway.houseways.batch import warm_up
from houseway.houseways.plain import SINGLE_HAND

HANDS = 400


@pytest.mark.parametrize("name", [way.id for way in house_ways()])
def test_a_house_way_that_is_warmed_up_sets_every_hand_as_before(name: str) -> None:
    program = compile_way(house_way(name))
    chance, deck = random.Random(name), Deck.standard().cards
    hands = [chance.sample(deck, sum(program.split)) for _ in range(HANDS)]
    program.kernels.clear()
    plain = [decide(program, hand) for hand in hands]
    try:
        warm_up(program)
        assert SINGLE_HAND in program.kernels
        assert [decide(program, hand) for hand in hands] == plain
    finally:
        program.kernels.clear()


def test_whoever_explains_asks_the_interpreter() -> None:
    program = compile_way(house_way("pa-670a"))
    hand = Deck.standard().cards[:6]
    program.kernels[SINGLE_HAND] = lambda _: pytest.fail("the kernel was asked")
    try:
        decide(program, hand, explain=True)
    finally:
        program.kernels.clear()
