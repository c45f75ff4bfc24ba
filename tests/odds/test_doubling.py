"""The Double Down on small decks: what it is worth on every hand equals brute force, to the last deal."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from houseway.cards import Cards, Deck
from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay, compile_way, decide, house_way
from houseway.odds.doubling import QUALIFIER, double_down
from houseway.ranking import race

WORTH = {"win": 1, "push": 0, "lose": -1}


def by_hand(program: CompiledWay, deck: Deck) -> dict[Cards, int]:
    """Double on every hand against every disjoint one that qualifies: wins less losses."""
    hands = list(combinations(deck.cards, sum(program.split)))
    settings = [decide(program, hand).setting for hand in hands]
    order = program.ranking
    qualified = [order.qualifies(QUALIFIER, hand) for hand in hands]
    found = {}
    for hand, mine in zip(hands, settings, strict=True):
        held = set(hand)
        found[hand] = sum(
            WORTH[race(order, mine, theirs).result]
            for other, theirs, counts in zip(hands, settings, qualified, strict=True)
            if counts and held.isdisjoint(other)
        )
    return found


@pytest.mark.parametrize(
    "deck", [Deck.reduced("AKQJT9", "sh"), Deck.reduced("A98762", "sh")], ids=["high", "low"]
)
def test_what_doubling_is_worth_equals_brute_force(deck: Deck) -> None:
    program = compile_way(house_way("pa-670a"))
    worth = by_hand(program, deck)
    found = double_down(program, program, deck)
    assert found.always == sum(worth.values())
    assert found.gain == sum(net for net in worth.values() if net > 0)
    assert (found.hands, found.doubled) == (len(worth), sum(1 for net in worth.values() if net > 0))
    assert sum(hands for hands, _ in found.by_category.values()) == found.hands
    assert sum(doubled for _, doubled in found.by_category.values()) == found.doubled
    assert found.worth == Fraction(found.gain, found.deals)


def test_a_game_of_three_parts_has_no_double_down() -> None:
    program = compile_way(house_way("houseway-421"))
    with pytest.raises(InvalidInputError, match="two parts"):
        double_down(program, program)


@pytest.mark.exhaustive
def test_the_double_down_of_670a_over_every_pair_of_hands() -> None:
    program = compile_way(house_way("pa-670a"))
    found = double_down(program, program)
    assert found.deals == 246_507_617_396_040
    assert found.always == -37_753_740_068_228
    assert round(float(found.worth), 10) == 0.0235912476
