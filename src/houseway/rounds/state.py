"""A table as it stands: plain immutable values, changed only by folding events over them.

A table holds neither its rules nor its meters: it names them. It holds no card that was not dealt: the
order of a shuffled deck lies apart, sealed, and the table knows only what was committed to.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from houseway.cards import Cards
from houseway.games.opening import Notice
from houseway.ledger import Movement
from houseway.meters import MeterState
from houseway.money import Cents
from houseway.ranking import Race, Setting
from houseway.rounds.choices import DealingHand, Device, Display, Face, Instrument, ShuffleMethod
from houseway.rounds.dealing import Voided
from houseway.rounds.marks import DeckMark, HandMark, RoundMark, TableMark, nothing
from houseway.settlement import Banker, Bettor, Payment, Status
from houseway.settlement.model import DEALER

PersonId = str
"""Stands for a person, or a device, for ever; what they are called is another matter."""
MeterId = str

changed: Final = replace
"""Return a copy of a state with some fields changed."""

NO_MONEY: Final = Cents(0)
_VOID: Final = Status.VOID


class Phase(StrEnum):
    """Where a table stands in its day and in its round."""

    CLOSED = "closed"
    OPENING = "opening"
    IDLE = "idle"
    BETTING = "betting"
    STARTING = "starting"
    DEALING = "dealing"
    SETTING = "setting"
    DEALER = "dealer"
    SETTLING = "settling"

    @property
    def words(self) -> str:
        """What the table is then, so that it can be read aloud."""
        return _WORDS[self]


_WORDS: Final = {
    Phase.CLOSED: "closed",
    Phase.OPENING: "being made ready",
    Phase.IDLE: "idle",
    Phase.BETTING: "open for bets",
    Phase.STARTING: "closed for bets",
    Phase.DEALING: "dealing",
    Phase.SETTING: "waiting for hands to be set",
    Phase.DEALER: "at the dealer's hand",
    Phase.SETTLING: "settling",
}


BEFORE_CARDS: Final = (Phase.BETTING, Phase.STARTING)
IN_ROUND: Final = (Phase.STARTING, Phase.DEALING, Phase.SETTING, Phase.DEALER, Phase.SETTLING)
WITH_CARDS: Final = IN_ROUND[1:]


class CardOrigin(StrEnum):
    """Where the cards come from."""

    VIRTUAL_DECK = "virtual_deck"
    TYPED = "typed"
    SHOE_READER = "shoe_reader"


class Place(StrEnum):
    """Where a deck is."""

    TABLE = "table"
    SHUFFLER = "shuffler"
    PLAY = "play"
    RACK = "rack"
    REMOVED = "removed"


class State(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A part of a table's state.

    Like all frozen values made of frozen values it is in no cycle: no collector need look for one (``gc``).
    """


class TableDeck(State, frozen=True):
    """A deck at the table: what has been done to it since it came, and what its shuffle committed to."""

    name: str
    received: datetime
    jokers: int = 1
    cards: int = 53
    marks: frozenset[DeckMark] = field(default_factory=nothing)
    place: Place = Place.TABLE
    inspected_by: PersonId | None = None
    shuffled_by: ShuffleMethod | None = None
    commitment: str | None = None
    cut_at: int = 0
    """How many cards of the sealed order were cut to the bottom."""
    declined: tuple[int, ...] = ()
    offered: int | None = None
    cutter: int | None = None

    def has(self, mark: DeckMark) -> bool:
        """Whether this has been done to the deck."""
        return mark in self.marks


class Seat(State, frozen=True):
    """Who sits at a position, what they are called, and since when."""

    person: PersonId
    arrived: int
    name: str = ""
    area: bool = False
    """Whether it is the second area of a person who sits elsewhere: theirs while a wager lies on it."""


class Hand(State, frozen=True):
    """One betting area in a round: the wagers, the cards, and what has been done with them."""

    position: int
    person: PersonId
    wagers: Mapping[str, Cents] = {}
    cards: Cards = ()
    setting: Setting | None = None
    status: Status = Status.PLAYED
    marks: frozenset[HandMark] = field(default_factory=nothing)
    shown: frozenset[str] = field(default_factory=nothing)
    settled: frozenset[str] = field(default_factory=nothing)
    race: Race | None = None
    made: Mapping[str, str] = {}
    """What the cards make for each wager that they were rearranged for."""
    envied: frozenset[str] = field(default_factory=nothing)
    """The wagers on which others may earn Envy Bonuses by this hand."""
    claim: str | None = None
    """The line of the progressive that a hand button claims."""
    void_law: tuple[str, ...] = ()
    instrument: Instrument = Instrument.CHIP
    behind: tuple[Bettor, ...] = ()

    def has(self, mark: HandMark) -> bool:
        """Whether this has been done with the hand."""
        return mark in self.marks

    def amount(self, wager: str) -> Cents:
        """Return what lies on a wager."""
        return self.wagers.get(wager, NO_MONEY)

    def is_bet_on_by(self, person: PersonId) -> bool:
        """Whether a person has wagers on the hand: its own player, or one who stands behind."""
        return self.person == person or any(bettor.person == person for bettor in self.behind)


class RackedWhat(StrEnum):
    """What lies in the discard rack."""

    STUB = "stub"
    NO_WAGER = "no wager"
    HAND = "hand"
    SURRENDERED = "surrendered"
    VOID_HAND = "void hand"
    FACE_UP = "found face up"
    DEALER = "dealer"


class Racked(State, frozen=True):
    """Cards in the discard rack: of which hand, set how; those no one may see are only counted."""

    what: RackedWhat
    position: int | None
    cards: Cards
    count: int
    setting: Setting | None = None
    round: int = 0


class JackpotWin(State, frozen=True):
    """A progressive win that J-POT recorded: never deleted by later keys."""

    position: int
    person: PersonId
    hand: str
    amount: Cents
    meter_before: Cents
    supervisor: PersonId
    at: datetime
    adjusted: bool = False
    paid: str | None = None
    backed_out: str | None = None
    """Why the award was backed out by a manual adjustment."""


class Round(State, frozen=True):
    """One round, from the first wager to the last card racked."""

    number: int = 1
    marks: frozenset[RoundMark] = field(default_factory=nothing)
    hands: Mapping[int, Hand] = {}
    lammers: frozenset[int] = field(default_factory=nothing)
    shakes: int = 0
    dice: tuple[int, ...] = ()
    announced: int | None = None
    due: int | None = None
    start: int | None = None
    drawn: Cards = ()
    """The cards dealt so far, in the order they came off the deck; none where cards are typed in."""
    dealt: int = 0
    boxed: int = 0
    stub: int | None = None
    holding: DealingHand | None = None
    dealer_cards: Cards = ()
    dealer_setting: Setting | None = None
    typed: Mapping[int, Setting] = {}
    deck: str | None = None
    commitment: str | None = None
    cut_at: int = 0
    meter_before: MeterState | None = None
    taken: Mapping[int, tuple[Movement, ...]] = {}
    payments: tuple[Payment, ...] = ()
    envy_paid: frozenset[str] = field(default_factory=nothing)
    void: Voided | None = None
    stopped: str | None = None
    display: int | None = None
    """The position whose house way the display shows."""
    wins: tuple[JackpotWin, ...] = ()
    bank_seat: int | None = None
    banker: Banker | None = None
    stake: Cents = field(default_factory=lambda: NO_MONEY)
    action: int | None = None
    pile: int | None = None

    def has(self, mark: RoundMark) -> bool:
        """Whether this has been done in the round."""
        return mark in self.marks

    def active(self) -> list[Hand]:
        """Return the hands with a main wager, from the dealer's far right."""
        hands = self.hands
        return [hands[at] for at in sorted(hands) if "main" in hands[at].wagers]

    def playing(self) -> list[Hand]:
        """Return the hands still in the round: wagered and not void."""
        hands = self.hands
        return [
            hand for at in sorted(hands) if "main" in (hand := hands[at]).wagers and hand.status is not _VOID
        ]


class Banking(State, frozen=True):
    """Who holds the bank, for how many rounds running, and to whom it has been offered since.

    Rounds running are a person's: they are kept when the person changes seats, or gets up and comes back.
    """

    seat: int | None = None
    person: PersonId | None = None
    rounds: int = 0
    offering: int | None = None
    declined: tuple[int, ...] = ()
    was_at: int | None = None
    """The seat that the bank was at last: from there it is offered on, also when its player got up."""


class Table(State, frozen=True):
    """A table: the names of its law, submission and meter, its people, decks and devices, and the round."""

    id: str
    submission: str
    law: str
    meter: MeterId | None = None
    automated: frozenset[str] = field(default_factory=nothing)
    """The steps that the table takes by itself where another leads on to them."""
    source: CardOrigin = CardOrigin.VIRTUAL_DECK
    seq: int = 0
    """The number of the last event."""
    phase: Phase = Phase.CLOSED
    dealer: PersonId | None = None
    decks: Mapping[str, TableDeck] = {}
    deck: str | None = None
    last_deck: str | None = None
    seats: Mapping[int, Seat] = {}
    arrivals: int = 0
    marks: frozenset[TableMark] = field(default_factory=nothing)
    odds_shown: Display | None = None
    shuffler_game: str | None = None
    failed: frozenset[Device] = field(default_factory=nothing)
    signed: frozenset[Device] = field(default_factory=nothing)
    spread: Face | None = None
    ready_since: datetime | None = None
    """Since when the cards are ready for play: the table's opening, or its going on after no one played."""
    dice_since: datetime | None = None
    rounds: int = 0
    rack: tuple[Racked, ...] = ()
    rack_deck: str | None = None
    banking: Banking = field(default_factory=Banking)
    notices: tuple[Notice, ...] = ()
    round: Round = field(default_factory=Round)
    last: Round | None = None

    def has(self, mark: TableMark) -> bool:
        """Whether this is so of the table."""
        return mark in self.marks

    @property
    def dealer_at(self) -> int:
        """Where the hand lies that the others race: the dealer's, or the player-dealer's seat."""
        return self.round.bank_seat or DEALER

    @property
    def in_play(self) -> TableDeck | None:
        """The deck taken for the next deal, or being dealt."""
        return self.decks.get(self.deck) if self.deck else None

    def with_round(self, **changes: Any) -> Table:  # noqa: ANN401 - any field's value
        """Return the table with the round changed."""
        return changed(self, round=changed(self.round, **changes))

    def with_hand(self, position: int, **changes: Any) -> Table:  # noqa: ANN401 - any field's value
        """Return the table with one hand of the round changed."""
        this_round = self.round
        hands = {**this_round.hands, position: changed(this_round.hands[position], **changes)}
        return changed(self, round=changed(this_round, hands=hands))

    def mark_hand(self, position: int, *marks: HandMark) -> Table:
        """Return the table with marks added to a hand."""
        return self.with_hand(position, marks=self.round.hands[position].marks.union(marks))

    def mark_round(self, *marks: RoundMark) -> Table:
        """Return the table with marks added to the round."""
        return self.with_round(marks=self.round.marks.union(marks))

    def with_deck(self, name: str, **changes: Any) -> Table:  # noqa: ANN401 - any field's value
        """Return the table with one deck changed."""
        return changed(self, decks={**self.decks, name: changed(self.decks[name], **changes)})

    def mark_deck(self, name: str, *marks: DeckMark) -> Table:
        """Return the table with marks added to a deck."""
        return self.with_deck(name, marks=self.decks[name].marks.union(marks))
