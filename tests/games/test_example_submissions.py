"""The example submissions are lawful, and are read back as they were written."""

from __future__ import annotations

import pytest

from houseway.games import game, games
from houseway.law import options_of
from tests.games.support import accepted, problems, rules, submission

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


def test_a_rival_reading_that_is_not_played_by_yet_is_refused_rather_than_ignored() -> None:
    assert accepted("pa-659a", {"readings.missed_dealer_setting": "reset_and_resettle"})
    rivals = [c for c in options_of("pa-659a")["missed_dealer_setting"].choices if c != "reset_and_resettle"]
    assert rivals and not any(accepted("pa-659a", {"readings.missed_dealer_setting": c}) for c in rivals)
