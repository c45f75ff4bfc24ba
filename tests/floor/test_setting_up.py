"""What a floor has after each thing that was set up, and who may set it up: at any moment, by any name."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from houseway.errors import HousewayError, IllegalError, UnknownNameError
from houseway.floor import house
from houseway.floor.core import Floor
from houseway.floor.filings import FiledRules, FilingState, filings
from houseway.floor.house import House, evolve_house
from houseway.floor.setup_events import (
    ClockStepped,
    LinkChanged,
    MeterOpened,
    MeterTermsRecord,
    ProposalClosed,
    Proposed,
    SubmissionApproved,
    SubmissionEnded,
    SubmissionFiled,
    TableForgotten,
    TableMade,
    TableTaken,
)
from houseway.games import example_submission, rules_for
from houseway.law.problems import RefusedError
from houseway.ledger import units
from houseway.meters import MeterState
from houseway.money import Cents
from houseway.rounds.state import CardOrigin
from houseway.store.memory import MemoryStore
from tests.floor.support import EVA, FLO, MAX, NOON, in_effect, make_table, new_floor

RULES = example_submission("pa-659a")
PRINT = rules_for(RULES).fingerprint
TICK = timedelta(microseconds=1)


def made(table: str, meter: str | None = None, *, practice: bool = False) -> TableMade:
    return TableMade(
        table=table,
        submission=RULES,
        origin=CardOrigin.VIRTUAL_DECK,
        meter=meter,
        automated=frozenset(),
        practice=practice,
        by=FLO,
        at=NOON,
    )


def opened(meter: str) -> MeterOpened:
    return MeterOpened(meter=meter, state=MeterState(units(1)), submission=PRINT, by=FLO, at=NOON)


def link(table: str | None, *, up: bool, meter: str = "link", reason: str = "cable") -> LinkChanged:
    return LinkChanged(meter=meter, table=table, up=up, reason=reason, by=FLO, at=NOON)


def floor_of(*events: object) -> House:
    """Return the floor after some events, and what every floor of these tests has."""
    now = House()
    for event in (
        opened("link"),
        opened("other"),
        made("t1", "link"),
        made("t2", "link"),
        made("t3", "other"),
        made("t4"),
        *events,
    ):
        now = evolve_house(now, event)  # type: ignore[arg-type]
    return now


# --- links --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("events", "down"),
    [
        ((), {}),
        ((link("t1", up=False),), {"t1": "cable"}),
        ((link(None, up=False),), {"t1": "cable", "t2": "cable"}),
        ((link("t1", up=False), link(None, up=False, reason="power")), {"t1": "cable", "t2": "power"}),
        ((link("t1", up=False), link("t2", up=False), link("t1", up=True)), {"t2": "cable"}),
        ((link(None, up=False), link("t1", up=True)), {"t1": "cable", "t2": "cable"}),
        ((link(None, up=False), link(None, up=True)), {}),
        ((link(None, up=False, meter="other"),), {"t3": "cable"}),
    ],
)
def test_a_link_is_down_for_one_table_or_for_all_of_a_meter(
    events: tuple[LinkChanged, ...], down: dict[str, str]
) -> None:
    now = floor_of(*events)
    assert {table: now.why_link_down(table) for table in now.tables if now.why_link_down(table)} == down
    assert now.why_link_down("no such table") is None


@pytest.mark.parametrize("up", [False, True])
@pytest.mark.parametrize("table", ["t1", None])
@pytest.mark.parametrize("other", ["t2", "t1", None])
def test_a_link_changes_only_to_what_it_is_not(table: str | None, other: str | None, up: bool) -> None:
    now = floor_of(link(other, up=False))
    is_down = table == other
    if up is is_down:
        event = house.change_link(now, "link", table, FLO, NOON, up=up, reason="cable")
        assert (event.table, event.up) == (table, up)
    else:
        with pytest.raises(IllegalError, match=f"the link is {'up' if up else 'down'} already"):
            house.change_link(now, "link", table, FLO, NOON, up=up, reason="cable")


@pytest.mark.parametrize("table", ["t3", "t4"])
def test_a_table_of_another_meter_has_no_link_to_this_one(table: str) -> None:
    with pytest.raises(IllegalError, match="does not share this meter"):
        house.change_link(floor_of(), "link", table, FLO, NOON, up=False, reason="cable")
    with pytest.raises(UnknownNameError, match="no such meter"):
        house.change_link(floor_of(), "none", None, FLO, NOON, up=False, reason="cable")
    with pytest.raises(IllegalError, match="reason"):
        house.change_link(floor_of(), "link", None, FLO, NOON, up=False, reason=" ")


# --- the clock ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "noted"), [(-TICK, False), (timedelta(0), False), (-TICK, False), (timedelta(minutes=1), True)]
)
def test_a_clock_that_was_set_is_noted_once_a_minute(after: timedelta, noted: bool) -> None:
    now = NOON + after + (timedelta(minutes=1) if after < timedelta(0) else timedelta(0))
    before = floor_of(ClockStepped(expected=NOON, shown=NOON, by=MAX, at=NOON))
    assert bool(house.note_clock(before, NOON, NOON, MAX, now)) is noted
    assert len(house.note_clock(floor_of(), NOON, NOON, MAX, now)) == 1


# --- tables and meters --------------------------------------------------------------------------------


def test_tables_and_meters_are_found_by_their_names() -> None:
    now = floor_of(made("practice-1", "practice-1", practice=True))
    assert now.licensed_tables == ["t1", "t2", "t3", "t4"]
    assert {meter: now.tables_on(meter) for meter in ("link", "other", "none")} == {
        "link": ["t1", "t2"],
        "other": ["t3"],
        "none": [],
    }


def test_a_practice_table_is_forgotten_with_its_meter_and_its_player_and_no_other() -> None:
    events = [
        event
        for name in ("practice-1", "practice-2")
        for event in (
            opened(name),
            made(name, name, practice=True),
            TableTaken(table=name, by=MAX, at=NOON),
        )
    ]
    before = floor_of(*events)
    after = evolve_house(before, TableForgotten(table="practice-1", by=MAX, at=NOON))
    assert set(before.tables) - set(after.tables) == {"practice-1"}
    assert set(before.meters) - set(after.meters) == {"practice-1"}
    assert set(before.taken) - set(after.taken) == {"practice-1"} and "practice-2" in after.taken
    with pytest.raises(IllegalError, match="never forgotten"):
        evolve_house(before, TableForgotten(table="t1", by=MAX, at=NOON))
    for act in (house.take_table, house.forget_table):
        assert act(before, "practice-1", MAX, NOON).table == "practice-1"
        with pytest.raises(IllegalError, match="licensed table"):
            act(before, "t1", MAX, NOON)
        with pytest.raises(UnknownNameError, match="no such table"):
            act(before, "practice-3", MAX, NOON)


@pytest.fixture(scope="module")
def approved() -> House:
    floor = new_floor(MemoryStore())
    in_effect(floor, RULES)
    make_table(floor, "t1", RULES)
    return floor.house


def attempt(now: House, table: str, meter: str | None, *, practice: bool, **named: object) -> str:
    """Make a table; return why it is refused, or nothing."""
    try:
        house.make_table(now, table, PRINT, FLO, NOON, meter=meter, practice=practice, **named)  # type: ignore[arg-type]
    except HousewayError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("table", "meter", "practice", "why"),
    [
        ("t2", None, False, ""),
        ("t2", "link", False, ""),
        ("t2", "t2", False, ""),
        ("t1", None, False, "there is a table of this name"),
        ("", None, False, "needs a name"),
        (" ", None, False, "needs a name"),
        ("a/b", None, False, "needs a name"),
        ("a~1", None, False, "needs a name"),
        ("practice-1~1", None, True, "needs a name"),
        ("practice-1", None, True, ""),
        ("practice-1", "practice-1", True, ""),
        ("practice-1", "practice-2", True, "does not share its meter"),
        ("practice-1", "link", True, "does not share its meter"),
        ("t2", "practice-1", False, "does not share its meter"),
        ("t2", None, True, "practice tables and no others"),
        ("practice-1", None, False, "practice tables and no others"),
    ],
)
def test_a_table_is_named_for_what_it_is(
    approved: House, table: str, meter: str | None, practice: bool, why: str
) -> None:
    answer = attempt(approved, table, meter, practice=practice, chips=practice)
    assert why in answer and bool(why) is bool(answer)


@pytest.mark.parametrize("origin", CardOrigin)
@pytest.mark.parametrize("chips", [False, True])
@pytest.mark.parametrize("practice", [False, True])
def test_practice_is_with_virtual_cards_and_play_money(
    approved: House, origin: CardOrigin, chips: bool, practice: bool
) -> None:
    name = "practice-1" if practice else "t2"
    refused = practice and (origin is not CardOrigin.VIRTUAL_DECK or not chips)
    answer = attempt(approved, name, None, practice=practice, chips=chips, origin=origin)
    assert ("practice tables have virtual cards" in answer) is refused is bool(answer)


def test_a_table_opens_the_meter_it_shares_if_none_runs_and_joins_one_that_does(approved: House) -> None:
    first = house.make_table(approved, "t2", PRINT, FLO, NOON, meter="link")
    assert [type(event).__name__ for event in first] == ["MeterOpened", "TableMade"]
    now = approved
    for event in first:
        now = evolve_house(now, event)
    (table,) = house.make_table(now, "t3", PRINT, FLO, NOON, meter="link")
    assert isinstance(table, TableMade) and table.meter == "link"


def test_a_meter_of_an_older_log_that_kept_no_terms_is_joined(approved: House) -> None:
    now = replace(approved, meters={**approved.meters, "old": opened("old")})
    (table,) = house.make_table(now, "t3", PRINT, FLO, NOON, meter="old")
    assert isinstance(table, TableMade) and table.meter == "old"


TERMS = house.make_meter_terms_record(rules_for(RULES), "link")
OTHERS: dict[str, object] = {
    "seed": Cents(TERMS.seed + 1),
    "contribution": "1/1000",
    "reserve": "1/1000",
    "limit": Cents((TERMS.limit or 0) + 1),
    "rounding": "up",
    "reseeds": "never",
    "wager": Cents(TERMS.wager + 1),
    "cards": TERMS.cards + 1,
    "joker": "another",
    "shares": {},
}


def test_every_parameter_of_a_meter_is_compared() -> None:
    assert set(OTHERS) == set(MeterTermsRecord.__struct_fields__)
    assert not house.meter_differences(TERMS, TERMS)


@pytest.mark.parametrize("name", OTHERS)
def test_whatever_a_meter_has_otherwise_is_told_with_its_reason(name: str) -> None:
    (problem,) = house.meter_differences(replace(TERMS, **{name: OTHERS[name]}), TERMS)
    assert problem.field == f"meter.{name}"
    chance = "games of unequal chance are not linked"
    assert (chance in problem.reason) is (name in {"wager", "cards", "joker", "shares"})


# --- submissions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("offset", "in_force"), [(-1, False), (0, True), (1, True)])
def test_a_submission_is_in_effect_from_its_very_moment(offset: int, in_force: bool) -> None:
    floor = new_floor(MemoryStore())
    floor.set_up(lambda now, at: [house.file_submission(now, RULES, MAX, at)])
    floor.set_up(lambda now, at: [house.approve_submission(now, PRINT, EVA, at, NOON)])
    moment = NOON + offset * TICK
    if in_force:
        assert floor.house.submission(PRINT, moment).reference == RULES.reference
    else:
        with pytest.raises(IllegalError, match="in effect later"):
            floor.house.submission(PRINT, moment)
    with pytest.raises(IllegalError, match="approved already"):
        floor.set_up(lambda now, at: [house.approve_submission(now, PRINT, EVA, at)])


def test_rules_are_filed_once_and_approved_again_after_they_ended() -> None:
    floor = new_floor(MemoryStore())
    in_effect(floor, RULES)
    with pytest.raises(IllegalError, match="filed already"):
        floor.set_up(lambda now, at: [house.file_submission(now, RULES, MAX, at)])
    with pytest.raises(UnknownNameError, match="no such submission"):
        floor.set_up(lambda now, at: [house.approve_submission(now, "none", EVA, at)])
    floor.set_up(lambda now, at: [house.end_submission(now, PRINT, MAX, at, "over")])
    assert not floor.house.effective and floor.house.ended == {PRINT}
    with pytest.raises(IllegalError, match="not in effect"):
        floor.set_up(lambda now, at: [house.end_submission(now, PRINT, MAX, at, "over")])
    floor.set_up(lambda now, at: [house.approve_submission(now, PRINT, EVA, at)])
    assert (floor.house.effective, floor.house.ended) == ({PRINT: NOON}, frozenset())


def test_only_the_rules_that_end_are_gone() -> None:
    now = replace(House(), effective={"a": NOON, "b": NOON})
    after = evolve_house(now, SubmissionEnded(submission="a", reason="x", by=MAX, at=NOON))
    assert after.effective == {"b": NOON} and after.ended == {"a"}


def test_only_the_proposal_that_is_closed_waits_no_more() -> None:
    waiting = [Proposed(proposal=name, task={}, by=MAX, at=NOON) for name in ("a", "b", "c")]
    after = floor_of(*waiting, ProposalClosed(proposal="b", done=True, by=EVA, at=NOON))
    assert list(after.proposals) == ["a", "c"]


LATER, LATEST = NOON + timedelta(hours=1), NOON + timedelta(hours=2)
FILED = SubmissionFiled(submission=RULES, by=MAX, at=NOON)
OF = RULES.fingerprint()
APPROVED = SubmissionApproved(submission=OF, effective=LATER, by=EVA, at=NOON)
ENDED = SubmissionEnded(submission=OF, reason="over", by=MAX, at=LATEST)


@pytest.mark.parametrize(
    ("events", "moment", "state"),
    [
        ((FILED,), LATEST, FilingState.FILED),
        ((FILED, APPROVED), LATER - TICK, FilingState.APPROVED),
        ((FILED, APPROVED), LATER, FilingState.EFFECTIVE),
        ((FILED, APPROVED), LATER + TICK, FilingState.EFFECTIVE),
        ((FILED, APPROVED, ENDED), NOON, FilingState.ENDED),
        ((FILED, APPROVED, ENDED, APPROVED), LATER, FilingState.EFFECTIVE),
    ],
)
def test_filed_rules_stand_where_their_events_leave_them(
    events: tuple[SubmissionFiled | SubmissionApproved | SubmissionEnded, ...],
    moment: datetime,
    state: FilingState,
) -> None:
    (one,) = filings(events).values()
    assert one.state(moment) is state
    assert (one.ended_by, one.reason) == ((MAX, "over") if state is FilingState.ENDED else (None, ""))


def test_rules_tell_the_tables_that_were_made_by_them_and_no_others() -> None:
    tables = [replace(made("t1"), rules=OF), made("t2"), replace(made("t3"), rules=OF)]
    (one,) = filings([FILED, *tables]).values()
    assert isinstance(one, FiledRules) and one.tables == ("t1", "t3")


def test_the_meters_terms_are_refused_by_name_at_the_door() -> None:
    floor: Floor = new_floor(MemoryStore())
    make_table(floor, "t1", RULES, "link")
    meters = {"link": replace(floor.house.meters["link"], terms=replace(TERMS, cards=TERMS.cards + 1))}
    with pytest.raises(RefusedError) as refused:
        house.make_table(replace(floor.house, meters=meters), "t2", PRINT, FLO, NOON, meter="link")
    assert [problem.field for problem in refused.value.problems] == ["meter.cards"]
