"""Failed tries counted by name and address, and by address: what is free, and how pauses grow and end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select

from houseway.service import sign_in_limits
from houseway.service.sign_in_limits import (
    GUESTS,
    NO_WAIT,
    PAIR,
    FailureCount,
    Tries,
    failures_left,
    network_of,
    pause_after,
    wait_for,
)
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Store
from houseway.store.schema import TRIES
from houseway.store.sql import SqlStore
from tests.service.crowd import HERE, NOON, SECOND
from tests.store.support import KINDS, new_store

KEY = bytes(32)
FREE_FAILURES, FREE_FAILURES_OF_ADDRESS = 5, 30
LONGEST_PAUSE, DAY = timedelta(minutes=15), timedelta(days=1)
ELSEWHERE = "203.0.113.9"
PAUSES = (12, 24, 48, 96, 192, 384, 768, 900, 900)


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with new_store(request.param) as opened:
        yield opened


@pytest.fixture
def tries() -> Tries:
    return Tries(MemoryStore(), KEY)


def rows(tries: Tries) -> int:
    with tries._engine.connect() as connection:
        return len(connection.execute(select(TRIES)).all())


def test_five_failures_of_a_pair_are_free_then_pauses_double_up_to_a_quarter_of_an_hour(store: Store) -> None:
    tries, now = Tries(store, KEY), NOON
    for _ in range(FREE_FAILURES):
        assert tries.wait("ann", HERE, now) == NO_WAIT
        tries.fail("ann", HERE, now)
    for seconds in PAUSES:
        pause = seconds * SECOND
        assert tries.wait("ann", HERE, now) == pause
        assert tries.wait("ann", HERE, now + pause - SECOND) == SECOND
        now += pause
        assert tries.wait("ann", HERE, now) == NO_WAIT
        tries.fail("ann", HERE, now)


def test_thirty_failures_of_an_address_are_free_whatever_the_names(tries: Tries) -> None:
    now = NOON
    for number in range(FREE_FAILURES_OF_ADDRESS):
        assert tries.wait(f"name {number}", HERE, now) == NO_WAIT
        tries.fail(f"name {number}", HERE, now)
    for number, seconds in enumerate(PAUSES):
        assert tries.wait(f"another {number}", HERE, now) == seconds * SECOND
        now += seconds * SECOND
        tries.fail(f"another {number}", HERE, now)
    assert tries.wait("ann", ELSEWHERE, now) == NO_WAIT


def test_failures_elsewhere_keep_nobody_waiting(tries: Tries) -> None:
    for number in range(100):
        tries.fail("ann", f"198.51.100.{number}", NOON)
    assert tries.wait("ann", HERE, NOON) == NO_WAIT


def test_whoever_has_signed_in_from_an_address_does_not_wait_for_what_others_fail_there(store: Store) -> None:
    tries = Tries(store, KEY)
    tries.succeed("ann", HERE, NOON)
    for number in range(2 * FREE_FAILURES_OF_ADDRESS):
        tries.fail(f"name {number}", HERE, NOON)
    assert tries.wait("bob", HERE, NOON) == LONGEST_PAUSE
    assert tries.wait("ann", HERE, NOON) == NO_WAIT
    for _ in range(FREE_FAILURES):
        tries.fail("ann", HERE, NOON)
    assert tries.wait("ann", HERE, NOON) == 12 * SECOND, "their own failures count all the same"


def test_a_right_password_clears_its_own_count_and_no_other(tries: Tries) -> None:
    for _ in range(FREE_FAILURES):
        tries.fail("ann", HERE, NOON)
        tries.fail("bob", HERE, NOON)
    tries.succeed("ann", HERE, NOON)
    assert tries.wait("ann", HERE, NOON) == NO_WAIT
    assert tries.wait("bob", HERE, NOON) == 12 * SECOND
    for number in range(FREE_FAILURES_OF_ADDRESS - 2 * FREE_FAILURES):
        tries.fail(f"name {number}", HERE, NOON)
    assert tries.wait("new", HERE, NOON) == 12 * SECOND, "the address keeps its failures"


def test_a_name_is_one_however_it_is_spelt_and_an_address_of_ipv6_its_network(tries: Tries) -> None:
    for number, name in enumerate(("Ann", "ANN", "ann ", " aNn", "\uff21nn")):
        tries.fail(name, f"2001:db8::{number}", NOON)
    assert tries.wait("ann", "2001:db8::99", NOON) == 12 * SECOND
    assert tries.wait("ann", "2001:db8:0:1::1", NOON) == NO_WAIT


@pytest.mark.parametrize("name", ["", "\ud800", "x" * 100_000, "a\nb"])
def test_whatever_is_typed_as_a_name_is_counted(tries: Tries, name: str) -> None:
    for _ in range(FREE_FAILURES):
        tries.fail(name, HERE, NOON)
    assert tries.wait(name, HERE, NOON) == 12 * SECOND


def test_names_are_kept_as_keyed_hashes(tries: Tries) -> None:
    tries.fail("my password by mistake", HERE, NOON)
    with tries._engine.connect() as connection:
        kept = connection.execute(select(TRIES)).all()
    assert len(kept) == 2 and all(len(bytes(row.key)) == 32 for row in kept)
    other = Tries(MemoryStore(), b"x" * 32)
    assert other.pair_key("ann", HERE) != tries.pair_key("ann", HERE)


def test_servers_count_together(store: Store) -> None:
    if not isinstance(store, SqlStore):
        pytest.skip("a store in memory is one process's own")
    one, other = Tries(store, KEY), Tries(store, KEY)
    for _ in range(FREE_FAILURES):
        one.fail("ann", HERE, NOON)
    assert other.wait("ann", HERE, NOON) == 12 * SECOND
    other.succeed("ann", HERE, NOON)
    assert one.wait("ann", HERE, NOON) == NO_WAIT


# --- a clock that jumps -------------------------------------------------------------------------------


def test_a_clock_that_jumps_back_neither_lengthens_a_pause_nor_forgets_it(store: Store) -> None:
    tries, earlier = Tries(store, KEY), NOON - timedelta(hours=1)
    for _ in range(FREE_FAILURES):
        tries.fail("ann", HERE, NOON)
    assert tries.wait("ann", HERE, earlier) == 12 * SECOND
    assert tries.wait("ann", HERE, earlier + 11 * SECOND) == SECOND
    assert tries.wait("ann", HERE, earlier + 12 * SECOND) == NO_WAIT


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-5_000, 2_000), max_size=40))
def test_nobody_waits_longer_than_the_pause_whatever_the_clock_does(steps: list[int]) -> None:
    tries, now = Tries(MemoryStore(), KEY), NOON
    for seconds in steps:
        now += seconds * SECOND
        wait = tries.wait("ann", HERE, now)
        assert wait <= LONGEST_PAUSE
        assert tries.wait("ann", HERE, now + wait) == NO_WAIT
        tries.fail("ann", HERE, now)


@pytest.mark.parametrize(("minutes", "still"), [(-60, 9), (14, 9), (15, 8), (29, 8), (30, 7), (600, 0)])
def test_one_failure_is_forgotten_in_a_quarter_of_an_hour(minutes: int, still: int) -> None:
    assert failures_left(PAIR, FailureCount(9, NOON), NOON + timedelta(minutes=minutes)) == still


def test_what_was_forgotten_counts_no_more(tries: Tries) -> None:
    for _ in range(FREE_FAILURES):
        tries.fail("ann", HERE, NOON)
    later = NOON + timedelta(minutes=45)
    for expected in (NO_WAIT, NO_WAIT, NO_WAIT, 12 * SECOND):
        assert tries.wait("ann", HERE, later) == expected
        tries.fail("ann", HERE, later)


# --- guests -------------------------------------------------------------------------------------------


def test_guests_are_counted_by_address_by_themselves(tries: Tries) -> None:
    assert [tries.take_guest(HERE, NOON) for _ in range(6)] == [NO_WAIT] * 5 + [12 * SECOND]
    assert tries.take_guest(ELSEWHERE, NOON) == NO_WAIT
    assert tries.wait("ann", HERE, NOON) == NO_WAIT
    later = [NOON + seconds * SECOND for seconds in (11, 12, 13, 24)]
    assert [tries.take_guest(HERE, now) for now in later] == [SECOND, NO_WAIT, 11 * SECOND, NO_WAIT]
    assert pause_after(GUESTS, 10**6) == 12 * SECOND


# --- what is remembered -------------------------------------------------------------------------------


def test_not_more_is_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    monkeypatch.setattr(sign_in_limits, "MOST_COUNTS", 10)
    tries = Tries(store, KEY)
    tries.succeed("ann", HERE, NOON)
    for number in range(20):
        tries.fail("bob", f"192.0.2.{number}", NOON + number * SECOND)
    tries.forget_old(NOON + 20 * SECOND)
    assert rows(tries) == 10
    for number in range(FREE_FAILURES_OF_ADDRESS):
        tries.fail(f"name {number}", HERE, NOON)
    assert tries.wait("ann", HERE, NOON) == NO_WAIT, "where somebody has signed in is forgotten last"


def test_what_changes_nothing_any_more_is_removed(tries: Tries) -> None:
    tries.fail("bob", ELSEWHERE, NOON)
    tries.succeed("ann", HERE, NOON)
    for late, left in ((DAY, 3), (DAY + SECOND, 1), (30 * DAY, 1), (30 * DAY + SECOND, 0)):
        tries.forget_old(NOON + late)
        assert rows(tries) == left, late


@pytest.mark.parametrize(("late", "written"), [(-SECOND, False), (0 * SECOND, True), (SECOND, True)])
def test_that_somebody_signs_in_again_is_written_down_once_a_day(
    tries: Tries, late: timedelta, written: bool
) -> None:
    tries.succeed("ann", HERE, NOON)
    tries.succeed("ann", HERE, NOON + DAY + late)
    tries.forget_old(NOON + 31 * DAY - SECOND)
    assert rows(tries) == written, "where somebody has signed in is remembered for thirty days"


@pytest.mark.parametrize(("length", "alike"), [(199, False), (200, True), (201, True)])
def test_of_a_name_and_of_an_address_so_much_is_looked_at(tries: Tries, length: int, alike: bool) -> None:
    name = "n" * length
    assert (tries.pair_key(name, HERE) == tries.pair_key(f"{name}x", HERE)) is alike
    assert (tries.pair_key("ann", name) == tries.pair_key("ann", f"{name}x")) is alike
    assert (network_of(name) == name) is (length <= 200)


def test_twenty_thousand_counts_are_remembered() -> None:
    tries = Tries(MemoryStore(), KEY)
    with tries._engine.connect() as connection:
        many = [
            {"key": number.to_bytes(4), "failures": 1, "last": NOON, "proved": False}
            for number in range(20_001)
        ]
        connection.execute(insert(TRIES), many)
    tries.forget_old(NOON)
    assert rows(tries) == 20_000


def test_no_count_is_no_wait() -> None:
    assert wait_for(PAIR, None, NOON) == NO_WAIT
