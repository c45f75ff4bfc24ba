"""What a person is told does not depend on cards that they may not see, in any form of telling.

Two tables that differ only in such cards give them the same views, options, live messages, events, refusals,
answers to guesses, and replays, command after command.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from houseway.rounds import redaction
from houseway.rounds.redaction import FIELDS
from houseway.rounds.steps.hand import Advised
from tests.rounds.side_by_side import Comparison
from tests.rounds.taped import GAMES, tapes
from tests.support.shards import in_parts

ROUNDS, ALL_ROUNDS, SHARD = 100, 1_000, 100


def compared(game: str, rounds: int, seed: str) -> Counter[str]:
    """Play rounds with irregularities, and compare each with one that differs in hidden cards."""
    comparison = Comparison(seed)
    for live in tapes(game, rounds, seed):
        comparison.compare(live)
    return comparison.met


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_change_nothing_that_anybody_is_told(game: str) -> None:
    met = compared(game, ROUNDS, f"not told {game}")
    assert met["rounds"] > ROUNDS // 2 and met["hidden"] > 5 * met["rounds"], met
    print(sorted(met.items()))


def test_the_comparison_sees_a_rule_that_tells_what_kind_of_hand_it_is_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {
        kind: {name: who for name, who in fields.items() if name != "rule"} for kind, fields in FIELDS.items()
    }
    assert told[Advised] != FIELDS[Advised]
    monkeypatch.setattr(redaction, "FIELDS", told)
    with pytest.raises(AssertionError, match="ask_help event tells .* of hidden cards: .*rule"):
        compared("pa-659a", ROUNDS, "not told")


@pytest.mark.exhaustive
@pytest.mark.parted
@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_change_nothing_in_a_thousand_rounds(
    game: str, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = ALL_ROUNDS // SHARD
    met = in_parts(partial(shard, game), parts, f"{game}: {ALL_ROUNDS:,} rounds side by side", capfd)
    assert met["rounds"] > ALL_ROUNDS // 2


def shard(game: str, index: int) -> Counter[str]:
    """Play one part of the exhaustive run."""
    return compared(game, SHARD, f"not told {index} of {game}")
