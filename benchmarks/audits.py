"""A log audited: turns decided again, entries made leaves and signed, and how short a proof is."""

from __future__ import annotations

import time

from benchmarks.floors import NOON, SAFE, database, make_tables, new_floor, open_url, play_until
from benchmarks.measure import Measure
from houseway.floor.verification import verify_floor, verify_start
from houseway.store.checkpoints import take_checkpoint
from houseway.store.tree import Frontier, consistency_proof, inclusion_proof, leaf_hash
from houseway.store.tree_log import Notary, check_tree, grow, sign_tree

TABLES, ROUNDS = 4, 25
LEAVES = 1_000_000
MANY = 100_000
"""So many rounds a busy floor plays in some weeks."""


def audits() -> list[Measure]:
    """A floor that has played is decided again whole, and from its last checkpoint; its tree is grown."""
    with database("SQLite") as url:
        store = open_url(url)
        floor = new_floor(store)
        names = [f"t{number}" for number in range(TABLES)]
        make_tables(floor, "pa-659a", names)
        for name in names:
            play_until(floor, name, ROUNDS)
        notary, entries = Notary(SAFE), sum(head.version for head in store.heads().values())
        begin = time.process_time()
        grow(store, notary)
        leaf = (time.process_time() - begin) / entries
        head = sign_tree(store, notary, NOON)
        assert head is not None
        with store.picture() as picture:
            begin = time.process_time()
            found = verify_floor(picture)
            whole = time.process_time() - begin
            begin = time.process_time()
            check_tree(picture, notary.verifier, [head.note])
            tree = time.process_time() - begin
        take_checkpoint(store, NOON)
        begin = time.process_time()
        verify_start(new_floor(store))
        start = time.process_time() - begin
        store.close()
    rounds = TABLES * ROUNDS
    return [
        Measure("turns decided again, on one core", found.decided / whole, "turns/s"),
        Measure(f"  {MANY:,} rounds at this rate, on one core", whole * MANY / rounds / 60, "minutes"),
        Measure("  an entry made a leaf of the tree", 1e6 * leaf, "µs"),
        Measure("  an entry checked in the tree", 1e6 * tree / entries, "µs"),
        Measure(f"  a start from a checkpoint, {rounds} rounds behind it", 1e3 * start, "ms"),
        *proofs(),
    ]


def proofs() -> list[Measure]:
    """How large proofs are in a tree of a million leaves."""
    frontier, nodes = Frontier(), dict[tuple[int, int], bytes]()
    begin = time.process_time()
    for number in range(LEAVES):
        frontier, completed = frontier.append(leaf_hash(number.to_bytes(8, "big")))
        nodes |= {(node.level, node.index): node.hash for node in completed}
    spent = time.process_time() - begin

    def node_at(level: int, index: int) -> bytes:
        return nodes[level, index]

    inclusion = max(len(inclusion_proof(n, LEAVES, node_at)) for n in range(0, LEAVES, LEAVES // 500))
    consistency = max(len(consistency_proof(n, LEAVES, node_at)) for n in range(1, LEAVES, LEAVES // 500))
    return [
        Measure(f"{LEAVES:,} leaves hashed into a tree", spent, "s"),
        Measure("  the longest proof that an entry is in it", 32 * inclusion, "bytes"),
        Measure("  the longest proof that it goes on from another", 32 * consistency, "bytes"),
    ]
