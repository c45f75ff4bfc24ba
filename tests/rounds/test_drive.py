"""Rounds by the hundred in every run, and by the hundred thousand when everything is proven."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import pytest

from tests.rounds.drive import GAMES, drive

ROUNDS = 150
ALL_ROUNDS, SHARD = 100_000, 500
SHARDS = ALL_ROUNDS // SHARD
WENT_WRONG = ("expose_card", "count_hands", "leave", "rule_abandoned", "remove_deck", "relieve", "void_round")
"""What must have happened often enough for the run to mean something."""


@pytest.mark.parametrize("game", GAMES)
def test_rounds_with_irregularities_keep_money_and_cards_whole(game: str) -> None:
    done = drive(game, ROUNDS, f"usual {game}", oddly=5)
    assert done["rounds"] == done["records"] == ROUNDS
    assert done["refused"] > ROUNDS
    assert [step for step in WENT_WRONG if not done[step]] == []
    assert done["close_round"] > done["void_round"]


def test_the_same_seed_plays_the_same_rounds() -> None:
    assert drive("pa-670a", 5, "again", oddly=4) == drive("pa-670a", 5, "again", oddly=4)


def shard(game: str, index: int) -> Counter[str]:
    """Play one part of the exhaustive run: one round in eight is written down and read again."""
    return drive(game, SHARD, f"shard {index} of {game}", oddly=3 + index % 12, every=8)


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", GAMES)
def test_a_hundred_thousand_rounds_keep_money_and_cards_whole(game: str) -> None:
    done: Counter[str] = Counter()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=os.cpu_count(), mp_context=context) as pool:
        for part in pool.map(shard, [game] * SHARDS, range(SHARDS)):
            done += part
    assert done["rounds"] == ALL_ROUNDS
    assert [step for step in (*WENT_WRONG, "boxed_card", "draw_early", "shoe_fault") if not done[step]] == []
