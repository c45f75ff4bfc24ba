"""A floor backed up while it plays and restored elsewhere; its log checked and written out by commands."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import main
from houseway.cli.system import SystemRuntime
from houseway.floor.audit import Audit
from houseway.floor.core import Floor
from houseway.floor.streams import SETUP
from houseway.rng import SeededEntropy
from houseway.store.checkpoints import take_checkpoint
from houseway.store.entries import GENESIS, Head, StreamId, hash_of
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Store
from houseway.store.safe import KEY_BYTES, DeckSafe, key_path
from houseway.store.sqlite import SqliteStore
from houseway.store.store_url import open_store
from tests.floor.logs import advance, played, with_change
from tests.floor.support import NOON, new_floor, play, two_tables
from tests.store.support import fresh_database

KEY = bytes(range(KEY_BYTES))
"""The key that the floors of these tests lock their decks with."""


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, printed.out, printed.err


def done(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, ""), (out, err)
    return out


# --- the restore drill --------------------------------------------------------------------------------


@contextmanager
def playing(floor: Floor, states: list[dict[StreamId, Head]]) -> Iterator[None]:
    """Have a thread play at both tables until the end; note the heads after every batch."""
    stop, going = threading.Event(), threading.Event()

    def go_on() -> None:
        while not stop.is_set():
            advance(floor, 1)
            states.append(dict(floor.store.heads()))
            going.set()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        assert going.wait(60)
        yield
    finally:
        stop.set()
        thread.join()


def folded(store: Store, heads: dict[StreamId, Head]) -> Audit:
    """Fold a log as far as its streams end so."""
    refold = Audit()
    for _, entry in store.everything():
        if entry.version <= heads[entry.stream].version:
            refold.see(entry)
    return refold


def same(one: Audit, other: Audit) -> bool:
    tables = {name: (table.table, table.head) for name, table in one.tables.items()}
    return (
        tables == {name: (table.table, table.head) for name, table in other.tables.items()}
        and one.meters == other.meters
        and one.house == other.house
        and one.books.ledger == other.books.ledger
    )


@pytest.fixture(params=["sqlite", "postgresql"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Where a floor plays, and where it is restored: in a database of the other kind."""
    with fresh_database() as postgres:
        urls = (str(tmp_path / "floor.db"), postgres)
        yield urls if request.param == "sqlite" else (urls[1], urls[0])


def test_a_floor_backed_up_while_it_plays_is_restored_elsewhere_and_plays_on(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    both: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SystemRuntime, "now", lambda _: NOON)  # restored while the floor's own clock shows so
    first, second = both
    keys = [key_path(Path(url)) if "://" not in url else tmp_path / f"{n}.key" for n, url in enumerate(both)]
    keys[0].write_text(KEY.hex(), encoding="ascii")
    store, states = open_store(first), list[dict[StreamId, Head]]()
    floor = two_tables(new_floor(store))
    advance(floor, 55)
    with playing(floor, states):
        take_checkpoint_aside(first)
        said = done(capsys, "backup", first, tmp_path / "backup.db", "--with-key", "--key", keys[0])
        assert "chains whole" in said and "keep it apart" in said
    said = done(capsys, "restore", tmp_path / "backup.db", second, "--with-key", "--key", keys[1])
    assert said.startswith("restored and whole: 4 streams")
    restored = open_store(second)
    (event,) = new_floor(restored).house.restored
    version = restored.head(SETUP).version
    (*_, before, _) = restored.part(SETUP, 0, version)  # the restore itself is its own stream's last entry
    heads = dict(restored.heads()) | {SETUP: before.head}
    assert heads in states and event.entries == sum(head.version for head in heads.values())
    assert same(folded(restored, heads), folded(store, heads))
    assert stat.S_IMODE(keys[1].stat().st_mode) == 0o600
    safe = DeckSafe(bytes.fromhex(keys[1].read_text(encoding="ascii")), SeededEntropy("safe"))
    floor = Floor(restored, lambda: NOON, SeededEntropy("elsewhere"), safe)
    for table in floor.tables:  # rounds are under way: their decks lie sealed in what was restored
        play(floor, table, 1)
    restored.close()
    store.close()
    assert done(capsys, "verify-log", second).startswith("whole: 4 streams")


def take_checkpoint_aside(url: str) -> None:
    """Take a checkpoint from another process's connection, where there may be one."""
    if "://" in url:
        other = PostgresStore(url)
        take_checkpoint(other, NOON)
        other.close()


# --- tampering ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A floor's file, closed."""
    path = tmp_path_factory.mktemp("origin") / "floor.db"
    store = SqliteStore(path)
    played(store)
    store.close()
    return path


@pytest.fixture
def file(origin: Path, tmp_path: Path) -> Path:
    """A copy of the floor's file, to be tampered with."""
    path = tmp_path / "floor.db"
    path.write_bytes(origin.read_bytes())
    return path


def tamper(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def fault(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    code, out, err = run(capsys, "verify-log", *words)
    assert (code, err) == (1, "") and out.startswith("fault: ") and out.count("\n") == 1
    return out


def test_a_whole_log_is_summed_up(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    said = done(capsys, "verify-log", file)
    assert re.fullmatch(
        r"whole: 4 streams, 1\d\d entries, 2 rounds, 1 meter, 1 checkpoint \(0 exported\); "
        r"the books come to \$0\n"
        r"decided again: 1\d\d acts\n"
        r"tree: 0 leaves, 0 signed heads, the signer was not checked: give --key or --signed-by\n"
        r"no users are on record: who acted was not checked\n"
        r"of rounds in progress, 2 acts wait for decks that are still sealed\n",
        said,
    )
    told = json.loads(done(capsys, "verify-log", f"sqlite:///{file}", "--json"))
    assert told["whole"] and (told["rounds"], told["tables"], told["total"]) == (2, 2, "$0")


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (
            ["UPDATE entries SET body = replace(body, 'Ann', 'Ahn') WHERE stream = 'table/t2'"],
            "not the one that was chained here: 'table/t2 version 1'",
        ),
        (
            ["DELETE FROM entries WHERE stream = 'table/t2' AND version > 50"],
            "missing that a checkpoint saw: 'table/t2 version 62, checkpoint 1'",
        ),
        (
            [
                "UPDATE entries SET version = 900 WHERE stream = 'table/t1' AND version = 12",
                "UPDATE entries SET version = 12 WHERE stream = 'table/t1' AND version = 13",
                "UPDATE entries SET version = 13 WHERE stream = 'table/t1' AND version = 900",
            ],
            "'table/t1 version 1[23]'",
        ),
        (["DELETE FROM entries WHERE stream = 'meter/link'"], "missing.*meter/link version"),
        (["DELETE FROM checkpoints"], "an exported checkpoint is not the one in the store: 1"),
    ],
    ids=["changed byte", "truncated tail", "reordered pair", "removed stream", "removed checkpoints"],
)
def test_what_was_tampered_with_is_found_and_located(
    capsys: pytest.CaptureFixture[str], file: Path, statements: list[str], said: str
) -> None:
    done(capsys, "checkpoints", file, "--out", file.with_name("exported"))
    tamper(file, *statements)
    if "exported" not in said:
        assert re.search(said, fault(capsys, file))
    assert re.search(said, fault(capsys, file, "--exported", file.with_name("exported")))
    code, out, _ = run(capsys, "verify-log", file, "--exported", file.with_name("exported"), "--json")
    assert code == 1 and re.search(said, json.loads(out)["fault"])


def test_a_log_written_anew_is_found_by_what_was_exported(
    capsys: pytest.CaptureFixture[str], origin: Path, tmp_path: Path
) -> None:
    """A name is changed everywhere, and all of it fits together again: only the export tells."""
    done(capsys, "checkpoints", origin, "--out", tmp_path / "exported")

    def another_reason(_: object, body: dict[str, Any]) -> bool:
        if body["kind"] == "program_approved":
            body["value"]["second"]["id"] = "Eve"
        return False

    store = SqliteStore(origin, read_only=True)
    anew = with_change(store, tmp_path / "anew.db", another_reason)
    store.close()
    assert done(capsys, "verify-log", anew).startswith("whole")
    assert "an exported checkpoint is not the one in the store: 1" in fault(
        capsys, anew, "--exported", tmp_path / "exported"
    )


def test_an_export_of_checkpoints_is_never_overwritten(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    out = file.with_name("exported")
    assert done(capsys, "checkpoints", file, "--out", out) == f"{out}: 1 checkpoint\n"
    code, _, err = run(capsys, "checkpoints", file, "--out", out)
    assert code == 2 and "already" in err


def test_a_backup_that_is_not_whole_is_not_restored_and_leaves_nothing(
    capsys: pytest.CaptureFixture[str], file: Path, origin: Path, tmp_path: Path
) -> None:
    def a_turn_gone(entry: Any, _: object) -> bool:
        return bool(entry.stream == "table/t1" and entry.version == 12)

    store = SqliteStore(origin, read_only=True)
    wrong = with_change(store, tmp_path / "wrong.db", a_turn_gone)  # chained, and yet no table played so
    store.close()
    tamper(file, "UPDATE entries SET answer = '', body = '{}' WHERE stream = 'meter/link' AND version = 2")
    (tmp_path / "new").mkdir()
    with fresh_database() as url:
        for target in (url, tmp_path / "new" / "floor.db"):
            for backup, said in ((file, "meter/link version 2"), (wrong, "table/t1 version 12")):
                code, out, err = run(capsys, "restore", backup, target)
                assert (code, out) == (2, "") and said in err and err.count("\n") == 1
        assert not list((tmp_path / "new").iterdir())
        assert done(capsys, "restore", origin, url).startswith("restored and whole")
        code, _, err = run(capsys, "restore", origin, url)
        assert code == 2 and "there is something in the database already" in err


def test_what_cannot_be_opened_is_one_clear_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database at all, but long enough to be looked at" * 9)
    words = [tmp_path / "none.db", tmp_path / "text.db", "postgresql://nobody@127.0.0.1:1/none", "mysql://x"]
    for url in words:
        for command in (
            ["verify-log", url],
            ["backup", url, tmp_path / "b.db"],
            ["export", url, "--out", "x"],
        ):
            code, out, err = run(capsys, *command)
            assert (code, out, err.count("\n")) == (2, "", 1) and err.startswith("houseway: "), command
    assert [one.name for one in tmp_path.iterdir()] == ["text.db"]


# --- one file, one server -----------------------------------------------------------------------------


def test_commands_that_read_leave_a_served_file_and_its_wal_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, wal = tmp_path / "floor.db", tmp_path / "floor.db-wal"
    store = SqliteStore(path)
    floor = played(store, 20)
    before = wal.read_bytes()
    assert before
    done(capsys, "verify-log", path)
    done(capsys, "backup", path, tmp_path / "backup.db")
    done(capsys, "export", path, "--out", tmp_path / "out", "--format", "csv")
    done(capsys, "checkpoints", path, "--out", tmp_path / "exported")
    assert wal.read_bytes() == before
    advance(floor, 3)
    copied = SqliteStore(tmp_path / "backup.db", read_only=True)
    assert (
        store.heads()
        != copied.heads()
        == {
            name: head for name, head in copied.heads().items() if store.heads()[name].version >= head.version
        }
    )
    copied.close()
    store.close()


def test_a_file_left_by_a_crash_is_read_as_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Nobody serves it, and what was durable lies in its WAL: it is read there, and left there."""
    store = SqliteStore(tmp_path / "floor.db")
    played(store, 20)
    heads = store.heads()
    (tmp_path / "left").mkdir()
    names = [tmp_path / "floor.db", tmp_path / "floor.db-wal"]
    subprocess.run(["cp", *names, tmp_path / "left"], check=True)  # a process of its own, for SQLite's locks
    store.close()
    wal = tmp_path / "left" / "floor.db-wal"
    before = wal.read_bytes()
    assert f"{sum(head.version for head in heads.values())} entries" in done(
        capsys, "verify-log", tmp_path / "left" / "floor.db"
    )
    assert before and wal.read_bytes() == before


def test_a_second_server_is_told_which_process_serves_the_file(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    code = "import sys; from houseway.store.store_url import open_store; open_store(sys.argv[1])"
    with_server = [sys.executable, "-c", code, str(path)]
    store = SqliteStore(path)
    refused = subprocess.run(with_server, capture_output=True, text=True, check=False)
    store.close()
    assert "ServedError: another process serves this file (process " in refused.stderr


# --- written out --------------------------------------------------------------------------------------


def test_every_entry_is_written_out_so_that_its_chain_can_be_checked(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    done(capsys, "export", file, "--out", tmp_path / "out")
    before: dict[str, bytes] = {}
    lines = (tmp_path / "out" / "entries.jsonl").read_bytes().splitlines()
    for number, line in enumerate(lines, start=1):
        entry = json.loads(line)
        assert entry["number"] == number
        body = line[line.index(b'"body":') + 7 : line.rindex(b',"answer":')]
        place = entry["stream"], entry["version"], entry["command"]
        answer = line[line.rindex(b',"answer":') + 10 : -1]
        found = hash_of(
            *place, body, before.get(entry["stream"], GENESIS), b"" if answer == b"null" else answer
        )
        assert found.hex() == entry["hash"]
        before[entry["stream"]] = found
    assert len(before) == 4
    code, _, err = run(capsys, "export", file, "--out", tmp_path / "out")
    assert code == 2 and "already" in err


def test_rounds_payments_and_meters_are_written_out_as_values(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    done(capsys, "export", file, "--out", tmp_path / "out", "--format", "csv")
    rows = {
        name: list(csv.DictReader((tmp_path / "out" / f"{name}.csv").open(encoding="utf-8", newline="")))
        for name in ("rounds", "payments", "meters")
    }
    rounds = {(row["table"], row["round"]): row for row in rows["rounds"]}
    assert set(rounds) == {("t1", "1"), ("t2", "1")}
    for key, row in rounds.items():
        moved = [one for one in rows["payments"] if (one["table"], one["round"]) == key]
        gained = sum(cents(one["amount"]) for one in moved if one["to"].startswith("player"))
        given = sum(cents(one["amount"]) for one in moved if one["source"].startswith("player"))
        assert cents(row["net_to_players"]) == gained - given
        assert cents(row["wagered"]) == sum(cents(p["amount"]) for p in moved if p["kind"] == "stake")
    assert any(one["clauses"] for one in rows["payments"])
    value = cents(rows["meters"][0]["value"])
    for row in rows["meters"][1:]:
        value += cents(row["amount"]) * (1 if row["to"] == "meter:link" else -1)
    assert value == cents(rows["meters"][-1]["value"])


def cents(amount: str) -> int:
    """Read an amount in millionths of a dollar."""
    whole, part = amount.split(".")
    return int(whole + part.ljust(6, "0"))
