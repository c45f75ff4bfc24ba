"""Collection fees: taken before the deal by the schedule in force, whatever the round brings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from houseway.errors import IllegalError
from houseway.games.collection import FeeBasis, NoRateError, Schedule
from houseway.law.citations import joined
from houseway.ledger import COLLECTIONS, player, units
from houseway.money import Cents, dollars
from houseway.settlement.model import FORTUNE, MAIN, Payment, PaymentKind, Showdown


class Payer(NamedTuple):
    """Somebody who pays one fee: for which seat, and the wagers it is counted on."""

    position: int
    person: str
    wagers: tuple[Cents, ...]


class Fee(NamedTuple):
    """What somebody owes for a round: for which seat, or as the player-dealer for none."""

    position: int
    person: str
    amount: Cents


def fees_due(table: Showdown) -> list[Fee]:
    """Return the fees of a round: each player's, then the player-dealer's by total table action."""
    schedule, banker = table.rules.schedule(), table.banker
    if schedule is None:
        return []
    if banker is None:
        raise IllegalError("a collection is taken from a player-dealer too", value=table.rules.game.id)
    paying = payers(table)
    fees = [Fee(p.position, p.person, _player_fee(table, schedule, p)) for p in paying]
    action = [amount for payer in paying for amount in payer.wagers]
    return [*fees, Fee(0, banker.person, _banker_fee(table, schedule, action))]


def take_fees(table: Showdown) -> tuple[Payment, ...]:
    """Return the payments of a round's fees."""
    schedule = table.rules.schedule()
    return tuple(_paid(schedule, fee) for fee in fees_due(table) if fee.amount) if schedule else ()


def unposted(table: Showdown) -> list[tuple[Payer, NoRateError]]:
    """Return the players whose wagers no posted rate covers, each with what is missing."""
    schedule, found = table.rules.schedule(), []
    if schedule is None:
        return []
    for payer in payers(table):
        try:
            _player_fee(table, schedule, payer)
        except NoRateError as error:
            found.append((payer, error))
    return found


def payers(table: Showdown) -> list[Payer]:
    """Return who pays for what, as the readings ca:C18.ii and ca:S5.ii are taken."""
    with_seat = table.rules.readings["ca_backline_fee"] == "with_seat"
    found: list[Payer] = []
    for area in table.areas:
        each = [Payer(area.position, b.person, (b.amount(MAIN), b.amount(FORTUNE))) for b in area.bettors()]
        if with_seat:
            together = tuple(amount for payer in each for amount in payer.wagers)
            each = [Payer(area.position, area.person, together)]
        found += each
    if _apart(table):
        return found
    merged: dict[str, Payer] = {}
    for payer in found:
        known = merged.get(payer.person)
        merged[payer.person] = known._replace(wagers=known.wagers + payer.wagers) if known else payer
    return list(merged.values())


def seats_of(table: Showdown, payer: Payer) -> tuple[int, ...]:
    """Return the seats whose wagers a fee is counted on: all that its payer bets on, unless it is by seat."""
    if _apart(table):
        return (payer.position,)
    with_seat = table.rules.readings["ca_backline_fee"] == "with_seat"
    theirs = [a.position for a in table.areas if a.person == payer.person]
    if not with_seat:
        theirs += [a.position for a in table.areas if any(b.person == payer.person for b in a.bettors())]
    return tuple(sorted({payer.position, *theirs}))


def _player_fee(table: Showdown, schedule: Schedule, payer: Payer) -> Cents:
    readings = table.rules.readings
    placed = [wager for wager in payer.wagers if wager]
    apart = readings["ca_player_fee_basis"] == "each_wager" and bool(schedule.bands_of(FeeBasis.PLAYER_SUM))
    try:
        if apart:
            return Cents(sum(schedule.player_fee([wager]) for wager in placed))
        return schedule.player_fee(placed)
    except NoRateError:
        if readings["ca_spot_without_rate"] == "no_fee":
            return Cents(0)
        raise


def _banker_fee(table: Showdown, schedule: Schedule, action: list[Cents]) -> Cents:
    first = schedule.bands_of(FeeBasis.PLAYER_DEALER)[0]
    if sum(action) < first.low and table.rules.readings["ca_action_below_first_band"] == "no_fee":
        return Cents(0)
    return schedule.player_dealer_fee(action)


def _paid(schedule: Schedule, fee: Fee) -> Payment:
    position, person, amount = fee
    law = joined(schedule.clause, schedule.group.player_fee if position else schedule.group.player_dealer_fee)
    reason = f"collection {dollars(amount)} by schedule {schedule.number}"
    return Payment(
        PaymentKind.FEE,
        units(amount),
        player(person),
        COLLECTIONS,
        position,
        person,
        "collection",
        reason,
        law,
    )


def refunds(table: Showdown, fees: tuple[Payment, ...], settled: Iterable[Payment]) -> tuple[Payment, ...]:
    """Return fees given back for wagers that got no action, where reading ca:C23 is taken that way."""
    if table.rules.readings.get("ca_fee_without_action") != "refund":
        return ()
    merged = bool(table.rules.schedule() and not _apart(table))
    acted = {
        (0 if merged else p.position, p.person)
        for p in settled
        if p.kind in (PaymentKind.COLLECT, PaymentKind.PAY) or p.reason.startswith("push")
    }
    return tuple(
        Payment(
            PaymentKind.RETURN, f.units, f.to, f.source, f.position, f.person, f.wager, "no action", f.clauses
        )
        for f in fees
        if (not acted or f.position) and (0 if merged else f.position, f.person) not in acted
    )


def _apart(table: Showdown) -> bool:
    """Whether one person's seats pay fees of their own."""
    schedule = table.rules.schedule()
    by_sum = schedule is not None and bool(schedule.bands_of(FeeBasis.PLAYER_SUM))
    return not by_sum or table.rules.readings["ca_player_fee_several_seats"] == "per_seat"
