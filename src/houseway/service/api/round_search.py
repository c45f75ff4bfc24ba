"""What a search asks for, read from the query of a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from houseway.cards import Card
from houseway.errors import HousewayError, InvalidInputError
from houseway.floor.readmodels.cursors import Cursor
from houseway.intake import check_amount, read_json, read_moment, read_number
from houseway.money import cents

MOST: Final = 200
"""So many rounds are found at a time."""


def check_cursor(text: str) -> Cursor:
    """Return where a list of rounds goes on: a moment, a table and a number, each as from outside."""
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
"""What may be asked for, and how each is read."""


def read_search(query: Mapping[str, str]) -> dict[str, Any]:
    """Return what a search asks for; what cannot be read, or is not asked for here, is refused."""
    search: dict[str, Any] = {}
    for name, text in query.items():
        if name not in READERS:
            raise InvalidInputError(f"a search is by {', '.join(READERS)}", value=name)
        try:
            search[name] = READERS[name](text)
        except (ValueError, HousewayError):
            raise InvalidInputError(f"not a {name.replace('_', ' ')}", value=text) from None
    return search
