"""Builds the receipt of a round in the log, which shows nothing that its reader could not see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from houseway.errors import IllegalError, UnknownNameError
from houseway.floor.bodies import read_body
from houseway.floor.packets.happenings import Happening, read_happenings
from houseway.floor.packets.playback import took_part
from houseway.floor.receipts.model import FORMAT, EntryProof, Receipt, ShownPart, Viewer, write_receipt
from houseway.floor.receipts.words import words_for
from houseway.floor.round_search import LoggedRound
from houseway.floor.streams import is_practice
from houseway.rounds.codec import canonical, plain
from houseway.rounds.record import Turn
from houseway.rounds.redaction import redact
from houseway.rounds.roles import Role, Sees, sees
from houseway.rounds.step import Actor, AnEvent
from houseway.rounds.steps.money import banker_of
from houseway.store.body_parts import SaltedPart, disclose, parts_of
from houseway.store.entries import Entry
from houseway.store.protocol import Picture, SignedHead, Tree
from houseway.store.tree_log import Notary, blind, prove_inclusion

PAGE: Final = 200
"""How many entries are read at a time in the search for a shuffle."""
LATER: Final = "the round is not in a signed tree yet: ask again in a minute"
_COMMITS: Final = frozenset({"step", "kind", "commitment", "at", "seq", "round", "schema", "build"})
"""What is shown of the entry that committed to the deck before the round; no card is in any of it."""


def make_receipt(
    picture: Picture, logged: LoggedRound, viewer: Actor, notary: Notary, size: int | None = None
) -> bytes:
    """Return the receipt of a round that is over, for a viewer who may see some of it.

    ``size`` asks for the signed head of a tree of that size, such as a witness has signed, too.
    """
    table = logged.before.table.id
    if is_practice(table):
        raise IllegalError("there are no receipts of practice: it is in no signed tree", value=table)
    if logged.record is None:
        raise IllegalError("the round is not over yet: its cards are out", value=logged.number)
    if logged.faults:
        raise IllegalError(f"the log is not as it was written: {logged.faults[0]}", value=table)
    if viewer.role is Role.PLAYER and not took_part(logged, viewer.id):
        raise UnknownNameError("no such round of yours", value=logged.number)
    head = _head(picture.tree, size)
    if head.size <= notary.begins and notary.begins:
        raise IllegalError("a tree of that size was signed by a former key of the floor", value=head.size)
    happenings = list(read_happenings(logged))
    proofs = _Proofs(picture.tree, notary, head.size)
    proven, not_proven = words_for(viewer.role)
    receipt = Receipt(
        format=FORMAT,
        signed_by=str(notary.verifier),
        head=head.note.decode(),
        table=table,
        round=logged.number,
        viewer=Viewer(role=viewer.role, id=viewer.id if viewer.role is Role.PLAYER else ""),
        game=logged.before.rules.game.id,
        rules=plain(logged.before.rules.submission),
        committed=tuple(
            proofs.of(entry, _commitment_paths(entry)) for entry in _commitment_entries(picture, logged)
        ),
        entries=tuple(proofs.of(entry, shown) for entry, shown in _entries(logged, happenings, viewer)),
        proven=proven,
        not_proven=not_proven,
    )
    return write_receipt(receipt, notary.signer)


def _head(tree: Tree, size: int | None) -> SignedHead:
    heads = (head for head in tree.signed_heads() if head.size == size)
    head = tree.last_signed() if size is None else next(heads, None)
    if head is None:
        raise IllegalError(LATER if size is None else "no tree of that size was signed", value=size)
    return head


class _Proofs:
    """Proves entries to be in the tree of one size."""

    def __init__(self, tree: Tree, notary: Notary, size: int) -> None:
        self._tree, self._notary, self._size = tree, notary, size

    def of(self, entry: Entry, shown: frozenset[str]) -> EntryProof:
        """Return the proof of an entry, with its parts at some paths shown."""
        inclusion = prove_inclusion(self._tree, entry.stream, entry.version, self._size)
        if inclusion is None:
            raise IllegalError(LATER, value=f"entry {entry.version}")
        salts = self._notary.salt_of(entry.stream, entry.version, inclusion.leaf.number)
        parts = disclose(entry.body, salts, shown)
        return EntryProof(
            version=entry.version,
            leaf=inclusion.leaf.number,
            entry=blind(inclusion.leaf, entry.hash).hex(),
            parts=tuple(_part(part) for part in parts),
            proof=tuple(half.hex() for half in inclusion.proof),
        )


def _part(part: SaltedPart | bytes) -> ShownPart | str:
    if isinstance(part, bytes):
        return part.hex()
    return ShownPart(path=part.path, value=part.value.decode(), salt=part.salt.hex())


# --- what is shown ------------------------------------------------------------------------------------


def _entries(
    logged: LoggedRound, happenings: list[Happening], viewer: Actor
) -> Iterator[tuple[Entry, frozenset[str]]]:
    """Yield every entry of a round with the paths of what its reader could see of it."""
    others = {json_of(person) for person in _players(happenings)} - {json_of(viewer.id)}
    by_version: dict[int, list[Happening]] = {}
    for happening in happenings:
        by_version.setdefault(happening.version, []).append(happening)
    for entry, body in zip(logged.entries, logged.bodies, strict=True):
        at = body.at if isinstance(body, Turn) else None
        yield entry, _visible_paths(entry, by_version.get(entry.version, []), viewer, others, at)


def _visible_paths(
    entry: Entry, happenings: list[Happening], viewer: Actor, others: set[bytes], at: object
) -> frozenset[str]:
    """Return the paths at which an entry says just what the redacted events show this reader."""
    read = [redact(happening.rules, happening.before, happening.event, viewer) for happening in happenings]
    events = [_redacted_data(event, viewer) for event in read]
    data = msgspec.json.decode(entry.body)
    whole = {"build": data.get("build"), "kind": data.get("kind"), "schema": data.get("schema")}
    if happenings and at is not None:
        whole["value"] = {"at": at, "events": events, "command": _command(happenings[0], events[0])}
    visible = {part.path: part.value for part in parts_of(canonical(whole))}
    every = sees(viewer.role, Sees.PERSONS)
    return frozenset(
        part.path
        for part in parts_of(entry.body)
        if visible.get(part.path) == part.value
        and (every or not any(other in part.value for other in others))
        and (every or not any(other[1:-1] in part.path.encode().split(b"/") for other in others))
    )


def _command(first: Happening, event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is shown of a command: what its first event shows, if that is what was commanded."""
    if not first.commanded:
        return {}
    return {"by": event["by"], "action": event["action"], "id": event.get("cause")}


def _redacted_data(event: AnEvent, viewer: Actor) -> dict[str, Any]:
    """Return a redacted event as plain data; for a player without others' ids and amounts, and alerts."""
    data: dict[str, Any] = plain(event)
    if sees(viewer.role, Sees.PERSONS):
        return data
    data.pop("alerts", None)
    if event.by.id != viewer.id:
        data.pop("cause")
        data["by"].pop("id")
    outcome = data["outcome"] or {}
    outcome.pop("movements", None)
    for name in ("stakes", "payments"):
        if name in outcome:
            outcome[name] = [payment if payment["person"] == viewer.id else {} for payment in outcome[name]]
    return data


def _players(happenings: Iterable[Happening]) -> set[str]:
    """Return the people who sat, played, bet or banked in a round."""
    people = set[str]()
    for happening in happenings:
        for table in (happening.before, happening.after):
            people |= {seat.person for seat in table.seats.values()}
            for hand in table.round.hands.values():
                people |= {hand.person, *(bettor.person for bettor in hand.behind)}
            banker = banker_of(table)
            people |= {banker.person} if banker else set()
        people |= {happening.event.by.id} if happening.event.by.role is Role.PLAYER else set()
    return people


def json_of(text: str) -> bytes:
    """Return a text as JSON."""
    return msgspec.json.encode(text)


# --- the deck -----------------------------------------------------------------------------------------


def _commitment_entries(picture: Picture, logged: LoggedRound) -> Iterator[Entry]:
    """Yield the entry before a round that committed to its deck, unless one of its own did."""
    table = logged.after.table
    commitment = (table.last or table.round).commitment
    if commitment is None or any(_commits(body, commitment) for body in logged.bodies):
        return
    until = logged.entries[0].version - 1
    while until > 0:
        page = list(picture.part(logged.stream, max(0, until - PAGE), until))
        for entry in reversed(page):
            if commitment.encode() in entry.body and _commits(read_body(entry), commitment):
                yield entry
                return
        until -= PAGE


def _commits(body: object, commitment: str) -> bool:
    if not isinstance(body, Turn):
        return False
    return any(getattr(event.outcome, "commitment", None) == commitment for event in body.events)


def _commitment_paths(entry: Entry) -> frozenset[str]:
    paths = (part.path for part in parts_of(entry.body))
    return frozenset(path for path in paths if path.rpartition("/")[2] in {*_COMMITS})
