"""What must hold of every round at a cardroom's table, found by simpler means than the table's own."""

from __future__ import annotations

from collections import Counter

from houseway.cards import show
from houseway.games import Rules
from houseway.ledger import COLLECTIONS, Account, AccountKind, pending, player, units
from houseway.rounds.live import LiveTable
from houseway.rounds.replay import difference
from houseway.rounds.state import Round
from houseway.settlement import Payment, PaymentKind
from tests.rounds.watch import PACK, recorded
from tests.rounds.whole import disagreement


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
    kept = {a: b for a, b in books.balance.items() if b and a.kind is not AccountKind.PLAYER}
    assert set(kept) <= {COLLECTIONS}, f"money left lying: {kept}"
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
