"""Tries to sign in, over HTTP: who waits, for how long, whom nobody can keep out, and what a try costs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, TypeVar

import pytest

from houseway.rounds.roles import Role
from houseway.runtime import BusyError, Pool
from houseway.service.api.auth import SignInError
from houseway.service.passwords import Passwords
from houseway.store.memory import MemoryStore
from tests.floor.support import new_floor, two_tables
from tests.service.crowd import HERE, PASSWORD
from tests.service.doors import API, Guarded, guarded

WRONG = "wrong horse battery"
STRANGER = "203.0.113.9"
T = TypeVar("T")


@pytest.fixture
def floor() -> Iterator[Guarded]:
    with guarded(two_tables(new_floor(MemoryStore()))) as opened:
        yield opened


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Count the hashes that are computed."""
    computed: list[str] = []
    real = Passwords.knows_password

    def counted(self: Passwords, password: str, known: str) -> bool:
        computed.append(known)
        return real(self, password, known)

    monkeypatch.setattr(Passwords, "knows_password", counted)
    return computed


def fail(floor: Guarded, name: str, times: int, address: str = HERE) -> list[int]:
    return [floor.anybody(address).sign_in(name, WRONG).status_code for _ in range(times)]


def test_nobody_is_locked_out_by_a_stranger_at_another_address(floor: Guarded) -> None:
    assert fail(floor, "The Ann", 6, STRANGER) == [401] * 5 + [429]
    assert floor.anybody().sign_in("The Ann").status_code == 200


def test_nobody_who_has_signed_in_there_is_locked_out_by_a_stranger_at_their_own_address(
    floor: Guarded,
) -> None:
    assert floor.anybody().sign_in("The Ann").status_code == 200
    said = [floor.anybody().sign_in(f"No {number}", WRONG).status_code for number in range(31)]
    assert said == [401] * 30 + [429]
    assert floor.anybody().sign_in("The Dan").status_code == 429
    assert floor.anybody().sign_in("The Ann").status_code == 200


def test_after_five_failures_even_the_right_password_waits_and_then_clears_them(floor: Guarded) -> None:
    fail(floor, "The Ann", 5)
    refused = floor.anybody().sign_in("The Ann")
    assert refused.status_code == 429 and refused.json()["title"] == "too many tries: wait 12 seconds"
    assert refused.headers["retry-after"] == "12"
    floor.clock.now += timedelta(seconds=12)
    assert floor.anybody().sign_in("The Ann").status_code == 200
    assert fail(floor, "The Ann", 6) == [401] * 5 + [429]


def test_a_right_password_gives_nobody_more_tries_of_another_name(floor: Guarded) -> None:
    said = []
    for _ in range(4):
        said += [*fail(floor, "The Dan", 2), floor.anybody().sign_in("The Ann").status_code]
    assert said == [401, 401, 200, 401, 401, 200, 401, 429, 200, 429, 429, 200]


def test_a_try_that_has_to_wait_costs_no_hash(floor: Guarded, hashes: list[str]) -> None:
    fail(floor, "The Ann", 5)
    assert len(hashes) == 5
    assert fail(floor, "The Ann", 20) == [429] * 20
    assert len(hashes) == 5


def test_tries_made_together_get_no_further_than_those_made_one_after_another(
    floor: Guarded, hashes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def in_thread(pool: Pool, work: Callable[[], T]) -> T:
        await asyncio.sleep(0)
        return work()

    async def together() -> list[Any]:
        tries = (floor.door.sign_in("The Ann", WRONG, "", HERE) for _ in range(20))
        return await asyncio.gather(*tries, return_exceptions=True)

    monkeypatch.setattr(floor.runtime, "in_thread", in_thread)
    refusals = floor.run(together)
    assert all(isinstance(one, SignInError) for one in refusals)
    assert len(hashes) == 5 and sum(one.wait > 0 for one in refusals) == 15


def test_a_clock_set_back_an_hour_keeps_nobody_out(floor: Guarded) -> None:
    fail(floor, "The Ann", 5)
    floor.clock.now -= timedelta(hours=1)
    assert floor.anybody().sign_in("The Ann").status_code == 429
    floor.clock.now += timedelta(seconds=12)
    answer = floor.anybody().sign_in("The Ann")
    assert answer.status_code == 200, answer.text


def test_guests_come_in_five_at_once_whoever_fails_to_sign_in_there(floor: Guarded) -> None:
    fail(floor, "The Ann", 10)
    guests = [floor.anybody().send("POST", f"{API}/session/guest") for _ in range(6)]
    assert [answer.status_code for answer in guests] == [200] * 5 + [429]
    assert guests[5].headers["retry-after"] == "12"
    assert floor.anybody(STRANGER).send("POST", f"{API}/session/guest").status_code == 200


# --- threads ------------------------------------------------------------------------------------------


def test_every_hash_is_computed_in_the_threads_of_passwords(
    floor: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools: list[Pool] = []

    async def in_thread(pool: Pool, work: Callable[[], T]) -> T:
        pools.append(pool)
        return work()

    monkeypatch.setattr(floor.runtime, "in_thread", in_thread)
    ann, ada = floor.anybody(), floor.somebody(Role.ADMINISTRATOR)
    assert ann.sign_in("The Ann").status_code == 200
    changed = ann.send("POST", f"{API}/me/password", {"old": PASSWORD, "new": "a staple of horses"})
    assert changed.status_code == 200
    assert floor.reset(ada, "Dan")
    assert len(pools) == 5 and set(pools) == {Pool.PASSWORDS}


def test_when_too_many_hashes_wait_one_is_asked_to_come_again_and_nothing_is_counted(
    floor: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(pool: Pool, work: Callable[[], T]) -> T:
        raise BusyError("too much waits for this already: ask again")

    with monkeypatch.context() as while_busy:
        while_busy.setattr(floor.runtime, "in_thread", busy)
        for _ in range(10):
            answer = floor.anybody().sign_in("The Ann", WRONG)
            assert answer.status_code == 503 and answer.headers["retry-after"] == "1"
    assert floor.anybody().sign_in("The Ann").status_code == 200


# --- passwords ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("123456789012", "too easy to guess. This is similar to a commonly used password"),
        ("qwertyuiop[]", "too easy to guess"),
        ("The Ann 2026", "too easy to guess"),
        ("aaaaaaaaaaaaaaaaaaaa", 'Repeats like "aaa" are easy to guess'),
        ("short", "12 to 200 characters"),
    ],
)
def test_a_password_that_is_easy_to_guess_is_refused_in_words(
    floor: Guarded, password: str, reason: str
) -> None:
    ann = floor.somebody(Role.PLAYER, "Ann")
    answer = ann.send("POST", f"{API}/me/password", {"old": PASSWORD, "new": password})
    assert answer.status_code == 400 and reason in answer.json()["title"]
    assert ann.send("GET", f"{API}/me").status_code == 200, "nothing has changed"


def test_a_password_is_changed_by_who_knows_the_old_one_and_tries_are_limited(floor: Guarded) -> None:
    ann = floor.somebody(Role.PLAYER, "Ann")
    sent = [{"old": WRONG, "new": "a password of my own"}] * 5 + [
        {"old": PASSWORD, "new": "my own at last 7"}
    ]
    answers = [ann.send("POST", f"{API}/me/password", body) for body in sent]
    assert [answer.status_code for answer in answers] == [409] * 5 + [429]
    assert answers[5].headers["retry-after"] == "12"
