"""Which fields of actions and outcomes hold cards, found from their types."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

from msgspec import Struct

from houseway.cards import Card
from houseway.rounds.steps import ACTIONS, OUTCOMES


def holders_of_cards() -> set[tuple[type[Struct], str]]:
    """Return every field of every action and outcome in whose type a card stands, however deep."""
    return {
        (kind, name)
        for kind in (*ACTIONS, *OUTCOMES)
        for name, annotation in get_type_hints(kind).items()
        if not name.startswith("__") and holds_cards(annotation)
    }


def holds_cards(annotation: Any) -> bool:
    """Whether a card stands in a type."""
    if annotation is Card:
        return True
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        inner = [hint for name, hint in get_type_hints(annotation).items() if not name.startswith("__")]
        return any(map(holds_cards, inner))
    return any(map(holds_cards, get_args(annotation)))
