"""Strategies on the command line: learnt, judged, played out; what seeing is worth, where a way is weak."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from houseway.cards import Deck
from houseway.houseways import CompiledWay, compile_way, house_way, read_house_way
from houseway.odds.handspace import HandSpace
from houseway.odds.strategies.sampled import sample_hands
from houseway.odds.valued import ValuedSide
from houseway.odds.weakness import find_weakness
from tests.cli.test_coach_command import run
from tests.support.strategies import begin_with_few_lines, look_at_few_choices

SPACE = HandSpace(6, Deck.reduced("AKQJT9", "sh"))


@pytest.fixture(autouse=True)
def few_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every question asked of a small deck."""
    whole = ValuedSide.against_dealer

    def small(dealer: CompiledWay, commission: Fraction = Fraction(0), *_: Any, **__: Any) -> ValuedSide:
        return whole(dealer, commission, SPACE)

    monkeypatch.setattr(ValuedSide, "against_dealer", small)
    monkeypatch.setattr("houseway.odds.strategies.strategy.sample_hands", partial(sample_hands, space=SPACE))
    monkeypatch.setattr("houseway.odds.weakness.find_weakness", partial(find_weakness, space=SPACE))


def test_a_strategy_is_learnt_written_and_judged(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_at_few_choices(monkeypatch)
    path = tmp_path / "short.toml"
    words = ("strategy", "pa-670a", "--rules", "2", "--hands", "1000", "--out", str(path))
    code, out, _ = run(capsys, *words, "--json")
    assert code == 0
    told = json.loads(out)
    assert [row["rules"] for row in told["curve"]] == [1, 2]
    exact = {name: Fraction(value) for name, value in told["expectation"].items()}
    assert exact["house_way"] < exact["rules"] < exact["best"]
    assert Fraction(told["gives_up"]) == exact["best"] - exact["rules"]
    assert exact["house_way"] < Fraction(told["independent_parts"]) <= exact["best"]
    way = read_house_way(path)
    assert compile_way(way).way.rules_text() == compile_way(way.model_validate(told["way"])).way.rules_text()
    learnt = told["curve"][-1]["rules"]
    theirs = [rule.id for rule in house_way("pa-670a").rule]
    kept = [rule.id for rule in way.rule[learnt:]]
    assert learnt == 2 and kept == [one for one in theirs if one in kept], "then the house way's own"
    assert 0 < len(kept) < len(theirs), "but for those that no hand of the small deck comes to"
    assert tomllib.loads(path.read_text(encoding="utf-8"))["ranking"] == "pa-670a"
    code, out, _ = run(capsys, "strategy", "pa-670a", "--judge", str(path), "--json")
    assert code == 0 and json.loads(out)["expectation"] == told["expectation"]
    code, out, _ = run(capsys, "strategy", "pa-670a", "--judge", str(path))
    assert code == 0 and "of the gap is closed" in out.replace("\n", " ") and "independent" in out


def test_a_card_of_points_is_learnt_written_and_judged(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_with_few_lines(monkeypatch)
    path = tmp_path / "points.toml"
    words = ("strategy", "pa-670a", "--points", "--rules", "4", "--hands", "1000", "--out", str(path))
    code, out, _ = run(capsys, *words, "--json")
    told = json.loads(out)
    counts = [row["rules"] for row in told["curve"]]
    assert code == 0 and counts == sorted(counts) and 3 <= counts[-1] <= 4, "lines, and the rule"
    assert len(read_house_way(path).points) == counts[-1] - 1 == len(told["said"]) - 1
    code, out, _ = run(capsys, "strategy", "pa-670a", "--judge", str(path), "--json")
    assert code == 0 and json.loads(out)["expectation"] == told["expectation"]
    assert json.loads(out)["said"][: counts[-1]] == told["said"], "then come the rules of the house way"
    code, out, _ = run(capsys, "way", "show", str(path))
    assert code == 0 and "Points" in out and "a rank above" in out


def test_a_strategy_is_not_learnt_if_it_could_not_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "strategy", "pa-670a", "--out", "/nowhere/short.toml")
    assert code == 2 and not out and "/nowhere" in err


def test_what_the_best_player_gains_is_told_by_shape(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "way", "weakness", "pa-670a", "--json")
    assert code == 0
    told = json.loads(out)
    edge = {name: Fraction(value) for name, value in told["edge"].items()}
    assert sum(Fraction(row["gain"]) for row in told["player"]) == edge["same_way"] - edge["best_player"] > 0
    assert {row["shape"] for row in told["dealer"]} >= {"pair", "two_pair", "three_pair"}
    code, out, _ = run(capsys, "way", "weakness", "pa-670a")
    assert code == 0
    for words in ("The best player gains", "wins back", "The hands that give most away", "two pair"):
        assert words in out


def test_best_play_is_played_out_beside_what_is_exact(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "simulate", "pa-670a", "--deals", "50000", "--json")
    told = json.loads(out)
    assert code == 0 and told["deals"] == 50_000
    away = (told["edge"] - float(Fraction(told["exact"]))) / told["standard_error"]
    assert told["standard_errors_away"] == pytest.approx(away) and abs(away) < 5
    code, out, _ = run(capsys, "simulate", "pa-670a", "--deals", "50000")
    assert code == 0 and "50,000 deals" in out and "standard errors away" in out.replace("\n", " ")


def test_what_seeing_is_worth_is_told_with_its_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from houseway.odds import seeing  # noqa: PLC0415 - what is put in its place

    def told(*_: object) -> list[seeing.SeeingWorth]:
        return [
            seeing.SeeingWorth(1, 100, 0.0123, 0.0004, 0.25),
            seeing.SeeingWorth(2, 100, 0.02, 0.0005, 0.3),
        ]

    monkeypatch.setattr(seeing, "worth_of_seeing", told)
    code, out, _ = run(capsys, "seeing", "pa-670a", "--deals", "100", "--json")
    assert code == 0 and [row["others"] for row in json.loads(out)] == [1, 2]
    code, out, _ = run(capsys, "seeing", "pa-670a", "--deals", "100")
    assert code == 0
    for words in ("1.2300%", "0.0400%", "25.00%"):
        assert words in out
