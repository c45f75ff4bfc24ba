"""Cursors of lists of rounds: an opaque text that a client sends back to get the next page."""

from __future__ import annotations

from datetime import datetime

from msgspec import DecodeError, ValidationError, json

from houseway.errors import InvalidInputError

Cursor = str


def write_cursor(ended: datetime, table: str, number: int) -> Cursor:
    """Return the place of a round among all, by when they ended."""
    return json.encode((ended, table, number)).decode()


def read_cursor(text: Cursor) -> tuple[datetime, str, int]:
    """Return the place that a cursor stands for."""
    try:
        return json.decode(text, type=tuple[datetime, str, int])
    except (DecodeError, ValidationError):
        raise InvalidInputError("not a place in a list of rounds", value=text) from None
