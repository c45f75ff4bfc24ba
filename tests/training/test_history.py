"""Answers are kept one by one, read again as they were, and a damaged line is refused with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houseway.errors import DataError
from houseway.training import HistoryFile, LessonRole, user_history
from tests.training.support import answer

ANSWERS = [
    answer("Ks Kh 9d 9s 5h 4d", right=False, lost="3/100", spot="two_pair"),
    answer("dealer's", role=LessonRole.DEALER, kind="copies", spot="copies", right=False, lost="1"),
    answer("Ah Kd Jh 9h 7s 7h", shown=True, right=False),
]


def test_what_is_added_is_read_again_exactly_by_another_lesson(tmp_path: Path) -> None:
    path = tmp_path / "made" / "when needed" / "pa-670a.jsonl"
    assert HistoryFile(path).read() == []
    for count, one in enumerate(ANSWERS, start=1):
        HistoryFile(path).add(one)
        assert HistoryFile(path).read() == ANSWERS[:count]
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(ANSWERS)


def test_a_line_says_what_was_asked_and_exactly_what_was_lost(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    HistoryFile(path).add(ANSWERS[0])
    line = json.loads(path.read_text(encoding="utf-8"))
    assert (line["asked"], line["lost"], line["at"]) == ("Ks Kh 9d 9s 5h 4d", "3/100", "2020-06-01T12:00:00Z")


def test_answers_are_added_and_none_before_them_is_touched(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    HistoryFile(path).add(ANSWERS[0])
    before = path.read_bytes()
    HistoryFile(path).add(ANSWERS[1])
    assert path.read_bytes().startswith(before)


GOOD = (
    b'{"at":"2020-06-01T12:00:00Z","role":"player","kind":"set","spot":"pair",'
    b'"asked":"x","given":"","right":true,"lost":"0","seconds":1.0}'
)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "not an answer"),
        (GOOD[:40], "not an answer"),
        (GOOD.replace(b'"player"', b'"owner"'), "not an answer"),
        (GOOD.replace(b'"kind"', b'"sort"'), "not an answer"),
        (GOOD.replace(b'"lost":"0"', b'"lost":"much"'), "not an answer"),
        (GOOD.replace(b'"lost":"0"', b'"lost":"1/0"'), "not an answer"),
        (GOOD.replace(b'"lost":"0"', b'"lost":"-1"'), "a loss is not negative"),
        (GOOD.replace(b"1.0}", b'1.0,"v":2}'), "version 1"),
        (b"\xff", "not an answer"),
    ],
)
def test_a_damaged_line_is_refused_with_file_and_number(tmp_path: Path, line: bytes, why: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"\n".join([GOOD, line, GOOD, b""]))
    with pytest.raises(DataError, match=why) as refused:
        HistoryFile(path).read()
    assert "bad.jsonl, line 2" in str(refused.value)


def test_a_line_that_was_cut_off_is_refused_too(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(GOOD + b"\n" + GOOD)
    with pytest.raises(DataError, match=r"line 2, in .*: the last line has no end"):
        HistoryFile(path).read()


def test_a_place_that_cannot_be_read_or_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match="cannot be read"):
        HistoryFile(tmp_path / "folder").read()
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="cannot be written"):
        HistoryFile(tmp_path / "file" / "one.jsonl").add(ANSWERS[0])


def test_each_game_has_its_file_among_the_users_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert user_history("pa-575").path == tmp_path / "houseway" / "drill" / "pa-575.jsonl"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (
        user_history("pa-575").path == tmp_path / ".local" / "share" / "houseway" / "drill" / "pa-575.jsonl"
    )
