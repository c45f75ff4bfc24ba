"""Who may sign in and as what: added by administrators, disabled, excluded by themselves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from houseway.errors import HousewayError, IllegalError, InvalidInputError, UnknownNameError
from houseway.floor.bodies import read_body, write_body
from houseway.floor.export import export_lines
from houseway.floor.people_events import FactorSet, PasswordSet, PeopleEvent, UserEnabled
from houseway.floor.streams import PEOPLE
from houseway.floor.tasks import AddUser, EnableUser, ResetSecret
from houseway.floor.verification import verify_floor
from houseway.rng import SeededEntropy
from houseway.rounds.roles import DEVICES, Role
from houseway.rounds.step import Actor
from houseway.service import factors, people
from houseway.service.people import FOR_GOOD, People, evolve_people
from houseway.service.people_audit import FloorPersons
from houseway.service.people_proposals import carry_out, check_proposal, is_for_device
from houseway.service.register import Register
from houseway.service.sessions import Sessions
from houseway.service.user_accounts import user_view
from houseway.store.entries import EMPTY, next_entry
from houseway.store.memory import MemoryStore
from tests.service.crowd import (
    ADA,
    ANN,
    MAX,
    NOON,
    SECOND,
    after,
    everybody,
    hashed,
    shoe_key,
    with_ada,
    with_user,
)

WEEK = timedelta(days=7)
PLAYER, DEALER = frozenset({Role.PLAYER}), frozenset({Role.DEALER})


# --- the first administrator --------------------------------------------------------------------------


def test_the_first_administrator_is_added_while_there_is_nobody() -> None:
    found = with_ada()
    assert found.administrators == ["ada"] and found.users["ada"].roles == {Role.ADMINISTRATOR}
    assert not found.users["ada"].temporary


def test_there_is_no_second_first_administrator() -> None:
    with pytest.raises(IllegalError, match="there are users already"):
        people.add_first_administrator(with_ada(), "eve", "Eve", hashed(), NOON)


def test_of_two_servers_at_once_one_adds_the_first_administrator() -> None:
    store = MemoryStore()
    sessions = Sessions(store, SeededEntropy("two"))
    one, other = (Register(store, sessions, lambda: NOON) for _ in range(2))
    one.record(lambda found, now: people.add_first_administrator(found, "ada", "Ada", hashed(), now))
    assert not other.people.users
    with pytest.raises(IllegalError, match="there are users already"):
        other.record(lambda found, now: people.add_first_administrator(found, "eve", "Eve", hashed(), now))
    assert other.people == one.people == with_ada()


# --- adding users -------------------------------------------------------------------------------------


ENABLING, RESETTING = EnableUser(user="off", reason="why"), ResetSecret(user="ann", first_half="")
MANAGED: dict[str, Callable[[People, Actor], object]] = {
    "add": lambda found, by: people.add_user(found, "new", "New", PLAYER, by, NOON),
    "change roles": lambda found, by: people.change_roles(found, "max", DEALER, by, NOON),
    "take roles": lambda found, by: people.take_roles(found, "max", DEALER, by, NOON),
    "set a password": lambda found, by: people.set_password(found, "ann", hashed(), by, NOON),
    "set a key": lambda found, by: people.set_key(found, "shoe-1", shoe_key().hash, by, NOON),
    "disable": lambda found, by: people.disable_user(found, "ann", by, NOON, "why"),
    "enable": lambda found, by: people.enable_user(found, "off", by, NOON, "why"),
    "demand factors": lambda found, by: factors.demand_factors(found, PLAYER, by, NOON),
    "void a factor": lambda found, by: factors.void_factor(found, "max", by, NOON, "lost"),
    "read a history": lambda found, by: people.check_own_history(found, by, "ann"),
    "propose": lambda found, by: check_proposal(found, ENABLING, by, NOON),
    "confirm": lambda found, by: carry_out(found, ENABLING, "", ADA, by, NOON),
    "have confirmed": lambda found, by: carry_out(found, ENABLING, "", by, ADA, NOON),
    "confirm a reset": lambda found, by: carry_out(found, RESETTING, hashed(), ADA, by, NOON),
    "be second on record": lambda found, by: FloorPersons(found).check(
        replace(people.enable_user(found, "off", ADA, NOON, "why"), second=by)
    ),
    "be first on record": lambda found, by: FloorPersons(found).check(
        UserEnabled(user="off", reason="why", by=by, at=NOON, second=ADA)
    ),
}
"""What administrators do about people."""


@cache
def in_every_role() -> People:
    """Return a floor on which everybody but guests is on record, one of them disabled."""
    found = everybody()
    for role in Role:
        if role is not Role.GUEST:
            added = people.add_user(found, f"a-{role.value}", f"A {role.value}", frozenset({role}), ADA, NOON)
            found = after(found, added)
    found = with_user(found, Actor("off", Role.DEALER, "Off"))
    found = after(found, FactorSet(user="max", sealed="x", by=MAX, at=NOON))
    return after(found, people.disable_user(found, "off", ADA, NOON, "a dispute"))


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.GUEST])
@pytest.mark.parametrize("what", MANAGED)
def test_people_are_managed_by_administrators_and_by_nobody_else(what: str, role: Role) -> None:
    found, by = in_every_role(), Actor(f"a-{role.value}", role)
    if role is Role.ADMINISTRATOR:
        MANAGED[what](found, by)
        return
    with pytest.raises(IllegalError, match="manage people is for administrator"):
        MANAGED[what](found, by)


@pytest.mark.parametrize("role", [role for role in Role if role not in (Role.ADMINISTRATOR, Role.GUEST)])
def test_only_a_player_reads_their_own_history(role: Role) -> None:
    found, who = in_every_role(), Actor(f"a-{role.value}", role)
    if role is Role.PLAYER:
        people.check_own_history(found, who, who.id)
        return
    with pytest.raises(IllegalError, match="manage people"):
        people.check_own_history(found, who, who.id)


@pytest.mark.parametrize("by", ["max", "nobody"])
def test_only_who_is_an_administrator_on_record_acts_as_one(by: str) -> None:
    with pytest.raises((IllegalError, UnknownNameError)):
        people.add_user(everybody(), "new", "New", PLAYER, Actor(by, Role.ADMINISTRATOR), NOON)


@pytest.mark.parametrize(
    ("user", "name"),
    [("ANN", "Other"), ("other", "ann"), ("ada", "Other"), ("other", "Shoe\u00a01"), ("other", "shoe-1")],
)
def test_no_two_users_have_one_id_or_name_however_it_is_spelt(user: str, name: str) -> None:
    with pytest.raises(IllegalError, match="the id or name is taken|spaces"):
        people.add_user(everybody(), user, " ".join(name.split()), PLAYER, ADA, NOON)


@pytest.mark.parametrize("user", ["guest-1", "Guest-7", "dealer", "floor", "generator", "SHUFFLER"])
def test_no_user_is_taken_for_a_guest_or_for_a_table_itself(user: str) -> None:
    with pytest.raises(IllegalError, match="reserved"):
        people.add_user(everybody(), user, "New", PLAYER, ADA, NOON)


@pytest.mark.parametrize("text", ["", " ", " x", "x ", "a  b", "a\nb", "x\x1b", "y" * 61])
def test_an_id_and_a_name_can_be_read(text: str) -> None:
    for user, name in ((text, "New"), ("new", text)):
        with pytest.raises(InvalidInputError):
            people.add_user(everybody(), user, name, PLAYER, ADA, NOON)
    people.add_user(everybody(), "y" * 60, "z" * 60, PLAYER, ADA, NOON)


@pytest.mark.parametrize("roles", [set(), {Role.GUEST}, {Role.PLAYER, Role.GUEST}, {Role.DEALER, Role.SHOE}])
def test_a_user_has_roles_of_people_or_of_devices(roles: set[Role]) -> None:
    with pytest.raises(IllegalError):
        people.add_user(everybody(), "new", "New", frozenset(roles), ADA, NOON)
    with pytest.raises(IllegalError):
        people.change_roles(everybody(), "ann", frozenset(roles), ADA, NOON)


# --- roles --------------------------------------------------------------------------------------------


def test_nobody_gives_themselves_a_role() -> None:
    both = frozenset({Role.ADMINISTRATOR, Role.MANAGER})
    with pytest.raises(IllegalError, match="you cannot give yourself a role"):
        people.change_roles(everybody(), "ada", both, ADA, NOON)
    found = after(everybody(), people.change_roles(everybody(), "ann", PLAYER | DEALER, ADA, NOON))
    assert found.users["ann"].roles == PLAYER | DEALER


def test_an_administrator_is_always_left_who_can_sign_in() -> None:
    bea = Actor("bea", Role.ADMINISTRATOR, "Bea")
    added = people.add_user(everybody(), "bea", "Bea", frozenset({Role.ADMINISTRATOR}), ADA, NOON)
    without_password = after(everybody(), added)
    for found in (everybody(), without_password):
        with pytest.raises(IllegalError, match="at least one administrator"):
            people.disable_user(found, "ada", ADA, NOON, "leaves")
    with pytest.raises(IllegalError, match="at least one administrator"):
        people.change_roles(without_password, "ada", PLAYER, bea, NOON)
    two = with_user(everybody(), bea)
    one = after(two, people.disable_user(two, "ada", bea, NOON, "leaves"))
    assert one.administrators == ["bea"]


def test_a_person_does_not_become_a_device_nor_a_device_a_person() -> None:
    for user, roles in (("ann", {Role.SHOE}), ("shoe-1", {Role.DEALER})):
        with pytest.raises(IllegalError, match="cannot become"):
            people.change_roles(everybody(), user, frozenset(roles), ADA, NOON)


def test_a_device_may_do_the_duty_of_every_device() -> None:
    everything = after(everybody(), people.change_roles(everybody(), "shoe-1", DEVICES, ADA, NOON))
    assert everything.user("shoe-1").device
    assert is_for_device(
        everything, AddUser(user="new", name="New", roles=tuple(sorted(DEVICES)), first_half="")
    )
    fewer = people.change_roles(everything, "shoe-1", frozenset({Role.SHOE}), ADA, NOON)
    assert after(everything, fewer).user("shoe-1").device


# --- passwords and keys -------------------------------------------------------------------------------


def test_a_password_that_somebody_else_has_set_is_temporary() -> None:
    found = after(everybody(), people.set_password(everybody(), "ann", hashed("temporary one"), ADA, NOON))
    assert found.users["ann"].temporary
    found = after(found, people.set_password(found, "ann", hashed(), ANN, NOON))
    assert not found.users["ann"].temporary


def test_only_oneself_and_an_administrator_set_a_password() -> None:
    with pytest.raises(IllegalError, match="manage people"):
        people.set_password(everybody(), "ann", hashed(), MAX, NOON)


def test_a_device_has_a_key_instead_of_a_password() -> None:
    assert everybody().users["shoe-1"].device
    with pytest.raises(IllegalError, match="has a key"):
        people.set_password(everybody(), "shoe-1", hashed(), ADA, NOON)
    with pytest.raises(IllegalError, match="has a password"):
        people.set_key(everybody(), "ann", shoe_key().hash, ADA, NOON)


def test_nothing_but_a_hash_is_recorded_and_what_is_not_is_not_repeated() -> None:
    with pytest.raises(InvalidInputError) as error:
        people.set_password(everybody(), "ann", "in plain text", ANN, NOON)
    with pytest.raises(InvalidInputError) as other:
        people.set_key(everybody(), "shoe-1", shoe_key().key, ADA, NOON)
    assert "plain" not in str(error.value) and shoe_key().key not in str(other.value)


def test_a_hash_under_new_parameters_undoes_no_newer_password() -> None:
    was = everybody().users["ann"].secret
    (again,) = people.rehash_password(everybody(), "ann", was, hashed("any other password"), NOON + SECOND)
    kept = after(everybody(), again).users["ann"]
    assert kept.since == NOON and not people.ends_sessions(again)
    newer = after(everybody(), people.set_password(everybody(), "ann", hashed("a newer password"), ANN, NOON))
    assert people.rehash_password(newer, "ann", was, hashed("any other password"), NOON) == []


# --- disabling ----------------------------------------------------------------------------------------


def test_a_disabled_user_does_not_act_until_enabled() -> None:
    off = after(everybody(), people.disable_user(everybody(), "ann", ADA, NOON, "a dispute"))
    with pytest.raises(IllegalError, match="disabled"):
        people.check_acts(off, ANN, NOON)
    with pytest.raises(IllegalError, match="disabled already"):
        people.disable_user(off, "ann", ADA, NOON, "a dispute")
    on = after(off, people.enable_user(off, "ann", ADA, NOON, "settled"))
    assert people.check_acts(on, ANN, NOON).id == "ann"
    with pytest.raises(IllegalError, match="not disabled"):
        people.enable_user(on, "ann", ADA, NOON, "settled")


def test_who_has_a_password_and_is_not_disabled_can_sign_in() -> None:
    found = after(everybody(), people.add_user(everybody(), "new", "New", PLAYER, ADA, NOON))
    off = after(found, people.disable_user(found, "ann", ADA, NOON, "a dispute"))
    neither = after(off, people.disable_user(off, "new", ADA, NOON, "a dispute"))
    can = [user_view(crowd.user(user)).can_sign_in for crowd in (found, neither) for user in ("ann", "new")]
    assert can == [True, False, False, False]


def test_the_reason_of_disabling_is_put_on_record() -> None:
    with pytest.raises(IllegalError, match="reason"):
        people.disable_user(everybody(), "ann", ADA, NOON, " ")


# --- self-exclusion and time-out ----------------------------------------------------------------------


def barred(by: Actor, until: datetime) -> list[People]:
    """Return everybody after a player excluded themselves, and after one took a time-out."""
    found = everybody()
    return [
        after(found, people.exclude_self(found, by, NOON, until)),
        after(found, people.take_time_out(found, by, NOON, until)),
    ]


def test_a_barred_player_does_not_play_until_the_very_end_of_it() -> None:
    for found in barred(ANN, NOON + WEEK):
        for now in (NOON, NOON + WEEK - SECOND):
            with pytest.raises(IllegalError, match="not to play until 2026-01-11T12:00:00"):
                people.check_may_play(found, "ann", now)
            with pytest.raises(IllegalError, match="not to play"):
                people.check_acts(found, ANN, now)
        for now in (NOON + WEEK, NOON + WEEK + SECOND):
            people.check_may_play(found, "ann", now)
            people.check_acts(found, ANN, now)


def test_who_excluded_themselves_for_good_never_plays_again() -> None:
    found = after(everybody(), people.exclude_self(everybody(), ANN, NOON))
    with pytest.raises(IllegalError, match="not to play any more"):
        people.check_may_play(found, "ann", NOON + 5000 * WEEK)


def test_a_barred_player_may_still_do_their_other_work() -> None:
    for found in barred(Actor("max", Role.PLAYER), NOON + WEEK):
        people.check_acts(found, MAX, NOON)
        with pytest.raises(IllegalError, match="not to play"):
            people.check_acts(found, Actor("max", Role.PLAYER), NOON)


@pytest.mark.parametrize("by", [ADA, MAX, Actor("ann", Role.ADMINISTRATOR), Actor("ada", Role.PLAYER)])
def test_players_exclude_themselves_and_nobody_else_does(by: Actor) -> None:
    with pytest.raises(IllegalError, match="only a player can exclude themselves"):
        people.exclude_self(everybody(), by, NOON)
    with pytest.raises(IllegalError, match="only a player can exclude themselves"):
        people.take_time_out(everybody(), by, NOON, NOON + WEEK)


@pytest.mark.parametrize("less", [SECOND, timedelta(0), -SECOND])
def test_nobody_shortens_an_exclusion_or_a_time_out(less: timedelta) -> None:
    excluded, timed_out = barred(ANN, NOON + WEEK)
    until = NOON + WEEK - less
    if less < timedelta(0):
        assert people.exclude_self(excluded, ANN, NOON, until).until == until
        assert people.take_time_out(timed_out, ANN, NOON, until).until == until
        return
    with pytest.raises(IllegalError, match="can only be made longer"):
        people.exclude_self(excluded, ANN, NOON, until)
    with pytest.raises(IllegalError, match="can only be made longer"):
        people.take_time_out(timed_out, ANN, NOON, until)


def test_not_even_an_administrator_undoes_an_exclusion() -> None:
    found = after(everybody(), people.exclude_self(everybody(), ANN, NOON))
    found = after(found, people.disable_user(found, "ann", ADA, NOON, "asked for"))
    found = after(found, people.enable_user(found, "ann", ADA, NOON, "asked for"))
    found = after(found, people.change_roles(found, "ann", DEALER, ADA, NOON))
    found = after(found, people.change_roles(found, "ann", PLAYER, ADA, NOON))
    found = after(found, people.set_password(found, "ann", hashed(), ADA, NOON))
    assert found.users["ann"].barred_until(NOON) == FOR_GOOD


@pytest.mark.parametrize("late", [timedelta(0), -SECOND])
def test_an_exclusion_ends_in_the_future(late: timedelta) -> None:
    for decide in (people.exclude_self, people.take_time_out):
        with pytest.raises(IllegalError, match="must end in the future"):
            decide(everybody(), ANN, NOON, NOON + late)
        with pytest.raises(InvalidInputError, match="time zone"):
            decide(everybody(), ANN, NOON, datetime(2030, 1, 1))


# --- all of it at once --------------------------------------------------------------------------------

IDS = st.sampled_from(["ada", "ann", "max", "shoe-1", "new"])
ROLES = st.frozensets(st.sampled_from(sorted(Role)), max_size=3)
WHEN = st.integers(-2, 40).map(lambda days: NOON + timedelta(days=days))
BY = st.builds(Actor, IDS, st.sampled_from([Role.ADMINISTRATOR, Role.PLAYER, Role.MANAGER]))
DECISIONS: list[st.SearchStrategy[Any]] = [
    st.tuples(st.just(people.add_user), IDS, st.sampled_from(["New", "Ann", "Other"]), ROLES, BY, WHEN),
    st.tuples(st.just(people.change_roles), IDS, ROLES, BY, WHEN),
    st.tuples(st.just(people.set_password), IDS, st.builds(hashed), BY, WHEN),
    st.tuples(st.just(people.set_key), IDS, st.just(shoe_key().hash), BY, WHEN),
    st.tuples(st.just(people.disable_user), IDS, BY, WHEN, st.just("why")),
    st.tuples(st.just(people.enable_user), IDS, BY, WHEN, st.just("why")),
    st.tuples(st.just(people.exclude_self), BY, WHEN, st.none() | WHEN),
    st.tuples(st.just(people.take_time_out), BY, WHEN, WHEN),
]


def written_and_read(event: PeopleEvent) -> PeopleEvent:
    found = read_body(next_entry(EMPTY, PEOPLE, "c", write_body(event), b""))
    assert isinstance(found, PeopleEvent)
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(DECISIONS), min_size=5, max_size=25))
def test_whatever_is_tried_the_rules_hold_and_what_is_recorded_can_be_read(tried: list[Any]) -> None:
    found = everybody()
    for decide, *rest in tried:
        before = found
        try:
            event = decide(found, *rest)
        except HousewayError as error:
            assert "$argon2" not in str(error) and shoe_key().hash not in str(error)
            continue
        assert written_and_read(event) == event
        found = evolve_people(found, event)
        assert found.administrators
        assert len(found.names) == len(found.users)
        for user in found.users.values():
            was = before.users.get(user.id)
            assert user.roles and not (user.roles & DEVICES and user.roles - DEVICES)
            assert Role.GUEST not in user.roles
            if was is not None:
                assert event.by.id != user.id or user.roles <= was.roles
                assert was.excluded is None or (user.excluded or NOON) >= was.excluded
                assert was.timed_out is None or (user.timed_out or NOON) >= was.timed_out
        shown = repr(found) + repr(event)
        assert "$argon2" not in shown and shoe_key().hash not in shown


def test_no_entry_shortens_an_exclusion_whoever_wrote_it() -> None:
    long = people.exclude_self(everybody(), ANN, NOON, NOON + 2 * WEEK)
    short = people.exclude_self(everybody(), ANN, NOON, NOON + WEEK)
    assert after(everybody(), long, short).users["ann"].excluded == NOON + 2 * WEEK


# --- the log ------------------------------------------------------------------------------------------


def test_people_are_part_of_the_verified_log_and_no_hash_of_them_is_exported(tmp_path: Path) -> None:
    store = MemoryStore()
    register = Register(store, Sessions(store, SeededEntropy("log")), lambda: NOON)
    register.record(lambda found, now: people.add_first_administrator(found, "ada", "Ada", hashed(), now))
    with store.picture() as picture:
        assert verify_floor(picture).log.entries == 2
        export_lines(picture, tmp_path)
    written = (tmp_path / "entries.jsonl").read_bytes()
    assert b"argon2" not in written and hashed().rpartition("$")[2].encode() not in written
    first, second = (msgspec.json.decode(line) for line in written.splitlines())
    assert first["body"]["kind"] == "user_added" and second["body"] is None and second["hash"]


def test_what_is_recorded_shows_no_hash() -> None:
    event = PasswordSet(user="ann", hash=hashed(), by=ANN, at=NOON)
    for shown in (repr(event), str(event), f"{event}", repr(event.__rich_repr__()), repr([event])):
        assert "argon2" not in shown and "'ann'" in shown
