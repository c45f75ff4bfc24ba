"""Rounds that somebody marks for themselves: so many, each with a note of so many characters."""

from __future__ import annotations

from datetime import timedelta

import pytest

from houseway.errors import IllegalError, InvalidInputError, UnknownNameError
from houseway.floor.bookmarks import (
    LONGEST_NOTE,
    MOST,
    Bookmark,
    Bookmarks,
    bookmark,
    bookmarks_of,
    record_bookmark,
    remove_bookmark,
)
from houseway.store.memory import MemoryStore
from tests.floor.support import MAX, NOON


def marks(count: int) -> Bookmarks:
    return {("t1", number): Bookmark("t1", number, "", NOON) for number in range(count)}


def test_the_limits_are_those_written_out_here() -> None:
    assert (LONGEST_NOTE, MOST) == (500, 1_000)


@pytest.mark.parametrize(("length", "allowed"), [(0, True), (499, True), (500, True), (501, False)])
def test_a_note_has_at_most_five_hundred_characters(length: int, allowed: bool) -> None:
    if allowed:
        assert len(bookmark({}, "t1", 1, "x" * length, MAX, NOON).note) == length
    else:
        with pytest.raises(InvalidInputError, match="at most 500 plain characters"):
            bookmark({}, "t1", 1, "x" * length, MAX, NOON)


@pytest.mark.parametrize(("note", "allowed"), [("a\nb", True), ("a\tb", True), ("a\x00b", False)])
def test_a_note_has_lines_and_no_control_characters(note: str, allowed: bool) -> None:
    if allowed:
        assert bookmark({}, "t1", 1, note, MAX, NOON).note == note
    else:
        with pytest.raises(InvalidInputError):
            bookmark({}, "t1", 1, note, MAX, NOON)


@pytest.mark.parametrize(("count", "allowed"), [(999, True), (1_000, False), (1_001, False)])
def test_somebody_marks_at_most_a_thousand_rounds(count: int, allowed: bool) -> None:
    if allowed:
        assert bookmark(marks(count), "t2", 1, "", MAX, NOON).table == "t2"
    else:
        with pytest.raises(IllegalError, match="1,000 rounds are marked already"):
            bookmark(marks(count), "t2", 1, "", MAX, NOON)
    assert bookmark(marks(count), "t1", 1, "another note", MAX, NOON).note == "another note"


def test_marks_are_kept_in_their_order_changed_and_taken_away() -> None:
    store, later = MemoryStore(), NOON + timedelta(hours=1)
    for table, number in (("t1", 1), ("t1", 2), ("t2", 1)):
        record_bookmark(store, "Max", lambda now, t=table, n=number: bookmark(now, t, n, "first", MAX, NOON))  # type: ignore[misc]
    after = record_bookmark(store, "Max", lambda now: bookmark(now, "t1", 1, "again", MAX, later))
    assert bookmarks_of(store, "Max") == after
    assert [(one.table, one.round, one.note, one.at) for one in after.values()] == [
        ("t1", 2, "first", NOON),
        ("t2", 1, "first", NOON),
        ("t1", 1, "again", later),
    ]
    left = record_bookmark(store, "Max", lambda now: remove_bookmark(now, "t1", 2, MAX, later))
    assert list(left) == list(bookmarks_of(store, "Max")) == [("t2", 1), ("t1", 1)]
    assert bookmarks_of(store, "Eva") == {}
    for table, number in (("t1", 2), ("t3", 1)):
        with pytest.raises(UnknownNameError, match="not marked"):
            remove_bookmark(left, table, number, MAX, later)
