"""The door: who comes in with a password, how long they are known, and who is not let in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

import pytest

from houseway.cli.system import SystemRuntime
from houseway.floor.bus import NoBus
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.api.auth import SignInError
from houseway.service.credentials import Credentials
from houseway.service.loop import FloorLoop
from houseway.service.passwords import HashParameters, Passwords
from houseway.service.people import (
    add_first_administrator,
    add_user,
    disable_user,
    exclude_self,
    set_password,
)
from houseway.service.register import Register
from houseway.service.session_auth import SessionAuth
from houseway.service.sessions import Session, Sessions
from houseway.store.memory import MemoryStore
from tests.floor.support import NOON, new_floor
from tests.support.runtime import TestRuntime

CHEAP = HashParameters(passes=1, memory_kib=8, lanes=1)
SECRET = "correct horse battery"
BELIEVED, IDLE = timedelta(seconds=5), timedelta(minutes=30)
"""As the manual says them."""
ADI = Actor("adi", Role.ADMINISTRATOR)
T = TypeVar("T")


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


class Floor:
    """A floor with an administrator and a player, and its door."""

    def __init__(self) -> None:
        self.clock, store = Clock(), MemoryStore()
        entropy = SeededEntropy("door")
        self.passwords = Passwords(entropy, CHEAP)
        self.sessions = sessions = Sessions(store, entropy)
        self.register = Register(store, sessions, self.clock)
        self.record(lambda people, now: add_first_administrator(people, "adi", "Adi", self.hash(), now))
        self.clock.now += timedelta(seconds=1)
        self.record(lambda people, now: [add_user(people, "ann", "Ann", frozenset({Role.PLAYER}), ADI, now)])
        self.record(lambda people, now: [set_password(people, "ann", self.hash(), ADI, now)])
        self.clock.now += timedelta(seconds=1)
        self.loop = FloorLoop(new_floor(store), NoBus(), lambda _: None, SystemRuntime())
        self.loop.floor.clock = self.clock
        credentials = Credentials(self.loop, self.register, self.passwords, TestRuntime(self.clock))
        self.door = SessionAuth(self.loop, self.register, sessions, credentials)

    def hash(self) -> str:
        return self.passwords.hash(SECRET, "nobody")

    def record(self, decide: Callable[..., object]) -> None:
        self.register.record(decide)  # type: ignore[arg-type]


def run(work: Callable[[Floor], Awaitable[T]]) -> T:
    async def inside() -> T:
        return await work(Floor())

    return asyncio.run(inside())


def test_whoever_knows_the_password_is_known_by_the_token_from_then_on() -> None:
    async def work(floor: Floor) -> None:
        begun = await floor.door.sign_in("Ann", SECRET, "", "1.2.3.4")
        found = await floor.door.find(begun.token)
        assert found is not None and found.actor == Actor("ann", Role.PLAYER, "Ann")
        assert found.csrf == begun.identity.csrf
        assert await floor.door.find("another") is None and await floor.door.find("") is None
        await floor.door.sign_out(begun.token)
        assert await floor.door.find(begun.token) is None

    run(work)


@pytest.mark.parametrize(
    ("name", "password", "role"),
    [("Ann", "wrong horse battery", "player"), ("Nobody", SECRET, ""), ("Ann", SECRET, "dealer")],
)
def test_nobody_else_is_let_in(name: str, password: str, role: str) -> None:
    async def work(floor: Floor) -> None:
        with pytest.raises(SignInError):
            await floor.door.sign_in(name, password, role, "1.2.3.4")

    run(work)


def test_tries_are_limited_and_told_how_long_to_wait() -> None:
    async def work(floor: Floor) -> None:
        for _ in range(5):
            with pytest.raises(SignInError) as refused:
                await floor.door.sign_in("Ann", "wrong horse battery", "", "1.2.3.4")
            assert not refused.value.wait
        with pytest.raises(SignInError) as refused:
            await floor.door.sign_in("Ann", SECRET, "", "1.2.3.4")
        assert refused.value.wait == 12

    run(work)


def test_whoever_is_disabled_or_bars_themselves_is_gone_at_once() -> None:
    async def work(floor: Floor) -> None:
        ann = await floor.door.sign_in("Ann", SECRET, "", "1.2.3.4")
        assert await floor.door.find(ann.token) is not None
        me = ann.identity.actor
        floor.record(lambda people, now: [exclude_self(people, me, now)])
        assert await floor.door.find(ann.token) is None
        with pytest.raises(SignInError, match="not to play"):
            await floor.door.sign_in("Ann", SECRET, "", "1.2.3.4")

    run(work)

    async def disabled(floor: Floor) -> None:
        ann = await floor.door.sign_in("Ann", SECRET, "", "1.2.3.4")
        floor.record(lambda people, now: [disable_user(people, "ann", ADI, now, "left")])
        assert await floor.door.find(ann.token) is None

    run(disabled)


def test_who_is_not_heard_of_is_signed_out() -> None:
    async def work(floor: Floor) -> None:
        ann = await floor.door.sign_in("Ann", SECRET, "", "1.2.3.4")
        floor.clock.now += IDLE - timedelta(seconds=1)
        assert await floor.door.find(ann.token) is not None
        floor.clock.now += IDLE + BELIEVED
        assert await floor.door.find(ann.token) is None

    run(work)


@pytest.mark.parametrize(("late", "there"), [(-1, True), (0, False), (1, False)])
def test_a_session_that_is_believed_ends_all_the_same(late: int, there: bool) -> None:
    async def work(floor: Floor) -> None:
        ann = await floor.door.sign_in("Ann", SECRET, "", "1.2.3.4")
        ends = floor.clock.now + timedelta(hours=12)
        while floor.clock.now < ends - IDLE:
            floor.clock.now += IDLE / 2
            assert await floor.door.find(ann.token) is not None
        floor.clock.now = ends - timedelta(seconds=2)
        assert await floor.door.find(ann.token) is not None
        floor.clock.now = ends + timedelta(seconds=late)
        assert (await floor.door.find(ann.token) is not None) is there

    run(work)


@pytest.mark.parametrize(("late", "believed"), [(-1, True), (0, False), (1, False)])
def test_a_session_is_believed_for_five_seconds(late: int, believed: bool) -> None:
    """What another process has ended, this one may believe in so long."""

    async def work(floor: Floor) -> None:
        ann = await floor.door.sign_in("Ann", SECRET, "", "1.2.3.4")
        assert await floor.door.find(ann.token) is not None
        floor.sessions.end(ann.token)
        floor.clock.now += timedelta(seconds=5, milliseconds=late)
        assert (await floor.door.find(ann.token) is not None) is believed

    run(work)


@pytest.mark.parametrize(("late", "asked_again"), [(-1, False), (0, True), (1, True)])
def test_what_is_half_as_old_as_is_believed_is_looked_up_with_the_rest(late: int, asked_again: bool) -> None:
    async def work(floor: Floor) -> None:
        ann, guest = (
            await floor.door.sign_in("Ann", SECRET, "", "1.2.3.4"),
            await floor.door.sign_in_guest("1"),
        )
        assert await floor.door.find(ann.token) is not None
        floor.clock.now += BELIEVED / 2 - timedelta(milliseconds=late)
        for _ in range(2):
            assert await floor.door.find(guest.token) is not None
        floor.clock.now += BELIEVED / 2 + timedelta(milliseconds=late)
        asked: list[int] = []
        find_all = floor.sessions.find_all

        def counted(ids: Sequence[bytes], now: datetime) -> dict[bytes, Session]:
            asked.append(len(ids))
            return find_all(ids, now)

        floor.sessions.find_all = counted  # type: ignore[method-assign]
        assert await floor.door.find(ann.token) is not None
        assert asked == [1 + asked_again]

    run(work)


def test_guests_come_in_without_a_name() -> None:
    async def work(floor: Floor) -> None:
        one, other = [await floor.door.sign_in_guest("1.2.3.4") for _ in range(2)]
        assert one.identity.actor.role is Role.GUEST and one.identity.actor != other.identity.actor
        assert await floor.door.find(one.token) == one.identity

    run(work)


def test_sessions_in_use_are_looked_up_together_and_nobody_is_put_out_meanwhile() -> None:
    async def work(floor: Floor) -> None:
        begun = [await floor.door.sign_in_guest(f"10.0.0.{number}") for number in range(20)]
        for one in begun:
            assert await floor.door.find(one.token) is not None
        asked: list[int] = []
        find_all = floor.sessions.find_all

        def counted(ids: Sequence[bytes], now: datetime) -> dict[bytes, Session]:
            asked.append(len(ids))
            return find_all(ids, now)

        floor.sessions.find_all = counted  # type: ignore[method-assign]
        for _ in range(3):
            floor.clock.now += BELIEVED
            await asyncio.gather(*(floor.door.find(one.token) for one in begun[:-1]))
            found = await asyncio.gather(*(floor.door.find(one.token) for one in begun))
            assert all(found)
        assert max(asked) > len(begun) / 2, "many are looked up at once"
        await floor.door.sign_out(begun[0].token)
        floor.clock.now += BELIEVED
        found = await asyncio.gather(*(floor.door.find(one.token) for one in begun))
        assert found[0] is None and all(found[1:])

    run(work)
