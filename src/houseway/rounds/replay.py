"""Replay: rebuild a recorded round from its own text and say where, if anywhere, it differs."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.cards import CardError, distinct, parse_cards, show, show_setting
from houseway.errors import HousewayError
from houseway.houseways import house_way
from houseway.ledger import show_units
from houseway.rng import SealedDeck
from houseway.rounds.record import Record, RecordedPayment, fingerprint, rebuild, set_dealer, settle_record
from houseway.settlement import Round, Status


def differences(record: Record) -> tuple[str, ...]:
    """Return everything in a record that does not follow from the rest of it."""
    table = rebuild(record)
    return (
        *_documents(record, table),
        *_cards(record, table),
        *_payments(record),
    )


def _documents(record: Record, table: Round) -> Iterator[str]:
    if record.submission.fingerprint() != record.submission_fingerprint:
        yield "the submission is not the one the round was played by"
    way = house_way(table.rules.submission.house_way or "")
    if way.id != record.house_way.id or fingerprint(way) != record.house_way.fingerprint:
        yield "the house way is not the one the round was played by"
    if len(table.dealer_cards) != table.rules.game.hand_cards:
        if not record.void and any(area.status is not Status.VOID for area in table.areas):
            yield f"the dealer has {len(table.dealer_cards)} cards, and hands were played"
        return  # over before the dealer had a hand
    _, decision = set_dealer(table.rules, table.dealer_cards)
    set_by_player_dealer = table.banker is not None  # who may set his own hand after the house way
    unset = bool(record.void) or not table.dealer_setting  # ended before it mattered how it was set
    if (
        not unset
        and not set_by_player_dealer
        and {frozenset(p) for p in decision.setting} != {frozenset(p) for p in table.dealer_setting}
    ):
        yield f"the house way sets the dealer {show_setting(decision.setting)}, not {record.dealer.setting}"
    if decision.rule != record.dealer.rule:
        yield f"the dealer's rule is {decision.rule}, not {record.dealer.rule}"


def _cards(record: Record, table: Round) -> Iterator[str]:
    dealt = [*table.dealer_cards, *(card for area in table.areas for card in area.cards)]
    try:
        distinct(dealt)
    except CardError as error:
        yield f"{error}"
    source = record.source
    if source.order is None or source.nonce is None or source.commitment is None:
        return
    sealed = SealedDeck(parse_cards(source.order), bytes.fromhex(source.nonce))
    if not sealed.opens(source.commitment):
        yield "the deck's seal does not open: its order is not the one committed before the deal"
    strangers = set(dealt) - set(sealed.order)
    if strangers:
        yield f"cards that were not in the deck: {show(sorted(strangers))}"


def _payments(record: Record) -> Iterator[str]:
    try:
        again = settle_record(record)
    except HousewayError as error:
        yield f"the round cannot be settled: {error}"
        return
    if again.meter_after != record.meter_after:
        yield f"the meter ends at {_shown(again)}, not {_shown(record)}"
    for number, (was, now) in enumerate(zip(record.payment, again.payment, strict=False), start=1):
        if was != now:
            yield f"payment {number} is {_said(now)}, not {_said(was)}"
    if len(record.payment) != len(again.payment):
        yield f"there are {len(again.payment)} payments, not {len(record.payment)}"
    if record.shortfall != again.shortfall:
        yield f"the bank falls short {len(again.shortfall)} times or otherwise, not {len(record.shortfall)}"


def _shown(record: Record) -> str:
    return "none" if record.meter_after is None else show_units(record.meter_after.value)


def _said(payment: RecordedPayment) -> str:
    moved = f"{payment.kind} {show_units(payment.amount)} from {payment.source} to {payment.to}"
    law = f" [{', '.join(payment.clauses)}]" if payment.clauses else ""
    return f"{payment.wager} at {payment.position}: {moved} ({payment.reason}){law}"
