"""What two people do at a table: proposed by one, done by a command that the other's word completes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from houseway.chips import ChipCommand
from houseway.chips.actions import BuyIn, CountDrop, CountOpener, TakeDrop, VoidSlip
from houseway.chips.rights import SECOND_ROLES
from houseway.errors import HousewayError, IllegalError, UnknownNameError
from houseway.floor import duties
from houseway.floor.core import Floor
from houseway.floor.duties import check_turns_down, command_of_proposal, is_confirmed, show_proposal
from houseway.floor.rights import DUTY_ROLES, Duty
from houseway.floor.setup_events import Proposed
from houseway.floor.tasks import (
    AddUser,
    AdjustAtTable,
    ApproveProgram,
    ChangeRoles,
    EnableUser,
    FileSubmission,
    MeterAdjustment,
    MoveChips,
    ReadMeter,
    ResetSecret,
    Task,
    VoidFactor,
    WinSlipVoid,
    duty_of,
    seconds_of,
)
from houseway.floor.verification import verify_floor
from houseway.games import example_submission
from houseway.ledger import units
from houseway.money import Cents
from houseway.rounds.codec import plain
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.meter import AdjustMeter
from houseway.store.memory import MemoryStore
from tests.chips.support import DEB, FLOAT
from tests.floor.support import EVA, FLO, MAX, NOON, make_table, new_floor, two_tables
from tests.floor.test_chips import done

DROP = MoveChips("t1", TakeDrop("B1"))
FAY = Actor("Fay", Role.FLOORPERSON)


def with_tray() -> Floor:
    """Return a floor with two tables that follow chips, the tray of the first counted."""
    floor = new_floor(MemoryStore())
    for table in ("t1", "t2"):
        make_table(floor, table, example_submission("pa-575"), chips=True)
    done(floor, DEB, CountOpener(FLOAT), FLO)
    return floor


def proposed(floor: Floor, task: Task = DROP, by: Actor = FLO, browser: str = "") -> ChipCommand:
    """Propose something with chips; return the command it comes to."""
    duties.ask(floor, task, by, "drop", browser)
    named = command_of_proposal(floor, "drop", EVA)
    assert named is not None
    table, command = named
    assert table == "t1" and isinstance(command, ChipCommand)
    return command


def test_chips_that_two_people_move_are_moved_once_and_the_log_is_whole() -> None:
    floor = with_tray()
    command = proposed(floor)
    assert (command.by, command.second, command.action) == (FLO, EVA, DROP.action)
    assert command.id == f"!confirmed/drop/{NOON.isoformat()}"
    for _ in range(2):
        floor.submit("t1", command)
        (answer,) = floor.run()
        assert answer.version == 2 and not answer.refused
    assert floor.table("t1").tray.taken == {"B1": 0}
    duties.close_command(floor, "drop", EVA)
    duties.close_command(floor, "drop", EVA)  # asked again
    assert not floor.house.proposals
    with floor.store.picture() as picture:
        verify_floor(picture)
    with pytest.raises(UnknownNameError):
        command_of_proposal(floor, "drop", EVA)


def test_a_command_is_confirmed_where_it_is_what_was_proposed_and_only_there() -> None:
    floor = with_tray()
    command, house = proposed(floor), floor.house
    assert is_confirmed(house, "t1", command)
    others = [
        ("t2", command),
        ("t1", replace(command, id=f"{command.id}x")),
        ("t1", replace(command, action=TakeDrop("B2"))),
        ("t1", replace(command, by=FAY)),
        ("t1", replace(command, by=replace(FLO, role=Role.MANAGER))),
    ]
    for table, other in others:
        assert not is_confirmed(house, table, other)
    assert not is_confirmed(replace(house, proposals={}), "t1", command)
    more = {"other": replace(house.proposals["drop"], proposal="other"), **house.proposals}
    assert is_confirmed(replace(house, proposals=more), "t1", command)


ADJUST = AdjustAtTable("t1", AdjustMeter(Cents(5), "audit", second=""))


@pytest.mark.parametrize(
    ("browser", "mine", "refused"),
    [("", "", False), ("b", "", False), ("b", "c", False), ("", "c", False), ("b", "b", True)],
)
def test_a_second_person_has_not_signed_in_over_the_session_of_the_first(
    browser: str, mine: str, refused: bool
) -> None:
    floor = with_tray()
    duties.ask(floor, DROP, FLO, "drop", browser)
    duties.ask(floor, ApproveProgram(), MAX, "program", browser)
    if refused:
        with pytest.raises(IllegalError, match="signs in with a session of their own"):
            command_of_proposal(floor, "drop", EVA, mine)
        with pytest.raises(IllegalError, match="signs in with a session of their own"):
            duties.confirm(floor, "program", EVA, mine)
    else:
        assert command_of_proposal(floor, "drop", EVA, mine) is not None
        duties.confirm(floor, "program", EVA, mine)


def test_what_is_no_command_at_a_table_comes_to_none() -> None:
    floor = with_tray()
    duties.ask(floor, ApproveProgram(), MAX, "program")
    assert command_of_proposal(floor, "program", EVA) is None


@pytest.mark.parametrize(
    ("task", "why"),
    [
        (MoveChips("t1", BuyIn("Ann", Cents(1))), "done by one person, at the table"),
        (MoveChips("t1", VoidSlip("F-0001", "late")), "no such slip is under way"),
        (MoveChips("t1", CountDrop("B1", Cents(0))), "is for accounting"),
        (MoveChips("t3", TakeDrop("B1")), "no such table"),
    ],
)
def test_what_no_second_person_could_make_right_is_not_put_on_record(task: Task, why: str) -> None:
    floor = with_tray()
    with pytest.raises(HousewayError, match=why):
        duties.ask(floor, task, FLO, "x")
    assert not floor.house.proposals


def test_chips_that_are_not_followed_are_not_moved_by_two_either() -> None:
    floor = two_tables(new_floor(MemoryStore()), "pa-575")
    with pytest.raises(IllegalError, match="not followed"):
        duties.ask(floor, DROP, FLO, "x")


# --- the name of a proposal ---------------------------------------------------------------------------


def test_a_name_stands_for_one_proposal_of_one_person() -> None:
    floor = with_tray()
    assert duties.ask(floor, DROP, FLO, "drop") == "drop"
    before = floor.store.heads()
    assert duties.ask(floor, DROP, FLO, "drop") == "drop"
    assert floor.store.heads() == before
    others: list[tuple[Task, Actor]] = [
        (MoveChips("t1", TakeDrop("B2")), FLO),
        (DROP, FAY),
        (DROP, replace(FLO, role=Role.MANAGER)),
    ]
    for task, by in others:
        with pytest.raises(IllegalError, match="something else is proposed under this id"):
            duties.ask(floor, task, by, "drop")
    with pytest.raises(IllegalError, match="there is a proposal of this name"):
        duties.propose(floor.house, "drop", DROP, FLO, NOON)


# --- turned down --------------------------------------------------------------------------------------

PEOPLE: tuple[Task, ...] = (
    AddUser("x", "X", (Role.DEALER,), "hash"),
    ChangeRoles("x", (Role.DEALER,)),
    ResetSecret("x", "hash"),
    EnableUser("x", "back"),
    VoidFactor("x", "lost"),
)
BY_TWO: tuple[Task, ...] = (
    ApproveProgram(),
    MeterAdjustment("link", 1, "x"),
    WinSlipVoid("link", "s", "x"),
    DROP,
    MoveChips("t1", CountDrop("B1", Cents(0))),
    MoveChips("t1", VoidSlip("F-0001", "x")),
    ADJUST,
    *PEOPLE,
)


def second_roles(task: Task) -> frozenset[Role]:
    """Return who may confirm or turn down each task, written out apart from the program."""
    if isinstance(task, MoveChips):
        return SECOND_ROLES[task.action.step]
    if isinstance(task, AdjustAtTable):
        return STEPS["adjust_meter"].roles
    duties_of = {ApproveProgram: Duty.APPROVE_PROGRAM, MeterAdjustment: Duty.ADJUST_METER}
    duties_of |= {WinSlipVoid: Duty.VOID_SLIP}
    return DUTY_ROLES[duties_of.get(type(task), Duty.MANAGE_PEOPLE)]


@pytest.mark.parametrize("task", BY_TWO, ids=lambda task: type(task).__name__)
@pytest.mark.parametrize("role", Role)
def test_who_may_confirm_may_turn_down_and_nobody_else(task: Task, role: Role) -> None:
    waiting = Proposed(proposal="x", task=plain(task), by=Actor("Somebody", Role.MANAGER), at=NOON)
    somebody = Actor("Else", role)
    assert seconds_of(task) == second_roles(task)
    if role in second_roles(task):
        check_turns_down(waiting, somebody, "no")
        with pytest.raises(IllegalError, match="reason"):
            check_turns_down(waiting, somebody, " ")
    else:
        with pytest.raises(IllegalError, match="for"):
            check_turns_down(waiting, somebody, "no")


@pytest.mark.parametrize("task", [DROP, ADJUST], ids=lambda task: type(task).__name__)
def test_whoever_proposed_something_at_a_table_takes_it_back(task: Task) -> None:
    mine = Actor("Somebody", Role.DEALER)
    check_turns_down(Proposed(proposal="x", task=plain(task), by=mine, at=NOON), mine, "a mistake")


@pytest.mark.parametrize(
    ("task", "duty"),
    [
        (ADJUST, Duty.ADJUST_METER),
        (FileSubmission(example_submission("pa-575")), Duty.FILE_SUBMISSION),
        (ReadMeter("link", Cents(0)), Duty.READ_METER),
        *((task, Duty.MANAGE_PEOPLE) for task in PEOPLE),
    ],
)
def test_every_task_is_part_of_a_duty(task: Task, duty: Duty) -> None:
    assert duty_of(task) is duty


@pytest.mark.parametrize("task", [EnableUser("x", " "), VoidFactor("x", " "), MeterAdjustment("link", 1, "")])
def test_a_reason_is_on_record_before_anything_is_proposed(task: Task) -> None:
    floor = with_tray()
    by = Actor("Ada", Role.ADMINISTRATOR) if not isinstance(task, MeterAdjustment) else MAX
    with pytest.raises(IllegalError, match="reason"):
        duties.ask(floor, task, by, "x")
    assert not floor.house.proposals


def test_a_proposal_is_shown_without_secrets_and_without_a_second_person() -> None:
    waiting = Proposed(proposal="x", task=plain(ADJUST), by=FLO, at=NOON, browser="b")
    shown = show_proposal(waiting)
    assert shown.browser == "" and "second" not in shown.task["action"]
    assert shown.task["action"]["reason"] == "audit" and shown.task["table"] == "t1"
    added = show_proposal(replace(waiting, task=plain(PEOPLE[0])))
    assert "first_half" not in added.task and added.task["name"] == "X"


# --- a meter adjusted at its table --------------------------------------------------------------------


@pytest.fixture
def washington() -> Floor:
    return two_tables(new_floor(MemoryStore()), "wa-fap")


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (EVA, ""),
        (FAY, ""),
        (Actor("Flo", Role.MANAGER), "needs two people"),
        (Actor("Ann", Role.PLAYER), "is not for them"),
        (DEB, "is not for them"),
    ],
)
def test_a_meter_is_adjusted_at_its_table_by_two_different_people(
    washington: Floor, second: Actor, why: str
) -> None:
    before = washington.meter("link").state.value
    assert duties.ask(washington, ADJUST, FLO, "adjust") == "adjust"
    if why:
        with pytest.raises(IllegalError, match=why):
            command_of_proposal(washington, "adjust", second)
        return
    named = command_of_proposal(washington, "adjust", second)
    assert named is not None
    table, command = named
    assert not isinstance(command, ChipCommand)
    assert table == "t1" and command.by == FLO
    assert isinstance(command.action, AdjustMeter) and command.action.second == second.id
    assert is_confirmed(washington.house, "t1", command)
    for other in (
        replace(command, by=FAY if second != FAY else MAX),
        replace(command, action=replace(command.action, amount=Cents(6))),
        replace(command, id="x"),
    ):
        assert not is_confirmed(washington.house, "t1", other)
    assert not is_confirmed(washington.house, "t2", command)
    washington.submit(table, command)
    (answer,) = washington.run()
    assert answer.done and washington.meter("link").state.value == before + units(5)


def test_an_adjustment_that_the_rules_of_the_table_refuse_is_not_proposed(washington: Floor) -> None:
    for amount, by in ((5, DEB), (-(10**9), FLO)):
        with pytest.raises(HousewayError):
            duties.ask(washington, AdjustAtTable("t1", AdjustMeter(Cents(amount), "x", second="")), by, "x")
    assert not washington.house.proposals
