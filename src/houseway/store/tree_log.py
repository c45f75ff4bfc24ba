"""The tree over all entries grown, signed, proven and checked.

Entries become leaves in the order in which readers of everything see them, one server at a time: the
second to try finds the leaf taken. What is stored of the tree follows from its leaves; a signed head stands
by itself.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct

from houseway.store.body_parts import NO_PARTS, SALT_BYTES, SaltOf, root_of_body
from houseway.store.entries import GENESIS, BrokenChainError, Entry, StreamId
from houseway.store.key_changes import Period, key_at
from houseway.store.protocol import Batch, Checkpoint, Leaf, Picture, SignedHead, Store, Tile, Tree
from houseway.store.safe import DeckSafe
from houseway.store.signed_notes import (
    Details,
    Note,
    Signer,
    TreeHead,
    Verifier,
    check_note,
    read_details,
    read_note,
    read_tree_head,
    sign_note,
)
from houseway.store.store_errors import StaleError
from houseway.store.tree import (
    HASH_BYTES,
    Frontier,
    Hash,
    Node,
    NodeAt,
    Proof,
    consistency_proof,
    frontier_at,
    inclusion_proof,
    leaf_hash,
    node_hash,
)

HEIGHT: Final = 8
"""Every eighth level of the tree is kept; those between follow from it."""
WIDTH: Final = 1 << HEIGHT
AT_ONCE: Final = 1_000
"""How many entries become leaves in one transaction."""
SIGNING: Final = "signed heads"
SALTING: Final = "salts of leaves"
SALTING_PARTS: Final = "salts of parts"
"""The purposes that keys are derived for. They never change, or earlier signatures would be void."""
SALTS: Final = (SALTING, SALTING_PARTS)
"""What is needed of a former key to show, and to make again, the leaves of its time."""
TAKEN_APART: Final = "table/"
"""What the streams are called whose entries are taken apart, so that some of what they say can be shown."""
_LEAF: Final = b"houseway-leaf/1"


class Notary:
    """Signs the tree of a floor and salts its leaves, by keys that come of the floor's key."""

    def __init__(self, safe: DeckSafe) -> None:
        secret = safe.derive(SIGNING)
        self._former = [(key.until, key.key_for(SALTING), key.key_for(SALTING_PARTS)) for key in safe.former]
        self._own = safe.derive(SALTING), safe.derive(SALTING_PARTS)
        public = Signer("houseway", secret).verifier.public_key
        self.signer = Signer(f"houseway/{public.hex()[:16]}", secret)

    @property
    def verifier(self) -> Verifier:
        """What its signatures are checked with: a public key, under its own name."""
        return self.signer.verifier

    @property
    def begins(self) -> int:
        """The first leaf that is salted by its own key: heads that count no more are of a former key."""
        return self._former[-1][0] if self._former else 0

    def _salts(self, number: int) -> tuple[bytes, bytes]:
        """Return the keys that salt a leaf and its parts, derived from the floor's key of its time."""
        for until, salts, salts_of_parts in self._former:
            if number < until:
                return salts, salts_of_parts
        return self._own

    def ends(self, checkpoint: Checkpoint | None, size: int) -> Hash:
        """Return the code of a checkpoint in a head, which is public: no hash can be tried out on it."""
        salts, _ = self._salts(size - 1)
        return hmac.digest(salts, b"checkpoint" + checkpoint.hash, "sha256") if checkpoint else GENESIS

    def salt(self, stream: StreamId, version: int, number: int) -> bytes:
        """Return the salt of the leaf of a number, which an entry becomes."""
        salts, _ = self._salts(number)
        return hmac.digest(salts, f"{stream}\n{version}".encode(), "sha256")[:SALT_BYTES]

    def salt_of(self, stream: StreamId, version: int, number: int) -> SaltOf:
        """Return a function for the salts of the parts of an entry, which is the leaf of a number."""
        _, salts = self._salts(number)
        key = hmac.digest(salts, f"{stream}\n{version}".encode(), "sha256")
        return lambda path: hmac.digest(key, path.encode(), "sha256")[:SALT_BYTES]

    def parts(self, entry: Entry, number: int) -> Hash:
        """Return the root over the parts of what an entry says."""
        if not entry.stream.startswith(TAKEN_APART):
            return NO_PARTS
        return root_of_body(entry.body, self.salt_of(entry.stream, entry.version, number))

    def leaf(self, number: int, entry: Entry) -> Leaf:
        """Return the leaf that an entry becomes."""
        salt, parts = self.salt(entry.stream, entry.version, number), self.parts(entry, number)
        return Leaf(number=number, stream=entry.stream, version=entry.version, salt=salt, parts=parts)


def blind(leaf: Leaf, digest: bytes) -> Hash:
    """Return the salted hash that stands for an entry's: without the salt it reveals nothing of the entry."""
    return hashlib.sha256(leaf.salt + digest).digest()


def hash_of_leaf(leaf: Leaf, digest: bytes) -> Hash:
    """Return the leaf of an entry, whose hash covers all that it says and all before it in its stream."""
    return hash_of_blinded(leaf.stream, leaf.version, blind(leaf, digest), leaf.parts)


def hash_of_blinded(stream: StreamId, version: int, hidden: Hash, parts: Hash) -> Hash:
    """Return the leaf of an entry, given its salted hash."""
    fields = (stream.encode(), str(version).encode(), hidden, parts)
    return leaf_hash(_LEAF + b"".join(len(field).to_bytes(8, "big") + field for field in fields))


# --- growing ------------------------------------------------------------------------------------------


def grow(store: Store, notary: Notary) -> int:
    """Make leaves of all entries that are none yet; return the size of the tree."""
    while grow_by(store, notary, AT_ONCE):
        pass
    return store.tree.size()


def grow_by(store: Store, notary: Notary, most: int) -> int:
    """Make leaves of the next few entries that are none yet; return how many entries were read."""
    tree, size = store.tree, store.tree.size()
    page = [entry for _, entry in islice(store.everything(tree.end()), most)]
    known = tree.among([(entry.stream, entry.version) for entry in page]) if page else frozenset()
    fresh = [entry for entry in page if (entry.stream, entry.version) not in known]
    if fresh:
        with suppress(StaleError):  # another server was first: the next look begins after what it did
            store.append_batch(_grow_batch(tree, size, fresh, notary))
        return len(page)
    return 0


def _grow_batch(tree: Tree, size: int, entries: list[Entry], notary: Notary) -> Batch:
    """Return what the tree gets by more entries."""
    frontier, tiles = frontier_at(size, nodes_of(tree)), dict[tuple[int, int], bytearray]()
    leaves = list[Leaf]()
    for entry in entries:
        leaf = notary.leaf(frontier.size, entry)
        leaves.append(leaf)
        frontier, nodes = frontier.append(hash_of_leaf(leaf, entry.hash))
        for node in nodes:
            _keep(node, tiles, tree)
    rows = [Tile(level=level, number=number, hashes=bytes(row)) for (level, number), row in tiles.items()]
    return Batch(leaves=leaves, tiles=rows)


def _keep(node: Node, tiles: dict[tuple[int, int], bytearray], tree: Tree | None) -> None:
    """Put a node into its tile, if its level is kept."""
    level, between = divmod(node.level, HEIGHT)
    if between:
        return
    number, offset = divmod(node.index, WIDTH)
    if (level, number) not in tiles:
        tiles[level, number] = bytearray(tree.tile(level, number) if tree is not None else b"")
    tiles[level, number][offset * HASH_BYTES :] = node.hash


def nodes_of(tree: Tree) -> NodeAt:
    """Return a function that reads the nodes of a stored tree."""
    tile_at = cache(tree.tile)

    def node_at(level: int, index: int) -> Hash:
        row, between = divmod(level, HEIGHT)
        number, offset = divmod(index << between, WIDTH)
        hashes = tile_at(row, number)
        parts = [
            hashes[n * HASH_BYTES : (n + 1) * HASH_BYTES] for n in range(offset, offset + (1 << between))
        ]
        if any(len(part) != HASH_BYTES for part in parts):
            raise BrokenChainError("a node of the tree is missing", value=f"level {level}, {index}")
        while len(parts) > 1:
            parts = [node_hash(left, right) for left, right in zip(parts[::2], parts[1::2], strict=True)]
        return parts[0]

    return node_at


# --- signing ------------------------------------------------------------------------------------------


def sign_tree(store: Store, notary: Notary, now: datetime) -> SignedHead | None:
    """Grow the tree and sign it, if it has grown since it was signed; return the last head."""
    size, last = grow(store, notary), store.tree.last_signed()
    if last is not None and last.size >= size:
        return last
    checkpoint = next(reversed(store.checkpoints()), None)
    details = Details(notary.ends(checkpoint, size), now, checkpoint.number if checkpoint else 0)
    head = TreeHead(
        origin=notary.verifier.name,
        size=size,
        root=frontier_at(size, nodes_of(store.tree)).root(),
        extensions=details.lines(),
    )
    signed = SignedHead(size=size, at=now, note=sign_note(head.text, notary.signer).encode())
    try:
        store.append_batch(Batch(signed=[signed]))
    except StaleError:
        return store.tree.last_signed()  # another server signed a tree of this size
    return signed


def check_extends(tree: Tree, note: bytes, verifier: Verifier | None, periods: Sequence[Period] = ()) -> None:
    """Refuse a tree that does not begin with one that was signed before, as far as its nodes tell.

    The signature is checked where a key is given. It takes a few look-ups; ``check_tree`` is what computes
    all nodes again from entries.
    """
    head = _check_head(note, verifier, periods)
    check_begins(tree, head.size, head.root)


def check_begins(tree: Tree, size: int, root: Hash) -> None:
    """Refuse a tree whose first ``size`` leaves do not come to a root, as far as its nodes tell."""
    leaves = tree.size()
    if leaves < size:
        where = f"{leaves:,} entries, {size:,} were signed"
        raise BrokenChainError("entries are missing that a signed head counts", value=where)
    if frontier_at(size, nodes_of(tree)).root() != root:
        raise BrokenChainError("entries were rewritten since a head was signed", value=f"{size:,} leaves")


def head_path(path: Path) -> Path:
    """Return where the last signed head of a SQLite file is kept beside it."""
    return path.with_name(f"{path.name}.head")


def write_head_file(path: Path, head: SignedHead) -> None:
    """Keep a signed head beside a SQLite file, so that a file that goes back behind it is noticed."""
    place = head_path(path)
    fresh = place.with_name(f".{place.name}.{os.getpid()}")
    fresh.write_bytes(head.note)
    fresh.replace(place)


# --- proving ------------------------------------------------------------------------------------------


class Inclusion(Struct, frozen=True, kw_only=True):
    """That an entry is a leaf of the tree of some size."""

    leaf: Leaf
    size: int
    proof: Proof


def prove_inclusion(tree: Tree, stream: StreamId, version: int, size: int) -> Inclusion | None:
    """Return the proof that an entry is in the tree of some size, or None if it is not."""
    leaf = tree.leaf_of(stream, version)
    if leaf is None or leaf.number >= size:
        return None
    return Inclusion(leaf=leaf, size=size, proof=inclusion_proof(leaf.number, size, nodes_of(tree)))


def prove_consistency(tree: Tree, old: int, new: int) -> Proof:
    """Return the proof that the tree of one size is the beginning of that of another."""
    return consistency_proof(old, new, nodes_of(tree))


# --- checking -----------------------------------------------------------------------------------------


class TreeVerification(Struct, frozen=True):
    """The result of a check of the tree."""

    leaves: int = 0
    heads: int = 0
    kept_elsewhere: int = 0
    """How many heads kept outside the store are of this tree."""
    signed_by: str = ""
    """The key by which all of them are signed; empty where no key was given, so that none was checked."""


def check_tree(
    picture: Picture,
    verifier: Verifier | None = None,
    kept_elsewhere: Sequence[bytes] = (),
    periods: Sequence[Period] = (),
) -> TreeVerification:
    """Make the tree again from the entries, and compare all that is kept of it and heads kept elsewhere.

    Each head is signed by the key that is on record in it (``periods``), or by ``verifier`` before the first.
    """
    tree = picture.tree
    rows = list(tree.signed_heads())
    notes = (*(row.note for row in rows), *kept_elsewhere)
    heads = [_check_head(note, verifier, periods) for note in notes]
    for row, head in zip(rows, heads, strict=False):
        if row.size != head.size:
            raise BrokenChainError("a signed head lies under another size", value=row.size)
        if row.at != read_details(head.extensions).at:
            raise BrokenChainError("a signed head lies under another moment", value=row.size)
    roots, size = _roots(tree, {head.size for head in heads})
    for head in heads:
        where = f"{head.size:,} leaves"
        if head.size not in roots:
            raise BrokenChainError("entries are missing that a signed head counts", value=where)
        if roots[head.size] != head.root:
            raise BrokenChainError("entries were rewritten since a head was signed", value=where)
    outside = tree.first_outside()
    if outside is not None and outside <= tree.end():
        raise BrokenChainError("an entry was put in between that is no leaf of the tree", value=outside[1])
    return TreeVerification(
        size, len(rows), len(kept_elsewhere), str(key_at(periods, size) or verifier or "")
    )


def check_leaves(picture: Picture, notary: Notary) -> int:
    """Make every leaf again with the floor's key, refuse one that is not its entry's; return their number.

    Without the key one sees that leaves hold the hashes of entries; with it one sees, too, that their parts
    are what the entries say, and are salted so that they cannot be guessed.
    """
    checkpoints = {checkpoint.number: checkpoint for checkpoint in picture.checkpoints()}
    for row in picture.tree.signed_heads():
        details = read_details(_check_head(row.note, None).extensions)
        if details.heads != notary.ends(checkpoints.get(details.number), row.size):
            raise BrokenChainError("a signed head names another checkpoint", value=details.number)
    entries, waiting, count = picture.everything(), dict[tuple[StreamId, int], Entry](), 0
    for leaf, _ in picture.tree.leaves():
        place = leaf.stream, leaf.version
        while place not in waiting:  # they come in one order, but for servers that wrote at the same time
            following = next(entries, None)
            if following is None:
                where = f"{leaf.stream} version {leaf.version}"
                raise BrokenChainError("the entry of a leaf is missing", value=where)
            entry = following[1]
            waiting[entry.stream, entry.version] = entry
        if notary.leaf(leaf.number, waiting.pop(place)) != leaf:
            where = f"{leaf.stream} version {leaf.version}"
            raise BrokenChainError("the parts of a leaf are not what its entry says", value=where)
        count += 1
    return count


def _check_head(note: bytes, verifier: Verifier | None, periods: Sequence[Period] = ()) -> TreeHead:
    """Return the tree head of a note, with its signature checked if a key is known."""
    read: Note = read_note(note)
    head = read_tree_head(read.text)
    key = key_at(periods, head.size) or verifier
    if key is not None:
        check_note(read, [key])
    return head


def _roots(tree: Tree, sizes: set[int]) -> tuple[Mapping[int, Hash], int]:
    """Return the roots of the tree at some sizes, and its size, with its tiles compared on the way."""
    frontier, tiles, roots = Frontier(), dict[tuple[int, int], bytearray](), dict[int, Hash]()
    if 0 in sizes:
        roots[0] = frontier.root()
    for leaf, digest in tree.leaves():
        where = f"{leaf.stream} version {leaf.version}"
        if leaf.number != frontier.size:
            raise BrokenChainError("the leaves of the tree are not counted on", value=where)
        if not digest:
            raise BrokenChainError("the entry of a leaf is missing", value=where)
        frontier, nodes = frontier.append(hash_of_leaf(leaf, digest))
        for node in nodes:
            _keep(node, tiles, None)
        if frontier.size in sizes:
            roots[frontier.size] = frontier.root()
        if frontier.size % WIDTH == 0:
            _compare(tree, tiles, full=True)
    _compare(tree, tiles, full=False)
    return roots, frontier.size


def _compare(tree: Tree, tiles: dict[tuple[int, int], bytearray], *, full: bool) -> None:
    """Compare tiles with those that are kept, and let go of those that are full."""
    for (level, number), row in [*tiles.items()]:
        if full and len(row) < WIDTH * HASH_BYTES:
            continue
        if tree.tile(level, number) != bytes(row):
            raise BrokenChainError(
                "a tile of the tree is not what its leaves come to", value=f"{level}/{number}"
            )
        del tiles[level, number]
