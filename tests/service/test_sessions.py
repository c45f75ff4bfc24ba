"""Sessions that all servers share: fresh tokens, their ends, and nothing secret kept or shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta, timezone

import pytest
from sqlalchemy import select

from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.service.sessions import NewSession, Session, Sessions
from houseway.store.protocol import Store
from houseway.store.schema import SESSIONS
from houseway.store.sql import SqlStore
from tests.service.crowd import HERE, NOON, SECOND
from tests.store.support import KINDS, Writer, new_store

IDLE, LONGEST, TOUCH_EVERY = timedelta(minutes=30), timedelta(hours=12), timedelta(minutes=1)


@pytest.fixture(params=KINDS, scope="module")
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with new_store(request.param) as found:
        yield found


@pytest.fixture
def sessions(store: Store, request: pytest.FixtureRequest) -> Sessions:
    return Sessions(store, SeededEntropy(request.node.name))


def begin(sessions: Sessions, person: str = "ann") -> NewSession:
    return sessions.begin(person, Role.PLAYER, HERE, NOON)


def test_a_session_is_found_by_its_token_as_it_was_begun(sessions: Sessions) -> None:
    begun = begin(sessions)
    found = sessions.find(begun.token, NOON)
    assert found == begun.session
    assert (found.person, found.user, found.role, found.address) == ("ann", "ann", Role.PLAYER, HERE)
    assert (found.begun, found.seen, found.ends) == (NOON, NOON, NOON + IDLE)


@pytest.mark.parametrize("token", ["", "x", "\ud800", "A" * 43, "x" * 100_000])
def test_no_session_is_found_by_what_is_no_token(sessions: Sessions, token: str) -> None:
    begin(sessions)
    assert sessions.find(token, NOON) is None
    sessions.end(token)


def test_every_session_has_a_fresh_token_of_256_bits(sessions: Sessions) -> None:
    begun = [begin(sessions) for _ in range(5)]
    assert len({one.token for one in begun} | {one.session.csrf for one in begun}) == 10
    assert {len(one.token) for one in begun} == {43}


def test_only_the_hash_of_a_token_is_kept(store: Store, sessions: Sessions) -> None:
    begun = begin(sessions)
    with sessions._engine.connect() as connection:
        rows = connection.execute(select(SESSIONS)).all()
    assert rows and begun.token not in repr(rows) and begun.token.encode() not in rows[0]


@pytest.mark.parametrize(("late", "there"), [(-SECOND, True), (timedelta(0), False), (SECOND, False)])
def test_a_session_ends_after_half_an_hour_without_a_word(
    sessions: Sessions, late: timedelta, there: bool
) -> None:
    begun = begin(sessions)
    assert (sessions.find(begun.token, NOON + IDLE + late) is not None) is there


@pytest.mark.parametrize(("late", "there"), [(-SECOND, True), (timedelta(0), False), (SECOND, False)])
def test_whoever_is_heard_stays_for_another_half_hour(
    sessions: Sessions, late: timedelta, there: bool
) -> None:
    begun = begin(sessions)
    heard = NOON + IDLE - SECOND
    sessions.touch([begun.session], heard)
    assert (sessions.find(begun.token, heard + IDLE + late) is not None) is there


@pytest.mark.parametrize(("late", "there"), [(-SECOND, True), (timedelta(0), False), (SECOND, False)])
def test_a_session_ends_after_twelve_hours_however_busy(
    sessions: Sessions, late: timedelta, there: bool
) -> None:
    begun, now = begin(sessions), NOON
    while now < NOON + LONGEST - IDLE:
        now += IDLE - SECOND
        found = sessions.find(begun.token, now)
        assert found is not None
        sessions.touch([found], now)
    assert (sessions.find(begun.token, NOON + LONGEST + late) is not None) is there


@pytest.mark.parametrize(("late", "written"), [(-SECOND, False), (timedelta(0), True), (SECOND, True)])
def test_that_somebody_was_heard_is_written_once_a_minute(
    sessions: Sessions, late: timedelta, written: bool
) -> None:
    begun = begin(sessions)
    sessions.touch([begun.session], NOON + TOUCH_EVERY + late)
    found = sessions.find(begun.token, NOON + TOUCH_EVERY + late)
    assert found is not None and (found.seen != NOON) is written


def test_what_has_ended_does_not_begin_again(sessions: Sessions) -> None:
    idle, out = begin(sessions), begin(sessions)
    sessions.end(out.token)
    sessions.touch([idle.session], NOON + IDLE)
    sessions.touch([out.session], NOON + TOUCH_EVERY)
    assert sessions.find(idle.token, NOON + IDLE) is None is sessions.find(out.token, NOON)


def test_signing_out_ends_one_session_and_ending_all_ends_every_one_of_a_person(sessions: Sessions) -> None:
    one, two, three = (begin(sessions) for _ in range(3))
    other = begin(sessions, "max")
    sessions.end(one.token)
    assert sessions.find(one.token, NOON) is None and sessions.find(two.token, NOON) == two.session
    sessions.end_all("ann")
    assert sessions.find(two.token, NOON) is None is sessions.find(three.token, NOON)
    assert sessions.find(other.token, NOON) == other.session


def test_what_has_ended_by_itself_is_forgotten(sessions: Sessions) -> None:
    begun = begin(sessions)
    sessions.forget_ended(NOON + IDLE - SECOND)
    assert sessions.find(begun.token, NOON) is not None
    sessions.forget_ended(NOON + IDLE)
    assert sessions.find(begun.token, NOON) is None


def test_a_guest_has_a_session_of_nobody_and_a_fresh_id(sessions: Sessions) -> None:
    guests = [sessions.begin_guest(HERE, NOON).session for _ in range(3)]
    assert len({one.person for one in guests}) == 3
    assert {(one.user, one.role) for one in guests} == {(None, Role.GUEST)}
    assert all(re.fullmatch("guest-[0-9a-f]{16}", one.person) for one in guests)


def test_a_page_sends_the_token_of_its_own_session(sessions: Sessions) -> None:
    one, other = begin(sessions).session, begin(sessions).session
    assert one.allows(one.csrf)
    for wrong in (other.csrf, "", one.csrf[:-1], one.csrf + "x", "\ud800é"):
        assert not one.allows(wrong)


def test_moments_are_the_same_in_every_zone(sessions: Sessions) -> None:
    east = NOON.astimezone(timezone(timedelta(hours=9)))
    begun = sessions.begin("ann", Role.PLAYER, HERE, east)
    found = sessions.find(begun.token, east + IDLE - SECOND)
    assert found is not None and found.begun == NOON and found.begun.utcoffset() == timedelta(0)
    assert sessions.find(begun.token, NOON + IDLE) is None


def test_servers_share_sessions(store: Store) -> None:
    if not isinstance(store, SqlStore):
        pytest.skip("a store in memory is one process's own")
    one, other = Sessions(store, SeededEntropy("one")), Sessions(store, SeededEntropy("other"))
    begun = begin(one)
    assert other.find(begun.token, NOON) == begun.session
    other.end_all("ann")
    assert one.find(begun.token, NOON) is None


def test_sessions_leave_the_log_alone(store: Store, sessions: Sessions) -> None:
    writer = Writer(store)
    before = writer.add("s1")
    begun = begin(sessions)
    after = writer.add("s1")
    assert sessions.find(begun.token, NOON) == begun.session
    assert [entry.version for entry in store.tails({"s1": 0})][-2:] == [before[0].version, after[0].version]


def test_nothing_secret_is_shown(sessions: Sessions) -> None:
    begun = begin(sessions)
    session: Session = begun.session
    for shown in (repr(begun), str(begun), repr(session), repr(begun.__rich_repr__()), f"{session}"):
        assert "'ann'" in shown
        for secret in (begun.token, session.csrf, repr(session.id), session.id.hex()):
            assert secret not in shown
