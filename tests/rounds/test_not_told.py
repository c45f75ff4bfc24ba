"""What a person is told does not depend on cards that they may not see, in any form of telling.

Two tables that differ only in such cards give them the same views, options, live messages, events, refusals,
answers to guesses, and replays, command after command.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from houseway.floor.packets.playback import play_back
from houseway.rounds import redaction
from houseway.rounds.redaction import ALERTS, FIELDS
from houseway.rounds.state import CardOrigin
from houseway.rounds.steps.hand import Advised
from tests.rounds.side_by_side import Comparison, Round, found
from tests.rounds.support import Floor
from tests.rounds.taped import GAMES, kept_on_tape, tapes
from tests.rounds.taped_entries import typed_tapes
from tests.rounds.test_typed_entry import SET, enter
from tests.rounds.worked import entered_at_the_table
from tests.support.shards import in_parts

ROUNDS, ALL_ROUNDS, SHARD = 100, 1_000, 100
TYPED = 25


def compared(game: str, rounds: int, seed: str) -> Counter[str]:
    """Play rounds with irregularities, and compare each with one that differs in hidden cards."""
    comparison = Comparison(seed)
    for live in tapes(game, rounds, seed):
        comparison.compare(live)
    return comparison.met


def compared_as_typed(game: str, rounds: int, seed: str) -> Counter[str]:
    """Play rounds of real cards, and compare each with one in which others are typed in."""
    comparison = Comparison(seed)
    for live in typed_tapes(game, rounds, seed):
        comparison.compare(live)
    return comparison.met


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_change_nothing_that_anybody_is_told(game: str) -> None:
    met = compared(game, ROUNDS, f"twins {game}")
    assert met["rounds"] > ROUNDS // 2 and met["hidden"] > 5 * met["rounds"], met
    print(sorted(met.items()))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_typed_in_is_told_to_nobody_before_it_lies_open_nor_an_alert_about_it(game: str) -> None:
    met = compared_as_typed(game, TYPED, f"not told as typed {game}")
    assert met["rounds"] > TYPED // 2 and met["alerts"], met


def test_the_comparison_sees_an_alert_that_tells_how_a_hidden_hand_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert ALERTS
    monkeypatch.setattr(redaction, "ALERTS", {})
    with pytest.raises(AssertionError, match="(enter_hand|correct_entry) event tells .* of hidden cards"):
        for game in GAMES:
            compared_as_typed(game, TYPED, f"not told as typed {game}")


@pytest.mark.parametrize(
    ("viewer", "step"), [("guest", "reveal"), ("surveillance", "reveal"), ("dealer", "enter_hand")]
)
def test_whoever_watches_a_round_again_hears_of_a_hand_set_wrongly_when_they_see_it(
    viewer: str, step: str
) -> None:
    """The dealer set the hand at 4, and typed in that it is not the house way."""
    floor = Floor("pa-659a", source=CardOrigin.TYPED)
    live = kept_on_tape(floor.live)
    entered_at_the_table("pa-659a", {4: {}}, helped=4, floor=floor)
    enter(floor, 1, SET["pa-659a"][1]).play_on(without=["enter_hand"])
    enter(floor, 4, "AsJd6h5d / AhJh / Kc").play_on(rounds=1)
    played = Round.of_real_cards(live)
    assert played.record is not None
    watched = play_back(found(live.tape[0].standing, played.record, played.last), viewer)
    alarming = [(one.step, one.position, one.irregular) for one in watched.steps if one.alerts]
    assert alarming == [(step, 4, True)]


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
    seed = f"not told {index} of {game}"
    return compared(game, SHARD, seed) + compared_as_typed(game, SHARD // 4, f"{seed}, typed")
