"""The main games over every pair of hands there is, in whole numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from houseway.houseways import compile_way, house_way
from houseway.odds.maingame import MainGame, main_game

SEVEN_CARD_DEALS = 8_250_459_031_214_400


@pytest.mark.exhaustive
def test_foxwoods_on_both_sides_meets_the_published_analysis() -> None:
    program = compile_way(house_way("foxwoods"))
    found = main_game(program, program)
    assert found.deals == SEVEN_CARD_DEALS
    edge, push = 100 * found.edge(Fraction(5, 100)), Fraction(100 * found.pushes, found.deals)
    assert abs(edge - Fraction("2.7212")) < Fraction("0.0005")
    assert abs(push - Fraction("40.4958")) < Fraction("0.0005")


# Our own output, kept so that a change shows; nobody has published these to compare with.
GOLDEN = {
    "pa-670a": MainGame(57_893_887_360_048, 115_411_725_419_336, 73_202_004_616_656),
    "ca-fpgp": MainGame(2_373_933_253_388_564, 3_397_273_324_874_440, 2_479_252_452_951_396),
    "houseway-421": MainGame(3_922_101_295_321_944, 0, 4_328_357_735_892_456),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", GOLDEN)
def test_the_counts_of_our_own_games_stay_what_they_are(name: str) -> None:
    program = compile_way(house_way(name))
    assert main_game(program, program) == GOLDEN[name]
