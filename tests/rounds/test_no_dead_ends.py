"""From wherever people come, rightly or wrongly, the round is ended by nothing but what is true."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from tests.rounds.walking import GAMES, walks
from tests.support.shards import in_parts

ROUNDS, TYPED = 20, 10
ALL_ROUNDS, SHARD = 1_000, 50
EVERYWHERE = ("leave", "relieve", "expose_card", "count_hands", "remove_deck")
SECTION_13 = ("rule_abandoned", "boxed_card", "draw_early")

WENT_WRONG = {
    game: (*EVERYWHERE, *(SECTION_13 if game.startswith("pa") else ("rule_round",))) for game in GAMES
}
"""What must have happened in a long run for it to mean something."""


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_ended_truly_from_wherever_it_comes(game: str) -> None:
    met = walks(game, ROUNDS, f"no dead end {game}")
    assert met["rounds"] >= ROUNDS and met["closings"] > ROUNDS


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_real_cards_is_ended_truly_whatever_was_typed_in(game: str) -> None:
    met = walks(game, TYPED, f"typed {game}", typed=True, oddly=2)
    assert met["rounds"] >= TYPED and met["enter_hand"] and met["reopen_entry"] + met["correct_entry"]


def shard(game: str, index: int) -> Counter[str]:
    """Play one part of the exhaustive run: one in five with real cards."""
    return walks(game, SHARD, f"shard {index} of {game}", typed=not index % 5, oddly=2 + index % 4)


@pytest.mark.exhaustive
@pytest.mark.parted
@pytest.mark.parametrize("game", GAMES)
def test_a_thousand_rounds_are_ended_truly_from_wherever_they_come(
    game: str, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = ALL_ROUNDS // SHARD
    met = in_parts(partial(shard, game), parts, f"{game}: {ALL_ROUNDS:,} rounds ended", capfd)
    assert met["rounds"] >= ALL_ROUNDS
    assert [step for step in WENT_WRONG[game] if not met[step]] == []
