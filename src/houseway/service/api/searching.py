"""What a search asks for, read from the query of a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from houseway.cards import Card
from houseway.errors import HousewayError, InvalidInputError
from houseway.money import cents

MOST: Final = 200
"""So many rounds are found at a time."""


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _limit(text: str) -> int:
    return max(1, min(MOST, int(text)))


READ: Final[Mapping[str, Callable[[str], Any]]] = {
    "person": str,
    "table": str,
    "since": _moment,
    "until": _moment,
    "card": lambda text: str(Card.parse(text)),
    "held_by": str,
    "position": int,
    "amount": cents,
    "clause": str,
    "step": str,
    "cursor": str,
    "limit": _limit,
}
"""What may be asked for, and how each is read."""


def asked_for(query: Mapping[str, str]) -> dict[str, Any]:
    """Return what a search asks for; what cannot be read, or is not asked for here, is refused."""
    found: dict[str, Any] = {}
    for name, text in query.items():
        if name not in READ:
            raise InvalidInputError(f"a search is by {', '.join(READ)}", value=name)
        try:
            found[name] = READ[name](text)
        except (ValueError, HousewayError):
            raise InvalidInputError(f"not a {name.replace('_', ' ')}", value=text) from None
    return found
