"""The command line: what each command prints, and how each refuses bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import deal, main
from houseway.games import games
from houseway.games.submission import EXAMPLES

EXAMPLE = EXAMPLES / "pa-659a" / "example.toml"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, printed.out, printed.err


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code, out, _ = run(capsys, *words, "--json")
    assert code == 0
    return json.loads(out)


@pytest.mark.parametrize(
    "words",
    [
        ["rules", "pa-999"],
        ["rules"],
        ["card", "ref-pgp"],
        ["fee", "44", "10"],
        ["fee", "one", "10"],
        ["fee", "1", "ten"],
        ["fee", "1", "$3.50"],
        ["fee", "33", "7"],
        ["trace", "--game", "pa-999"],
        ["trace", "--game", "ref-pgp"],
        ["trace", "--state", "half-done"],
        ["readings", "--game", "nowhere"],
        ["submission", "check", "no-such-file.toml"],
        ["submission", "diff", str(EXAMPLE)],
        ["submission", "check", str(Path(__file__))],
        ["nonsense"],
        ["games", "--nonsense"],
    ],
    ids=" ".join,
)
def test_bad_input_is_one_clear_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("houseway: ")
    assert err.count("\n") == 1


def test_games_lists_six_of_which_five_are_licensed(capsys: pytest.CaptureFixture[str]) -> None:
    listed = run_json(capsys, "games")
    assert [g["id"] for g in listed if g["licensed"]] == ["ca-fpgp", "pa-575", "pa-659a", "pa-670a", "wa-fap"]
    dated = {g["id"]: (g["in_force_from"], g["in_force_from_assumed"], g["lapsed_from"]) for g in listed}
    assert dated["pa-575"] == ("2011-10-01", False, "2013-10-01")
    assert dated["pa-659a"][1] is True
    _, out, _ = run(capsys, "games")
    assert all(g.id in out for g in games())


@pytest.mark.parametrize("game", [g.id for g in games()])
def test_rules_prints_every_paytable_line_with_its_clause(
    capsys: pytest.CaptureFixture[str], game: str
) -> None:
    rules = run_json(capsys, "rules", game)
    code, out, _ = run(capsys, "rules", game)
    assert code == 0
    flat = "".join(out.split()).replace("│", "")
    for table in rules["paytable"]:
        for line in table["lines"]:
            assert line["pays"] == "lose" or line["pays"].replace(" ", "") in flat
    assert rules["name"].split()[0] in out


def test_trace_tells_where_a_clause_is_implemented_and_tested(capsys: pytest.CaptureFixture[str]) -> None:
    traced = {t["clause"]: t for t in run_json(capsys, "trace", "--game", "pa-575")}
    assert len(traced) == 224
    row = traced["pa575.9.a.1"]
    assert row["state"] == "done"
    assert any(p.startswith("games/data/pa-575/rules.toml:") for p in row["code"])
    assert any(p.startswith("games/test_pennsylvania_config.py:") for p in row["tests"])
    code, out, _ = run(capsys, "trace", "--game", "pa-575", "--state", "checklist")
    assert (code, "pa575.2.e" in out) == (0, True)


def test_readings_lists_what_is_to_be_confirmed_and_all_on_request(
    capsys: pytest.CaptureFixture[str],
) -> None:
    open_ones, everything = run_json(capsys, "readings"), run_json(capsys, "readings", "--all")
    assert all(r["confirm"] for r in open_ones)
    assert len(everything) > len(open_ones) > 40
    names = {r["option"]["name"] for r in open_ones if r["option"]}
    assert {"progressive_royal", "ca_coverage", "six_joker_royal", "wa_trips_and_straight"} <= names
    _, out, _ = run(capsys, "readings", "--game", "wa-fap")
    assert "wa:W2" in out and "ca:C1" not in out


def test_submission_check_says_lawful_or_refused_with_every_reason(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    verdict = run_json(capsys, "submission", "check", str(EXAMPLE))
    assert (verdict["lawful"], verdict["problems"]) == (True, [])
    bad = tmp_path / "bad.toml"
    bad.write_text(EXAMPLE.read_text().replace("positions = 6", "positions = 7\ndecks = 3"))
    code, out, _ = run(capsys, "submission", "check", str(bad), "--json")
    assert code == 1
    fields = {p["field"] for p in json.loads(out)["problems"]}
    assert fields == {"table.positions", "table.decks"}
    code, out, _ = run(capsys, "submission", "check", str(bad))
    assert (code, out.count("error: ")) == (1, 2)


def test_submission_diff_names_each_changed_field(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(EXAMPLE.read_text().replace('paytable = "A"', 'paytable = "B"', 1))
    changed = run_json(capsys, "submission", "diff", str(EXAMPLE), str(other))
    assert changed == [{"field": "wagers.fortune.paytable", "before": "A", "after": "B"}]
    assert "wagers.fortune.paytable" in run(capsys, "submission", "diff", str(EXAMPLE), str(other))[1]


def test_fee_shows_each_basis(capsys: pytest.CaptureFixture[str]) -> None:
    fee = run_json(capsys, "fee", "36", "500")
    assert fee["fees"] == {"player_per_spot": "$5", "player_dealer": "$2"}
    assert "under Bureau review" in run(capsys, "fee", "1", "25")[1]


def test_the_rack_card_shows_what_the_submission_pays_and_nothing_else(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "card.html"
    assert run(capsys, "card", "pa-670a", "--out", str(page))[0] == 0
    text = page.read_text()
    assert "Six-Card Fortune Pai Gow Poker" in text and "1,000 to 1" in text
    assert "http" not in text and "<script" not in text
    card = run_json(capsys, "card", "pa-575")
    assert [w["name"] for w in card["wagers"]] == ["Asia Poker Wager", "Bonus Wager"]
    assert len(card["wagers"][1]["lines"]) == 11
    only = tmp_path / "plain.toml"
    only.write_text((EXAMPLES / "pa-575" / "example.toml").read_text().split("[wagers.bonus]")[0])
    plain = run_json(capsys, "card", "pa-575", "--submission", str(only))
    assert [w["name"] for w in plain["wagers"]] == ["Asia Poker Wager"]


def test_the_demonstration_plays_a_round_of_each_game_and_the_same_seed_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first, again = (run_json(capsys, "demo", "--seed", "9") for _ in range(2))
    assert first == again
    assert [r["round"] for r in first] == [f"{g.id}-demo-1" for g in games() if g.licensed]
    assert all(r["differences"] == [] for r in first)
    code, out, _ = run(capsys, "demo", "--seed", "9", "--seat", "3", "--records", str(tmp_path))
    assert (code, out.count("identical"), out.count("NOT")) == (0, 5, 0)
    assert len(list(tmp_path.glob("*.json"))) == 5
    assert run(capsys, "demo", "--seat", "8")[0] == 2


def test_it_runs_as_a_module() -> None:
    words = [sys.executable, "-m", "houseway", "--version"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.startswith("houseway ")


def test_many_rounds_are_dealt_with_the_kernel_and_come_out_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("deal", "pa-670a", "--rounds", "3", "--seed", "kernel", "--json")
    plain = run(capsys, *words)
    loaded: list[object] = []
    monkeypatch.setattr(deal, "THOUSANDS", 3)
    monkeypatch.setattr("houseway.houseways.batch.warm_up", loaded.append)
    assert run(capsys, *words) == plain
    assert len(loaded) == 1
    assert run(capsys, "deal", "pa-670a", "--rounds", "2", "--seed", "kernel", "--json") != plain
    assert len(loaded) == 1


def test_a_reader_who_stops_reading_ends_the_command_without_complaint() -> None:
    words = [sys.executable, "-m", "houseway", "demo"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as demo:
        assert demo.stdout is not None
        demo.stdout.readline()
        demo.stdout.close()
        assert demo.wait(60) == 0


def test_an_output_that_knows_only_ascii_gets_every_sign_by_its_number() -> None:
    def said(*words: str) -> bytes:
        narrow = {**os.environ, "PYTHONIOENCODING": "ascii"}
        command = [sys.executable, "-m", "houseway", *words]
        return subprocess.run(command, capture_output=True, check=True, env=narrow, timeout=60).stdout

    assert b"\\u2026" in said("demo")
    traced = said("trace", "--json")
    assert traced.isascii()
    assert "§ 575.1" in str(json.loads(traced))


@pytest.mark.clause("wa.fap.overview.two_bonus_bets")
def test_the_base_game_of_washington_has_two_bonus_bets_and_the_progressive_is_not_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    law = "wa.fap.overview.two_bonus_bets"
    assert run_json(capsys, "rules", "wa-fap")["bonus_bets"] == ["fortune", "insurance"]
    assert "Bonus bets of the base game: Fortune Bonus bet, Insurance" in run(capsys, "rules", "wa-fap")[1]
    own = tmp_path / "own.toml"
    own.write_text((EXAMPLES / "wa-fap" / "example.toml").read_text("utf-8") + "\n[wagers.lucky_eight]\n")
    code, out, _ = run(capsys, "submission", "check", str(own), "--json")
    assert code == 1 and law in {one for row in json.loads(out)["problems"] for one in row["clauses"]}
