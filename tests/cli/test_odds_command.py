"""``houseway odds``: side wagers of every game, an operator's own paytable, and bad input."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from houseway.cli import main
from houseway.cli import odds as command
from houseway.odds.maingame import MainGame


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, printed.out, printed.err


def test_side_wagers_print_their_holds(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "odds", "pa-659a", "--wager", "insurance", "--json")
    sides = {s["paytable"]: s for s in json.loads(out)["sides"]}
    assert (code, {t: s["hold_percent"] for t, s in sides.items()}) == (
        0,
        {"A": "3.9079%", "B": "6.4384%", "C": "8.0514%"},
    )
    assert sides["A"]["hit_frequency"] == "16.0762%"
    assert "8.0514%" in run(capsys, "odds", "pa-659a", "--wager", "insurance", "--paytable", "C")[1]
    meter = json.loads(run(capsys, "odds", "pa-670a", "--wager", "progressive", "--json")[1])["sides"][0]
    assert meter["meter_hands"] == {"five_aces": 48, "royal_flush": 1132}
    posted = json.loads(run(capsys, "odds", "wa-fap", "--wager", "progressive", "--json")[1])["sides"][0]
    assert posted["counts"]["four_of_a_kind"] == 307_472


def test_an_operators_own_paytable_is_accepted_for_odds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'name = "flat"\nwager = "fortune"\nversion = "1"\neffective = 2020-01-01T00:00:00\n'
        'lines = [{ hand = "straight", pays = "1 to 1" }]\n'
    )
    code, out, _ = run(capsys, "odds", "ca-fpgp", "--wager", "fortune", "--paytable", str(own), "--json")
    (side,) = json.loads(out)["sides"]
    assert (code, side["paytable"]) == (0, "own 1")
    straights = side["counts"]["straight"]  # those of better hands too: the paytable lists no other line
    assert straights > 11_034_204
    assert side["hold"] == str(1 - 2 * Fraction(straights, 154_143_080))


def test_the_main_game_is_shown_with_its_edge(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "main_game", lambda *_, **__: MainGame(40, 10, 50))
    code, out, _ = run(capsys, "odds", "ref-pgp", "--wager", "main")
    assert (code, "house edge 12.0000%" in out) == (0, True)
    plain = json.loads(run(capsys, "odds", "pa-659a", "--wager", "main", "--json")[1])["main"]
    assert (plain["win"], plain["deals"], plain["edge"]) == (40, 100, "1/10")


@pytest.mark.parametrize(
    "words",
    [
        ["pa-999"],
        ["pa-659a", "--wager", "nonsense"],
        ["pa-659a", "--wager", "fortune", "--paytable", "Z"],
        ["pa-659a", "--wager", "fortune", "--paytable", "nowhere.toml"],
        ["pa-659a", "--wager", "main", "--house-way", "nobody"],
        ["pa-659a", "--wager", "main", "--house-way", "pa-670a"],
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    code, _, err = run(capsys, "odds", *words)
    assert (code, err.count("\n")) == (2, 1)
