"""The example submissions are lawful, and are read back as they were written."""

from __future__ import annotations

import pytest

from houseway.games import game, games
from houseway.law import options_of
from tests.games.support import Changes, accepted, problems, rules, submission

LICENSED = [g.id for g in games() if g.licensed]


@pytest.mark.parametrize("game_id", LICENSED)
def test_the_example_is_lawful(game_id: str) -> None:
    assert problems(game_id) == ()


@pytest.mark.parametrize("game_id", LICENSED)
def test_the_same_choices_have_the_same_fingerprint_and_others_another(game_id: str) -> None:
    same, other = submission(game_id), submission(game_id, {"reference": "RS-9"})
    assert same.fingerprint() == submission(game_id).fingerprint()
    assert same.fingerprint() != other.fingerprint()


def test_a_game_without_a_law_is_never_offered_at_a_table() -> None:
    assert not game("ref-pgp").licensed
    assert not accepted("pa-575", {"game": "ref-pgp"})


def test_readings_are_chosen_by_name_and_default_otherwise() -> None:
    assert rules("pa-659a").readings["progressive_royal"] == "any_joker"
    strict = rules("pa-659a", {"readings.progressive_royal": "listed_only"})
    assert strict.readings["progressive_royal"] == "listed_only"
    assert not accepted("pa-659a", {"readings.progressive_royal": "whatever"})
    assert not accepted("pa-659a", {"readings.no_such_reading": "yes"})
    assert not accepted("pa-575", {"readings.ca_coverage": "ledger"})


GOES_WITH: dict[str, Changes] = {
    "internal_controls": {"progressive.order_policy": "clockwise", "approvals.order_policy": "IC-1"}
}
"""What a choice needs beside it."""


@pytest.mark.parametrize(
    ("game_id", "name", "choice"),
    [
        pytest.param(found, name, choice, id=f"{found}-{name}={choice}")
        for found in LICENSED
        for name, option in options_of(found).items()
        for choice in option.choices
    ],
)
def test_every_choice_of_every_reading_may_be_played_by(game_id: str, name: str, choice: str) -> None:
    changes = {f"readings.{name}": choice, **GOES_WITH.get(choice, {})}
    assert problems(game_id, changes) == problems(game_id)
    assert rules(game_id, changes).readings[name] == choice
