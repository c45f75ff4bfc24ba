"""The example submissions are lawful, and are read back as they were written."""

from __future__ import annotations

import pytest

from houseway.games import game, games
from houseway.law import options_of
from houseway.money import Cents, dollars
from houseway.settlement import meter_terms
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


def test_what_is_left_as_it_is_by_default_is_no_part_of_a_fingerprint() -> None:
    """So that a choice which a later version knows changes no hash of those who do not make it."""
    plain, said = submission("pa-659a"), submission("pa-659a", {"table.adjacent_areas": False})
    assert said.fingerprint() == plain.fingerprint()
    assert submission("pa-659a", {"table.adjacent_areas": True}).fingerprint() != plain.fingerprint()
    assert submission("pa-659a", {"progressive.limit": "$50,000"}).fingerprint() != plain.fingerprint()


@pytest.mark.parametrize(
    ("game_id", "least"), [("pa-659a", "progressive.reset"), ("wa-fap", "progressive.initial")]
)
def test_a_limit_of_the_meter_is_no_less_than_what_it_is_reset_to(game_id: str, least: str) -> None:
    held = submission(game_id).progressive
    assert held is not None
    start = held.reset if least.endswith("reset") else held.initial
    assert start is not None
    for by, lawful in ((-1, False), (0, True), (1, True)):
        assert accepted(game_id, {"progressive.limit": dollars(Cents(start + by))}) is lawful
    limited = rules(game_id, {"progressive.limit": dollars(Cents(start + 1))})
    assert meter_terms(limited).limit == start + 1


@pytest.mark.clause("pa670a.12.d.2.rate")
def test_670a_has_no_limit_of_the_meter() -> None:
    assert not accepted("pa-670a", {"progressive.limit": "$500,000"})


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
