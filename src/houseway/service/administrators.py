"""Administrators added at the command line, by a person with direct access to the database.

It is recorded as done at the command line. A new floor gets two administrators, since managing people takes
two; more are for floors begun with one, and for floors whose administrators are locked out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import ClassVar, Final

from msgspec import Struct

from houseway.floor.people_events import PeopleEvent
from houseway.floor.streams import RedactedStruct
from houseway.rng import Entropy
from houseway.rounds.state import PersonId
from houseway.service.passwords import Passwords
from houseway.service.people import People, add_administrator, evolve_people
from houseway.service.register import Register
from houseway.service.split_secrets import new_half


class NewAdministrator(Struct, frozen=True):
    """An administrator to be added."""

    id: PersonId
    name: str


class InitialLogin(RedactedStruct, frozen=True):
    """An administrator and the temporary password to sign in with, which is shown only once."""

    hidden: ClassVar[frozenset[str]] = frozenset({"password"})
    founder: NewAdministrator
    password: str


FIRST_ADMINISTRATORS: Final = (
    NewAdministrator("administrator-1", "Administrator 1"),
    NewAdministrator("administrator-2", "Administrator 2"),
)
"""The administrators of a new floor."""


def add_first_administrators(register: Register, entropy: Entropy) -> list[InitialLogin]:
    """Add the first administrators if the floor has no users; otherwise return an empty list."""
    return [] if register.people.users else add_administrators(register, entropy, FIRST_ADMINISTRATORS)


def add_administrators(
    register: Register, entropy: Entropy, founders: Iterable[NewAdministrator]
) -> list[InitialLogin]:
    """Add administrators, all or none; each must change the password after signing in."""
    passwords = Passwords(entropy)
    logins = [InitialLogin(founder, f"{new_half(entropy)}{new_half(entropy)}") for founder in founders]
    hashes = {
        login.founder: passwords.hash(login.password, login.founder.id, login.founder.name)
        for login in logins
    }
    register.record(lambda people, now: _add_all(people, hashes, now))
    return logins


def _add_all(people: People, hashes: dict[NewAdministrator, str], now: datetime) -> Iterator[PeopleEvent]:
    for founder, password_hash in hashes.items():
        for event in add_administrator(people, founder.id, founder.name, password_hash, now):
            people = evolve_people(people, event)
            yield event
