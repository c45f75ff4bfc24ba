"""People of a small floor, and hashes that cost nothing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache

from houseway.floor.people_events import PeopleEvent
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service import people
from houseway.service.passwords import HashParameters, NewKey, Passwords, new_key
from houseway.service.people import People, evolve_people

NOON = datetime(2026, 1, 4, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
CHEAP = HashParameters(passes=1, memory_kib=8, lanes=1)
PASSWORD = "correct horse battery"
ADA = Actor("ada", Role.ADMINISTRATOR, "Ada")
ANN = Actor("ann", Role.PLAYER, "Ann")
MAX = Actor("max", Role.MANAGER, "Max")
HERE = "192.0.2.1"


@cache
def passwords() -> Passwords:
    return Passwords(SeededEntropy("salts"), CHEAP)


@cache
def hashed(password: str = PASSWORD) -> str:
    return passwords().hash_unchecked(password)


@cache
def shoe_key() -> NewKey:
    return new_key(SeededEntropy("shoe"))


def after(everybody: People, *events: PeopleEvent | Iterable[PeopleEvent]) -> People:
    """Return everybody after events."""
    for group in events:
        for event in [group] if isinstance(group, PeopleEvent) else group:
            everybody = evolve_people(everybody, event)
    return everybody


def with_user(everybody: People, who: Actor, *roles: Role, password: str = PASSWORD) -> People:
    """Add somebody with a role, or more, and a password of their own."""
    everybody = after(
        everybody, people.add_user(everybody, who.id, who.name, frozenset(roles or {who.role}), ADA, NOON)
    )
    return after(everybody, people.set_password(everybody, who.id, hashed(password), who, NOON))


@cache
def with_ada() -> People:
    """Return a floor with its first administrator."""
    return after(People(), people.add_first_administrator(People(), "ada", "Ada", hashed(), NOON))


@cache
def everybody() -> People:
    """Return an administrator, a player, a manager who may also deal and play, and a shoe."""
    everybody = with_user(with_ada(), ANN)
    everybody = with_user(everybody, MAX, Role.MANAGER, Role.DEALER, Role.PLAYER)
    everybody = after(
        everybody, people.add_user(everybody, "shoe-1", "Shoe 1", frozenset({Role.SHOE}), ADA, NOON)
    )
    return after(everybody, people.set_key(everybody, "shoe-1", shoe_key().hash, ADA, NOON))
