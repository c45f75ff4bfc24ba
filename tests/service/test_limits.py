"""Five tries to sign in at once, then one in twelve seconds: by address, and by name."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.service import limits
from houseway.service.limits import AT_ONCE, EVERY, NO_WAIT, Limits
from tests.service.crowd import HERE, NOON, SECOND


def addresses(count: int) -> list[str]:
    return [f"198.51.100.{number}" for number in range(count)]


def test_five_tries_at_once_from_one_address_then_a_wait() -> None:
    found = Limits()
    waits = [found.take(HERE, f"name {number}", NOON) for number in range(7)]
    assert waits == [NO_WAIT] * 5 + [EVERY] * 2


def test_five_tries_at_once_for_one_name_then_a_wait_wherever_they_come_from() -> None:
    found = Limits()
    waits = [found.take(address, "ann", NOON) for address in addresses(7)]
    assert waits == [NO_WAIT] * 5 + [EVERY] * 2


@pytest.mark.parametrize(("seconds", "wait"), [(11, 1), (12, 0), (13, 0)])
def test_one_more_try_every_twelve_seconds(seconds: int, wait: int) -> None:
    found = Limits()
    for _ in range(AT_ONCE):
        found.take(HERE, "ann", NOON)
    later = NOON + seconds * SECOND
    assert found.take(HERE, "ann", later) == wait * SECOND
    assert found.take(HERE, "ann", later) == (wait or 24 - seconds) * SECOND


def test_a_quiet_hour_gives_no_more_than_five_tries_at_once() -> None:
    found = Limits()
    found.take(HERE, "ann", NOON)
    later = NOON + timedelta(hours=1)
    assert [found.take(HERE, "ann", later) for _ in range(6)] == [NO_WAIT] * 5 + [EVERY]


def test_a_try_that_had_to_wait_is_not_counted() -> None:
    found = Limits()
    for number in range(AT_ONCE):
        found.take(HERE, f"name {number}", NOON)
    for _ in range(100):
        assert found.take(HERE, "ann", NOON) == EVERY
    assert [found.take(one, "ann", NOON) for one in addresses(6)] == [NO_WAIT] * 5 + [EVERY]


def test_an_address_of_ipv6_is_counted_as_its_network() -> None:
    found = Limits()
    waits = [found.take(f"2001:db8::{number}", f"name {number}", NOON) for number in range(6)]
    assert waits[-1] == EVERY
    assert found.take("2001:db8:0:1::1", "ann", NOON) == NO_WAIT


def test_not_more_is_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BUCKETS", 20)
    found = Limits()
    for number in range(60):
        assert found.take(f"192.0.2.{number}", f"name {number}", NOON) == NO_WAIT
        assert len(found._full) <= 20


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-3, 20), max_size=60))
def test_never_more_tries_than_five_and_one_for_each_twelve_seconds(steps: list[int]) -> None:
    found, now, passed = Limits(), NOON, 0
    earliest = latest = NOON
    for seconds in steps:  # a clock may be set back
        now += timedelta(seconds=seconds)
        earliest, latest = min(earliest, now), max(latest, now)
        wait = found.take(HERE, "ann", now)
        passed += wait == NO_WAIT
        assert passed <= AT_ONCE + (latest - earliest) / EVERY
        if wait:
            fresh = Limits()
            fresh._full = dict(found._full)
            assert fresh.take(HERE, "ann", now + wait) == NO_WAIT
