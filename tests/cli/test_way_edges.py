"""``way diff`` and ``way watch``: both settings shown, the commission taken, only what changed counted."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from houseway.cli import way_edges
from houseway.cli.app import app
from houseway.cli.way_edges import WatchedWay, four_edges
from houseway.houseways import CompiledWay, compile_way, house_way
from houseway.houseways.document import HOUSE_WAY_FILES
from houseway.odds.maingame import MainGame

OTHER = """
[[rule]]
id = "two-trips-the-other-way"
say = "Two trips: the higher ones stay together."
when = { shape = "two_trips" }
require = { high = { category = "full_house" } }
prefer = ["high", "low"]
"""
LOWER_TRIPS = 'require = { high = { category = "full_house" } }\nprefer = ["low", "high"]'
HIGHER_TRIPS = 'require = { high = { category = "full_house" } }\nprefer = ["high", "low"]'
COUNTED = {True: MainGame(40, 10, 50), False: MainGame(30, 20, 50)}


def way_text(name: str = "pa-670a") -> str:
    return (
        (HOUSE_WAY_FILES / f"{name}.toml")
        .read_text(encoding="utf-8")
        .replace(f'id = "{name}"', 'id = "own"', 1)
    )


def with_rule(text: str) -> str:
    head, _, rules = text.partition("[[rule]]")
    return head + OTHER.strip() + "\n\n[[rule]]" + rules


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "own.toml"
    found.write_text(way_text(), encoding="utf-8")
    return found


class Counted:
    """Stands for the count of every pair of hands: says what it was asked to count."""

    asked: list[str] = []

    def __init__(self, way: CompiledWay, rival: CompiledWay, **_: object) -> None:
        self.asked.append(f"{way.way.id} and {rival.way.id}")

    def edit(self, way: CompiledWay, _: object) -> int:
        self.asked.append(f"edit of {len(way.rules)} rules")
        return 1

    @property
    def games(self) -> object:
        class Found:
            itself, as_player, as_dealer = COUNTED[True], COUNTED[False], COUNTED[True]

        return Found


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(Counted, "asked", [])
    monkeypatch.setattr("houseway.odds.recount.EditedWay", Counted)
    return Counted.asked


def test_four_pairings_are_named_by_side_and_take_the_commission(monkeypatch: pytest.MonkeyPatch) -> None:
    def games(
        players: tuple[CompiledWay, ...], dealers: tuple[CompiledWay, ...], **_: object
    ) -> list[list[MainGame]]:
        return [[COUNTED[player is dealer] for dealer in dealers] for player in players]

    monkeypatch.setattr("houseway.odds.maingame.main_games", games)
    one, other = compile_way(house_way("foxwoods")), compile_way(house_way("trump-plaza"))
    found = four_edges(one, other, Fraction(1, 20), quiet=True)
    assert found["dealer foxwoods, player foxwoods"] == Fraction(10, 100) + Fraction(40, 100) / 20
    assert found["dealer trump-plaza, player foxwoods"] == Fraction(20, 100) + Fraction(30, 100) / 20
    assert len(found) == 4


def test_a_difference_shows_both_settings(path: Path) -> None:
    path.write_text(with_rule(way_text()), encoding="utf-8")
    answer = CliRunner().invoke(app, ["way", "diff", "pa-670a", str(path), "--no-edge", "--json"])
    (row,) = json.loads(answer.output)["by_rule"]
    assert (row["one"], row["other"], row["hands"]) == ("two-trips", "two-trips-the-other-way", 1_536)
    for example in row["examples"]:
        assert example["one"] != example["other"] and len(example["one"].split(" / ")) == 2


def test_at_each_save_the_proof_the_changed_hands_and_the_edges_are_told(
    path: Path, counted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    watched = WatchedWay(path, against="pa-670a")
    watched.report_save()
    first = capsys.readouterr().out
    assert "sound over 22,957,480 hands" in first and "own on both sides: 10.0000%" in first
    assert "dealer pa-670a, player own: 20.0000%" in first and "set differently" not in first
    rules, _, _ = way_text().partition("[[example]]")
    path.write_text(rules.replace(LOWER_TRIPS, HIGHER_TRIPS), encoding="utf-8")
    watched.report_save()
    second = capsys.readouterr().out
    assert "1,536 of 22,957,480 hands are now set differently" in second
    assert "two-trips" in second and " / " in second
    assert counted[0] == "own and pa-670a" and counted[1].startswith("edit of ") and len(counted) == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id = ", "own.toml"),
        (way_text().replace("prefer", "prefers", 1), "prefers"),
        (way_text().replace('shape = "two_trips"', 'shape = "two_tripes"', 1), "two_tripes"),
    ],
    ids=["no document", "unknown key", "unknown word"],
)
def test_a_faulty_save_is_told_and_the_next_one_is_looked_at(
    path: Path, counted: list[str], capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    watched = WatchedWay(path)
    path.write_text(text, encoding="utf-8")
    watched.report_save()
    told = capsys.readouterr()
    assert says in told.out + told.err and "correct this to see" in told.out
    assert counted == []


def test_a_save_is_noticed_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([None, None, path.write_text, None])

    def sleep(_: float) -> None:
        act = next(looks)
        if act is not None:
            act(way_text() + "\n# longer\n", encoding="utf-8")

    monkeypatch.setattr("houseway.cli.way_edges.time.sleep", sleep)
    found = way_edges.saves(path)
    next(found)
    next(found)
    with pytest.raises((StopIteration, RuntimeError)):
        next(found)
