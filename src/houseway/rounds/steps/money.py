"""Where play meets settlement: the round as settlement sees it, and its payments kept in the state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from houseway.errors import IllegalError
from houseway.rounds.state import Hand, Source, Table, changed
from houseway.rounds.step import Event
from houseway.settlement import Area, Banker, Bettor, Kind, Payment, Round, Settlement, settle


def area_of(hand: Hand) -> Area:
    """Return a hand as settlement sees it."""
    law = tuple(hand.made["void_law"].split()) if "void_law" in hand.made else ()
    bettor = Bettor(hand.person, hand.wagers)
    return Area(hand.position, bettor, hand.cards, hand.setting, hand.status, law, hand.behind)


def round_of(table: Table) -> Round:
    """Return the round as settlement sees it."""
    play = table.play
    return Round(
        table.rules,
        play.dealer_cards,
        play.dealer_setting or (),
        tuple(area_of(hand) for hand in play.active()),
        table.meter,
        banker=banker_of(table),
        action=play.action,
        void=play.void.reason if play.void else None,
        void_law=play.void.clauses if play.void else (),
    )


def the_round(table: Table) -> Round:
    """Return the round now being settled, made once the dealer's hand is set."""
    return table.play.table or round_of(table)


def banker_of(table: Table) -> Banker | None:
    """Return the player-dealer and what he put up, where a player banks."""
    seat = table.seats.get(table.play.bank_seat or 0)
    return Banker(seat.person, table.play.stake) if seat else None


def bank_settlement(table: Table, at: int | None = None) -> Settlement:
    """Return the settlement of a banked round: how far the bank reaches depends on all before a hand.

    Where cards are entered as they are opened, hands still closed come later and change nothing of what
    is settled: they are left out, except the one that is looked at now.
    """
    if table.play.whole is not None:
        return table.play.whole
    made = the_round(table)
    if table.source is not Source.VIRTUAL_DECK:
        hands = table.play.hands
        opened = [a for a in made.areas if a.position == at or hands[a.position].has("announced")]
        made = replace(made, areas=tuple(opened))
    return settle(made)


def area_at(table: Table, position: int) -> Area:
    """Return one area of the round now being settled."""
    found = the_round(table).at(position)
    if found is None:
        raise IllegalError("no hand is played there", value=position)
    return found


def paid(table: Table, event: Event) -> Table:
    """Keep an event's payments, and the meter as they left it."""
    return settled_hand(table, event, None)


def settled_hand(table: Table, event: Event, hand: Hand | None) -> Table:
    """Keep an event's payments and, with them, a hand as it is afterwards."""
    play, outcome = table.play, event.outcome
    hands = play.hands if hand is None else {**play.hands, hand.position: hand}
    play = changed(play, payments=(*play.payments, *outcome["payments"]), hands=hands)
    return changed(table, play=play, meter=outcome.get("meter", table.meter))


def standing_payments(payments: Iterable[Payment], position: int) -> list[Payment]:
    """Return a position's payments that nothing has taken back."""
    left: list[Payment] = []
    for payment in payments:
        if payment.position != position:
            continue
        if payment.kind is not Kind.REVERSAL:
            left.append(payment)
            continue
        undone = (payment.units, payment.to, payment.source, payment.wager)
        taken_back = next((p for p in left if (p.units, p.source, p.to, p.wager) == undone), None)
        if taken_back:
            left.remove(taken_back)
    return left


def undo(payment: Payment, why: str) -> Payment:
    """Return the payment that takes another one back."""
    said = f"undone, {why}: {payment.reason}"
    return payment._replace(kind=Kind.REVERSAL, source=payment.to, to=payment.source, reason=said)


def paying(payments: list[Payment], table: Table, **more: Any) -> Mapping[str, Any]:  # noqa: ANN401 - outcomes
    """Return the outcome of a step that moves money."""
    if len(payments) == 1:
        clauses = payments[0].clauses
    else:
        clauses = tuple(dict.fromkeys(chain.from_iterable([payment.clauses for payment in payments])))
    return {"payments": tuple(payments), "clauses": clauses, **more}
