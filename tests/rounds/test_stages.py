"""The stages of a round: every step that it goes on by has its place, and they come in order."""

from __future__ import annotations

import pytest

from houseway.games import example_submission, rules_for
from houseway.rounds.live import due_moves
from houseway.rounds.stage import Stage
from houseway.rounds.stages import stages_of
from houseway.rounds.state import CardOrigin, Phase
from houseway.rounds.steps import STEPS
from tests.rounds.table import TestTable

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
ENTERING = {"enter_hand", "confirm_entry", "leave", "sit", "rule_abandoned"}
"""What is typed in belongs to the hand in question, and people come and go at any time."""


def test_the_stages_of_a_table_name_each_step_once_and_only_steps_there_are() -> None:
    for game in GAMES:
        listed = [step for stage in stages_of(rules_for(example_submission(game))) for step in stage.steps]
        assert len(listed) == len({*listed})
        assert {*listed} <= set(STEPS)
    assert len({stage.id for stage in Stage}) == len(Stage)


def test_a_table_in_any_phase_is_at_one_stage() -> None:
    assert sorted(stage.phase for stage in Stage if stage.phase) == sorted(Phase)


@pytest.mark.parametrize("source", [CardOrigin.VIRTUAL_DECK, CardOrigin.TYPED])
@pytest.mark.parametrize("game", GAMES)
def test_whatever_a_round_goes_on_by_belongs_to_a_stage(game: str, source: CardOrigin) -> None:
    table = TestTable(game, source=source)
    staged = {step for stage in stages_of(table.rules) for step in stage.steps}
    for _ in range(150):
        live = table.live
        assert {move.step for move in due_moves(live.rules, live.table)} <= staged | ENTERING
        move = live.due()
        if move is None:
            break
        live.do(move.by, move.action)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_only_stages_of_which_it_has_a_step(game: str) -> None:
    rules = rules_for(example_submission(game))
    named = [stage.id for stage in stages_of(rules)]
    used = {STEPS[step].stage for step in rules.procedure}
    assert named == [stage.id for stage in Stage if stage in used]
    assert ("bank" in named) is rules.banked
