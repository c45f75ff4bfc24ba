"""Whatever is set up, or done to a meter, asks for its own duty, whoever calls for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from houseway.errors import HousewayError, IllegalError
from houseway.floor import house, shared_meters
from houseway.floor.house import House
from houseway.floor.rights import DUTY_ROLES, Duty
from houseway.floor.setup_events import MeterOpened
from houseway.floor.shared_meters import SharedMeter, open_meter
from houseway.games import example_submission, rules_for
from houseway.ledger import units
from houseway.meters import MeterState, MeterTerms
from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin
from houseway.rounds.step import Actor
from houseway.settlement import meter_terms
from houseway.store.memory import MemoryStore
from tests.floor.support import FLO, MAX, NOON, in_effect, new_floor

RULES = example_submission("pa-659a")
PRINT = rules_for(RULES).fingerprint
TERMS: MeterTerms = meter_terms(rules_for(RULES), "link")
EMPTY = House()
METER: SharedMeter = open_meter(
    MeterOpened(meter="link", state=MeterState(units(TERMS.seed)), submission="", by=FLO, at=NOON)
)
ALONE: dict[Duty, Callable[[Actor], object]] = {
    Duty.FILE_SUBMISSION: lambda by: house.file_submission(EMPTY, RULES, by, NOON),
    Duty.APPROVE_SUBMISSION: lambda by: house.approve_submission(EMPTY, PRINT, by, NOON),
    Duty.END_SUBMISSION: lambda by: house.end_submission(EMPTY, PRINT, by, NOON, "x"),
    Duty.MAKE_TABLE: lambda by: house.make_table(EMPTY, "t1", PRINT, by, NOON),
    Duty.CHANGE_LINK: lambda by: house.change_link(EMPTY, "link", None, by, NOON, up=True, reason="x"),
    Duty.READ_METER: lambda by: shared_meters.read_meter(METER, by, METER.state.showing, "", NOON),
    Duty.PRINT_SLIP: lambda by: shared_meters.print_slip(METER, "link-000001", by, NOON),
}
BY_TWO: dict[Duty, Callable[[Actor, Actor], object]] = {
    Duty.APPROVE_PROGRAM: lambda by, second: house.approve_program(house.this_program(), by, second, NOON),
    Duty.ADJUST_METER: lambda by, second: shared_meters.adjust_meter(METER, TERMS, by, second, 1, "x", NOON),
    Duty.VOID_SLIP: lambda by, second: shared_meters.void_slip(METER, "link-000001", by, second, "x", NOON),
}


def refusal(act: Callable[[], object]) -> str:
    try:
        act()
    except HousewayError as error:
        return str(error)
    return ""


def test_every_duty_is_here() -> None:
    assert {*ALONE, *BY_TWO} == {*Duty} - {Duty.MANAGE_PEOPLE}


@pytest.mark.parametrize("duty", ALONE)
@pytest.mark.parametrize("role", Role)
def test_who_acts_alone_has_the_duty(duty: Duty, role: Role) -> None:
    answer = refusal(lambda: ALONE[duty](Actor("Somebody", role)))
    assert answer.startswith(f"to {duty.words} is for") is (role not in DUTY_ROLES[duty])


@pytest.mark.parametrize("duty", BY_TWO)
@pytest.mark.parametrize("role", Role)
def test_each_of_two_people_has_the_duty(duty: Duty, role: Role) -> None:
    lawful, somebody = Actor("Else", Role.MANAGER), Actor("Somebody", role)
    for by, second in ((lawful, somebody), (somebody, lawful)):
        answer = refusal(lambda pair=(by, second): BY_TWO[duty](*pair))  # type: ignore[misc]
        assert answer.startswith(f"to {duty.words} is for") is (role not in DUTY_ROLES[duty])
    same = refusal(lambda: BY_TWO[duty](lawful, Actor("else ", Role.MANAGER)))
    assert same.startswith(f"to {duty.words} needs two people")


@pytest.mark.parametrize("off", [-1, 0, 1])
@pytest.mark.parametrize("explained", ["", " ", "display lags"])
def test_a_reading_is_explained_where_it_differs(off: int, explained: str) -> None:
    shown = Cents(METER.state.showing + off)
    if off and not explained.strip():
        with pytest.raises(IllegalError, match="the difference is explained"):
            shared_meters.read_meter(METER, MAX, shown, explained, NOON)
        return
    read = shared_meters.read_meter(METER, MAX, shown, explained, NOON)
    assert (read.shown, read.expected, read.explained) == (shown, METER.state.showing, explained)


def test_a_table_is_made_with_virtual_cards_where_nothing_else_is_said() -> None:
    floor = new_floor(MemoryStore())
    in_effect(floor, RULES)
    floor.set_up(lambda now, at: house.make_table(now, "t1", PRINT, FLO, at))
    made = floor.house.tables["t1"]
    assert (made.origin, made.chips, made.practice) == (CardOrigin.VIRTUAL_DECK, False, False)
