"""``houseway restore``: that a log was brought back is on record, and whoever saw more of it says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.build import this_build
from houseway.cli.system import SystemRuntime
from houseway.errors import HousewayError, IllegalError
from houseway.floor.bodies import entries_after, read_body
from houseway.floor.core import Floor
from houseway.floor.rights import COMMAND_LINE
from houseway.floor.setup_events import Restored
from houseway.floor.streams import SETUP
from houseway.floor.verification import verify_floor
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Sit
from houseway.service.server_setup import open_floor
from houseway.store.entries import Entry
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch, Store
from houseway.store.safe import KEY_BYTES, key_path
from houseway.store.signed_notes import read_note, read_tree_head
from houseway.store.sqlite import SqliteStore
from houseway.store.store_copy import copy_to_file
from houseway.store.store_url import open_store
from houseway.store.tree_log import Notary, head_path, sign_tree, write_head_file
from tests.floor.lies.edited import Edited
from tests.floor.support import NOON, SAFE, command, new_floor, two_tables
from tests.floor.test_operations import done, run
from tests.store.support import fresh_database

PAT = Actor("Pat", Role.PLAYER)
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A floor whose log was signed, and went on."""
    path = tmp_path / "floor.db"
    key_path(path).write_text(bytes(range(KEY_BYTES)).hex(), encoding="ascii")
    store = SqliteStore(path)
    floor = two_tables(new_floor(store))
    sign(floor, path)
    floor.submit("t1", command(PAT, Sit(6)))
    floor.run()
    store.close()
    return path


def sign(floor: Floor, path: Path) -> None:
    head = sign_tree(floor.store, Notary(SAFE), floor.clock())
    assert head is not None
    write_head_file(path, head)


def last_entry(store: Store) -> Entry:
    return [entry for _, entry in store.everything()][-1]


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a backup is brought back."""
    if request.param == "sqlite":
        yield str(tmp_path / "again.db")
        return
    with fresh_database() as url:
        yield url


def test_the_first_entry_after_a_restore_says_who_brought_back_what(
    capsys: Capture, path: Path, target: str, tmp_path: Path
) -> None:
    done(capsys, "backup", path, tmp_path / "backup.db")
    printed = done(capsys, "restore", tmp_path / "backup.db", target, "--by", "Rosa")
    assert "on record as restored by Rosa" in printed
    backup, again = open_store(str(tmp_path / "backup.db"), read_only=True), open_store(target)
    entry, held = last_entry(again), [entry for _, entry in backup.everything()]
    restored = read_body(entry)
    assert isinstance(restored, Restored)
    assert entry.stream == SETUP and [one for _, one in again.everything()] == [*held, entry]
    assert (restored.by, restored.operator) == (COMMAND_LINE, "Rosa")
    assert (restored.entries, restored.build) == (len(held), this_build())
    signed = backup.tree.last_signed()
    assert signed is not None
    head = read_tree_head(read_note(signed.note).text)
    assert (restored.size, restored.root) == (head.size, head.root.hex())
    again.close()
    backup.close()
    assert done(capsys, "verify-log", target).startswith("whole: ")


def test_nobody_who_is_not_named_restores_as_the_command_line(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    done(capsys, "backup", path, tmp_path / "backup.db")
    printed = done(capsys, "restore", tmp_path / "backup.db", tmp_path / "again.db")
    assert "on record as restored by the command line" in printed
    again = SqliteStore(tmp_path / "again.db", read_only=True)
    restored = read_body(last_entry(again))
    assert isinstance(restored, Restored) and (restored.by, restored.operator) == (COMMAND_LINE, "")
    again.close()


def test_a_backup_of_nothing_and_a_name_that_nobody_types_are_refused_and_leave_nothing(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    SqliteStore(tmp_path / "empty.db").close()
    code, _, said = run(capsys, "restore", tmp_path / "empty.db", tmp_path / "again.db")
    assert code == 2 and "there is nothing in the backup" in said
    code, _, said = run(capsys, "restore", path, tmp_path / "again.db", "--by", "a\x07b")
    assert code == 2 and "by" in said
    assert not list(tmp_path.glob("*again*"))


def test_a_backup_restored_twice_over_tells_of_both_times(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    done(capsys, "restore", path, tmp_path / "once.db", "--by", "Rosa")
    done(capsys, "restore", tmp_path / "once.db", tmp_path / "twice.db", "--by", "Rob")
    store = SqliteStore(tmp_path / "twice.db", read_only=True)
    with store.picture() as picture:
        verify_floor(picture)
    names = [event.operator for event in new_floor(store).house.restored]
    store.close()
    assert names == ["Rosa", "Rob"]


# --- what is on record is decided again ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"entries": 3}, "entries"),
        ({"ends": "00" * 32}, "ends"),
        ({"build": "0" * 16}, "build"),
        ({"root": "00" * 32}, "rewritten since a head was signed"),
        ({"root": "no root"}, "names no root"),
        ({"size": 10_000}, "entries are missing that a signed head counts"),
        ({"by": {"id": "ada", "role": "administrator"}}, "only at the command line"),
    ],
)
def test_a_restore_that_says_something_else_is_a_lie(
    capsys: Capture, path: Path, tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    done(capsys, "restore", path, tmp_path / "again.db")
    edited = Edited(tmp_path / "again.db")
    edited.change("restored", lambda value: value.update(change))
    edited.close()
    code, said, _ = run(capsys, "verify-log", tmp_path / "again.db")
    assert code == 1 and says in said, said


def test_a_restore_that_is_said_to_be_somewhere_else_is_a_lie() -> None:
    """It tells how the streams ended before it: nobody puts it where they ended otherwise."""
    store = MemoryStore()
    floor = two_tables(new_floor(store))
    nowhere = Restored(entries=1, ends="", by=COMMAND_LINE, at=NOON)
    store.append_batch(Batch(entries=entries_after(SETUP, store.head(SETUP), [nowhere])))
    with store.picture() as picture, pytest.raises(HousewayError, match="Restored: ends"):
        verify_floor(picture)
    assert floor.house.restored == ()


# --- who saw more of it -------------------------------------------------------------------------------


def test_a_head_beside_the_database_that_shows_more_is_told_at_the_restore_and_refused_at_the_start(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    done(capsys, "backup", path, tmp_path / "backup.db")
    store = SqliteStore(path)
    sign(new_floor(store), path)  # what came after the head that the backup has
    store.close()
    path.unlink()
    printed = done(capsys, "restore", tmp_path / "backup.db", path)
    assert f"{head_path(path)} shows more than this backup" in printed
    assert "entries are missing that a signed head counts" in printed
    with pytest.raises(IllegalError, match="not the log that was served last"):
        open_floor(str(path), SystemRuntime())
    head_path(path).replace(tmp_path / "kept.head")
    open_floor(str(path), SystemRuntime()).store.close()


def test_where_the_backup_has_all_that_was_signed_the_head_beside_it_stays(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    done(capsys, "backup", path, tmp_path / "backup.db")
    path.unlink()
    assert "shows more" not in done(capsys, "restore", tmp_path / "backup.db", path)
    floor = open_floor(str(path), SystemRuntime())
    sign(floor, path)
    floor.store.close()
    open_floor(str(path), SystemRuntime()).store.close()


def test_a_plain_backup_has_no_such_entry(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path, read_only=True)
    copy_to_file(store, tmp_path / "backup.db")
    copy = SqliteStore(tmp_path / "backup.db", read_only=True)
    assert copy.heads() == store.heads()
    copy.close()
    store.close()
