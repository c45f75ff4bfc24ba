"""The best answer to a house way, on small decks: no legal setting is worth more, and the count is exact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np
import pytest

from houseway.cards import JOKER, Cards, Deck
from houseway.houseways import Program, compile_way, decide, house_way
from houseway.odds.best import Best
from houseway.odds.maingame import MainGame, ladder, main_game, pack_hands, unpack_parts
from houseway.ranking import Ranking, legal_settings, race
from houseway.ranking.settings import Setting, part_strengths
from tests.support.hands import Array

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


def raced_alike(order: Ranking, settings: Iterable[Setting]) -> list[tuple[Setting, int]]:
    """Return one of all settings that race alike, and how many they are: equally strong, the joker alike."""
    alike: dict[object, list[Setting]] = {}
    for setting in settings:
        joker = tuple(JOKER in part for part in setting)
        alike.setdefault((part_strengths(order, setting), joker), []).append(setting)
    return [(same[0], len(same)) for same in alike.values()]


def against(order: Ranking, others: list[tuple[Setting, int]], setting: Setting, *, as_player: bool) -> int:
    """Return what a setting is worth to its side against every hand there is, set by a house way."""
    pairs = [((setting, other) if as_player else (other, setting), times) for other, times in others]
    found = sum(times * WORTH[race(order, *pair).result] for pair, times in pairs)
    return found if as_player else -found


def chosen(best: Best, hands: list[Cards]) -> Iterator[Setting]:
    """Yield, for each hand, a legal setting of the strengths that were chosen for it."""
    order = best.ranking
    ladders = [ladder(best.against, part) for part in range(len(best.split))]
    for hand, wanted in zip(hands, strengths(best, hands, as_player=best.as_player), strict=True):
        legal = legal_settings(order, hand)
        yield next(setting for setting in legal if numbers(best, ladders, setting) == wanted)


def numbers(best: Best, ladders: list[Array], setting: Setting) -> tuple[int, ...]:
    """Return the number of each part's strength, counted from the lowest."""
    order, found = best.ranking, []
    for terms, steps, cards in zip(order.document.part, ladders, setting, strict=True):
        top = best.as_player and terms.player_joker and JOKER in cards
        found.append(len(steps) if top else int(np.searchsorted(steps, order.strength(terms.name, cards))))
    return tuple(found)


def strengths(side: Best | Program, hands: list[Cards], *, as_player: bool) -> list[tuple[int, ...]]:
    """Return how strong the parts are that a side makes of each hand."""
    packed = pack_hands(side, np.array(hands, np.uint8), as_player=as_player)
    return list(zip(*unpack_parts(packed, len(side.split))[: len(side.split)], strict=True))


@SIDES
@pytest.mark.parametrize(("way", "deck"), GAMES)
def test_no_legal_setting_is_worth_more(way: str, deck: Deck, *, as_player: bool) -> None:
    program = compile_way(house_way(way))
    hands = list(combinations(sorted(deck.cards), sum(program.split)))
    order = program.ranking
    others = raced_alike(order, [decide(program, hand).setting for hand in hands])
    best = Best(program, as_player, tuple(sorted(deck.cards)))
    some = hands[:: max(1, len(hands) // 12)]
    for hand, setting in zip(some, chosen(best, some), strict=True):
        values = [
            against(order, others, other, as_player=as_player)
            for other, _ in raced_alike(order, legal_settings(order, hand))
        ]
        assert against(order, others, setting, as_player=as_player) == max(values)


@SIDES
@pytest.mark.parametrize(("way", "deck"), WHOLE)
def test_what_the_best_answer_yields_is_counted_to_the_last_deal(
    way: str, deck: Deck, *, as_player: bool
) -> None:
    program = compile_way(house_way(way))
    cards, parts = tuple(sorted(deck.cards)), len(program.split)
    best = Best(program, as_player, cards)
    player, dealer = (best, program) if as_player else (program, best)
    hands = list(combinations(cards, sum(program.split)))
    mine, theirs = (
        dict(zip(hands, strengths(side, hands, as_player=seat), strict=True))
        for side, seat in ((player, True), (dealer, False))
    )
    counts = {"win": 0, "push": 0, "lose": 0}
    for hand in hands:
        for other in combinations([card for card in cards if card not in hand], len(hand)):
            higher = sum(int(a > b) for a, b in zip(mine[hand], theirs[other], strict=True))
            counts["win" if higher >= 2 else "push" if higher and parts == 2 else "lose"] += 1
    assert main_game(player, dealer, deck) == MainGame(counts["win"], counts["push"], counts["lose"])
