"""Who may do what with a table's chips, and what needs two people: the data table ``data/rights.toml``."""

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
"""Who has each duty, by the name of what is done."""
SECOND_ROLES: Final = _roles(_DATA["second"])
"""Who may be the second person, where two are needed."""


def right_problems(
    step: str, by: Actor, second: Actor | None, person: str | None, *, self_service: bool
) -> Iterator[Problem]:
    """Yield why somebody may not do something; ``person`` is whose chips it is done with, if anybody's."""
    duty = step.replace("_", " ")
    if by.role not in DUTY_ROLES[step]:
        yield Problem("by", f"to {duty} is for {_named(DUTY_ROLES[step])}", str(by))
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
        yield Problem("second", f"to {duty} is seen by {_named(SECOND_ROLES[step])}", str(second))
    if same_person(by, second):
        yield Problem("second", f"to {duty} needs two different people", second.id)


def same_person(actor: Actor, other: Actor) -> bool:
    """Whether two actors are one person, in whatever capacity and however the id is written."""
    return look_of(actor.id) == look_of(other.id)


def _named(roles: frozenset[Role]) -> str:
    return " or ".join(sorted(map(str, roles)))
