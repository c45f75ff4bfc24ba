"""The people of a demo floor: public log-ins, added only to a floor that was begun as a demo."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from houseway.errors import IllegalError
from houseway.floor.house import House
from houseway.floor.people_events import PeopleEvent
from houseway.floor.rights import COMMAND_LINE
from houseway.rng import SystemEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.passwords import HashParameters, Passwords
from houseway.service.people import (
    People,
    add_first_administrator,
    add_user,
    evolve_people,
    set_password,
)
from houseway.service.register import Register

ADMINISTRATOR: Final = Actor("demo-administrator", Role.ADMINISTRATOR, "Administrator")
"""The user whose id marks a demo floor; the id is used for nothing else."""
MEMBERS: Final = (
    Actor("mia", Role.MANAGER, "Mia"),
    Actor("rob", Role.MANAGER, "Rob"),
    Actor("flo", Role.FLOORPERSON, "Flo"),
    Actor("deb", Role.DEALER, "Deb"),
    Actor("sam", Role.SURVEILLANCE, "Sam"),
    Actor("amy", Role.ACCOUNTING, "Amy"),
    Actor("kit", Role.KEY_HOLDER, "Kit"),
    Actor("reg", Role.REGULATOR, "Reg"),
    Actor("pat", Role.PLAYER, "Pat"),
    Actor("zoe", Role.PLAYER, "Zoe"),
    Actor("ivy", Role.ADMINISTRATOR, "Ivy"),
)
"""The demo's users besides its first administrator; guests need no password."""
DEMO_PEOPLE: Final = (ADMINISTRATOR, *MEMBERS)
PUBLIC: Final = HashParameters(passes=1, memory_kib=8, lanes=1)
"""The cheapest hash, for passwords that are public anyway, so that a demo starts quickly."""


def demo_password(actor: Actor) -> str:
    """Return the password of a demo user.

    >>> demo_password(Actor("pat", Role.PLAYER, "Pat"))
    'demo-only-pat'
    """
    return f"demo-only-{actor.shown.lower()}"


def is_demo(people: People) -> bool:
    """Whether a floor was begun as a demo."""
    return ADMINISTRATOR.id in people.users


def check_demo(people: People, house: House) -> None:
    """Refuse to add the demo's public log-ins to a floor that is in real use."""
    if (people.users or house != House()) and not is_demo(people):
        raise IllegalError("a demo needs an empty database: this floor has people or tables of its own")


def add_demo_people(register: Register, house: House) -> None:
    """Add the demo users that are missing, with the passwords that are printed at every start."""
    check_demo(register.people, house)
    if any(actor.id not in register.people.users for actor in DEMO_PEOPLE):
        passwords = Passwords(SystemEntropy(), PUBLIC)
        hashes = {actor.id: passwords.hash(demo_password(actor), actor.shown) for actor in DEMO_PEOPLE}
        register.record(lambda people, now: _add_missing(people, hashes, now))


def _add_missing(people: People, hashes: dict[str, str], now: datetime) -> Iterator[PeopleEvent]:
    """Yield the events that add missing users; each sets their own password, so none is temporary."""
    if not people.users:
        first = add_first_administrator(
            people, ADMINISTRATOR.id, ADMINISTRATOR.shown, hashes[ADMINISTRATOR.id], now
        )
        yield from first
        for event in first:
            people = evolve_people(people, event)
    for actor in MEMBERS:
        if actor.id not in people.users and people.find_by_name(actor.shown) is None:
            added = add_user(people, actor.id, actor.shown, frozenset({actor.role}), COMMAND_LINE, now)
            people = evolve_people(people, added)
            yield added
            yield set_password(people, actor.id, hashes[actor.id], actor, now)
