"""A state machine that plays a cardroom's table with anything people do, lawful or not, under watch.

What is checked is folded anew from the events, by simpler means than the table's own: who wagered what,
who banks and for how long, every payment, and which card went where.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from houseway.cards import Cards
from houseway.ledger import units
from houseway.money import Cents
from houseway.rounds.deciding import evolve_all
from houseway.rounds.state import IN_ROUND, CardOrigin, Phase, changed
from houseway.rounds.step import AnEvent, Proposal
from houseway.rounds.steps.bank import next_offer
from houseway.rounds.steps.money import banker_of
from houseway.settlement import Payment, PaymentKind
from tests.games.support import Changes
from tests.rounds.cardroom import BANK, CA
from tests.rounds.cardroom_drive import layout
from tests.rounds.cardroom_moves import any_move, banker, bet_behind, seats_dealt, some_bets, way_out
from tests.rounds.cardroom_moves import sit as somebody_sits
from tests.rounds.cardroom_unlawful import UNLAWFUL, round_without_bank
from tests.rounds.cardroom_watch import Books, check_cards, check_money, check_record
from tests.rounds.drive import ways_out
from tests.rounds.machines import SEEDS, AnyTable
from tests.rounds.moves import Chance, Seeded, dealer, person, pick
from tests.rounds.said import Said, got
from tests.rounds.seen import Seen
from tests.rounds.unlawful import Unlawful
from tests.rounds.watch import PACK, Watched

LARGER: Changes = {"table.larger": True, "table.positions": 9, "table.seats": 9}
Placed = dict[int, dict[str, dict[str, Cents]]]
"""Wagers by seat and person."""


class Running(Books):
    """The accounts of a round in progress: nothing paid twice, nothing beyond what the bank put up."""

    def __init__(self, table: Seen) -> None:
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


def reads_void_as_none(table: Seen) -> bool:
    """Whether a void round is none of the two that a player may bank."""
    return table.rules.readings["ca_void_round_of_bank"] == "does_not_count"


class Rotation:
    """Who banks, and for how many rounds running: counted by person, from offers and answers alone."""

    def __init__(self) -> None:
        self.name, self.rounds = "", 0
        self.declined: set[int] = set()

    def follow(self, table: Seen, event: AnEvent, *, stops: bool) -> None:
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


def where_cards_go(table: Seen, order: Cards) -> Mapping[int, Cards]:
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

    def _follow(self, before: Seen, after: Seen, event: AnEvent) -> None:
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

    def _dice(self, after: Seen, event: AnEvent) -> None:
        """Count the dice out: the first hand by the total, the Action to the first wager from there on."""
        seats, this_round = seats_dealt(after), after.round
        first = (sum(got(event, "faces")) - 1) % len(seats)
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


def wagered(table: Seen) -> Placed:
    """Return the wagers on the layout, by seat and person."""
    return {
        at: {hand.person: dict(hand.wagers)} | {b.person: dict(b.wagers) for b in hand.behind}
        for at, hand in table.round.hands.items()
    }


class CardroomTable(AnyTable):
    """A cardroom's table, from its opening to wherever it gets."""

    game = CA
    watched: WatchedCardroom

    @initialize(seed=SEEDS, ahead=st.booleans())
    def begin(self, seed: int, *, ahead: bool) -> None:
        """Set a table up: some schedule, some readings, dealt some way, its cards perhaps typed in."""
        chance = random.Random(seed)
        source = CardOrigin.TYPED if chance.random() < 0.2 else CardOrigin.VIRTUAL_DECK
        larger = LARGER if chance.random() < 0.2 else {}
        self.watched = WatchedCardroom(layout(chance) | larger, "machine", source)
        while (ahead or seed % 3) and self.watched.table.phase is not Phase.BETTING:
            self._follow(self.watched.next())

    @precondition(
        lambda self: self.watched.table.phase is Phase.BETTING and not self.watched.table.round.hands
    )
    @rule(seed=SEEDS)
    def wagers(self, seed: int) -> None:
        """Let people sit down, somebody bank, others wager, and everything be made ready for the deal."""
        chance = self._chance(seed)
        for _ in range(2 + chance.below(6) - len(self.watched.table.seats)):
            self._try(somebody_sits(self.watched.table, chance))
        self._bank(chance)
        for at in sorted(self.watched.table.seats):
            self._bet(at, chance)
        while (ready := self.watched.next_but(*BANK, "no_more_bets")) is not None:
            self._follow(ready)
        self._must_refuse(round_without_bank, chance)
        while self.watched.table.phase is Phase.BETTING and self.watched.next() is not None:
            self._follow(self.watched.next())

    def _try(self, command: Said | None) -> bool:
        return command is not None and bool(self.watched.attempt(command))

    def _bank(self, chance: Chance) -> None:
        """Let the bank go round until somebody takes it, or everybody has declined it."""
        watched = self.watched
        for _ in watched.table.seats:
            at, banking = next_offer(watched.live.rules, watched.live.table), watched.table.banking
            if at is None or (banker(watched.table) and chance.below(4 if banking.rounds < 2 else 2)):
                break
            self._try(Said("offer_bank", dealer(watched.table), at))
            answer = pick(chance, ["accept_bank", "decline_bank"])
            if self._try(Said(answer, person(watched.table, at), at)) and answer == "accept_bank":
                break
            self._try(Said("decline_bank", person(watched.table, at), at))
        by, stake = banker(watched.table), Cents(pick(chance, [100, 2_500, 20_000, 1_000_000]))
        if by is not None:
            self._try(Said("put_up", by, watched.table.banking.seat, {"stake": stake}))

    def _bet(self, at: int, chance: Chance) -> None:
        """Place wagers at a seat, and perhaps behind one."""
        watched = self.watched
        bets = some_bets(watched.table, chance)
        if not self._try(Said("wager", person(watched.table, at), at, {"wagers": bets})):
            return
        if not chance.below(3):
            self._try(bet_behind(watched.table, chance))

    def _chance(self, seed: int) -> Seeded:
        """Return chance that goes on as the table does: the same seed is not the same choice twice."""
        return Seeded(f"{seed} {self.watched.commands}")

    def _happen(self, chance: Seeded) -> None:
        self._try(any_move(self.watched.table, chance))

    @rule(seed=SEEDS, times=st.integers(10, 60))
    def play_goes_on(self, seed: int, times: int) -> None:
        """Play on for a while: what is due in any lawful order, and now and then something else."""
        chance = self._chance(seed)
        for _ in range(times):
            table, lawful = self.watched.table, self.watched.lawful()
            if not chance.below(8):
                self._happen(chance)
            elif not chance.below(8):
                self._must_refuse(pick(chance, UNLAWFUL), chance)
            elif table.phase is Phase.BETTING and not table.round.hands:
                self.wagers(seed)
            elif lawful:
                self._follow(pick(chance, lawful))
            else:
                self.way_out(seed)
            self.watched.check()

    @rule(seed=SEEDS)
    def something_else(self, seed: int) -> None:
        """Let something happen that nobody suggests; whether it is lawful just now is the table's to say."""
        self._happen(self._chance(seed))

    @precondition(lambda self: self.watched.table.phase in IN_ROUND)
    @rule(seed=SEEDS)
    def something_in_the_round(self, seed: int) -> None:
        """Let something happen while a round is played, and do the next thing due."""
        chance = self._chance(seed)
        self._happen(chance)
        for _ in range(chance.below(4)):
            self._follow(self.watched.next())

    @rule(seed=SEEDS)
    def something_unlawful(self, seed: int) -> None:
        """Try what is unlawful whatever the table."""
        chance = self._chance(seed)
        for unlawful in UNLAWFUL:
            self._must_refuse(unlawful, chance)

    def _must_refuse(self, unlawful: Unlawful, chance: Chance) -> None:
        command = unlawful(self.watched.table, chance)
        if command is not None:
            self.watched.must_refuse(command)

    @rule(seed=SEEDS)
    def way_out(self, seed: int = 0) -> None:
        """Where nothing is due somebody does of his own accord what is needed, until something is."""
        chance = self._chance(seed)
        for _ in range(chance.below(20)):
            table = self.watched.table
            ways = [] if self.watched.next() else [*way_out(table, chance), *ways_out(table)]
            if not any(self._try(command) for command in ways):
                break
