"""The lobby: every table with its game, phase, seats, limits and meter, as it stands now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from msgspec import Struct
from sqlalchemy import Connection, Table, select

from houseway.errors import HousewayError
from houseway.floor.readmodels.folding import Folded, Seen, made
from houseway.floor.readmodels.tables import LOBBY_LINKS, LOBBY_METERS, LOBBY_SEATS, LOBBY_TABLES
from houseway.floor.readmodels.writes import Remove, Upsert, Write
from houseway.floor.streams import LinkChanged, MeterAdjusted, MeterOpened, MeterTurn, TableId, TableMade
from houseway.games import Submission
from houseway.games.collection import schedule
from houseway.meters import MeterState
from houseway.money import Cents
from houseway.rounds.record import Turn
from houseway.rounds.state import MeterId, PersonId, Phase
from houseway.settlement.model import MAIN

_ALL: Final = ""
"""Stands for every table of a meter."""


class LobbySeat(Struct, frozen=True):
    """Who sits at a position."""

    position: int
    person: PersonId
    name: str


class LobbyTable(Struct, frozen=True, kw_only=True):
    """A table as the lobby shows it."""

    table: TableId
    game: str
    submission: str
    phase: Phase
    seats: tuple[LobbySeat, ...]
    free: int
    least: Cents | None
    most: Cents | None
    meter: MeterId | None
    showing: Cents | None
    """What the meter's display shows."""
    link_down: str | None
    """Why the link to the meter is down, if it is."""
    rounds: int
    active: datetime
    """When something was last done there."""
    version: int


@dataclass(frozen=True)
class Lobby:
    """The read model of the lobby."""

    name: str = "lobby"
    version: int = 1
    settings: str = ""
    tables: tuple[Table, ...] = (LOBBY_TABLES, LOBBY_SEATS, LOBBY_METERS, LOBBY_LINKS)

    def apply(self, seen: Seen) -> Iterator[Write]:
        """Return what an entry writes."""
        body = seen.body
        match body:
            case TableMade():
                yield _row(made(body), body.at)
            case Turn():
                assert seen.before is not None and seen.after is not None
                yield _row(seen.after, body.at)
                if seen.after.table.seats != seen.before.table.seats:
                    yield from _seats(seen.after)
            case MeterOpened():
                yield _meter(body.meter, body.state)
            case MeterTurn() | MeterAdjusted():
                yield _meter(body.meter, body.after)
            case LinkChanged():
                link = {"meter": body.meter, "table_id": body.table or _ALL}
                yield (
                    Remove(LOBBY_LINKS, link)
                    if body.up
                    else Upsert(LOBBY_LINKS, link, {"reason": body.reason})
                )


def _row(folded: Folded, at: datetime) -> Upsert:
    table, submission = folded.table, folded.submission
    least, most = limits(submission)
    row = {
        "game": submission.game,
        "submission": submission.reference,
        "phase": str(table.phase),
        "positions": submission.table.positions,
        "least": least,
        "most": most,
        "meter": table.meter,
        "rounds": table.rounds,
        "active": at,
        "version": folded.version,
    }
    return Upsert(LOBBY_TABLES, {"table_id": table.id}, row)


def _seats(folded: Folded) -> Iterator[Write]:
    table = folded.table
    yield Remove(LOBBY_SEATS, {"table_id": table.id})
    for at, seat in table.seats.items():
        key = {"table_id": table.id, "position": at}
        yield Upsert(LOBBY_SEATS, key, {"person": seat.person, "name": seat.name or seat.person})


def _meter(meter: MeterId, state: MeterState) -> Upsert:
    return Upsert(LOBBY_METERS, {"meter": meter}, {"value": state.value})


def limits(submission: Submission) -> tuple[Cents | None, Cents | None]:
    """Return the least and the most of a main wager: the table's own, or those of its collection schedule."""
    main = submission.wagers.get(MAIN)
    least, most = (main.min, main.max) if main else (None, None)
    if submission.collection_schedule is not None:
        try:
            posted = schedule(submission.collection_schedule)
        except HousewayError:  # a schedule that this program does not have: an old table's
            return least, most
        least, most = least or posted.table_min, most or posted.table_max
    return least, most


def lobby(connection: Connection) -> list[LobbyTable]:
    """Return every table, as far as the read model has come."""
    seats: dict[TableId, list[LobbySeat]] = {}
    rows = connection.execute(select(LOBBY_SEATS).order_by(LOBBY_SEATS.c.table_id, LOBBY_SEATS.c.position))
    for table, position, person, name in rows:
        seats.setdefault(table, []).append(LobbySeat(position, person, name))
    values = {meter: MeterState(value) for meter, value in connection.execute(select(LOBBY_METERS))}
    down = {(meter, table): why for meter, table, why in connection.execute(select(LOBBY_LINKS))}
    tables = connection.execute(select(LOBBY_TABLES).order_by(LOBBY_TABLES.c.table_id)).mappings()
    return [_shown(dict(row), tuple(seats.get(row["table_id"], ())), values, down) for row in tables]


def _shown(
    row: dict[str, object],
    seats: tuple[LobbySeat, ...],
    values: Mapping[MeterId, MeterState],
    down: Mapping[tuple[MeterId, TableId], str],
) -> LobbyTable:
    table, meter, positions = str(row.pop("table_id")), row.pop("meter"), row.pop("positions")
    assert isinstance(positions, int)
    name = str(meter) if meter is not None else None
    why = (down.get((name, table)) or down.get((name, _ALL))) if name is not None else None
    return LobbyTable(
        table=table,
        phase=Phase(str(row.pop("phase"))),
        seats=seats,
        free=positions - len(seats),
        meter=name,
        showing=values[name].showing if name is not None and name in values else None,
        link_down=why,
        **row,  # type: ignore[arg-type]
    )
