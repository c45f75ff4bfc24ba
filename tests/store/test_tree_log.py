"""The tree over all entries of a store: grown, signed, proven; what does not follow is not believed."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import text

from houseway.rng import SeededEntropy
from houseway.store.body_parts import NO_PARTS
from houseway.store.checkpoints import take_checkpoint
from houseway.store.entries import EMPTY, BrokenChainError, Entry, Head, StreamId, next_entry
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch, Leaf, Store
from houseway.store.safe import KEY_BYTES, DeckSafe
from houseway.store.signed_notes import UnknownSignerError, check_note, read_note, read_tree_head
from houseway.store.sql import SqlStore
from houseway.store.store_copy import copy_store
from houseway.store.store_errors import StaleError
from houseway.store.tree import EMPTY_ROOT, check_consistency, check_inclusion, leaf_hash, node_hash
from houseway.store.tree_log import (
    Notary,
    check_leaves,
    check_tree,
    grow,
    hash_of_leaf,
    prove_consistency,
    prove_inclusion,
    sign_tree,
)
from tests.floor.support import NOON
from tests.store.support import DATABASES, KINDS, new_store

NOTARY = Notary(DeckSafe(bytes(KEY_BYTES), SeededEntropy("notary")))
SECOND = timedelta(seconds=1)


def add(store: Store, count: int, streams: int = 3) -> list[Entry]:
    """Add entries to some streams in turn, a few in each batch."""
    heads: dict[StreamId, Head] = dict(store.heads())
    entries = []
    for number in range(count):
        stream = f"s{number % streams}"
        head = heads.get(stream, EMPTY)
        entries.append(next_entry(head, stream, f"{stream} {head.version}", b"{}", b"{}"))
        heads[stream] = entries[-1].head
    for start in range(0, count, 7):
        store.append_batch(Batch(entries=entries[start : start + 7]))
    return entries


def root_of(leaves: list[bytes]) -> bytes:
    """Return the root as RFC 6962, section 2.1, defines it."""
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return node_hash(root_of(leaves[:half]), root_of(leaves[half:]))


def leaf_of(number: int, entry: Entry) -> bytes:
    return hash_of_leaf(NOTARY.leaf(number, entry), entry.hash)


def leaves_of(store: Store) -> list[bytes]:
    return [leaf_of(n, entry) for n, (_, entry) in enumerate(store.everything())]


@pytest.mark.parametrize(("entries", "tiles"), [(255, [255]), (256, [256, 1]), (257, [256, 1, 1])])
def test_every_eighth_level_is_kept_so_that_a_later_program_finds_the_hashes(
    entries: int, tiles: list[int]
) -> None:
    store = MemoryStore()
    add(store, entries)
    grow(store, NOTARY)
    kept = {(tile.level, tile.number): len(tile.hashes) // 32 for tile in store.tree.tiles()}
    assert kept == dict(zip([(0, 0), (1, 0), (0, 1)], tiles, strict=False))


@pytest.mark.parametrize("kind", KINDS)
def test_every_entry_becomes_a_leaf_in_the_order_of_the_log(kind: str) -> None:
    with new_store(kind) as store:
        assert grow(store, NOTARY) == 0 and sign_tree(store, NOTARY, NOON) is not None
        for count in (1, 6, 250, 3, 260):
            add(store, count)
            head = sign_tree(store, NOTARY, NOON)
            assert head is not None
            leaves = leaves_of(store)
            note = read_note(head.note)
            check_note(note, [NOTARY.verifier])
            said = read_tree_head(note.text)
            assert (said.size, said.root) == (len(leaves), root_of(leaves))
            kept = head.note
        with store.picture() as picture:
            checked = check_tree(picture, NOTARY.verifier, [kept])
        assert (checked.leaves, checked.heads, checked.kept_elsewhere) == (520, 6, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_tree_that_has_not_grown_is_not_signed_again(kind: str) -> None:
    with new_store(kind) as store:
        add(store, 5)
        first = sign_tree(store, NOTARY, NOON)
        assert sign_tree(store, NOTARY, NOON + SECOND) == first
        add(store, 1)
        assert sign_tree(store, NOTARY, NOON + SECOND) != first


@pytest.mark.parametrize("kind", KINDS)
def test_inclusion_and_consistency_are_proven_in_a_few_hashes(kind: str) -> None:
    with new_store(kind) as store:
        entries, roots = list[Entry](), {}
        for count in (1, 40, 259, 300):
            entries += add(store, count)
            head = sign_tree(store, NOTARY, NOON)
            assert head is not None
            roots[head.size] = read_tree_head(read_note(head.note).text).root
        size = max(roots)
        for entry in entries[:: 97 if kind == "memory" else 199]:
            shown = prove_inclusion(store.tree, entry.stream, entry.version, size)
            assert shown is not None and len(shown.proof) <= 10
            leaf = hash_of_leaf(shown.leaf, entry.hash)
            check_inclusion(leaf, shown.leaf.number, size, shown.proof, roots[size])
        for old, root in roots.items():
            proof = prove_consistency(store.tree, old, size)
            check_consistency(old, root, size, roots[size], proof)
        add(store, 1)
        last = entries[-1]
        assert prove_inclusion(store.tree, "s0", 10_000, size) is None
        assert prove_inclusion(store.tree, last.stream, last.version, 3) is None


@pytest.mark.parametrize("kind", KINDS)
def test_of_two_servers_that_add_the_same_leaf_one_comes_second(kind: str) -> None:
    with new_store(kind) as store:
        add(store, 3)
        grow(store, NOTARY)
        with store.picture() as picture:
            (first, _), *_ = picture.tree.leaves()
        with pytest.raises(StaleError):
            store.append_batch(Batch(leaves=[first]))
        assert grow(store, NOTARY) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_has_the_same_tree(kind: str) -> None:
    with new_store(kind) as store, new_store("sqlite") as copy:
        add(store, 300)
        head = sign_tree(store, NOTARY, NOON)
        assert head is not None
        copy_store(store, copy)
        assert copy.tree.last_signed() == head and grow(copy, NOTARY) == 300
        add(copy, 10)
        assert grow(copy, NOTARY) == 310
        with copy.picture() as picture:
            check_tree(picture, NOTARY.verifier, [head.note])


# --- what does not follow is named --------------------------------------------------------------------


def spoilt(store: SqlStore, statement: str, **values: Any) -> None:
    with store.engine.connect() as connection:
        connection.execute(text(statement), values)


@pytest.mark.parametrize("kind", DATABASES)
@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DELETE FROM entries WHERE stream = 's1' AND version = 100", "entry of a leaf is missing"),
        ("DELETE FROM leaves WHERE number = 299", "counts|tile"),
        ("DELETE FROM leaves WHERE number = 7", "not counted on"),
        ("UPDATE leaves SET version = 500 WHERE number = 7", "entry of a leaf is missing"),
        ("UPDATE leaves SET number = number + 1 WHERE number = 299", "not counted on"),
        ("UPDATE entries SET hash = :other WHERE stream = 's1' AND version = 3", "tile|written anew"),
        ("UPDATE tiles SET hashes = :other WHERE level = 0 AND number = 1", "tile"),
        ("UPDATE tiles SET hashes = :other WHERE level = 1", "tile"),
        ("DELETE FROM tiles WHERE level = 0 AND number = 0", "tile"),
        ("UPDATE signed_heads SET size = 299", "another size"),
        ("UPDATE signed_heads SET at = '2030-01-01 00:00:00'", "another moment"),
        ("UPDATE signed_heads SET note = :other", "note"),
    ],
)
def test_what_is_kept_of_a_tree_must_follow_from_its_entries(kind: str, statement: str, fault: str) -> None:
    with new_store(kind) as store:
        assert isinstance(store, SqlStore)
        add(store, 300)
        sign_tree(store, NOTARY, NOON)
        spoilt(store, statement, **({"other": b"\0" * 32} if ":other" in statement else {}))
        with store.picture() as picture, pytest.raises(Exception, match=fault):
            check_tree(picture, NOTARY.verifier)


def test_a_log_written_anew_and_signed_again_is_not_the_one_that_a_witness_kept() -> None:
    with new_store("memory") as store, new_store("memory") as other:
        add(store, 30)
        kept = sign_tree(store, NOTARY, NOON)
        add(other, 30, streams=2)
        sign_tree(other, NOTARY, NOON)
        assert kept is not None
        with other.picture() as picture:
            check_tree(picture, NOTARY.verifier)
            with pytest.raises(BrokenChainError, match="rewritten since a head was signed"):
                check_tree(picture, NOTARY.verifier, [kept.note])


def test_a_log_cut_back_is_not_the_one_that_a_witness_kept() -> None:
    with new_store("memory") as store, new_store("memory") as other:
        add(store, 30)
        kept = sign_tree(store, NOTARY, NOON)
        add(other, 20)
        sign_tree(other, NOTARY, NOON)
        assert kept is not None
        with other.picture() as picture, pytest.raises(BrokenChainError, match="missing that a signed head"):
            check_tree(picture, NOTARY.verifier, [kept.note])


def test_a_head_signed_by_another_key_is_refused() -> None:
    other = Notary(DeckSafe(bytes(range(KEY_BYTES)), SeededEntropy("other")))
    with new_store("memory") as store:
        add(store, 3)
        sign_tree(store, other, NOON)
        with store.picture() as picture:
            check_tree(picture)
            with pytest.raises(UnknownSignerError):
                check_tree(picture, NOTARY.verifier)


def test_a_head_names_the_last_checkpoint_and_tells_nothing_of_it() -> None:
    with new_store("memory") as store:
        add(store, 3)
        checkpoint = take_checkpoint(store, NOON)
        head = sign_tree(store, NOTARY, NOON)
        assert head is not None and checkpoint.hash.hex() not in head.note.decode()
        with store.picture() as picture:
            assert check_leaves(picture, NOTARY) == 3
        other = take_checkpoint(store, NOON + SECOND)
        add(store, 1)
        store._checkpoints[-1] = msgspec.structs.replace(other, hash=bytes(32))  # type: ignore[attr-defined]
        sign_tree(store, NOTARY, NOON + SECOND)
        store._checkpoints[-1] = other  # type: ignore[attr-defined]
        with store.picture() as picture, pytest.raises(BrokenChainError, match="another checkpoint"):
            check_leaves(picture, NOTARY)


def test_a_leaf_says_where_its_entry_stands_and_what_it_says_and_cannot_be_guessed() -> None:
    entry = next_entry(EMPTY, "s", "c", b"{}", b"")
    salt = NOTARY.salt("s", 1, 0)
    leaf = Leaf(number=7, stream="s", version=1, salt=salt, parts=NO_PARTS)
    others = (
        replace(leaf, stream="t"),
        replace(leaf, version=2),
        replace(leaf, salt=bytes(16)),
        replace(leaf, parts=bytes([1] * 32)),
    )
    known = hash_of_leaf(leaf, entry.hash)
    assert known not in {hash_of_leaf(other, entry.hash) for other in others}
    assert known != hash_of_leaf(leaf, bytes(32))
    parts = (b"s", b"1", hashlib.sha256(salt + entry.hash).digest(), bytes(32))
    assert known == leaf_hash(
        b"houseway-leaf/1" + b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    )
    assert len(salt) == 16 and salt not in {NOTARY.salt("s", 2, 0), NOTARY.salt("t", 1, 0)}
