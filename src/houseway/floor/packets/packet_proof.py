"""The proofs of a packet: the chain that holds the round, and the sealed deck that it was dealt from.

The hash of an entry that deals cards would reveal them to anyone who tries all cards there are: of a round
in progress no hash is given out before the deck is opened, neither its own nor a later one of the stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from houseway.cards import CardError, Cards
from houseway.chips import ChipTurn
from houseway.errors import HousewayError
from houseway.floor.packets import model
from houseway.floor.packets.happenings import Happening
from houseway.floor.round_search import LoggedRound
from houseway.floor.table_events import Branched, TableEntry, Undone
from houseway.rng import SealedDeck
from houseway.rounds.action import step_of
from houseway.rounds.options import label_of
from houseway.rounds.outcomes import Ends, OpenedSeal
from houseway.rounds.state import Round
from houseway.store.entries import covers_answer

CHAIN_RECIPE: Final = (
    "import hashlib, json, sys",
    "packet = json.load(open(sys.argv[1], encoding='utf-8'))",
    "chain = packet['chain']",
    "before = bytes.fromhex(chain['before'])",
    "for entry in chain['entries']:",
    "    digest = hashlib.sha256(before)",
    "    parts = [chain['stream'], str(entry['version']), entry['command'], entry['body']]",
    "    if entry['answer'] is not None:",
    "        parts += [entry['answer'], 'houseway-entry/2']",
    "    for text in parts:",
    "        digest.update(len(text.encode()).to_bytes(8, 'big') + text.encode())",
    "    before = digest.digest()",
    "    if before.hex() != entry['hash']:",
    "        sys.exit(f\"entry {entry['version']} is not the one that was chained\")",
    "print('the chain holds')",
)
"""A program that checks the entries of a packet's JSON; it needs nothing of ours."""


def chain_of(logged: LoggedRound) -> model.Chain:
    """Return the chain proof of a round."""
    over = logged.record is not None
    return model.Chain(
        stream=logged.stream,
        first=logged.entries[0].version,
        last=logged.entries[-1].version,
        before=logged.before.head.hash.hex(),
        head_version=logged.head.version,
        head_hash=logged.head.hash.hex() if over and not logged.cards_out else "",
        checkpoint=_checkpoint_of(logged),
        folded_after=logged.folded_after,
        faults=logged.faults,
        entries=tuple(_entries(logged, over=over)),
        recipe=CHAIN_RECIPE if over else (),
    )


def _checkpoint_of(logged: LoggedRound) -> model.PacketCheckpoint | None:
    if logged.covered is None:
        return None
    checkpoint, head = logged.covered
    reveals = logged.cards_out and head.version > logged.entries[-1].version
    return model.PacketCheckpoint(
        number=checkpoint.number,
        at=checkpoint.at,
        hash=checkpoint.hash.hex(),
        version=head.version,
        stream_hash="" if reveals else head.hash.hex(),
    )


def _in_words(body: TableEntry) -> str:
    if isinstance(body, ChipTurn):
        return f"chips: {body.action.step.replace('_', ' ')}"
    if isinstance(body, Branched):
        return f"goes on from version {body.version} of {body.of}"
    if isinstance(body, Undone):
        return f"undone: stands as after version {body.version}"
    return label_of(step_of(type(body.command.action)))


def _entries(logged: LoggedRound, *, over: bool) -> Iterator[model.ChainEntry]:
    head = logged.before.head
    for entry, body in zip(logged.entries, logged.bodies, strict=True):
        plain = model.ChainEntry(version=entry.version, command=entry.command, says=_in_words(body))
        proof = {
            "before": head.hash.hex(),
            "hash": entry.hash.hex(),
            "body": entry.body.decode(),
            "answer": entry.answer.decode() if covers_answer(entry, head) else None,
        }
        yield model.changed(plain, **proof) if over else plain
        head = entry.head


def seals_of(happenings: Iterable[Happening], this_round: Round) -> Iterator[model.Seal]:
    """Yield the sealed decks that the round opened."""
    every = list(happenings)
    for happening in every:
        seal = happening.event.outcome.seal if isinstance(happening.event.outcome, Ends) else None
        if seal is None:
            continue
        committed = [x.event.seq for x in every if _commits(x, seal)]
        yield model.Seal(
            commitment=seal.commitment,
            order=tuple(map(str, seal.order)),
            nonce=seal.nonce,
            opens=_opens(seal) and this_round.commitment == seal.commitment,
            committed=committed[0] if committed else None,
            cut_at=this_round.cut_at,
            dealt=this_round.dealt,
            recipe=(f"printf {seal.nonce}{_bytes(seal.order)} | xxd -r -p | sha256sum",),
        )


def _commits(happening: Happening, seal: OpenedSeal) -> bool:
    return getattr(happening.event.outcome, "commitment", None) == seal.commitment


def _opens(seal: OpenedSeal) -> bool:
    try:
        return SealedDeck(seal.order, bytes.fromhex(seal.nonce)).opens(seal.commitment)
    except (CardError, HousewayError, ValueError):
        return False


def _bytes(order: Cards) -> str:
    """Write an order as the hash takes it: a byte for each card."""
    return bytes(order).hex()
