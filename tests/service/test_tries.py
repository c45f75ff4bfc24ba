"""Tries to sign in, over HTTP: who waits, for how long, and whom nobody can keep out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from houseway.rounds.roles import Role
from houseway.store.memory import MemoryStore
from tests.floor.support import new_floor, two_tables
from tests.service.crowd import PASSWORD
from tests.service.doors import API, Guarded, guarded

WRONG = "wrong horse battery"
STRANGER = "203.0.113.9"


@pytest.fixture
def floor() -> Iterator[Guarded]:
    with guarded(two_tables(new_floor(MemoryStore()))) as found:
        yield found


def test_nobody_is_locked_out_by_a_stranger_at_another_address(floor: Guarded) -> None:
    stranger = floor.anybody(STRANGER)
    statuses = [stranger.sign_in("The Ann", WRONG).status_code for _ in range(6)]
    assert statuses == [401] * 5 + [429]
    assert floor.anybody().sign_in("The Ann").status_code == 200


def test_a_password_that_is_easy_to_guess_is_refused(floor: Guarded) -> None:
    ann = floor.somebody(Role.PLAYER, "Ann")
    answer = ann.send("POST", f"{API}/me/password", {"old": PASSWORD, "new": "123456789012"})
    assert answer.status_code == 400, answer.text


def test_who_signed_in_and_who_failed_can_be_read(floor: Guarded) -> None:
    floor.anybody().sign_in("The Ann")
    answer = floor.somebody(Role.SURVEILLANCE).send("GET", f"{API}/access")
    assert answer.status_code == 200
