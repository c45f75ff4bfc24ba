"""Accounting: what each table and each meter took and gave on each gaming day.

A round is booked whole on the day on which it ends; what two people adjust by hand, and what moves a meter,
on the day on which it is done. Corrections are booked beside what they correct, never over it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Table, select

from houseway.chips import ChipTurn, value_of
from houseway.chips.actions import BuyIn, CashOut, CountCloser, CountOpener, ReceiveFill, SendCredit
from houseway.floor.meter_events import MeterAdjusted, MeterRead
from houseway.floor.readmodels import amounts
from houseway.floor.readmodels.row_writes import Upsert, Write
from houseway.floor.readmodels.sql_tables import (
    ACCOUNT_METERS,
    ACCOUNT_READINGS,
    ACCOUNT_TABLES,
    ACCOUNT_WAGERS,
)
from houseway.floor.readmodels.table_fold import Aside, FoldedEntry, RoundEnding, RoundOver, is_by_hand
from houseway.floor.setup_events import MeterOpened
from houseway.floor.shared_meters import Flow, flows_of, movements_of
from houseway.floor.streams import TABLES, TableId
from houseway.ledger import UNITS_PER_CENT, Units, units
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import Turn
from houseway.rounds.state import MeterId
from houseway.rounds.step import AnEvent
from houseway.settlement import Payment, Status

COLUMNS: Final[Mapping[Flow, str]] = {
    Flow.CONTRIBUTED: "contributed",
    Flow.RESERVED: "reserved",
    Flow.SEEDED: "seeded",
    Flow.PAID: "paid",
    Flow.TAKEN_BACK: "taken_back",
    Flow.ADJUSTED: "adjusted",
}
"""Where each flow into a meter and out of it is booked."""


@dataclass(frozen=True)
class GamingDay:
    """When a gaming day begins, and by which clock."""

    zone: str = "UTC"
    begins: time = time(0)

    def of(self, at: datetime) -> date:
        """Return the gaming day of a moment.

        >>> from datetime import UTC
        >>> GamingDay("America/New_York", time(6)).of(datetime(2026, 3, 1, 10, 59, tzinfo=UTC)).isoformat()
        '2026-02-28'
        """
        begins = timedelta(hours=self.begins.hour, minutes=self.begins.minute)
        return (at.astimezone(ZoneInfo(self.zone)).replace(tzinfo=None) - begins).date()

    def __str__(self) -> str:
        return f"{self.begins:%H:%M} {self.zone}"


@dataclass(frozen=True)
class Accounting:
    """The read model of accounting."""

    day: GamingDay = field(default_factory=GamingDay)
    name: str = "accounting"
    version: int = 2
    tables: tuple[Table, ...] = (ACCOUNT_TABLES, ACCOUNT_WAGERS, ACCOUNT_METERS, ACCOUNT_READINGS)

    @property
    def settings(self) -> str:
        """When the gaming day begins: every row depends on it."""
        return str(self.day)

    def apply(self, seen: FoldedEntry) -> Iterator[Write]:
        """Return what an entry writes."""
        for over in seen.over:
            key = {"table_id": over.table, "day": self.day.of(over.event.at)}
            yield from _book_round(key, over)
        for aside in seen.aside:
            table = seen.entry.stream.removeprefix(TABLES)
            yield from _book_aside({"table_id": table, "day": self.day.of(aside.event.at)}, aside)
        match seen.body:
            case Turn():
                for event in seen.body.events:
                    yield from _book_meter_move(event, self.day.of(event.at))
            case MeterAdjusted():
                flows = flows_of(seen.body.meter, seen.body.moved, by_hand=True)
                yield _book_meter(seen.body.meter, self.day.of(seen.body.at), flows)
            case MeterOpened():
                amount = seen.body.state.value + seen.body.state.reserve
                key = {"meter": seen.body.meter, "day": self.day.of(seen.body.at)}
                yield Upsert(ACCOUNT_METERS, key, add={"opened": amount})
            case MeterRead():
                yield _book_reading(seen.body, seen.entry.version, self.day.of(seen.body.at))
            case ChipTurn():
                table = seen.entry.stream.removeprefix(TABLES)
                yield from _book_chips({"table_id": table, "day": self.day.of(seen.body.at)}, seen.body)


# --- tables -------------------------------------------------------------------------------------------


def _book_round(key: Mapping[str, Any], over: RoundOver) -> Iterator[Write]:
    """Book a round that is over."""
    payments = over.play.payments
    void = over.ending is RoundEnding.VOID
    add = {
        "rounds": 1,
        "voids": int(void),
        "handle": sum(_handle(over).values()),
        "contributed": amounts.between(payments, amounts.HOUSE, amounts.METERS),
        "awarded": amounts.between(payments, amounts.METERS | amounts.SEEDS, amounts.PLAYERS),
        "seeded": amounts.between(payments, amounts.SEEDS, amounts.METERS),
        "fees": amounts.into(payments, amounts.FEES),
    }
    yield Upsert(ACCOUNT_TABLES, key, add=add)
    for wager, handle in _handle(over).items():
        yield Upsert(ACCOUNT_WAGERS, {**key, "wager": wager}, add={"handle": handle})
    yield from _book_win(key, payments)


def _handle(over: RoundOver) -> Mapping[str, Units]:
    """Return what was wagered and played, by wager: a round or a hand that is void has no handle."""
    handle: Counter[str] = Counter()
    if over.ending is RoundEnding.VOID:
        return handle
    void = {at for at, hand in over.round.hands.items() if hand.status is Status.VOID}
    for payment in over.play.payments:
        staked = 0 if payment.position in void else amounts.sum_stakes([payment])
        if staked:
            handle[payment.wager] += staked
    return {wager: amount for wager, amount in handle.items() if amount}


def _book_win(key: Mapping[str, Any], payments: Iterable[Payment]) -> Iterator[Write]:
    """Book what the table's chips gained or lost, whole and by wager."""
    by_wager: Counter[str] = Counter()
    for payment in payments:
        by_wager[payment.wager] += amounts.into([payment], amounts.HOUSE)
    yield Upsert(ACCOUNT_TABLES, key, add={"win": sum(by_wager.values())})
    for wager, amount in by_wager.items():
        if amount:
            yield Upsert(ACCOUNT_WAGERS, {**key, "wager": wager}, add={"win": amount})


def _book_aside(key: Mapping[str, Any], aside: Aside) -> Iterator[Write]:
    """Book what was moved beside the play."""
    column = "adjusted" if is_by_hand(aside.event) else "seeded"
    moved: list[amounts.Moved] = [*aside.payments, *aside.movements]
    yield Upsert(ACCOUNT_TABLES, key, add={column: amounts.into(moved, amounts.METERS)})
    yield from _book_win(key, aside.payments)


def _book_chips(key: Mapping[str, Any], turn: ChipTurn) -> Iterator[Write]:
    """Book what was done with a table's chips."""
    match turn.action:
        case BuyIn():
            yield Upsert(ACCOUNT_TABLES, key, add={"dropped": units(turn.action.cash)})
        case CashOut():
            yield Upsert(ACCOUNT_TABLES, key, add={"cashed": units(turn.action.amount)})
        case ReceiveFill():
            yield Upsert(ACCOUNT_TABLES, key, add={"filled": units(value_of(turn.action.chips))})
        case SendCredit():
            yield Upsert(ACCOUNT_TABLES, key, add={"credited": units(value_of(turn.action.chips))})
        case CountOpener() | CountCloser() if turn.outcome.expected is not None:
            over = value_of(turn.action.chips) - turn.outcome.expected
            yield Upsert(ACCOUNT_TABLES, key, add={"variance": over * UNITS_PER_CENT})


# --- meters -------------------------------------------------------------------------------------------


def _book_meter_move(event: AnEvent, day: date) -> Iterator[Write]:
    """Book how an event at a table moved a meter that was open already."""
    move = event.outcome.meter if isinstance(event.outcome, Moves) else None
    if move is not None and move.before is not None:
        flows = flows_of(move.meter, movements_of(event, move.meter), by_hand=is_by_hand(event))
        yield _book_meter(move.meter, day, flows, wins=int(flows.get(Flow.PAID, 0) < 0))


def _book_meter(meter: MeterId, day: date, flows: Mapping[Flow, Units], wins: int = 0) -> Upsert:
    add = {COLUMNS[flow]: amount for flow, amount in flows.items()}
    return Upsert(ACCOUNT_METERS, {"meter": meter, "day": day}, add={**add, "wins": wins})


def _book_reading(read: MeterRead, version: int, day: date) -> Upsert:
    row = {
        "day": day,
        "at": read.at,
        "person": read.by.id,
        "shown": units(read.shown),
        "expected": units(read.expected),
        "explained": read.explained,
    }
    return Upsert(ACCOUNT_READINGS, {"meter": read.meter, "version": version}, row)


# --- reading ------------------------------------------------------------------------------------------


def days_of_tables(
    connection: Connection, since: date, until: date, table: TableId | None = None
) -> list[dict[str, Any]]:
    """Return the books of tables on gaming days from one to another, both included."""
    return _days(connection, ACCOUNT_TABLES, since, until, {"table_id": table})


def days_of_wagers(
    connection: Connection, since: date, until: date, table: TableId | None = None
) -> list[dict[str, Any]]:
    """Return handle and win by wager on gaming days from one to another, both included."""
    return _days(connection, ACCOUNT_WAGERS, since, until, {"table_id": table})


def days_of_meters(
    connection: Connection, since: date, until: date, meter: MeterId | None = None
) -> list[dict[str, Any]]:
    """Return the books of meters on gaming days from one to another, both included."""
    return _days(connection, ACCOUNT_METERS, since, until, {"meter": meter})


def _days(
    connection: Connection, table: Table, since: date, until: date, of: Mapping[str, str | None]
) -> list[dict[str, Any]]:
    query = select(table).where(table.c.day.between(since, until)).order_by(*table.primary_key)
    for name, value in of.items():
        query = query if value is None else query.where(table.c[name] == value)
    return [dict(row) for row in connection.execute(query).mappings()]


def readings_of_meters(
    connection: Connection, since: date, until: date, meter: MeterId | None = None
) -> list[dict[str, Any]]:
    """Return the readings of meters on gaming days from one to another."""
    return _days(connection, ACCOUNT_READINGS, since, until, {"meter": meter})
