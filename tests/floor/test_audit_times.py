"""What an audit compares by time and number: how the floor was, what meters held, what came how often."""

from __future__ import annotations

from dataclasses import replace as with_changed
from datetime import timedelta

import pytest
from msgspec.structs import replace

from houseway.errors import HousewayError, IllegalError
from houseway.floor.access_events import AccessCounted, Accessed, AccessKind, AddressCounts
from houseway.floor.audit.bookmarks_and_access import Marks, check_access
from houseway.floor.audit.entry_judge import EntryJudge, LieError
from houseway.floor.audit.meter_times import SLACK, MeterTimes
from houseway.floor.audit.persons import ANYBODY, Anybody
from houseway.floor.audit.proposals import Proposals
from houseway.floor.audit.recent_contexts import TOGETHER, RecentContexts
from houseway.floor.bodies import entries_after
from houseway.floor.bookmarks import Bookmark
from houseway.floor.house import House
from houseway.floor.meter_events import MeterAdjusted, SlipVoided
from houseway.floor.people_events import (
    Bookmarked,
    BookmarkRemoved,
    PasswordSet,
    PeopleEvent,
    RolesChanged,
    UserAdded,
    UserEnabled,
)
from houseway.floor.running_table import RunningTable
from houseway.floor.setup_events import ProposalClosed, Proposed
from houseway.floor.tasks import (
    AddUser,
    ChangeRoles,
    EnableUser,
    MeterAdjustment,
    ResetSecret,
    Task,
    WinSlipVoid,
)
from houseway.games import example_submission
from houseway.meters import MeterState
from houseway.rounds.codec import plain
from houseway.rounds.roles import Role
from houseway.rounds.state import changed
from houseway.store.entries import EMPTY, Entry
from houseway.store.memory import MemoryStore
from tests.floor.support import EVA, FLO, MAX, NOON, make_table, new_floor

SECOND, TICK = timedelta(seconds=1), timedelta(microseconds=1)
(ENTRY,) = entries_after("floor", EMPTY, [ProposalClosed(proposal="x", done=False, by=MAX, at=NOON)])


# --- how the floor was lately -------------------------------------------------------------------------


def test_what_servers_decide_within_half_a_minute_they_may_not_have_known_of_each_other() -> None:
    assert TOGETHER == SLACK == timedelta(seconds=30)


def houses(lately: RecentContexts, seconds: float) -> list[int]:
    """Return how the floor was around a moment: each way by how many submissions had ended."""
    return [len(context.house.ended) for context in lately.at(NOON + timedelta(seconds=seconds))]


@pytest.mark.parametrize(
    ("seconds", "ways"),
    [
        (-30.000001, [0]),
        (-30, [1, 0]),
        (-5.000001, [1, 0]),
        (-5, [2, 1, 0]),
        (30, [2, 1, 0]),
        (30.000001, [2, 1]),
        (55, [2, 1]),
        (55.000001, [2]),
        (1000, [2]),
    ],
)
def test_the_floor_is_as_it_was_within_half_a_minute_of_a_moment(seconds: float, ways: list[int]) -> None:
    lately = RecentContexts(ANYBODY)
    lately.change(NOON, house=House(ended=frozenset("a")))
    lately.change(NOON + 25 * SECOND, house=House(ended=frozenset("ab")))
    assert houses(lately, seconds) == ways


@pytest.mark.parametrize(("apart", "kept"), [(29, True), (30, True), (31, False)])
def test_how_the_floor_was_longer_ago_is_forgotten(apart: int, kept: bool) -> None:
    lately = RecentContexts(ANYBODY)
    lately.change(NOON, house=House(ended=frozenset("a")))
    lately.change(NOON + apart * SECOND, house=House(ended=frozenset("ab")))
    assert (0 in houses(lately, 0)) is kept
    assert houses(lately, apart)[0] == 2 and 1 in houses(lately, apart)


def test_a_floor_that_never_changed_is_as_it_is() -> None:
    lately = RecentContexts(ANYBODY)
    assert houses(lately, 0) == [0] and lately.at(NOON)[0].persons is ANYBODY


# --- what meters held ---------------------------------------------------------------------------------

FIRST, NEXT, LAST = MeterState(1), MeterState(2), MeterState(3)


def times(told: float, state: MeterState, mode: str) -> None:
    """Tell what a meter held at a moment, where it held one state for 100 seconds and then another."""
    meters, at = MeterTimes(), NOON + timedelta(seconds=told)
    if mode == "before":
        meters.take_claim("link", at, state, ENTRY)
    meters.take_state("link", NOON, FIRST)
    meters.take_state("link", NOON + 100 * SECOND, NEXT)
    if mode != "before":
        meters.take_claim("link", at, state, ENTRY)
    if mode == "long ago":
        meters.take_state("link", NOON + 1000 * SECOND, LAST)
    meters.finish(EntryJudge())


@pytest.mark.parametrize("mode", ["before", "after", "long ago"])
@pytest.mark.parametrize(
    ("told", "state", "held"),
    [
        (-30.000001, FIRST, False),
        (-30, FIRST, True),
        (0, FIRST, True),
        (100, FIRST, True),
        (129.999999, FIRST, True),
        (130, FIRST, False),
        (69.999999, NEXT, False),
        (70, NEXT, True),
        (100, NEXT, True),
        (300, NEXT, True),
        (100, LAST, False),
        (960, LAST, False),
    ],
)
def test_a_meter_is_told_to_hold_what_it_held_within_half_a_minute(
    told: float, state: MeterState, held: bool, mode: str
) -> None:
    if held:
        times(told, state, mode)
    else:
        with pytest.raises(LieError, match="which it did not then"):
            times(told, state, mode)


def test_a_meter_that_nothing_tells_of_is_told_wrongly() -> None:
    meters = MeterTimes()
    meters.take_claim("link", NOON, FIRST, ENTRY)
    with pytest.raises(LieError):
        meters.finish(EntryJudge())


# --- what was noted at the door -----------------------------------------------------------------------


@pytest.mark.parametrize(("count", "allowed"), [(-1, False), (0, False), (1, True), (2, True)])
def test_what_is_noted_at_the_door_came_once_at_least(count: int, allowed: bool) -> None:
    noted = Accessed(kind=AccessKind.REFUSED, address="a", count=count, by=MAX, at=NOON)
    rows = AccessCounted(at=NOON, addresses=(AddressCounts(address="a", users={"Max": count}),))
    for event in (noted, rows):
        if allowed:
            check_access(event, ANYBODY)
        else:
            with pytest.raises(IllegalError, match="at least 1"):
                check_access(event, ANYBODY)


@pytest.mark.parametrize("name", ["guests", "failed", "unknown", "paused", "refused"])
@pytest.mark.parametrize("others", [False, True])
def test_nothing_is_counted_less_than_never(name: str, others: bool) -> None:
    for count in (-1, 0, 1):
        row = replace(AddressCounts(address="a"), **{name: count})
        event = AccessCounted(at=NOON, others=row) if others else AccessCounted(at=NOON, addresses=(row,))
        if count >= 0:
            check_access(event, ANYBODY)
        else:
            with pytest.raises(IllegalError, match="never negative"):
                check_access(event, ANYBODY)


@pytest.mark.parametrize(
    ("after", "unwritten", "allowed"),
    [
        (timedelta(0), 0, True),
        (timedelta(minutes=1), 1, True),
        (timedelta(0), -1, False),
        (SECOND, 0, False),
        (TICK, 0, False),
    ],
)
def test_what_came_is_counted_by_whole_minutes(after: timedelta, unwritten: int, allowed: bool) -> None:
    event = AccessCounted(at=NOON + after, unwritten=unwritten)
    if allowed:
        check_access(event, ANYBODY)
    else:
        with pytest.raises(IllegalError, match="by whole minutes"):
            check_access(event, ANYBODY)


def test_a_floor_writes_nothing_of_addresses_that_did_nothing() -> None:
    row = AddressCounts(address="a")
    assert (row.guests, row.failed, row.unknown, row.paused, row.refused, row.users) == (0, 0, 0, 0, 0, {})
    assert Accessed(kind=AccessKind.REFUSED, address="a", by=MAX, at=NOON).count == 1
    assert AccessCounted(at=NOON).unwritten == 0


class OnlyMax(Anybody):
    """People of whom only Max signs in."""

    known = True

    def is_user(self, person: str) -> bool:
        return person == "Max"


@pytest.mark.parametrize(("person", "allowed"), [("Max", True), ("Eva", False)])
def test_only_users_are_counted_by_name(person: str, allowed: bool) -> None:
    event = AccessCounted(at=NOON, addresses=(AddressCounts(address="a", users={person: 1}),))
    check_access(event, ANYBODY)
    if allowed:
        check_access(event, OnlyMax())
    else:
        with pytest.raises(IllegalError, match="only names of users"):
            check_access(event, OnlyMax())


# --- marks --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table() -> RunningTable:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission("pa-575"))
    return floor.table("t1")


@pytest.mark.parametrize(("number", "allowed"), [(-1, False), (0, False), (1, True), (2, True), (3, False)])
def test_a_round_that_is_over_is_marked(table: RunningTable, number: int, allowed: bool) -> None:
    tables = {"table/t1": with_changed(table, table=changed(table.table, rounds=2))}
    event = Bookmarked(table="t1", round=number, by=MAX, at=NOON)
    if allowed:
        assert Marks().decide("bookmarks/Max", event, tables) == event
    else:
        with pytest.raises(IllegalError, match="a round that is over is marked"):
            Marks().decide("bookmarks/Max", event, tables)
    with pytest.raises(IllegalError, match="for themselves"):
        Marks().decide("bookmarks/Eva", event, tables)


def test_marks_of_tables_that_there_are_not_and_of_practice_tables() -> None:
    with pytest.raises(IllegalError, match="a round that is over is marked"):
        Marks().decide("bookmarks/Max", Bookmarked(table="t1", round=1, by=MAX, at=NOON), {})
    practised = Bookmarked(table="practice-1", round=9, by=MAX, at=NOON)
    marks = Marks()
    assert marks.decide("bookmarks/Max", practised, {}) == practised
    marks.take(practised)
    gone = BookmarkRemoved(table="practice-1", round=9, by=MAX, at=NOON)
    assert marks.decide("bookmarks/Max", gone, {}) == gone
    marks.take(gone)
    with pytest.raises(HousewayError, match="not marked"):
        marks.decide("bookmarks/Max", gone, {})
    assert Bookmark("t1", 1, "", NOON).round == 1


# --- what two people did ------------------------------------------------------------------------------


def entry(number: int) -> Entry:
    """Return an entry that this program made."""
    closed = ProposalClosed(proposal=str(number), done=True, by=EVA, at=NOON)
    return entries_after("floor", EMPTY, [closed] * (number + 1))[number]


ADJUSTED = MeterAdjusted(
    meter="link",
    before=MeterState(10),
    after=MeterState(15),
    second=EVA,
    reason="audit",
    moved=(),
    by=MAX,
    at=NOON,
)
VOIDED = SlipVoided(meter="link", serial="s", second=EVA, reason="wrong", by=MAX, at=NOON)
CONFIRMED: dict[str, tuple[Task, MeterAdjusted | SlipVoided | PeopleEvent]] = {
    "adjusted": (MeterAdjustment("link", 5, "audit"), ADJUSTED),
    "voided": (WinSlipVoid("link", "s", "wrong"), VOIDED),
    "added": (
        AddUser("x", "X", (Role.DEALER, Role.ACCOUNTING), "hash"),
        UserAdded(
            user="x", name="X", roles=frozenset({Role.ACCOUNTING, Role.DEALER}), second=EVA, by=MAX, at=NOON
        ),
    ),
    "roles": (
        ChangeRoles("x", (Role.DEALER,)),
        RolesChanged(user="x", roles=frozenset({Role.DEALER}), second=EVA, by=MAX, at=NOON),
    ),
    "enabled": (EnableUser("x", "back"), UserEnabled(user="x", reason="back", second=EVA, by=MAX, at=NOON)),
    "secret": (ResetSecret("x", "hash"), PasswordSet(user="x", hash="h", second=EVA, by=MAX, at=NOON)),
}


def judged(name: str, done: int, closed: int, *, known: bool = True) -> str:
    """Do something so often, close so many proposals of it; return what lie is named."""
    task, act = CONFIRMED[name]
    proposals, persons = Proposals(), OnlyMax() if known else ANYBODY
    for number in range(closed):
        waiting = Proposed(proposal=str(number), task=plain(task), by=MAX, at=NOON)
        house = House(proposals={str(number): waiting})
        body = ProposalClosed(proposal=str(number), done=True, by=EVA, at=NOON)
        proposals.set_up(house, entry(number), body)
        turned_down = ProposalClosed(proposal=str(number), done=False, by=EVA, at=NOON)
        proposals.set_up(house, entry(number), turned_down)
    for number in range(done):
        if isinstance(act, MeterAdjusted | SlipVoided):
            proposals.meter(persons, entry(number), act)
        else:
            proposals.people(persons, entry(number), act)
    try:
        proposals.finish(EntryJudge())
    except LieError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", CONFIRMED)
def test_what_two_people_do_is_done_as_often_as_it_was_confirmed(name: str) -> None:
    assert judged(name, 0, 0) == judged(name, 1, 1) == judged(name, 2, 2) == ""
    for done, closed in ((0, 1), (1, 2)):
        assert "confirmed and never done" in judged(name, done, closed)
    for done, closed in ((1, 0), (2, 1)):
        assert "done by two people and never proposed" in judged(name, done, closed)
        assert judged(name, done, closed, known=False) == ""  # there is nobody yet who could confirm


def test_the_secret_of_somebody_new_comes_with_them_and_no_other_does() -> None:
    for user, lie in (("x", False), ("y", True)):
        proposals = Proposals()
        task, added = CONFIRMED["added"]
        waiting = Proposed(proposal="0", task=plain(task), by=MAX, at=NOON)
        proposals.set_up(
            House(proposals={"0": waiting}),
            entry(0),
            ProposalClosed(proposal="0", done=True, by=EVA, at=NOON),
        )
        assert isinstance(added, UserAdded)
        proposals.people(OnlyMax(), entry(0), added)
        proposals.people(OnlyMax(), entry(1), PasswordSet(user=user, hash="h", second=EVA, by=MAX, at=NOON))
        if lie:
            with pytest.raises(LieError, match="never proposed: secret y"):
                proposals.finish(EntryJudge())
        else:
            proposals.finish(EntryJudge())


def test_what_one_person_does_needs_no_proposal() -> None:
    proposals = Proposals()
    alone = PasswordSet(user="x", hash="h", by=FLO, at=NOON)
    proposals.people(OnlyMax(), entry(0), alone)
    proposals.finish(EntryJudge())
