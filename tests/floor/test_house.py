"""What is set up on a floor: programs and submissions approved on record, tables, meters and their links."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from houseway.errors import DataError, HousewayError, IllegalError, UnknownNameError
from houseway.floor import house
from houseway.floor.core import Floor
from houseway.floor.rights import DUTY_ROLES, Duty
from houseway.floor.setup_events import Program, SubmissionFiled
from houseway.games import Submission, example_submission, games, rules_for
from houseway.law.problems import RefusedError
from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.opening import OpenTable
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.store.memory import MemoryStore
from tests.floor.support import (
    EVA,
    FLO,
    MAX,
    NOON,
    approve_program,
    command,
    in_effect,
    make_table,
    new_floor,
    next_move,
    say,
    two_tables,
)

ANN = Actor("Ann", Role.PLAYER)
RULES = example_submission("pa-659a")
PRINT = rules_for(RULES).fingerprint


@pytest.fixture
def floor() -> Floor:
    return new_floor(MemoryStore())


def filed(floor: Floor) -> Floor:
    floor.set_up(lambda found, now: [house.file_submission(found, RULES, MAX, now)])
    return floor


def changed(submission: Submission, **changes: object) -> Submission:
    progressive = submission.progressive
    assert progressive is not None
    return submission.model_copy(
        update={"reference": "another", "progressive": progressive.model_copy(update=changes)}
    )


# --- programs -----------------------------------------------------------------------------------------


def opening(floor: Floor) -> str:
    """Have the dealer open table t1, and return every reason against it."""
    while not isinstance(next_move(floor, "t1").action, OpenTable):
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
    move = next_move(floor, "t1")
    floor.submit("t1", command(move.by, move.action))
    (answer,) = floor.run()
    return "; ".join(problem.reason for problem in answer.refused)


def test_no_table_opens_under_a_program_until_two_people_have_approved_it(floor: Floor) -> None:
    rules = in_effect(floor, RULES)
    floor.set_up(lambda found, now: house.make_table(found, "t1", rules, FLO, now))
    assert "until two people have approved it" in opening(floor)
    other = Program("0.0.9", house.this_program().law)
    floor.set_up(lambda _, now: [house.approve_program(other, MAX, EVA, now)])
    assert "until two people have approved it" in opening(floor)
    approve_program(floor)
    assert not opening(floor)


def test_another_law_is_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = house.this_program()
    made_anew = house.this_program.__wrapped__
    assert made_anew() == mine
    fewer = games()[:-1]
    monkeypatch.setattr(house, "games", lambda: fewer)
    assert made_anew().law != mine.law and made_anew().version == mine.version


def test_one_person_alone_approves_no_program() -> None:
    with pytest.raises(IllegalError, match="needs two people"):
        house.approve_program(house.this_program(), MAX, Actor("max ", Role.REGULATOR), NOON)


# --- submissions --------------------------------------------------------------------------------------


def test_a_table_is_made_from_a_submission_that_is_in_effect_and_from_no_other(floor: Floor) -> None:
    def make() -> None:
        floor.set_up(lambda found, now: house.make_table(found, "t1", PRINT, FLO, now))

    with pytest.raises(UnknownNameError, match="no such submission is filed"):
        make()
    filed(floor)
    with pytest.raises(IllegalError, match="not approved"):
        make()
    later = NOON + timedelta(microseconds=1)
    floor.set_up(lambda found, now: [house.approve_submission(found, PRINT, EVA, now, later)])
    with pytest.raises(IllegalError, match="in effect later"):
        make()
    floor.clock = lambda: later
    make()
    assert floor.tables == ["t1"]


def test_rules_that_have_ended_make_no_table_and_those_made_before_play_on(floor: Floor) -> None:
    make_table(floor, "t1", RULES)
    floor.set_up(lambda found, now: [house.end_submission(found, PRINT, MAX, now, "superseded by 12")])
    with pytest.raises(IllegalError, match="has ended"):
        floor.set_up(lambda found, now: house.make_table(found, "t2", PRINT, FLO, now))
    assert floor.table("t1").rules.fingerprint == PRINT


def test_who_files_rules_does_not_approve_them(floor: Floor) -> None:
    with pytest.raises(IllegalError, match="another person than the one who filed it"):
        filed(floor).set_up(lambda found, now: [house.approve_submission(found, PRINT, MAX, now)])


def test_rules_that_no_law_permits_are_not_filed(floor: Floor) -> None:
    with pytest.raises(RefusedError):
        wrong = RULES.model_copy(update={"game": "pa-659a", "house_way": None})
        floor.set_up(lambda found, now: [house.file_submission(found, wrong, MAX, now)])
    assert not floor.house.filed


def test_a_moment_before_now_is_no_effect(floor: Floor) -> None:
    before = NOON - timedelta(microseconds=1)
    with pytest.raises(IllegalError, match="from now on, or later"):
        filed(floor).set_up(lambda found, now: [house.approve_submission(found, PRINT, EVA, now, before)])


@pytest.mark.parametrize("duty", Duty)
def test_every_duty_is_refused_to_everybody_whose_it_is_not(duty: Duty) -> None:
    from houseway.floor.rights import check_right  # noqa: PLC0415 - beside its table

    for role in Role:
        somebody = Actor("Somebody", role)
        if role in DUTY_ROLES[duty]:
            check_right(duty, somebody)
        else:
            with pytest.raises(IllegalError, match="is for"):
                check_right(duty, somebody)


WRITTEN = {
    Duty.APPROVE_PROGRAM: {"administrator", "manager", "regulator"},
    Duty.FILE_SUBMISSION: {"administrator", "manager"},
    Duty.APPROVE_SUBMISSION: {"administrator", "manager", "regulator"},
    Duty.END_SUBMISSION: {"administrator", "manager", "regulator"},
    Duty.MAKE_TABLE: {"administrator", "manager", "floorperson"},
    Duty.CHANGE_LINK: {"administrator", "manager", "floorperson", "key_holder"},
    Duty.ADJUST_METER: {"accounting", "manager", "key_holder"},
    Duty.READ_METER: {"accounting", "manager", "floorperson", "key_holder"},
    Duty.VOID_SLIP: {"accounting", "manager", "floorperson", "key_holder"},
    Duty.PRINT_SLIP: {"accounting", "manager", "floorperson", "key_holder"},
    Duty.MANAGE_PEOPLE: {"administrator"},
}


def test_the_rights_are_those_written_out_here() -> None:
    assert {duty: set(roles) for duty, roles in DUTY_ROLES.items()} == WRITTEN


# --- tables and the meters they share -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "  ", "a/b"])
def test_a_table_needs_a_name_that_names_its_stream(floor: Floor, name: str) -> None:
    rules = in_effect(floor, RULES)
    with pytest.raises(IllegalError, match="needs a name"):
        floor.set_up(lambda found, now: house.make_table(found, name, rules, FLO, now))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"amount": Cents(200)}, "meter.wager"),
        ({"initial": Cents(300_000), "reset": Cents(300_000)}, "meter.seed"),
        ({"order_policy": None, "change_reason": "other words"}, ""),
    ],
)
def test_parameters_are_fixed_while_the_link_operates(
    floor: Floor, change: dict[str, object], why: str
) -> None:
    make_table(floor, "t1", RULES, "link")
    other = changed(RULES, **change)
    try:
        make_table(floor, "t2", other, "link")
    except RefusedError as error:
        assert why in {problem.field for problem in error.problems}
        assert "t2" not in floor.tables
    else:
        assert not why and floor.house.tables_on("link") == ["t1", "t2"]


def test_games_of_unequal_chance_are_not_linked(floor: Floor) -> None:
    make_table(floor, "t1", RULES, "link")
    with pytest.raises(RefusedError) as refused:
        make_table(floor, "t2", example_submission("pa-670a"), "link")
    unequal = [p for p in refused.value.problems if "unequal chance" in p.reason]
    assert {"meter.cards", "meter.shares"} & {problem.field for problem in unequal}


def test_a_table_whose_link_is_down_takes_no_progressive_wager_and_says_so(floor: Floor) -> None:
    two_tables(floor)

    def link(table: str | None, *, up: bool) -> None:
        floor.set_up(
            lambda found, now: [house.change_link(found, "link", table, FLO, now, up=up, reason="cable")]
        )

    def bet(table: str, **wagers: int) -> str:
        floor.submit(table, command(ANN, PlaceWagers(2, wagers)))  # type: ignore[arg-type]
        (answer,) = floor.run()
        return "; ".join(p.reason for p in answer.refused if p.field == "wager.progressive")

    for table in floor.tables:
        while floor.table(table).table.phase != "betting":
            move = next_move(floor, table)
            say(floor, table, move.by, move.action)
    link("t1", up=False)
    assert floor.house.why_link_down("t1") == "cable" and floor.house.why_link_down("t2") is None
    assert "the link to the meter is down" in bet("t1", main=1000, progressive=100)
    assert not bet("t1", main=1000) and not bet("t2", main=1000, progressive=100)
    link("t1", up=True)
    assert not bet("t1", main=1000, progressive=100)
    link(None, up=False)
    assert "the link to the meter is down" in bet("t2", main=1000, progressive=100)
    with pytest.raises(IllegalError, match="down already"):
        link(None, up=False)
    link(None, up=True)
    with pytest.raises(IllegalError, match="up already"):
        link(None, up=True)


def test_a_configuration_that_is_not_the_approved_one_serves_no_table(floor: Floor) -> None:
    from msgspec.structs import replace  # noqa: PLC0415 - only here

    make_table(floor, "t1", RULES)
    again = new_floor(floor.store)
    made = again.house.tables["t1"]
    forged = replace(made, submission=changed(RULES, change_reason="forged"))
    again.house = replace(again.house, tables={"t1": forged})
    with pytest.raises(IllegalError, match="not the one that was approved"):
        again.table("t1")


def test_what_cannot_be_read_again_is_never_stored(floor: Floor) -> None:
    filed(floor)
    before = floor.store.heads()
    unreadable = changed(RULES, amount="$x")
    with pytest.raises(DataError, match="floor version 2"):
        floor.set_up(lambda _, now: [SubmissionFiled(submission=unreadable, by=MAX, at=now)])
    assert floor.store.heads() == before


def test_what_is_refused_sets_nothing_up(floor: Floor) -> None:
    wrong: list[Callable[[], None]] = [
        lambda: floor.set_up(lambda found, now: [house.end_submission(found, PRINT, MAX, now, "x")]),
        lambda: floor.set_up(
            lambda found, now: [house.change_link(found, "no", None, FLO, now, up=False, reason="x")]
        ),
        lambda: floor.set_up(lambda _, now: [house.approve_program(house.this_program(), FLO, FLO, now)]),
    ]
    for attempt in wrong:
        with pytest.raises(HousewayError):
            attempt()
    assert not floor.store.heads()
