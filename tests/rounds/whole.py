"""A round settled whole, to hold against a round that was paid step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from houseway.games import Rules
from houseway.ledger import CAGE, INVENTORY, Account, Units, show_units
from houseway.meters import Meter
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.state import Round
from houseway.rounds.steps.money import area_of
from houseway.settlement import Payment, PaymentKind, Showdown, all_payments, meter_terms, settle
from houseway.settlement.model import PROGRESSIVE

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
    found = this_round.meter_before
    return None if found is None else Meter(meter_terms(rules), found.value, found.reserve)


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


def steps_agree_with_settlement(rules: Rules, this_round: Round) -> bool:
    """Whether the steps of a finished round moved exactly what settling it whole moves."""
    return not disagreement(rules, this_round)
