"""The best answer to a house way, on small decks: no legal setting is worth more, and the count is exact."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from houseway.cards import Card, Deck
from houseway.houseways import compile_way, decide, house_way
from houseway.odds.best import Best
from houseway.odds.maingame import MainGame, ladder, main_game, pack_hands, unpack_parts
from houseway.ranking import Ranking, legal_settings, race
from houseway.ranking.settings import Setting

WORTH = {"win": 1, "push": 0, "lose": -1}
GAMES = [
    pytest.param("pa-670a", Deck.reduced("AKQJ9", "sh"), id="5-1"),
    pytest.param("ca-fpgp", Deck.reduced("A543K", "sh"), id="5-2"),
    pytest.param("houseway-421", Deck.reduced("AKQJ9", "sh"), id="4-2-1"),
]
WHOLE = [
    pytest.param("pa-670a", Deck.reduced("AKQJT9", "sh"), id="5-1"),
    pytest.param("ca-fpgp", Deck.reduced("A5432K9", "sh"), id="5-2"),
    pytest.param("houseway-421", Deck.reduced("AKQJT98", "sh"), id="4-2-1"),
]
"""Decks from which two hands can be dealt."""
SIDES = pytest.mark.parametrize("as_player", [True, False], ids=["player", "dealer"])


def against(order: Ranking, others: list[Setting], setting: Setting, *, as_player: bool) -> int:
    """Return what a setting is worth to its side against every hand there is, set by a house way."""
    pairs = [(setting, other) if as_player else (other, setting) for other in others]
    found = sum(WORTH[race(order, *pair).result] for pair in pairs)
    return found if as_player else -found


def chosen(best: Best, hand: tuple[Card, ...]) -> Setting:
    """Return a legal setting of the strengths that were chosen for a hand."""
    order, program = best.ranking, best.against
    wanted = [int(x[0]) for x in unpack_parts(best.packed(np.array([hand], np.uint8)), len(best.split))]
    for setting in legal_settings(order, hand):
        numbers = []
        for part, (name, cards) in enumerate(zip(order.part_names, setting, strict=True)):
            steps = ladder(program, part)
            top = best.as_player and order.document.part[part].player_joker and Card(52) in cards
            numbers.append(len(steps) if top else int(np.searchsorted(steps, order.strength(name, cards))))
        if numbers == wanted[: len(numbers)]:
            return setting
    raise AssertionError(f"no legal setting of {hand} has these strengths")


@SIDES
@pytest.mark.parametrize(("way", "deck"), GAMES)
def test_no_legal_setting_is_worth_more(way: str, deck: Deck, *, as_player: bool) -> None:
    program = compile_way(house_way(way))
    hands = list(combinations(sorted(deck.cards), sum(program.split)))
    others = [decide(program, hand).setting for hand in hands]
    best = Best(program, as_player, tuple(sorted(deck.cards)))
    for hand in hands[:: max(1, len(hands) // 12)]:
        values = [
            against(program.ranking, others, setting, as_player=as_player)
            for setting in legal_settings(program.ranking, hand)
        ]
        assert against(program.ranking, others, chosen(best, hand), as_player=as_player) == max(values)


@SIDES
@pytest.mark.parametrize(("way", "deck"), WHOLE)
def test_what_the_best_answer_yields_is_counted_to_the_last_deal(
    way: str, deck: Deck, *, as_player: bool
) -> None:
    program = compile_way(house_way(way))
    cards, parts = tuple(sorted(deck.cards)), len(program.split)
    best = Best(program, as_player, cards)
    player, dealer = (best, program) if as_player else (program, best)
    hands = np.array(list(combinations(cards, sum(program.split))), np.uint8)
    mine, theirs = (
        list(zip(*unpack_parts(pack_hands(side, hands, as_player=seat), parts)[:parts], strict=True))
        for side, seat in ((player, True), (dealer, False))
    )
    held = [set(hand) for hand in hands.tolist()]
    counts = {"win": 0, "push": 0, "lose": 0}
    for one, other in product(range(len(hands)), repeat=2):
        if held[one].isdisjoint(held[other]):
            higher = sum(int(a > b) for a, b in zip(mine[one], theirs[other], strict=True))
            counts["win" if higher >= 2 else "push" if higher and parts == 2 else "lose"] += 1
    assert main_game(player, dealer, deck) == MainGame(counts["win"], counts["push"], counts["lose"])
