"""A round as settlement sees it, and what settlement answers: payments with their clauses and reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from msgspec import Struct

from houseway.cards import Cards
from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.law.citations import join_cites
from houseway.ledger import (
    INVENTORY,
    Account,
    AccountKind,
    Movement,
    Units,
    pending,
    player,
    show_units,
    units,
)
from houseway.meters import Meter
from houseway.money import Cents
from houseway.ranking import Race, Setting, race

DEALER = 1
MAIN = "main"
DOUBLE_DOWN = "double_down"
FORTUNE = "fortune"
PROGRESSIVE = "progressive"
_BANK = AccountKind.BANK
_NOTHING = Cents(0)


class Status(StrEnum):
    """What became of a betting area's hand."""

    PLAYED = "played"
    SURRENDERED = "surrendered"
    ABANDONED = "abandoned"
    VOID = "void"
    FOULED = "fouled"
    """Set out of order, and ruled to have lost by the floor where the law leaves that open."""


class Bettor(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A person's wagers on one hand."""

    person: str
    wagers: Mapping[str, Cents]
    backline: bool = False

    def amount(self, wager: str) -> Cents:
        """Return what is on a wager, nothing if it was not placed."""
        return self.wagers.get(wager, _NOTHING)


class Area(Struct, frozen=True, gc=False):
    """A betting area: the seated player, those behind them, the cards and how they were set."""

    position: int
    bettor: Bettor
    cards: Cards
    setting: Setting | None
    status: Status = Status.PLAYED
    void_law: tuple[str, ...] = ()
    behind: tuple[Bettor, ...] = ()
    made: Mapping[str, str] = {}
    """What the cards were found to make for a wager, if they have been looked at for it."""

    @property
    def person(self) -> str:
        """Who plays the hand."""
        return self.bettor.person

    def bettors(self) -> Iterator[Bettor]:
        """Yield the seated player, then the backline in recorded order."""
        yield self.bettor
        yield from self.behind


class Banker(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The player-dealer of a round and what they put up."""

    person: str
    stake: Cents

    @property
    def account(self) -> Account:
        """The account of the bank."""
        return Account(_BANK, self.person)


class Showdown(Struct, frozen=True, gc=False):
    """Everything that decides who is paid what."""

    rules: Rules
    dealer_cards: Cards
    dealer_setting: Setting
    areas: tuple[Area, ...]
    meter: Meter | None = None
    banker: Banker | None = None
    action: int | None = None
    void: str | None = None
    void_law: tuple[str, ...] = ()
    locked: bool = True
    """Whether the progressive's chips, or the collection, were taken before the round was void."""

    def __post_init__(self) -> None:
        if len(self.areas) > 1:
            positions = [area.position for area in self.areas]
            if len(set(positions)) < len(positions):
                raise IllegalError("a position twice", value=str(positions))

    def raced_by(self, setting: Setting) -> Race:
        """Race a setting against the dealer's."""
        return race(self.rules.ranking(), setting, self.dealer_setting)

    def at(self, position: int) -> Area | None:
        """Return the betting area at a position, if it is in the round."""
        for area in self.areas:
            if area.position == position:
                return area
        return None


class PaymentKind(StrEnum):
    """What a payment is."""

    STAKE = "stake"
    COLLECT = "collect"
    RETURN = "return"
    PAY = "pay"
    ENVY = "envy"
    CONTRIBUTION = "contribution"
    SEED = "seed"
    REVERSAL = "reversal"
    FEE = "fee"


_STAKE, _COLLECT, _RETURN = PaymentKind.STAKE, PaymentKind.COLLECT, PaymentKind.RETURN


class Payment(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One amount that moves: from where, to where, for which wager, by which clauses, and why."""

    kind: PaymentKind
    units: Units
    source: Account
    to: Account
    position: int
    person: str
    wager: str
    reason: str
    clauses: tuple[str, ...] = ()

    def movement(self) -> Movement:
        """Return the payment as a movement of the ledger."""
        return Movement(self.units, self.source, self.to, self.reason, self.clauses)

    def __str__(self) -> str:
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        moved = f"{self.kind} {show_units(self.units)}, {self.source} to {self.to}"
        return f"{self.position} {self.wager}: {moved}: {self.reason}{law}"


@dataclass(frozen=True)
class Shortfall:
    """What a bank could not pay: no one's debt, kept for the player's information."""

    position: int
    person: str
    wager: str
    owed: Cents
    paid: Cents
    kind: PaymentKind = PaymentKind.PAY
    reason: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settlement:
    """Every payment of a round in order, the meter afterwards, and how each race ended."""

    payments: tuple[Payment, ...]
    meter: Meter | None = None
    races: Mapping[int, Race] = field(default_factory=dict)
    shortfalls: tuple[Shortfall, ...] = ()

    def net(self, person: str) -> Units:
        """Return what a person gains or loses beyond the wagers already on the layout."""
        account = player(person)
        gained = sum(p.units for p in self.payments if p.to == account)
        return gained - sum(p.units for p in self.payments if p.source == account)


class Spot(Struct, frozen=True, gc=False):
    """One wager of one person on one hand: makes the payments that end it."""

    position: int
    person: str
    wager: str
    stake: Cents

    @property
    def account(self) -> Account:
        """The wager's account while it is on the layout."""
        return pending(self.position, self.person, self.wager)

    def collect(self, amount: Cents, to: Account, reason: str, clauses: Iterable[str]) -> list[Payment]:
        """Take the stake, or as much of it as is covered."""
        return self._payment(_COLLECT, units(amount), self.account, to, reason, clauses)

    def give_back(self, amount: Cents, reason: str, clauses: Iterable[str] = ()) -> list[Payment]:
        """Give the stake back, or what is left of it."""
        return self._payment(_RETURN, units(amount), self.account, player(self.person), reason, clauses)

    def pay(
        self,
        amount: Cents,
        source: Account,
        reason: str,
        clauses: Iterable[str],
        kind: PaymentKind = PaymentKind.PAY,
    ) -> list[Payment]:
        """Pay the player."""
        return self._payment(kind, units(amount), source, player(self.person), reason, clauses)

    def carry(self, movement: Movement, kind: PaymentKind) -> Payment:
        """Take a meter's movement over as a payment of this wager."""
        return Payment(
            kind,
            movement.units,
            movement.source,
            movement.to,
            self.position,
            self.person,
            self.wager,
            movement.reason,
            movement.clauses,
        )

    def place(self, reason: str = "wager placed") -> list[Payment]:
        """Put the stake on the layout."""
        return self._payment(_STAKE, units(self.stake), player(self.person), self.account, reason, ())

    def take_back(self, reason: str) -> list[Payment]:
        """Take the stake off the layout again."""
        return self._payment(_STAKE, units(self.stake), self.account, player(self.person), reason, ())

    def _payment(
        self,
        kind: PaymentKind,
        amount: Units,
        source: Account,
        to: Account,
        reason: str,
        clauses: Iterable[str],
    ) -> list[Payment]:
        """Return the payment; no money moves by a clause that is no longer in force."""
        if not amount:
            return []
        law = join_cites(clauses)
        law.require()
        place = (self.position, self.person, self.wager)
        return [Payment(kind, amount, source, to, *place, reason, tuple(law))]


def spots(area: Area, wager: str) -> list[Spot]:
    """Return the wagers of one kind on an area, the seated player's first."""
    if not area.behind:
        bettor = area.bettor
        stake = bettor.wagers.get(wager)
        return [Spot(area.position, bettor.person, wager, stake)] if stake else []
    return [
        Spot(area.position, bettor.person, wager, bettor.amount(wager))
        for bettor in area.bettors()
        if bettor.amount(wager)
    ]


HOUSE = INVENTORY
