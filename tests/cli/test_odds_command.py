"""``houseway odds``: side wagers of every game, an operator's own paytable, and bad input."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from houseway.cli import long_counts, main
from houseway.houseways import house_way
from houseway.odds import counted, maingame
from houseway.odds.best import Best
from houseway.odds.maingame import COUNTS, MainGame
from tests.support.hands import Array


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
    monkeypatch.setattr(counted, "main_games", lambda *_, **__: [[MainGame(40, 10, 50)]])
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
        ["pa-659a", "--wager", "main", "--house-way", "best"],
        ["pa-659a", "--wager", "main", "--house-way", "best", "--player-way", "best"],
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    code, _, err = run(capsys, "odds", *words)
    assert (code, err.count("\n")) == (2, 1)


# --- long counts -------------------------------------------------------------------------------------

Sides = tuple[object, object]
NOTHING = SimpleNamespace(level=lambda _: np.zeros(COUNTS, dtype=np.int64))


@pytest.fixture
def sides(monkeypatch: pytest.MonkeyPatch) -> list[Sides]:
    """Count nothing, and keep who was to meet whom."""
    asked: list[Sides] = []

    def count(player: object, dealer: object, **_: object) -> MainGame:
        asked.append((player, dealer))
        return MainGame(40, 10, 50)

    monkeypatch.setattr(long_counts, "count_sides", count)
    return asked


def test_either_side_may_set_best_against_the_other(
    capsys: pytest.CaptureFixture[str], sides: list[Sides]
) -> None:
    run(capsys, "odds", "pa-659a", "--wager", "main", "--player-way", "best", "--json")
    run(capsys, "odds", "pa-670a", "--wager", "main", "--house-way", "best", "--player-way", "pa-670a")
    (player, dealer), (mine, answer) = sides
    assert isinstance(player, Best) and (player.against, player.as_player) == (dealer, True)
    assert isinstance(answer, Best) and (answer.against, answer.as_player) == (mine, False)


def test_a_count_is_noted_and_goes_on_where_it_was_interrupted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    levels: list[int] = []

    class Counted:
        """Two levels, and then somebody presses the key."""

        def __init__(self, *_: object) -> None:
            pass

        def level(self, level: int) -> Array:
            levels.append(level)
            if level == 2 and levels.count(2) == 1:
                raise KeyboardInterrupt
            return np.full(COUNTS, level)

    monkeypatch.setattr(maingame, "Sides", SimpleNamespace(of=Counted))
    words = ["odds", "pa-659a", "--wager", "main", "--notes", str(tmp_path), "--json"]
    code, out, err = run(capsys, *words)
    assert (code, out, "run the same command to continue" in err) == (130, "", True)
    code, first, _ = run(capsys, *words)
    assert (code, levels) == (0, [0, 1, 2, 2, 3, 4, 5, 6, 7])
    assert run(capsys, *words)[:2] == (0, first)
    assert len(levels) == 9
    run(capsys, *words, "--recount")
    assert levels[9:] == list(range(8))


def test_notes_are_kept_in_the_users_cache(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(maingame, "Sides", SimpleNamespace(of=lambda *_: NOTHING))
    run(capsys, "odds", "pa-670a", "--wager", "main", "--json")
    (noted,) = (tmp_path / "houseway" / "counts").iterdir()
    assert json.loads(noted.read_text()) == [[0] * COUNTS] * 7


def test_other_options_of_the_ranking_are_another_count(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(maingame, "Sides", SimpleNamespace(of=lambda *_: NOTHING))
    for game in ("pa-659a", "wa-fap", "pa-659a"):
        run(capsys, "odds", game, "--wager", "main", "--notes", str(tmp_path), "--json")
    assert len(list(tmp_path.iterdir())) == 2


def test_what_each_rule_is_worth_is_listed(capsys: pytest.CaptureFixture[str], sides: list[Sides]) -> None:
    code, out, _ = run(capsys, "way", "worth", "houseway-421")
    assert code == 0 and all(rule.id[:20] in out for rule in house_way("houseway-421").rule)
    assert len(sides) == 1 + len(house_way("houseway-421").rule)
    plain = json.loads(run(capsys, "way", "worth", "pa-670a", "--json")[1])
    assert plain["edge"] == "1/10" and {rule["worth"] for rule in plain["rules"].values()} == {"0"}
