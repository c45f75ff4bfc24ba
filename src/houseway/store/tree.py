"""A Merkle tree over a log: one root for all of it, short proofs of what is in it and that it only grew.

The tree is that of RFC 6962, section 2.1, with SHA-256. A leaf and a node are hashed apart, so that neither
can be taken for the other. A *complete subtree* has 2^level leaves; ``(level, index)`` names the one that
begins at leaf ``index * 2^level``. It never changes again, so a store of the hashes of complete subtrees
reads O(log n) of them for any root or proof; those of level 0 are the leaves.

Nothing here opens a store: what is kept is read through ``NodeAt``. Proofs are checked as RFC 9162 says,
sections 2.1.3.2 and 2.1.4.2. A root does not say of how many leaves it is: a proof holds at other sizes too
where the way down is the same: size and root are to come from one source, as from a signed checkpoint.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from houseway.errors import IllegalError
from houseway.store.entries import BrokenChainError

Hash = bytes
"""A SHA-256 hash: of a leaf, or of a subtree, which is its root."""
HASH_BYTES: Final = 32
EMPTY_ROOT: Final[Hash] = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""
NodeAt = Callable[[int, int], Hash]
"""Reads the hash of a complete subtree by its level and index."""
Proof = tuple[Hash, ...]
_LEAF: Final = b"\x00"
_NODE: Final = b"\x01"


class BrokenProofError(IllegalError):
    """A proof does not show what it is put forward for."""


def leaf_hash(data: bytes) -> Hash:
    """Return the hash of a leaf that holds some data."""
    return hashlib.sha256(_LEAF + data).digest()


def node_hash(left: Hash, right: Hash) -> Hash:
    """Return the hash of a node above two others."""
    return hashlib.sha256(_NODE + left + right).digest()


# --- growing ------------------------------------------------------------------------------------------


class Node(Struct, frozen=True, gc=False):
    """A complete subtree: where it is, and its hash."""

    level: int
    index: int
    hash: Hash


class Frontier(Struct, frozen=True):
    """A tree as far as adding to it needs: its size, and its complete subtrees without their leaves."""

    size: int = 0
    roots: tuple[Hash, ...] = ()
    """Of the fewest complete subtrees that hold all leaves, the largest and leftmost first."""

    def __post_init__(self) -> None:
        if self.size < 0 or len(self.roots) != self.size.bit_count():
            cause = "a tree has a complete subtree for each power of two in its size"
            raise BrokenChainError(cause, value=f"size {self.size}, subtrees {len(self.roots)}")

    def append(self, leaf: Hash) -> tuple[Frontier, list[Node]]:
        """Return the tree with one more leaf, and the subtrees that it completes, the leaf itself first.

        The leaf is given by its hash. The subtrees are what a store keeps, each of them once and for all.
        """
        index, nodes = self.size, [Node(0, self.size, leaf)]
        while index & 1:  # it is the right one of two, whose left one is the last on the frontier
            leaf = node_hash(self.roots[-len(nodes)], leaf)
            index >>= 1
            nodes.append(Node(len(nodes), index, leaf))
        left = self.roots[: len(self.roots) + 1 - len(nodes)]
        return Frontier(self.size + 1, (*left, leaf)), nodes

    def after(self, leaf: Hash) -> Frontier:
        """Return the tree with one more leaf, given by its hash."""
        return self.append(leaf)[0]

    def root(self) -> Hash:
        """Return the root of the tree."""
        return _join(self.roots) if self.roots else EMPTY_ROOT


def root_over(hashes: Sequence[Hash]) -> Hash:
    """Return the root of a small tree by the hashes of all its leaves, level by level."""
    level = [*hashes]
    while len(level) > 1:
        last = level[-1:] if len(level) & 1 else []  # the root over the right edge rises as it is
        pairs = zip(level[::2], level[1::2], strict=False)
        level = [node_hash(left, right) for left, right in pairs] + last
    return level[0] if level else EMPTY_ROOT


def frontier_at(size: int, node_at: NodeAt) -> Frontier:
    """Return the tree as it was when it had ``size`` leaves."""
    return Frontier(size, tuple(node_at(*place) for place in _complete_subtrees(0, size)))


def _join(roots: Sequence[Hash]) -> Hash:
    """Return the root above neighbouring complete subtrees, each larger than the next."""
    *larger, root = roots
    for left in reversed(larger):
        root = node_hash(left, root)
    return root


def _complete_subtrees(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield level and index of the fewest complete subtrees that hold the leaves from ``start`` to ``end``.

    ``start`` is where a subtree begins that is large enough for all of them.
    """
    while start < end:
        level = (end - start).bit_length() - 1
        yield level, start >> level
        start += 1 << level


# --- proving ------------------------------------------------------------------------------------------


def inclusion_proof(index: int, size: int, node_at: NodeAt) -> Proof:
    """Return the proof that a leaf is in the tree of some size: the other halves on the way down to it."""
    if not 0 <= index < size:
        raise IllegalError("a tree of that size has no such leaf", value=f"leaf {index}, size {size}")
    start, end, others = 0, size, []
    while end - start > 1:
        middle = _middle(start, end)
        if index < middle:
            others.append(_root_between(middle, end, node_at))
            end = middle
        else:
            others.append(_root_between(start, middle, node_at))
            start = middle
    return tuple(reversed(others))


def consistency_proof(old: int, new: int, node_at: NodeAt) -> Proof:
    """Return the proof that the tree of a size is the beginning of the tree of another.

    It is empty between trees of one size, and after the empty tree, with which every tree begins.
    """
    if not 0 <= old <= new:
        raise IllegalError(
            "a tree is the beginning of one as large or larger", value=f"size {old}, size {new}"
        )
    if old == 0:
        return ()
    start, end, others = 0, new, []
    while end != old:
        middle = _middle(start, end)
        if old <= middle:
            others.append(_root_between(middle, end, node_at))
            end = middle
        else:
            others.append(_root_between(start, middle, node_at))
            start = middle
    if start:  # the old tree is no subtree of the new one, so that its root alone does not begin the proof
        others.append(_root_between(start, old, node_at))
    return tuple(reversed(others))


def _middle(start: int, end: int) -> int:
    """Return where some leaves part: left of it are as many as the largest power of 2 below their number."""
    return start + (1 << (end - start - 1).bit_length() - 1)


def _root_between(start: int, end: int, node_at: NodeAt) -> Hash:
    return _join([node_at(*place) for place in _complete_subtrees(start, end)])


# --- checking -----------------------------------------------------------------------------------------


def check_inclusion(leaf: Hash, index: int, size: int, proof: Sequence[Hash], root: Hash) -> None:
    """Refuse a proof that does not show a leaf, given by its hash, in the tree of some size and root."""
    if not 0 <= index < size:
        raise BrokenProofError("a tree of that size has no such leaf", value=f"leaf {index}, size {size}")
    _check_hashes(leaf, *proof, root)
    node, last, subtree = index, size - 1, leaf
    for other in proof:
        if last == 0:
            raise BrokenProofError("the proof goes on above the root", value=f"{len(proof)} hashes")
        rise = 1
        if node & 1 or node == last:
            subtree = node_hash(other, subtree)
            rise += _trailing_zeros(node)  # at the right edge a subtree rises until it has a left neighbour
        else:
            subtree = node_hash(subtree, other)
        node, last = node >> rise, last >> rise
    if last:
        raise BrokenProofError("the proof ends below the root", value=f"{len(proof)} hashes")
    if subtree != root:
        raise BrokenProofError("the proof of the leaf leads to another root", value=subtree.hex())


def check_consistency(
    old_size: int, old_root: Hash, new_size: int, new_root: Hash, proof: Sequence[Hash]
) -> None:
    """Refuse a proof that does not show one tree to be the beginning of another."""
    if not 0 <= old_size <= new_size:
        raise BrokenProofError("a tree does not shrink", value=f"size {old_size}, then {new_size}")
    _check_hashes(old_root, *proof, new_root)
    if old_size in (0, new_size):
        if proof:
            raise BrokenProofError("there is nothing to prove, and a proof", value=f"{len(proof)} hashes")
        if old_size == 0 and old_root != EMPTY_ROOT:
            raise BrokenProofError("that is not the root of the empty tree", value=old_root.hex())
        if old_size == new_size and old_root != new_root:
            raise BrokenProofError("trees of one size have different roots", value=f"size {old_size}")
        return
    old, new = roots_of_proof(old_size, old_root, new_size, proof)
    if old != old_root:
        raise BrokenProofError("the proof does not begin with the old tree", value=old.hex())
    if new != new_root:
        raise BrokenProofError("the proof does not lead to the new root", value=new.hex())


def roots_of_proof(old_size: int, old_root: Hash, new_size: int, proof: Sequence[Hash]) -> tuple[Hash, Hash]:
    """Return the roots of both trees that a proof of consistency leads to, the smaller tree not empty.

    If the second is the root of the larger tree, then the first is that of its beginning, no matter who made
    the proof: every hash in it is then one of that tree's. Where the old tree is a complete subtree, its root
    is not in the proof but goes into both.
    """
    _check_hashes(old_root, *proof)
    if not 0 < old_size < new_size:
        cause = "there is nothing to prove of trees of these sizes"
        raise BrokenProofError(cause, value=f"size {old_size}, then {new_size}")
    if not proof:
        raise BrokenProofError("the proof is empty", value=f"size {old_size}, then {new_size}")
    first, *others = (old_root, *proof) if old_size.bit_count() == 1 else proof
    level = _trailing_zeros(old_size)
    node, last, old, new = (old_size - 1) >> level, (new_size - 1) >> level, first, first
    for other in others:
        if last == 0:
            raise BrokenProofError("the proof goes on above the root", value=f"{len(proof)} hashes")
        rise = 1
        if node & 1 or node == last:
            old, new = node_hash(other, old), node_hash(other, new)
            rise += _trailing_zeros(node)
        else:
            new = node_hash(new, other)
        node, last = node >> rise, last >> rise
    if last:
        raise BrokenProofError("the proof ends below the root", value=f"{len(proof)} hashes")
    return old, new


def _check_hashes(*hashes: Hash) -> None:
    """Refuse what is no hash: two halves of other lengths could make up the same node."""
    for item in hashes:
        if len(item) != HASH_BYTES:
            raise BrokenProofError(f"a hash has {HASH_BYTES} bytes", value=f"{len(item)} bytes")


def _trailing_zeros(number: int) -> int:
    """Return how often 2 divides a number, which is not 0."""
    return (number & -number).bit_length() - 1
