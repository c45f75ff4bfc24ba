"""A player's own rounds as a file for them: lines of JSON, or CSV.

It has nothing about other people: neither the totals of a round, nor who dealt it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final

import msgspec
from sqlalchemy import Connection

from houseway.floor.export import exact_dollars
from houseway.floor.readmodels import OwnRound, history
from houseway.rounds.state import PersonId

COLUMNS: Final = (
    *("table", "round", "game", "submission", "began", "ended", "ending", "reason"),
    *("wagered", "put_up", "fees", "returned", "net"),
)
"""The columns of a round. Amounts are exact dollars."""
_PAGE: Final = 500
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""The first characters of what a spreadsheet would compute as a formula."""


class HistoryFormat(StrEnum):
    """The format of a history file."""

    LINES = "jsonl"
    VALUES = "csv"


def export_history(
    connection: Connection, person: PersonId, form: HistoryFormat = HistoryFormat.LINES
) -> bytes:
    """Return every round of a person, the latest first."""
    rows = (_row(own_round) for own_round in _rounds(connection, person))
    if form is HistoryFormat.LINES:
        return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows({**row, **{name: _harmless(row[name]) for name in COLUMNS[:8]}} for row in rows)
    return text.getvalue().encode()


def _rounds(connection: Connection, person: PersonId) -> Iterator[OwnRound]:
    rounds, cursor = history(connection, person, limit=_PAGE)
    yield from rounds
    while cursor is not None:
        rounds, cursor = history(connection, person, cursor=cursor, limit=_PAGE)
        yield from rounds


def _row(own_round: OwnRound) -> dict[str, Any]:
    about = own_round.round
    return {
        "table": about.table_id,
        "round": about.round,
        "game": about.game,
        "submission": about.submission,
        "began": about.began.isoformat(),
        "ended": about.ended.isoformat(),
        "ending": about.ending.value,
        "reason": about.reason,
        **{
            name: exact_dollars(getattr(own_round, name))
            for name in ("wagered", "put_up", "fees", "returned", "net")
        },
    }


def _harmless(value: object) -> object:
    """Return a value in a form that a spreadsheet shows and does not compute."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value
