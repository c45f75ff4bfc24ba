"""``houseway receipt``: made from a database that is only read, and checked by whoever has the file."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from houseway.games import example_submission
from houseway.rounds.steps.players import Sit
from houseway.store.safe import KEY_BYTES, key_path
from houseway.store.signed_notes import Cosigner, read_note, read_tree_head
from houseway.store.sqlite import SqliteStore
from houseway.store.tree_log import sign_tree
from tests.cli.test_record_commands import run
from tests.floor.support import NOON, make_table, new_floor, play, say
from tests.floor.test_receipts import ANN, NOTARY, OTHER

WITNESS = Cosigner("witness", bytes(KEY_BYTES))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Play a round into a file, the tree signed, and begin another."""
    path = tmp_path / "floor.db"
    key_path(path).write_text(bytes(range(KEY_BYTES)).hex(), encoding="ascii")
    store = SqliteStore(path)
    floor = new_floor(store)
    make_table(floor, "t1", example_submission("pa-575"))
    say(floor, "t1", ANN, Sit(2))
    play(floor, "t1", 1)
    head = sign_tree(store, NOTARY, NOON)
    assert head is not None
    note = read_note(head.note)
    cosigned = note.with_signature(WITNESS.sign(read_tree_head(note.text), 1))
    path.with_name("head").write_bytes(cosigned.encode())
    store.close()
    return path


@pytest.fixture
def receipt(capsys: pytest.CaptureFixture[str], database: Path) -> Path:
    out = database.with_name("receipt.json")
    code, said, _ = run(capsys, "receipt", "make", str(database), "t1", "1", ANN.id, "--out", str(out))
    assert code == 0 and said.startswith(f"wrote {out}")
    return out


def test_a_receipt_is_made_and_checked_and_says_what_it_does_not_decide(
    capsys: pytest.CaptureFixture[str], receipt: Path
) -> None:
    code, said, _ = run(capsys, "receipt", "check", str(receipt))
    assert code == 0 and said.startswith(f"holds: round 1 of t1, as {ANN.id} may see it\n")
    assert "decided again: position 2 main:" in said and "[pa575." in said
    assert "not decided: Whose key it is" in said and "no other history" not in said
    code, said, _ = run(capsys, "receipt", "check", str(receipt), "--signed-by", str(NOTARY.verifier))
    assert code == 0 and "Whose key" not in said
    words = ("--head", str(receipt.with_name("head")), "--witness", str(WITNESS.verifier), "--json")
    code, said, _ = run(capsys, "receipt", "check", str(receipt), *words)
    assert code == 0 and json.loads(said)["holds"]
    assert "no other history" in "".join(json.loads(said)["shown"])


def test_one_that_does_not_hold_is_named_with_exit_1(
    capsys: pytest.CaptureFixture[str], receipt: Path
) -> None:
    code, said, _ = run(capsys, "receipt", "check", str(receipt), "--signed-by", str(OTHER.verifier))
    assert code == 1 and said.startswith("does NOT hold: the receipt is signed by another key")
    receipt.write_bytes(receipt.read_bytes().replace(b"houseway", b"casinos", 1))
    code, said, _ = run(capsys, "receipt", "check", str(receipt), "--json")
    assert code == 1 and json.loads(said)["holds"] is False


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("t1", "1", "id-of-nobody"), "no such round of yours"),
        (("t1", "2", ANN.id), "no such round"),
        (("t9", "1", ANN.id), "no such table"),
        (("t1", "1", ANN.id, "--size", "3"), "no tree of that size"),
        (("t1", "1", ANN.id, "--key", "/nowhere/key"), "cannot be read"),
    ],
)
def test_what_cannot_be_made_is_refused(
    capsys: pytest.CaptureFixture[str], database: Path, words: tuple[str, ...], why: str
) -> None:
    out = database.with_name("receipt.json")
    code, _, err = run(capsys, "receipt", "make", str(database), *words, "--out", str(out))
    assert code == 2 and why in err and not out.exists()


def test_a_receipt_is_never_written_over_a_file(capsys: pytest.CaptureFixture[str], receipt: Path) -> None:
    kept, database = receipt.read_bytes(), receipt.with_name("floor.db")
    words = ("receipt", "make", str(database), "t1", "1", "regulator", "--out", str(receipt))
    code, _, err = run(capsys, *words)
    assert code == 2 and "not written over" in err and receipt.read_bytes() == kept


def test_verify_log_with_the_key_names_a_leaf_whose_parts_are_not_its_entrys(
    capsys: pytest.CaptureFixture[str], database: Path
) -> None:
    words = ("verify-log", str(database), "--key", str(key_path(database)))
    assert run(capsys, *words)[0] == 0
    with sqlite3.connect(database) as connection:  # a floor that signs a tree with parts of its own
        for table in ("leaves", "tiles", "signed_heads"):
            connection.execute(f"DELETE FROM {table}")
    store = SqliteStore(database)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(NOTARY), "parts", lambda *_: bytes(32))
        sign_tree(store, NOTARY, NOON)
    store.close()
    code, said, err = run(capsys, *words)
    assert code == 1 and "parts of a leaf are not what its entry says" in said + err
    assert run(capsys, "verify-log", str(database))[0] == 0
