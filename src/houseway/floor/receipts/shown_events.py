"""The steps of a round, as far as the parts of a receipt show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from houseway.cards import Cards, parse_cards
from houseway.floor.receipts.model import EntryProof
from houseway.ranking import Setting
from houseway.store.body_parts import values_of

Nested = Mapping[str, Any]


class SeenEvent(Struct, frozen=True, kw_only=True):
    """A step as far as it is shown; what is not shown is not there."""

    version: int
    seq: int | None
    round: int | None
    by: Nested
    action: Nested
    outcome: Nested

    @property
    def step(self) -> str:
        """The name of the step."""
        return str(self.action.get("step", ""))

    @property
    def kind(self) -> str:
        """What came of it."""
        return str(self.outcome.get("kind", ""))

    @property
    def position(self) -> int | None:
        """The position that it is about."""
        position = self.action.get("position")
        return position if isinstance(position, int) else None

    def items_of(self, name: str) -> tuple[Any, ...]:
        """Return those items of a list of the outcome that are shown, in order."""
        items = self.outcome.get(name) or {}
        if not isinstance(items, Mapping):
            return ()
        return tuple(items[key] for key in sorted(items, key=_number))


def is_turn(entry: EntryProof) -> bool:
    """Whether an entry is a turn of play, and none of the table's chips."""
    return values_of(entry.disclosure()).get("/kind") == "turn"


def events_of(entries: Iterable[EntryProof]) -> Iterator[SeenEvent]:
    """Yield the steps that some entries show, in order."""
    for entry in entries:
        events = _nest(values_of(entry.disclosure())).get("value", {}).get("events", {})
        for number in sorted(events, key=_number):
            event = events[number]
            yield SeenEvent(
                version=entry.version,
                seq=event.get("seq"),
                round=event.get("round"),
                by=_mapping(event.get("by")),
                action=_mapping(event.get("action")),
                outcome=_mapping(event.get("outcome")),
            )


def _nest(values: Mapping[str, Any]) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    for path, value in values.items():
        *way, last = path.split("/")[1:] or [""]
        inner = whole
        for step in way:
            below = inner.setdefault(step, {})
            inner = below if isinstance(below, dict) else {}
        inner[last.replace("~1", "/").replace("~0", "~")] = value
    return whole


def _mapping(value: Any) -> Nested:  # noqa: ANN401 - plain data
    return value if isinstance(value, Mapping) else {}


def _number(text: str) -> tuple[int, str]:
    return (int(text), "") if text.isdecimal() else (0, text)


def cards_in(texts: Any) -> Cards:  # noqa: ANN401 - plain data
    """Read cards from plain data; none where there are none."""
    return parse_cards(" ".join(map(str, texts))) if texts else ()


def setting_in(parts: Any) -> Setting | None:  # noqa: ANN401 - plain data
    """Read a setting from plain data."""
    return tuple(cards_in(part) for part in parts) if parts else None
