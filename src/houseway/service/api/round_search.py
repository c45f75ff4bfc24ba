"""Conditions of a round search, read from the query of a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from houseway.cards import Card
from houseway.errors import HousewayError, InvalidInputError
from houseway.floor.readmodels.cursors import Cursor
from houseway.intake import check_amount, read_json, read_moment, read_number
from houseway.money import cents

MOST: Final = 200
"""The most rounds in an answer."""


def check_cursor(text: str) -> Cursor:
    """Return a cursor into a list of rounds (a moment, a table and a number), or refuse it."""
    place = read_json(text)
    if isinstance(place, list) and place and isinstance(place[0], str):
        read_moment(place[0], "cursor")
    return text


READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "person": str,
    "table": str,
    "since": lambda text: read_moment(text, "since"),
    "until": lambda text: read_moment(text, "until"),
    "card": lambda text: str(Card.parse(text)),
    "held_by": str,
    "position": lambda text: read_number(text, "position"),
    "amount": lambda text: check_amount(cents(text), "amount"),
    "clause": str,
    "step": str,
    "cursor": check_cursor,
    "limit": lambda text: max(1, min(MOST, read_number(text, "limit"))),
}
"""The conditions, and how each is read."""


def read_search(query: Mapping[str, str]) -> dict[str, Any]:
    """Return the conditions of a search; refuse unknown ones, and values that cannot be read."""
    search: dict[str, Any] = {}
    for name, text in query.items():
        if name not in READERS:
            raise InvalidInputError(f"a search is by {', '.join(READERS)}", value=name)
        try:
            search[name] = READERS[name](text)
        except (ValueError, HousewayError):
            raise InvalidInputError(f"not a {name.replace('_', ' ')}", value=text) from None
    return search
