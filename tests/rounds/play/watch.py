"""A table under watch: every command decided twice; after each, the money, the cards and the log looked at.

What is checked is folded anew from the events, by simpler means than the table's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from houseway.cards import Card
from houseway.games import Rules
from houseway.law.problems import Problem, RefusedError
from houseway.ledger import INVENTORY, Account, AccountKind, open_wagers, pending, units
from houseway.meters import Meter
from houseway.rng import Entropy, SealedDeck, SeededEntropy
from houseway.rounds.books import posted
from houseway.rounds.chance import EntropyChance, Moment, Vault
from houseway.rounds.codec import decode, encode
from houseway.rounds.deciding import decide, evolve, evolve_all
from houseway.rounds.live import LiveTable, due_moves
from houseway.rounds.state import CardOrigin, Round, Table, changed
from houseway.rounds.step import AnEvent, Command, Event, Proposal
from houseway.settlement import Payment, PaymentKind, Status
from tests.games.support import Changes
from tests.games.support import rules as rules_of
from tests.rounds.books import flows, meters_opened, recorded
from tests.rounds.commands import NamedStep, proposed, value_of
from tests.rounds.play.chance import ONE_IN, entropy_for_shuffle
from tests.rounds.table import DEALT_SINGLY, Snapshot, snapshot

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
PACK = 53
AFRESH = 7
"""Every so many commands, what is remembered of earlier ones is compared with what is worked out anew."""
ROUND_ENDS = ("close_round", "void_round", "end_round")
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
        if payment.kind is PaymentKind.ENVY:
            named = (*key, payment.reason)
            assert named not in self.envy, f"paid twice: {payment}"
            self.envy.add(named)
        elif payment.kind is PaymentKind.REVERSAL and self._undoes_envy(payment):
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
        undone = {envied for envied in self.envy if envied[:2] == key and payment.reason.endswith(envied[2])}
        self.envy -= undone
        return bool(undone)

    def check(self, meter: Meter | None) -> None:
        assert sum(self.balance.values()) == 0
        if self.meter is not None and meter is not None:
            terms = meter.terms
            assert meter.value == self.meter.value + self.balance[terms.account]
            assert meter.reserve == self.meter.reserve + self.balance[terms.reserve_account]

    def ended(self, this_round: Round, *, keeps: bool) -> None:
        for account in self.stakes:
            assert self.balance[account] == 0, f"{account} is left with {self.balance[account]}"
        ends = {(account.position, account.wager) for account in self.stakes}
        assert {key for key, times in self.endings.items() if times} == ends
        assert tuple(self.payments) == this_round.payments
        if this_round.void is not None:
            moved = {a: b for a, b in self.balance.items() if b and not (keeps and a.kind in _METERED)}
            assert not moved, f"a void round moved money: {moved}"
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

    def deal(self, number: int, first: int, cards: Sequence[Card]) -> None:
        assert list(cards) == self.left[:number], "the event tells of the cards that came off the deck"
        self.first = self.first or first
        for _ in range(number):
            turn = self.dealt % 7 if self.singly else self.dealt // self.size
            self.hands[(self.first - 1 - turn) % 7 + 1].append(self.left.pop(0))
            self.dealt += 1

    def set_aside(self) -> None:
        self.aside.append(self.left.pop(0))

    def check(self, table: Snapshot) -> None:
        this_round = table.round
        assert this_round.dealt == self.dealt and this_round.boxed == len(self.aside)
        assert len(this_round.drawn) == this_round.dealt and set(this_round.drawn).isdisjoint(self.left)
        everything = [*self.left, *self.aside, *(card for cards in self.hands.values() for card in cards)]
        assert len(set(everything)) == len(everything) == PACK
        if self.dealt < 7 * self.size:
            return
        assert this_round.dealer_cards == tuple(self.hands[1])
        for at, hand in this_round.hands.items():
            assert hand.cards == tuple(self.hands[at])
            if hand.setting is not None:
                assert sorted(card for part in hand.setting for card in part) == sorted(hand.cards)


class Watched:
    """A table, its clock and its log; whatever is done to it is checked."""

    def __init__(self, game: str, changes: Changes, seed: str, *, twice: bool = True) -> None:
        self.live = LiveTable(rules_of(game, changes), SeededEntropy(seed), NOON)
        self.first = self.live.table
        self.since = self.first
        self.seed, self.twice = seed, twice
        self.commands = 0
        self.events: list[AnEvent] = []
        self.round: list[AnEvent] = []
        self.bets: dict[int, tuple[str, dict[str, int]]] = {}
        self.money: Money | None = None
        self.deal: Deal | None = None
        self.done: Counter[str] = Counter()
        self.refusals = 0
        self.rounds = 0
        self.records = 0
        self.writing = True
        self.rare = ONE_IN
        self._seen = snapshot(self.live)
        self.ledger = meters_opened(self.live)

    @property
    def table(self) -> Snapshot:
        """The table as it is now."""
        if self._seen.state is not self.live.table:
            self._seen = snapshot(self.live)
        return self._seen

    @property
    def now(self) -> datetime:
        """What the clock says."""
        return self.live.now

    def dealt_from(self, source: CardOrigin) -> None:
        """Let the cards of a table that is not open yet come from elsewhere."""
        self.live.table = self.live.before = changed(self.live.table, source=source)
        self.first = self.since = self.live.table

    # --- doing ---------------------------------------------------------------------------------

    def attempt(self, wanted: NamedStep | Proposal) -> tuple[AnEvent, ...]:
        """Do something if it is lawful; nothing else than a refusal with its reasons may come of it."""
        seed = f"{self.seed}/{self.commands}"
        self.commands += 1
        before, played_by = self.live.table, self.live.rules
        try:
            what = proposed(wanted, played_by)
            self.live.entropy = self.live.vault.entropy = self._entropy(what.step, seed)
            command = self.live.command(what.by, what.action)
            events = self.live.carry_out(command)
        except RefusedError as error:
            reasons(error)
            assert self.live.table is before
            self.refusals += 1
            return ()
        if self.twice:
            assert self._again(played_by, before, command, seed) == events
        if self.commands % AFRESH == 0:
            # nothing is remembered of earlier ones
            anew = replace(played_by, readings=dict(played_by.readings))
            assert self._again(anew, before, command, seed) == events
        self._take(played_by, before, events)
        return events

    def _again(self, rules: Rules, before: Table, command: Command, seed: str) -> tuple[AnEvent, ...]:
        """Decide a command once more, with the same chance and the meters as they were."""
        entropy = self._entropy(command.step, seed)
        vault = Vault(entropy, self.live.vault.sealed)
        turn = self.live.turns[-1] if self.live.turns else self.live.record and self.live.record.turns[-1]
        meters = {**self.live.meters, **(turn.meters if turn else {})}
        moment = Moment(self.live.now, EntropyChance(entropy), vault, meters)
        return decide(rules, before, command, moment)

    def _entropy(self, step: str, seed: str) -> Entropy:
        """Return the chance that a command is decided by; a shuffle sometimes comes out with rare hands."""
        if step != "shuffle":
            return SeededEntropy(seed)
        game = self.table.rules.game
        cards, singly = game.cards().cards, self.table.way in DEALT_SINGLY
        return entropy_for_shuffle(cards, game.hand_cards, seed, singly=singly, one_in=self.rare)

    def must_refuse(self, command: NamedStep | Proposal) -> tuple[Problem, ...]:
        """Try something unlawful: refused, with at least one reason, and the table as it was."""
        before = self.live.table
        try:
            what = proposed(command, self.live.rules)
            self.live.do(what.by, what.action)
        except RefusedError as error:
            self.refusals += 1
            assert self.live.table is before
            return reasons(error)
        raise AssertionError(f"not refused while {self.table.phase}: {command}")

    def lawful(self) -> list[Proposal]:
        """Return the suggestions that may be followed now."""
        return [move for move in due_moves(self.live.rules, self.live.table) if self.due(move)]

    def next(self) -> Proposal | None:
        """Return the first suggestion that may be followed now."""
        return self.live.due()

    def due(self, command: NamedStep | Proposal) -> bool:
        """Whether a suggestion may be followed now."""
        return self.live.may(proposed(command, self.live.rules))

    def later(self, **span: float) -> None:
        """Let time pass."""
        self.live.now += timedelta(**span)

    # --- checking ------------------------------------------------------------------------------

    def _take(self, rules: Rules, before: Table, events: tuple[AnEvent, ...]) -> None:
        """Fold the events one by one, as they are read back from their text."""
        after = before
        for event in events:
            read = decode(Event, encode(event))
            assert read == event
            before, after = after, evolve(after, read)
            self.events.append(event)
            self.round.append(event)
            self.done[event.step] += 1
            self.ledger = posted(self.ledger, before.id, event)
            self._follow(Snapshot(before, rules), Snapshot(after, rules), event)
            if event.step in ROUND_ENDS:
                self._ended(event)
        assert after == self.live.table
        if self.commands % AFRESH == 0:
            text = encode(after)
            assert decode(Table, text) == after and encode(decode(Table, text)) == text
        if self.table.meter is not None:
            balance = self.ledger.balance(self.table.meter.terms.account)
            assert balance == self.table.meter.value, "the ledger and the meter agree"
        if self.money is not None:
            self.money.check(self.table.meter)
        if self.deal is not None:
            self.deal.check(self.table)

    def _follow(self, before: Snapshot, after: Snapshot, event: AnEvent) -> None:
        at = event.position or 0
        if event.step in ("wager", "correct_wager"):
            placed = {name: int(amount) for name, amount in event.action.wagers.items() if amount}
            self.bets.pop(at, None)
            if placed:
                self.bets[at] = before.seats[at].person, placed
        elif event.step == "leave" and self.money is None:
            self.bets.pop(at, None)
        elif event.step == "no_more_bets":
            this_round = after.round
            assert {p: (h.person, dict(h.wagers)) for p, h in this_round.hands.items()} == self.bets
            self.money = Money(self.bets, self.table.meter)
        elif event.step == "double_down" and self.money is not None:
            hand = before.round.hands[at]
            self.money.place(at, hand.person, "double_down", event.action.amount or hand.amount("main"))
        elif event.step == "rule_count" and self.money is not None:
            for without in event.action.without:
                self.money.withdraw(without, before.round.hands[without].person, "progressive")
        elif event.step == "deal":
            self._dealing(before).deal(
                value_of(event, "number"), value_of(event, "first"), value_of(event, "cards")
            )
        elif event.step == "boxed_card":
            self._dealing(before).set_aside()
        for payment in getattr(event.outcome, "payments", ()):
            assert self.money is not None, f"{event.step} pays outside a round"
            self.money.pay(payment)

    def _sealed(self, table: Table) -> SealedDeck | None:
        commitment = table.round.commitment
        return self.live.vault.sealed[commitment] if commitment else None

    def _dealing(self, before: Snapshot) -> Deal:
        """Return the deal in progress; it begins with the order the deck has at its first card."""
        if self.deal is None:
            this_round, size = before.round, before.rules.game.hand_cards
            sealed = self._sealed(before.state)
            assert sealed is not None and before.in_play.commitment == this_round.commitment
            order = (*sealed.order[this_round.cut_at % PACK :], *sealed.order[: this_round.cut_at % PACK])
            assert is_cut_of(order, sealed.order)
            self.deal = Deal(order, size, singly=before.way in DEALT_SINGLY)
        return self.deal

    def _ended(self, event: AnEvent) -> None:
        this_round = self.table.last
        assert this_round is not None and self.money is not None
        self.rounds += 1
        self.money.ended(this_round, keeps="keep" in self.table.rules.readings.values())
        if event.step == "close_round":
            assert sum(racked.count for racked in self.table.rack) == PACK
            known = [card for racked in self.table.rack for card in racked.cards]
            assert len(set(known)) == len(known)
            assert all(hand.status is Status.VOID or hand.has("racked") for hand in this_round.active())
        assert open_wagers(self.ledger) == (), "every wager has ended"
        self.ledger.verify()
        assert self.live.record is not None
        if self.writing:
            recorded(self.live.record)
            self.records += 1
        assert evolve_all(self.since, self.round) == self.live.table
        self.since = self.live.table
        self.round.clear()
        self.bets, self.money, self.deal = {}, None, None

    def check(self) -> None:
        """Look at the money and the cards of the round once more."""
        if self.money is not None:
            self.money.check(self.table.meter)
            assert tuple(self.money.payments) == self.table.round.payments
        if self.deal is not None:
            self.deal.check(self.table)

    def refold(self) -> None:
        """Fold everything from the beginning: the same table comes of it."""
        assert evolve_all(self.first, self.events) == self.live.table


def reasons(error: RefusedError) -> tuple[Problem, ...]:
    """Return why something was refused; there is a reason, in words."""
    assert error.problems and all(problem.reason.strip() for problem in error.problems)
    assert all(problem.blocks for problem in error.problems)
    return error.problems


def is_cut_of(order: Sequence[Card], sealed: Sequence[Card]) -> bool:
    """Whether a stack is the sealed one, cut at most."""
    at = list(sealed).index(order[0])
    return tuple(order) == (*sealed[at:], *sealed[:at])
