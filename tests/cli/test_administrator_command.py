"""``houseway administrator add``: on record as done at the command line, with a password shown once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from houseway.cli import main
from houseway.floor.bodies import read_body
from houseway.floor.people_events import PasswordSet, UserAdded
from houseway.floor.rights import COMMAND_LINE
from houseway.floor.streams import PEOPLE
from houseway.floor.verification import verify_floor
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.service.administrators import (
    FIRST_ADMINISTRATORS,
    NewAdministrator,
    add_administrators,
    add_first_administrators,
)
from houseway.service.passwords import Passwords
from houseway.service.register import Register
from houseway.service.sessions import Sessions
from houseway.service.sign_in_rules import prove
from houseway.store.memory import MemoryStore
from houseway.store.store_url import open_store
from tests.service.crowd import CHEAP, NOON

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, printed.out, printed.err


def add(capsys: Capture, database: Path, user: str, name: str) -> tuple[int, str, str]:
    return run(capsys, "administrator", "add", "--database", str(database), user, name)


def test_one_more_administrator_is_added_on_record_with_a_temporary_password(
    capsys: Capture, tmp_path: Path
) -> None:
    database = tmp_path / "floor.db"
    passwords: list[str] = []
    for user, name in (("ada", "Ada"), ("bea", "Bea")):
        code, printed, _ = add(capsys, database, user, name)
        shown = re.search(
            rf"sign in as {name} with the temporary password (\S+) \(shown this once\)", printed
        )
        assert code == 0 and shown is not None
        passwords.append(shown[1])
    store = open_store(str(database), read_only=True)
    bodies = [read_body(entry) for entry in store.tails({PEOPLE: 0})]
    register = Register(store, Sessions(MemoryStore(), SeededEntropy("x")), lambda: NOON)
    with store.picture() as picture:
        assert verify_floor(picture).log.entries == 4
    store.close()
    assert [type(body) for body in bodies] == [UserAdded, PasswordSet] * 2
    assert all(isinstance(body, UserAdded | PasswordSet) and body.by == COMMAND_LINE for body in bodies)
    assert register.people.administrators == ["ada", "bea"]
    proved = prove(register.people, Passwords(SeededEntropy("y"), CHEAP), "Bea", passwords[1])
    assert proved is not None and proved.user.temporary and proved.user.roles == {Role.ADMINISTRATOR}


@pytest.mark.parametrize(
    ("user", "name"), [("ada", "Other"), ("x/y", "X"), ("auto", "X"), ("new", "\u0430da")]
)
def test_whoever_could_be_taken_for_another_is_refused_there_too(
    capsys: Capture, tmp_path: Path, user: str, name: str
) -> None:
    database = tmp_path / "floor.db"
    assert add(capsys, database, "ada", "Ada")[0] == 0
    code, printed, error = add(capsys, database, user, name)
    assert code == 2 and not printed and len(error.splitlines()) == 1


def test_a_floor_begins_with_two_administrators_and_only_an_empty_one_does() -> None:
    store = MemoryStore()
    register = Register(store, Sessions(store, SeededEntropy("sessions")), lambda: NOON)
    logins = add_first_administrators(register, SeededEntropy("founding"))
    assert [login.founder for login in logins] == list(
        FIRST_ADMINISTRATORS
    ) and register.people.administrators == [
        "administrator-1",
        "administrator-2",
    ]
    assert all(user.temporary for user in register.people.users.values())
    assert add_first_administrators(register, SeededEntropy("again")) == []
    shown = repr(logins)
    assert not any(login.password in shown for login in logins)


def test_administrators_are_made_all_or_none() -> None:
    store = MemoryStore()
    register = Register(store, Sessions(store, SeededEntropy("sessions")), lambda: NOON)
    with pytest.raises(Exception, match="the id or name"):
        add_administrators(
            register, SeededEntropy("x"), [NewAdministrator("ada", "Ada"), NewAdministrator("ADA", "Other")]
        )
    assert not register.people.users
