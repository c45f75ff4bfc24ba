"""A player's own rounds written out for them: as lines of JSON, or as a table of values.

Nothing of anybody else is in it: not the totals of a round, nor who dealt it.
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
"""What is said of a round. Amounts are dollars, exactly."""
_PAGE: Final = 500
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would begin to compute."""


class Format(StrEnum):
    """How a history is written."""

    LINES = "jsonl"
    VALUES = "csv"


def export_history(connection: Connection, person: PersonId, form: Format = Format.LINES) -> bytes:
    """Return every round of a person, the latest first."""
    rows = (_row(one) for one in _rounds(connection, person))
    if form is Format.LINES:
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


def _row(one: OwnRound) -> dict[str, Any]:
    about = one.round
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
            name: exact_dollars(getattr(one, name))
            for name in ("wagered", "put_up", "fees", "returned", "net")
        },
    }


def _harmless(value: object) -> object:
    """Return a value as a spreadsheet shows it and does not compute it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value
