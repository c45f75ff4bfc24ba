"""The tasks away from the round of play: each duty as a value, recorded in the form in which it is sent.

What two people do is put on record as a proposal, which holds one of these.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, Union

from msgspec import Struct

from houseway.chips import AnyChipAction
from houseway.chips.rights import SECOND_ROLES
from houseway.floor.rights import DUTY_ROLES, Duty
from houseway.floor.streams import Fingerprint, TableId
from houseway.games import Submission
from houseway.ledger import Units
from houseway.money import Cents
from houseway.rounds.codec import from_plain
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, MeterId, PersonId
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.meter import AdjustMeter


class Task(Struct, frozen=True, tag_field="duty", forbid_unknown_fields=True, omit_defaults=True):
    """A task that a person asks for."""


class ApproveProgram(Task, frozen=True, tag="approve_program"):
    """Let tables open under the program that runs."""


class FileSubmission(Task, frozen=True, tag="file_submission"):
    """File rules for tables."""

    submission: Submission


class ApproveSubmission(Task, frozen=True, tag="approve_submission"):
    """Approve rules that another person has filed."""

    submission: Fingerprint
    effective: datetime | None = None


class EndSubmission(Task, frozen=True, tag="end_submission"):
    """End rules."""

    submission: Fingerprint
    reason: str


class MakeTable(Task, frozen=True, tag="make_table"):
    """Make a table that plays by a submission in effect."""

    table: TableId
    submission: Fingerprint
    meter: MeterId | None = None
    origin: CardOrigin = CardOrigin.VIRTUAL_DECK
    chips: bool = False


class ChangeLink(Task, frozen=True, tag="change_link"):
    """Record that a link to a meter went down or came back."""

    meter: MeterId
    up: bool
    reason: str
    table: TableId | None = None


class MeterAdjustment(Task, frozen=True, tag="adjust_meter"):
    """Adjust a meter by hand."""

    meter: MeterId
    amount: Units
    reason: str


class ReadMeter(Task, frozen=True, tag="read_meter"):
    """Record a reading of a meter's display."""

    meter: MeterId
    shown: Cents
    explained: str = ""


class PrintSlip(Task, frozen=True, tag="print_slip"):
    """Print the slip of a win."""

    meter: MeterId
    serial: str


class WinSlipVoid(Task, frozen=True, tag="void_slip"):
    """Void the slip of a win."""

    meter: MeterId
    serial: str
    reason: str


class MoveChips(Task, frozen=True, tag="move_chips"):
    """Do something with a table's chips that two people do."""

    table: TableId
    action: AnyChipAction


class AdjustAtTable(Task, frozen=True, tag="adjust_at_table"):
    """Adjust a meter at its table, for a recorded win where there is one: a step of the round."""

    table: TableId
    action: AdjustMeter


class PeopleTask(Task, frozen=True):
    """A task about a user that takes two people, carried out where people are managed."""

    user: PersonId


class AddUser(PeopleTask, frozen=True, tag="add_user"):
    """Add a person or a device."""

    name: str
    roles: tuple[Role, ...]
    first_half: str
    """The hash of the half of their first password or key that is shown to the person who proposes them."""


class ChangeRoles(PeopleTask, frozen=True, tag="change_roles"):
    """Give a user roles."""

    roles: tuple[Role, ...]


class ResetSecret(PeopleTask, frozen=True, tag="reset_secret"):
    """Give a person a temporary password, or a device another key."""

    first_half: str


class EnableUser(PeopleTask, frozen=True, tag="enable_user"):
    """Let a disabled user sign in again."""

    reason: str


class VoidFactor(PeopleTask, frozen=True, tag="void_factor"):
    """Void the second factor of a person whose device is lost."""

    reason: str


AnyTask = Union[  # noqa: UP007 - msgspec reads it at run time
    ApproveProgram,
    FileSubmission,
    ApproveSubmission,
    EndSubmission,
    MakeTable,
    ChangeLink,
    MeterAdjustment,
    ReadMeter,
    PrintSlip,
    WinSlipVoid,
    MoveChips,
]
AnyProposed = Union[AnyTask, AdjustAtTable, AddUser, ChangeRoles, ResetSecret, EnableUser, VoidFactor]  # noqa: UP007 - as above
"""What may be on record as a proposal; steps of the round and people are asked for at routes of their own."""
BY_TWO: Final = (ApproveProgram, MeterAdjustment, WinSlipVoid, MoveChips, AdjustAtTable, PeopleTask)
"""What two people do."""


def duty_of(task: Task) -> Duty:
    """Return the duty that a task is part of."""
    if isinstance(task, PeopleTask):
        return Duty.MANAGE_PEOPLE
    if isinstance(task, AdjustAtTable):
        return Duty.ADJUST_METER
    return Duty(str(type(task).__struct_config__.tag))


def seconds_of(task: Task) -> frozenset[Role]:
    """Return the roles of the second person."""
    if isinstance(task, MoveChips):
        return SECOND_ROLES[task.action.step]
    if isinstance(task, AdjustAtTable):
        return STEPS[task.action.step].roles
    return DUTY_ROLES[duty_of(task)]


def read_task(data: object) -> Task:
    """Read a task from plain data, as a client sends it."""
    task: Task = from_plain(AnyTask, data, "duty")  # type: ignore[arg-type]
    return task


def read_proposed(data: object) -> Task:
    """Read a task from plain data, as it was proposed."""
    task: Task = from_plain(AnyProposed, data, "duty")  # type: ignore[arg-type]
    return task
