"""Rounds that are over: when, by whom, how they ended, their place in the log, and what each person got."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import Connection, RowMapping, Table, and_, select, tuple_

from houseway.floor.readmodels import amounts
from houseway.floor.readmodels.cursors import Cursor, read_cursor, write_cursor
from houseway.floor.readmodels.row_writes import Upsert, Write
from houseway.floor.readmodels.sql_tables import ROUND_PEOPLE, ROUND_WAGERS, ROUNDS
from houseway.floor.readmodels.table_fold import Aside, FoldedEntry, RoundEnding, RoundOver
from houseway.floor.streams import TABLES, TableId
from houseway.ledger import AccountKind, Units
from houseway.rounds.state import PersonId
from houseway.rounds.steps.ruling import RoundVoided
from houseway.settlement import Payment

Key = Mapping[str, Any]
NO_WAGERS: Final = ("bank", "collection")
"""What payments name in the place of a wager where there is none."""


class RoundRow(Struct, frozen=True, kw_only=True):
    """A round that is over. The house's net has no fees in it, and nothing that the meters hold."""

    table_id: TableId
    round: int
    game: str
    submission: str
    began: datetime
    ended: datetime
    dealer: PersonId
    ending: RoundEnding
    reason: str
    """Why it was void."""
    first_version: int
    last_version: int
    """The versions of the table's stream that tell of it."""
    wagered: Units
    put_up: Units
    """What a player put up as the bank."""
    returned: Units
    fees: Units
    house: Units
    meters: Units


class OwnRound(Struct, frozen=True, kw_only=True):
    """A round as it went for one person."""

    round: RoundRow
    wagered: Units
    put_up: Units
    """What they put up as the bank."""
    fees: Units
    returned: Units
    net: Units


@dataclass(frozen=True)
class Rounds:
    """The read model of rounds."""

    name: str = "rounds"
    version: int = 1
    settings: str = ""
    tables: tuple[Table, ...] = (ROUNDS, ROUND_PEOPLE, ROUND_WAGERS)

    def apply(self, seen: FoldedEntry) -> Iterator[Write]:
        """Return what an entry writes: nothing before a round is over."""
        for over in seen.over:
            payments = over.play.payments + over.play.by_hand
            yield Upsert(ROUNDS, over.key, _columns(over))
            for person in people_of(payments):
                yield Upsert(ROUND_PEOPLE, {**over.key, "person": person}, {"ended": over.event.at})
            yield from _sums(over.key, payments)
        for aside in seen.aside:
            if aside.round is not None:
                yield from _sums(_key_of(seen, aside), aside.payments)


def _key_of(seen: FoldedEntry, aside: Aside) -> dict[str, str | int]:
    assert aside.round is not None
    return {"table_id": seen.entry.stream.removeprefix(TABLES), "round": aside.round}


def _columns(over: RoundOver) -> dict[str, object]:
    outcome = over.event.outcome
    return {
        "game": over.submission.game,
        "submission": over.submission.reference,
        "began": over.play.began or over.event.at,
        "ended": over.event.at,
        "dealer": over.dealer,
        "ending": str(over.ending),
        "reason": outcome.why.reason if isinstance(outcome, RoundVoided) else "",
        "first_version": over.play.first_version,
        "last_version": over.version,
    }


def _sums(key: Key, payments: tuple[Payment, ...]) -> Iterator[Write]:
    """Return what payments add to a round, to its people and to their wagers."""
    fees = amounts.into(payments, amounts.FEES)
    add = {
        "wagered": amounts.sum_stakes(payments),
        "put_up": amounts.sum_stakes(payments, amounts.BANKS),
        "returned": amounts.sum_returned(payments) + fees,
        "fees": fees,
        "house": amounts.into(payments, amounts.HOUSE | amounts.SEEDS),
        "meters": amounts.into(payments, amounts.METERS),
    }
    yield Upsert(ROUNDS, key, add=add)
    for person in people_of(payments):
        yield Upsert(ROUND_PEOPLE, {**key, "person": person}, add=_of_person(payments, person))
    for (position, person, wager), moved in by_wager(payments).items():
        spot = {**key, "position": position, "person": person, "wager": wager}
        got = {"wagered": amounts.sum_stakes(moved), "returned": amounts.sum_returned(moved)}
        yield Upsert(ROUND_WAGERS, spot, add=got)


def people_of(payments: tuple[Payment, ...]) -> list[PersonId]:
    """Return the people whose money moved."""
    accounts = amounts.accounts_of(payments)
    return sorted({account.name for account in accounts if account.kind is AccountKind.PLAYER})


def _of_person(payments: tuple[Payment, ...], person: PersonId) -> dict[str, Units]:
    own = amounts.of_person(payments, person)
    wagered, put_up = amounts.sum_stakes(own), amounts.sum_stakes(own, amounts.BANKS)
    fees, net = amounts.into(own, amounts.FEES), amounts.into(own, amounts.PLAYERS)
    returned = net + wagered + put_up + fees
    return {"wagered": wagered, "put_up": put_up, "fees": fees, "returned": returned, "net": net}


def by_wager(payments: tuple[Payment, ...]) -> dict[tuple[int, PersonId, str], list[Payment]]:
    """Return the payments of each wager to and from its person; fees are no wagers, nor is a bank."""
    wagers: dict[tuple[int, PersonId, str], list[Payment]] = {}
    for payment in payments:
        if payment.wager not in NO_WAGERS and AccountKind.PLAYER in (payment.source.kind, payment.to.kind):
            wagers.setdefault((payment.position, payment.person, payment.wager), []).append(payment)
    return wagers


# --- reading ------------------------------------------------------------------------------------------


def round_of(connection: Connection, table: TableId, number: int) -> RoundRow | None:
    """Return a round that is over."""
    query = select(ROUNDS).where(and_(ROUNDS.c.table_id == table, ROUNDS.c.round == number))
    row = connection.execute(query).mappings().one_or_none()
    return round_row(row) if row else None


def round_row(row: RowMapping) -> RoundRow:
    """Return the round that a row holds."""
    values = {column.name: row[column.name] for column in ROUNDS.c}
    return RoundRow(**{**values, "ending": RoundEnding(values["ending"])})


def history(
    connection: Connection, person: PersonId, *, cursor: Cursor | None = None, limit: int = 50
) -> tuple[list[OwnRound], Cursor | None]:
    """Return a person's own rounds, the latest first, and where to go on."""
    same = and_(ROUNDS.c.table_id == ROUND_PEOPLE.c.table_id, ROUNDS.c.round == ROUND_PEOPLE.c.round)
    place = tuple_(ROUND_PEOPLE.c.ended, ROUND_PEOPLE.c.table_id, ROUND_PEOPLE.c.round)
    own = [ROUND_PEOPLE.c[name].label(f"own_{name}") for name in OwnRound.__struct_fields__[1:]]
    query = select(ROUNDS, *own).join(ROUND_PEOPLE, same).where(ROUND_PEOPLE.c.person == person)
    if cursor is not None:
        query = query.where(place < read_cursor(cursor))
    query = query.order_by(*(column.desc() for column in place.clauses)).limit(limit + 1)
    rows = connection.execute(query).mappings().all()
    rounds = [
        OwnRound(
            round=round_row(row), **{name: row[f"own_{name}"] for name in OwnRound.__struct_fields__[1:]}
        )
        for row in rows[:limit]
    ]
    last = rounds[-1].round if len(rows) > limit else None
    return rounds, write_cursor(last.ended, last.table_id, last.round) if last else None
