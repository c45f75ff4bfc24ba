"""The copy of a log for an auditor: plain files, verified where no database is; every change is named."""

from __future__ import annotations

import hashlib
import json
import re
import stat
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any, Final

import pytest

from houseway.floor.copies import COPY_FORMAT
from houseway.floor.streams import PEOPLE
from houseway.rng import SeededEntropy
from houseway.store.safe import DeckSafe
from houseway.store.sqlite import SqliteStore
from houseway.store.store_copy import copy_to_postgres, open_backup
from houseway.store.tree_log import Notary, sign_tree
from tests.floor.lies.played import KEY, build
from tests.floor.support import NOON
from tests.floor.test_operations import done, run
from tests.store.support import fresh_database

SAFE: Final = DeckSafe(KEY, SeededEntropy("copies"))
VERIFIER: Final = str(Notary(SAFE).verifier)
LOG: Final = (
    *("entries.jsonl", "checkpoints.jsonl", "leaves.jsonl", "tiles.jsonl", "signed-heads.jsonl"),
    *("sealed-decks.jsonl", "signed-by.txt"),
)
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The signed log of a floor with people, a round in progress, and its key beside it."""
    path = tmp_path_factory.mktemp("origin") / "floor.db"
    build(path)
    store = SqliteStore(path)
    sign_tree(store, Notary(SAFE), NOON)
    store.close()
    return path


@pytest.fixture(scope="module")
def origin(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy of its log."""
    from houseway.cli import main  # noqa: PLC0415 - the command line is the door here

    folder = tmp_path_factory.mktemp("copies") / "copy"
    with pytest.raises(SystemExit) as stop:
        main(["export", str(database), "--out", str(folder), "--format", "copy", "--key", f"{database}.key"])
    assert stop.value.code == 0
    return folder


@pytest.fixture
def copy(origin: Path, tmp_path: Path) -> Path:
    """A copy to be changed."""
    return Path(copytree(origin, tmp_path / "copy"))


def seal(folder: Path) -> None:
    """Have the manifest say of every file what it is now, as whoever changes the files would."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    for entry in manifest["files"]:
        data = (folder / entry["name"]).read_bytes()
        entry.update(sha256=hashlib.sha256(data).hexdigest(), bytes=len(data))
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def fault(capsys: Capture, *words: object) -> str:
    code, out, err = run(capsys, "verify-log", *words)
    assert (code, err, out.count("\n")) == (1, "", 1) and out.startswith("fault: "), (code, out, err)
    return out


def test_a_copy_is_verified_as_its_database_is(
    capsys: Capture, database: Path, copy: Path, tmp_path: Path
) -> None:
    done(capsys, "checkpoints", database, "--out", tmp_path / "exported")
    store = SqliteStore(database, read_only=True)
    head = store.tree.last_signed()
    store.close()
    assert head is not None
    (tmp_path / "head").write_bytes(head.note)
    kept = ("--exported", tmp_path / "exported", "--head", tmp_path / "head")
    for words in (("--signed-by", VERIFIER), ("--key", f"{database}.key"), kept):
        of_copy = json.loads(done(capsys, "verify-log", copy, "--json", *words))
        signed = words if words is not kept else (*kept, "--signed-by", VERIFIER)  # it lies in the copy
        assert of_copy.pop("key_came_with_copy") is (words is kept)
        of_database = json.loads(done(capsys, "verify-log", database, "--json", *signed))
        assert not of_database.pop("key_came_with_copy") and of_copy == of_database
        assert of_copy["whole"] and of_copy["signed_by"] == VERIFIER and of_copy["entries"] > 100
    said = done(capsys, "verify-log", copy)
    assert said.startswith("whole: 8 streams") and f"by {VERIFIER}, whose key came with the copy" in said


def test_a_copy_holds_the_log_its_public_key_and_the_documents_of_the_program(copy: Path) -> None:
    manifest = json.loads((copy / "manifest.json").read_bytes())
    names = {entry["name"] for entry in manifest["files"]}
    files = {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}
    assert names == files - {"manifest.json"} and names > {*LOG}
    assert {"program/law/clauses/pa-659a.csv", "program/games/pa-659a/rules.toml"} < names
    assert (manifest["format"], len(manifest["made_by"]["build"])) == (COPY_FORMAT, 16)
    assert (copy / "signed-by.txt").read_text(encoding="utf-8") == f"{VERIFIER}\n"


def test_a_copy_is_the_same_to_the_byte_out_of_either_database(
    capsys: Capture, database: Path, origin: Path, tmp_path: Path
) -> None:
    with fresh_database() as url:
        with open_backup(database) as backup:
            copy_to_postgres(backup, url)
        words = ("export", url, "--out", tmp_path / "copy", "--format", "copy", "--signed-by", VERIFIER)
        done(capsys, *words)
    assert (tmp_path / "copy" / "manifest.json").read_bytes() == (origin / "manifest.json").read_bytes()


def test_a_copy_is_its_owners_alone_and_never_holds_the_private_key(copy: Path, origin: Path) -> None:
    """It holds the hashes of passwords, which the chain covers; so it is kept like the database."""
    people = [line for line in (copy / "entries.jsonl").read_text().splitlines() if PEOPLE in line]
    assert any("$argon2id$" in line for line in people)
    assert stat.S_IMODE(origin.stat().st_mode) == 0o700
    for path in origin.rglob("*"):
        if path.is_file():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert KEY.hex().encode() not in path.read_bytes()


def test_a_copy_is_written_to_a_new_folder_whole_or_not_at_all(
    capsys: Capture, database: Path, origin: Path, tmp_path: Path
) -> None:
    words = ("export", database, "--format", "copy", "--out")
    code, _, err = run(capsys, *words, origin)
    assert code == 2 and "a copy is written to a new folder" in err
    code, _, err = run(capsys, *words, tmp_path / "other", "--signed-by", VERIFIER.replace("houseway", "x"))
    assert code == 2 and "the key id is not of this name" in err
    other = Notary(DeckSafe(bytes(32), SeededEntropy("other"))).verifier
    code, _, err = run(capsys, *words, tmp_path / "other", "--signed-by", str(other))
    assert code == 2 and "signed by no key that counts here" in err
    code, _, err = run(capsys, "export", database, "--out", tmp_path / "other", "--signed-by", VERIFIER)
    assert code == 2 and "only a copy" in err
    assert not [*tmp_path.iterdir()]
    assert "--key or --signed-by" in done(capsys, *words, tmp_path / "other")
    assert not (tmp_path / "other" / "signed-by.txt").exists()
    assert "signer was not checked" in done(capsys, "verify-log", tmp_path / "other")


@pytest.mark.parametrize("name", ["x" * 5_000, "file/copy"])
def test_a_copy_that_cannot_be_written_is_one_clear_line(
    capsys: Capture, database: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").write_text("no folder")
    code, out, err = run(capsys, "export", database, "--format", "copy", "--out", tmp_path / name)
    assert (code, out, err.count("\n")) == (2, "", 1) and "cannot be written" in err


def test_the_readmodels_are_not_in_a_copy(capsys: Capture, copy: Path) -> None:
    code, _, err = run(capsys, "verify-log", copy, "--readmodels")
    assert code == 2 and "a copy holds no read models" in err


# --- what was changed ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*LOG, "program/law/clauses/pa-659a.csv", "manifest.json"])
def test_a_file_that_is_missing_is_named(capsys: Capture, copy: Path, name: str) -> None:
    (copy / name).unlink()
    assert f"a file of the copy is missing: '{name}'" in fault(capsys, copy)


@pytest.mark.parametrize("name", [*LOG, "program/games/pa-659a/rules.toml"])
def test_a_file_that_was_changed_is_named(capsys: Capture, copy: Path, name: str) -> None:
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).write_bytes(data)
    assert f"the file is not the one that was written: '{name}'" in fault(capsys, copy)


def test_a_file_too_many_and_a_file_listed_twice_are_named(capsys: Capture, copy: Path) -> None:
    (copy / "entries (1).jsonl").write_bytes((copy / "entries.jsonl").read_bytes())
    assert "a file lies in the copy that its manifest does not list: 'entries (1).jsonl'" in fault(
        capsys, copy
    )
    (copy / "entries (1).jsonl").unlink()
    manifest = json.loads((copy / "manifest.json").read_bytes())
    manifest["files"].append(manifest["files"][0])
    (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert "the manifest lists a file twice" in fault(capsys, copy)


Rows = list[dict[str, Any]]


def _doubled(rows: Rows) -> None:
    rows.insert(3, rows[2])


def _first_doubled(rows: Rows) -> None:
    rows.insert(0, rows[0])


def _gone(rows: Rows) -> None:
    del rows[2]


def _last_gone(rows: Rows) -> None:
    del rows[-1]


def _swapped(rows: Rows) -> None:
    rows[1], rows[2] = rows[2], rows[1]


def _altered(field: str, before: str = "", after: str = "") -> Callable[[Rows], None]:
    def alter(rows: Rows) -> None:
        row = next(row for row in rows if before in row[field])
        row[field] = (
            row[field].replace(before, after)
            if before
            else ("00" if row[field][:2] != "00" else "11") + row[field][2:]
        )

    return alter


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("entries", _doubled, "line 4: entry number 4 comes next: 3"),
        ("entries", _gone, "line 3: entry number 3 comes next: 4"),
        ("entries", _last_gone, "the manifest counts .* entries"),
        ("entries", _swapped, "line 2: entry number 2 comes next: 3"),
        ("entries", _altered("body", "Ann", "Ahn"), "not the one that was chained here"),
        ("entries", _altered("hash"), "not the one that was chained here"),
        ("entries", _altered("command", "auto", "outo"), "not the one that was chained here"),
        ("checkpoints", _last_gone, "a signed head names another checkpoint"),
        ("checkpoints", _first_doubled, r"checkpoints.jsonl line 2: it does not come after \(1,\)"),
        ("leaves", _doubled, "leaves.jsonl line 4: it does not come after"),
        ("leaves", _last_gone, "a tile of the tree is not what its leaves come to"),
        ("leaves", _swapped, "leaves.jsonl line 3: it does not come after"),
        ("tiles", _first_doubled, "tiles.jsonl line 2: it does not come after"),
        ("sealed-decks", _first_doubled, "sealed-decks.jsonl line 2: it does not come after"),
        ("leaves", _altered("salt"), "not what its leaves come to"),
        ("tiles", _altered("hashes"), "not what its leaves come to"),
        ("signed-heads", _altered("note", "\nat 2", "\nat 3"), "the signature is not of this text"),
        ("sealed-decks", _last_gone, "a sealed deck is missing that the table has committed to"),
        ("sealed-decks", _altered("sealed"), "a sealed deck cannot be opened with this key"),
    ],
)
def test_whoever_changes_a_copy_and_its_manifest_is_found_out_by_the_log(
    capsys: Capture, database: Path, copy: Path, name: str, change: Callable[[Rows], None], said: str
) -> None:
    path = copy / f"{name}.jsonl"
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    seal(copy)
    assert re.search(said, fault(capsys, copy, "--key", f"{database}.key"))


def test_a_line_that_is_none_is_named(capsys: Capture, copy: Path) -> None:
    path = copy / "leaves.jsonl"
    whole = path.read_bytes()
    first = json.loads(whole.splitlines()[0])
    for line in (b"{", b"[]", b"{}", json.dumps({**first, "more": 1}).encode(), b'{"number":0}'):
        path.write_bytes(line + b"\n" + whole)
        seal(copy)
        assert "leaves.jsonl line 1: " in fault(capsys, copy)


def test_another_key_in_the_copy_than_the_one_that_is_known_is_named(capsys: Capture, copy: Path) -> None:
    other = str(Notary(DeckSafe(bytes(32), SeededEntropy("other"))).verifier)
    (copy / "signed-by.txt").write_text(f"{other}\n", encoding="utf-8")
    seal(copy)
    assert "the key in the copy is another" in fault(capsys, copy, "--signed-by", VERIFIER)
    assert "signed by no key that counts here" in fault(capsys, copy)
    for text in (b"houseway/key", b"\xff", b""):
        (copy / "signed-by.txt").write_bytes(text)
        seal(copy)
        assert "signed-by.txt: it holds no public key" in fault(capsys, copy)


def test_documents_that_the_program_of_this_build_never_had_are_named(capsys: Capture, copy: Path) -> None:
    path = copy / "program" / "games" / "pa-659a" / "rules.toml"
    path.write_text(path.read_text(encoding="utf-8") + "\n# easier\n", encoding="utf-8")
    seal(copy)
    said = fault(capsys, copy)
    assert "not the document of the build" in said and "program/games/pa-659a/rules.toml" in said


def test_a_copy_of_another_format_is_not_read(capsys: Capture, copy: Path) -> None:
    manifest = json.loads((copy / "manifest.json").read_bytes())
    manifest["format"] = COPY_FORMAT + 1
    (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    code, _, err = run(capsys, "verify-log", copy)
    assert code == 2 and f"a copy of format {COPY_FORMAT} is read here" in err
