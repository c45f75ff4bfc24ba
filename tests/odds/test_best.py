"""Best play on small decks: every setting's value, and what the best choice comes to, equal brute force."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from houseway.cards import Card, Cards, Deck
from houseway.houseways import CompiledWay, compile_way, decide, house_way
from houseway.odds.best import BestPlay, Stake, best_play, has_double_down
from houseway.odds.catalogue import Catalogue, catalogue
from houseway.odds.files import SumsFile
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import MainGame, packed_classes
from houseway.odds.responses import best_answers
from houseway.odds.setting_values import values
from houseway.ranking import Ranking, legal_settings, race
from houseway.ranking.settings import Setting
from tests.support.hands import Array

DECKS = [
    pytest.param("pa-670a", Deck.reduced("AKQJT9", "sh"), id="5-1"),
    pytest.param("ca-fpgp", Deck.reduced("A5432K9", "sh"), id="5-2"),
    pytest.param("houseway-421", Deck.reduced("AKQJT98", "sh"), id="4-2-1"),
]
"""Decks of few cards, the joker among them, from which two hands can be dealt."""
SIDES = pytest.mark.parametrize("as_player", [True, False], ids=["player", "dealer"])
COMMISSION = Fraction(1, 20)


@cache
def set_by(way: str, deck: Deck) -> Mapping[Cards, Setting]:
    program = compile_way(house_way(way))
    return {
        hand: decide(program, hand).setting for hand in combinations(sorted(deck.cards), sum(program.split))
    }


def raced(order: Ranking, own: Setting, others: list[Setting], *, as_player: bool) -> tuple[int, int]:
    """Return how many of the others' hands a setting wins and loses against, raced one by one."""
    results = [race(order, *((own, other) if as_player else (other, own))).result for other in others]
    won, lost = results.count("win"), results.count("lose")
    return (won, lost) if as_player else (lost, won)


def disjoint(way: str, deck: Deck, hand: Cards) -> list[Setting]:
    """Return how the other side sets each hand that shares no card with one."""
    left = [card for card in sorted(deck.cards) if card not in hand]
    return [set_by(way, deck)[other] for other in combinations(left, len(hand))]


def some(own: Catalogue) -> list[tuple[int, Cards]]:
    """Return some classes with their hands, the same ones every time."""
    ((hands, _),) = own.space.classes()
    chosen = range(0, len(hands), max(1, len(hands) // 25))
    return [(row, tuple(Card(int(card)) for card in hands[row])) for row in chosen]


def counts(own: Catalogue, found: Array, place: int) -> tuple[int, int]:
    """Return wins and losses of a setting from its stored values."""
    wins = int(found[place, 0])
    if own.parts == 2:
        return wins, wins - int(found[place, 1])
    return wins, own.space.opponents - wins


def world(way: str, deck: Deck, *, as_player: bool) -> tuple[CompiledWay, Catalogue, Array]:
    program = compile_way(house_way(way))
    space = HandSpace(sum(program.split), deck)
    return (
        program,
        catalogue(program, space, as_player=as_player),
        packed_classes(program, space, as_player=not as_player),
    )


@SIDES
@pytest.mark.parametrize(("way", "deck"), DECKS)
def test_the_value_of_a_setting_is_what_racing_every_disjoint_hand_gives(
    way: str, deck: Deck, *, as_player: bool
) -> None:
    program, own, against = world(way, deck, as_player=as_player)
    found = values(own, against)
    for row, hand in some(own):
        others = disjoint(way, deck, hand)
        settings = own.settings_of(hand)
        assert [place for place, _ in settings] == [*range(own.starts[row], own.starts[row + 1])]
        for place, setting in settings:
            assert sorted(card for part in setting for card in part) == sorted(hand)
            assert counts(own, found, place) == raced(program.ranking, setting, others, as_player=as_player)


@SIDES
@pytest.mark.parametrize(("way", "deck"), DECKS)
def test_no_legal_setting_is_worth_more_than_the_one_chosen(way: str, deck: Deck, *, as_player: bool) -> None:
    program, own, against = world(way, deck, as_player=as_player)
    stake = Stake.of(COMMISSION, as_player=as_player)
    best = best_play(own, against, stake)
    for row, hand in some(own)[::4]:
        others = disjoint(way, deck, hand)
        worth = [
            stake.win * won - stake.lose * lost
            for won, lost in (
                raced(program.ranking, setting, others, as_player=as_player)
                for setting in legal_settings(program.ranking, hand)
            )
        ]
        won, lost = counts(own, best.values, int(best.chosen[row]))
        assert stake.win * won - stake.lose * lost == max(worth)


def test_what_best_play_comes_to_is_the_best_of_every_hand_raced_one_by_one() -> None:
    way, deck = "pa-670a", Deck.reduced("AKQJT9", "sh")
    program, own, against = world(way, deck, as_player=True)
    best = best_play(own, against, Stake())
    total = MainGame(0, 0, 0)
    for hand in set_by(way, deck):
        others = disjoint(way, deck, hand)
        found = [
            raced(program.ranking, setting, others, as_player=True)
            for setting in legal_settings(program.ranking, hand)
        ]
        top = max(won - lost for won, lost in found)
        total = MainGame(total.wins + top, 0, total.losses)
    main = best.main
    assert main.wins - main.losses == total.wins
    assert main.deals == own.space.deals


def by_hand(best: BestPlay, hand: Cards) -> int:
    ((hands, _),) = best.own.space.classes()
    (row,) = np.flatnonzero((hands == np.array(sorted(hand))).all(axis=1))
    return int(row)


def test_a_hand_is_set_and_doubled_for_both_wagers_together() -> None:
    way, deck = "pa-670a", Deck.reduced("AKQJT9", "sh")
    program, own, against = world(way, deck, as_player=True)
    assert has_double_down(program)
    best = best_play(own, against, Stake(), doubling=program)
    order, qualifies = program.ranking, "double_down_qualifier"
    for _, hand in some(own)[::3]:
        left = [card for card in sorted(deck.cards) if card not in hand]
        others = list(combinations(left, len(hand)))
        every = [set_by(way, deck)[other] for other in others]
        able = [set_by(way, deck)[other] for other in others if order.qualifies(qualifies, other)]
        worth = []
        for setting in legal_settings(order, hand):
            won, lost = raced(order, setting, every, as_player=True)
            more, less = raced(order, setting, able, as_player=True)
            worth.append(won - lost + max(more - less, 0))
        place = int(best.chosen[by_hand(best, hand)])
        won, lost = counts(own, best.values, place)
        assert won - lost + max(int(best.doubled[place]), 0) == max(worth)
    assert best.doubling > 0


def test_best_answers_close_in_on_the_value_of_the_game() -> None:
    program, deck = compile_way(house_way("houseway-421")), Deck.reduced("AKQJT98", "sh")
    start, *answers = best_answers(program, COMMISSION, 6, deck=deck)
    assert [one.by for one in answers] == ["the player", "the dealer"] * 3
    assert answers[0].edge < start.edge < answers[1].edge, "both gain by answering the house way"
    gaps = [one.gap for one in answers[1:] if one.gap is not None]
    assert len(gaps) == 5
    assert all(0 <= after <= before for before, after in pairwise(gaps))
    assert gaps[-1] < gaps[0]


def test_an_answer_is_best_against_every_way_the_other_side_has_played() -> None:
    way, deck = "pa-670a", Deck.reduced("AKQJT9", "sh")
    program = compile_way(house_way(way))
    _, doubling, first, dealer, second = best_answers(program, answers=3, deck=deck)
    assert doubling.by == "the player, doubling where it pays"
    assert dealer.play is not None and second.play is not None and first.play is not None
    own, theirs = second.play.own, dealer.play
    ((hands, _),) = own.space.classes()
    answered = {}
    for row, cards in enumerate(hands):
        hand = tuple(Card(int(card)) for card in cards)
        settings = dict(theirs.own.settings_of(hand))
        answered[hand] = settings[int(theirs.chosen[row])]
    for row, hand in some(own)[::3]:
        left = [card for card in sorted(deck.cards) if card not in hand]
        played = (set_by(way, deck), answered, answered)  # the second counts twice
        others = [known[other] for other in combinations(left, 6) for known in played]
        worth = [
            won - lost
            for won, lost in (
                raced(program.ranking, setting, others, as_player=True)
                for setting in legal_settings(program.ranking, hand)
            )
        ]
        assert int(second.play.values[second.play.chosen[row], 1]) == max(worth)


def test_where_the_law_sets_the_dealers_hands_only_the_player_answers() -> None:
    program = compile_way(house_way("pa-670a"))
    found = list(best_answers(program, answers=1, deck=Deck.reduced("AKQJT9", "sh")))
    assert [one.by for one in found] == ["neither: both set by pa-670a", "the player, doubling where it pays"]
    assert found[1].edge < found[0].edge


def test_a_count_goes_on_from_the_levels_that_were_kept(tmp_path: Path) -> None:
    _, own, against = world("houseway-421", Deck.reduced("AKQJT98", "sh"), as_player=True)
    kept, told = SumsFile(tmp_path / "sums"), list[int]()

    def stop(level: int, _: int) -> None:
        told.append(level)
        if level == 4 and told.count(4) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        values(own, against, sums=kept, tell=stop)
    found = values(own, against, sums=kept, tell=stop)
    assert told == [0, 1, 2, 3, 4, 4, 5, 6, 7, 8]
    assert (found == values(own, against)).all()
    assert [one.name for one in tmp_path.iterdir()] == ["sums.npy"], "only what it came to is kept"
    assert (values(own, against, sums=kept, tell=stop) == found).all()
    assert told[-1] == 8 and len(told) == 10, "and nothing is counted again"
