"""Collection fees: taken before the deal by the schedule in force, regardless of the result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from houseway.errors import IllegalError
from houseway.games.collection import FeeBasis, NoRateError, Schedule
from houseway.law.citations import join_cites
from houseway.ledger import COLLECTIONS, player, units
from houseway.money import Cents, dollars
from houseway.settlement.model import FORTUNE, MAIN, Bettor, Payment, PaymentKind, Showdown


class ChargedWager(NamedTuple):
    """A wager that a fee is counted on: of which seat, whose, which, and how much lies on it."""

    position: int
    people: tuple[str, ...]
    wager: str
    amount: Cents


class Payer(NamedTuple):
    """A person who pays one fee: for which seat, and the wagers it is counted on."""

    position: int
    person: str
    wagers: tuple[ChargedWager, ...]


class Fee(NamedTuple):
    """What a person owes for a round: for which seat, or as the player-dealer for none."""

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
    action = [charged.amount for payer in paying for charged in payer.wagers]
    return [*fees, Fee(0, banker.person, _banker_fee(table, schedule, action))]


def take_fees(table: Showdown) -> tuple[Payment, ...]:
    """Return the payments of a round's fees."""
    schedule = table.rules.schedule()
    return tuple(_payment(schedule, fee) for fee in fees_due(table) if fee.amount) if schedule else ()


def find_unposted(table: Showdown) -> list[tuple[Payer, NoRateError]]:
    """Return the players whose wagers no posted rate covers, each with what is missing."""
    schedule, missing = table.rules.schedule(), []
    if schedule is None:
        return []
    for payer in payers(table):
        try:
            _player_fee(table, schedule, payer)
        except NoRateError as error:
            missing.append((payer, error))
    return missing


def payers(table: Showdown) -> list[Payer]:
    """Return who pays for what, as the readings ca:C18.ii and ca:S5.ii are taken."""
    with_seat = table.rules.readings["ca_backline_fee"] == "with_seat"
    separate: list[Payer] = []
    for area in table.areas:
        bettors = list(area.bettors())
        paying = [(area.person, bettors)] if with_seat else [(bettor.person, [bettor]) for bettor in bettors]
        separate += [Payer(area.position, who, _charged_wagers(area.position, of)) for who, of in paying]
    if _apart(table):
        return separate
    merged: dict[str, Payer] = {}
    for payer in separate:
        known = merged.get(payer.person)
        merged[payer.person] = known._replace(wagers=known.wagers + payer.wagers) if known else payer
    return list(merged.values())


def seats_of(payer: Payer) -> tuple[int, ...]:
    """Return the seats whose wagers a fee is counted on."""
    return tuple(sorted({charged.position for charged in payer.wagers if charged.amount} or {payer.position}))


def _charged_wagers(position: int, bettors: list[Bettor]) -> tuple[ChargedWager, ...]:
    """Return the game wager and the bonus wager of a seat, those of several bettors added."""
    return tuple(
        ChargedWager(
            position,
            tuple(bettor.person for bettor in bettors if bettor.amount(wager)),
            wager,
            Cents(sum(bettor.amount(wager) for bettor in bettors)),
        )
        for wager in (MAIN, FORTUNE)
    )


def _player_fee(table: Showdown, schedule: Schedule, payer: Payer) -> Cents:
    return Cents(sum(fee for _, fee in _fees_by_wager(table, schedule, payer)))


def _fees_by_wager(
    table: Showdown, schedule: Schedule, payer: Payer
) -> list[tuple[tuple[ChargedWager, ...], Cents]]:
    """Return each fee that a player pays with the wagers it is counted on: one, or all of them together."""
    readings = table.rules.readings
    placed = tuple(charged for charged in payer.wagers if charged.amount)
    by_sum = bool(schedule.bands_of(FeeBasis.PLAYER_SUM)) and readings["ca_player_fee_basis"] != "each_wager"
    counted = [placed] if by_sum and placed else [(charged,) for charged in placed]
    return [(wagers, _fee_on(table, schedule, wagers)) for wagers in counted]


def _fee_on(table: Showdown, schedule: Schedule, wagers: tuple[ChargedWager, ...]) -> Cents:
    try:
        return schedule.player_fee(charged.amount for charged in wagers)
    except NoRateError:
        if table.rules.readings["ca_spot_without_rate"] == "no_fee":
            return Cents(0)
        raise


def _banker_fee(table: Showdown, schedule: Schedule, action: list[Cents]) -> Cents:
    first = schedule.bands_of(FeeBasis.PLAYER_DEALER)[0]
    if sum(action) < first.low and table.rules.readings["ca_action_below_first_band"] == "no_fee":
        return Cents(0)
    return schedule.player_dealer_fee(action)


def _payment(schedule: Schedule, fee: Fee) -> Payment:
    position, person, amount = fee
    law = join_cites(
        schedule.clause, schedule.group.player_fee if position else schedule.group.player_dealer_fee
    )
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
    """Return fees given back for wagers that got no action, where reading ca:C23 is taken that way.

    A fee that is counted on one wager goes back with it; one on a sum, when none of its wagers got action.
    """
    schedule = table.rules.schedule()
    if schedule is None or table.rules.readings.get("ca_fee_without_action") != "refund":
        return ()
    acted = {
        (p.position, p.person, p.wager)
        for p in settled
        if p.kind in (PaymentKind.COLLECT, PaymentKind.PAY) or p.reason.startswith("push")
    }
    unused = {
        (payer.position, payer.person): sum(
            fee
            for wagers, fee in _fees_by_wager(table, schedule, payer)
            if not any(_got_action(charged, acted) for charged in wagers)
        )
        for payer in payers(table)
    }
    back = []
    for fee in fees:
        idle = units(Cents(unused.get((fee.position, fee.person), 0))) if fee.position else fee.units
        if idle and (fee.position or not acted):
            returned = replace(fee, kind=PaymentKind.RETURN, units=idle, source=fee.to, to=fee.source)
            back.append(replace(returned, reason="no action"))
    return tuple(back)


def _got_action(charged: ChargedWager, acted: set[tuple[int, str, str]]) -> bool:
    return any((charged.position, person, charged.wager) in acted for person in charged.people)


def _apart(table: Showdown) -> bool:
    """Whether one person's seats pay fees of their own."""
    schedule = table.rules.schedule()
    by_sum = schedule is not None and bool(schedule.bands_of(FeeBasis.PLAYER_SUM))
    return not by_sum or table.rules.readings["ca_player_fee_several_seats"] == "per_seat"
