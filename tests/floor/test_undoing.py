"""Undoing at a practice table: so far back and no further, and never at a licensed one."""

from __future__ import annotations

from dataclasses import replace as with_changed

import pytest

from houseway.errors import IllegalError
from houseway.floor import exclusion_rule, house
from houseway.floor.batches import SNAPSHOT_EVERY
from houseway.floor.bodies import entries_after, read_body
from houseway.floor.exclusion_rule import person_leaving, seats_to_leave
from houseway.floor.people_events import BookmarkRemoved
from houseway.floor.running_table import RunningTable, open_commitments
from houseway.floor.table_events import Undone
from houseway.floor.undo import UNDO_WITHIN, standing_entries, undo_batch
from houseway.games import example_submission
from houseway.rounds.roles import Role
from houseway.rounds.state import changed
from houseway.rounds.step import Actor, Command
from houseway.rounds.steps.players import Leave
from houseway.store.entries import EMPTY, Entry, Head
from houseway.store.memory import MemoryStore
from tests.floor.support import FLO, MAX, NOON, in_effect, make_table, new_floor, play, seat_two

RULES = example_submission("pa-575")


@pytest.fixture(scope="module")
def practised() -> RunningTable:
    floor = new_floor(MemoryStore())
    rules = in_effect(floor, RULES)
    floor.set_up(
        lambda now, at: house.make_table(now, "practice-1", rules, FLO, at, chips=True, practice=True)
    )
    return floor.table("practice-1")


def at(running: RunningTable, version: int) -> RunningTable:
    return with_changed(running, head=Head(version, bytes([version % 256]) * 32))


def test_the_limits_are_those_written_out_here() -> None:
    assert (UNDO_WITHIN, SNAPSHOT_EVERY) == (400, 200)


@pytest.mark.parametrize(("back", "allowed"), [(0, True), (399, True), (400, True), (401, False)])
def test_a_table_goes_back_four_hundred_entries_and_no_further(
    practised: RunningTable, back: int, allowed: bool
) -> None:
    now, past = at(practised, 1000), at(practised, 1000 - back)
    if not allowed:
        with pytest.raises(IllegalError, match="that is too far back to undo"):
            undo_batch(now, past, {}, MAX, NOON)
        return
    (entry,) = undo_batch(now, past, {}, MAX, NOON).entries
    body = read_body(entry)
    assert isinstance(body, Undone)
    assert (body.version, body.hash, body.state) == (past.head.version, past.head.hash.hex(), past.state())
    assert entry.version == 1001


@pytest.mark.parametrize(("version", "written"), [(198, 0), (199, 1), (200, 0), (399, 1)])
def test_an_undoing_is_written_down_whole_where_any_entry_is(
    practised: RunningTable, version: int, written: int
) -> None:
    batch = undo_batch(at(practised, version), at(practised, version - 1), {}, MAX, NOON)
    assert [snapshot.version for snapshot in batch.snapshots] == [version + 1] * written


def test_what_was_done_at_a_licensed_table_stays_done(practised: RunningTable) -> None:
    licensed = with_changed(practised, table=changed(practised.table, id="t1"))
    with pytest.raises(IllegalError, match="nothing is undone at a licensed table"):
        undo_batch(at(licensed, 2), at(licensed, 1), {}, MAX, NOON)
    (entry,) = undo_batch(at(practised, 2), at(practised, 1), {}, MAX, NOON).entries
    body = read_body(entry)
    assert isinstance(body, Undone)
    with pytest.raises(IllegalError, match="nothing is undone at a licensed table"):
        licensed.after(body, entry.head)


def test_no_table_goes_back_to_where_it_had_a_deck_that_is_open() -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", RULES)
    seat_two(floor, "t1")
    play(floor, "t1", 1)
    running = floor.table("t1")
    table = changed(running.table, id="practice-1", round=changed(running.table.round, commitment="c"))
    past = with_changed(running, table=table)
    assert "c" in open_commitments(past.table)
    with pytest.raises(IllegalError, match="no longer kept"):
        undo_batch(at(past, 9), at(past, 8), {}, MAX, NOON)


def entries_of(story: list[int | None]) -> list[Entry]:
    """Return a stream in which each number undoes to that version, and nothing is some other entry."""
    entries: list[Entry] = []
    running = new_floor(MemoryStore())
    make_table(running, "t1", RULES)
    state = running.table("t1").state()
    for version in story:
        body = (
            BookmarkRemoved(table="t", round=1, by=MAX, at=NOON)
            if version is None
            else Undone(version=version, hash="", state=state, by=MAX, at=NOON)
        )
        entries += entries_after("s", entries[-1].head if entries else EMPTY, [body])
    return entries


@pytest.mark.parametrize(
    ("story", "stands"),
    [
        ([], []),
        ([None, None], [2, 1]),
        ([None, None, 1], [1]),
        ([None, None, 2], [2, 1]),
        ([None, None, 0], []),
        ([None, None, None, 1, None], [5, 1]),
        ([None, None, 1, None, 2], [2, 1]),  # undone again to what an undoing had taken away
        ([None, None, None, 2, None, 1], [1]),
    ],
)
def test_what_was_undone_does_not_stand(story: list[int | None], stands: list[int]) -> None:
    assert [entry.version for entry in standing_entries(entries_of(story))] == stands


# --- who is to get up ---------------------------------------------------------------------------------


def test_who_is_barred_is_to_get_up_from_every_seat_of_their_own() -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", RULES)
    seat_two(floor, "t1")
    table = floor.table("t1").table
    assert seats_to_leave(table, exclusion_rule.bar_no_one, NOON) == ()
    for name in ("Ann", "Dan"):
        (one,) = seats_to_leave(table, lambda who, _, name=name: "is out" if who == name else None, NOON)  # type: ignore[misc]
        assert (one.person, one.reason) == (name, f"{exclusion_rule.HOUSE_RULE}: is out")
        assert table.seats[one.position].person == name and one.name == (
            table.seats[one.position].name or name
        )
    assert [one.position for one in seats_to_leave(table, lambda *_: "is out", NOON)] == [2, 5]


@pytest.mark.parametrize("role", Role)
def test_that_somebody_got_up_is_recorded_by_others_than_players(role: Role) -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", RULES)
    seat_two(floor, "t1")
    table = floor.table("t1").table
    leaving = Command(Actor("Somebody", role), Leave(2), id="x")
    assert person_leaving(table, leaving) == (None if role is Role.PLAYER else "Ann")
    assert person_leaving(table, Command(Actor("Somebody", role), Leave(3), id="x")) is None
