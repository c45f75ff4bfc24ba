"""Rounds to settle: hands as they are set, wagers in dollars, and what each person ends up with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pytest
from msgspec.structs import replace as changed

from houseway.cards import distinct, parse_setting
from houseway.games import Rules
from houseway.ledger import (
    SEED,
    Account,
    AccountKind,
    Ledger,
    LedgerEntry,
    Movement,
    WagerState,
    open_wagers,
    player,
    show_units,
    total,
    units,
)
from houseway.meters import Meter
from houseway.money import Cents, cents
from houseway.settlement import (
    Area,
    Banker,
    Bettor,
    Payment,
    PaymentKind,
    Settlement,
    Showdown,
    Status,
    meter_terms,
    settle,
)
from houseway.settlement.model import spots
from houseway.settlement.settle import all_payments
from tests.games.support import Changes
from tests.games.support import rules as lawful

clause = pytest.mark.clause


def money(wagers: Mapping[str, str]) -> dict[str, Cents]:
    """Read a person's wagers; an empty one is not placed."""
    return {name: cents(amount) for name, amount in wagers.items() if amount}


def seat(
    position: int,
    hand: str,
    *,
    person: str = "",
    status: Status = Status.PLAYED,
    behind: tuple[Bettor, ...] = (),
    **wagers: str,
) -> Area:
    """Return a betting area: its hand as it is set, high part first, and the wagers in dollars."""
    setting = parse_setting(hand)
    cards = tuple(card for part in setting for card in part)
    bettor = Bettor(person or f"p{position}", money(wagers))
    return Area(position, bettor, cards, setting, status=status, behind=behind)


surrendered = partial(seat, status=Status.SURRENDERED)
abandoned = partial(seat, status=Status.ABANDONED)
voided = partial(seat, status=Status.VOID)


def backline(person: str, **wagers: str) -> Bettor:
    """Return somebody who bets behind a seated player."""
    return Bettor(person, money(wagers), backline=True)


def rules(game: str, changes: Changes | None = None, **readings: str) -> Rules:
    """Return the rules of the example submission, changed, under the readings named."""
    return lawful(game, {f"readings.{name}": choice for name, choice in readings.items()} | (changes or {}))


def deal(
    rules: Rules,
    dealer: str,
    *areas: Area,
    meter: Meter | None = None,
    bank: str = "",
    action: int | None = None,
    void: str | None = None,
) -> Showdown:
    """Return a round in which no card is dealt twice."""
    setting = parse_setting(dealer)
    cards = tuple(card for part in setting for card in part)
    distinct([*cards, *(card for area in areas for card in area.cards)])
    banker = Banker("dealer", cents(bank)) if bank else None
    return Showdown(rules, cards, setting, areas, meter=meter, banker=banker, action=action, void=void)


def meter_at(rules: Rules, showing: str, *, less: str = "$0", reserve: str = "$0") -> Meter:
    """Return a table's meter that shows an amount once the contributions of the round are in it."""
    return Meter(meter_terms(rules), units(cents(showing) - cents(less)), units(cents(reserve)))


def settled(table: Showdown) -> Settlement:
    """Settle a round and write it into a ledger, which must balance and agree with the meter.

    Collection fees are left out: they are tested apart, and no band covers an amount with cents.
    """
    settlement = settle(table)
    ledger = Ledger()
    if table.meter:
        terms = table.meter.terms
        opening = [(table.meter.value, terms.account), (table.meter.reserve, terms.reserve_account)]
        movements = tuple(Movement(amount, SEED, account, "held") for amount, account in opening if amount)
        ledger = ledger.post(LedgerEntry("opening", movements))
    ledger = post(ledger, "round", _without_fees(table), settlement)
    assert not open_wagers(ledger)
    assert total(ledger) == 0
    if settlement.meter:
        terms = settlement.meter.terms
        assert ledger.balance(terms.account) == settlement.meter.value
        assert ledger.balance(terms.reserve_account) == settlement.meter.reserve
    return settlement


def _without_fees(table: Showdown) -> Showdown:
    chosen = table.rules.submission.model_copy(update={"collection_schedule": None})
    return changed(table, rules=replace(table.rules, submission=chosen))


def gain(table: Showdown, wager: str = "", *, position: int = 0) -> dict[str, str]:
    """Return what everybody with a wager wins or loses on it, or on all his wagers, stakes and all."""
    net: dict[str, int] = {}
    for area in table.areas:
        for bettor in area.bettors():
            placed = [amount for name, amount in bettor.wagers.items() if wager in ("", name)]
            if placed and position in (0, area.position):
                net[bettor.person] = net.get(bettor.person, 0) - units(sum(placed))
    for payment in _chosen(settled(table), wager, position):
        if payment.to == player(payment.person) and payment.person in net:
            net[payment.person] += payment.units
    return {person: show_units(amount) for person, amount in net.items()}


def _chosen(settlement: Settlement, wager: str, position: int) -> list[Payment]:
    return [
        payment
        for payment in settlement.payments
        if payment.kind is not PaymentKind.ENVY
        and wager in ("", payment.wager)
        and position in (0, payment.position)
    ]


def envy(table: Showdown, wager: str = "") -> dict[str, str]:
    """Return the Envy Bonuses that everybody is paid, by person: ``{"p3": "$25"}``."""
    bonuses: dict[str, int] = {}
    for payment in settled(table).payments:
        if payment.kind is PaymentKind.ENVY and wager in ("", payment.wager):
            bonuses[payment.person] = bonuses.get(payment.person, 0) + payment.units
    return {person: show_units(amount) for person, amount in bonuses.items()}


def meter_after(table: Showdown) -> str:
    """Return what the meter holds when the round is settled."""
    meter = settled(table).meter
    assert meter is not None
    return show_units(meter.value)


# --- in a ledger ----------------------------------------------------------------------------------


def post(ledger: Ledger, round_id: str, table: Showdown, settlement: Settlement) -> Ledger:
    """Place a round's wagers in the ledger and end each of them exactly once."""
    wagers = [
        spot for area in table.areas for terms in table.rules.game.wager for spot in spots(area, terms.id)
    ]
    for spot in wagers:
        account = _in_round(round_id, spot.account)
        ledger = ledger.place(account, spot.person, spot.stake)
    if table.banker:
        put_up = Movement(
            units(table.banker.stake), player(table.banker.person), table.banker.account, "bank put up"
        )
        ledger = ledger.post(LedgerEntry(f"bank {round_id}", (put_up,)))
    movements = tuple(_renamed(round_id, p.movement()) for p in all_payments(table, settlement))
    state = WagerState.VOIDED if table.void is not None else WagerState.POSTED
    ended = [_in_round(round_id, spot.account) for spot in wagers]
    return ledger.settle(LedgerEntry(f"settle {round_id}", movements), ended, state)


def _in_round(round_id: str, account: Account) -> Account:
    if account.kind is not AccountKind.PENDING:
        return account
    return changed(account, where=round_id)


def _renamed(round_id: str, movement: Movement) -> Movement:
    return Movement(
        movement.units,
        _in_round(round_id, movement.source),
        _in_round(round_id, movement.to),
        movement.reason,
        movement.clauses,
    )
