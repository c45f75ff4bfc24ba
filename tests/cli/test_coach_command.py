"""``houseway coach`` and ``houseway best``: what they print, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from houseway.cli import main
from houseway.games.submission import EXAMPLES
from houseway.houseways import CompiledWay
from houseway.odds.files import kept_array
from houseway.odds.responses import BestAnswer

HANDS = comb(53, 6)
HAND = "As Ah Kd Qc 7h 2s"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    told = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, told.out, told.err


@pytest.fixture
def weakest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a dealer whose every hand is the weakest there is."""
    monkeypatch.setattr("houseway.odds.kept.kept_table", lambda *_: np.zeros(HANDS, np.uint32))


@pytest.mark.usefixtures("weakest")
def test_every_setting_is_told_with_its_exact_counts(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "coach", "pa-670a", HAND, "--every", "--json")
    told = json.loads(out)
    assert code == 0 and len(told["settings"]) == 6
    for one in told["settings"]:
        assert one["win"] + one["push"] + one["lose"] == comb(47, 6)
    assert told["best"] == told["settings"][0] and told["price"] >= 0
    assert told["house_way"]["rule"] and told["house_way"]["setting"] in out


@pytest.mark.usefixtures("weakest")
def test_cards_that_were_seen_leave_fewer_hands(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "coach", "pa-670a", HAND, "--seen", "Ac Ad Jk", "--json")
    best = json.loads(out)["best"]
    assert best["win"] + best["push"] + best["lose"] == comb(44, 6)
    code, _, err = run(capsys, "coach", "pa-670a", HAND, "--seen", "As")
    assert code == 2 and "twice" in err


@pytest.mark.usefixtures("weakest")
def test_a_person_reads_the_settings_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "coach", "pa-670a", HAND)
    assert code == 0 and "house way" in out and "Every legal setting" in out


def test_a_hand_is_valued_with_the_right_to_double_and_the_advice_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Without it JkAs988 / Ks looks worse than AsKs988 / Jk, which wins more often and doubles for less."""
    hand = "8c 8d 9h Ks As Jk"
    told = json.loads(run(capsys, "coach", "pa-670a", hand, "--every", "--json")[1])
    king, joker = "8c8d9hAsJk / Ks", "8c8d9hKsAs / Jk"
    worth = {one["setting"]: one for one in told["settings"]}
    assert told["best"]["setting"] == king and told["best"]["double"] is True
    assert (round(worth[king]["expectation"], 4), round(worth[joker]["expectation"], 4)) == (0.7621, 0.6049)
    text = (EXAMPLES / "pa-670a" / "example.toml").read_text(encoding="utf-8")
    (tmp_path / "single.toml").write_text(text.replace("[wagers.double_down]", ""), encoding="utf-8")
    words = ("coach", "pa-670a", hand, "--submission", str(tmp_path / "single.toml"), "--json")
    single = json.loads(run(capsys, *words)[1])
    assert single["best"]["setting"] == joker and single["best"]["double"] is None
    alone = Fraction(single["best"]["exact"])
    assert Fraction(worth[joker]["exact"]) == alone + max(Fraction(0), Fraction(worth[joker]["double_adds"]))
    out = " ".join(run(capsys, "coach", "pa-670a", hand)[1].split())
    assert f"double down with {king}: it adds" in out


def test_best_answers_are_told_with_the_gap_that_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers(program: CompiledWay, commission: Fraction, many: int, _: object) -> Iterator[BestAnswer]:
        yield BestAnswer(f"neither: both set by {program.way.id}", Fraction(3, 100))
        yield from [
            BestAnswer("the player", Fraction(28, 1000)),
            BestAnswer("the dealer", Fraction(29, 1000), Fraction(1, 1000)),
        ][:many]
        assert commission == Fraction(1, 20)

    monkeypatch.setattr("houseway.odds.responses.best_answers", answers)
    code, out, _ = run(capsys, "best", "ref-pgp", "--answers", "2")
    assert code == 0
    for told in ("3.0000%", "2.8000%", "2.9000%", "0.1000%", "commission of 5.0000%"):
        assert told in out
    _, out, _ = run(capsys, "best", "ref-pgp", "--json")
    assert [one["edge"] for one in json.loads(out)] == ["3/100", "7/250"]


def test_an_array_is_made_once_and_then_read_from_its_file(tmp_path: Path) -> None:
    made = []

    def make() -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
        made.append(1)
        return np.arange(5, dtype=np.uint32)

    for _ in range(2):
        assert kept_array("five", make, tmp_path).tolist() == [0, 1, 2, 3, 4]
    assert len(made) == 1 and [one.name for one in tmp_path.iterdir()] == ["five.npy"]
    (tmp_path / "file").touch()
    assert kept_array("five", make, tmp_path / "file").tolist() == [0, 1, 2, 3, 4]
