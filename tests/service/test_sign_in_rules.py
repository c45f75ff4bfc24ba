"""Signing in: what is said to whom, one role at a time, and what ends it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from houseway.errors import HousewayError, IllegalError
from houseway.floor.people_events import PeopleEvent
from houseway.floor.rights import Duty, check_two
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service import people
from houseway.service.passwords import HashParameters, Passwords
from houseway.service.people import People
from houseway.service.register import Register
from houseway.service.sessions import Sessions
from houseway.service.sign_in_rules import (
    Admission,
    RefusalReason,
    SignInRefusal,
    admit,
    prove,
    session_actor,
)
from houseway.store.memory import MemoryStore
from houseway.store.postgres import PostgresStore
from tests.service.crowd import (
    ADA,
    ANN,
    HERE,
    NOON,
    PASSWORD,
    SECOND,
    after,
    everybody,
    hashed,
    passwords,
    shoe_key,
    with_user,
)
from tests.store.support import fresh_database

WEEK = timedelta(days=7)


class Desk:
    """Where people sign in, as often as they like."""

    def __init__(self, found: People | None = None) -> None:
        self.people = found or everybody()
        self.sessions = Sessions(MemoryStore(), SeededEntropy("desk"))
        self.passwords = passwords()

    def tried(
        self, name: str, password: str = PASSWORD, role: Role | None = None, **more: Any
    ) -> Admission | SignInRefusal:
        proved = prove(self.people, self.passwords, name, password)
        said = {"address": HERE, "now": NOON, **more}
        return admit(self.people, self.sessions, proved, role, **said)

    def signed_in(
        self, name: str, password: str = PASSWORD, role: Role | None = None, **more: Any
    ) -> Admission:
        found = self.tried(name, password, role, **more)
        assert isinstance(found, Admission), found
        return found

    def refused(
        self, name: str, password: str = PASSWORD, role: Role | None = None, **more: Any
    ) -> SignInRefusal:
        found = self.tried(name, password, role, **more)
        assert isinstance(found, SignInRefusal), found
        return found


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_whoever_knows_the_password_is_signed_in(desk: Desk) -> None:
    found = desk.signed_in(" ANN ")
    session = desk.sessions.find(found.new_session.token, NOON)
    assert session == found.new_session.session and (session.person, session.role) == ("ann", Role.PLAYER)
    assert session_actor(desk.people, session, NOON) == ANN and not found.user.temporary


def test_a_device_signs_in_by_its_key(desk: Desk) -> None:
    found = desk.signed_in("Shoe 1", shoe_key().key)
    assert found.new_session.session.role is Role.SHOE
    for wrong in (PASSWORD, shoe_key().hash, ""):
        assert desk.refused("Shoe 1", wrong) == SignInRefusal(reason=RefusalReason.WRONG)


def test_the_same_is_said_of_an_unknown_user_and_of_a_wrong_password(desk: Desk) -> None:
    off = people.disable_user(desk.people, "max", ADA, NOON, "why")
    desk.people = after(desk.people, off, people.exclude_self(desk.people, ANN, NOON))
    added = people.add_user(desk.people, "new", "New", frozenset({Role.DEALER}), ADA, NOON)
    desk.people = after(desk.people, added)  # without a password
    names = ("Ann", "Max", "Shoe 1", "New", "Nobody", "", "x" * 10_000)
    answers = [desk.refused(name, "another password", role) for name in names for role in (None, Role.SHOE)]
    assert {one.message for one in answers} == {"the name or the password is wrong"}
    assert all(one == SignInRefusal(reason=RefusalReason.WRONG) for one in answers)


def test_one_hash_is_computed_for_every_try(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    count: list[str] = []
    real = Passwords.knows_password

    def counted(self: Passwords, password: str, found: str) -> bool:
        count.append(password)
        return real(self, password, found)

    monkeypatch.setattr(Passwords, "knows_password", counted)
    for name in ("Ann", "Nobody", "Shoe 1", "Max"):
        before = len(count)
        desk.refused(name, "another password")
        assert len(count) == before + 1


# --- roles --------------------------------------------------------------------------------------------


def test_who_has_several_roles_picks_one(desk: Desk) -> None:
    refusal = desk.refused("Max")
    assert refusal.reason is RefusalReason.CHOOSE_ROLE and refusal.roles == (
        Role.DEALER,
        Role.MANAGER,
        Role.PLAYER,
    )
    dealer, manager = (desk.signed_in("Max", role=role) for role in (Role.DEALER, Role.MANAGER))
    assert [one.new_session.session.role for one in (dealer, manager)] == [Role.DEALER, Role.MANAGER]
    assert session_actor(desk.people, dealer.new_session.session, NOON) == Actor("max", Role.DEALER, "Max")


@pytest.mark.parametrize("role", [Role.ADMINISTRATOR, Role.DEALER, Role.GUEST, Role.SHOE])
def test_nobody_signs_in_in_a_role_they_do_not_have(desk: Desk, role: Role) -> None:
    assert desk.refused("Ann", role=role).reason is RefusalReason.NO_SUCH_ROLE


def test_two_roles_of_one_person_are_not_two_people(desk: Desk) -> None:
    manager = session_actor(desk.people, desk.signed_in("Max", role=Role.MANAGER).new_session.session, NOON)
    assert manager is not None
    with pytest.raises(IllegalError, match="two people"):
        check_two(Duty.APPROVE_PROGRAM, manager, Actor("max", Role.MANAGER))


# --- fixation -----------------------------------------------------------------------------------------


def test_a_token_that_a_client_came_with_is_never_that_of_the_new_session(desk: Desk) -> None:
    guest = desk.sessions.begin_guest(HERE, NOON)
    found = desk.signed_in("Ann", before=guest.token)
    assert found.new_session.token != guest.token and found.new_session.session.csrf != guest.session.csrf
    assert desk.sessions.find(guest.token, NOON) is None
    made_up = desk.signed_in("Ann", before="made up by somebody else")
    assert desk.sessions.find("made up by somebody else", NOON) is None
    assert made_up.new_session.token != found.new_session.token


def test_who_is_refused_keeps_the_session_they_came_with(desk: Desk) -> None:
    guest = desk.sessions.begin_guest(HERE, NOON)
    desk.refused("Ann", "another password", before=guest.token)
    assert desk.sessions.find(guest.token, NOON) == guest.session


# --- what becomes of people while they are signed in --------------------------------------------------


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (lambda found, now: people.disable_user(found, "ann", ADA, now, "why"), RefusalReason.DISABLED),
        (lambda found, now: people.exclude_self(found, ANN, now), RefusalReason.BARRED),
        (lambda found, now: people.take_time_out(found, ANN, now, now + WEEK), RefusalReason.BARRED),
        (
            lambda found, now: people.set_password(found, "ann", hashed("a newer password"), ANN, now),
            RefusalReason.WRONG,
        ),
        (
            lambda found, now: people.change_roles(found, "ann", frozenset({Role.DEALER}), ADA, now),
            RefusalReason.NO_SUCH_ROLE,
        ),
    ],
)
def test_whoever_may_no_longer_act_is_signed_out_in_mid_session(
    what: Callable[..., PeopleEvent], why: RefusalReason
) -> None:
    store = MemoryStore()
    desk, now = Desk(), [NOON]
    register = Register(store, desk.sessions, lambda: now[0])
    register.record(lambda *_: history_of_everybody())
    desk.people = register.people
    tokens = [desk.signed_in("Ann").new_session.token for _ in range(2)]
    sessions = [desk.sessions.find(token, NOON) for token in tokens]
    others = desk.signed_in("Ada").new_session
    now[0] += SECOND
    register.record(lambda found, at: [what(found, at)])
    # even if the server that recorded it stopped before it ended any session
    assert [session_actor(register.people, one, now[0]) for one in sessions] == [None, None]
    assert [desk.sessions.find(token, now[0]) for token in tokens] == [None, None]
    assert session_actor(register.people, desk.sessions.find(others.token, now[0]), now[0]) == ADA
    desk.people = register.people
    assert desk.refused("Ann", role=Role.PLAYER, now=now[0]).reason is why


def history_of_everybody() -> list[PeopleEvent]:
    """Return what makes an administrator and a player."""
    first = people.add_first_administrator(People(), "ada", "Ada", passwords().hash(PASSWORD), NOON)
    found = after(People(), first)
    added = people.add_user(found, "ann", "Ann", frozenset({Role.PLAYER}), ADA, NOON)
    found = after(found, added)
    return [*first, added, people.set_password(found, "ann", passwords().hash(PASSWORD), ANN, NOON)]


def test_a_barred_player_signs_in_when_it_is_over(desk: Desk) -> None:
    desk.people = after(desk.people, people.exclude_self(desk.people, ANN, NOON, NOON + WEEK))
    refusal = desk.refused("Ann", now=NOON + WEEK - SECOND)
    assert (refusal.reason, refusal.until) == (RefusalReason.BARRED, NOON + WEEK)
    assert refusal.message == "not to play until 2026-01-11T12:00:00+00:00"
    desk.signed_in("Ann", now=NOON + WEEK)


def test_a_barred_player_signs_in_in_another_role(desk: Desk) -> None:
    as_player = Actor("max", Role.PLAYER)
    desk.people = after(desk.people, people.exclude_self(desk.people, as_player, NOON))
    assert desk.refused("Max", role=Role.PLAYER).message == "not to play any more"
    desk.signed_in("Max", role=Role.DEALER)


def test_a_guest_acts_as_a_guest_and_no_session_as_nobody(desk: Desk) -> None:
    guest = desk.sessions.begin_guest(HERE, NOON).session
    assert session_actor(desk.people, guest, NOON) == Actor(guest.person, Role.GUEST)
    assert session_actor(desk.people, None, NOON) is None


def test_a_session_of_somebody_who_is_not_there_is_nobodys(desk: Desk) -> None:
    session = desk.sessions.begin("ghost", Role.PLAYER, HERE, NOON).session
    assert session_actor(desk.people, session, NOON) is None


def test_what_was_proved_before_a_password_changed_is_proved_no_more(desk: Desk) -> None:
    proved = prove(desk.people, passwords(), "Ann", PASSWORD)
    assert proved is not None
    newer = people.set_password(desk.people, "ann", passwords().hash("a newer password"), ANN, NOON)
    said = admit(after(desk.people, newer), desk.sessions, proved, None, HERE, NOON)
    assert said == SignInRefusal(reason=RefusalReason.WRONG)


def test_on_two_servers_whoever_is_disabled_on_one_is_signed_out_of_the_other() -> None:
    with fresh_database() as url:
        stores = [PostgresStore(url), PostgresStore(url)]
        shared = [Sessions(store, SeededEntropy(str(number))) for number, store in enumerate(stores)]
        one, other = (
            Register(store, found, lambda: NOON) for store, found in zip(stores, shared, strict=True)
        )
        one.record(lambda *_: history_of_everybody())
        other.refresh()
        proved = prove(other.people, passwords(), "Ann", PASSWORD)
        found = admit(other.people, shared[1], proved, None, HERE, NOON)
        assert isinstance(found, Admission)
        one.record(lambda known, now: [people.disable_user(known, "ann", ADA, now, "why")])
        assert shared[1].find(found.new_session.token, NOON) is None
        other.refresh()
        assert session_actor(other.people, found.new_session.session, NOON) is None
        for store in stores:
            store.close()


# --- passwords ----------------------------------------------------------------------------------------


def test_whoever_has_a_temporary_password_must_change_it(desk: Desk) -> None:
    hashed = passwords().hash("a temporary one")
    desk.people = after(desk.people, people.set_password(desk.people, "ann", hashed, ADA, NOON))
    assert desk.signed_in("Ann", "a temporary one").user.temporary
    changed = people.set_password(desk.people, "ann", passwords().hash("a password of my own"), ANN, NOON)
    desk.people = after(desk.people, changed)
    assert not desk.signed_in("Ann", "a password of my own").user.temporary


def test_a_hash_of_older_parameters_is_made_anew(desk: Desk) -> None:
    desk.passwords = Passwords(SeededEntropy("new"), HashParameters(passes=2, memory_kib=8, lanes=1))
    again = desk.signed_in("Ann").rehash
    assert again is not None
    desk.people = after(
        desk.people, people.rehash_password(desk.people, again.user, again.was, again.hash, NOON)
    )
    assert desk.signed_in("Ann").rehash is None
    assert "$argon2" not in repr(again)


# --- nothing secret -----------------------------------------------------------------------------------


def test_nothing_secret_is_in_what_is_shown_said_raised_or_logged(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    found = desk.signed_in("Ann")
    secret = "a secret that is my own"
    desk.people = with_user(desk.people, Actor("bob", Role.PLAYER, "Bob"), password=secret)
    shown = [repr(one) for one in (found, found.new_session, found.user, desk.people)]
    shown += [repr(desk.tried(name, secret)) for name in ("Bob", "Nobody", "Max", "Shoe 1")]
    shown += [desk.refused(name, PASSWORD + secret).message for name in ("Ann", "Nobody", "Shoe 1")]
    for user in ("ann", "shoe-1", "nobody"):
        try:
            people.set_password(desk.people, user, secret, ADA, NOON)
        except HousewayError as error:
            shown += [str(error), repr(error), repr(error.__dict__)]
    begun = found.new_session
    secrets = {secret, PASSWORD, begun.token, begun.session.csrf, "$argon2", shoe_key().hash}
    assert len(shown) > 15
    for text in (*shown, caplog.text):
        assert not [one for one in secrets if one in text]
