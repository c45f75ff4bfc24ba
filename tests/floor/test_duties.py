"""Duties as people ask for them: at once where one is enough, proposed and confirmed where two are needed."""

from __future__ import annotations

import pytest

from houseway.errors import HousewayError, IllegalError, UnknownNameError
from houseway.floor import duties
from houseway.floor.core import Floor
from houseway.floor.house import this_program
from houseway.floor.rights import DUTY_ROLES, Duty
from houseway.floor.tasks import (
    BY_TWO,
    AdjustAtTable,
    ApproveProgram,
    ApproveSubmission,
    ChangeLink,
    EndSubmission,
    FileSubmission,
    MakeTable,
    MeterAdjustment,
    MoveChips,
    PeopleTask,
    PrintSlip,
    ReadMeter,
    Task,
    WinSlipVoid,
    duty_of,
    read_task,
)
from houseway.games import example_submission, rules_for
from houseway.ledger import units
from houseway.money import Cents
from houseway.rounds.codec import plain
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch
from tests.floor.support import EVA, FLO, MAX, new_floor, two_tables

RULES = example_submission("pa-659a")
PRINT = rules_for(RULES).fingerprint
ACE = Actor("Ace", Role.ACCOUNTING)


def test_a_floor_is_set_up_by_duties_alone() -> None:
    floor = new_floor(MemoryStore())
    duties.ask(floor, FileSubmission(RULES), MAX, "1")
    duties.ask(floor, ApproveSubmission(PRINT), EVA, "2")
    assert duties.ask(floor, ApproveProgram(), MAX, "3") == "3"
    assert floor.house.program is None
    duties.confirm(floor, "3", EVA)
    duties.ask(floor, MakeTable("t1", PRINT, chips=True), FLO, "4")
    assert floor.house.program == this_program() and floor.tables == ["t1"]
    assert not new_floor(floor.store).house.proposals
    duties.ask(floor, ChangeLink("t1", False, "cable", "t1"), FLO, "5")
    assert floor.house.why_link_down("t1") == "cable"
    duties.ask(floor, EndSubmission(PRINT, "superseded"), MAX, "6")
    assert PRINT not in floor.house.effective


@pytest.fixture
def floor() -> Floor:
    return two_tables(new_floor(MemoryStore()))


ADJUST = MeterAdjustment("link", units(500), "audit")


def test_what_two_people_do_waits_on_record_for_the_second(floor: Floor) -> None:
    before = floor.meter("link").state.value
    duties.ask(floor, ADJUST, MAX, "adjust")
    duties.ask(floor, ADJUST, MAX, "adjust")  # sent again
    again = new_floor(floor.store)  # after a restart
    assert list(again.house.proposals) == ["adjust"] and again.meter("link").state.value == before
    with pytest.raises(IllegalError, match="two people"):
        duties.confirm(again, "adjust", MAX)
    with pytest.raises(IllegalError, match="is for"):
        duties.confirm(again, "adjust", FLO)
    duties.confirm(again, "adjust", ACE)
    assert again.meter("link").state.value == before + units(500)
    with pytest.raises(UnknownNameError, match="no such proposal waits"):
        duties.confirm(again, "adjust", EVA)


def test_an_act_of_two_people_and_the_end_of_its_proposal_are_stored_together(floor: Floor) -> None:
    duties.ask(floor, ADJUST, MAX, "adjust")
    stored: list[set[str]] = []
    append = floor.store.append_batch

    def counting(batch: Batch) -> None:
        stored.append({entry.stream for entry in batch.entries})
        append(batch)

    floor.store.append_batch = counting  # type: ignore[method-assign]
    duties.confirm(floor, "adjust", ACE)
    assert stored == [{"meter/link", "floor"}]


def test_a_proposal_that_is_turned_down_is_never_done(floor: Floor) -> None:
    before = floor.meter("link").state
    duties.ask(floor, ADJUST, MAX, "adjust")
    with pytest.raises(IllegalError, match="reason"):
        duties.turn_down(floor, "adjust", ACE, " ")
    duties.turn_down(floor, "adjust", ACE, "not by us")
    with pytest.raises(UnknownNameError):
        duties.confirm(floor, "adjust", EVA)
    assert floor.meter("link").state == before


def test_a_proposal_without_a_reason_is_not_put_on_record(floor: Floor) -> None:
    for task in (MeterAdjustment("link", 1, " "), WinSlipVoid("link", "link-000001", "")):
        with pytest.raises(IllegalError, match="reason"):
            duties.ask(floor, task, MAX, "x")
    assert not floor.house.proposals


EVERY: tuple[Task, ...] = (
    ApproveProgram(),
    FileSubmission(RULES),
    ApproveSubmission(PRINT),
    EndSubmission(PRINT, "x"),
    MakeTable("t9", PRINT),
    ChangeLink("link", False, "x"),
    ADJUST,
    ReadMeter("link", Cents(0), "display dark"),
    PrintSlip("link", "link-000001"),
    WinSlipVoid("link", "link-000001", "x"),
)


def test_every_duty_has_a_task_and_every_task_is_refused_to_those_whose_duty_it_is_not(floor: Floor) -> None:
    assert {duty_of(task) for task in EVERY} == set(Duty) - {Duty.MANAGE_PEOPLE}  # the service's own
    before = floor.store.heads()
    for task in EVERY:
        for role in set(Role) - DUTY_ROLES[duty_of(task)]:
            with pytest.raises(IllegalError, match="is for"):
                duties.ask(floor, task, Actor("Somebody", role), "x")
    assert floor.store.heads() == before


@pytest.mark.parametrize("task", EVERY, ids=duty_of)
def test_a_task_is_read_as_it_was_written(task: Task) -> None:
    assert read_task(plain(task)) == task


@pytest.mark.parametrize(
    "data", [None, {}, {"duty": "fly"}, {"duty": "adjust_meter"}, {"duty": "approve_program", "x": 1}]
)
def test_what_is_no_task_is_refused(data: object) -> None:
    with pytest.raises(HousewayError):
        read_task(data)


def test_two_people_are_asked_for_where_the_floor_wants_two() -> None:
    assert set(BY_TWO) == {ApproveProgram, MeterAdjustment, WinSlipVoid, MoveChips, AdjustAtTable, PeopleTask}
