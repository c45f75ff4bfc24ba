"""A table as it stands: immutable values, changed only by folding events over them.

Much of what a procedure asks is "has this been done yet?". Whatever has been done to a deck, in a round
or with a hand is a *mark* on it, so that a condition is a question about marks and a step adds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from houseway.cards import Cards
from houseway.games import Rules
from houseway.games.opening import Notice
from houseway.ledger import Movement
from houseway.meters import Meter
from houseway.money import Cents
from houseway.ranking import Race, Setting
from houseway.rng import SealedDeck
from houseway.rounds.dealing import Voided
from houseway.settlement import Banker, Bettor, Payment, Round, Settlement, Status
from houseway.settlement.model import DEALER

changed: Final = replace
"""Return a copy of a state with some fields changed."""
NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})


NO_MONEY: Final = Cents(0)
_VOID: Final = Status.VOID
NO_MARKS: Final[frozenset[str]] = frozenset()


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


BEFORE_CARDS: Final = (Phase.BETTING, Phase.STARTING)
IN_ROUND: Final = (Phase.STARTING, Phase.DEALING, Phase.SETTING, Phase.DEALER, Phase.SETTLING)
WITH_CARDS: Final = IN_ROUND[1:]


class Source(StrEnum):
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


class Deck(Struct, frozen=True):
    """A deck at the table: what has been done to it since it came, and its order if that is known."""

    name: str
    received: datetime
    jokers: int = 1
    cards: int = 53
    marks: frozenset[str] = NO_MARKS
    place: Place = Place.TABLE
    shuffled_by: str | None = None
    sealed: SealedDeck | None = None
    order: Cards = ()
    declined: tuple[int, ...] = ()
    offered: int | None = None
    cutter: int | None = None

    def has(self, mark: str) -> bool:
        """Whether this has been done to the deck."""
        return mark in self.marks


class Seat(Struct, frozen=True):
    """Who sits at a position, and since when."""

    person: str
    arrived: int


class Hand(Struct, frozen=True):
    """One betting area in a round: the wagers, the cards, and what has been done with them."""

    position: int
    person: str
    wagers: Mapping[str, Cents] = NOTHING
    cards: Cards = ()
    setting: Setting | None = None
    status: Status = Status.PLAYED
    marks: frozenset[str] = NO_MARKS
    shown: frozenset[str] = NO_MARKS
    settled: frozenset[str] = NO_MARKS
    race: Race | None = None
    made: Mapping[str, str] = NOTHING
    instrument: str = "chip"
    behind: tuple[Bettor, ...] = ()

    def has(self, mark: str) -> bool:
        """Whether this has been done with the hand."""
        return mark in self.marks

    def amount(self, wager: str) -> Cents:
        """Return what lies on a wager."""
        return self.wagers.get(wager, Cents(0))


class Racked(Struct, frozen=True):
    """Cards in the discard rack: of which hand, set how; those nobody may see are only counted."""

    what: str
    position: int | None
    cards: Cards
    count: int
    setting: Setting | None = None
    round: int = 0


class JackpotWin(Struct, frozen=True):
    """A progressive win that J-POT recorded: never deleted, whatever is pressed afterwards."""

    position: int
    person: str
    hand: str
    amount: Cents
    meter_before: Cents
    supervisor: str
    at: datetime
    adjusted: bool = False
    paid: str | None = None


class Play(Struct, frozen=True):
    """One round, from the first wager to the last card racked."""

    number: int = 1
    marks: frozenset[str] = NO_MARKS
    hands: Mapping[int, Hand] = NOTHING
    lammers: frozenset[int] = frozenset()
    shakes: int = 0
    dice: tuple[int, ...] = ()
    announced: int | None = None
    due: int | None = None
    start: int | None = None
    dealt: int = 0
    boxed: int = 0
    stub: int | None = None
    holding: str | None = None
    dealer_cards: Cards = ()
    dealer_setting: Setting | None = None
    typed: Mapping[int, Any] = NOTHING
    deck: str | None = None
    sealed: SealedDeck | None = None
    order: Cards = ()
    meter_before: Meter | None = None
    taken: Mapping[int, tuple[Movement, ...]] = NOTHING
    payments: tuple[Payment, ...] = ()
    table: Round | None = None
    void: Voided | None = None
    stopped: str | None = None
    screen: str = ""
    wins: tuple[JackpotWin, ...] = ()
    bank_seat: int | None = None
    banker: Banker | None = None
    stake: Cents = NO_MONEY
    action: int | None = None
    pile: int | None = None
    whole: Settlement | None = None

    def has(self, mark: str) -> bool:
        """Whether this has been done in the round."""
        return mark in self.marks

    def active(self) -> list[Hand]:
        """Return the hands with a main wager, from the dealer's far right; wagers are kept in that order."""
        return [hand for hand in self.hands.values() if "main" in hand.wagers]

    def playing(self) -> list[Hand]:
        """Return the hands still in the round: wagered and not void."""
        return [h for h in self.hands.values() if "main" in h.wagers and h.status is not _VOID]


class Banking(Struct, frozen=True):
    """Who holds the bank, for how many rounds running, and to whom it has been offered since.

    Rounds running are a person's: he keeps them when he changes his seat, or gets up and comes back.
    """

    seat: int | None = None
    person: str | None = None
    rounds: int = 0
    offering: int | None = None
    declined: tuple[int, ...] = ()


class Table(Struct, frozen=True):
    """A table: its rules, its people, its decks and devices, and the round in progress."""

    rules: Rules
    source: Source = Source.VIRTUAL_DECK
    phase: Phase = Phase.CLOSED
    dealer: str | None = None
    decks: Mapping[str, Deck] = NOTHING
    deck: str | None = None
    last_deck: str | None = None
    seats: Mapping[int, Seat] = NOTHING
    arrivals: int = 0
    marks: frozenset[str] = NO_MARKS
    dice_since: datetime | None = None
    rounds: int = 0
    rack: tuple[Racked, ...] = ()
    rack_deck: str | None = None
    meter: Meter | None = None
    banking: Banking = Banking()
    notices: tuple[Notice, ...] = ()
    play: Play = Play()
    last: Play | None = None

    def has(self, mark: str) -> bool:
        """Whether this is so of the table."""
        return mark in self.marks

    @property
    def way(self) -> str:
        """The way of dealing, or the procedure where the law tells procedures apart."""
        chosen = self.rules.submission.table
        return chosen.procedure or chosen.dealing or ""

    @property
    def dealer_at(self) -> int:
        """Where the hand lies that the others race: the dealer's, or the player-dealer's seat."""
        return self.play.bank_seat or DEALER

    @property
    def banked(self) -> bool:
        """Whether a player banks the game."""
        return self.rules.banked

    @property
    def in_play(self) -> Deck | None:
        """The deck taken for the next deal, or being dealt."""
        return self.decks.get(self.deck) if self.deck else None

    def with_play(self, **changes: Any) -> Table:  # noqa: ANN401 - any field's value
        """Return the table with the round changed."""
        return changed(self, play=changed(self.play, **changes))

    def with_hand(self, position: int, **changes: Any) -> Table:  # noqa: ANN401 - any field's value
        """Return the table with one hand of the round changed."""
        play = self.play
        hands = {**play.hands, position: changed(play.hands[position], **changes)}
        return changed(self, play=changed(play, hands=hands))

    def mark_hand(self, position: int, *marks: str) -> Table:
        """Return the table with marks added to a hand."""
        return self.with_hand(position, marks=self.play.hands[position].marks.union(marks))

    def mark_play(self, *marks: str) -> Table:
        """Return the table with marks added to the round."""
        return self.with_play(marks=self.play.marks.union(marks))

    def with_deck(self, name: str, **changes: Any) -> Table:  # noqa: ANN401 - any field's value
        """Return the table with one deck changed."""
        return changed(self, decks={**self.decks, name: changed(self.decks[name], **changes)})

    def mark_deck(self, name: str, *marks: str) -> Table:
        """Return the table with marks added to a deck."""
        return self.with_deck(name, marks=self.decks[name].marks.union(marks))
