"""California's table: seven seats of which one banks, dice and cards arranged as a test wants them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from houseway.cards import Cards, distinct, parse_cards, parse_setting
from houseway.games import Rules
from houseway.games.collection import schedule
from houseway.ledger import Account, player, show_units, units
from houseway.money import cents
from houseway.rounds.dealing import zigzag_pile
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, Phase, Round
from houseway.rounds.step import Actor, AnEvent
from houseway.rounds.steps.bank import next_offer
from houseway.settlement import Payment, PaymentKind
from tests.games.support import Changes
from tests.rounds.table import TestTable, money, order_of

T = TypeVar("T")
CA = "ca-fpgp"
PEOPLE = {1: "Ann", 2: "Bob", 3: "Cleo", 4: "Dan", 5: "Eve", 6: "Finn", 7: "Gus"}
EVERY_SEAT = tuple(PEOPLE)
MANUAL: Changes = {"table.dealing": "manual", "table.shuffler": "manual"}
USUAL_PILE = 4
"""The pile that a player-dealer chooses who is not told which."""
BANK = ("offer_bank", "accept_bank", "decline_bank", "put_up")
"""What the players decide about the bank."""
REVIEWED = "ca.fpgp.collect.review.zero"
# Hands as they are set, five cards behind and two in front.
BANKER = "Ts Th 8c 6c 3s / Qd 9d"  # as the house way sets it
WINS = ("Jc Js 7d 5h 2c / Ah 4s", "Jd Jh 7s 5c 2d / As 4h", "Qc Qs 7h 6d 2s / Ad 3h")
LOSES = ("9c 9h 6s 5s 3c / 8h 4c", "8s 8d 6h 3d 2h / 7c 5d", "7d 7s 5c 4d 2c / 9c 3h")
PUSHES = "Kd Kh 6h 5d 3h / Tc 5s"
QUADS = "4d 4c 4h 4s Jd / Ks Qh"  # wins both
STRAIGHT = "9s 8h 7c 6s 5s / Kc Qs"  # wins both
FULL_HOUSE = "Kh Ks Kc 7h 7s / Ac 9c"  # wins both


def on_schedule(number: int, **readings: str) -> Changes:
    """Return the changes that put a table on a collection schedule, with other readings than the usual."""
    changes: Changes = {"collection_schedule": number}
    if schedule(number).group.under_review:
        changes |= {"acknowledged": [REVIEWED]}
    return changes | ({"readings": readings} if readings else {})


FIVE = on_schedule(20)
"""A table with a minimum of $5."""
THREE = on_schedule(1)
"""A table with a minimum of $3."""


def person(at: int) -> Actor:
    """Return who sits at a seat."""
    return Actor(PEOPLE[at], Role.PLAYER)


def somebody(name: str) -> Actor:
    """Return a player by name: one who stands behind, or comes later."""
    return Actor(name, Role.PLAYER)


def clockwise_from(seat: int) -> list[int]:
    """Return the seats clockwise from one of them."""
    return [(seat - 1 + turn) % 7 + 1 for turn in range(7)]


def three_dice(total: int) -> tuple[int, int, int]:
    """Return dice that show a total."""
    first = min(6, total - 2)
    second = min(6, total - first - 1)
    return first, second, total - first - second


class Cardroom(TestTable):
    """A table with its players seated and nobody banking yet; open, unless a test opens it itself."""

    def __init__(
        self,
        changes: Changes | None = None,
        *,
        seats: Iterable[int] = EVERY_SEAT,
        source: CardOrigin = CardOrigin.VIRTUAL_DECK,
        seed: str = "cardroom",
        opened: bool = True,
        rules: Rules | None = None,
    ) -> None:
        super().__init__(rules or CA, changes, source=source, seed=seed)
        if opened:
            self.play_on()
        for at in seats:
            self.do("sit", person(at), at)

    # --- the bank and the bets --------------------------------------------------------------------

    def banks(self, at: int, stake: str = "$200") -> Cardroom:
        """Let a seat bank: everybody before it declines, and it puts up a stake."""
        if self.state.banking.seat != at:
            self.offers(until=at)
            self.do("accept_bank", self.at(at), at)
        return self.put_up(at, stake)

    def put_up(self, at: int, stake: str) -> Cardroom:
        """Let the player-dealer put up his wager."""
        self.do("put_up", self.at(at), at, stake=cents(stake))
        return self

    def offers(self, until: int | None = None) -> list[int]:
        """Offer the bank clockwise, each declining, until it is offered to one seat; return who was asked."""
        offers: list[int] = []
        while (at := next_offer(self.rules, self.live.table)) is not None:
            self.do("offer_bank", at=at)
            offers.append(at)
            if at == until:
                break
            self.do("decline_bank", self.at(at), at)
            if self.state.banking.declined == ():
                break
        return offers

    def at(self, seat: int) -> Actor:
        """Return who really sits at a seat now."""
        return Actor(self.state.seats[seat].person, Role.PLAYER)

    def bets(self, *seats: int, **amounts: str) -> Cardroom:
        """Place the same wagers at several seats."""
        for at in seats:
            self.do("wager", self.at(at), at, wagers=money(**amounts))
        return self

    def behind(self, name: str, at: int, **amounts: str) -> Cardroom:
        """Place the wagers of somebody who stands behind a seat."""
        self.do("bet_behind", somebody(name), at, wagers=money(**amounts))
        return self

    # --- getting somewhere ------------------------------------------------------------------------

    def ready(self) -> Cardroom:
        """Shuffle what the last round used."""
        self.play_on(without=[*BANK, "no_more_bets"])
        return self

    def closed(self) -> Cardroom:
        """Close the bets and take the fees; the buttons are given out."""
        self.ready().do("no_more_bets")
        self.do("collect_fees")
        self.play_on(without=["shake_dice", "deal"])
        return self

    def diced(self, total: int = 8) -> AnEvent:
        """Let the player-dealer shake a total."""
        seat = self.state.round.bank_seat or 0
        return self.do("shake_dice", self.at(seat), seat, dice=three_dice(total))[0]

    def awaits(self, hands: Mapping[int, str]) -> Cardroom:
        """Go on to the deal, the dice at 8 unless they are shaken, and let it give seats these cards."""
        self.play_on(without=["shake_dice", "deal"])
        if self.state.round.start is None:
            self.diced()
        return self.arranged(hands, USUAL_PILE)

    def arranged(self, hands: Mapping[int, str], pile: int = 1) -> Cardroom:
        """Put the deck in such an order that seats get these cards; call it when the dice are shaken."""
        this_round, game = self.state.round, self.state.rules.game
        wanted: dict[int, Cards] = {at: parse_cards(text.replace("/", " ")) for at, text in hands.items()}
        used = distinct(card for cards in wanted.values() for card in cards)
        rest = [card for card in order_of(self) if card not in used]
        for at in EVERY_SEAT:
            if at not in wanted:
                wanted[at], rest = tuple(rest[:7]), rest[7:]
        seats = clockwise_from(this_round.start or 1)
        if self.state.way == "manual":
            piles = {(pile - 1 + turn) % 7 + 1: list(wanted[at]) for turn, at in enumerate(seats)}
            order = [piles[zigzag_pile(game, number)].pop(0) for number in range(1, 50)]
        else:
            order = [card for at in seats for card in wanted[at]]
        self.dealing_from(tuple(order + rest))
        return self

    def deals(self, hands: Mapping[int, str], total: int = 8) -> Cardroom:
        """Go on until the players may look; the player-dealer gets the usual hand if none is given."""
        self.closed().diced(total)
        bank = self.state.round.bank_seat or 0
        self.arranged({bank: BANKER} | dict(hands))
        self.play_on(Phase.SETTING)
        return self

    def set_all(self, hands: Mapping[int, str]) -> Cardroom:
        """Let every player look at his cards and set them as given."""
        for at in list(self.state.round.hands):
            self.do("look", self.at(at), at)
            self.do("set", self.at(at), at, setting=parse_setting(hands[at]))
        return self

    def opened_up(self, hands: Mapping[int, str], total: int = 8) -> Cardroom:
        """Go on until the player-dealer's hand lies set and the players' hands are to be opened."""
        self.deals(hands, total).set_all(hands)
        self.play_on(Phase.SETTLING)
        return self

    def finished(self) -> Round:
        """Play the round to its end and return it."""
        if self.state.phase is Phase.BETTING:
            self.closed()
        self.play_on(rounds=1)
        last = self.live.table.last
        assert last is not None and self.state.phase is Phase.BETTING
        return last


def banked(
    stake: str,
    bets: Mapping[int, Mapping[str, str]],
    changes: Changes | None = None,
    *,
    bank: int = 6,
) -> Cardroom:
    """Open a table where one seat banks and others have bet."""
    room = Cardroom(changes).banks(bank, stake)
    for at, amounts in bets.items():
        room.bets(at, **amounts)
    return room


def results(this_round: Round, wager: str | None = None) -> dict[str, str]:
    """Return what each person won or lost on the round, or on one wager of it; fees apart."""
    net: Counter[str] = Counter()
    for hand in this_round.active():
        for name, wagers in [(hand.person, hand.wagers), *((b.person, b.wagers) for b in hand.behind)]:
            net[name] -= sum(units(amount) for key, amount in wagers.items() if wager in (None, key))
    if wager is None and this_round.banker is not None:
        net[this_round.banker.person] -= units(this_round.banker.stake)
    for payment in this_round.payments:
        if payment.wager == "collection" or wager not in (None, payment.wager):
            continue
        for account, sign in ((payment.to, 1), (payment.source, -1)):
            if account == player(account.name):
                net[account.name] += sign * payment.units
    return {name: show_units(amount) for name, amount in sorted(net.items())}


def moved(payments: Iterable[Payment], account: Account) -> str:
    """Return what an account gained or lost on balance."""
    payments = list(payments)
    gained = sum(p.units for p in payments if p.to == account)
    return show_units(gained - sum(p.units for p in payments if p.source == account))


def fees(this_round: Round) -> dict[str, str]:
    """Return who paid which fee."""
    return {p.person: show_units(p.units) for p in this_round.payments if p.kind is PaymentKind.FEE}


def paying(event: AnEvent) -> list[tuple[Any, ...]]:
    """Return the payments of an event, short: kind, person, wager, amount."""
    payments = event.outcome.payments
    return [(str(p.kind), p.person, p.wager, show_units(p.units)) for p in payments]
