"""Whole rounds at California's table, left to chance: money whole, bank held, record replayed."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.rounds.play.california_drive import drive
from tests.support.shards import in_parts

ROUNDS = 60
MANY = 20_000
SHARD = 1_000
SHARDS_EACH = 4
"""So many parts one process plays: what it has worked out it keeps."""
MET = {"bank taken", "bank declined", "bank used up", "behind", "reset", "void", "play on"}
"""What happens at some table out of a few dozen rounds."""
RARER = {"all declined", "envy", "fee returned"}


def test_rounds_left_to_chance_keep_the_money_whole_and_replay() -> None:
    met = drive(ROUNDS, "sixty rounds")
    assert met["rounds"] == ROUNDS
    assert {name for name, times in met.items() if times} >= MET


def test_the_same_seed_plays_the_same_rounds() -> None:
    assert drive(5, "again") == drive(5, "again")


def shard(index: int) -> Counter[str]:
    """Play one part of the many rounds: its number is its seed."""
    return drive(SHARD, f"shard {index}", every=50)


@pytest.mark.exhaustive
@pytest.mark.parted
def test_rounds_by_the_ten_thousand_keep_the_money_whole_and_replay(
    capfd: pytest.CaptureFixture[str],
) -> None:
    met = in_parts(shard, MANY // SHARD, f"ca-fpgp: {MANY:,} rounds", capfd, each=SHARDS_EACH)
    assert met["rounds"] == MANY
    assert all(met[name] for name in MET | RARER)
