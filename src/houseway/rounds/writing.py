"""From play to paper: a round that was played step by step, written as a round record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from houseway.cards import Card, show, show_setting
from houseway.errors import IllegalError
from houseway.games import Rules, Submission
from houseway.ledger import Account, Units, show_units
from houseway.money import Cents, dollars
from houseway.rounds.record import Event as RecordedEvent
from houseway.rounds.record import Record, make_record
from houseway.rounds.state import Play
from houseway.rounds.step import Event
from houseway.rounds.steps.money import area_of
from houseway.settlement import Payment, Round, all_payments, settle

_UNSAID = frozenset(
    {"sealed", "payments", "meter", "taken", "rules", "why", "race", "races", "marks", "order"}
    | {"clauses", "whole"}
)
"""What an event carries for the machine: the record says it in its own places, or not at all."""


def round_played(rules: Rules, play: Play) -> Round:
    """Return a finished round as settlement sees it, with the meter it began with."""
    return Round(
        rules,
        play.dealer_cards,
        play.dealer_setting or (),
        tuple(area_of(hand) for hand in play.active()),
        play.meter_before,
        banker=play.banker,
        action=play.action,
        void=play.void.reason if play.void else None,
        void_law=play.void.clauses if play.void else (),
        locked=play.void is None or bool(play.taken) or play.has("counted") or play.has("fees"),
    )


def write_down(rules: Rules, play: Play, events: Iterable[Event], round_id: str) -> Record:
    """Write a finished round down; refuse if its steps paid otherwise than the settlement of the whole."""
    table = round_played(rules, play)
    settlement = settle(table)
    reconcile(play, all_payments(table, settlement))
    recorded = tuple(recorded_event(event) for event in events)
    return make_record(round_id, table, settlement, play.sealed, recorded)


def reconcile(play: Play, payments: Iterable[Payment]) -> None:
    """Refuse a round in which the steps moved other amounts than settlement orders for the whole."""
    stepwise, whole = flows(play.payments), flows(payments)
    if stepwise != whole:
        differing = {a: (stepwise.get(a, 0), whole.get(a, 0)) for a in stepwise.keys() | whole.keys()}
        said = "; ".join(
            f"{account} {show_units(one)} against {show_units(other)}"
            for account, (one, other) in sorted(differing.items(), key=str)
            if one != other
        )
        raise IllegalError("the steps of the round and its settlement disagree", value=said)


def flows(payments: Iterable[Payment]) -> Mapping[Account, Units]:
    """Return what each account gained or lost on balance."""
    net: Counter[Account] = Counter()
    for payment in payments:
        net[payment.source] -= payment.units
        net[payment.to] += payment.units
    return {account: amount for account, amount in net.items() if amount}


def recorded_event(event: Event) -> RecordedEvent:
    """Return an event as the record writes it."""
    details = {**event.details, **event.outcome}
    spoken = {k: said(v) for k, v in details.items() if k not in _UNSAID}
    return RecordedEvent(
        step=event.step,
        actor=str(event.by),
        at=event.at.isoformat(),
        position=event.position,
        details={name: text for name, text in spoken.items() if text},
        clauses=event.clauses,
        alerts=tuple(str(problem) for problem in event.alerts),
    )


def said(value: Any) -> str:  # noqa: ANN401 - any detail's type
    """Write a detail of an event as a person reads it; nothing for what is not so."""
    if isinstance(value, bool) or value is None:
        return "yes" if value else ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {said(item)}" for key, item in value.items())
    if isinstance(value, tuple | list | frozenset | set):
        return _said_several(list(value))
    if isinstance(value, Submission):
        return value.reference
    return dollars(value) if isinstance(value, Cents) else str(value)


def _said_several(items: list[Any]) -> str:
    if items and all(isinstance(item, Card) for item in items):
        return show(items)
    if items and all(isinstance(item, tuple) for item in items):
        return show_setting(items)
    return ", ".join(sorted(said(item) for item in items))
