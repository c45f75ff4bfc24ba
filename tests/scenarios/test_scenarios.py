"""Scenarios that a regulator can read and sign: given, when, then, and the clauses that make it so."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.games import game, games
from houseway.law import all_clauses
from tests.scenarios.doing import DOING
from tests.scenarios.holding import THEN
from tests.scenarios.scenario import Scenario, begin, play, read_scenario

HERE = Path(__file__).parent
PENNSYLVANIA = ("pa-575", "pa-659a", "pa-670a")
"""The chapters whose § 13 lists what can go wrong."""
GAMES = tuple(one.id for one in games() if (HERE / one.id).is_dir())
FILES = {f"{name}/{path.stem}": path for name in GAMES for path in sorted((HERE / name).glob("*.toml"))}
SCENARIOS = {name: read_scenario(path) for name, path in FILES.items()}


@pytest.mark.parametrize(
    ("name", "scenario"),
    [pytest.param(n, s, marks=pytest.mark.clause(*s.clauses), id=n) for n, s in SCENARIOS.items()],
)
def test_scenario(name: str, scenario: Scenario) -> None:
    play(scenario, name)


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS.items(), ids=SCENARIOS)
def test_what_is_given_rests_on_none_of_the_clauses_that_are_shown(name: str, scenario: Scenario) -> None:
    for clause in scenario.clauses:
        if scenario.table.get("adjacent_areas") and clause.endswith(".7.f.s1"):
            continue  # without this clause there is no such table
        begin(scenario, name, without=(clause,))


def test_every_scenario_lies_in_the_folder_of_its_game() -> None:
    assert {name.split("/")[0] for name in FILES} == set(GAMES)
    assert all(scenario.game == name.split("/")[0] for name, scenario in SCENARIOS.items())


def test_no_two_scenarios_of_a_game_bear_the_same_title() -> None:
    titles = [(scenario.game, scenario.title) for scenario in SCENARIOS.values()]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("name", PENNSYLVANIA)
def test_every_irregularity_of_a_chapter_has_a_scenario(name: str) -> None:
    told = {clause for s in SCENARIOS.values() if s.game == name for clause in s.clauses}
    chapter = name.replace("-", "")
    assert {clause for clause in all_clauses() if clause.startswith(f"{chapter}.13.")} <= told
    assert {clause for one in game(name).irregularity for clause in one.clauses} <= told


def test_every_sentence_of_the_grammar_is_said_somewhere() -> None:
    said = {s.sentence.template for scenario in SCENARIOS.values() for s in scenario.sentences()}
    assert {s.template for s in (*DOING.sentences, *THEN.sentences)} <= said
