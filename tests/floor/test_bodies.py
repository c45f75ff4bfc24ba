"""What an entry says, read from any schema and refused where it says nothing that is known."""

from __future__ import annotations

import msgspec
import pytest

from houseway.build import this_build
from houseway.errors import DataError
from houseway.floor.bodies import SCHEMA, build_of, entries_after, is_of, read_body, write_body
from houseway.floor.event_kinds import KINDS
from houseway.floor.meter_events import MeterTurn
from houseway.floor.people_events import Bookmarked, BookmarkRemoved
from houseway.ledger import INVENTORY, Account, AccountKind
from houseway.store.entries import EMPTY, Entry, next_entry
from tests.floor.support import MAX, NOON

MARKED = Bookmarked(table="t1", round=1, at=NOON, by=MAX)


def entry(body: bytes, stream: str = "bookmarks/Max") -> Entry:
    return next_entry(EMPTY, stream, "!x", body, b"")


def written(**changes: object) -> bytes:
    """Return an entry's text with something in it changed, or left out."""
    data = {**msgspec.json.decode(write_body(MARKED)), **changes}
    return msgspec.json.encode({name: value for name, value in data.items() if value is not None})


def test_an_entry_names_its_kind_schema_and_build() -> None:
    data = msgspec.json.decode(write_body(MARKED))
    assert (data["kind"], data["schema"], data["build"]) == ("bookmarked", SCHEMA, this_build())
    assert SCHEMA == 3
    (one,) = entries_after("bookmarks/Max", EMPTY, [MARKED])
    assert read_body(one) == MARKED and build_of(one) == this_build()
    assert is_of(one, Bookmarked) and not is_of(one, BookmarkRemoved)


def test_entries_follow_one_another_and_are_named_by_their_places() -> None:
    entries = entries_after("s", EMPTY, [MARKED] * 3)
    assert [(one.version, one.command) for one in entries] == [(1, "!s/1"), (2, "!s/2"), (3, "!s/3")]
    assert [one.command for one in entries_after("s", entries[-1].head, [MARKED])] == ["!s/4"]


@pytest.mark.parametrize("schema", [1, 2, 3])
def test_every_schema_up_to_this_one_is_read(schema: int) -> None:
    assert read_body(entry(written(schema=schema))) == MARKED


@pytest.mark.parametrize("schema", [-1, 0, 4, 5, True, 1.0, "3", None])
def test_another_schema_is_refused(schema: object) -> None:
    with pytest.raises(DataError, match="an entry of schema 1 to 3 is read here"):
        read_body(entry(written(schema=schema)))


@pytest.mark.parametrize("kind", ["", "bookmark", 1, None])
def test_another_kind_is_refused(kind: object) -> None:
    with pytest.raises(DataError):
        read_body(entry(written(kind=kind)))


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[]", b"1", b"null", b"[" * 100_000])
def test_what_is_no_document_is_refused_with_its_place(body: bytes) -> None:
    with pytest.raises(DataError, match="bookmarks/Max version 1"):
        read_body(entry(body))


def test_what_is_not_json_has_no_build_and_no_kind() -> None:
    for ask in (build_of, lambda one: is_of(one, Bookmarked)):
        with pytest.raises(DataError, match="not JSON"):
            ask(entry(b"{"))
    assert build_of(entry(b"{}")) == "" and not is_of(entry(b"{}"), Bookmarked)


def test_every_kind_has_one_name() -> None:
    assert len(set(KINDS.values())) == len(KINDS)


# --- what older versions wrote ------------------------------------------------------------------------


def meter_move(before: dict[str, int] | None, after: dict[str, int], **around: object) -> bytes:
    value = {"at": NOON, "meter": "link", "before": before, "after": after, "table": "t1", "seq": 1}
    return msgspec.json.encode({"kind": "meter_turn", "schema": 1, "value": value, **around})


METER, RESERVE = Account(AccountKind.METER, "link"), Account(AccountKind.RESERVE, "link")


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        ({"value": 10}, {"value": 10}, []),
        ({"value": 10}, {"value": 11}, [(1, INVENTORY, METER)]),
        ({"value": 10}, {"value": 9}, [(1, METER, INVENTORY)]),
        ({"value": 1, "reserve": 5}, {"value": 1, "reserve": 6}, [(1, INVENTORY, RESERVE)]),
        ({"value": 1, "reserve": 5}, {"value": 1}, [(5, RESERVE, INVENTORY)]),
        (
            {"value": 3, "reserve": 5},
            {"value": 4, "reserve": 3},
            [(1, INVENTORY, METER), (2, RESERVE, INVENTORY)],
        ),
        (None, {"value": 7}, [(7, INVENTORY, METER)]),
    ],
)
def test_a_move_of_the_first_schema_is_what_the_meter_gained_or_lost(
    before: dict[str, int] | None, after: dict[str, int], moved: list[tuple[int, Account, Account]]
) -> None:
    turn = read_body(entry(meter_move(before, after), "meter/link"))
    assert isinstance(turn, MeterTurn) and turn.by.id == ""
    assert [(one.units, one.source, one.to) for one in turn.moved] == moved


@pytest.mark.parametrize(
    ("stream", "value", "kind"),
    [
        ("floor", {"event": {"type": "proposal_closed", "proposal": "x", "done": True}}, "proposal_closed"),
        (
            "meter/link",
            {"meter": "link", "before": {"value": 1}, "after": {"value": 1}, "table": "t1", "seq": 1},
            "meter_turn",
        ),
    ],
)
def test_the_first_schema_names_its_kind_by_its_stream(
    stream: str, value: dict[str, dict[str, object]], kind: str
) -> None:
    by = {"at": NOON, "by": {"id": "Max", "role": "manager"}}
    if "event" in value:
        value["event"] |= by
    else:
        value["at"] = NOON  # type: ignore[assignment]
    body = msgspec.json.encode({"schema_version": 1, "value": value})
    assert isinstance(read_body(entry(body, stream)), KINDS[kind])


@pytest.mark.parametrize("stream", ["floor", "table/t1", "people", "other"])
@pytest.mark.parametrize("value", [None, 1, {}, {"event": 1}, {"event": {}}, {"event": {"type": "x"}}])
def test_a_first_schema_that_names_nothing_is_refused(stream: str, value: object) -> None:
    body = msgspec.json.encode({"schema_version": 1, "value": value})
    with pytest.raises(DataError):
        read_body(entry(body, stream))
