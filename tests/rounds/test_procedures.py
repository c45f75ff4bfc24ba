"""The procedures as documents: every name in them means something, and everything written is in some game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from houseway.errors import DataError
from houseway.games import games
from houseway.games.game import Game
from houseway.games.procedure import ByWay, Steps, clauses_for
from houseway.law.citations import Cites
from houseway.law.documents import Document, as_document
from houseway.rounds.capacities import EXCLUSIONS
from houseway.rounds.live import EVERYTHING
from houseway.rounds.sight import CARDS, CONCEALED
from houseway.rounds.steps import STEPS

READ_ELSEWHERE = {
    "deal": {"not_cut"},
    "cut": {"by_device"},
    "uncover": {"leaning", "fallen"},
    "receive_deck": {"preinspected"},
    "rearrange": {
        "everyone_lammer",
        "everyone_wager",
        "announces",
        "announces_other",
        "announces_progressive",
        "unasked",
    },
    "surrender": {"stays"},
    "void_round": {"returns", "reverses"},
    "wager": {"approved"},
    "correct_wager": {"approved"},
    "coin_in": {"detected", "accepted"},
    "place_lammers": {"with_wager"},
    "show_player_way": {"screen"},
    "record_notice": {"review", "unlawful", "cease"},
    **{step: {"opening", "idle", "idle_device"} for step in ("view_spread", "turn_down", "wash", "stack")},
    "settle": {"fortune", "fortune_won", "fortune_lost"},
    "shake_dice": {"player_dealer_first"},
    "load": {"after_cut"},
    "rack": {"without_bonus", "lost_progressive"},
    "turn_key": {"jackpot", "run"},
}


class Procedure(Document):
    """A document with a procedure and nothing else."""

    procedure: Steps


PLAYED = [game for game in games() if game.licensed]


def conditions(steps: Steps) -> Iterator[tuple[str, str]]:
    """Yield every condition that a procedure names, with its step."""
    return ((step, condition) for step, terms in steps.items() for condition in terms)


@pytest.mark.parametrize("game", PLAYED, ids=[game.id for game in PLAYED])
def test_every_condition_that_a_procedure_names_is_one_of_its_steps(game: Game) -> None:
    known = {
        name: {guard.key for guard in step.guards}
        | {"law", "by", "when", "hand"}
        | READ_ELSEWHERE.get(name, set())
        | {one.key for one in EXCLUSIONS if not one.steps or name in one.steps}
        for name, step in STEPS.items()
    }
    strange = [
        f"{step}.{key}" for step, key in conditions(game.procedure) if key not in known.get(step, set())
    ]
    assert not strange
    assert set(game.procedure) <= set(STEPS)
    hides = {"dealer_open", *(one.key for one in CONCEALED)}
    assert set(game.sight) == {CARDS} and set(game.sight[CARDS]) <= hides


def test_every_step_that_is_written_belongs_to_some_game() -> None:
    used = {name for game in PLAYED for name in game.procedure}
    assert set(STEPS) - used == set()
    assert used == set(EVERYTHING)


@pytest.mark.parametrize("game", PLAYED, ids=[game.id for game in PLAYED])
def test_a_way_that_clauses_are_told_apart_by_is_one_the_game_has(game: Game) -> None:
    ways = {
        str(value)
        for permit in game.permit
        if permit.field in ("table.dealing", "table.procedure")
        for value in permit.values
    }
    for step, key in conditions(game.procedure):
        found = game.procedure[step][key]
        assert isinstance(found, tuple) or set(found) <= ways, f"{step}.{key}"


def test_clauses_are_found_for_the_way_of_dealing_and_for_no_other() -> None:
    steps: dict[str, dict[str, Cites | ByWay]] = {
        "deal": {"law": {"hand": Cites(("pa575.9.b",))}, "start": Cites(("pa575.8.b",))}
    }
    assert clauses_for(steps, "deal", "law", "hand") == ("pa575.9.b",)
    assert clauses_for(steps, "deal", "law", "manual_shoe") == ()
    assert clauses_for(steps, "deal", "start", None) == ("pa575.8.b",)
    assert clauses_for(steps, "cut", "law", "hand") == ()


@pytest.mark.parametrize(
    ("procedure", "cause"),
    [
        ({"deal": {"law": ["no such"]}}, "no such clause"),
        ({"deal": {"law": "pa575.9.b"}}, "a list of clauses is needed"),
        ({"deal": {"law": {"hand": [3]}}}, "a list of clauses is needed"),
        (["deal"], "steps by name are needed"),
    ],
)
def test_a_procedure_that_means_nothing_is_refused(procedure: object, cause: str) -> None:
    with pytest.raises(DataError, match=cause):
        as_document(Procedure, {"procedure": procedure}, "game.toml")
