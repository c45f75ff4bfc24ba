"""A table under watch: every command decided twice; after each, the money, the cards and the log looked at.

What is checked is folded anew from the events, by simpler means than the table's own.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from houseway.cards import Card
from houseway.games import Rules
from houseway.law.claims import watching
from houseway.law.documents import as_document
from houseway.law.problems import Problem, RefusedError
from houseway.ledger import INVENTORY, Account, AccountKind, pending, units
from houseway.meters import Meter
from houseway.rng import Entropy, SeededEntropy
from houseway.rounds.deciding import (
    decide,
    evolve,
    evolve_all,
    plainly_right,
    plan_of,
    reasons_against,
    suggestions,
)
from houseway.rounds.record import Record, write_record
from houseway.rounds.replay import differences
from houseway.rounds.sitting import may, new_table
from houseway.rounds.state import Play, Table
from houseway.rounds.step import Command, Event, Moment
from houseway.rounds.writing import flows, write_down
from houseway.settlement import Kind, Payment, Status
from tests.games.support import Changes, rules
from tests.rounds.loaded import ONE_IN, entropy_for_shuffle

NOON = datetime(2026, 1, 5, 12)
PACK = 53
AFRESH = 7
"""Every so many commands, what is remembered of earlier ones is compared with what is worked out anew."""
ROUND_ENDS = ("close_round", "void_round", "end_round")
DEALT_SINGLY = ("manual_shoe", "hand")
"""The ways of dealing by which a card at a time goes to every position; else a whole hand at a time."""

_METERED = (AccountKind.INVENTORY, AccountKind.METER, AccountKind.RESERVE)
"""Where money may stay after a void round if what was put into the meter is read to stay there."""


class Money:
    """The accounts of one round, from the wagers placed and every payment since."""

    def __init__(self, bets: dict[int, tuple[str, dict[str, int]]], meter: Meter | None) -> None:
        self.balance: Counter[Account] = Counter()
        self.stakes: set[Account] = set()
        self.endings: Counter[tuple[int, str]] = Counter()
        self.pays: Counter[tuple[int, str]] = Counter()
        self.envy: set[tuple[int, str, str]] = set()
        self.payments: list[Payment] = []
        self.meter = meter
        for at, (person, wagers) in bets.items():
            for wager, amount in wagers.items():
                self.place(at, person, wager, amount)

    def place(self, at: int, person: str, wager: str, amount: int) -> None:
        account = pending(at, person, wager)
        assert account not in self.stakes, f"{account} placed twice"
        self.stakes.add(account)
        self.balance[account] += units(amount)
        self.balance[Account(AccountKind.PLAYER, person)] -= units(amount)

    def withdraw(self, at: int, person: str, wager: str) -> None:
        """Take a wager out of the books that was never there."""
        account = pending(at, person, wager)
        self.stakes.remove(account)
        self.balance[Account(AccountKind.PLAYER, person)] += self.balance.pop(account)

    def pay(self, payment: Payment) -> None:
        assert payment.units > 0, f"nothing moves: {payment}"
        self.payments.append(payment)
        self.balance[payment.source] -= payment.units
        self.balance[payment.to] += payment.units
        for account in (payment.source, payment.to):
            if account.kind is AccountKind.PENDING:
                assert account in self.stakes, f"no such wager: {payment}"
                assert self.balance[account] >= 0, f"less than nothing: {payment}"
        key = payment.position, payment.wager
        self.endings[key] += (payment.source.kind is AccountKind.PENDING) - (
            payment.to.kind is AccountKind.PENDING
        )
        if payment.kind is Kind.ENVY:
            named = (*key, payment.reason)
            assert named not in self.envy, f"paid twice: {payment}"
            self.envy.add(named)
        elif payment.kind is Kind.REVERSAL and self._undoes_envy(payment):
            pass
        elif AccountKind.PENDING not in (payment.source.kind, payment.to.kind):
            self.pays[key] += (payment.to.kind is AccountKind.PLAYER) - (
                payment.source.kind is AccountKind.PLAYER
            )
        assert 0 <= self.endings[key] <= 1, f"ended twice: {payment}"
        assert 0 <= self.pays[key] <= 1, f"paid twice: {payment}"

    def _undoes_envy(self, payment: Payment) -> bool:
        """Take back an Envy Bonus that was paid before the round was found void."""
        key = payment.position, payment.wager
        undone = {one for one in self.envy if one[:2] == key and payment.reason.endswith(one[2])}
        self.envy -= undone
        return bool(undone)

    def check(self, meter: Meter | None) -> None:
        assert sum(self.balance.values()) == 0
        if self.meter is not None and meter is not None:
            terms = meter.terms
            assert meter.value == self.meter.value + self.balance[terms.account]
            assert meter.reserve == self.meter.reserve + self.balance[terms.reserve_account]

    def ended(self, play: Play, *, keeps: bool) -> None:
        for account in self.stakes:
            assert self.balance[account] == 0, f"{account} is left with {self.balance[account]}"
        ends = {(int(at), wager) for at, _, wager in (a.name.split("/") for a in self.stakes)}
        assert {key for key, times in self.endings.items() if times} == ends
        assert tuple(self.payments) == play.payments
        if play.void is not None:
            kept = {a: b for a, b in self.balance.items() if b and not (keeps and a.kind in _METERED)}
            assert not kept, f"a void round moved money: {kept}"
        whole = flows(self.payments)
        assert whole.get(INVENTORY, 0) == self.balance[INVENTORY]


class Deal:
    """The cards of one round, dealt again by hand from the order of the deck."""

    def __init__(self, order: Sequence[Card], size: int, *, singly: bool) -> None:
        assert len(set(order)) == len(order) == PACK
        self.left = list(order)
        self.aside: list[Card] = []
        self.hands: dict[int, list[Card]] = {at: [] for at in range(1, 8)}
        self.size, self.singly = size, singly
        self.dealt, self.first = 0, 0

    def deal(self, number: int, first: int) -> None:
        self.first = self.first or first
        for _ in range(number):
            turn = self.dealt % 7 if self.singly else self.dealt // self.size
            self.hands[(self.first - 1 - turn) % 7 + 1].append(self.left.pop(0))
            self.dealt += 1

    def set_aside(self) -> None:
        self.aside.append(self.left.pop(0))

    def check(self, table: Table) -> None:
        play = table.play
        assert play.dealt == self.dealt and play.boxed == len(self.aside)
        assert tuple(self.left) == play.order[play.dealt :]
        everything = [*self.left, *self.aside, *(card for cards in self.hands.values() for card in cards)]
        assert len(set(everything)) == len(everything) == PACK
        if self.dealt < 7 * self.size:
            return
        assert play.dealer_cards == tuple(self.hands[1])
        for at, hand in play.hands.items():
            assert hand.cards == tuple(self.hands[at])
            if hand.setting is not None:
                assert sorted(card for part in hand.setting for card in part) == sorted(hand.cards)


class Watched:
    """A table, its clock and its log; whatever is done to it is checked."""

    def __init__(self, game: str, changes: Changes, seed: str, *, twice: bool = True) -> None:
        self.first = self.table = new_table(rules(game, changes))
        self.since = self.first
        self.seed, self.twice = seed, twice
        self.now = NOON
        self.commands = 0
        self.events: list[Event] = []
        self.round: list[Event] = []
        self.bets: dict[int, tuple[str, dict[str, int]]] = {}
        self.money: Money | None = None
        self.deal: Deal | None = None
        self.done: Counter[str] = Counter()
        self.refusals = 0
        self.rounds = 0
        self.records = 0
        self.writing = True
        self.rare = ONE_IN

    # --- doing ---------------------------------------------------------------------------------

    def attempt(self, command: Command) -> tuple[Event, ...]:
        """Do something if it is lawful; nothing else than a refusal with its reasons may come of it."""
        seed = f"{self.seed}/{self.commands}"
        self.commands += 1
        plan = plan_of(self.table, command.step)
        if plan and plainly_right(self.table, plan, command):
            assert not reasons_against(self.table, plan, command), "found right and wrong"
        try:
            events = decide(self.table, command, Moment(self.now, self._entropy(command, seed)))
        except RefusedError as error:
            reasons(error)
            self.refusals += 1
            return ()
        if self.twice:
            assert decide(self.table, command, Moment(self.now, self._entropy(command, seed))) == events
        if self.commands % AFRESH == 0:
            with watching(off=("no clause at all",)):  # nothing that was remembered is used
                assert decide(self.table, command, Moment(self.now, self._entropy(command, seed))) == events
        self._take(events)
        return events

    def _entropy(self, command: Command, seed: str) -> Entropy:
        """Return the chance that a command is decided by; a shuffle sometimes comes out with rare hands."""
        if command.step != "shuffle":
            return SeededEntropy(seed)
        game = self.table.rules.game
        cards, singly = game.cards().cards, self.table.way in DEALT_SINGLY
        return entropy_for_shuffle(cards, game.hand_cards, seed, singly=singly, one_in=self.rare)

    def must_refuse(self, command: Command) -> tuple[Problem, ...]:
        """Try something unlawful: refused, with at least one reason, and the table as it was."""
        before = self.table
        try:
            decide(self.table, command, Moment(self.now, SeededEntropy(self.seed)))
        except RefusedError as error:
            self.refusals += 1
            assert self.table is before
            return reasons(error)
        raise AssertionError(f"not refused while {self.table.phase}: {command}")

    def lawful(self) -> list[Command]:
        """Return the suggestions that may be followed now."""
        return [command for command in suggestions(self.table) if self.due(command)]

    def next(self) -> Command | None:
        """Return the first suggestion that may be followed now."""
        return next((command for command in suggestions(self.table) if self.due(command)), None)

    def due(self, command: Command) -> bool:
        """Whether a suggestion may be followed now."""
        return may(self.table, command, self.now)

    def later(self, **span: float) -> None:
        """Let time pass."""
        self.now += timedelta(**span)

    # --- checking ------------------------------------------------------------------------------

    def _take(self, events: tuple[Event, ...]) -> None:
        for event in events:
            before, self.table = self.table, evolve(self.table, event)
            if self.twice:
                assert evolve(before, event) == self.table
            self.events.append(event)
            self.round.append(event)
            self.done[event.step] += 1
            self._follow(before, event)
            if self.money is not None:
                self.money.check(self.table.meter)
            if event.step in ROUND_ENDS:
                self._ended(event)
        if self.deal is not None:
            self.deal.check(self.table)

    def _follow(self, before: Table, event: Event) -> None:
        at = event.position or 0
        if event.step in ("wager", "correct_wager"):
            placed = {name: int(amount) for name, amount in event.details["wagers"].items() if amount}
            self.bets.pop(at, None)
            if placed:
                self.bets[at] = before.seats[at].person, placed
        elif event.step == "leave" and self.money is None:
            self.bets.pop(at, None)
        elif event.step == "no_more_bets":
            play = self.table.play
            assert {p: (h.person, dict(h.wagers)) for p, h in play.hands.items()} == self.bets
            self.money = Money(self.bets, self.table.meter)
        elif event.step == "double_down" and self.money is not None:
            hand = before.play.hands[at]
            self.money.place(at, hand.person, "double_down", event.get("amount", hand.amount("main")))
        elif event.step == "rule_count" and self.money is not None:
            for without in event.details["without"]:
                self.money.withdraw(without, before.play.hands[without].person, "progressive")
        elif event.step == "deal":
            self._dealing(before).deal(event.get("number"), event.get("first"))
        elif event.step == "boxed_card":
            self._dealing(before).set_aside()
        for payment in event.outcome.get("payments", ()):
            assert self.money is not None, f"{event.step} pays outside a round"
            self.money.pay(payment)

    def _dealing(self, before: Table) -> Deal:
        """Return the deal in progress; it begins with the order the deck has at its first card."""
        if self.deal is None:
            play, size = before.play, before.rules.game.hand_cards
            assert play.sealed is not None and is_cut_of(play.order, play.sealed.order)
            assert before.in_play is not None and before.in_play.order == play.order
            self.deal = Deal(play.order, size, singly=before.way in DEALT_SINGLY)
        return self.deal

    def _ended(self, event: Event) -> None:
        play = self.table.last
        assert play is not None and self.money is not None
        self.rounds += 1
        self.money.ended(play, keeps="keep" in self.table.rules.readings.values())
        if event.step == "close_round":
            assert sum(racked.count for racked in self.table.rack) == PACK
            known = [card for racked in self.table.rack for card in racked.cards]
            assert len(set(known)) == len(known)
            assert all(hand.status is Status.VOID or hand.has("racked") for hand in play.active())
        if self.writing:
            recorded(self.table.rules, play, self.round, f"{self.seed}-{self.rounds}")
            self.records += 1
        assert evolve_all(self.since, self.round) == self.table
        self.since = self.table
        self.round.clear()
        self.bets, self.money, self.deal = {}, None, None

    def check(self) -> None:
        """Look at the money and the cards of the round once more."""
        if self.money is not None:
            self.money.check(self.table.meter)
            assert tuple(self.money.payments) == self.table.play.payments
        if self.deal is not None:
            self.deal.check(self.table)

    def refold(self) -> None:
        """Fold everything from the beginning: the same table comes of it."""
        assert evolve_all(self.first, self.events) == self.table


def reasons(error: RefusedError) -> tuple[Problem, ...]:
    """Return why something was refused; there is a reason, in words."""
    assert error.problems and all(problem.reason.strip() for problem in error.problems)
    assert all(problem.blocks for problem in error.problems)
    return error.problems


def recorded(played_by: Rules, play: Play, events: Iterable[Event], name: str) -> Record:
    """Write a round down: it replays without differences and reads back to the letter."""
    record = write_down(played_by, play, events, name)
    assert differences(record) == (), differences(record)
    text = write_record(record)
    again: Record = as_document(Record, tomllib.loads(text), record.id)
    assert write_record(again) == text
    return record


def is_cut_of(order: Sequence[Card], sealed: Sequence[Card]) -> bool:
    """Whether a stack is the sealed one, cut at most."""
    at = list(sealed).index(order[0])
    return tuple(order) == (*sealed[at:], *sealed[:at])
