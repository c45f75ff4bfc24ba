"""A cardroom's table under watch: who banks and for how long, what is paid, and where each card goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from houseway.cards import Cards, show
from houseway.games import Rules
from houseway.ledger import COLLECTIONS, Account, AccountKind, pending, player, units
from houseway.money import Cents
from houseway.rounds.deciding import evolve_all
from houseway.rounds.live import LiveTable
from houseway.rounds.replay import difference
from houseway.rounds.state import CardOrigin, Round, changed
from houseway.rounds.step import AnEvent, Proposal
from houseway.rounds.steps.money import banker_of
from houseway.settlement import Payment, PaymentKind
from tests.games.support import Changes
from tests.rounds.books import disagreement, recorded
from tests.rounds.california import CA
from tests.rounds.commands import value_of
from tests.rounds.play.california_moves import seats_dealt
from tests.rounds.play.watch import PACK, Watched
from tests.rounds.table import Snapshot


def wagers_of(this_round: Round) -> dict[Account, int]:
    """Return every wager of a round by its account."""
    return {
        pending(hand.position, name, wager): amount
        for hand in this_round.active()
        for name, wagers in [(hand.person, hand.wagers), *((b.person, b.wagers) for b in hand.behind)]
        for wager, amount in wagers.items()
    }


class Books:
    """The accounts of one round: the wagers and the bank put up, and every payment since."""

    def __init__(self, this_round: Round) -> None:
        assert this_round.banker is not None and this_round.banker.stake > 0
        self.banker, self.stake = this_round.banker, units(this_round.banker.stake)
        self.balance: Counter[Account] = Counter()
        self.staked: Counter[Account] = Counter()
        self.charged: Counter[Account] = Counter()
        self.won = self.lost = 0
        for account, amount in wagers_of(this_round).items():
            name = player(account.name)
            self.staked[name] += units(amount)
            self.move(name, account, units(amount))
        self.move(player(self.banker.person), self.banker.account, self.stake)

    def move(self, source: Account, to: Account, amount: int) -> None:
        assert amount > 0
        self.balance[source] -= amount
        self.balance[to] += amount
        assert self.balance[source] >= 0 or source.kind in (AccountKind.PLAYER, AccountKind.COLLECTIONS)

    def pay(self, payment: Payment) -> None:
        self.move(payment.source, payment.to, payment.units)
        if payment.wager == "collection":
            self.charged[payment.source] += payment.units
            self.charged[payment.to] -= payment.units
        elif payment.kind is PaymentKind.REVERSAL:
            self.won -= payment.units if payment.source == self.banker.account else 0
            self.lost -= payment.units if payment.to == self.banker.account else 0
        elif payment.wager != "bank":
            self.won += payment.units if payment.to == self.banker.account else 0
            self.lost += payment.units if payment.source == self.banker.account else 0

    def gains(self) -> dict[Account, int]:
        """Return what each person won or lost, fees apart."""
        people = [account for account in self.balance if account.kind is AccountKind.PLAYER]
        return {account: self.balance[account] + self.charged[account] for account in people}


def check_money(this_round: Round, rules: Rules) -> Counter[str]:
    """Look at a finished round's money: nothing is left lying, and the bank moved no more than its stake."""
    books = Books(this_round)
    net = rules.readings["ca_coverage"] == "net_balance"
    used = 0
    for payment in this_round.payments:
        books.pay(payment)
        used = abs(books.won - books.lost) if net else books.won + books.lost
        assert this_round.void is not None or used <= books.stake
    assert sum(books.balance.values()) == 0
    assert books.balance[COLLECTIONS] == -books.charged[COLLECTIONS] >= 0
    left = {a: b for a, b in books.balance.items() if b and a.kind is not AccountKind.PLAYER}
    assert set(left) <= {COLLECTIONS}, f"money left lying: {left}"
    gains, bank = books.gains(), player(books.banker.person)
    assert abs(gains[bank]) <= books.stake
    assert all(gain >= -books.staked[account] for account, gain in gains.items() if account != bank)
    assert this_round.void is None or not any(gains.values())
    returned = any(p.wager == "collection" and p.kind is PaymentKind.RETURN for p in this_round.payments)
    return Counter(
        {
            "bank used up": int(this_round.void is None and used == books.stake),
            "envy": int(any(p.kind is PaymentKind.ENVY for p in this_round.payments)),
            "fee returned": int(returned),
        }
    )


def check_cards(this_round: Round, live: LiveTable) -> None:
    """Look at a finished round's cards: none twice, each hand whole, all of them racked."""
    dealt = [*this_round.dealer_cards, *(card for hand in this_round.active() for card in hand.cards)]
    assert len(set(dealt)) == len(dealt), show(dealt)
    assert this_round.commitment is not None and set(dealt) <= set(
        live.vault.open(this_round.commitment).order
    )
    if this_round.void is not None:
        return
    assert len(dealt) == 7 * (len(this_round.active()) + 1)
    assert sum(racked.count for racked in live.table.rack) == PACK
    for hand in this_round.active():
        assert hand.setting is not None
        assert sorted(card for part in hand.setting for card in part) == sorted(hand.cards)


def check_record(live: LiveTable, *, whole_text: bool) -> None:
    """Look at the round just over: steps and settlement agree, and the record of it replays."""
    this_round, record = live.table.last, live.record
    assert this_round is not None and record is not None
    assert not disagreement(live.rules, this_round), disagreement(live.rules, this_round)
    if whole_text:
        recorded(record)
    else:
        assert difference(record) is None, difference(record)


Placed = dict[int, dict[str, dict[str, Cents]]]
"""Wagers by seat and person."""


class Running(Books):
    """The accounts of a round in progress: nothing paid twice, nothing beyond what the bank put up."""

    def __init__(self, table: Snapshot) -> None:
        super().__init__(changed(table.round, banker=banker_of(table.state)))
        self.net = table.rules.readings["ca_coverage"] == "net_balance"
        self.payments: list[Payment] = []
        self.standing: list[Payment] = []

    def pay(self, payment: Payment) -> None:
        """Keep a payment; one that takes another back must find it."""
        super().pay(payment)
        self.payments.append(payment)
        if payment.kind is PaymentKind.REVERSAL:
            back = (payment.units, payment.to, payment.source, payment.position, payment.wager)
            self.standing.remove(
                next(p for p in self.standing if (p.units, p.source, p.to, p.position, p.wager) == back)
            )
            return
        assert self._name(payment) not in {self._name(p) for p in self.standing}, f"twice: {payment}"
        self.standing.append(payment)
        won, lost = self._moved()
        assert (abs(won - lost) if self.net else won + lost) <= self.stake, f"beyond the bank: {payment}"

    def _name(self, payment: Payment) -> tuple[object, ...]:
        """Return what may be so only once: Envy once for each hand that is envied."""
        envied = payment.reason if payment.kind is PaymentKind.ENVY else ""
        return payment.kind, payment.position, payment.person, payment.wager, envied

    def _moved(self) -> tuple[int, int]:
        """Return what the bank has won and lost on wagers that stand."""
        stands = [p for p in self.standing if p.wager != "bank"]
        won = sum(p.units for p in stands if p.to == self.banker.account)
        return won, sum(p.units for p in stands if p.source == self.banker.account)

    def check(self, payments: tuple[Payment, ...]) -> None:
        """Look at the books once more."""
        assert sum(self.balance.values()) == 0
        assert tuple(self.payments) == payments


def reads_void_as_none(table: Snapshot) -> bool:
    """Whether a void round is none of the two that a player may bank."""
    return table.rules.readings["ca_void_round_of_bank"] == "does_not_count"


class Rotation:
    """Who banks, and for how many rounds running: counted by person, from offers and answers alone."""

    def __init__(self) -> None:
        self.name, self.rounds = "", 0
        self.declined: set[int] = set()

    def follow(self, table: Snapshot, event: AnEvent, *, stops: bool) -> None:
        """Take an event into account; a third round needs that everybody else has declined."""
        at = event.position or 0
        if event.step == "no_more_bets":
            self.rounds, self.declined = self.rounds + 1, set()
            assert self.rounds <= 2, f"{self.name} banks a third round"
            assert table.seats[table.round.bank_seat or 0].person == self.name
        elif event.step == "accept_bank":
            assert event.by.id != self.name or self.rounds < 2
            self.name, self.rounds, self.declined = event.by.id, 0, set()
        elif event.step == "decline_bank":
            self.declined.add(at)
        elif event.step == "close_table":
            self.name, self.rounds, self.declined = "", 0, set()
        elif event.step == "void_round" and reads_void_as_none(table):
            self.rounds -= 1
        if event.step in ("decline_bank", "leave") and table.banking.offering is None and self.declined:
            others = {seat for seat, who in table.seats.items() if who.person != self.name}
            if others <= self.declined:
                self.rounds, self.declined = self.rounds if stops else 0, set()


def piles(order: Cards) -> list[Cards]:
    """Return the seven piles of a deal by hand: rows of seven, every other one backwards."""
    rows = [order[7 * row : 7 * row + 7] for row in range(7)]
    return [tuple((row[::-1] if n % 2 else row)[at] for n, row in enumerate(rows)) for at in range(7)]


def where_cards_go(table: Snapshot, order: Cards) -> Mapping[int, Cards]:
    """Return every seat's cards, dealt again: hand after hand, or the piles from the marked one."""
    this_round = table.round
    hands = piles(order) if table.way == "manual" else [order[7 * n : 7 * n + 7] for n in range(7)]
    seats, pile = seats_dealt(table), (this_round.pile or 1) - 1
    first = seats.index(this_round.start or 1)
    return {seats[(first + turn) % 7]: hands[(pile + turn) % 7] for turn in range(7)}


class WatchedCardroom(Watched):
    """A cardroom's table, its clock and its log; whatever is done to it is checked."""

    def __init__(self, changes: Changes, seed: str, source: CardOrigin) -> None:
        super().__init__(CA, changes, seed)
        self.dealt_from(source)
        self.placed: Placed = {}
        self.books: Running | None = None
        self.rotation = Rotation()

    def next_but(self, *steps: str) -> Proposal | None:
        """Return the first suggestion that may be followed now, other than some steps."""
        return next((command for command in self.lawful() if command.step not in steps), None)

    def _follow(self, before: Snapshot, after: Snapshot, event: AnEvent) -> None:
        at = event.position or 0
        if event.step in ("wager", "correct_wager", "bet_behind"):
            who = event.by.id if event.step == "bet_behind" else before.seats[at].person
            self._place(at, who, event.action.wagers)
        elif event.step == "leave" and self.books is None:
            self.placed.pop(at, None)
        elif event.step == "close_table":
            self.placed = {}
        elif event.step == "no_more_bets":
            assert wagered(after) == self.placed
            self.books = Running(after)
        elif event.step == "shake_dice":
            self._dice(after, event)
        for payment in getattr(event.outcome, "payments", ()):
            assert self.books is not None, f"{event.step} pays outside a round"
            self.books.pay(payment)
        stops = after.rules.readings["ca_all_decline_bank"] == "play_stops"
        self.rotation.follow(after, event, stops=stops)

    def _place(self, at: int, who: str, wagers: Mapping[str, Cents]) -> None:
        """Keep what somebody has at a seat now: the seated player first, and nobody behind nobody."""
        placed = {name: amount for name, amount in wagers.items() if amount}
        here = self.placed.setdefault(at, {})
        if placed:
            here[who] = placed
        elif who == next(iter(here), who):
            del self.placed[at]
        else:
            here.pop(who, None)

    def _dice(self, after: Snapshot, event: AnEvent) -> None:
        """Count the dice out: the first hand by the total, the Action to the first wager from there on."""
        seats, this_round = seats_dealt(after), after.round
        first = (sum(value_of(event, "faces")) - 1) % len(seats)
        begins = seats[first:] + seats[:first]
        action = next(at for at in begins if at in this_round.hands)
        assert (this_round.start, this_round.action) == (seats[first], action)

    def _ended(self, event: AnEvent) -> None:
        this_round = self.table.last
        assert this_round is not None and self.books is not None and this_round.banker is not None
        self.rounds += 1
        self.books.check(this_round.payments)
        check_money(this_round, self.table.rules)
        if self.table.source is CardOrigin.VIRTUAL_DECK:
            check_cards(this_round, self.live)
        if self.writing:
            check_record(self.live, whole_text=True)
            self.records += 1
        assert evolve_all(self.since, self.round) == self.live.table
        self.since = self.live.table
        self.round.clear()
        self.placed, self.books = {}, None

    def check(self) -> None:
        """Look at the money and the cards of the round once more."""
        table, this_round = self.table, self.table.round
        if self.books is not None:
            self.books.check(this_round.payments)
            assert units(this_round.stake) == self.books.stake
        cards = [
            *this_round.dealer_cards,
            *(card for hand in this_round.hands.values() for card in hand.cards),
        ]
        assert len(set(cards)) == len(cards)
        sealed = self._sealed(table.state)
        if sealed is None:
            return
        assert len(set(sealed.order)) == len(sealed.order) == PACK
        assert this_round.cut_at == 0 and this_round.drawn == sealed.order[: this_round.dealt]
        if cards:
            go = where_cards_go(table, sealed.order)
            assert this_round.dealer_cards == go[table.dealer_at]
            assert all(hand.cards == go[at] for at, hand in this_round.hands.items())


def wagered(table: Snapshot) -> Placed:
    """Return the wagers on the layout, by seat and person."""
    return {
        at: {hand.person: dict(hand.wagers)} | {b.person: dict(b.wagers) for b in hand.behind}
        for at, hand in table.round.hands.items()
    }
