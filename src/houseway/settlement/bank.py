"""The player-dealer's bank: it collects and pays as far as the sum put up reaches, and no further.

Reading ca:C1 decides what "as far as" means. As a *ledger* of coverage, each cent collected or paid
uses one up; as a *net balance*, collections refill the bank and it stops at the sum won or lost.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from houseway.errors import IllegalError
from houseway.games.game import BankTerms
from houseway.law.claims import claim, rest_on
from houseway.ledger import player, units
from houseway.money import Basis, Cents
from houseway.ranking import Race, verify_setting, verify_split
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
from houseway.settlement.sides import line_for


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
        if not claim(self.terms.cap_win):
            return 1 << 60
        used = self.collected - self.paid if self.net_balance else self.collected + self.paid
        return self.banker.stake - used

    def room_to_pay(self) -> int:
        """How much more the bank may lose."""
        if not claim(self.terms.cap_loss):
            return 1 << 60
        used = self.paid - self.collected if self.net_balance else self.collected + self.paid
        return self.banker.stake - used

    def collect(
        self, group: list[Spot], reason: str, law: tuple[str, ...], uncovered: tuple[str, ...]
    ) -> None:
        """Take losing wagers of a seat as far as the bank covers them, and give the rest back."""
        shares = self._shares([spot.stake for spot in group], self.room_to_collect())
        for spot, covered in zip(group, shares, strict=True):
            self.collected += covered
            self.payments += spot.collect(covered, self.banker.account, reason, law)
            rest = Cents(spot.stake - covered)
            if rest:
                rest_on(*uncovered)
                self.payments += spot.give_back(rest, "not covered by the bank", uncovered)

    def pay(
        self,
        group: list[tuple[Spot, Cents]],
        reason: str,
        law: tuple[str, ...],
        kind: PaymentKind = PaymentKind.PAY,
    ) -> None:
        """Pay the winners of a seat as far as the bank covers them; what is missing is nobody's debt."""
        shares = self._shares([owing for _, owing in group], self.room_to_pay())
        for (spot, owing), covered in zip(group, shares, strict=True):
            self.paid += covered
            self.payments += spot.pay(covered, self.banker.account, reason, law, kind)
            if covered < owing:
                rest_on(*(self.terms.envy_exhausted if kind is PaymentKind.ENVY else ()))
                self.shortfalls.append(Shortfall(spot.position, spot.person, spot.wager, owing, covered))

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


def settle_bank(table: Showdown) -> Settlement:
    """Settle a player-dealer round: game, Fortune and Envy, from the Action seat clockwise."""
    bank_terms, banker = table.rules.game.bank, table.banker
    if bank_terms is None or banker is None or table.action is None:
        raise IllegalError(
            "a player-dealer game needs its banker and the Action seat", value=table.rules.game.id
        )
    rest_on(bank_terms.no_interest)
    readings = table.rules.readings
    net, pro_rata = readings["ca_coverage"] == "net_balance", readings["ca_backline_coverage"] == "pro_rata"
    bank = Bank(banker, bank_terms, net, pro_rata)
    races: dict[int, Race] = {}
    if table.void is not None:
        for area in table.areas:
            for spot in [s for w in (MAIN, FORTUNE) for s in spots(area, w)]:
                bank.payments += spot.give_back(spot.stake, f"void: {table.void}", table.void_law)
    else:
        _settle_in_order(table, bank, races)
    _close(bank)
    return Settlement(tuple(bank.payments), None, races, tuple(bank.shortfalls))


def _settle_in_order(table: Showdown, bank: Bank, races: dict[int, Race]) -> None:
    """Three passes round the table, or seat by seat, as reading ca:C3 is taken; Envy comes last."""
    areas = from_action(table)
    if table.rules.readings["ca_settlement_order"] == "seat_by_seat":
        for area in areas:
            _game(table, bank, area, races)
            _fortune(table, bank, area)
    else:
        for area in areas:
            _game(table, bank, area, races)
        for area in areas:
            _fortune(table, bank, area)
    due = owed(table, FORTUNE)
    for area in areas:
        for one in due:
            if one.spot.position == area.position:
                _envy(bank, one)


def from_action(table: Showdown) -> list[Area]:
    """Return the areas clockwise from the Action seat; seats rise clockwise."""
    start, seats = (
        table.action or 0,
        table.rules.submission.table.seats or table.rules.submission.table.positions,
    )
    return sorted(table.areas, key=lambda area: ((area.position - start) % seats, area.position))


def _game(table: Showdown, bank: Bank, area: Area, races: dict[int, Race]) -> None:
    terms = table.rules.game.wager_terms(MAIN)
    if area.status is Status.VOID:
        for spot in spots(area, MAIN):
            bank.payments += spot.give_back(spot.stake, "the hand is void", area.void_law)
        return
    outcome = race_bank(table, area)
    races[area.position] = outcome
    group, said = spots(area, MAIN), _parts(outcome)
    if outcome.result == "lose":
        bank.collect(group, f"loses ({said})", outcome.clauses, bank.terms.exhausted)
        return
    law = (*outcome.clauses, *(terms.pushes if outcome.result == "push" else ()))
    rest_on(*(terms.pushes if outcome.result == "push" else ()))
    for spot in group:
        bank.payments += spot.give_back(spot.stake, f"{outcome.result} ({said}): stake back", law)
    if outcome.result == "win":
        line = table.rules.paytable(MAIN).line("win")
        owing = [(spot, line.pays.won(spot.stake)) for spot in group]
        bank.pay(owing, f"wins {line.pays} ({said})", (*law, *line.clauses))


def _parts(outcome: Race) -> str:
    return "foul" if outcome.fouls else "".join(outcome.parts)


def waits_for_ruling(table: Showdown, area: Area) -> bool:
    """Whether a hand is a foul about which the floor has still to rule (reading ca:C11)."""
    if area.status is Status.FOULED or table.rules.readings["ca_foul_ruling"] != "supervisor_ruling":
        return False
    return area.setting is not None and bool(verify_setting(table.rules.ranking(), area.setting))


def race_bank(table: Showdown, area: Area) -> Race:
    """Race a hand; a foul found after the cards are exposed waits for a ruling unless one was chosen."""
    order = table.rules.ranking()
    if area.status not in (Status.PLAYED, Status.FOULED):
        raise IllegalError(
            f"a hand that is {area.status} waits for a supervisor's ruling", value=area.position
        )
    if area.setting is None or verify_split(order, area.cards, area.setting):
        raise IllegalError("not a setting of the dealt cards", value=area.position)
    if waits_for_ruling(table, area):
        raise IllegalError("a foul set waits for a supervisor's ruling", value=area.position)
    return table.raced_by(area.setting)


def _fortune(table: Showdown, bank: Bank, area: Area) -> None:
    rest_on(bank.terms.includes_bonus)
    group = spots(area, FORTUNE)
    if area.status is Status.VOID or not group:
        for spot in group:
            bank.payments += spot.give_back(spot.stake, "the hand is void", area.void_law)
        return
    rest_on(*table.rules.game.wager_terms(FORTUNE).stands, bank.terms.bonus_extent)
    line = line_for(table.rules, FORTUNE, area)
    said, law = line.hand.replace("_", " "), (*line.clauses, bank.terms.bonus_extent)
    if line.pays.basis is Basis.LOSE:
        bank.collect(group, f"{said}: loses", law, bank.terms.bonus_exhausted)
        return
    for spot in group:
        bank.payments += spot.give_back(spot.stake, f"{said}: stake back", law)
    owing = [(spot, line.pays.won(spot.stake)) for spot in group]
    bank.pay(owing, f"{said} pays {line.pays}", law)


def _envy(bank: Bank, due: Owed) -> None:
    rest_on(bank.terms.envy_extent)
    said = f"envy of the {due.hand.replace('_', ' ')} at {due.holder}"
    bank.pay([(due.spot, due.amount)], said, (*due.clauses, bank.terms.envy_extent), PaymentKind.ENVY)


def _close(bank: Bank) -> None:
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
