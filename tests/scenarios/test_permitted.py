"""Too strict is wrong too: whatever a law permits is done at its first and its last moment by a scenario."""

from __future__ import annotations

import pytest

from houseway.law import all_clauses
from houseway.law.clauses import clauses_of
from tests.scenarios.permissions import (
    DOCUMENT,
    EARLIEST,
    ELSEWHERE,
    GAMES,
    LATEST,
    acts,
    acts_of,
    document,
    permissive,
    walks,
)
from tests.scenarios.test_scenarios import SCENARIOS


@pytest.mark.parametrize("game", GAMES)
def test_whatever_a_clause_permits_is_done_or_is_listed_with_a_reason(game: str) -> None:
    done = {act.clause for act in acts_of(game)}
    assert [clause for clause in permissive(game) if clause not in done and clause not in ELSEWHERE] == []


@pytest.mark.parametrize("game", GAMES)
def test_what_has_a_first_moment_is_done_at_its_last_too(game: str) -> None:
    done = acts_of(game)
    first, last = ({act.clause for act in done if act.moment == one} for one in (EARLIEST, LATEST))
    assert first == last


@pytest.mark.parametrize("game", GAMES)
def test_a_walk_names_clauses_of_its_own_game_and_only_in_what_happens(game: str) -> None:
    assert {act.clause for act in acts_of(game)} <= set(clauses_of(game))
    assert all(list(acts(name, walk)) for name, walk in walks(game).items())
    assert not [s for walk in walks(game).values() for s in walk.given if s.startswith("permitted")]


def test_permissions_are_walked_nowhere_else() -> None:
    walking = {name for name, scenario in SCENARIOS.items() if list(acts(name, scenario))}
    assert walking == {f"{game}/{name}" for game in GAMES for name in walks(game)}


def test_nothing_is_listed_that_is_done_or_permits_nothing() -> None:
    needed = {clause for game in GAMES for clause in permissive(game)}
    done = {act.clause for game in GAMES for act in acts_of(game)}
    assert set(ELSEWHERE) <= needed - done
    assert set(ELSEWHERE) <= set(all_clauses())


def test_the_index_of_permissions_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()
