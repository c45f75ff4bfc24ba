"""The people of a demo floor: log-ins that anybody may know, on a floor begun as a demo and on no other."""

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
from houseway.service.passwords import Parameters, Passwords
from houseway.service.people import (
    People,
    add_user,
    evolve_people,
    first_administrator,
    set_password,
)
from houseway.service.register import Register

ADMINISTRATOR: Final = Actor("demo-administrator", Role.ADMINISTRATOR, "Administrator")
"""By whom a demo floor is known: nobody else is ever added under this id."""
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
"""Who logs in to the demo beside its first administrator; a guest needs no password."""
EVERYBODY: Final = (ADMINISTRATOR, *MEMBERS)
PUBLIC: Final = Parameters(passes=1, memory_kib=8, lanes=1)
"""What the hash of a password costs that everybody knows: nothing, so that a demo starts at once."""


def demo_password(actor: Actor) -> str:
    """Return the password of somebody in the demo.

    >>> demo_password(Actor("pat", Role.PLAYER, "Pat"))
    'demo-only-pat'
    """
    return f"demo-only-{actor.shown.lower()}"


def is_demo(people: People) -> bool:
    """Whether a floor was begun as a demo."""
    return ADMINISTRATOR.id in people.users


def check_demo(people: People, house: House) -> None:
    """Refuse to make a demo of a floor that is somebody's own: the passwords are public."""
    if (people.users or house != House()) and not is_demo(people):
        raise IllegalError("a demo begins on an empty database: this floor has people or tables of its own")


def sign_up_demo(register: Register, house: House) -> None:
    """Add whoever of the demo is missing, with the password that is printed at every start."""
    check_demo(register.people, house)
    if any(actor.id not in register.people.users for actor in EVERYBODY):
        passwords = Passwords(SystemEntropy(), PUBLIC)
        hashes = {actor.id: passwords.hash(demo_password(actor), actor.shown) for actor in EVERYBODY}
        register.record(lambda people, now: _missing(people, hashes, now))


def _missing(people: People, hashes: dict[str, str], now: datetime) -> Iterator[PeopleEvent]:
    """Yield that everybody who is missing is added; each has set their own password, so none is temporary."""
    if not people.users:
        first = first_administrator(
            people, ADMINISTRATOR.id, ADMINISTRATOR.shown, hashes[ADMINISTRATOR.id], now
        )
        yield from first
        for event in first:
            people = evolve_people(people, event)
    for actor in MEMBERS:
        if actor.id not in people.users and people.named(actor.shown) is None:
            added = add_user(people, actor.id, actor.shown, frozenset({actor.role}), COMMAND_LINE, now)
            people = evolve_people(people, added)
            yield added
            yield set_password(people, actor.id, hashes[actor.id], actor, now)
