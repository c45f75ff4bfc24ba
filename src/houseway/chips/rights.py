"""Which roles may take a chip action, and which actions need two people: ``data/rights.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from houseway.law.problems import Problem
from houseway.names import look_of
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor

_DATA: Final = tomllib.loads((files(__package__) / "data" / "rights.toml").read_text(encoding="utf-8"))


def _roles(rows: Mapping[str, list[str]]) -> Mapping[str, frozenset[Role]]:
    return MappingProxyType({name: frozenset(map(Role, roles)) for name, roles in rows.items()})


DUTY_ROLES: Final = _roles(_DATA["duties"])
"""The roles that may take each step, by its name."""
SECOND_ROLES: Final = _roles(_DATA["second"])
"""The roles of the second person, for steps that need two."""


def right_problems(
    step: str, by: Actor, second: Actor | None, person: str | None, *, self_service: bool
) -> Iterator[Problem]:
    """Yield why an actor may not take a step; ``person`` is the owner of the chips, if there is one."""
    duty = step.replace("_", " ")
    if by.role not in DUTY_ROLES[step]:
        yield Problem("by", f"to {duty} is for {_role_names(DUTY_ROLES[step])}", str(by))
    elif by.role is Role.PLAYER and not self_service:
        yield Problem("by", f"to {duty} at this table is for its dealer", str(by))
    elif by.role is Role.PLAYER and person != by.id:
        yield Problem("by", "players act for themselves only", str(by))
    if step in SECOND_ROLES:
        yield from _second_problems(step, duty, by, second)
    elif second is not None:
        yield Problem("second", f"to {duty} is for one person", str(second))


def _second_problems(step: str, duty: str, by: Actor, second: Actor | None) -> Iterator[Problem]:
    if second is None:
        yield Problem("second", f"to {duty} needs two people")
        return
    if second.role not in SECOND_ROLES[step]:
        yield Problem("second", f"to {duty} is seen by {_role_names(SECOND_ROLES[step])}", str(second))
    if same_person(by, second):
        yield Problem("second", f"to {duty} needs two different people", second.id)


def same_person(actor: Actor, other: Actor) -> bool:
    """Whether two actors are the same person, regardless of role and of how the id is written."""
    return look_of(actor.id) == look_of(other.id)


def _role_names(roles: frozenset[Role]) -> str:
    return " or ".join(sorted(map(str, roles)))
