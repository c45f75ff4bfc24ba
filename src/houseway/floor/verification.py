"""The log of a floor checked: chains, checkpoints, and all that its entries come to.

An entry that does not fit, or would be decided differently, is named by stream and version. A start checks
only what came after the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from houseway.chips import ChipConfig, standard_config
from houseway.errors import HousewayError
from houseway.floor.audit import (
    ANYBODY,
    MISSING,
    Audit,
    DecksOf,
    FloorVerification,
    MissingDeckError,
    Persons,
    no_decks,
)
from houseway.floor.audit.shares import AT_THE_END, NO_SHARES, Shares, add_results, raise_first
from houseway.floor.audit.table_judge import Decks
from houseway.floor.audit.tail_audit import TailAudit
from houseway.floor.core import Floor
from houseway.floor.floor_books import place
from houseway.floor.floor_keys import first_key, keys_on_record, periods_of
from houseway.floor.restores import check_head_of
from houseway.floor.running_table import RunningTable, decks_of, open_commitments
from houseway.floor.shared_meters import check_meter
from houseway.floor.streams import TableId, is_practice
from houseway.rng import SealedDeck
from houseway.store.checkpoints import check_checkpoints, read_checkpoint
from houseway.store.entries import EMPTY, BrokenChainError, Head, StreamId, check_next
from houseway.store.log_check import LogCheck, LogVerification, check_exported
from houseway.store.protocol import START, Checkpoint, LockedDeck, Picture, Snapshot, Streams
from houseway.store.safe import Believes, DeckSafe, believe_none
from houseway.store.shape import check_shape_of
from houseway.store.signed_notes import Verifier
from houseway.store.tree_log import check_tree


class TailVerification(Struct, frozen=True):
    """The result of a check of what came after a checkpoint."""

    log: LogVerification
    checkpoint: int
    """The number of the checkpoint; 0 if there is none, and everything was decided again."""
    decided: int


def verify_floor(
    picture: Picture,
    exported: Iterable[bytes] = (),
    on_entry: Callable[[], object] = lambda: None,
    *,
    persons: Persons = ANYBODY,
    decks: DecksOf = no_decks,
    believes: Believes | None = None,
    heads: Sequence[bytes] = (),
    verifier: Verifier | None = None,
    shares: Shares = NO_SHARES,
) -> FloorVerification:
    """Check a whole log, and decide everything in it again; ``on_entry`` is called for every entry.

    One pass over the log, which keeps the state of tables and meters, but not their history. With the
    floor's key (``believes``), snapshots are checked to be made with it. ``heads`` are signed heads of the
    tree kept outside the store, ``verifier`` is the floor's public key. ``shares`` decide the turns of some
    tables meanwhile.
    """
    check = LogCheck(picture.checkpoints(), exported)
    audit = Audit(picture, persons, decks=decks, believes=believes, elsewhere=shares.streams)
    position = START
    try:
        for position, entry in picture.everything():  # noqa: B007 - where a fault is noticed
            check.see(entry)
            audit.see(entry, covers_answer=entry.stream in check.covered)
            on_entry()
        position = AT_THE_END
        keys = keys_on_record(picture)
        tree = check_tree(picture, first_key(keys, verifier), heads, periods_of(keys, picture.tree))
        for restored in audit.house.restored:
            check_head_of(restored, picture.tree)
        verified = audit.finish(check.finish(), tree)
    except HousewayError as error:
        raise_first(shares, position, error)
        raise
    raise_first(shares, AT_THE_END)
    return add_results(verified, shares.results())


def decks_in(picture: Picture, safe: DeckSafe) -> DecksOf:
    """Return a function that opens the sealed decks of a picture with the floor's key."""
    locked: dict[StreamId, list[LockedDeck]] = {}
    for deck in picture.every_sealed():
        locked.setdefault(deck.stream, []).append(deck)

    def open_decks(stream: StreamId) -> dict[str, SealedDeck]:
        return {
            deck.commitment: safe.unlock(stream, deck.commitment, deck.sealed)
            for deck in locked.get(stream, ())
        }

    return open_decks


# --- since a checkpoint, and at a start ---------------------------------------------------------------


def verify_start(floor: Floor, persons: Persons = ANYBODY, exported: Iterable[bytes] = ()) -> LogVerification:
    """Check what came after the last checkpoint, deciding it again, before a floor is served.

    Checkpoints that were ``exported`` must be those in the store.
    """
    check_shape_of(floor.store)
    tail = verify_tail(
        floor.store,
        persons,
        lambda running: decks_of(floor.store, floor.safe, running),
        floor.safe.snapshots.believes,
        floor.chips,
        exported,
    )
    for meter in floor.meters():
        check_meter(floor.meter(meter))
    for table in floor.tables:
        if not is_practice(table):
            _check_decks(floor, table)
    return tail.log


def verify_tail(
    streams: Streams,
    persons: Persons,
    decks: Callable[[RunningTable], Decks],
    believes: Believes = believe_none,
    chips: ChipConfig | None = None,
    exported: Iterable[bytes] = (),
) -> TailVerification:
    """Check and decide again what came after the last checkpoint; what came before is taken as it stands."""
    log = verify_since_checkpoint(streams, exported)
    last = check_checkpoints(streams.checkpoints())
    seen = {
        stream: Head(version, bytes.fromhex(digest)) for stream, (version, digest) in _heads_of(last).items()
    }
    decided = TailAudit(streams, seen, persons, believes, chips or standard_config()).run(decks)
    return TailVerification(log, last.number if last else 0, decided)


def _check_decks(floor: Floor, table: TableId) -> None:
    """Refuse a table that has committed to a deck which is not locked away, or not with this floor's key."""
    running = floor.table(table)
    missing = open_commitments(running.table) - floor.store.sealed_decks(running.stream).keys()
    for commitment in sorted(missing):
        raise MissingDeckError(MISSING, value=commitment, where=f"table {table}")


def verify_since_checkpoint(streams: Streams, exported: Iterable[bytes] = ()) -> LogVerification:
    """Check every chain from the last checkpoint on, and that its entries are there; all if there is none."""
    checkpoints, lines = streams.checkpoints(), list(exported)
    last = check_checkpoints(checkpoints)
    check_exported(checkpoints, lines)
    seen = _heads_of(last)
    ends = streams.heads()
    for stream, (version, _) in sorted(seen.items()):
        if stream not in ends or ends[stream].version < version:
            where = f"{place(stream, version)}, checkpoint {last.number if last else 0}"
            raise BrokenChainError("entries are missing that a checkpoint saw", value=where)
    snapshots = streams.snapshots(list(ends))
    entries = sum(_check_since(streams, stream, *seen.get(stream, (0, ""))) for stream in sorted(ends))
    for stream, snapshot in snapshots.items():
        _check_hash_at(streams, stream, snapshot)
    return LogVerification(len(ends), entries, len(checkpoints), len(lines))


def _heads_of(checkpoint: Checkpoint | None) -> dict[StreamId, tuple[int, str]]:
    return read_checkpoint(checkpoint.body).heads if checkpoint else {}


def _check_since(streams: Streams, stream: StreamId, version: int, seen: str) -> int:
    """Check a stream from the entry that a checkpoint saw; return how many entries were read."""
    tail = iter(streams.tails({stream: max(0, version - 2)}))
    head, count = EMPTY, 0
    if version > 1:
        head = next(tail).head  # what the entry of the checkpoint is chained to
    for entry in tail:
        head = check_next(entry, head)
        count += 1
        if entry.version == version and entry.hash.hex() != seen:
            raise BrokenChainError("entries were rewritten since a checkpoint", value=place(stream, version))
    return count


def _check_hash_at(streams: Streams, stream: StreamId, snapshot: Snapshot) -> None:
    at = next(iter(streams.part(stream, snapshot.version - 1, snapshot.version)), None)
    if at is None or at.head != Head(snapshot.version, snapshot.hash):
        raise BrokenChainError("a snapshot is of no entry", value=place(stream, snapshot.version))
