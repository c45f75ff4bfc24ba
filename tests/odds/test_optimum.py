"""The exact optimum of whole games: as published, and as it comes out by chance."""

from __future__ import annotations

from fractions import Fraction

import pytest

from houseway.houseways import CompiledWay, compile_way, house_way
from houseway.odds.maingame import main_game
from houseway.odds.simulation import simulate_best
from houseway.odds.valued import ValuedSide

COMMISSION = Fraction(1, 20)
GAMES = {
    "foxwoods": (COMMISSION, "0.0251"),
    "ca-fpgp": (Fraction(0), "0.0104"),
    "houseway-421": (Fraction(0), "0.0405"),
    "pa-670a": (Fraction(0), "0.0144"),
}
"""Each dealer's way, with the commission and the edge that best play leaves."""


def valued(way: str) -> tuple[CompiledWay, ValuedSide]:
    program = compile_way(house_way(way))
    return program, ValuedSide.against_dealer(program, GAMES[way][0])


@pytest.mark.exhaustive
def test_best_play_against_foxwoods_lowers_the_edge_as_published() -> None:
    program, side = valued("foxwoods")
    edge = main_game(program, program).edge(COMMISSION)
    assert abs(edge - Fraction("0.027212")) < Fraction("0.000005"), (
        "the published chart is silent on two points"
    )
    assert f"{float(edge + side.optimum.mean):.2%}" == "0.21%"


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", GAMES)
def test_best_play_comes_out_by_chance_as_it_is_counted(way: str) -> None:
    """Over a hundred million deals, within four standard errors."""
    commission, told = GAMES[way]
    _, side = valued(way)
    exact = -float(side.optimum.mean)
    assert f"{exact:.4f}" == told
    done = simulate_best(side, 100_000_000)
    assert abs(done.edge(commission) - exact) < 4 * done.error(commission)


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", GAMES)
def test_a_way_is_worth_from_stored_values_what_counting_it_gives(way: str) -> None:
    program, side = valued(way)
    if len(side.best.doubled):
        pytest.skip("the count of main games has no Double Down")
    assert side.worth_of(program).mean == -main_game(program, program).edge(GAMES[way][0])
