"""A served floor whose log somebody else keeps an eye on: signed heads, witnesses, files that went back."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from houseway.cli.system import SystemRuntime
from houseway.errors import IllegalError
from houseway.floor.core import Floor
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Leave, Sit
from houseway.service.server_setup import open_floor
from houseway.store.entries import BrokenChainError
from houseway.store.safe import KEY_BYTES, key_path
from houseway.store.signed_notes import check_note, read_note, read_tree_head, read_verifier
from houseway.store.sqlite import DamagedFileError, SqliteStore
from houseway.store.tree_log import Notary, head_path, sign_tree, write_head_file
from tests.floor.support import command, new_floor, two_tables
from tests.service.test_serve_command import SECONDS, ask, free_port, serving

PAT = Actor("Pat", Role.PLAYER)


def witness(port: int, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run a witness that looks once."""
    where = [f"http://127.0.0.1:{port}", "--folder", str(folder), "--once"]
    return subprocess.run(
        [sys.executable, "-m", "houseway", "witness", *where, *more],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


def test_a_witness_signs_a_log_that_goes_on_and_keeps_another_history_as_evidence(
    path: Path, tmp_path: Path
) -> None:
    folder, port, copy = tmp_path / "witness", free_port(), tmp_path / "copy.db"
    shutil.copyfile(path, copy)
    shutil.copyfile(key_path(path), key_path(copy))
    store = SqliteStore(path)
    go_on(new_floor(store))  # of a tree whose size is no power of two, the proof shows the beginning too
    store.close()
    with serving(path, port) as first:
        done = witness(port, folder)
        assert done.returncode == 0 and "signed too" in done.stdout, done
        key = ask(port, "/api/v1/tree")["signed_by"]
        assert any(key in line for line in first.said)
    note = read_note((folder / "head").read_bytes())
    assert len(note.signatures) == 2
    check_note(note, [read_verifier(key)])
    store = SqliteStore(copy)
    floor = new_floor(store)
    for _ in range(read_tree_head(note.text).size):  # the same key signs another history, and a longer one
        go_on(floor)
    store.close()
    with serving(copy, port):
        done = witness(port, folder)
    assert done.returncode == 1 and "larger tree is signed that begins otherwise" in done.stdout, done
    shown = witness(port, folder, "--evidence")
    assert shown.returncode == 0 and f"signed by {key}" in shown.stdout, shown
    (folder / "evidence-larger").write_bytes((folder / "evidence-smaller").read_bytes())
    assert witness(port, folder, "--evidence").returncode == 2, "both may be true"


# --- at a start ---------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """A floor that was served, with its key and its head beside it."""
    path = tmp_path / "floor.db"
    store = SqliteStore(path)
    key_path(path).write_text(bytes(range(KEY_BYTES)).hex(), encoding="ascii")
    floor = two_tables(new_floor(store))
    go_on(floor)
    sign(floor, path)
    store.close()
    yield path


def go_on(floor: Floor) -> None:
    """Add two entries to a table."""
    for action in (Sit(6), Leave(6)):
        floor.submit("t1", command(PAT, action))
        (answer,) = floor.run()
        assert not answer.refused


def sign(floor: Floor, path: Path) -> bytes:
    head = sign_tree(floor.store, Notary(floor.safe), floor.clock())
    assert head is not None
    write_head_file(path, head)
    return head.note


def reopened(path: Path, *seen: bytes) -> Floor:
    return open_floor(str(path), SystemRuntime(), seen=seen)


def test_a_floor_goes_on_from_the_head_that_was_signed_last(path: Path) -> None:
    floor = reopened(path)
    go_on(floor)
    sign(floor, path)
    floor.store.close()
    reopened(path, head_path(path).read_bytes()).store.close()


def test_an_older_copy_of_the_file_is_not_the_floor_that_was_served_last(path: Path) -> None:
    older = path.with_name("older.db")
    shutil.copyfile(path, older)
    floor = reopened(path)
    go_on(floor)
    sign(floor, path)
    floor.store.close()
    older.replace(path)
    with pytest.raises(IllegalError, match="not the log that was served last: entries are missing"):
        reopened(path)


def test_a_file_whose_write_ahead_log_was_lost_is_not_the_floor_that_was_served_last(
    path: Path, tmp_path: Path
) -> None:
    """As a power cut leaves it, and somebody who copies, or clears up, one file of the three."""
    floor = reopened(path)
    go_on(floor)
    sign(floor, path)
    lost = tmp_path / "lost" / path.name
    lost.parent.mkdir()
    for file in (path, key_path(path), head_path(path)):
        shutil.copyfile(file, lost.with_name(file.name))
    assert path.with_name(f"{path.name}-wal").stat().st_size, "what was done last is in there alone"
    with pytest.raises(IllegalError, match="not the log that was served last: entries are missing"):
        reopened(lost)
    shutil.copyfile(path.with_name(f"{path.name}-wal"), lost.with_name(f"{path.name}-wal"))
    reopened(lost).store.close()
    floor.store.close()


def test_a_new_file_of_which_only_the_write_ahead_log_held_anything_is_no_new_floor(tmp_path: Path) -> None:
    path, lost = tmp_path / "floor.db", tmp_path / "lost" / "floor.db"
    lost.parent.mkdir()
    floor = reopened(path)
    two_tables(floor)
    for file in (path, key_path(path)):
        shutil.copyfile(file, lost.with_name(file.name))
    floor.store.close()
    with pytest.raises(IllegalError, match="the database is empty, but a key"):
        reopened(lost)


def test_another_floor_under_the_same_name_is_not_the_one_that_was_served(path: Path) -> None:
    with SqliteAlone(path) as store:
        store.engine.connect().exec_driver_sql("UPDATE tiles SET hashes = zeroblob(length(hashes))")
    with pytest.raises(IllegalError, match="not the log that was served last: entries were rewritten"):
        reopened(path)


def test_all_of_a_log_is_checked_against_what_a_witness_saw(path: Path) -> None:
    note = head_path(path).read_bytes()
    with SqliteAlone(path) as store:
        store.engine.connect().exec_driver_sql(
            "UPDATE entries SET body = replace(body, 'Pat', 'Tap') WHERE stream = 'table/t1' AND version = 3"
        )
    with pytest.raises(BrokenChainError, match="table/t1 version 3"):
        reopened(path, note)


@pytest.mark.parametrize("index", [False, True])
def test_a_page_that_a_disk_has_changed_is_found(path: Path, index: bool) -> None:
    """A start looks at every page of the tables, and `verify-log` at the indexes too."""
    with sqlite3.connect(path) as connection:
        name = "sqlite_autoindex_entries_1" if index else "tiles"
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    text = bytearray(path.read_bytes())
    page = bytes(text[(root - 1) * size : root * size])
    changed = page.replace(b"table/t1", b"table/t9", 1) if index else b"\x0d\xff" + page[2:]
    assert changed != page
    text[(root - 1) * size : root * size] = changed
    path.write_bytes(text)
    if not index:
        with pytest.raises(DamagedFileError):
            reopened(path)
    done = subprocess.run(
        [sys.executable, "-m", "houseway", "verify-log", str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert done.returncode == 1 and "the file is damaged: restore it" in done.stdout, done


class SqliteAlone(SqliteStore):
    """A file opened to be changed behind its floor's back."""

    def __enter__(self) -> SqliteAlone:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
