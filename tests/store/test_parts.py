"""What an entry says, taken apart: whoever sees some of it comes to the same root, and guesses no more."""

from __future__ import annotations

import hashlib
import json
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from houseway.store.body_parts import (
    NO_PARTS,
    BodyPart,
    SaltedPart,
    commitment_to,
    disclose,
    parts_of,
    root_of,
    root_of_body,
    values_of,
)
from houseway.store.entries import EMPTY, BrokenChainError, next_entry
from houseway.store.protocol import Batch
from houseway.store.tree import BrokenProofError, Hash
from houseway.store.tree_log import check_leaves, check_tree, grow, sign_tree
from tests.floor.support import NOON
from tests.store.support import KINDS, new_store
from tests.store.test_tree_log import NOTARY, add
from tests.store.test_tree_log import root_of as root_by_definition

BODY = (
    b'{"kind":"turn","value":{"at":"2026-01-04T12:00:00Z","command":{"by":{"id":"Ann","role":"player"}},'
    b'"events":[{"outcome":{"cards":["Ks","5d"],"hands":{"2":["Ks"]},"racked":[{"cards":["5d"],"count":1}]}},'
    b'{"outcome":null,"seq":2}]}}'
)
SALTS = NOTARY.salt_of("table/t1", 7, 0)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=25,
)


def test_a_body_is_taken_apart_by_path() -> None:
    assert {part.path: part.value.decode() for part in parts_of(BODY)} == {
        "/kind": '"turn"',
        "/value/at": '"2026-01-04T12:00:00Z"',
        "/value/command/by/id": '"Ann"',
        "/value/command/by/role": '"player"',
        "/value/events/0/outcome/cards": '["Ks","5d"]',
        "/value/events/0/outcome/hands/2": '["Ks"]',
        "/value/events/0/outcome/racked/0/cards": '["5d"]',
        "/value/events/0/outcome/racked/0/count": "1",
        "/value/events/1/outcome": "null",
        "/value/events/1/seq": "2",
    }


@pytest.mark.parametrize(
    ("body", "parts"),
    [
        (b"{}", [("", b"{}")]),
        (b"[]", [("", b"[]")]),
        (b"7", [("", b"7")]),
        (b"\xff no json", [("", b"\xff no json")]),
        (b'{"b":{},"a":[]}', [("/a", b"[]"), ("/b", b"{}")]),
        (b'{"a/b":1,"a~":2}', [("/a~0", b"2"), ("/a~1b", b"1")]),
        (b'[{"a":1},2]', [("", b'[{"a":1},2]')]),
        (b'{"a":{"z":2, "b":[1, 2]}}', [("/a/b", b"[1,2]"), ("/a/z", b"2")]),
        (
            b'{"1":{"2":{"3":{"4":{"5":{"6":{"7":{"8":9}}}}}}}}',
            [("/1/2/3/4/5/6/7", b'{"8":9}')],
        ),
    ],
)
def test_whatever_is_stored_can_be_taken_apart(body: bytes, parts: list[tuple[str, bytes]]) -> None:
    assert [(part.path, part.value) for part in parts_of(body)] == parts


def test_a_commitment_is_the_leaf_of_its_salt_path_and_value() -> None:
    salt, path, value = bytes(range(16)), "/value/at", b'"noon"'
    text = salt + (9).to_bytes(8, "big") + b"/value/at" + (6).to_bytes(8, "big") + value
    assert commitment_to(BodyPart(path, value), salt) == hashlib.sha256(b"\0" + text).digest()
    with pytest.raises(BrokenProofError, match="16 bytes"):
        commitment_to(BodyPart(path, value), salt + b"\0")


def test_salts_differ_by_stream_version_and_path_and_tell_nothing_of_the_leaf() -> None:
    places = [("table/t1", 7), ("table/t1", 8), ("table/t2", 7)]
    salts = [NOTARY.salt_of(*place, 0)(path) for place in places for path in ("/a", "/b", "")]
    salts += [NOTARY.salt(*place, 0) for place in places]
    assert len({*salts}) == 12 and {len(salt) for salt in salts} == {16}


@given(VALUES)
def test_the_root_is_that_of_rfc_6962_over_the_commitments_in_order(data: Any) -> None:
    body = json.dumps(data).encode()
    parts = parts_of(body)
    paths = [part.path.encode() for part in parts]
    assert paths == sorted({*paths})
    assert all(path.count(b"/") <= 7 for path in paths)
    leaves = [commitment_to(part, SALTS(part.path)) for part in parts]
    assert root_of_body(body, SALTS) == root_by_definition(leaves)


@given(VALUES, st.data())
def test_what_is_shown_comes_to_the_root_and_is_what_was_said(data: Any, draw: st.DataObject) -> None:
    body = json.dumps(data).encode()
    paths = {part.path for part in parts_of(body)}
    shown = draw.draw(st.sets(st.sampled_from(sorted(paths))))
    disclosed = disclose(body, SALTS, shown)
    assert root_of(disclosed) == root_of_body(body, SALTS)
    assert values_of(disclosed).keys() == shown
    for path, value in values_of(disclosed).items():
        there = data
        for step in path.split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            there = there[int(key)] if isinstance(there, list) else there[key]
        assert value == there


def changed(disclosed: tuple[SaltedPart | Hash, ...]) -> list[tuple[SaltedPart | Hash, ...]]:
    """Return disclosed parts with each single thing about them changed."""
    others: list[tuple[SaltedPart | Hash, ...]] = []
    for at, part in enumerate(disclosed):
        instead: list[SaltedPart | Hash] = (
            [
                replace(part, path=part.path + "x"),
                replace(part, value=part.value + b" "),
                replace(part, salt=bytes(16)),
            ]
            if isinstance(part, SaltedPart)
            else [bytes(32)]
        )
        others += [(*disclosed[:at], other, *disclosed[at + 1 :]) for other in instead]
        others.append((*disclosed[:at], *disclosed[at + 1 :]))
        others.append((*disclosed[:at], part, *disclosed[at:]))
    for one, two in combinations(range(len(disclosed)), 2):
        order = [*disclosed]
        order[one], order[two] = order[two], order[one]
        others.append(tuple(order))
    return others


def test_parts_that_are_changed_left_out_put_in_or_moved_come_to_nothing() -> None:
    root = root_of_body(BODY, SALTS)
    disclosed = disclose(BODY, SALTS, {"/kind", "/value/at", "/value/events/1/seq"})
    assert root_of(disclosed) == root
    for other in [*changed(disclosed), ()]:
        try:
            assert root_of(other) != root
        except BrokenProofError:
            continue
    with pytest.raises(BrokenProofError, match="order of their paths"):
        root_of((*disclosed, disclosed[0]))
    with pytest.raises(BrokenProofError, match="32 bytes"):
        root_of((b"short",))


# --- in the leaves of a log ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_with_the_key_the_parts_of_every_leaf_are_made_again(kind: str) -> None:
    with new_store(kind) as store:
        add(store, 20)
        entry = next_entry(EMPTY, "table/t1", "c", BODY, b"{}")
        store.append_batch(Batch(entries=[entry]))
        add(store, 5)
        sign_tree(store, NOTARY, NOON)
        with store.picture() as picture:
            assert check_leaves(picture, NOTARY) == 26
            parts = {leaf.stream: leaf.parts for leaf, _ in picture.tree.leaves()}
        assert parts.pop("table/t1") == root_of_body(BODY, NOTARY.salt_of("table/t1", 1, 0))
        assert {*parts.values()} == {NO_PARTS}


@pytest.mark.parametrize("change", [{"parts": bytes(32)}, {"salt": bytes(16)}])
def test_a_leaf_whose_parts_are_not_its_entrys_is_named_where_the_key_is_known(
    change: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    leaf = type(NOTARY).leaf
    monkeypatch.setattr(type(NOTARY), "leaf", lambda *args: replace(leaf(*args), **change))
    with new_store("memory") as store:
        store.append_batch(Batch(entries=[next_entry(EMPTY, "table/t1", "c", BODY, b"{}")]))
        grow(store, NOTARY)
        sign_tree(store, NOTARY, NOON)
        monkeypatch.undo()
        with store.picture() as picture:
            check_tree(picture, NOTARY.verifier)  # nobody sees it without the key
            with pytest.raises(BrokenChainError, match="parts of a leaf are not what its entry says"):
                check_leaves(picture, NOTARY)
