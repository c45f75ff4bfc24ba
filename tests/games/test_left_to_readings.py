"""A game's document leaves a point only to a reading that can be chosen."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

import houseway
from houseway.errors import DataError
from houseway.games.game import GAME_FILES, read_game
from houseway.law.documents import read_document
from houseway.law.readings import readings
from houseway.ranking.ranking import RANKING_FILES, RankingDocument

GAMES = {
    "a foul": ("pa-659a", 'foul_option = "foul_keeps_side_wagers"', "foul_keeps_side_wager"),
    "two areas": ("pa-659a", 'two_areas_option = "envy_two_areas"', "envy_three_areas"),
    "a rounding": ("pa-659a", 'rounding_option = "meter_rounding"', "meter_roundings"),
    "a reseed": ("pa-670a", 'reseed_option = "six_meter_after_percentage"', "meter_after_percentage"),
    "a trigger": ("ca-fpgp", 'trigger_option = "ca_envy_trigger"', "envy_trigger"),
    "a choice": ("pa-670a", 'choice = "one_dollar"', "two_dollars"),
}
RANKINGS = {
    "a tie": ("pa-659a", 'tie_break_option = "tie_break"', 'tie_break_option = "tie_brake"'),
    "a flush": (
        "pa-575",
        'flush_with_ace_option = "joker_flush_with_ace"',
        'flush_with_ace_option = "six_joker_flush_with_ace"',
    ),
    "a line": ("wa-fap", "only_if = { wa_trips_and_straight", "only_if = { ca_trips_and_straight"),
    "a choice": ("wa-fap", '{ wa_trips_and_straight = "best_paying" }', '{ wa_trips_and_straight = "best" }'),
}


@pytest.mark.parametrize(("game", "found", "wrong"), GAMES.values(), ids=[*GAMES])
def test_a_game_that_names_no_reading_is_not_read(game: str, found: str, wrong: str, tmp_path: Path) -> None:
    folder = shutil.copytree(GAME_FILES / game, tmp_path / game)
    text = (folder / "game.toml").read_text(encoding="utf-8")
    name = found.split('"')[1]
    assert found in text and read_game(folder).id == game
    (folder / "game.toml").write_text(text.replace(f'"{name}"', f'"{wrong}"'), encoding="utf-8")
    with pytest.raises(DataError, match=wrong):
        read_game(folder)


@pytest.mark.parametrize(("name", "found", "wrong"), RANKINGS.values(), ids=[*RANKINGS])
def test_a_ranking_that_names_no_reading_is_not_read(
    name: str, found: str, wrong: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{name}.toml"
    text = (RANKING_FILES / path.name).read_text(encoding="utf-8")
    assert found in text
    path.write_text(text.replace(found, wrong, 1), encoding="utf-8")
    with pytest.raises(DataError, match="reading"):
        read_document(RankingDocument, path)


def test_the_program_asks_only_for_readings_that_there_are() -> None:
    """Whatever is looked up among ``readings`` by a name written in the code is the name of an option."""
    known = {reading.option.name for reading in readings() if reading.option}
    asked: set[str] = set()
    for path in Path(houseway.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(
                        attr="get", value=ast.Name(id="readings") | ast.Attribute(attr="readings")
                    ),
                    args=[ast.Constant(value=str(name)), *_],
                ):
                    asked.add(name)
    assert len(asked) > 10 and asked <= known, asked - known
