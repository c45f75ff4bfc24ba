"""A count that is interrupted goes on where it stopped, and comes to the same result."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.cards import Deck
from houseway.errors import DataError
from houseway.houseways import compile_way, house_way
from houseway.odds import maingame
from houseway.odds.maingame import Sides, main_game
from houseway.odds.notes import NotesFile

DECK = Deck.reduced("AKQJT9", "sh")


class StoppedError(Exception):
    """Somebody pressed the key."""


@pytest.mark.parametrize("level", [0, 3, 6])
def test_an_interrupted_count_goes_on_at_its_level(tmp_path: Path, level: int) -> None:
    program = compile_way(house_way("pa-670a"))
    whole = main_game(program, program, DECK)
    notes = NotesFile(tmp_path / "new" / "count.json")

    def stop(done: int, _: int) -> None:
        if done == level:
            raise StoppedError

    with pytest.raises(StoppedError):
        main_game(program, program, DECK, stop, notes)
    assert len(notes.read()) == level
    told: list[int] = []
    assert main_game(program, program, DECK, lambda done, _: told.append(done), notes) == whole
    assert told == list(range(level, 8))


def test_a_finished_count_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = compile_way(house_way("pa-670a"))
    notes = NotesFile(tmp_path / "count.json")
    whole = main_game(program, program, DECK, notes=notes)

    def refuse(*_: object) -> Sides:
        raise StoppedError

    monkeypatch.setattr(maingame, "Sides", refuse)
    assert main_game(program, program, DECK, notes=notes) == whole
    assert [path.name for path in tmp_path.iterdir()] == ["count.json"]


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[["1"]]', "[[1.5]]", "[[true]]", "[[1"])
def test_a_file_that_holds_anything_else_is_refused_and_left(tmp_path: Path, text: str) -> None:
    notes = NotesFile(tmp_path / "count.json")
    notes.path.write_text(text)
    with pytest.raises(DataError, match=r"count\.json"):
        notes.read()
    assert notes.path.read_text() == text
