"""A round settled whole, to hold against a round that was paid step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from houseway.games import Rules
from houseway.ledger import Account, Units, show_units
from houseway.meters import Meter
from houseway.rounds.marks import RoundMark
from houseway.rounds.state import Round
from houseway.rounds.steps.money import area_of
from houseway.settlement import Payment, Showdown, all_payments, meter_terms, settle

TAKEN = (RoundMark.COUNTED, RoundMark.FEES)
"""What is done when the progressive's chips, or the collection, are taken."""


def round_whole(rules: Rules, play: Round) -> Showdown:
    """Return a finished round as settlement sees it, with the meter it began with."""
    return Showdown(
        rules,
        play.dealer_cards,
        play.dealer_setting or (),
        tuple(area_of(hand) for hand in play.active()),
        meter_at_first(rules, play),
        banker=play.banker,
        action=play.action,
        void=play.void.reason if play.void else None,
        void_law=play.void.clauses if play.void else (),
        locked=play.void is None or bool(play.taken) or any(map(play.has, TAKEN)),
    )


def meter_at_first(rules: Rules, play: Round) -> Meter | None:
    """Return the meter as a round found it, kept by the terms of the rules; nothing where it found none."""
    found = play.meter_before
    return None if found is None else Meter(meter_terms(rules), found.value, found.reserve)


def flows(payments: Iterable[Payment]) -> Mapping[Account, Units]:
    """Return what each account gained or lost on balance."""
    net: Counter[Account] = Counter()
    for payment in payments:
        net[payment.source] -= payment.units
        net[payment.to] += payment.units
    return {account: amount for account, amount in net.items() if amount}


def disagreement(rules: Rules, play: Round) -> str:
    """Return where the steps of a finished round moved other amounts than settling it whole does."""
    table = round_whole(rules, play)
    stepwise, whole = flows(play.payments), flows(all_payments(table, settle(table)))
    moved = sorted(stepwise.keys() | whole.keys(), key=str)
    return "; ".join(
        f"{account} {show_units(stepwise.get(account, 0))} against {show_units(whole.get(account, 0))}"
        for account in moved
        if stepwise.get(account) != whole.get(account)
    )


def steps_agree_with_settlement(rules: Rules, play: Round) -> bool:
    """Whether the steps of a finished round moved exactly what settling it whole moves."""
    return not disagreement(rules, play)
