"""What comes in by a door is noted, and what goes straight to a function of a room is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houseway.cards import parse_cards
from houseway.cli import main
from houseway.games import verify_submission
from houseway.law.problems import RefusedError
from houseway.library import game
from houseway.ranking import RaceResult
from houseway.store.memory import MemoryStore
from tests.floor.support import approve_program, new_floor
from tests.games.support import submission
from tests.rounds.table import TestTable
from tests.support import doors


@pytest.fixture(autouse=True)
def watched() -> None:
    doors.watch_doors()
    doors.ENTERED.clear()


def test_each_door_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    entered = []
    for enter in (
        lambda: TestTable("pa-575"),
        lambda: approve_program(new_floor(MemoryStore())),
        lambda: game("pa-575").rank("As Ah Kd 2c"),
    ):
        doors.ENTERED.clear()
        enter()
        entered.append(set(doors.ENTERED))
    doors.ENTERED.clear()
    with pytest.raises(SystemExit):
        main(["fee", "40", "$10"])
    assert capsys.readouterr().out and {"command line"} == doors.ENTERED
    assert entered == [{"table"}, {"floor"}, {"library"}]


def test_a_function_of_a_room_is_no_door() -> None:
    assert verify_submission(submission("pa-575")) == ()
    assert set() == doors.ENTERED


def test_a_game_that_the_library_opens_is_asked_or_refused() -> None:
    opened = game(submission("pa-575"))
    assert opened.ranking.compare("low", parse_cards("As"), parse_cards("Kd")) is RaceResult.HIGHER
    assert set() == doors.ENTERED
    assert opened.warnings == () and {"library"} == doors.ENTERED
    doors.ENTERED.clear()
    with pytest.raises(RefusedError):
        game(submission("pa-575", {"table.positions": 9}))
    assert {"library"} == doors.ENTERED


def test_doors_are_written_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "RECORD", tmp_path / "doors.json")
    doors.write_doors({"pa575.9.a.1": ["table"], "pa575.2.a.s1": []})
    assert list(json.loads((tmp_path / "doors.json").read_text())) == ["pa575.2.a.s1", "pa575.9.a.1"]
    assert doors.read_doors() == {"pa575.2.a.s1": [], "pa575.9.a.1": ["table"]}
