"""The bodies of entries, written and read: each with its kind, its schema and its build.

What an older version wrote is converted step by step, so that a stream of any age loads. The build is the
program that decided the entry: only that program is sure to decide it the same again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from houseway.build import this_build
from houseway.errors import DataError, HousewayError
from houseway.floor.event_kinds import KINDS, Body
from houseway.floor.streams import METERS, SETUP, TABLES
from houseway.intake import SYSTEM_ID
from houseway.rounds.codec import canonical, from_plain
from houseway.store.entries import Entry, Head, StreamId, next_entry

SCHEMA: Final = 3
_NAMES: Final = {kind: name for name, kind in KINDS.items()}
FOLDING_ERRORS: Final = (HousewayError, LookupError, ValueError, TypeError, AttributeError, AssertionError)
"""What reading and folding raise over an entry that no program can have written."""
Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


def write_body(body: Body) -> bytes:
    """Return a body as canonical JSON."""
    return canonical({"build": this_build(), "kind": _NAMES[type(body)], "schema": SCHEMA, "value": body})


def entries_after(stream: StreamId, head: Head, bodies: Iterable[Body]) -> list[Entry]:
    """Return the entries that bodies add to a stream after its ``head``, each named by its place in it.

    No user can type such a name, so no user's command is ever taken for one of these entries.
    What cannot be read again is refused, so that it is never stored.
    """
    entries: list[Entry] = []
    for body in bodies:
        name = f"{SYSTEM_ID}{stream}/{head.version + 1}"
        entry = next_entry(head, stream, name, write_body(body), b"")
        read_body(entry)
        entries.append(entry)
        head = entry.head
    return entries


def read_body(entry: Entry) -> Body:
    """Return the body of an entry, converted if an earlier version wrote it."""
    try:
        data = msgspec.json.decode(entry.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"not JSON: {error}", where=_place(entry)) from None
    if not isinstance(data, dict):
        raise DataError("an entry has a kind, a schema and a value", where=_place(entry))
    if "schema_version" in data:
        data = _first_schema(entry.stream, data)
    name, version, value = data.get("kind"), data.get("schema"), data.get("value")
    if name not in KINDS or type(version) is not int or not 1 <= version <= SCHEMA:
        raise DataError(
            f"an entry of schema 1 to {SCHEMA} is read here", value=f"{name} {version}", where=_place(entry)
        )
    for older in range(version, SCHEMA):
        value = UPCASTERS.get((name, older), _as_it_is)(value)
    body: Body = from_plain(KINDS[name], value, _place(entry))
    return body


class _Header(msgspec.Struct):
    """The kind and the build of a body; the rest is not read."""

    kind: str = ""
    build: str = ""


def build_of(entry: Entry) -> str:
    """Return the build of the program that made an entry; empty where an earlier program named none."""
    return _read_header(entry).build


def is_of(entry: Entry, kind: type[Body]) -> bool:
    """Whether an entry is of a kind; the rest of it is not read."""
    return _read_header(entry).kind == _NAMES[kind]


def _read_header(entry: Entry) -> _Header:
    try:
        return msgspec.json.decode(entry.body, type=_Header)
    except (msgspec.DecodeError, RecursionError) as error:
        raise DataError(f"not JSON: {error}", where=_place(entry)) from None


def _place(entry: Entry) -> str:
    return f"{entry.stream} version {entry.version}"


def _as_it_is(value: dict[str, Any]) -> dict[str, Any]:
    return value


# --- what older versions wrote ------------------------------------------------------------------------


def _first_schema(stream: StreamId, data: dict[str, Any]) -> dict[str, Any]:
    """Return data of the first schema with its kind, which followed from the stream then."""
    value = data.get("value")
    if stream == SETUP and isinstance(value, dict) and isinstance(value.get("event"), dict):
        event = dict(value["event"])
        return {"kind": event.pop("type", None), "schema": 1, "value": event}
    kind = "turn" if stream.startswith(TABLES) else "meter_turn" if stream.startswith(METERS) else None
    return {"kind": kind, "schema": 1, "value": value}


def _complete_meter_turn(value: dict[str, Any]) -> dict[str, Any]:
    """Complete a meter's move, which did not say who made it, nor what moved."""
    name, moved = value["meter"], list[dict[str, Any]]()
    for kind, field in (("meter", "value"), ("reserve", "reserve")):
        change = value["after"].get(field, 0) - (value.get("before") or {}).get(field, 0)
        ends = [{"kind": "inventory"}, {"kind": kind, "name": name}][:: 1 if change > 0 else -1]
        if change:
            reason = "told by its table's turn"
            moved.append({"units": abs(change), "source": ends[0], "to": ends[1], "reason": reason})
    return {**value, "by": {"id": "", "role": "dealer"}, "moved": moved}


UPCASTERS: Final[Mapping[tuple[str, int], Upcaster]] = {("meter_turn", 1): _complete_meter_turn}
"""By the kind of thing and the schema it was written by: what makes the next schema of it."""
