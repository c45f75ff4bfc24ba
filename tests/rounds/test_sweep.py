"""Every step of every game tried in every state of deck, hand, round and seat: the law's table of when."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import ModuleType

import pytest

from houseway.games import game as game_named
from houseway.law import all_clauses
from houseway.rounds.live import LiveTable
from tests.games.support import Changes
from tests.rounds.california import MANUAL as BY_PILES
from tests.rounds.law_tables import california_states, pennsylvania_states, washington_states
from tests.rounds.law_tables.california_states import california
from tests.rounds.law_tables.pennsylvania_states import pennsylvania
from tests.rounds.law_tables.states import AT, DECK, HOUSE, Row, named, split
from tests.rounds.law_tables.washington_states import washington
from tests.rounds.pennsylvania import EVERY_WAGER
from tests.rounds.play.true_acts import true_acts
from tests.rounds.table import AUTOMATED, BY_HAND, MANUAL, SHAKER, TestTable, snapshot
from tests.rounds.washington import WAYS as PROCEDURES

LAWS: dict[str, ModuleType] = {"pa": pennsylvania_states, "wa": washington_states, "ca": california_states}


def row_of(game: str, way: str, step: str) -> Row:
    """Return what the law says of a step in a game that is dealt some way."""
    law = LAWS[game[:2]]
    places = ((place, step) for place in (f"{game} {way}", way, game))
    otherwise = next((law.OTHERWISE[place] for place in places if place in law.OTHERWISE), None)
    row: Row = otherwise or law.LAW[step]
    return row


@cache
def states(game: str) -> tuple[str, ...]:
    """Return the names of the states of a game: those of an ordinary round in order, then those beside it."""
    law = LAWS[game[:2]]
    return (*split(law.COURSE), *split(law.ASIDE))


@cache
def lawful_states(game: str, way: str, step: str) -> frozenset[str]:
    """Return the states in which a step is lawful."""
    return named(row_of(game, way, step).states, states(game))


TABLES: Mapping[str, tuple[str, Changes]] = {
    **{f"{game} shoe": (game, MANUAL | SHAKER) for game in EVERY_WAGER},
    **{f"{game} hand": (game, BY_HAND) for game in EVERY_WAGER},
    **{f"{game} automated": (game, AUTOMATED) for game in EVERY_WAGER},
    **{f"wa-fap {way}": ("wa-fap", changes) for way, changes in PROCEDURES.items()},
    "ca-fpgp shuffler": ("ca-fpgp", {}),
    "ca-fpgp piles": ("ca-fpgp", BY_PILES),
}
"""Every game, dealt in every way."""
BUILDERS = {"pa": pennsylvania, "wa": washington, "ca": california}


@cache
def states_of(name: str) -> Mapping[str, TestTable]:
    """Return a table in every state that it may be in."""
    game, changes = TABLES[name]
    return BUILDERS[game[:2]](game, changes)


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
    return any(live.may(act) for act in true_acts(snapshot(live), step, AT, DECK))


@every_table
def test_a_step_is_taken_in_the_states_the_law_gives_it_and_in_no_other(name: str) -> None:
    game, way = name.split()
    differences = [
        f"{step} is {'permitted' if may else 'refused'}: {state}"
        for step in game_named(game).procedure
        for state, table in states_of(name).items()
        if (may := may_be_taken(table.live, step)) is not (state in lawful_states(game, way, step))
    ]
    assert differences == []


@pytest.mark.parametrize("family", LAWS)
def test_the_table_has_every_step_of_its_games_and_cites_clauses_that_exist(family: str) -> None:
    law, games = LAWS[family], {name.split()[0] for name in TABLES if name.startswith(family)}
    assert set(law.LAW) == {step for game in games for step in game_named(game).procedure}
    rows = [*law.LAW.values(), *law.OTHERWISE.values()]
    assert {row.source for row in rows} <= {HOUSE, *all_clauses()}


@pytest.mark.parametrize("game", ["pa-659a", "wa-fap", "ca-fpgp"])
def test_every_state_that_the_table_names_is_one_that_some_table_comes_to(game: str) -> None:
    alike = [name for name in TABLES if name[:2] == game[:2]]
    assert {state for name in alike for state in states_of(name)} == set(states(game))
