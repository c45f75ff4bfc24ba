"""``houseway serve`` on what is not the database it should be: refused in a line that names it, or served."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from houseway.errors import HousewayError
from houseway.floor.audit import MissingDeckError
from houseway.floor.running_table import open_commitments
from houseway.floor.streams import table_stream
from houseway.floor.verification import verify_start
from houseway.games import example_submission
from houseway.service.server_setup import open_floor
from houseway.store.memory import MemoryStore
from houseway.store.safe import key_path
from houseway.store.store_url import open_store
from tests.floor import floor_of_2026
from tests.floor.floor_of_2026 import IN_PROGRESS, LATER, copy_of_floor
from tests.floor.support import command, make_table, new_floor, next_move, seat_two
from tests.service.load import DECK_KEY
from tests.service.test_serve_command import free_port, houseway, serving
from tests.store.support import DATABASES
from tests.support.runtime import TestRuntime


@pytest.fixture
def floor_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A floor in a file, as it was left; its key is in the environment."""
    monkeypatch.setenv("HOUSEWAY_DECK_KEY", DECK_KEY)
    with copy_of_floor("sqlite", tmp_path) as path:
        yield Path(path)


def refusal(database: Path | str) -> str:
    """Return the one line in which a server refuses a database."""
    done = houseway("--database", str(database), "--port", str(free_port()))
    assert done.returncode == 2 and done.stdout == "", done
    (line,) = done.stderr.splitlines()
    return line


def change(path: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(path) as connection:
        assert connection.execute(statement, values).rowcount > 0


# --- the file -----------------------------------------------------------------------------------------


def test_a_second_name_of_the_file_is_the_same_file_with_the_same_key(tmp_path: Path) -> None:
    database, link = tmp_path / "floor.db", tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    with serving(database, free_port()):
        link.symlink_to(database)
        line = refusal(link)
        assert "another process serves this file (process " in line and str(database) in line
    with serving(link, free_port()):
        pass
    assert [path.name for path in link.parent.iterdir()] == ["link.db"], "no key of its own"


def test_a_file_cut_to_nothing_beside_its_key_is_no_new_floor(tmp_path: Path) -> None:
    database = tmp_path / "floor.db"
    with serving(database, free_port()):
        pass
    os.truncate(database, 0)
    for path in tmp_path.glob("floor.db-*"):
        path.unlink()
    for _ in range(2):
        assert str(key_path(database)) in (line := refusal(database)) and "the database is empty" in line


def test_a_damaged_file_is_refused_in_a_line(floor_file: Path) -> None:
    text = floor_file.read_bytes()
    floor_file.write_bytes(text[: len(text) // 2])
    assert "the database does not answer" in refusal(floor_file)


@pytest.mark.parametrize("key", ["", "not hexadecimal", "07"])
def test_a_key_that_is_none_is_refused_in_a_line(tmp_path: Path, key: str) -> None:
    database = tmp_path / "floor.db"
    store = open_store(str(database))
    make_table(new_floor(store), "t", example_submission("pa-575"))
    store.close()
    key_path(database).write_text(key)
    assert "key" in refusal(database)


def damaged(text: bytes, chance: random.Random) -> bytes:
    """Return the bytes of a file after something has happened to it."""
    changed, at = bytearray(text), chance.randrange(len(text))
    kind = chance.choice(["flip", "cut", "zeros", "page"])
    if kind == "flip":
        for _ in range(chance.choice([1, 10, 100])):
            changed[chance.randrange(len(text))] ^= 1 << chance.randrange(8)
    elif kind == "cut":
        del changed[at:]
    elif kind == "zeros":
        changed[at : at + 8192] = bytes(len(changed[at : at + 8192]))
    else:
        page, other = at // 4096 * 4096, chance.randrange(len(text)) // 4096 * 4096
        changed[page : page + 4096] = changed[other : other + 4096]
    return bytes(changed)


def open_damaged(path: Path, seeds: range) -> int:
    """Open a file after each of some damages; return how many were refused, which is all that may happen."""
    text, refused = path.read_bytes(), 0
    for seed in seeds:
        for beside in path.parent.glob(f"{path.name}-*"):
            beside.unlink()
        path.write_bytes(damaged(text, random.Random(seed)))
        try:
            open_floor(str(path), TestRuntime(lambda: LATER)).store.close()
        except HousewayError:
            refused += 1
    return refused


def test_whatever_is_damaged_nothing_but_a_refusal_comes_of_it(floor_file: Path) -> None:
    assert open_damaged(floor_file, range(12)) > 3


@pytest.mark.exhaustive
def test_of_a_thousand_damages_nothing_but_refusals_come(floor_file: Path) -> None:
    assert open_damaged(floor_file, range(1000)) > 500


# --- sealed decks -------------------------------------------------------------------------------------


def test_a_deck_that_is_gone_is_named_at_the_start(floor_file: Path) -> None:
    table, (commitment, _) = "pa-670a", IN_PROGRESS["pa-670a"]
    change(floor_file, "DELETE FROM sealed_decks WHERE stream = ?", table_stream(table))
    line = refusal(floor_file)
    assert f"table {table}" in line and commitment in line and "sealed deck is missing" in line


def test_decks_that_are_gone_from_every_table_are_named_at_the_start(floor_file: Path) -> None:
    change(floor_file, "DELETE FROM sealed_decks")
    assert "sealed deck is missing" in refusal(floor_file)


def test_another_key_is_refused_at_the_start(floor_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSEWAY_DECK_KEY", "07" * 32)
    assert "cannot be opened with this key" in refusal(floor_file)


def test_lost_decks_of_practice_keep_no_floor_from_being_served(floor_file: Path) -> None:
    change(floor_file, "DELETE FROM sealed_decks WHERE stream LIKE 'table/practice%'")
    open_floor(str(floor_file), TestRuntime(lambda: LATER)).store.close()


@pytest.mark.parametrize("kind", DATABASES)
def test_the_floor_of_2026_has_every_deck_it_committed_to(kind: str, tmp_path: Path) -> None:
    with copy_of_floor(kind, tmp_path) as url:
        store = open_store(url)
        verify_start(floor_of_2026.open_floor(store))
        store.close()


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp"])
def test_at_every_step_of_a_round_each_deck_is_locked_away(game: str) -> None:
    store = MemoryStore()
    floor = new_floor(store)
    make_table(floor, "t", example_submission(game))
    seat_two(floor, "t")
    with_decks = 0
    while floor.table("t").table.rounds < 2:
        move = next_move(floor, "t")
        floor.submit("t", command(move.by, move.action))
        (answer,) = floor.run()
        assert answer.version, answer
        with_decks += bool(open_commitments(floor.table("t").table))
        verify_start(floor)
    assert with_decks > 10
    store._sealed.clear()
    again = new_floor(store)
    if open_commitments(again.table("t").table):
        with pytest.raises(MissingDeckError):
            verify_start(again)
