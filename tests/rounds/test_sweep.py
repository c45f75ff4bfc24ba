"""Every step of every game tried in every state of deck, hand, round and seat: the law's table of when."""

from __future__ import annotations

import pytest

from houseway.games import game as game_named
from houseway.law import all_clauses
from houseway.rounds.live import LiveTable
from tests.rounds.seen import seen
from tests.rounds.sweep.album import AT, DECK
from tests.rounds.sweep.law import LAWS, lawful_states, states
from tests.rounds.sweep.row import HOUSE
from tests.rounds.sweep.tables import TABLES, states_of
from tests.rounds.true_acts import true_acts

USUAL = (
    "pa-575 shoe",
    "pa-659a shoe",
    "pa-670a shoe",
    "pa-670a automated",
    "wa-fap iverify_hwv",
    "ca-fpgp piles",
)
"""One way of dealing for each game, and the one in which idle cards go into a shuffler."""
MORE = [name for name in TABLES if name not in USUAL]
every_table = pytest.mark.parametrize(
    "name", [*USUAL, *(pytest.param(name, marks=pytest.mark.exhaustive) for name in MORE)]
)


def may_be_taken(live: LiveTable, step: str) -> bool:
    """Whether somebody may take a step, saying nothing but what is so."""
    return any(live.may(act) for act in true_acts(seen(live), step, AT, DECK))


@every_table
def test_a_step_is_taken_in_the_states_the_law_gives_it_and_in_no_other(name: str) -> None:
    game, way = name.split()
    differences = [
        f"{step} is {'permitted' if may else 'refused'}: {state}"
        for step in game_named(game).procedure
        for state, floor in states_of(name).items()
        if (may := may_be_taken(floor.live, step)) is not (state in lawful_states(game, way, step))
    ]
    assert differences == []


@pytest.mark.parametrize("family", LAWS)
def test_the_table_has_every_step_of_its_games_and_cites_clauses_that_exist(family: str) -> None:
    law, games = LAWS[family], {name.split()[0] for name in TABLES if name.startswith(family)}
    assert set(law.LAW) == {step for game in games for step in game_named(game).procedure}
    rows = [*law.LAW.values(), *law.OTHERWISE.values()]
    assert {one.said for one in rows} <= {HOUSE, *all_clauses()}


@pytest.mark.parametrize("game", ["pa-659a", "wa-fap", "ca-fpgp"])
def test_every_state_that_the_table_names_is_one_that_some_table_comes_to(game: str) -> None:
    alike = [name for name in TABLES if name[:2] == game[:2]]
    assert {state for name in alike for state in states_of(name)} == set(states(game))
