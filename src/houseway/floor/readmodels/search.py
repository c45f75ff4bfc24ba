"""The search for rounds by people, tables, times, cards, amounts, clauses and steps.

A round is found once it is over, so that no card of a running one is found before it lies open. Cards that
were never shown are found too, so only viewers who may see the opened deck may search.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Table, and_, exists, select, tuple_

from houseway.cards import Card
from houseway.errors import InvalidInputError
from houseway.floor.readmodels import amounts
from houseway.floor.readmodels.cursors import Cursor, read_cursor, write_cursor
from houseway.floor.readmodels.round_rows import RoundRow, by_wager, round_row
from houseway.floor.readmodels.row_writes import Upsert, Write
from houseway.floor.readmodels.sql_tables import (
    ROUNDS,
    SEARCH_CARDS,
    SEARCH_CLAUSES,
    SEARCH_PEOPLE,
    SEARCH_STEPS,
)
from houseway.floor.readmodels.table_fold import FoldedEntry, RoundOver
from houseway.floor.streams import TableId
from houseway.ledger import Units, units
from houseway.money import Cents
from houseway.rounds.state import PersonId
from houseway.settlement.model import DEALER


@dataclass(frozen=True)
class Search:
    """The read model that rounds are found by."""

    name: str = "search"
    version: int = 1
    settings: str = ""
    tables: tuple[Table, ...] = (SEARCH_PEOPLE, SEARCH_CARDS, SEARCH_CLAUSES, SEARCH_STEPS)

    def apply(self, seen: FoldedEntry) -> Iterator[Write]:
        """Return what an entry writes: nothing before a round is over."""
        for over in seen.over:
            at = {"ended": over.event.at}
            for person, largest in _people(over).items():
                yield Upsert(SEARCH_PEOPLE, {**over.key, "person": person}, {**at, "largest": largest})
            for position, card, person in _cards(over):
                key = {**over.key, "position": position, "card": str(card)}
                yield Upsert(SEARCH_CARDS, key, {**at, "person": person})
            for clause in over.play.clauses:
                yield Upsert(SEARCH_CLAUSES, {**over.key, "clause": clause}, at)
            for step in over.play.steps:
                yield Upsert(SEARCH_STEPS, {**over.key, "step": step}, at)


def _people(over: RoundOver) -> Mapping[PersonId, Units]:
    """Return the people in a round, and the largest single amount that each wagered or got."""
    people: dict[PersonId, Units] = dict.fromkeys(over.play.people, 0)
    people |= {hand.person: 0 for hand in over.round.hands.values()}
    if over.round.banker is not None:
        people[over.round.banker.person] = units(over.round.banker.stake)
    for (_, person, _), moved in by_wager(over.play.payments).items():
        both = (amounts.sum_stakes(moved), amounts.sum_returned(moved))
        people[person] = max(people.get(person, 0), *both)
    return {person: largest for person, largest in people.items() if person}


def _cards(over: RoundOver) -> Iterator[tuple[int, Card, PersonId]]:
    """Yield every card of a hand, with its position and whose hand it was."""
    played = over.round
    banker = played.banker.person if played.banker else over.dealer
    for card in played.dealer_cards:
        yield played.bank_seat or DEALER, card, banker
    for hand in played.hands.values():
        for card in hand.cards:
            yield hand.position, card, hand.person


# --- finding ------------------------------------------------------------------------------------------


def find_rounds(
    connection: Connection,
    *,
    person: PersonId | None = None,
    table: TableId | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    card: str | None = None,
    held_by: PersonId | None = None,
    position: int | None = None,
    amount: Cents | None = None,
    clause: str | None = None,
    step: str | None = None,
    cursor: Cursor | None = None,
    limit: int = 50,
) -> tuple[list[RoundRow], Cursor | None]:
    """Return the rounds for which everything asked for holds, the latest first, and where to go on.

    ``since`` is included and ``until`` is not. ``amount`` is the least that a person wagered or got on one
    wager: ``person`` if one is named. ``held_by`` and ``position`` narrow down who held ``card``.
    """
    if card is None and (held_by is not None or position is not None):
        raise InvalidInputError("who held a card is asked for with the card", value=str(held_by or position))
    least = None if amount is None else units(amount)
    holder = {
        "card": None if card is None else str(Card.parse(card)),
        "person": held_by,
        "position": position,
    }
    filters = [
        _Filter(SEARCH_PEOPLE, {"person": person}, least),
        _Filter(SEARCH_CLAUSES, {"clause": clause}),
        _Filter(SEARCH_CARDS, holder),
        _Filter(SEARCH_STEPS, {"step": step}),
    ]
    first = next((row_filter.table for row_filter in filters if row_filter.equal), ROUNDS)
    place = (first.c.ended, first.c.table_id, first.c.round)
    query = select(ROUNDS)
    if first is not ROUNDS:
        query = query.join(first, _same_round(ROUNDS, first))
    for row_filter in filters:
        query = query.where(*row_filter.conditions(first))
    query = query.where(*([place[1] == table] if table is not None else []))
    query = query.where(*([place[0] >= since] if since is not None else []))
    query = query.where(*([place[0] < until] if until is not None else []))
    if cursor is not None:
        query = query.where(tuple_(*place) < read_cursor(cursor))
    query = query.order_by(*(column.desc() for column in place)).limit(limit + 1)
    rounds = [round_row(row) for row in connection.execute(query).mappings()]
    last = rounds[limit - 1] if len(rounds) > limit else None
    once = {(row.table_id, row.round): row for row in rounds[:limit]}  # a card may lie at two positions
    return list(once.values()), write_cursor(last.ended, last.table_id, last.round) if last else None


class StepInRound(Struct, frozen=True):
    """That a step was taken in a round that is over: at least once, by whose dealing."""

    step: str
    table: TableId
    round: int
    dealer: PersonId
    ended: datetime


def steps_in_rounds(
    connection: Connection, steps: Collection[str], since: datetime, until: datetime
) -> list[StepInRound]:
    """Return the rounds of a time in which one of some steps was taken, once for each step."""
    within = (SEARCH_STEPS.c.ended >= since, SEARCH_STEPS.c.ended <= until)
    columns = (SEARCH_STEPS.c.step, SEARCH_STEPS.c.table_id, SEARCH_STEPS.c.round)
    query = (
        select(*columns, ROUNDS.c.dealer, ROUNDS.c.ended)
        .join(ROUNDS, _same_round(ROUNDS, SEARCH_STEPS))
        .where(SEARCH_STEPS.c.step.in_(sorted(steps)), *within)
        .order_by(SEARCH_STEPS.c.ended, SEARCH_STEPS.c.table_id, SEARCH_STEPS.c.round)
    )
    rows = connection.execute(query)
    return [StepInRound(step, table, number, dealer, at) for step, table, number, dealer, at in rows]


@dataclass(frozen=True)
class _Filter:
    """That a round has a row in a table with some values, or with an amount at least."""

    table: Table
    values: Mapping[str, Any]
    least: Units | None = None

    @property
    def equal(self) -> list[ColumnElement[bool]]:
        """What the row must have: an index gives such rows by the end of their rounds."""
        return [self.table.c[name] == value for name, value in self.values.items() if value is not None]

    def conditions(self, first: Table) -> list[ColumnElement[bool]]:
        """Return what is asked of a round; ``first`` is the table that its rows are found by."""
        wanted = [*self.equal, *([] if self.least is None else [self.table.c.largest >= self.least])]
        if not wanted or self.table is first:
            return wanted
        if not self.equal:  # large amounts are few: they are looked up all at once
            rows = select(self.table.c.table_id, self.table.c.round).where(*wanted)
            return [tuple_(first.c.table_id, first.c.round).in_(rows)]
        return [exists().where(_same_round(self.table, first), *wanted)]


def _same_round(table: Table, other: Table) -> ColumnElement[bool]:
    return and_(*(table.c[name] == other.c[name] for name in ("ended", "table_id", "round")))
