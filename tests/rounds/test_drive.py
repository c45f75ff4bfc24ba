"""Rounds by the hundred in every run, and by the ten thousand when everything is proven."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from houseway.games import game as game_named
from tests.rounds.play.drive import GAMES, drive
from tests.support.shards import in_parts

ROUNDS = 150
ALL_ROUNDS, SHARD = 20_000, 500
SHARDS = ALL_ROUNDS // SHARD
EVERYWHERE = ("expose_card", "count_hands", "leave", "remove_deck", "relieve", "void_round")
SECTION_13 = ("rule_abandoned", "boxed_card", "draw_early", "shoe_fault")
KEYPAD = ("stop_round", "rule_round", "coin_in", "press_hand", "press_jpot", "turn_key", "pay_jackpot")
WENT_WRONG = {game: (*EVERYWHERE, *(KEYPAD if game == "wa-fap" else SECTION_13)) for game in GAMES}
"""What must have happened in a few rounds for the run to mean something."""
NEVER = {"enter_hand", "correct_entry", "confirm_entry", "reopen_entry"}
"""What no round played from a sealed deck has: cards typed in by hand."""


@pytest.mark.parametrize("game", GAMES)
def test_rounds_with_irregularities_keep_money_and_cards_whole(game: str) -> None:
    done = drive(game, ROUNDS, f"usual {game}", oddly=5)
    assert done["rounds"] == done["records"] == ROUNDS
    assert done["refused"] > ROUNDS
    assert [step for step in WENT_WRONG[game] if not done[step]] == []
    assert done["close_round"] > done["void_round"]


def test_the_same_seed_plays_the_same_rounds() -> None:
    assert drive("pa-670a", 5, "again", oddly=4) == drive("pa-670a", 5, "again", oddly=4)


def undone(game: str, done: Counter[str]) -> list[str]:
    """Return the steps of a game that never happened, though they can."""
    can = set(game_named(game).procedure) - NEVER
    return sorted(step for step in can if not done[step])


def shard(game: str, index: int) -> Counter[str]:
    """Play one part of the exhaustive run: one round in eight is written down and read again."""
    return drive(game, SHARD, f"shard {index} of {game}", oddly=3 + index % 12, every=8)


@pytest.mark.exhaustive
@pytest.mark.parted
@pytest.mark.parametrize("game", GAMES)
def test_rounds_by_the_ten_thousand_keep_money_and_cards_whole(
    game: str, capfd: pytest.CaptureFixture[str]
) -> None:
    done = in_parts(partial(shard, game), SHARDS, f"{game}: {ALL_ROUNDS:,} rounds", capfd)
    assert done["rounds"] == ALL_ROUNDS
    assert undone(game, done) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", GAMES)
def test_within_two_thousand_rounds_every_step_that_a_game_has_happens(game: str) -> None:
    done: Counter[str] = Counter()
    for index in range(4):
        done += shard(game, 3 * index)
    assert undone(game, done) == []
