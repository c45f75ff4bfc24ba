"""Administrators made at the command line, by whoever has the database itself before them.

What is done so is on record as done by nobody over the network. Two are made with a floor, since neither
could do anything about people alone; more are for floors begun with one, and for those locked out.
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
from houseway.service.halves import new_half
from houseway.service.passwords import Passwords
from houseway.service.people import People, add_administrator, evolve_people
from houseway.service.register import Register


class Founder(Struct, frozen=True):
    """An administrator to be made."""

    id: PersonId
    name: str


class Login(RedactedStruct, frozen=True):
    """An administrator and the temporary password to sign in with, shown this once."""

    hidden: ClassVar[frozenset[str]] = frozenset({"password"})
    founder: Founder
    password: str


FIRST: Final = (Founder("administrator-1", "Administrator 1"), Founder("administrator-2", "Administrator 2"))
"""Who is made with a floor."""


def found_floor(register: Register, entropy: Entropy) -> list[Login]:
    """Make the first administrators where there is nobody yet; return none where there is somebody."""
    return [] if register.people.users else found_administrators(register, entropy, FIRST)


def found_administrators(register: Register, entropy: Entropy, founders: Iterable[Founder]) -> list[Login]:
    """Make administrators, all or none; each changes the password before anything else."""
    passwords = Passwords(entropy)
    logins = [Login(founder, f"{new_half(entropy)}{new_half(entropy)}") for founder in founders]
    hashes = {
        login.founder: passwords.hash(login.password, login.founder.id, login.founder.name)
        for login in logins
    }
    register.record(lambda people, now: _added(people, hashes, now))
    return logins


def _added(people: People, hashes: dict[Founder, str], now: datetime) -> Iterator[PeopleEvent]:
    for founder, password_hash in hashes.items():
        for event in add_administrator(people, founder.id, founder.name, password_hash, now):
            people = evolve_people(people, event)
            yield event
