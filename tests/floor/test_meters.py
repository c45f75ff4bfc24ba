"""Shared meters on the floor: history, cumulative meters, last wins, adjustments, readings and slips."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from houseway.errors import HousewayError, IllegalError, UnknownNameError
from houseway.floor import shared_meters
from houseway.floor.core import Floor
from houseway.floor.meter_events import MeterTurn
from houseway.floor.setup_events import MeterOpened
from houseway.floor.shared_meters import WINS_SHOWN, Flow, SharedMeter, check_meter, evolve_meter, open_meter
from houseway.games import example_submission, rules_for
from houseway.ledger import player, units
from houseway.meters import Meter, MeterState, MeterTerms, award_share, contribute
from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.settlement import meter_terms
from houseway.store.entries import Head
from houseway.store.memory import MemoryStore
from tests.floor.support import FLO, NOON, new_floor, play, two_tables

ACE, BEA = Actor("Ace", Role.ACCOUNTING), Actor("Bea", Role.KEY_HOLDER)
DEALER = Actor("Dee", Role.DEALER)
TERMS: MeterTerms = meter_terms(rules_for(example_submission("pa-659a")), "link")


def fresh() -> SharedMeter:
    state = MeterState(units(TERMS.seed))
    return open_meter(MeterOpened(meter="link", state=state, submission="", by=FLO, at=NOON))


def moved(now: SharedMeter, change: Any, table: str = "t1") -> SharedMeter:
    """Return a meter after something changed it at a table."""
    meter = Meter(TERMS, now.state.value, now.state.reserve)
    after, movements = change(meter)
    turn = MeterTurn(
        meter="link",
        before=now.state,
        after=after.state,
        table=table,
        seq=1,
        round=7,
        moved=movements,
        by=DEALER,
        at=NOON,
    )
    return evolve_meter(now, turn, Head(now.head.version + 1))


def win(now: SharedMeter, person: str, share: int = 1, table: str = "t1") -> SharedMeter:
    return moved(now, lambda m: award_share(m, TERMS.contribution * 0 + share, player(person)), table)


def bet(now: SharedMeter, cents: int = 100) -> SharedMeter:
    return moved(now, lambda m: contribute(m, Cents(cents)))


@given(st.lists(st.one_of(st.integers(1, 5000), st.sampled_from(["Ann", "Dan"])), max_size=30))
def test_a_meter_is_what_it_was_opened_with_and_every_movement_since(done: list[Any]) -> None:
    now = fresh()
    for one in done:
        now = bet(now, one) if isinstance(one, int) else win(now, one)
        check_meter(now)
    contributed = sum(one for one in done if isinstance(one, int))
    assert now.totals.get(Flow.CONTRIBUTED, 0) == units(contributed) * 29 // 100
    assert now.won == sum(isinstance(one, str) for one in done)


def test_two_wins_one_after_the_other_are_both_paid_from_what_the_meter_then_holds() -> None:
    now = bet(fresh(), 10_000)
    first = win(now, "Ann", table="t1")
    second = win(first, "Dan", table="t2")
    ann, dan = second.wins
    assert (ann.person, ann.amount) == ("Ann", now.state.value)
    assert (dan.person, dan.amount) == ("Dan", first.state.value) == ("Dan", units(TERMS.seed))
    assert second.totals[Flow.PAID] == -(ann.amount + dan.amount)


def test_the_last_twenty_five_wins_are_at_hand_and_all_are_counted() -> None:
    now = fresh()
    for number in range(WINS_SHOWN + 1):
        now = win(now, f"P{number}")
    assert now.won == 26 and len(now.wins) == 25
    assert [one.person for one in now.wins][:1] == ["P1"] and now.wins[-1].person == "P25"
    assert len({one.serial for one in now.wins}) == 25


def test_a_move_that_does_not_begin_where_the_meter_stands_is_refused() -> None:
    now = fresh()
    wrong = MeterTurn(
        meter="link",
        before=MeterState(1),
        after=now.state,
        table="t1",
        seq=1,
        by=DEALER,
        at=NOON,
    )
    with pytest.raises(IllegalError, match="begins at what the meter holds"):
        evolve_meter(now, wrong, Head(1))


def test_a_meter_that_differs_from_its_history_by_one_unit_is_found() -> None:
    now = bet(fresh())
    check_meter(now)
    for by in (-1, 1):
        with pytest.raises(IllegalError, match="its history comes to"):
            check_meter(replace(now, state=MeterState(now.state.value + by)))


# --- what two people do -------------------------------------------------------------------------------


@pytest.fixture
def floor() -> Floor:
    return two_tables(new_floor(MemoryStore()))


def test_two_people_adjust_a_meter_and_the_tables_play_on_with_it(floor: Floor) -> None:
    before = floor.meter("link").state.value
    now = floor.on_meter(
        "link", lambda m, at: shared_meters.adjust_meter(m, TERMS, ACE, BEA, units(-50), "miscount", at)
    )
    assert now.state.value == before - units(50) and now.totals[Flow.ADJUSTED] == units(-50)
    check_meter(now)
    play(floor, "t1", 1)
    check_meter(floor.meter("link"))
    assert new_floor(floor.store).meter("link") == floor.meter("link")


@pytest.mark.parametrize(
    ("by", "second", "amount", "reason", "why"),
    [
        (ACE, ACE, 1, "x", "two people"),
        (ACE, FLO, 1, "x", "is for"),
        (DEALER, BEA, 1, "x", "is for"),
        (ACE, BEA, 1, "  ", "reason"),
        (ACE, BEA, 0, "x", "changes something"),
        (ACE, BEA, -(10**12), "x", "less than nothing"),
    ],
)
def test_an_adjustment_needs_two_people_a_reason_and_an_amount(
    floor: Floor, by: Actor, second: Actor, amount: int, reason: str, why: str
) -> None:
    before = floor.store.heads()
    with pytest.raises(HousewayError, match=why):
        floor.on_meter(
            "link", lambda m, at: shared_meters.adjust_meter(m, TERMS, by, second, amount, reason, at)
        )
    assert floor.store.heads() == before


def test_two_people_leave_the_seed_in_a_washington_meter() -> None:
    floor = two_tables(new_floor(MemoryStore()), "wa-fap")
    terms, seed = meter_terms(floor.table("t1").rules, "link"), floor.meter("link").state.value

    def adjusted(amount: int) -> SharedMeter:
        return floor.on_meter(
            "link", lambda m, at: shared_meters.adjust_meter(m, terms, ACE, BEA, amount, "miscount", at)
        )

    before = floor.store.heads()
    with pytest.raises(IllegalError, match="only an award takes a meter below its seed"):
        adjusted(-1)
    assert floor.store.heads() == before
    assert adjusted(units(50)).state.value == seed + units(50)
    assert adjusted(-units(50)).state.value == seed


def test_a_reading_that_differs_is_explained(floor: Floor) -> None:
    def read(amount: Cents, explained: str) -> SharedMeter:
        return floor.on_meter("link", lambda m, at: shared_meters.read_meter(m, ACE, amount, explained, at))

    shown = floor.meter("link").state.showing
    now = read(shown, "")
    assert now.read is not None and now.read.shown == now.read.expected == shown
    for by in (-1, 1):
        off = Cents(shown + by)
        with pytest.raises(IllegalError, match="the difference is explained"):
            read(off, " ")
    now = read(off, "display lags")
    assert now.read is not None and now.read.explained == "display lags"


def test_a_meter_is_found_again_from_its_snapshot_and_what_came_after(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.floor.batches.SNAPSHOT_EVERY", 2)
    for table in ("t1", "t2", "t1"):
        play(floor, table, 1)
    assert floor.store.snapshots(["meter/link"])["meter/link"].version == 2
    assert floor.meter("link").head.version == 3
    assert new_floor(floor.store).meter("link") == floor.meter("link")


# --- slips --------------------------------------------------------------------------------------------


def test_a_slip_is_printed_once_and_marked_from_then_on() -> None:
    now = win(bet(fresh()), "Ann")
    (won,) = now.wins
    for copy in (1, 2, 3):
        now = evolve_meter(
            now, shared_meters.print_slip(now, won.serial, ACE, NOON), Head(now.head.version + 1)
        )
        slip = shared_meters.win_of(now, won.serial)
        assert slip.printed == copy
    assert (slip.person, slip.round) == ("Ann", 7)


def test_a_void_slip_says_so_is_not_printed_again_and_its_serial_is_never_another_wins() -> None:
    now = win(fresh(), "Ann")
    serial = now.wins[0].serial
    with pytest.raises(IllegalError, match="two people"):
        shared_meters.void_slip(now, serial, ACE, ACE, "wrong name", NOON)
    voided = shared_meters.void_slip(now, serial, ACE, BEA, "wrong name", NOON)
    now = evolve_meter(now, voided, Head(now.head.version + 1))
    assert shared_meters.win_of(now, serial).voided == "wrong name"
    for attempt in (
        lambda: shared_meters.print_slip(now, serial, ACE, NOON),
        lambda: shared_meters.void_slip(now, serial, ACE, BEA, "again", NOON),
    ):
        with pytest.raises(IllegalError, match="is void"):
            attempt()
    assert win(now, "Dan").wins[-1].serial != serial


def test_no_slip_without_a_win() -> None:
    with pytest.raises(UnknownNameError, match="no such slip"):
        shared_meters.print_slip(bet(fresh()), "link-000001", ACE, NOON)
