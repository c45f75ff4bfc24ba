"""The check of a receipt, which needs no database and no trust in anything but the floor's key.

The first thing that does not fit is named. What was found is listed, and so is what the receipt alone cannot
decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import MsgspecError, Struct

from houseway.cards import CardError, Cards
from houseway.errors import HousewayError, IllegalError
from houseway.floor.receipts.deal_order import is_dealt_in_order
from houseway.floor.receipts.model import Receipt, read_hash, read_receipt, statement
from houseway.floor.receipts.redecision import Findings, NotPaidSoError, decide_again, rules_of
from houseway.floor.receipts.shown_events import SeenEvent, cards_in, events_of, is_turn
from houseway.floor.receipts.words import ORDER_SHOWN
from houseway.floor.streams import table_stream
from houseway.rng import SealedDeck
from houseway.rounds.outcomes import Ends
from houseway.rounds.steps import OUTCOMES
from houseway.store.body_parts import root_of
from houseway.store.signed_notes import (
    SignatureKind,
    TreeHead,
    Verifier,
    check_note,
    read_note,
    read_tree_head,
    read_verifier,
)
from houseway.store.tree import check_inclusion
from houseway.store.tree_log import hash_of_blinded

SENSELESS: Final = (
    *(HousewayError, MsgspecError, LookupError, ValueError, TypeError, AttributeError),
    *(RecursionError, OverflowError),
)
"""What reading and checking raise over a receipt that no floor can have made."""
ENDS: Final = frozenset(str(kind.__struct_config__.tag) for kind in OUTCOMES if issubclass(kind, Ends))
"""What comes of the step that ends a round, by its name."""


class BrokenReceiptError(IllegalError):
    """A receipt that does not show what it is put forward for."""


class ReceiptFindings(Struct, frozen=True, kw_only=True):
    """The findings of a check of a receipt."""

    receipt: Receipt
    size: int
    """How large the signed tree is."""
    shown: tuple[str, ...]
    """What was found to be true, in words."""
    not_decided: tuple[str, ...]
    """What could not be decided by the receipt alone."""


def check_receipt(
    data: bytes,
    *,
    signed_by: Verifier | None = None,
    head: bytes | None = None,
    witness: Verifier | None = None,
) -> ReceiptFindings:
    """Check a receipt, or name the first thing in it that does not fit.

    ``signed_by`` is the floor's key as the reader knows it; ``head`` is a signed head kept elsewhere, and
    ``witness`` the key of a witness who has signed that one, too.
    """
    try:
        receipt, body, note = read_receipt(data)
        verifier = read_verifier(receipt.signed_by)
        if signed_by is not None and signed_by != verifier:
            raise BrokenReceiptError("the receipt is signed by another key", value=receipt.signed_by)
        check_note(note, [verifier])
        if note.text != statement(body):
            raise BrokenReceiptError("the signature is of another receipt")
        tree, witnessed = _head(receipt, verifier, head, witness)
        _check_places(receipt, tree)
        events = list(events_of(receipt.entries))
        _check_order(receipt, events)
        deck = _check_deck(receipt, events)
        again = decide_again(receipt, events)
    except BrokenReceiptError:
        raise
    except NotPaidSoError as error:
        raise BrokenReceiptError(str(error)) from None
    except SENSELESS as error:
        cause = str(error) if isinstance(error, HousewayError) else "its data is not consistent"
        raise BrokenReceiptError(cause) from error
    shown = (
        f"signed by {receipt.signed_by}",
        f"{len(receipt.entries)} entries of {receipt.table}, round {receipt.round}, stand in a signed tree of"
        f" {tree.size:,}",
        f"{len(events)} steps, none left out",
        *deck.decided,
        *again.decided,
        *witnessed,
    )
    left = (*deck.not_decided, *again.not_decided)
    return ReceiptFindings(receipt=receipt, size=tree.size, shown=shown, not_decided=left)


def _head(
    receipt: Receipt, verifier: Verifier, elsewhere: bytes | None, witness: Verifier | None
) -> tuple[TreeHead, tuple[str, ...]]:
    """Return the signed head, and in words what a head kept elsewhere and a witness add to it."""
    note = read_note(receipt.head.encode())
    check_note(note, [verifier])
    head = read_tree_head(note.text)
    if head.origin != verifier.name:
        raise BrokenReceiptError("the head is of another log", value=head.origin)
    if elsewhere is None:
        if witness is not None:
            raise BrokenReceiptError("there is no head that the witness has signed")
        return head, ()
    other_note = read_note(elsewhere)
    check_note(other_note, [verifier])
    other = read_tree_head(other_note.text)
    if other.size != head.size:
        cause = f"the head kept elsewhere is of {other.size:,} entries, the receipt's of {head.size:,}"
        raise BrokenReceiptError(f"{cause}: ask for a receipt in the tree of that size")
    if other_note.text != note.text:
        raise BrokenReceiptError("the head kept elsewhere is another: the floor shows two histories")
    if witness is None:
        return head, ("the head kept elsewhere is the same",)
    if witness.kind is not SignatureKind.COSIGNATURE:
        raise BrokenReceiptError("that is no witness's key", value=str(witness))
    check_note(other_note, [witness])
    words = f"{witness.name} has signed this head, too: no other history of it is shown to anybody"
    return head, (words,)


def _check_places(receipt: Receipt, head: TreeHead) -> None:
    """Check that every entry stands where the receipt says, and says what it shows."""
    stream = table_stream(receipt.table)
    for entry in (*receipt.committed, *receipt.entries):
        root = root_of(entry.disclosure())
        leaf = hash_of_blinded(stream, entry.version, read_hash(entry.entry), root)
        proof = [read_hash(half) for half in entry.proof]
        try:
            check_inclusion(leaf, entry.leaf, head.size, proof, head.root)
        except HousewayError as error:
            raise BrokenReceiptError(f"entry {entry.version} is not in the tree: {error}") from None


def _check_order(receipt: Receipt, events: Sequence[SeenEvent]) -> None:
    """Check that nothing is left out between the first and the last entry, and that the round ends there."""
    entries = (*receipt.committed, *receipt.entries)
    if not receipt.entries or not events:
        raise BrokenReceiptError("it has no entry of the round")
    for before, entry in pairwise(receipt.entries):
        if entry.version != before.version + 1:
            raise BrokenReceiptError("an entry is left out", value=before.version + 1)
    for before, entry in pairwise(entries):
        if entry.leaf <= before.leaf or entry.version <= before.version:
            raise BrokenReceiptError("entries are not in the order of the log", value=entry.version)
    without = {entry.version for entry in receipt.entries if is_turn(entry)} - {
        event.version for event in events
    }
    if without:
        raise BrokenReceiptError("an entry shows nothing of its steps", value=min(without))
    for event in events:
        if event.round != receipt.round:
            raise BrokenReceiptError("a step is of another round", value=event.round)
        if event.kind in ENDS and event is not events[-1]:
            raise BrokenReceiptError("the round goes on after its end", value=event.seq)
    for previous, event in pairwise(events):
        if previous.seq is None or event.seq != previous.seq + 1:
            raise BrokenReceiptError("a step is left out", value=previous.seq)
    if events[-1].kind not in ENDS:
        raise BrokenReceiptError("the round does not end in it", value=events[-1].seq)


def _check_deck(receipt: Receipt, events: Sequence[SeenEvent]) -> Findings:
    """Check what is shown of the deck; return what is so, in words, and what was not decided."""
    every = [*events_of(receipt.committed), *events]
    commitments = [str(event.outcome["commitment"]) for event in every if "commitment" in event.outcome]
    dealt = [number for number, event in enumerate(every) if event.kind == "dealt"]
    seal = events[-1].outcome.get("seal")
    if not commitments:
        if seal is not None:
            raise BrokenReceiptError("a deck is opened that was never committed to")
        return Findings()
    committed = [number for number, event in enumerate(every) if "commitment" in event.outcome]
    if dealt and committed[0] > dealt[0]:
        raise BrokenReceiptError("cards were dealt before the deck was committed to")
    words = f"the deck was committed to before it was dealt: {commitments[-1]}"
    if not isinstance(seal, dict):
        return Findings((words,))
    try:
        order = cards_in(seal["order"])
        opened = SealedDeck(order, read_hash(str(seal["nonce"])))
    except (CardError, LookupError) as error:
        raise BrokenReceiptError(f"the opened deck is none: {error}") from None
    if str(seal.get("commitment")) not in commitments or not opened.opens(str(seal.get("commitment"))):
        raise BrokenReceiptError("the opened deck is not the one that was committed to")
    in_order = _in_order(receipt, order, events)
    return Findings((words, ORDER_SHOWN, *in_order.decided), in_order.not_decided)


def _in_order(receipt: Receipt, order: Cards, events: Sequence[SeenEvent]) -> Findings:
    """Check that the hands that are shown come off the opened deck as they are dealt."""
    dealt = is_dealt_in_order(rules_of(receipt), order, events)
    if dealt is None:
        return Findings((), ("That every hand lies in the deck where it was dealt from: more decides it.",))
    if not dealt:
        raise BrokenReceiptError("the hands that are shown were not dealt off the opened deck")
    return Findings(("the hands that are shown come off the opened deck in the order of the deal",))
