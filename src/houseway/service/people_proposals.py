"""What two administrators decide about people: one proposes, another confirms. Pure functions.

Neither may be the subject of the decision, and neither alone can take over the subject's account.
"""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from houseway.errors import IllegalError
from houseway.floor.people_events import PeopleEvent
from houseway.floor.rights import Duty, check_two
from houseway.floor.tasks import AddUser, ChangeRoles, EnableUser, PeopleTask, ResetSecret, VoidFactor
from houseway.rounds.roles import DEVICES
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.service.factors import void_factor
from houseway.service.people import (
    People,
    add_user,
    change_roles,
    check_acts,
    enable_user,
    evolve_people,
    set_key,
    set_password,
)


def check_proposal(people: People, task: PeopleTask, by: Actor, now: datetime) -> None:
    """Refuse a proposal that no confirmation could make valid."""
    _check_about_another(task, by)
    _decide(people, task, by, now)


def carry_out(
    people: People, task: PeopleTask, secret: str, by: Actor, second: Actor, now: datetime
) -> list[PeopleEvent]:
    """Return the events of a confirmed proposal; ``secret`` is the hash of both halves."""
    check_two(Duty.MANAGE_PEOPLE, by, second)
    check_acts(people, second, now)
    for who in (by, second):
        _check_about_another(task, who)
    events = _decide(people, task, by, now)
    if isinstance(task, AddUser | ResetSecret):
        for event in events:
            people = evolve_people(people, event)
        events = [*events, _set_secret(people, task.user, secret, by, now)]
    return [replace(event, second=second) for event in events]


def is_for_device(people: People, task: PeopleTask) -> bool:
    """Whether a task is about a device, which has a key and no password."""
    if isinstance(task, AddUser):
        return frozenset(task.roles) <= DEVICES
    return people.user(task.user).device


def _decide(people: People, task: PeopleTask, by: Actor, now: datetime) -> list[PeopleEvent]:
    """Return the events of a task, except that of the secret."""
    check_acts(people, by, now)
    match task:
        case AddUser():
            return [add_user(people, task.user, task.name, frozenset(task.roles), by, now)]
        case ChangeRoles():
            return [change_roles(people, task.user, frozenset(task.roles), by, now)]
        case EnableUser():
            return [enable_user(people, task.user, by, now, task.reason)]
        case VoidFactor():
            return [void_factor(people, task.user, by, now, task.reason)]
    people.user(task.user)
    return []


def _set_secret(people: People, user: PersonId, hashed: str, by: Actor, now: datetime) -> PeopleEvent:
    if people.user(user).device:
        return set_key(people, user, hashed, by, now, halves=True)
    return set_password(people, user, hashed, by, now, halves=True)


def _check_about_another(task: PeopleTask, who: Actor) -> None:
    if who.id == task.user:
        raise IllegalError("two other administrators must decide about an administrator", value=who.id)
