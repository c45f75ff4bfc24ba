"""Decks and dice that have been on a table too long, at the minute."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from houseway.rounds.lives import verify_deck_age, verify_dice_age
from tests.games.support import rules

clause = pytest.mark.clause
NOON = datetime(2015, 6, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
DECKS = [
    ("pa-575", "hand", 4, "pa575.3.c.1"),
    ("pa-575", "manual_shoe", 8, "pa575.3.c.2"),
    ("pa-659a", "hand", 4, "pa659a.3.c.1"),
    ("pa-659a", "automated_shoe", 8, "pa659a.3.c.2"),
    ("pa-670a", "hand", 4, "pa670a.3.c.1"),
    ("pa-670a", "automated_shoe", 8, "pa670a.3.c.2"),
]
DICE = [
    ("pa-575", "pa575.2.c.1.i.s3"),
    ("pa-659a", "pa659a.2.c.1.i.s3"),
    ("pa-670a", "pa670a.2.d.1.i.s2"),
]


@pytest.mark.parametrize(
    ("game_id", "dealing", "hours", "law"), [pytest.param(*row, marks=clause(row[3])) for row in DECKS]
)
def test_no_round_begins_once_a_deck_has_reached_its_life(
    game_id: str, dealing: str, hours: int, law: str
) -> None:
    r = rules(game_id, {"table.dealing": dealing})
    limit = NOON + timedelta(hours=hours)
    assert verify_deck_age(r, NOON, limit - MINUTE) == ()
    for now in (limit, limit + MINUTE):
        assert [p.clauses for p in verify_deck_age(r, NOON, now)] == [(law,)]


@pytest.mark.parametrize(("game_id", "law"), [pytest.param(*row, marks=clause(row[1])) for row in DICE])
def test_dice_are_in_time_up_to_and_at_24_hours(game_id: str, law: str) -> None:
    r, limit = rules(game_id), NOON + timedelta(hours=24)
    assert verify_dice_age(r, NOON, limit - MINUTE) == verify_dice_age(r, NOON, limit) == ()
    assert [p.clauses for p in verify_dice_age(r, NOON, limit + MINUTE)] == [(law,)]
