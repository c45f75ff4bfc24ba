"""Bad input to house ways, batches and proofs: refused with its cause, and nothing done."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
import pytest

from houseway.cards import WrongCountError, parse_cards
from houseway.cli import bulk, main
from houseway.errors import DataError, InvalidInputError
from houseway.houseways import compile_way, decide, house_way, read_house_way
from houseway.houseways.batch import set_hands
from houseway.houseways.vocabulary import rank_range
from houseway.ranking import ranking
from houseway.ranking.batch import strengths

SIX = Path(__file__).parents[2] / "src" / "houseway" / "houseways" / "data" / "pa-670a.toml"


def test_hands_of_the_wrong_size_are_refused_and_not_guessed() -> None:
    program = compile_way(house_way("pa-670a"))
    with pytest.raises(WrongCountError, match="6 cards needed, 7 given"):
        decide(program, parse_cards("As Ks Qs Js Ts 9s 8s"))
    for columns in (5, 7):
        with pytest.raises(InvalidInputError, match="hands of 6 cards are needed"):
            set_hands(program, np.arange(columns, dtype=np.uint8).reshape(1, columns))
    with pytest.raises(InvalidInputError, match="hands of 4 cards are needed"):
        strengths(ranking("pa-659a"), "high", np.array([[1, 2]], dtype=np.uint8))
    with pytest.raises(InvalidInputError, match="two-dimensional"):
        strengths(ranking("pa-659a"), "high", np.zeros((3, 0), dtype=np.uint8))


def test_a_rule_that_hangs_on_an_unknown_reading_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "way.toml"
    for given in ('only_if = { no_such = "thing" }', 'unless = { six_joker_royal = "whenever" }'):
        path.write_text(SIX.read_text().replace('id = "five-aces"', f'id = "five-aces"\n{given}'))
        with pytest.raises(DataError, match="no such reading to choose"):
            compile_way(read_house_way(path))


@pytest.mark.parametrize("text", ["7..", "..7", "7..T", "1", "", "A..", "TT"])
def test_a_range_of_ranks_is_whole(text: str) -> None:
    with pytest.raises(DataError):
        rank_range(text)


def test_a_blank_line_inside_is_refused_by_its_own_number_wherever_the_blocks_fall(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = b"As Ks Qs Js Ts 9s 8s\n"
    for text, line in ((hand + b"\n" + hand, "line 2"), (hand + hand + b"As Zz\n", "line 3")):
        for block in (1, 1 << 22):
            monkeypatch.setattr(bulk, "BLOCK_BYTES", block)
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
            with pytest.raises(SystemExit) as stop:
                main(["bonus", "pa-659a", "-"])
            assert stop.value.code == 2
            assert line in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--workers", "0"], ["--limit", "-1"], ["--notes", str(SIX)]])
def test_prove_refuses_nonsense(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["prove", "--way", "pa-670a", *words])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
