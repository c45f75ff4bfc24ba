"""``houseway dispute``: the packet of a round from a database that is only read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from houseway.games import example_submission
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Sit
from houseway.store.sqlite import SqliteStore
from tests.cli.test_record_commands import run
from tests.floor.support import make_table, new_floor, play, say
from tests.support.packets import read_packet


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Play a round into a file, and begin another."""
    path = tmp_path / "floor.db"
    store = SqliteStore(path)
    floor = new_floor(store)
    make_table(floor, "t1", example_submission("pa-575"))
    say(floor, "t1", Actor("Ann", Role.PLAYER), Sit(2))
    play(floor, "t1", 1)
    say(floor, "t1", Actor("Bob", Role.PLAYER), Sit(3))
    store.close()
    return path


def test_a_packet_is_written_as_a_page_or_as_json_and_never_over_a_file(
    capsys: pytest.CaptureFixture[str], database: Path
) -> None:
    page, data = database.with_name("p.html"), database.with_name("p.json")
    for out in (page, data):
        code, said, _ = run(capsys, "dispute", str(database), "t1", "1", "--out", str(out))
        assert (code, said) == (0, f"wrote {out}: replayed, identical; chain intact\n")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert read_packet(data.read_bytes()).head.round == 1
    kept = page.read_bytes()
    code, _, err = run(capsys, "dispute", str(database), "t1", "1", "--out", str(page))
    assert code == 2 and "not written over" in err and page.read_bytes() == kept


def test_a_round_in_progress_is_written_only_if_asked_for(
    capsys: pytest.CaptureFixture[str], database: Path
) -> None:
    out = database.with_name("p.json")
    words = ("dispute", str(database), "t1", "2", "--out", str(out))
    code, _, err = run(capsys, *words)
    assert code == 2 and "not over yet" in err and not out.exists()
    code, said, _ = run(capsys, *words, "--running")
    assert code == 0 and "not over" in said and not read_packet(out.read_bytes()).head.over


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("t1", "1", "--out", "p.pdf"), ".html or .json"),
        (("t1", "7", "--out", "p.json"), "no such round"),
        (("t9", "1", "--out", "p.json"), "no such table"),
        (("t1", "1", "--out", "nowhere/p.json"), "cannot write the file"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    database: Path,
    words: tuple[str, ...],
    why: str,
) -> None:
    monkeypatch.chdir(database.parent)
    code, _, err = run(capsys, "dispute", str(database), *words)
    assert code == 2 and why in err and err.count("\n") == 1


def test_a_database_that_is_not_there_is_not_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "p.json"
    code, _, err = run(capsys, "dispute", str(tmp_path / "no.db"), "t1", "1", "--out", str(out))
    assert code == 2 and "no such database" in err and not list(tmp_path.iterdir())


def test_a_log_that_was_changed_exits_1_and_the_packet_says_where(
    capsys: pytest.CaptureFixture[str], database: Path
) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE entries SET command = 'another' WHERE stream = 'table/t1' AND version = 4")
    out = database.with_name("p.html")
    code, said, _ = run(capsys, "dispute", str(database), "t1", "1", "--out", str(out))
    assert code == 1 and "NOT proven" in said and "table/t1 version 4" in said
    assert "table/t1 version 4" in out.read_text(encoding="utf-8")
