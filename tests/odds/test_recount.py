"""A house way that is edited: its games are kept up, and equal those of a count from the beginning."""

from __future__ import annotations

import pytest

from houseway.cards import Deck
from houseway.houseways import CompiledWay, compile_way, house_way
from houseway.odds.maingame import main_game, main_games
from houseway.odds.recount import EditedWay
from houseway.odds.worth import without


def edited(way: str, rule: str) -> CompiledWay:
    found = house_way(way)
    return compile_way(without(found, rule), base=compile_way(found).ranking)


@pytest.mark.parametrize("way", ["pa-670a", "ca-fpgp", "houseway-421"])
def test_the_games_of_an_edited_way_equal_those_counted_from_the_beginning(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.odds.recount.FEW", 1.0)  # on a small deck an edit changes many hands
    deck = Deck.reduced("AKQJT9" if way == "pa-670a" else "AKQJT98", "sh")
    program = compile_way(house_way(way))
    kept = EditedWay(program, program, deck)
    told = False
    for rule in [one.id for one in program.way.rule][2::7]:
        other = edited(way, rule)
        changed = kept.edit(other)
        told |= bool(changed)
        found = kept.games
        assert found.itself == main_game(other, other, deck)
        assert found.as_player == main_game(other, program, deck)
        assert found.as_dealer == main_game(program, other, deck)
        assert found.rival == main_game(program, program, deck)
    assert told, "some edit changes a hand"


@pytest.mark.exhaustive
def test_an_edit_over_all_cards_is_counted_as_from_the_beginning() -> None:
    program, other = compile_way(house_way("foxwoods")), edited("foxwoods", "two-pairs-low-kept")
    kept = EditedWay(program)
    assert 0 < kept.edit(other) < 0.05 * kept.sides.space.hands
    assert kept.games.itself == main_game(other, other)


def test_an_edit_that_changes_no_hand_changes_no_game() -> None:
    program, deck = compile_way(house_way("houseway-421")), Deck.reduced("AKQJT98", "sh")
    kept = EditedWay(program, deck=deck)
    before = kept.games
    assert kept.edit(compile_way(house_way("houseway-421"))) == 0
    assert kept.games == before


def test_four_pairings_of_two_ways_are_counted_in_one_pass() -> None:
    deck = Deck.reduced("AKQJT98", "sh")
    one, other = compile_way(house_way("houseway-421")), edited("houseway-421", "pair-in-the-middle")
    found = main_games((one, other), (one, other), deck)
    assert found == [[main_game(a, b, deck) for b in (one, other)] for a in (one, other)]
