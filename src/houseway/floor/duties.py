"""Duties away from the round of play, as somebody asks for them: done, or proposed to a second person.

What needs two people is put on record as a proposal; another person with the same right confirms it, or
turns it down. Only then is it done, and both are named.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final, Union

from msgspec import Struct

from houseway.chips import AnyChipAction, ChipCommand, ChipTurn, chip_problems
from houseway.chips.rights import SECOND_ROLES
from houseway.errors import IllegalError, UnknownNameError
from houseway.floor import house as floor_house
from houseway.floor import meters
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.house import House
from houseway.floor.repeats import is_same
from houseway.floor.rights import Duty, check_reason, check_right, check_two
from houseway.floor.streams import Fingerprint, ProposalClosed, Proposed, SetUp, TableId, table_stream
from houseway.games import Submission
from houseway.intake import SYSTEM_ID
from houseway.law.problems import refuse
from houseway.ledger import Units
from houseway.money import Cents
from houseway.rounds.codec import from_plain, plain
from houseway.rounds.state import CardOrigin, MeterId
from houseway.rounds.step import Actor
from houseway.settlement import meter_terms
from houseway.store.entries import Entry


class Task(Struct, frozen=True, tag_field="duty", forbid_unknown_fields=True, omit_defaults=True):
    """Something that is asked for."""


class ApproveProgram(Task, frozen=True, tag="approve_program"):
    """Let tables open under the program that runs."""


class FileSubmission(Task, frozen=True, tag="file_submission"):
    """File rules for tables."""

    submission: Submission


class ApproveSubmission(Task, frozen=True, tag="approve_submission"):
    """Approve rules that somebody else has filed."""

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
Closing = Callable[[House, datetime], list[SetUp]]
BY_TWO: Final = (ApproveProgram, MeterAdjustment, WinSlipVoid, MoveChips)
"""What two people do."""
CONFIRMED: Final = f"{SYSTEM_ID}confirmed/"
"""What the ids of commands that were proposed and confirmed begin with: nobody can type it."""


def duty_of(task: Task) -> Duty:
    """Return the duty that a task is part of."""
    return Duty(str(type(task).__struct_config__.tag))


def read_task(data: object) -> Task:
    """Read a task from plain data."""
    found: Task = from_plain(AnyTask, data, "duty")  # type: ignore[arg-type]
    return found


def ask(floor: Floor, task: Task, by: Actor, name: str) -> str | None:
    """Do something, or propose it to a second person: then return the name of the proposal.

    ``name`` is made by whoever asks: the same proposal sent again is the same.
    """
    if isinstance(task, MoveChips):
        _check_first(floor, task, by)
    else:
        check_right(duty_of(task), by)
    if not isinstance(task, BY_TWO):
        _done(floor, task, by)
        return None
    _check_reason_of(task)
    floor.set_up(
        lambda house, now: (
            [] if _is_proposed(house, name, task, by) else [propose(house, name, task, by, now)]
        )
    )
    return name


def _is_proposed(house: House, name: str, task: Task, by: Actor) -> bool:
    """Whether this very thing waits under a name already; something else under it is refused."""
    waiting = house.proposals.get(name)
    if waiting is None:
        return False
    if (waiting.task, waiting.by.id, waiting.by.role) != (plain(task), by.id, by.role):
        raise IllegalError("something else is proposed under this id", value=name)
    return True


def propose(house: House, name: str, task: Task, by: Actor, now: datetime) -> Proposed:
    """Put a proposal on record."""
    if name in house.proposals:
        raise IllegalError("there is a proposal of this name", value=name)
    return Proposed(proposal=name, task=plain(task), by=by, at=now)


def proposed_task(floor: Floor, name: str) -> Task:
    """Return what was proposed under a name, and waits."""
    return read_task(_open(floor.house, name).task)


def confirm(floor: Floor, name: str, second: Actor) -> None:
    """Do what was proposed, as its second person."""
    proposed, task = _open(floor.house, name), proposed_task(floor, name)
    assert not isinstance(task, MoveChips), "chips are moved by a command at their table"
    check_two(duty_of(task), proposed.by, second)
    _done_by_two(
        floor,
        task,
        proposed.by,
        second,
        lambda house, now: [_closed(house, name, second, now, done=True)],
    )


def turn_down(floor: Floor, name: str, by: Actor, reason: str) -> None:
    """Turn a proposal down, or take one's own back."""
    proposed = _open(floor.house, name)
    task = read_task(proposed.task)
    if not isinstance(task, MoveChips):
        check_right(duty_of(task), by)
    elif proposed.by.id != by.id:
        _check_second(task, by)
    check_reason(reason)
    floor.set_up(lambda house, now: [_closed(house, name, by, now, done=False, reason=reason)])


# --- chips of a table, by two people ------------------------------------------------------------------


def proposed_chips(floor: Floor, name: str, second: Actor) -> tuple[TableId, ChipCommand] | None:
    """Return the command that a proposal about chips comes to with its second person; none if it is another.

    The command is named by the proposal and its moment: confirmed twice, it is carried out once, and a later
    proposal of the same name is another.
    """
    proposed = _open(floor.house, name)
    task = read_task(proposed.task)
    if not isinstance(task, MoveChips):
        return None
    command = f"{CONFIRMED}{name}/{proposed.at.isoformat()}"
    older = f"{name}/confirmed"  # as an older program named it, if it was stopped before closing the proposal
    if any(_is_of(proposed, task, entry) for entry in floor.store.known([older])):
        command = older
    return task.table, ChipCommand(id=command, by=proposed.by, second=second, action=task.action)


def _is_of(proposed: Proposed, task: MoveChips, entry: Entry) -> bool:
    """Whether an entry is what a proposal about chips came to with a second person."""
    turn = read_body(entry)
    if not isinstance(turn, ChipTurn) or entry.stream != table_stream(task.table):
        return False
    return turn.second is not None and is_same(turn, proposed.by, task.action)


def close_chips(floor: Floor, name: str, second: Actor) -> None:
    """Close a proposal about chips that was carried out, unless that is done."""
    floor.set_up(
        lambda house, now: [_closed(house, name, second, now, done=True)] if name in house.proposals else []
    )


def _check_first(floor: Floor, task: MoveChips, by: Actor) -> None:
    """Refuse what no second person could make right."""
    step, running = task.action.step, floor.table(task.table)
    if step not in SECOND_ROLES:
        raise IllegalError("this is done by one person, at the table", value=step)
    if not running.chips:
        raise IllegalError("the chips of this table are not followed", value=task.table)
    problems = chip_problems(running.tray, task.action, by, None, floor.clock(), floor.chips)
    refuse(step, [problem for problem in problems if problem.field != f"{step}.second"])


def _check_second(task: MoveChips, by: Actor) -> None:
    if by.role not in SECOND_ROLES[task.action.step]:
        raise IllegalError(f"to {task.action.step.replace('_', ' ')} is not for them", value=str(by))


def _open(house: House, name: str) -> Proposed:
    if name not in house.proposals:
        raise UnknownNameError("no such proposal waits", value=name)
    return house.proposals[name]


def _closed(
    house: House, name: str, by: Actor, now: datetime, *, done: bool, reason: str = ""
) -> ProposalClosed:
    _open(house, name)
    return ProposalClosed(proposal=name, done=done, reason=reason, by=by, at=now)


def _check_reason_of(task: Task) -> None:
    if isinstance(task, MeterAdjustment | WinSlipVoid):
        check_reason(task.reason)


def _done(floor: Floor, task: Task, by: Actor) -> None:
    """Do what one person does."""
    if isinstance(task, ReadMeter):
        floor.on_meter(task.meter, lambda m, at: meters.read_meter(m, by, task.shown, task.explained, at))
    elif isinstance(task, PrintSlip):
        floor.on_meter(task.meter, lambda m, at: meters.print_slip(m, task.serial, by, at))
    else:
        floor.set_up(lambda house, now: _set_up(house, task, by, now))


def _set_up(house: House, task: Task, by: Actor, now: datetime) -> list[SetUp]:
    match task:
        case FileSubmission():
            return [floor_house.file_submission(house, task.submission, by, now)]
        case ApproveSubmission():
            return [floor_house.approve_submission(house, task.submission, by, now, task.effective)]
        case EndSubmission():
            return [floor_house.end_submission(house, task.submission, by, now, task.reason)]
        case MakeTable():
            return floor_house.make_table(
                house,
                task.table,
                task.submission,
                by,
                now,
                meter=task.meter,
                origin=task.origin,
                chips=task.chips,
            )
        case ChangeLink():
            return [
                floor_house.change_link(
                    house, task.meter, task.table, by, now, up=task.up, reason=task.reason
                )
            ]
    raise IllegalError("this is done by two people", value=duty_of(task))


def _done_by_two(floor: Floor, task: Task, by: Actor, second: Actor, closing: Closing) -> None:
    """Do what two people do, and close the proposal with it: both are stored, or neither."""
    match task:
        case ApproveProgram():
            program = floor_house.this_program()
            floor.set_up(
                lambda house, now: [
                    floor_house.approve_program(program, by, second, now),
                    *closing(house, now),
                ]
            )
        case MeterAdjustment():
            table = floor.table(floor.house.tables_on(task.meter)[0])
            terms = meter_terms(table.rules, task.meter)
            floor.on_meter(
                task.meter,
                lambda m, at: meters.adjust_meter(m, terms, by, second, task.amount, task.reason, at),
                closing,
            )
        case WinSlipVoid():
            floor.on_meter(
                task.meter,
                lambda m, at: meters.void_slip(m, task.serial, by, second, task.reason, at),
                closing,
            )
        case _:
            raise IllegalError("this is done by one person", value=duty_of(task))
