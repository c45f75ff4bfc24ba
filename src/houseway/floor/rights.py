"""Who may do what on the floor: duties away from the round of play, and those that need two people."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from houseway.chips.rights import same_person
from houseway.errors import IllegalError
from houseway.intake import read_text
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor

COMMAND_LINE: Final = Actor("houseway/command-line", Role.ADMINISTRATOR, "the command line")
"""The operator at the command line. No user's id has a slash, so no one is this actor over a network."""
_DATA: Final = tomllib.loads((files(__package__) / "data" / "rights.toml").read_text(encoding="utf-8"))


class Duty(StrEnum):
    """Something that is done on the floor and at no table."""

    APPROVE_PROGRAM = "approve_program"
    FILE_SUBMISSION = "file_submission"
    APPROVE_SUBMISSION = "approve_submission"
    END_SUBMISSION = "end_submission"
    MAKE_TABLE = "make_table"
    CHANGE_LINK = "change_link"
    ADJUST_METER = "adjust_meter"
    READ_METER = "read_meter"
    VOID_SLIP = "void_slip"
    PRINT_SLIP = "print_slip"
    MANAGE_PEOPLE = "manage_people"

    @property
    def words(self) -> str:
        """The duty in words."""
        return self.replace("_", " ")


DUTY_ROLES: Final[Mapping[Duty, frozenset[Role]]] = MappingProxyType(
    {Duty(name): frozenset(map(Role, roles)) for name, roles in _DATA["duties"].items()}
)
"""Who has each duty."""


def check_right(duty: Duty, by: Actor) -> None:
    """Refuse an actor whose role does not have the duty."""
    if by.role not in DUTY_ROLES[duty]:
        who = " or ".join(sorted(DUTY_ROLES[duty])).replace("_", " ")
        raise IllegalError(f"to {duty.words} is for {who}", value=str(by))


def check_two(duty: Duty, by: Actor, second: Actor) -> None:
    """Refuse a duty of two people that is not done by two different ones."""
    for actor in (by, second):
        check_right(duty, actor)
    if same_person(by, second):
        raise IllegalError(f"to {duty.words} needs two people", value=by.id)


def check_reason(reason: str) -> None:
    """Refuse what is done without a reason on record."""
    if not reason.strip():
        raise IllegalError("the reason is put on record", value=reason)


def check_at_command_line(by: Actor, operator: str) -> None:
    """Refuse any actor but the command line, and an operator's name that cannot be typed."""
    if by != COMMAND_LINE:
        raise IllegalError("this is done only at the command line", value=by.id)
    if operator and read_text(operator, "by").strip() != operator:
        raise IllegalError("a name has no space at its beginning or end", value=operator)
