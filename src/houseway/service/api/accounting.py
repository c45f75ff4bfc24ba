"""Routes of accounting: drop, win and hold against theoretical values, meters and their readings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection
from starlette.responses import Response

from houseway.floor.readmodels import days_of_meters, days_of_tables, days_of_wagers, readings_of_meters
from houseway.intake import read_day
from houseway.service.api.call import Call, json
from houseway.service.theoretical_holds import table_book

DAYS = 7
"""The number of gaming days in an answer, unless others are asked for."""


async def accounting(call: Call) -> Response:
    """Return what tables and meters took and kept on gaming days, and the readings of meters."""
    query, today = call.query, call.server.loop.floor.clock().date()
    until = _day(query, "until", today)
    since = _day(query, "since", until - timedelta(days=DAYS - 1))
    table = query.get("table")

    def ask(connection: Connection) -> dict[str, list[dict[str, Any]]]:
        return {
            "days": days_of_tables(connection, since, until, table),
            "wagers": days_of_wagers(connection, since, until, table),
            "meters": days_of_meters(connection, since, until),
            "readings": readings_of_meters(connection, since, until),
        }

    rows = await call.ask_models(ask)
    names = sorted({row["table_id"] for row in rows["days"]})
    books = []
    for name in names:
        rules = (await call.server.loop.table(name)).rules
        days, wagers = ([row for row in rows[kind] if row["table_id"] == name] for kind in ("days", "wagers"))
        books.append(table_book(name, rules, days, wagers))
    readings = [{**row, "variance": row["shown"] - row["expected"]} for row in rows["readings"]]
    totals = {"since": since, "until": until, "tables": books, "days": rows["days"], "meters": rows["meters"]}
    return json({**totals, "readings": readings})


def _day(query: Mapping[str, str], name: str, otherwise: date) -> date:
    text = query.get(name)
    return read_day(text, name) if text else otherwise
