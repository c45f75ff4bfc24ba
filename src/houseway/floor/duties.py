"""Duties away from the round of play: done at once, or proposed to a second person.

What needs two people is put on record as a proposal; another person with the same right confirms it, or
turns it down. Only then is it done, and both are named.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from msgspec.structs import replace

from houseway.chips import ChipCommand, ChipTurn, chip_problems
from houseway.chips.rights import SECOND_ROLES, same_person
from houseway.errors import IllegalError, UnknownNameError
from houseway.floor import house as floor_house
from houseway.floor import shared_meters
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.house import House
from houseway.floor.repeats import is_same
from houseway.floor.rights import check_reason, check_right, check_two
from houseway.floor.setup_events import ProposalClosed, Proposed, SetupEvent
from houseway.floor.streams import TableId, table_stream
from houseway.floor.tasks import (
    BY_TWO,
    AdjustAtTable,
    ApproveProgram,
    ApproveSubmission,
    ChangeLink,
    EnableUser,
    EndSubmission,
    FileSubmission,
    MakeTable,
    MeterAdjustment,
    MoveChips,
    PeopleTask,
    PrintSlip,
    ReadMeter,
    Task,
    VoidFactor,
    WinSlipVoid,
    duty_of,
    read_proposed,
    seconds_of,
)
from houseway.intake import CONFIRMED
from houseway.law.problems import refuse
from houseway.rounds.codec import plain
from houseway.rounds.deciding import verify
from houseway.rounds.step import Actor, Command, Proposal
from houseway.rounds.steps.meter import AdjustMeter
from houseway.settlement import meter_terms
from houseway.store.entries import Entry

_WHOEVER_CONFIRMS: Final = "whoever confirms it"
"""Stands for a second person until there is one."""
Closing = Callable[[House, datetime], list[SetupEvent]]


def show_proposal(proposed: Proposed) -> Proposed:
    """Return a proposal as people are shown it: without the hash of a secret, or a second person."""
    task = {name: value for name, value in proposed.task.items() if name != "first_half"}
    if isinstance(task.get("action"), dict):  # the second person is not known before they confirm it
        task["action"] = {name: value for name, value in task["action"].items() if name != "second"}
    return replace(proposed, task=task, browser="")


def ask(floor: Floor, task: Task, by: Actor, name: str, browser: str = "") -> str | None:
    """Do something, or propose it to a second person: then return the name of the proposal.

    ``name`` is made by the client, so that a proposal sent again is the same. ``browser`` is the same for
    all sessions begun one over another: a second person has none of them.
    """
    if isinstance(task, MoveChips):
        _check_chips(floor, task, by)
    elif isinstance(task, AdjustAtTable):
        _check_adjustment(floor, task, by)
    else:
        check_right(duty_of(task), by)
    if not isinstance(task, BY_TWO):
        _do(floor, task, by)
        return None
    _check_reason_of(task)
    floor.set_up(
        lambda house, now: (
            [] if _is_proposed(house, name, task, by) else [propose(house, name, task, by, now, browser)]
        )
    )
    return name


def _is_proposed(house: House, name: str, task: Task, by: Actor) -> bool:
    """Whether this task is proposed under a name already; another task under it is refused."""
    waiting = house.proposals.get(name)
    if waiting is None:
        return False
    if (waiting.task, waiting.by.id, waiting.by.role) != (plain(task), by.id, by.role):
        raise IllegalError("something else is proposed under this id", value=name)
    return True


def propose(house: House, name: str, task: Task, by: Actor, now: datetime, browser: str = "") -> Proposed:
    """Put a proposal on record."""
    if name in house.proposals:
        raise IllegalError("there is a proposal of this name", value=name)
    return Proposed(proposal=name, task=plain(task), browser=browser, by=by, at=now)


def task_of_proposal(floor: Floor, name: str) -> Task:
    """Return the task of a proposal that waits."""
    return read_proposed(_open(floor.house, name).task)


def confirm(floor: Floor, name: str, second: Actor, browser: str = "") -> None:
    """Do what was proposed, as its second person."""
    proposed, task = _open(floor.house, name), task_of_proposal(floor, name)
    assert not isinstance(task, MoveChips | AdjustAtTable), "done by a command at their table"
    check_two(duty_of(task), proposed.by, second)
    _check_browsers(proposed, second, browser)
    _do_by_two(
        floor,
        task,
        proposed.by,
        second,
        lambda house, now: [close(house, name, second, now, done=True)],
    )


def turn_down(floor: Floor, name: str, by: Actor, reason: str) -> None:
    """Turn a proposal down, or take one's own back."""
    check_turns_down(_open(floor.house, name), by, reason)
    floor.set_up(lambda house, now: [close(house, name, by, now, done=False, reason=reason)])


def check_turns_down(proposed: Proposed, by: Actor, reason: str) -> None:
    """Refuse an actor who may neither confirm a proposal nor take it back, and one who gives no reason."""
    task = read_proposed(proposed.task)
    if not isinstance(task, MoveChips | AdjustAtTable):
        check_right(duty_of(task), by)
    elif proposed.by.id != by.id:
        _check_second(task, by)
    check_reason(reason)


# --- people, by two people ----------------------------------------------------------------------------


def check_not_proposed(house: House, task: PeopleTask) -> None:
    """Refuse to propose the same about a user twice."""
    for name, proposed in house.proposals.items():
        waiting = read_proposed(proposed.task)
        if type(waiting) is type(task) and waiting.user == task.user:
            raise IllegalError("this is proposed already and waits for a second person", value=name)


def people_proposal(floor: Floor, name: str, second: Actor, browser: str = "") -> tuple[Proposed, PeopleTask]:
    """Return a proposal about people, and its task, for its second person."""
    proposed, task = _open(floor.house, name), task_of_proposal(floor, name)
    assert isinstance(task, PeopleTask), "everything else is confirmed on the floor"
    check_two(duty_of(task), proposed.by, second)
    _check_browsers(proposed, second, browser)
    return proposed, task


# --- at a table, by two people ------------------------------------------------------------------------


def command_of_proposal(
    floor: Floor, name: str, second: Actor, browser: str = ""
) -> tuple[TableId, Command | ChipCommand] | None:
    """Return the command that confirms a proposal at a table; None if the proposal is of another kind.

    The command is named by the proposal and its moment: confirmed twice, it is carried out once, and a later
    proposal of the same name is another.
    """
    proposed = _open(floor.house, name)
    task = read_proposed(proposed.task)
    if not isinstance(task, MoveChips | AdjustAtTable):
        return None
    _check_browsers(proposed, second, browser)
    command_id = f"{CONFIRMED}{name}/{proposed.at.isoformat()}"
    if isinstance(task, MoveChips):
        older = f"{name}/confirmed"  # as an older program named it, if it stopped before closing the proposal
        if any(_is_of(proposed, task, entry) for entry in floor.store.entries_of([older])):
            command_id = older
        chips = ChipCommand(id=command_id, by=proposed.by, second=second, action=task.action)
        return task.table, chips
    _check_second(task, second)
    if same_person(proposed.by, second):
        raise IllegalError("to adjust a meter needs two people", value=second.id)
    action = replace(task.action, second=second.id)
    return task.table, Command(proposed.by, action, id=command_id)


def is_confirmed(house: House, table: TableId, command: Command | ChipCommand) -> bool:
    """Whether a command is the confirmation of a proposal that waits."""
    for name, proposed in house.proposals.items():
        if command.id != f"{CONFIRMED}{name}/{proposed.at.isoformat()}":
            continue
        task = read_proposed(proposed.task)
        if isinstance(task, MoveChips) and isinstance(command, ChipCommand):
            return (task.table, task.action, proposed.by) == (table, command.action, command.by)
        if isinstance(task, AdjustAtTable) and isinstance(command.action, AdjustMeter):
            action = replace(task.action, second=command.action.second)
            return (task.table, action, proposed.by) == (table, command.action, command.by)
    return False


def _is_of(proposed: Proposed, task: MoveChips, entry: Entry) -> bool:
    """Whether an entry is the confirmed command of a proposal about chips."""
    turn = read_body(entry)
    if not isinstance(turn, ChipTurn) or entry.stream != table_stream(task.table):
        return False
    return turn.second is not None and is_same(turn, proposed.by, task.action)


def close_command(floor: Floor, name: str, second: Actor) -> None:
    """Close a proposal at a table that was carried out, unless that is done."""
    floor.set_up(
        lambda house, now: [close(house, name, second, now, done=True)] if name in house.proposals else []
    )


def _check_chips(floor: Floor, task: MoveChips, by: Actor) -> None:
    """Refuse what is wrong whoever the second person is."""
    step, running = task.action.step, floor.table(task.table)
    if step not in SECOND_ROLES:
        raise IllegalError("this is done by one person, at the table", value=step)
    if not running.chips:
        raise IllegalError("the chips of this table are not followed", value=task.table)
    problems = chip_problems(running.tray, task.action, by, None, floor.clock(), floor.chips)
    refuse(step, [problem for problem in problems if problem.field != f"{step}.second"])


def _check_adjustment(floor: Floor, task: AdjustAtTable, by: Actor) -> None:
    """Refuse what is wrong by the rules of the table, whoever the second person is."""
    running, proposal = floor.table(task.table), Proposal(by, replace(task.action, second=_WHOEVER_CONFIRMS))
    problems = verify(running.rules, running.table, proposal, floor.moment(task.table))
    if any(problem.blocks for problem in problems):
        refuse(proposal.step, problems)


def _check_second(task: MoveChips | AdjustAtTable, by: Actor) -> None:
    if by.role not in seconds_of(task):
        raise IllegalError(f"to {task.action.step.replace('_', ' ')} is not for them", value=str(by))


def _open(house: House, name: str) -> Proposed:
    if name not in house.proposals:
        raise UnknownNameError("no such proposal waits", value=name)
    return house.proposals[name]


def _check_browsers(proposed: Proposed, second: Actor, browser: str) -> None:
    """Refuse a second person who has signed in over the first one's session."""
    if browser and browser == proposed.browser:
        raise IllegalError(
            "the second person signs in with a session of their own, not over that of the first",
            value=second.id,
        )


def close(
    house: House, name: str, by: Actor, now: datetime, *, done: bool, reason: str = ""
) -> ProposalClosed:
    """Close a proposal that waits: it was carried out with a second person, or turned down."""
    _open(house, name)
    return ProposalClosed(proposal=name, done=done, reason=reason, by=by, at=now)


def _check_reason_of(task: Task) -> None:
    if isinstance(task, MeterAdjustment | WinSlipVoid | EnableUser | VoidFactor):
        check_reason(task.reason)


def _do(floor: Floor, task: Task, by: Actor) -> None:
    """Do what one person does."""
    if isinstance(task, ReadMeter):
        floor.on_meter(
            task.meter, lambda m, at: shared_meters.read_meter(m, by, task.shown, task.explained, at)
        )
    elif isinstance(task, PrintSlip):
        floor.on_meter(task.meter, lambda m, at: shared_meters.print_slip(m, task.serial, by, at))
    else:
        floor.set_up(lambda house, now: _set_up(house, task, by, now))


def _set_up(house: House, task: Task, by: Actor, now: datetime) -> list[SetupEvent]:
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


def _do_by_two(floor: Floor, task: Task, by: Actor, second: Actor, closing: Closing) -> None:
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
                lambda m, at: shared_meters.adjust_meter(m, terms, by, second, task.amount, task.reason, at),
                closing,
            )
        case WinSlipVoid():
            floor.on_meter(
                task.meter,
                lambda m, at: shared_meters.void_slip(m, task.serial, by, second, task.reason, at),
                closing,
            )
        case _:
            raise IllegalError("this is done by one person", value=duty_of(task))
