"""What a round leaves behind: its payments, its ledger and its record, and whether they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from houseway.games import Rules
from houseway.ledger import (
    CAGE,
    INVENTORY,
    SEED,
    Account,
    AccountKind,
    Ledger,
    LedgerEntry,
    Movement,
    Units,
    open_wagers,
    show_units,
    total,
    units,
)
from houseway.meters import Meter
from houseway.money import Cents, cents
from houseway.rng import SeededEntropy
from houseway.rounds.books import posted
from houseway.rounds.live import LiveTable
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.record import Record, digest_of, parse_record, write_record, written
from houseway.rounds.replay import difference
from houseway.rounds.state import Phase, Round
from houseway.rounds.step import AnEvent
from houseway.rounds.steps.money import area_of
from houseway.settlement import Payment, PaymentKind, Showdown, all_payments, meter_terms, settle
from houseway.settlement.model import PROGRESSIVE
from tests.rounds.table import NAMES, NOON, TestTable, snapshot

TAKEN = (RoundMark.COUNTED, RoundMark.FEES)
"""What is done when the progressive's chips, or the collection, are taken."""


def round_whole(rules: Rules, this_round: Round) -> Showdown:
    """Return a finished round as settlement sees it, with the meter it began with."""
    return Showdown(
        rules,
        this_round.dealer_cards,
        this_round.dealer_setting or (),
        tuple(area_of(hand) for hand in this_round.active()),
        meter_at_first(rules, this_round),
        banker=this_round.banker,
        action=this_round.action,
        void=this_round.void.reason if this_round.void else None,
        void_law=this_round.void.clauses if this_round.void else (),
        locked=this_round.void is None or bool(this_round.taken) or any(map(this_round.has, TAKEN)),
    )


def meter_at_first(rules: Rules, this_round: Round) -> Meter | None:
    """Return the meter as a round found it, kept by the terms of the rules; nothing where it found none."""
    before = this_round.meter_before
    return None if before is None else Meter(meter_terms(rules), before.value, before.reserve)


def flows(payments: Iterable[Payment]) -> Mapping[Account, Units]:
    """Return what each account gained or lost on balance."""
    net: Counter[Account] = Counter()
    for payment in payments:
        net[payment.source] -= payment.units
        net[payment.to] += payment.units
    return {account: amount for account, amount in net.items() if amount}


def as_settled(this_round: Round) -> Iterator[Payment]:
    """Yield the payments of a round as its settlement knows them.

    An award that was paid from the cage counts as paid from the inventory; one that was backed out later
    was paid.
    """
    away = {at for at, hand in this_round.hands.items() if hand.has(HandMark.PAID_AWAY)}
    backed_out = {win.position for win in this_round.wins if win.backed_out is not None}
    for payment in this_round.payments:
        undone = payment.kind is PaymentKind.REVERSAL and payment.wager == PROGRESSIVE
        if undone and payment.position in backed_out:
            continue
        from_cage = payment.source == CAGE and payment.position in away
        yield replace(payment, source=INVENTORY) if from_cage else payment


def disagreement(rules: Rules, this_round: Round) -> str:
    """Return where the steps of a finished round moved other amounts than settling it whole does."""
    table = round_whole(rules, this_round)
    stepwise, whole = flows(as_settled(this_round)), flows(all_payments(table, settle(table)))
    moved = sorted(stepwise.keys() | whole.keys(), key=str)
    return "; ".join(
        f"{account} {show_units(stepwise.get(account, 0))} against {show_units(whole.get(account, 0))}"
        for account in moved
        if stepwise.get(account) != whole.get(account)
    )


def meters_opened(live: LiveTable) -> Ledger:
    """Return a ledger in which the house has put up what a table's meter holds."""
    ledger, meter = Ledger(), snapshot(live).meter
    if meter is None:
        return ledger
    pairs = ((meter.value, meter.terms.account), (meter.reserve, meter.terms.reserve_account))
    return ledger.post(LedgerEntry("meters", tuple(Movement(n, SEED, to, "opened") for n, to in pairs if n)))


def recorded(record: Record) -> Record:
    """A record reads back to the letter, and replays without a difference."""
    text = write_record(record)
    again = parse_record(text.encode())
    assert again == record and write_record(again) == text
    assert difference(again) is None, difference(again)
    return record


def ledger_of(table: TestTable) -> Ledger:
    """Return the ledger of everything done at a table; refuse one in which money was made or lost."""
    rules = table.rules
    ledger = meters_opened(LiveTable(rules, SeededEntropy("books"), NOON, table.live.table))
    for event in table.log:
        ledger = posted(ledger, table.live.table.id, event)
    ledger.verify()
    return ledger


def books_balance(table: TestTable) -> bool:
    """Whether nothing came from nowhere, and the ledger has in the meters what they hold."""
    ledger = ledger_of(table)
    for name, meter in table.live.meters.items():
        booked = [ledger.balance(Account(kind, name)) for kind in (AccountKind.METER, AccountKind.RESERVE)]
        if booked != [meter.value, meter.reserve]:
            return False
    return total(ledger) == 0


def books_closed(table: TestTable) -> bool:
    """Whether the books balance, no wager is left on the layout, and the round replays to the last byte."""
    record = table.live.record
    return (
        books_balance(table)
        and not open_wagers(ledger_of(table))
        and record is not None
        and not difference(record)
    )


def net(payments: Iterable[Payment]) -> dict[str, int]:
    """Return what each account gained or lost by payments, in the ledger's units; the untouched left out."""
    return {str(account): amount for account, amount in flows(payments).items()}


def gained(table: TestTable, at: int) -> Cents:
    """Return what the player at a position got into his hands in the round now over, or in progress."""
    this_round = table.state.round if table.state.round.payments else table.state.last
    assert this_round is not None
    return Cents(net(this_round.payments).get(f"player:{NAMES[at]}", 0) // 10_000)


def agrees_with_settlement(table: TestTable) -> bool:
    """Whether a finished round moved exactly what settling it at once would move, and left the same meter."""
    last, meter = table.live.table.last, table.state.meter
    assert last is not None and last.dealer_setting is not None
    assert (meter is None) is (last.meter_before is None)
    whole = settle(round_whole(table.rules, last))
    assert not sum(net(last.payments).values())
    return net(last.payments) == net(whole.payments) and meter == whole.meter


def net_of_rounds(table: TestTable) -> dict[str, int]:
    """Return what each account gained or lost in the last round and this one, in the ledger's units."""
    rounds = [this_round for this_round in (table.state.last, table.state.round) if this_round]
    return net(payment for this_round in rounds for payment in this_round.payments)


def dollars(amount: str) -> int:
    """Return an amount in the ledger's units: ``dollars("$36")``."""
    return units(cents(amount))


def void_event(table: TestTable) -> AnEvent:
    """Return how the round was just made void; every wager must be back, house and meter as before it."""
    event, last = table.log[-1], table.state.last
    assert event.step == "void_round" and last is not None and last.void is not None
    expected: Counter[str] = Counter()
    for hand in last.hands.values():
        for wager, amount in hand.wagers.items():
            expected[f"pending:{hand.position}/{hand.person}/{wager}"] -= units(amount)
            expected[f"player:{hand.person}"] += units(amount)
    assert net_of_rounds(table) == dict(expected)
    assert (table.state.meter and table.state.meter.state) == last.meter_before
    assert not last.lammers and table.state.phase is Phase.BETTING
    return event


def fitted(data: dict[str, Any]) -> bytes:
    """Return the text of a record whose digest was made to fit by somebody who knows how."""
    whole = data | {"digest": digest_of(data)}
    return written(whole).encode() if isinstance(data.get("turns"), list) else msgspec.json.encode(whole)
