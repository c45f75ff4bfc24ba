"""Where play meets settlement: the round as settlement sees it, and its payments kept in the state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houseway.rounds.state import Hand, Table, changed
from houseway.rounds.step import Event
from houseway.settlement import Area, Bettor, Payment, Round


def area_of(hand: Hand) -> Area:
    """Return a hand as settlement sees it."""
    law = hand.made.get("void_law", "")
    return Area(
        hand.position,
        Bettor(hand.person, hand.wagers),
        hand.cards,
        hand.setting,
        hand.status,
        tuple(law.split()),
    )


def round_of(table: Table) -> Round:
    """Return the round as settlement sees it."""
    play = table.play
    return Round(
        table.rules,
        play.dealer_cards,
        play.dealer_setting or (),
        tuple(area_of(hand) for hand in play.active()),
        table.meter,
        void=play.void.reason if play.void else None,
        void_law=play.void.clauses if play.void else (),
    )


def area_at(table: Table, position: int) -> Area:
    """Return one area of the round now being settled."""
    made = table.play.table or round_of(table)
    return next(area for area in made.areas if area.position == position)


def paid(table: Table, event: Event) -> Table:
    """Keep an event's payments, and the meter as they left it."""
    meter = event.outcome.get("meter", table.meter)
    play = changed(table.play, payments=(*table.play.payments, *event.outcome["payments"]))
    return changed(table, play=play, meter=meter)


def paying(payments: list[Payment], table: Table, **more: Any) -> Mapping[str, Any]:  # noqa: ANN401 - outcomes
    """Return the outcome of a step that moves money."""
    clauses = tuple(dict.fromkeys(c for payment in payments for c in payment.clauses))
    return {"payments": tuple(payments), "clauses": clauses, **more}
