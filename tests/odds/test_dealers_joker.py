"""The exact count under the readings about the dealer's joker equals brute force, to the last deal."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from houseway.cards import Deck
from houseway.houseways import CompiledWay, compile_way, decide, house_way
from houseway.odds.maingame import MainGame, main_game
from houseway.ranking import race

DECK = Deck.reduced("765432", "sh")


def brute_force(program: CompiledWay) -> MainGame:
    """Race every hand of the deck against every disjoint one."""
    settings = {hand: decide(program, hand).setting for hand in combinations(DECK.cards, 6)}
    found: Counter[str] = Counter()
    for hand, mine in settings.items():
        rest = [card for card in DECK.cards if card not in hand]
        for other in combinations(rest, 6):
            found[race(program.ranking, mine, settings[other]).result] += 1
    return MainGame(found["win"], found["push"], found["lose"])


def program(**readings: str) -> CompiledWay:
    return compile_way(house_way("pa-670a"), readings)


@pytest.mark.parametrize("value", ["best_value", "as_completed"])
@pytest.mark.parametrize("run", ["joker_low_as_ace", "lowest_straight"])
def test_the_exact_count_follows_the_readings(value: str, run: str) -> None:
    chosen = program(six_dealer_joker_value=value, six_natural_run_plus_joker=run)
    assert main_game(chosen, chosen, DECK) == brute_force(chosen)


@pytest.mark.parametrize(
    ("rival", "deck"),
    [
        ({"six_dealer_joker_value": "as_completed"}, DECK),
        ({"six_natural_run_plus_joker": "lowest_straight"}, Deck.reduced("A98765", "sh")),
    ],
    ids=["value", "run"],
)
def test_a_dealer_by_either_rival_does_worse(rival: dict[str, str], deck: Deck) -> None:
    lost = [main_game(program(), dealer, deck).losses for dealer in (program(), program(**rival))]
    assert lost[1] < lost[0]
