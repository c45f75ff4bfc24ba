"""The main game on small decks: the exact counts equal brute force over all pairs, to the last deal."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from houseway.cards import Deck
from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay, compile_way, decide, house_way
from houseway.odds.maingame import MainGame, main_game
from houseway.ranking import race

SIX = Deck.reduced("AKQJT9", "sh")
SEVEN = Deck.reduced("AKQJT98", "sh")


def brute_force(player: CompiledWay, dealer: CompiledWay, deck: Deck) -> MainGame:
    """Race every hand of one side against every disjoint hand of the other."""
    size = sum(player.split)
    hands = list(combinations(deck.cards, size))
    mine = {hand: decide(player, hand).setting for hand in hands}
    theirs = mine if dealer is player else {hand: decide(dealer, hand).setting for hand in hands}
    counts = {"win": 0, "push": 0, "lose": 0}
    for hand, setting in mine.items():
        for other in combinations([card for card in deck.cards if card not in hand], size):
            counts[race(player.ranking, setting, theirs[other]).result] += 1
    return MainGame(counts["win"], counts["push"], counts["lose"])


@pytest.mark.parametrize(
    ("way", "deck"),
    [
        ("pa-670a", SIX),
        ("ca-fpgp", Deck.reduced("A5432K9", "sh")),
        ("houseway-421", SEVEN),
    ],
    ids=["5-1", "5-2", "4-2-1"],
)
def test_the_exact_count_equals_brute_force_over_all_pairs(way: str, deck: Deck) -> None:
    program = compile_way(house_way(way))
    found = main_game(program, program, deck)
    assert found == brute_force(program, program, deck)
    size = sum(program.split)
    assert found.deals == comb(len(deck), size) * comb(len(deck) - size, size)


STRONGEST = """
id = "strongest"
title = "The strongest high hand"
ranking = "pa-670a"
about = "For a test: the high hand first, whatever is left low."

[[rule]]
id = "all"
say = "The strongest high hand."
prefer = ["high", "low"]
"""


def test_two_different_house_ways_meet(tmp_path: Path) -> None:
    path = tmp_path / "strongest.toml"
    path.write_text(STRONGEST)
    player, dealer = compile_way(house_way(str(path))), compile_way(house_way("pa-670a"))
    assert main_game(player, dealer, SIX) == brute_force(player, dealer, SIX)


def test_an_edge_counts_losses_less_wins_and_the_commission_on_wins() -> None:
    found = MainGame(wins=30, pushes=40, losses=30)
    assert found.edge() == 0
    assert found.edge(Fraction(5, 100)) == Fraction(15, 1000)


def test_sides_of_different_games_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="both sides play the same game"):
        main_game(compile_way(house_way("pa-670a")), compile_way(house_way("ca-fpgp")))
