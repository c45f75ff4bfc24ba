"""What a witness signs: that a log's checkpoint only adds to what the witness has seen of that log before.

A log that shows its auditor one history and another reader a different one has to sign two checkpoints that
cannot both be true. A witness that keeps no more than the last checkpoint it signed notices the second of
them. Its own signature says when it saw a checkpoint and that there is no other, to a reader who has only
that one (C2SP tlog-cosignature and tlog-witness).

Two signed checkpoints that cannot both be true are *evidence*: both bear the log's own signature, so that
anyone can check them with the log's key alone. Any other refusal may be a mistake of the client.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from houseway.errors import IllegalError
from houseway.store.entries import BrokenChainError
from houseway.store.signed_notes import (
    Cosigner,
    Note,
    Signature,
    TreeHead,
    UnknownSignerError,
    Verifier,
    check_note,
    read_note,
    read_tree_head,
)
from houseway.store.tree import EMPTY_ROOT, Hash, check_consistency, roots_of_proof


class Evidence(Struct, frozen=True):
    """Two checkpoints as the log signed them, and the proof, if it takes one, that they are not both true."""

    smaller: bytes
    larger: bytes
    proof: tuple[Hash, ...] = ()


class ForkedTreeError(BrokenChainError):
    """A log has signed two checkpoints that cannot both be true; ``evidence`` proves it."""

    def __init__(self, cause: str, evidence: Evidence, *, value: object) -> None:
        super().__init__(cause, value=value)
        self.evidence = evidence


class OldCheckpointError(IllegalError):
    """A checkpoint of a smaller tree than was seen already; ``size`` is the one that was."""

    def __init__(self, cause: str, *, size: int, value: object) -> None:
        super().__init__(cause, value=value)
        self.size = size


class WitnessAnswer(Struct, frozen=True):
    """The answer of a witness, and the note that it has then seen last."""

    signature: Signature
    last: Note
    """To be kept before the answer is given, and only if what was seen before is still the last."""


def cosign(
    keys: Sequence[Verifier],
    cosigner: Cosigner,
    last: Note | None,
    note: Note,
    proof: Sequence[Hash],
    now: datetime,
) -> WitnessAnswer:
    """Return a witness's signature of a log's checkpoint, or raise why it does not sign.

    ``keys`` are those of the log, of which it has had others before if it changes them. ``last`` is what
    ``Cosigned.last`` was the last time, or nothing if the witness has seen nothing of the log. ``proof`` is
    that the one tree begins with the other, and empty if there is nothing to prove.
    """
    if now.tzinfo is None:
        raise IllegalError("a moment is in a zone", value=now)
    head, signed = _read_signed(keys, note)
    if last is None:
        check_consistency(0, EMPTY_ROOT, head.size, head.root, proof)
    else:
        before, last = _read_signed(keys, last)
        if head.size < before.size:
            cause = "a larger tree of this log was seen before"
            raise OldCheckpointError(cause, size=before.size, value=f"size {head.size}, seen {before.size}")
        contradiction = _contradiction(before, head, proof)
        if contradiction:
            shown_by = tuple(proof) if head.size > before.size else ()
            evidence = Evidence(last.encode(), signed.encode(), shown_by)
            where = f"{head.origin}, size {before.size} and {head.size}"
            raise ForkedTreeError(contradiction, evidence, value=where)
        check_consistency(before.size, before.root, head.size, head.root, proof)
    return WitnessAnswer(cosigner.sign(head, int(now.timestamp())), signed)


def check_evidence(keys: Sequence[Verifier], evidence: Evidence) -> str:
    """Return how two checkpoints of a log contradict each other, or refuse evidence that does not show it."""
    smaller, larger = (_read_signed(keys, read_note(text))[0] for text in (evidence.smaller, evidence.larger))
    contradiction = _contradiction(smaller, larger, evidence.proof)
    if not contradiction:
        raise IllegalError("both checkpoints may be true", value=f"size {smaller.size} and {larger.size}")
    return contradiction


def _read_signed(keys: Sequence[Verifier], note: Note) -> tuple[TreeHead, Note]:
    """Return the tree head that a log signed, and the note with no signatures but the log's."""
    signed = check_note(note, keys)
    head = read_tree_head(note.text)
    if any(item.by.name != head.origin for item in signed):  # a key of one log says nothing of another
        raise UnknownSignerError("the checkpoint is of another log than the key", value=head.origin)
    return head, Note(note.text, tuple(item.signature for item in signed))


def _contradiction(smaller: TreeHead, larger: TreeHead, proof: Sequence[Hash]) -> str:
    """Return why two tree heads of one log cannot both be true; empty where that is not shown.

    A proof that leads to the root of the larger tree is made of that tree's hashes, so what it says of the
    beginning is what the log signed with that root. A proof that does not lead there shows nothing.
    """
    if smaller.size == larger.size:
        return "two roots are signed for one size" if smaller.root != larger.root else ""
    if 0 < smaller.size < larger.size:
        old, new = roots_of_proof(smaller.size, smaller.root, larger.size, proof)
        if new == larger.root and old != smaller.root:
            return "a larger tree is signed that begins otherwise"
    return ""
