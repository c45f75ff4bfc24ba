"""The player-dealer's bank: it collects and pays as far as the sum put up reaches, and no further.

Reading ca:C1 decides what "as far as" means. As a *ledger* of coverage, each cent collected or paid
uses one up; as a *net balance*, collections refill the bank and it stops at the sum won or lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from houseway.errors import IllegalError
from houseway.games.game import BankTerms
from houseway.law.citations import UNCITED, Cites, join_cites
from houseway.ledger import UNITS_PER_CENT, player, units
from houseway.money import Basis, Cents
from houseway.ranking import Race, tell_race, verify_split
from houseway.settlement.envy import Owed, owed
from houseway.settlement.model import (
    FORTUNE,
    MAIN,
    Area,
    Banker,
    Payment,
    PaymentKind,
    Settlement,
    Shortfall,
    Showdown,
    Spot,
    Status,
    spots,
)
from houseway.settlement.sides import line_for, tell_line

Grounds = tuple[str, Cites]
"""A reason, and its clauses."""


@dataclass
class Bank:
    """The bank while a round is settled: what it has collected and paid so far."""

    banker: Banker
    terms: BankTerms
    net_balance: bool
    pro_rata: bool = False
    collected: int = 0
    paid: int = 0
    payments: list[Payment] = field(default_factory=list)
    shortfalls: list[Shortfall] = field(default_factory=list)

    def room_to_collect(self) -> int:
        """How much more the bank may win."""
        if not self.terms.cap_win.stands:
            return 1 << 60
        used = self.collected - self.paid if self.net_balance else self.collected + self.paid
        return self.banker.stake - used

    def room_to_pay(self) -> int:
        """How much more the bank may lose."""
        if not self.terms.cap_loss.stands:
            return 1 << 60
        used = self.paid - self.collected if self.net_balance else self.collected + self.paid
        return self.banker.stake - used

    def collect(self, group: list[Spot], reason: str, law: Iterable[str], uncovered: Cites) -> None:
        """Take losing wagers of a seat as far as the bank covers them, and give the rest back."""
        shares = self._shares([spot.stake for spot in group], self.room_to_collect())
        for spot, covered in zip(group, shares, strict=True):
            self.collected += covered
            self.payments += spot.collect(covered, self.banker.account, reason, law)
            rest = Cents(spot.stake - covered)
            if rest:
                self.payments += spot.give_back(rest, "not covered by the bank", uncovered)

    def pay(
        self,
        group: list[tuple[Spot, Cents]],
        won: Grounds,
        uncovered: Cites,
        back: Grounds | None = None,
    ) -> None:
        """Pay the winners of a seat as far as the bank covers them; what is missing is no one's debt.

        A wager comes back with what it wins, or because the bank does not cover it; an Envy Bonus is none.
        """
        shares = self._shares([owing for _, owing in group], self.room_to_pay())
        owed_and_paid = [(spot, owing, part) for (spot, owing), part in zip(group, shares, strict=True)]
        if back is not None:
            for spot, owing, part in owed_and_paid:
                self.payments += spot.give_back(spot.stake, *_limit_grounds(back, uncovered, part, owing))
        kind = PaymentKind.ENVY if back is None else PaymentKind.PAY
        for spot, owing, part in owed_and_paid:
            self.paid += part
            paid = _limit_grounds(won, uncovered, part, owing)
            self.payments += spot.pay(part, self.banker.account, *paid, kind)
            if part < owing:
                uncovered.require()
                where = (spot.position, spot.person, spot.wager)
                self.shortfalls.append(Shortfall(*where, owing, part, kind, won[0], uncovered))

    def _shares(self, wanted: list[Cents], room: int) -> list[Cents]:
        """Divide what the bank can cover: the seated player first, or in proportion (reading ca:C18)."""
        left, total = min(room, sum(wanted)), sum(wanted)
        if self.pro_rata and total:
            shares = [amount * left // total for amount in wanted]
        else:
            shares = [0] * len(wanted)
        left -= sum(shares)
        for place, amount in enumerate(wanted):
            more = min(amount - shares[place], left)
            shares[place] += more
            left -= more
        return [Cents(share) for share in shares]


def _limit_grounds(grounds: Grounds, uncovered: Cites, part: Cents, owing: Cents) -> Grounds:
    """Return the reason and law for a winner: another where the bank covers nothing, or not all of it."""
    reason, law = grounds
    if part == owing:
        return grounds
    if not part:
        return "not covered by the bank: stake back", uncovered
    return f"{reason}, as far as the bank covers it", law + uncovered


def open_bank(table: Showdown, before: Sequence[Payment] = ()) -> Bank:
    """Return the bank of a round as the payments made so far have left it."""
    terms, banker = table.rules.game.bank, table.banker
    if terms is None or banker is None or table.action is None:
        raise IllegalError(
            "a player-dealer game needs its banker and the Action seat", value=table.rules.game.id
        )
    terms.no_interest.require()
    readings, account = table.rules.readings, banker.account
    collected = paid = 0
    for payment in before:
        if payment.to == account:
            collected += payment.units
        elif payment.source == account:
            paid += payment.units
    return Bank(
        banker,
        terms,
        net_balance=readings["ca_coverage"] == "net_balance",
        pro_rata=readings["ca_backline_coverage"] == "pro_rata",
        collected=collected // UNITS_PER_CENT,
        paid=paid // UNITS_PER_CENT,
    )


def settle_bank(table: Showdown) -> Settlement:
    """Settle a player-dealer round: game, Fortune and Envy, from the Action seat clockwise."""
    bank = open_bank(table)
    races: dict[int, Race] = {}
    if table.void is not None:
        for area in table.areas:
            for spot in [s for w in (MAIN, FORTUNE) for s in spots(area, w)]:
                bank.payments += spot.give_back(spot.stake, f"void: {table.void}", table.void_law)
    else:
        races = {a.position: race_bank(table, a) for a in from_action(table) if a.status is not Status.VOID}
        for area, wager in _in_order(table):
            settle_banked(table, bank, area, wager, races.get(area.position))
        pay_banked_envy(table, bank)
    close_bank(bank)
    return Settlement(tuple(bank.payments), None, races, tuple(bank.shortfalls))


def _in_order(table: Showdown) -> list[tuple[Area, str]]:
    """Return hand and wager as they are settled: pass by pass, or seat by seat, by reading ca:C3."""
    areas = from_action(table)
    if table.rules.readings["ca_settlement_order"] == "seat_by_seat":
        return [(area, wager) for area in areas for wager in (MAIN, FORTUNE)]
    return [(area, wager) for wager in (MAIN, FORTUNE) for area in areas]


def from_action(table: Showdown) -> list[Area]:
    """Return the areas clockwise from the Action seat; seats rise clockwise."""
    start, seats = (
        table.action or 0,
        table.rules.submission.table.seats or table.rules.submission.table.positions,
    )
    return sorted(table.areas, key=lambda area: ((area.position - start) % seats, area.position))


def settle_banked(table: Showdown, bank: Bank, area: Area, wager: str, race: Race | None) -> None:
    """Settle one wager of a hand with what the bank has left; a void hand has no race."""
    if race is None:
        for spot in spots(area, wager):
            bank.payments += spot.give_back(spot.stake, "the hand is void", area.void_law)
    elif wager == MAIN:
        _game(table, bank, area, race)
    else:
        _fortune(table, bank, area)


def _game(table: Showdown, bank: Bank, area: Area, outcome: Race) -> None:
    terms = table.rules.terms(MAIN)
    group, text = spots(area, MAIN), tell_race(table.rules.ranking(), outcome)
    if outcome.result == "lose":
        bank.collect(group, f"loses ({text})", outcome.clauses, bank.terms.exhausted)
        return
    law = join_cites(outcome.clauses, terms.pushes if outcome.result == "push" else UNCITED)
    back = f"{outcome.result} ({text}): stake back", law
    if outcome.result == "push":
        for spot in group:
            bank.payments += spot.give_back(spot.stake, *back)
        return
    line = table.rules.line(MAIN, "win")
    owing = [(spot, line.pays.won(spot.stake)) for spot in group]
    won = f"wins {line.pays} ({text})", law + line.clauses
    bank.pay(owing, won, bank.terms.exhausted, back)


def race_or_wait(table: Showdown, area: Area) -> Race | None:
    """Race a hand; nothing if it is foul and the floor has still to rule about it (reading ca:C11)."""
    if area.status not in (Status.PLAYED, Status.FOULED):
        raise IllegalError(
            f"a hand that is {area.status} waits for a supervisor's ruling", value=area.position
        )
    if area.setting is None or verify_split(table.rules.ranking(), area.cards, area.setting):
        raise IllegalError("not a setting of the dealt cards", value=area.position)
    race = table.raced_by(area.setting)
    if not race.fouls or area.status is Status.FOULED:
        return race
    return None if table.rules.readings["ca_foul_ruling"] == "supervisor_ruling" else race


def race_bank(table: Showdown, area: Area) -> Race:
    """Race a hand; a foul found after the cards are exposed waits for a ruling unless one was chosen."""
    race = race_or_wait(table, area)
    if race is None:
        raise IllegalError("a foul set waits for a supervisor's ruling", value=area.position)
    return race


def _fortune(table: Showdown, bank: Bank, area: Area) -> None:
    bank.terms.includes_bonus.require()
    group = spots(area, FORTUNE)
    if not group:
        return
    table.rules.terms(FORTUNE).stands.require()
    line = line_for(table.rules, FORTUNE, area)
    text, law = tell_line(line), join_cites(line.clauses, bank.terms.bonus_extent)
    if line.pays.basis is Basis.LOSE:
        bank.collect(group, f"{text}: loses", law, bank.terms.bonus_exhausted)
        return
    owing = [(spot, line.pays.won(spot.stake)) for spot in group]
    won, back = (f"{text} pays {line.pays}", law), (f"{text}: stake back", law)
    bank.pay(owing, won, bank.terms.bonus_exhausted, back)


def pay_banked_envy(table: Showdown, bank: Bank) -> None:
    """Pay the Envy Bonuses with what the bank has left when every other wager is settled."""
    due = owed(table, FORTUNE)
    for area in from_action(table):
        for bonus in due:
            if bonus.spot.position == area.position:
                _envy(bank, bonus)


def _envy(bank: Bank, due: Owed) -> None:
    reason = f"envy of the {due.hand.replace('_', ' ')} at {due.holder}"
    won = reason, join_cites(due.clauses, bank.terms.envy_extent)
    bank.pay([(due.spot, due.amount)], won, bank.terms.envy_exhausted)


def close_bank(bank: Bank) -> None:
    """Give the player-dealer what the bank holds at the end of the round."""
    left = bank.banker.stake + bank.collected - bank.paid
    if left > 0:
        person = bank.banker.person
        account = bank.banker.account
        bank.payments.append(
            Payment(
                PaymentKind.RETURN,
                units(left),
                account,
                player(person),
                0,
                person,
                "bank",
                "the bank is closed",
            )
        )
