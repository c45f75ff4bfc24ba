"""Names and ids: what may be one, what two users may not share, and what is the system's own."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.errors import IllegalError, InvalidInputError
from houseway.floor.people_events import UserAdded
from houseway.floor.rights import Duty, check_two
from houseway.names import check_id, check_name, check_unreserved, look_of
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service import people
from houseway.service.people import evolve_people
from houseway.store.memory import MemoryStore
from tests.floor.support import new_floor
from tests.service.crowd import ADA, MAX, NOON, SECOND, after, everybody, hashed, with_user
from tests.service.doors import API, guarded

PLAYER = frozenset({Role.PLAYER})
ZERO_WIDTH = "\u200b"
CYRILLIC_I = "\u0456"


# --- over HTTP ----------------------------------------------------------------------------------------

NOT_ADDED: list[tuple[str, str]] = [
    ("mia2", f"m{CYRILLIC_I}a"),  # beside Mia, with a Cyrillic letter
    (f"m{CYRILLIC_I}a", "Somebody"),
    ("m1a", "Somebody"),
    ("new", "M1a"),
    ("new", f"ad{ZERO_WIDTH}min"),
    ("auto", "New"),
    ("new", "Automatic dealer"),
    ("new", "auto"),
    ("house-player-t1-1", "New"),
    ("new", "guest-1"),
    ("houseway", "New"),
    ("new", "PEOPLE"),
]


@pytest.mark.parametrize(("user", "name"), NOT_ADDED)
def test_nobody_is_added_who_could_be_taken_for_somebody_else(user: str, name: str) -> None:
    with guarded(new_floor(MemoryStore())) as floor:
        floor.add_user(Actor("mia", Role.PLAYER, "Mia"))
        before = floor.floor.store.heads()
        ada = floor.somebody(Role.ADMINISTRATOR)
        answer = ada.send("POST", f"{API}/users", {"id": user, "name": name, "roles": ["manager"]})
        assert answer.status_code in (400, 409), answer.text
        assert "title" in answer.json() and floor.floor.store.heads() == before


# --- ids ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("user", ["a", "7", "ann", "Ann Lee", "o'hara", "ann.lee_2@floor-1", "z" * 60])
def test_an_id_is_of_plain_letters_digits_and_few_signs(user: str) -> None:
    check_id(user)


@pytest.mark.parametrize(
    "user",
    [
        *("", " a", "a ", "a  b", "-a", ".a", "@a", "'a", "a/b", "a~b", "a\x00b", "a\nb", "a+b", "a:b"),
        *("ä", "\u0456", "a\u200b", "\uff21nn", "z" * 61),
    ],
)
def test_nothing_else_is_an_id(user: str) -> None:
    with pytest.raises(InvalidInputError, match="an id"):
        check_id(user)


# --- names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Zoë Müller-Łęcka",
        "D\u2019Arcy O\u02bbahu",
        "The a-dealer",
        "Ada (house)",
        "Мария",
        "Ελένη",
        "山田 たろう",
        "山田 タロー",
        "김 민준",
        "金 민준",
        "นก",
        "दिव्या",
        "שרה",
        "Shoe 1",
    ],
)
def test_a_name_is_written_in_letters_of_one_script(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "1 to 60"),
        ("x" * 61, "1 to 60"),
        (" Ann", "spaces"),
        ("Ann\u00a0Lee", "spaces"),
        ("Ann\nLee", "spaces"),
        ("Ann\x00", "invisible"),
        ("Ann\u202e", "invisible"),
        (f"An{ZERO_WIDTH}n", "invisible"),
        ("Ann\ue000", "invisible"),
        ("Ann\U000e0fff", "invisible"),
        ("Ann\ud800", "invisible"),
        ("Ann\u034f", "invisible"),
        ("Ann\u3164", "invisible"),
        ("Ann\ufe0f", "invisible"),
        ("Zoe\u0308", "composed"),
        (f"m{CYRILLIC_I}a", "one script"),
        ("Annα", "one script"),
        ("Ελένη Мария", "one script"),
        ("たろう 민준", "one script"),
        ("Ann ♠", "letters, digits and punctuation"),
        ("(-)", "a letter"),
        ("\u0308Ann", "begin"),
    ],
)
def test_nothing_else_is_a_name_and_the_cause_is_told(name: str, why: str) -> None:
    with pytest.raises(InvalidInputError, match=why):
        check_name(name)


# --- two users do not look alike ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mia", f"m{CYRILLIC_I}a"),
        ("Mia", "M1a"),
        ("Ill", "111"),
        ("Bob", "B0b"),
        ("Ann", "\uff21nn"),
        ("ANNA", "АΝΝА"),
        ("cop", "сор"),
        ("HAT", "НАТ"),
        ("Ann Lee", "ann lee"),
        ("o'hara", "o\u2019hara"),
        ("ann-lee", "ann\u2010lee"),
        ("ida", "\u0131da"),
        ("x3", "x\u0663"),
    ],
)
def test_what_looks_alike_is_one(one: str, other: str) -> None:
    assert look_of(one) == look_of(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Zoë", "Zoe"), ("ann", "anne"), ("ann lee", "ann-lee"), ("ann1", "ann2")]
)
def test_accents_and_separators_tell_apart(one: str, other: str) -> None:
    assert look_of(one) != look_of(other)


def test_a_user_may_have_a_name_that_looks_like_their_own_id_and_nobody_elses() -> None:
    crowd = with_user(everybody(), Actor("mia", Role.PLAYER, "Mia"))
    for user, name in (("m1a", "Other"), ("other", "MlA"), ("MIA", "Other"), ("max.2", "M\u0430\u0445")):
        with pytest.raises((IllegalError, InvalidInputError)):
            people.add_user(crowd, user, name, PLAYER, ADA, NOON)


# --- names of the system ------------------------------------------------------------------------------

RESERVED = ["auto", "dealer", "floor", "generator", "shuffler"]
RESERVED += ["system", "table", "meter", "people", "houseway"]


@pytest.mark.parametrize(
    "text",
    [
        *RESERVED,
        *[text.upper() for text in RESERVED],
        "аuto",
        "Aut0",
        "a.u.t.o",
        "automatic",
        "automatic dealer",
        "Automatic-Shuffler",
        "AUT0MAT1C FLOOR",
        "guest-1",
        "Guest 1",
        "guest_",
        "house-player-t1-2",
        "House Player 7",
        "fl00r",
    ],
)
def test_names_of_the_system_are_nobodys_however_they_look(text: str) -> None:
    with pytest.raises(IllegalError, match="reserved"):
        check_unreserved(text)


@pytest.mark.parametrize("text", ["Autry", "Guestav", "The dealer", "floor-1", "Housewright", "Tables"])
def test_other_names_are_free(text: str) -> None:
    check_unreserved(text)


# --- who is on record ---------------------------------------------------------------------------------


def test_users_on_record_keep_the_names_they_have() -> None:
    crowd = everybody()
    for user, name in (
        ("auto", f"m{CYRILLIC_I}a"),
        ("guest-1", "automatic dealer"),
        ("ma\u0445", "\u200b"),
    ):
        crowd = evolve_people(crowd, UserAdded(user=user, name=name, roles=PLAYER, by=ADA, at=NOON))
        assert crowd.users[user].name == name
    auto = Actor("auto", Role.PLAYER, f"m{CYRILLIC_I}a")
    crowd = after(crowd, people.set_password(crowd, "auto", hashed(), auto, NOON + SECOND))
    assert crowd.find_by_name(f"m{CYRILLIC_I}a") == crowd.users["auto"]


def test_two_people_whose_ids_look_alike_are_not_two() -> None:
    twin: Any = Actor("ma\u0445", Role.MANAGER, "Somebody")
    with pytest.raises(IllegalError, match="two people"):
        check_two(Duty.APPROVE_PROGRAM, MAX, twin)
