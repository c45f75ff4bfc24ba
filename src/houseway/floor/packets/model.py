"""The dispute packet: all there is to say about one round, as plain values that any program can read.

Cards are written ``As``, amounts as people write them, exactly; programs count with ``units``, which are
ten-thousandths of a cent. Clauses are named by their ids; ``law`` has what each says, in our own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

changed: Final = replace
"""Return a copy of a part with some fields changed."""
FORMAT: Final = "houseway-dispute/1"
ClauseIds = tuple[str, ...]


class PacketPart(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A part of a packet."""


class Person(PacketPart, frozen=True):
    """Who acted, in which capacity: a person, or a device."""

    id: str
    name: str
    role: str


class Presence(PacketPart, frozen=True):
    """A person or device that acted in the round, from when to when."""

    who: Person
    steps: int
    first: datetime
    last: datetime


class PacketClause(PacketPart, frozen=True):
    """A clause of the law: where it stands, and what it says in our own words."""

    cite: str
    says: str


class PacketHead(PacketPart, frozen=True):
    """Which round this is, and what it was played by."""

    table: str
    round: int
    over: bool
    game: str
    game_name: str
    holder: str
    law: str
    law_as_of: str
    law_fingerprint: str
    submission: str
    submission_fingerprint: str
    house_way: str
    began: datetime
    ended: datetime
    program: str
    """The program that was approved when the round began."""
    program_law: str
    """The fingerprint of all its law."""
    made_by: str
    """The program that made the packet."""
    made_at: datetime


class Verdict(PacketPart, frozen=True):
    """Whether every command of the round, decided again, comes out as it is recorded."""

    replayed: bool
    identical: bool = False
    difference: str = ""
    commands: int = 0
    events: int = 0
    digest: str = ""
    """The hash of the round's record."""


class CardsAtPlace(PacketPart, frozen=True):
    """Cards as they lie at some place after a step."""

    where: str
    position: int | None = None
    """None for the deck, and for the hand that the others race."""
    parts: tuple[CardPart, ...] = ()
    hidden: int = 0
    """How many cards lie there that the packet does not show."""
    face_up: bool = False
    """Whether everyone at the table saw them then."""


class CardPart(PacketPart, frozen=True):
    """Cards that lie together; a part of a set hand has a name."""

    cards: tuple[str, ...]
    name: str = ""


class PacketAlert(PacketPart, frozen=True):
    """Something that was alarming, and put on record."""

    says: str
    clauses: ClauseIds = ()


class PacketStep(PacketPart, frozen=True):
    """Something that was done."""

    number: int
    version: int
    """The entry of the table's stream that has it."""
    command: str
    at: datetime
    who: Person
    step: str
    label: str
    by_law: bool = False
    """Whether it followed by itself from what was commanded."""
    position: int | None = None
    details: Mapping[str, str] = {}
    cards: tuple[CardsAtPlace, ...] = ()
    """The cards that came to lie otherwise by the step."""
    moves: tuple[int, ...] = ()
    """The numbers of the amounts that moved."""
    clauses: ClauseIds = ()
    alerts: tuple[PacketAlert, ...] = ()


class Seal(PacketPart, frozen=True):
    """A sealed deck, opened: what was committed to before the deal, and whether the order is that."""

    commitment: str
    order: tuple[str, ...]
    nonce: str
    opens: bool
    committed: int | None = None
    """The step that committed to it; none if that was before the round."""
    cut_at: int = 0
    """How many cards of the order were cut to the bottom."""
    dealt: int = 0
    """How many cards came off the deck."""
    recipe: tuple[str, ...] = ()


class SetPart(PacketPart, frozen=True):
    """One part of a setting: its rank, the dealer's against it, and how the comparison ended."""

    name: str
    cards: tuple[str, ...]
    rank: str = ""
    against: str = ""
    result: str = ""


class PacketRule(PacketPart, frozen=True):
    """A rule of the house way that was tried: its questions, with the answers."""

    rule: str
    fired: bool = False
    questions: tuple[tuple[str, bool], ...] = ()


class PacketHouseWay(PacketPart, frozen=True):
    """How the house way sets the cards: the rule that fires, in its own words."""

    way: str
    rule: str
    says: str
    setting: tuple[CardPart, ...]
    followed: bool
    """Whether the hand was set so."""
    clauses: ClauseIds = ()
    asked: tuple[PacketRule, ...] = ()


class SetBy(PacketPart, frozen=True):
    """Who set a hand, at which step."""

    who: Person
    step: int


class PacketRace(PacketPart, frozen=True):
    """How a hand ended against the dealer's."""

    result: str
    clauses: ClauseIds = ()
    fouls: tuple[PacketAlert, ...] = ()


class PacketHand(PacketPart, frozen=True):
    """A hand: its player, wagers, cards, how it was set and by whom, and how it ended."""

    position: int
    person: str
    name: str
    dealer: bool = False
    status: str = ""
    wagers: Mapping[str, str] = {}
    behind: Mapping[str, Mapping[str, str]] = {}
    cards: tuple[str, ...] = ()
    hidden: int = 0
    """How many cards lie there that the packet does not show."""
    setting: tuple[SetPart, ...] = ()
    set_by: SetBy | None = None
    house_way: PacketHouseWay | None = None
    race: PacketRace | None = None
    made: Mapping[str, str] = {}
    """What the cards made for each side wager."""
    notes: tuple[str, ...] = ()


class Move(PacketPart, frozen=True):
    """An amount that moved: from where to where, for which wager, why, and by which clauses."""

    number: int
    step: int
    at: datetime
    by: Person
    kind: str
    amount: str
    units: int
    source: str
    to: str
    reason: str
    position: int = 0
    person: str = ""
    name: str = ""
    wager: str = ""
    wager_name: str = ""
    clauses: ClauseIds = ()


class Total(PacketPart, frozen=True):
    """What a person put on the table in the round, what came back, and the difference."""

    person: str
    name: str
    out: str
    back: str
    net: str
    net_units: int


class MeterChange(PacketPart, frozen=True):
    """What a step did to a meter."""

    meter: str
    step: int
    before: str
    after: str
    reserve_before: str
    reserve_after: str


class ChainEntry(PacketPart, frozen=True):
    """An entry of the table's stream, with what its hash is made of."""

    version: int
    command: str
    says: str
    before: str = ""
    hash: str = ""
    body: str = ""
    answer: str | None = None
    """What was answered, where the hash covers it: earlier programs left it out."""


class PacketCheckpoint(PacketPart, frozen=True):
    """The first checkpoint that covers the round."""

    number: int
    at: datetime
    hash: str
    version: int
    """Where it saw the stream end."""
    stream_hash: str = ""


class Chain(PacketPart, frozen=True):
    """The proof that the round is in the log as it was written."""

    stream: str
    first: int
    last: int
    before: str
    """The hash that the first entry of the round is chained to."""
    head_version: int
    head_hash: str = ""
    checkpoint: PacketCheckpoint | None = None
    folded_after: int = 0
    faults: tuple[str, ...] = ()
    entries: tuple[ChainEntry, ...] = ()
    recipe: tuple[str, ...] = ()


class Packet(PacketPart, frozen=True):
    """One round, whole: for surveillance, and for a regulator."""

    format: str
    head: PacketHead
    verdict: Verdict
    people: tuple[Presence, ...]
    dealer: PacketHand
    hands: tuple[PacketHand, ...]
    moves: tuple[Move, ...]
    totals: tuple[Total, ...]
    meters: tuple[MeterChange, ...]
    steps: tuple[PacketStep, ...]
    seals: tuple[Seal, ...]
    chain: Chain
    law: Mapping[str, PacketClause]
    record: str = ""
    """The round's record, letter for letter as ``houseway replay`` reads it."""

    @property
    def sound(self) -> bool:
        """Whether all that can be checked of the round was, and nothing is wrong."""
        return (
            not self.chain.faults
            and all(seal.opens for seal in self.seals)
            and (not self.verdict.replayed or self.verdict.identical)
        )


def write_packet(packet: Packet) -> bytes:
    """Return a packet as JSON that people can read too."""
    return msgspec.json.format(msgspec.json.encode(packet, order="deterministic"), indent=2) + b"\n"
