"""The tree of the log held against RFC 6962: its published vectors, and its definition taken word by word."""

from __future__ import annotations

import hashlib
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.errors import IllegalError
from houseway.store.entries import BrokenChainError
from houseway.store.tree import (
    EMPTY_ROOT,
    BrokenProofError,
    Frontier,
    Hash,
    check_consistency,
    check_inclusion,
    consistency_proof,
    frontier_at,
    inclusion_proof,
    leaf_hash,
    node_hash,
    roots_of_proof,
)

MOST = 130
any_time = settings(deadline=None, max_examples=60)

# --- the reference: RFC 6962, sections 2.1, 2.1.1 and 2.1.2, as they are written ------------------------

LEAVES = tuple(bytes([number]) * (number % 5) for number in range(MOST))


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def half(count: int) -> int:
    """The largest power of two smaller than a number."""
    return max(1 << power for power in range(count) if 1 << power < count)


@cache
def mth(start: int, end: int) -> bytes:
    """MTH(D[start:end])."""
    if start == end:
        return sha()
    if end - start == 1:
        return sha(b"\x00", LEAVES[start])
    k = half(end - start)
    return sha(b"\x01", mth(start, start + k), mth(start + k, end))


def path(m: int, start: int, end: int) -> list[bytes]:
    """PATH(m, D[start:end])."""
    if end - start == 1:
        return []
    k = half(end - start)
    if m < k:
        return [*path(m, start, start + k), mth(start + k, end)]
    return [*path(m - k, start + k, end), mth(start, start + k)]


def subproof(m: int, start: int, end: int, whole: bool) -> list[bytes]:
    """SUBPROOF(m, D[start:end], whole)."""
    if m == end - start:
        return [] if whole else [mth(start, end)]
    k = half(end - start)
    if m <= k:
        return [*subproof(m, start, start + k, whole), mth(start + k, end)]
    return [*subproof(m - k, start + k, end, False), mth(start, start + k)]


def node_at(level: int, index: int) -> bytes:
    """A complete subtree, as a store reads it."""
    start, end = index << level, (index + 1) << level
    assert end <= MOST, "no such subtree is complete"
    return mth(start, end)


# --- the published vectors ------------------------------------------------------------------------------

INPUTS = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""Of the certificate-transparency reference, for the empty tree and after each input."""


def test_the_published_roots_come_out() -> None:
    frontier = Frontier()
    assert frontier.root().hex() == ROOTS[0] == EMPTY_ROOT.hex()
    for text, root in zip(INPUTS, ROOTS[1:], strict=True):
        frontier = frontier.after(leaf_hash(bytes.fromhex(text)))
        assert frontier.root().hex() == root


def test_the_published_nodes_prove_the_first_and_the_last_leaf() -> None:
    store: dict[tuple[int, int], bytes] = {}
    frontier = Frontier()
    for text in INPUTS:
        frontier, nodes = frontier.append(leaf_hash(bytes.fromhex(text)))
        store.update({(node.level, node.index): node.hash for node in nodes})
    first = [item.hex()[:8] for item in inclusion_proof(0, 8, lambda level, index: store[level, index])]
    last = [item.hex()[:8] for item in inclusion_proof(7, 8, lambda level, index: store[level, index])]
    assert first == ["96a296d2", "5f083f0a", "6b47aaf2"]
    assert last == ["b08693ec", "0ebc5d34", "d37ee418"]


# --- growing --------------------------------------------------------------------------------------------


def test_every_root_is_that_of_the_definition() -> None:
    frontier = Frontier()
    for size in range(MOST + 1):
        assert frontier.size == size
        assert frontier.root() == mth(0, size)
        assert frontier_at(size, node_at) == frontier
        if size < MOST:
            frontier = frontier.after(leaf_hash(LEAVES[size]))


def test_every_complete_subtree_is_completed_once_and_by_its_last_leaf() -> None:
    frontier, seen = Frontier(), set()
    for size in range(1, MOST + 1):
        frontier, nodes = frontier.append(leaf_hash(LEAVES[size - 1]))
        for node in nodes:
            assert node.hash == node_at(node.level, node.index)
            assert (node.index + 1) << node.level == size
        seen |= {(node.level, node.index) for node in nodes}
        assert len(seen) == sum(size >> level for level in range(8))  # every one there is


def test_a_frontier_has_a_subtree_for_each_power_of_two() -> None:
    for size, roots in ((1, ()), (0, (EMPTY_ROOT,)), (2, (EMPTY_ROOT, EMPTY_ROOT)), (-1, (EMPTY_ROOT,))):
        with pytest.raises(BrokenChainError, match="power of two"):
            Frontier(size, roots)


# --- every proof there is -------------------------------------------------------------------------------


def test_every_proof_of_a_leaf_is_that_of_the_definition_and_holds() -> None:
    for size in range(1, MOST + 1):
        for index in range(size):
            proof = inclusion_proof(index, size, node_at)
            assert list(proof) == path(index, 0, size)
            check_inclusion(mth(index, index + 1), index, size, proof, mth(0, size))


def test_every_proof_of_a_beginning_is_that_of_the_definition_and_holds() -> None:
    for new in range(MOST + 1):
        check_consistency(0, EMPTY_ROOT, new, mth(0, new), consistency_proof(0, new, node_at))
        for old in range(1, new + 1):
            proof = consistency_proof(old, new, node_at)
            assert list(proof) == subproof(old, 0, new, True)
            check_consistency(old, mth(0, old), new, mth(0, new), proof)


def test_a_proof_reads_few_nodes_and_only_complete_ones() -> None:
    read = []

    def reading(level: int, index: int) -> bytes:
        read.append((level, index))
        return bytes(32)

    size = 1_000_003
    for index in (0, 1, 524_287, 524_288, 999_999, 1_000_002):
        read.clear()
        assert len(inclusion_proof(index, size, reading)) <= 20
        assert len(read) <= 2 * 20
        assert all((at + 1) << level <= size for level, at in read)
    for old in (1, 2, 524_288, 524_289, 999_999, 1_000_002):
        read.clear()
        assert len(consistency_proof(old, size, reading)) <= 21
        assert len(read) <= 2 * 20
        assert all((at + 1) << level <= size for level, at in read)
    read.clear()
    frontier_at(size, reading)
    assert len(read) == size.bit_count()


def test_there_is_no_proof_of_what_is_not_there() -> None:
    for index, size in ((0, 0), (3, 3), (-1, 3), (4, 3)):
        with pytest.raises(IllegalError, match="no such leaf"):
            inclusion_proof(index, size, node_at)
        with pytest.raises(BrokenProofError, match="no such leaf"):
            check_inclusion(mth(0, 1), index, size, (), mth(0, 1))
    for old, new in ((4, 3), (-1, 3)):
        with pytest.raises(IllegalError, match="as large or larger"):
            consistency_proof(old, new, node_at)
        with pytest.raises(BrokenProofError, match="does not shrink"):
            check_consistency(old, mth(0, 3), new, mth(0, 3), ())


# --- what is changed is refused -------------------------------------------------------------------------
#
# Whether a proof holds is asked of a second reference: it goes down from the root as the definition does and
# takes the proof apart from its end. It knows no bits, nor how the checks in the module go about it.


def climb(leaf: bytes, m: int, count: int, proof: list[bytes]) -> bytes | None:
    """The root that a proof of a leaf leads to, if it has the length of one."""
    if count == 1:
        return None if proof else leaf
    if not proof:
        return None
    k, other = half(count), proof[-1]
    if m < k:
        below = climb(leaf, m, k, proof[:-1])
        return below and sha(b"\x01", below, other)
    below = climb(leaf, m - k, count - k, proof[:-1])
    return below and sha(b"\x01", other, below)


def climb_both(old: bytes, m: int, n: int, proof: list[bytes], whole: bool) -> tuple[bytes, bytes] | None:
    """Both roots that a proof of a beginning leads to, if it has the length of one."""
    if m == n:
        if whole:
            return None if proof else (old, old)
        return (proof[0], proof[0]) if len(proof) == 1 else None
    if not proof:
        return None
    k, other = half(n), proof[-1]
    below = (
        climb_both(old, m, k, proof[:-1], whole)
        if m <= k
        else climb_both(old, m - k, n - k, proof[:-1], False)
    )
    if below is None:
        return None
    left, right = below
    if m <= k:
        return left, sha(b"\x01", right, other)
    return sha(b"\x01", other, left), sha(b"\x01", other, right)


def holds_inclusion(leaf: bytes, index: int, size: int, proof: list[bytes], root: bytes) -> bool:
    try:
        check_inclusion(leaf, index, size, proof, root)
    except BrokenProofError:
        return False
    return True


def holds_consistency(old: int, old_root: bytes, new: int, new_root: bytes, proof: list[bytes]) -> bool:
    try:
        check_consistency(old, old_root, new, new_root, proof)
    except BrokenProofError:
        return False
    return True


sizes = st.integers(1, MOST)


@st.composite
def changed(draw: st.DrawFn, hashes: list[Hash]) -> list[Hash]:
    """Some hashes otherwise: a bit of one, one more, one less, another order, another length of one."""
    way = draw(st.sampled_from(("bit", "more", "less", "order", "shorter", "longer", "twice")))
    at = draw(st.integers(0, max(0, len(hashes) - 1)))
    if way == "more" or not hashes:
        return [*hashes[:at], draw(st.sampled_from([bytes(32), EMPTY_ROOT, mth(0, 1)])), *hashes[at:]]
    if way == "less":
        return [*hashes[:at], *hashes[at + 1 :]]
    if way == "twice":
        return [*hashes[:at], hashes[at], *hashes[at:]]
    if way == "order" and len(hashes) > 1:
        other = (at + 1) % len(hashes)
        hashes = list(hashes)
        hashes[at], hashes[other] = hashes[other], hashes[at]
        return hashes
    item = bytearray(hashes[at])
    if way == "shorter":
        item = item[:-1]
    elif way == "longer":
        item += b"\x00"
    else:
        bit = draw(st.integers(0, 255))
        item[bit // 8] ^= 1 << bit % 8
    return [*hashes[:at], bytes(item), *hashes[at + 1 :]]


@any_time
@given(st.data())
def test_a_changed_proof_of_a_leaf_is_refused(data: st.DataObject) -> None:
    size = data.draw(sizes)
    index = data.draw(st.integers(0, size - 1))
    proof, leaf, root = path(index, 0, size), mth(index, index + 1), mth(0, size)
    other = data.draw(changed(proof))
    if other != proof:  # leaves that are alike may stand for each other
        assert not holds_inclusion(leaf, index, size, other, root)
    wrong = data.draw(changed([leaf, root]))
    if len(wrong) == 2 and wrong != [leaf, root]:
        assert not holds_inclusion(wrong[0], index, size, proof, wrong[1])


@any_time
@given(st.data())
def test_a_changed_proof_of_a_beginning_is_refused(data: st.DataObject) -> None:
    new = data.draw(sizes)
    old = data.draw(st.integers(1, new))
    proof, roots = subproof(old, 0, new, True), [mth(0, old), mth(0, new)]
    other = data.draw(changed(proof))
    if other != proof:
        assert not holds_consistency(old, roots[0], new, roots[1], other)
    wrong = data.draw(changed(roots))
    if len(wrong) == 2 and wrong != roots:
        assert not holds_consistency(old, wrong[0], new, wrong[1], proof)


def test_a_proof_of_a_leaf_holds_at_no_other_index() -> None:
    unlike = [index for index in range(33) if LEAVES.index(LEAVES[index]) == index]
    for size in range(1, 34):
        for index, other in product(unlike, range(size)):
            if index < size and other != index:
                proof = path(index, 0, size)
                assert not holds_inclusion(mth(index, index + 1), other, size, proof, mth(0, size))


def test_a_proof_of_a_leaf_holds_at_another_size_only_where_the_way_down_is_the_same() -> None:
    """A root does not say its size: there may be more leaves than there are, on the other side of the way."""
    alike = set()
    for size in range(1, 26):
        for index in range(size):
            leaf, proof, root = mth(index, index + 1), path(index, 0, size), mth(0, size)
            for other in range(34):
                if other != size:
                    holds = other > index and climb(leaf, index, other, proof) == root
                    assert holds_inclusion(leaf, index, other, proof, root) == holds
                    alike |= {(index, size, other)} if holds else set()
    assert (0, 3, 4) in alike  # [0 1] 2 and [0 1] [2 3] are the same from leaf 0
    assert not any(index == size - 1 and other < size for index, size, other in alike)


def test_a_proof_of_a_beginning_holds_at_other_sizes_only_where_the_way_down_is_the_same() -> None:
    for old, new in product(range(1, 18), range(1, 18)):
        if old >= new:
            continue
        proof, old_root, new_root = subproof(old, 0, new, True), mth(0, old), mth(0, new)
        for m, n in product(range(1, 20), range(1, 20)):
            if m < n:
                expected = climb_both(old_root, m, n, proof, True) == (old_root, new_root)
                assert holds_consistency(m, old_root, n, new_root, proof) == expected
            else:
                assert not holds_consistency(m, old_root, n, new_root, proof)


@any_time
@given(st.data())
def test_the_roots_a_proof_leads_to_are_those_of_the_definition(data: st.DataObject) -> None:
    new = data.draw(st.integers(2, MOST))
    old = data.draw(st.integers(1, new - 1))
    proof = subproof(old, 0, new, True)
    if data.draw(st.booleans()):
        proof = [sha(item) for item in proof]  # any hashes, as many as it takes
    assert roots_of_proof(old, mth(0, old), new, proof) == climb_both(mth(0, old), old, new, proof, True)


def test_between_equal_trees_and_after_an_empty_one_no_roots_are_proven() -> None:
    for old, new in ((0, 0), (0, 3), (3, 3), (4, 3), (-1, 3)):
        with pytest.raises(BrokenProofError, match=f"nothing to prove .*: 'size {old}, then {new}'"):
            roots_of_proof(old, mth(0, 3), new, [mth(0, 1)])


# --- what does not fit is named -------------------------------------------------------------------------


def test_what_does_not_fit_a_proof_of_a_leaf_is_named() -> None:
    leaf, proof, root = mth(5, 6), path(5, 0, 7), mth(0, 7)
    refusals: tuple[tuple[str, tuple[bytes, int, int, list[bytes], bytes]], ...] = (
        ("no such leaf: 'leaf 7, size 7'", (leaf, 7, 7, proof, root)),
        ("ends below the root: '2 hashes'", (leaf, 5, 7, proof[:-1], root)),
        ("goes on above the root: '4 hashes'", (leaf, 5, 7, [*proof, root], root)),
        ("leads to another root", (leaf, 5, 7, [proof[0], proof[0], proof[2]], root)),
        ("leads to another root", (mth(4, 5), 5, 7, proof, root)),
        ("a hash has 32 bytes: '31 bytes'", (leaf, 5, 7, [proof[0][1:], *proof[1:]], root)),
        ("a hash has 32 bytes: '33 bytes'", (leaf + b"!", 5, 7, proof, root)),
        ("a hash has 32 bytes: '0 bytes'", (leaf, 5, 7, proof, b"")),
    )
    for cause, (item, index, size, others, above) in refusals:
        with pytest.raises(BrokenProofError, match=cause):
            check_inclusion(item, index, size, others, above)


def test_what_does_not_fit_a_proof_of_a_beginning_is_named() -> None:
    old, new, proof = mth(0, 6), mth(0, 7), subproof(6, 0, 7, True)
    four, complete = mth(0, 4), subproof(4, 0, 7, True)
    refusals: tuple[tuple[str, tuple[int, bytes, int, bytes, list[bytes]]], ...] = (
        ("does not begin with the old tree", (6, mth(0, 5), 7, new, proof)),
        ("does not lead to the new root", (6, old, 7, mth(0, 8), proof)),
        ("does not lead to the new root", (4, mth(0, 3), 7, new, complete)),
        ("does not lead to the new root", (4, four, 7, mth(0, 6), complete)),
        ("the proof is empty", (6, old, 7, new, [])),
        ("the proof is empty", (4, four, 7, new, [])),
        ("ends below the root: '2 hashes'", (6, old, 7, new, proof[:-1])),
        ("goes on above the root: '4 hashes'", (6, old, 7, new, [*proof, new])),
        ("nothing to prove, and a proof: '1 hashes'", (0, EMPTY_ROOT, 7, new, [new])),
        ("nothing to prove, and a proof", (7, new, 7, new, [new])),
        ("not the root of the empty tree", (0, old, 7, new, [])),
        ("not the root of the empty tree", (0, old, 0, old, [])),
        ("trees of one size have different roots: 'size 7'", (7, old, 7, new, [])),
        ("trees of one size have different roots: 'size 0'", (0, EMPTY_ROOT, 0, new, [])),
        ("does not shrink: 'size 7, then 6'", (7, new, 6, old, proof)),
        ("a hash has 32 bytes", (6, old, 7, new, [proof[0] + proof[1], proof[2]])),
        ("a hash has 32 bytes", (6, old[1:], 7, new, proof)),
        ("a hash has 32 bytes", (6, old, 7, new + b"!", proof)),
    )
    for cause, (old_size, old_root, new_size, new_root, others) in refusals:
        with pytest.raises(BrokenProofError, match=cause):
            check_consistency(old_size, old_root, new_size, new_root, others)


def test_a_node_is_not_taken_for_a_leaf() -> None:
    """Whoever puts two hashes forward as the data of a leaf does not get the node above them."""
    left, right = leaf_hash(b"left"), leaf_hash(b"right")
    tree = Frontier().after(left).after(right)
    assert tree.root() == node_hash(left, right) == sha(b"\x01", left, right)
    assert leaf_hash(left + right) != tree.root()
    assert not holds_inclusion(leaf_hash(left + right), 0, 1, [], tree.root())
