"""The floor's key is on record from its first start on, and another comes in its place only as it signs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.cli.system import SystemRuntime
from houseway.errors import HousewayError, IllegalError
from houseway.floor.bodies import entries_after, read_body
from houseway.floor.core import Floor
from houseway.floor.floor_keys import change_key, keys_on_record
from houseway.floor.receipts import check_receipt, make_receipt
from houseway.floor.rights import COMMAND_LINE
from houseway.floor.round_search import find_round
from houseway.floor.running_table import open_commitments
from houseway.floor.setup_events import FloorKeyChanged, FloorKeyRecorded
from houseway.floor.streams import SETUP
from houseway.games import example_submission
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.factors import factor_safe
from houseway.service.key_change import change_floor_key
from houseway.service.server_setup import open_floor, record_floor_key
from houseway.store.checkpoints import take_checkpoint
from houseway.store.protocol import Batch
from houseway.store.safe import KEY_BYTES, DeckSafe, key_path, load_key
from houseway.store.signed_notes import read_verifier
from houseway.store.sqlite import SqliteStore
from houseway.store.store_url import open_store
from houseway.store.tree_log import Notary, head_path, sign_tree, write_head_file
from tests.floor.lies.edited import Edited
from tests.floor.support import PEOPLE, command, make_table, next_move, play, seat_two
from tests.floor.test_operations import done, run
from tests.service.test_serve_command import ask, free_port, serving
from tests.service.test_witnessed import witness
from tests.store.support import fresh_database

Capture = pytest.CaptureFixture[str]
OLD, NEW, THIRD = (bytes([number]) * KEY_BYTES for number in (1, 2, 3))
ENTROPY = SeededEntropy("keys")
ANN = Actor(PEOPLE[2], Role.PLAYER)


def safe_of(key: bytes) -> DeckSafe:
    return DeckSafe(key, ENTROPY)


def name_of(key: bytes) -> str:
    """Return the public half of a key, as a start prints it."""
    return str(Notary(safe_of(key)).verifier)


def key_file(folder: Path, key: bytes) -> Path:
    path = folder / f"{key[0]}.key"
    path.write_text(key.hex(), encoding="ascii")
    return path


def begun(url: str, key: Path) -> Floor:
    """Begin a floor with a key on record, and play a round and the beginning of another."""
    floor = Floor(open_store(url), SystemRuntime().now, ENTROPY, safe_of(load_key(key)))
    record_floor_key(floor)
    make_table(floor, "t1", example_submission("pa-659a"))
    seat_two(floor, "t1")
    play(floor, "t1", 1)
    while not open_commitments(floor.table("t1").table):
        move = next_move(floor, "t1")
        floor.submit("t1", command(move.by, move.action))
        floor.run()
    running = floor.table("t1")
    snapshot = floor.safe.snapshots.seal(running.snapshot())
    floor.store.append_batch(Batch(snapshots=[snapshot]))
    take_checkpoint(floor.store, floor.clock())
    sign(floor)
    return floor


def sign(floor: Floor) -> None:
    head = sign_tree(floor.store, Notary(floor.safe), floor.clock())
    if head is not None and isinstance(floor.store, SqliteStore):
        write_head_file(floor.store.path, head)


def reopened(url: str | Path, key: Path | None = None) -> Floor:
    return open_floor(str(url), SystemRuntime(), key)


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A floor in a file, whose first key lies beside it."""
    path = tmp_path_factory.mktemp("origin") / "floor.db"
    key_path(path).write_text(OLD.hex(), encoding="ascii")
    begun(str(path), key_path(path)).store.close()
    return path


@pytest.fixture
def path(origin: Path, tmp_path: Path) -> Path:
    """A copy of it, of which one test may do as it likes."""
    path = tmp_path / "floor.db"
    for name_beside in (key_path, head_path, lambda database: database):
        copyfile(name_beside(origin), name_beside(path))
    return path


def changed(capsys: Capture, path: str | Path, new: Path, *more: object) -> str:
    return done(capsys, "key", "change", "--database", path, "--new-key", new, *more)


# --- the key on record --------------------------------------------------------------------------------


def test_the_first_start_puts_on_record_the_key_that_it_prints(tmp_path: Path) -> None:
    database = tmp_path / "floor.db"
    with serving(database, free_port()) as served:
        pass
    store = SqliteStore(database, read_only=True)
    (recorded,) = keys_on_record(store)
    store.close()
    assert isinstance(recorded.event, FloorKeyRecorded) and recorded.event.by == COMMAND_LINE
    assert any(f"its log is signed by {recorded.event.key}" in line for line in served.said)
    assert recorded.version == 1, "before anything else is set up"


def test_another_key_is_refused_with_both_named_and_what_to_do(path: Path, tmp_path: Path) -> None:
    with pytest.raises(IllegalError) as refused:
        reopened(path, key_file(tmp_path, NEW))
    said = str(refused.value)
    assert name_of(OLD) in said and name_of(NEW) in said
    assert "--key" in said and "houseway key change" in said


def test_two_servers_that_begin_with_two_keys_are_not_both_served(path: Path, tmp_path: Path) -> None:
    """Whoever opened the floor before there was a key on record looks again as it puts its own there."""
    floor = reopened(path)
    other = Floor(floor.store, floor.clock, ENTROPY, safe_of(NEW))
    with pytest.raises(IllegalError, match="not the one on record"):
        record_floor_key(other)
    floor.store.close()


def test_a_key_that_is_gone_is_named_and_none_is_made_in_its_place(path: Path) -> None:
    key_path(path).unlink()
    with pytest.raises(IllegalError, match="the floor's key is missing") as refused:
        reopened(path)
    assert name_of(OLD) in str(refused.value) and not key_path(path).exists()


def test_a_head_by_another_key_than_the_one_on_record_is_named_with_no_key_given(
    capsys: Capture, path: Path
) -> None:
    assert name_of(OLD) in done(capsys, "verify-log", path)
    store = SqliteStore(path)
    floor = Floor(store, SystemRuntime().now, ENTROPY, safe_of(NEW))
    play(Floor(store, SystemRuntime().now, ENTROPY, safe_of(OLD)), "t1", 1)
    sign_tree(store, Notary(floor.safe), floor.clock())
    store.close()
    code, said, _ = run(capsys, "verify-log", path)
    assert code == 1 and "signed by no key that counts here" in said


def test_a_log_that_names_other_keys_than_the_one_it_is_known_by_is_named(
    capsys: Capture, path: Path
) -> None:
    assert done(capsys, "verify-log", path, "--signed-by", name_of(OLD)).startswith("whole")
    code, said, _ = run(capsys, "verify-log", path, "--signed-by", name_of(NEW))
    assert code == 1 and f"the key on record is {name_of(OLD)}, and this key never was" in said


def test_a_second_key_put_on_record_beside_the_first_is_a_lie(capsys: Capture, path: Path) -> None:
    store = SqliteStore(path)
    event = FloorKeyRecorded(key=name_of(NEW), by=COMMAND_LINE, at=SystemRuntime().now())
    store.append_batch(Batch(entries=entries_after(SETUP, store.head(SETUP), [event])))
    store.close()
    code, said, _ = run(capsys, "verify-log", path)
    assert code == 1 and "FloorKeyRecorded" in said and "not the one on record" in said
    with pytest.raises(HousewayError, match="on record already"):
        reopened(path)


# --- another key --------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a floor is begun whose key is changed."""
    if request.param == "sqlite":
        yield str(tmp_path / "floor.db")
        return
    with fresh_database() as url:
        yield url


def test_a_floor_goes_on_with_another_key_and_the_same_cards(
    capsys: Capture, url: str, tmp_path: Path
) -> None:
    old, new = key_file(tmp_path, OLD), tmp_path / "new.key"
    floor = begun(url, old)
    cards = open_commitments(floor.table("t1").table)
    floor.store.close()
    printed = changed(capsys, url, new, "--key", old, "--by", "Rosa")
    now = str(Notary(safe_of(load_key(new))).verifier)
    assert f"the floor signed by {name_of(OLD)}" in printed and f"from now on it signs by {now}" in printed
    with pytest.raises(IllegalError, match="not the one on record"):
        reopened(url, old)
    floor = reopened(url, new)
    (change,) = floor.house.key_changes
    assert (change.before, change.after, change.operator) == (name_of(OLD), now, "Rosa")
    assert open_commitments(floor.table("t1").table) == cards and cards
    play(floor, "t1", 2)
    sign(floor)
    floor.store.close()
    for known in (["--key", new], ["--signed-by", now], ["--signed-by", name_of(OLD)], []):
        assert done(capsys, "verify-log", url, *known).startswith("whole"), known
    code, said, _ = run(capsys, "verify-log", url, "--key", old)
    assert code == 1 and "not the one on record" in said


def test_a_key_is_changed_again_and_all_that_the_first_one_made_is_still_known(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    secret = factor_safe(safe_of(OLD), ENTROPY).lock("ann", "HEX")
    changed(capsys, path, key_file(tmp_path, NEW))
    second = reopened(path, key_file(tmp_path, NEW))
    play(second, "t1", 1)
    sign(second)
    later = factor_safe(second.safe, ENTROPY).lock("ann", "LATER")
    second.store.close()
    changed(capsys, path, key_file(tmp_path, THIRD), "--key", key_file(tmp_path, NEW))
    floor = reopened(path, key_file(tmp_path, THIRD))
    play(floor, "t1", 1)
    sign(floor)
    factors = factor_safe(floor.safe, ENTROPY)
    assert (factors.unlock("ann", secret), factors.unlock("ann", later)) == ("HEX", "LATER")
    with pytest.raises(IllegalError, match="cannot be opened with this key"):
        factors.unlock("dan", secret)
    notary = Notary(floor.safe)
    for number in (1, 2, 3):
        with floor.store.picture() as picture:
            found = find_round(picture, "t1", number, running=True)
            check_receipt(make_receipt(picture, found, ANN, notary), signed_by=notary.verifier)
    floor.store.close()
    assert done(capsys, "verify-log", path, "--key", tmp_path / "3.key").startswith("whole")
    assert [one.verifier for one in on_record(path)] == [read_verifier(name_of(k)) for k in (OLD, NEW, THIRD)]


def on_record(path: Path) -> Any:
    store = SqliteStore(path, read_only=True)
    keys = keys_on_record(store)
    store.close()
    return keys


def test_a_receipt_in_a_tree_that_a_former_key_signed_is_refused(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    """A head of it and the receipt would be signed by two keys: nobody could check both."""
    changed(capsys, path, key_file(tmp_path, NEW))
    floor = reopened(path, key_file(tmp_path, NEW))
    (change,) = floor.house.key_changes
    with floor.store.picture() as picture:
        found = find_round(picture, "t1", 1)
        with pytest.raises(IllegalError, match="signed by a former key"):
            make_receipt(picture, found, ANN, Notary(floor.safe), change.size)
    floor.store.close()


def test_snapshots_are_believed_with_the_new_key(capsys: Capture, path: Path, tmp_path: Path) -> None:
    changed(capsys, path, key_file(tmp_path, NEW))
    floor = reopened(path, key_file(tmp_path, NEW))
    with floor.store.picture() as picture:
        snapshots = [*picture.every_snapshot()]
    assert snapshots and all(floor.safe.snapshots.believes(one) for one in snapshots)
    assert not any(safe_of(OLD).snapshots.believes(one) for one in snapshots)
    floor.store.close()


def test_a_floor_that_no_start_has_put_a_key_on_record_for_has_both(capsys: Capture, tmp_path: Path) -> None:
    """As an earlier program left it."""
    path = tmp_path / "floor.db"
    key_path(path).write_text(OLD.hex(), encoding="ascii")
    floor = Floor(SqliteStore(path), SystemRuntime().now, ENTROPY, safe_of(OLD))
    make_table(floor, "t1", example_submission("pa-575"))
    sign(floor)
    floor.store.close()
    changed(capsys, path, key_file(tmp_path, NEW))
    assert [type(one.event) for one in on_record(path)] == [FloorKeyRecorded, FloorKeyChanged]
    assert done(capsys, "verify-log", path, "--key", key_file(tmp_path, NEW)).startswith("whole")


# --- refused ------------------------------------------------------------------------------------------


def test_no_key_is_changed_while_a_server_has_the_floor(capsys: Capture, tmp_path: Path, path: Path) -> None:
    floor = reopened(path)
    code, _, said = run(capsys, "key", "change", "--database", path, "--new-key", tmp_path / "n.key")
    floor.store.close()
    assert code == 2 and "another process serves this file" in said
    assert not (tmp_path / "n.key").exists() and len(on_record(path)) == 1
    with fresh_database() as url:
        old = key_file(tmp_path, OLD)
        begun(url, old).store.close()
        with serving(url, free_port(), "--key", str(old)):
            words = ["--database", url, "--key", old, "--new-key", tmp_path / "n.key"]
            code, _, said = run(capsys, "key", "change", *words)
        assert code == 2 and "stop every server first" in said
        store = open_store(url, read_only=True)
        assert len(keys_on_record(store)) == 1 and not (tmp_path / "n.key").exists()
        store.close()


def test_what_cannot_be_changed_is_refused_and_leaves_nothing(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    fresh, same, other = tmp_path / "fresh.key", key_file(tmp_path, OLD), key_file(tmp_path, NEW)
    for words, says in (
        (["--database", tmp_path / "none.db", "--new-key", fresh], "no such database"),
        (["--database", path, "--new-key", fresh, "--key", tmp_path / "none.key"], "cannot be read"),
        (["--database", path, "--new-key", fresh, "--key", other], "not the one on record"),
        (["--database", path, "--new-key", same], "the floor has, or had, this key already"),
        (["--database", path, "--new-key", fresh, "--by", "a\tb"], "by"),
    ):
        code, out, said = run(capsys, "key", "change", *words)
        assert (code, out) == (2, "") and says in said, said
    assert not fresh.exists() and not (tmp_path / "none.db").exists() and len(on_record(path)) == 1
    reopened(path).store.close()


# --- who follows, and who is not followed -------------------------------------------------------------


def test_a_witness_follows_a_change_that_the_former_key_signed_and_no_other_key(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    folder, new, port = tmp_path / "witness", key_file(tmp_path, NEW), free_port()
    with serving(path, port):
        assert witness(port, folder).returncode == 0
    with serving(tmp_path / "other.db", port):  # a key that the one it knows has signed nothing of
        looked: subprocess.CompletedProcess[str] = witness(port, folder)
    assert looked.returncode == 2 and "signed by no key that counts here" in looked.stderr, looked
    changed(capsys, path, new)
    with serving(path, port, "--key", str(new)):
        looked = witness(port, folder)
        assert looked.returncode == 0 and "as the former one has signed" in looked.stdout, looked
        assert name_of(NEW) in looked.stdout and "signed too" in looked.stdout
        again = witness(port, folder)
        assert again.returncode == 0 and "changed" not in again.stdout, again
        assert ask(port, "/api/v1/tree")["signed_by"] == name_of(NEW)
    checked = done(capsys, "verify-log", path, "--key", new, "--head", folder / "head")
    assert "1 of them kept elsewhere" in checked


def forged(change: Callable[[dict[str, Any]], object]) -> Callable[[Path, Path], None]:
    """Return what changes a change of the key behind the program's back."""

    def forge(path: Path, _: Path) -> None:
        edited = Edited(path)
        edited.change("floor_key_changed", change)
        edited.close()

    return forge


def taken_over(path: Path, _: Path) -> None:
    """Put a change on record that the new key signs alone, for want of the former one."""
    edited = Edited(path)
    edited.drop(edited.find("floor_key_changed"))
    edited.chain()
    edited.sql("DELETE FROM leaves WHERE number = (SELECT max(number) FROM leaves)")
    edited.sql("DELETE FROM signed_heads WHERE size = (SELECT max(size) FROM signed_heads)")
    edited.close()
    store = SqliteStore(path)
    floor = Floor(store, SystemRuntime().now, ENTROPY, safe_of(NEW))
    former, own = Notary(safe_of(OLD)).signer, Notary(safe_of(NEW)).signer
    handed_on, size = safe_of(NEW).hand_on(()), store.tree.size()
    event = change_key(floor.house, former, own, handed_on, size, "", floor.clock())
    text = event.note.partition("\n\n")[0] + "\n"
    alone = replace(event, note=f"{text}\n{own.sign(text)}\n")
    store.append_batch(Batch(entries=entries_after(SETUP, store.head(SETUP), [alone])))
    store.close()


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        (forged(lambda value: value.update(after=name_of(THIRD))), "signed by other keys"),
        (forged(lambda value: value.update(before=name_of(THIRD))), "not the key on record that is changed"),
        (forged(lambda value: value.update(operator="Rob")), "signed another change"),
        (forged(lambda value: value.update(size=3)), "signed another change"),
        (forged(lambda value: value.update(sealed="AAAA")), "signed another change"),
        (forged(lambda value: value.update(note="no note")), "a note has a text"),
        (
            forged(lambda value: value.update(by={"id": "ada", "role": "administrator"})),
            "at the command line",
        ),
        (taken_over, "signed by no key that counts here"),
    ],
)
def test_a_change_that_the_former_key_did_not_sign_is_a_lie(
    capsys: Capture, path: Path, tmp_path: Path, lie: Callable[[Path, Path], None], says: str
) -> None:
    new = key_file(tmp_path, NEW)
    changed(capsys, path, new)
    lie(path, new)
    code, said, _ = run(capsys, "verify-log", path)
    assert code == 1 and says in said, said
    with pytest.raises(HousewayError, match=says):
        reopened(path, new)


def test_after_the_change_the_former_key_signs_nothing_more(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    new = key_file(tmp_path, NEW)
    changed(capsys, path, new)
    floor = reopened(path, new)
    play(floor, "t1", 1)
    sign_tree(floor.store, Notary(safe_of(OLD)), floor.clock())
    floor.store.close()
    for known in ([], ["--signed-by", name_of(OLD)]):
        code, said, _ = run(capsys, "verify-log", path, *known)
        assert code == 1 and "signed by no key that counts here" in said, said


def test_a_leaf_of_then_is_made_again_by_what_was_handed_on(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    new = key_file(tmp_path, NEW)
    changed(capsys, path, new)
    edited = Edited(path)
    edited.sql("UPDATE leaves SET parts = zeroblob(32) WHERE stream = 'table/t1' AND version = 2")
    edited.close()
    code, said, _ = run(capsys, "verify-log", path, "--key", new)
    assert code == 1, said


def test_a_change_is_told_at_the_size_of_the_tree_that_it_says() -> None:
    """Else a key would sign, or salt, what was done in the time of another."""
    from houseway.store.memory import MemoryStore  # noqa: PLC0415

    floor = Floor(MemoryStore(), SystemRuntime().now, ENTROPY, safe_of(OLD))
    make_table(floor, "t1", example_submission("pa-575"))
    change_floor_key(floor, safe_of(NEW), "")
    floor.refresh()
    (change,) = floor.house.key_changes
    leaf = floor.store.tree.leaf_of(SETUP, floor.store.head(SETUP).version)
    assert leaf is not None and leaf.number == change.size
    assert isinstance(
        read_body(next(iter(floor.store.part(SETUP, leaf.version - 1, leaf.version)))), FloorKeyChanged
    )


def test_the_head_beside_a_floor_whose_key_was_changed_is_the_new_keys(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    before = head_path(path).read_bytes()
    changed(capsys, path, key_file(tmp_path, NEW))
    assert head_path(path).read_bytes() != before
    head_path(path).write_bytes(before)  # one that the former key signed is known as well
    reopened(path, key_file(tmp_path, NEW)).store.close()
