"""Why money goes into a meter or out of it: by every account it comes from and goes to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from houseway.errors import DataError, IllegalError, UnknownNameError
from houseway.floor import shared_meters
from houseway.floor.meter_events import MeterTurn
from houseway.floor.setup_events import MeterOpened
from houseway.floor.shared_meters import (
    BY_HAND,
    WINS_SHOWN,
    Flow,
    SharedMeter,
    check_meter,
    evolve_meter,
    flows_of,
    load_meter,
    meter_snapshot,
    movements_of,
    open_meter,
    win_of,
)
from houseway.ledger import CAGE, INVENTORY, SEED, Account, AccountKind, Movement, pending, player
from houseway.meters import MeterState
from houseway.rounds.outcomes import Moves
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, Event
from houseway.rounds.steps.meter import AdjustMeter
from houseway.rounds.steps.settle import Settle
from houseway.settlement.model import Payment, PaymentKind
from houseway.store.entries import Head

NOON = datetime(2026, 1, 4, 12, tzinfo=UTC)
DEE, ACE = Actor("Dee", Role.DEALER), Actor("Ace", Role.ACCOUNTING)
ANN = player("Ann")
METER, RESERVE = Account(AccountKind.METER, "link"), Account(AccountKind.RESERVE, "link")
OTHER = Account(AccountKind.METER, "other")


def move(source: Account, to: Account, units: int = 7) -> Movement:
    return Movement(units, source, to, "because")


FLOWS = [
    (INVENTORY, METER, Flow.CONTRIBUTED, 7),
    (INVENTORY, RESERVE, Flow.RESERVED, 7),
    (SEED, METER, Flow.SEEDED, 7),
    (SEED, RESERVE, Flow.SEEDED, 7),
    (METER, ANN, Flow.PAID, -7),
    (RESERVE, ANN, Flow.PAID, -7),
    (ANN, METER, Flow.TAKEN_BACK, 7),
    (ANN, RESERVE, Flow.TAKEN_BACK, 7),
    (METER, INVENTORY, Flow.TAKEN_BACK, -7),
    (RESERVE, SEED, Flow.TAKEN_BACK, -7),
    (METER, CAGE, Flow.TAKEN_BACK, -7),
    (OTHER, METER, Flow.CONTRIBUTED, 7),
    (METER, OTHER, Flow.CONTRIBUTED, -7),
]


@pytest.mark.parametrize(("source", "to", "flow", "amount"), FLOWS, ids=str)
def test_a_movement_is_counted_by_where_it_comes_from_and_goes(
    source: Account, to: Account, flow: Flow, amount: int
) -> None:
    assert flows_of("link", [move(source, to)]) == {flow: amount}
    assert flows_of("link", [move(source, to), move(source, to, 1)]) == {flow: amount + amount // 7}
    assert flows_of("link", [move(source, to)], by_hand=True) == {Flow.ADJUSTED: amount}


@pytest.mark.parametrize(
    ("source", "to"),
    [(METER, RESERVE), (RESERVE, METER), (INVENTORY, OTHER), (OTHER, ANN), (SEED, ANN), (INVENTORY, CAGE)],
    ids=str,
)
def test_what_stays_in_a_meter_or_never_touches_it_is_not_counted(source: Account, to: Account) -> None:
    assert flows_of("link", [move(source, to)]) == {}


@dataclass(frozen=True)
class Place:
    """Where a movement goes from and to, and whether a meter's stream tells it."""

    source: Account
    to: Account
    told: bool


@pytest.mark.parametrize(
    "place",
    [
        Place(INVENTORY, METER, True),
        Place(METER, ANN, True),
        Place(RESERVE, INVENTORY, True),
        Place(SEED, RESERVE, True),
        Place(INVENTORY, OTHER, False),
        Place(OTHER, ANN, False),
        Place(INVENTORY, ANN, False),
        Place(SEED, ANN, True),  # the house makes up what the meter lacks
        Place(SEED, OTHER, False),
        Place(SEED, INVENTORY, False),
        Place(Account(AccountKind.PLAYER, "link"), INVENTORY, False),  # somebody of the meter's name
        Place(pending(2, "link", "main"), INVENTORY, False),
    ],
    ids=str,
)
def test_a_meters_stream_tells_what_touched_it_and_what_the_house_made_up(place: Place) -> None:
    paid = Payment(PaymentKind.PAY, 7, place.source, place.to, 2, "Ann", "progressive", "because")
    every = Moves(payments=(paid,), movements=(move(place.source, place.to),))
    stake = Moves(stakes=(paid,))
    assert len(movements_of(event(every), "link")) == 2 * place.told
    assert movements_of(event(stake), "link") == ()


def event(outcome: Moves | None) -> Event[Settle, Moves | None]:
    return Event(seq=3, cause="c", round=5, at=NOON, by=DEE, action=Settle(2), outcome=outcome)


def test_an_event_that_moves_no_money_moves_no_meter() -> None:
    assert movements_of(event(None), "link") == ()


# --- a meter's stream ---------------------------------------------------------------------------------


def fresh(value: int = 100, reserve: int = 10) -> SharedMeter:
    return open_meter(
        MeterOpened(meter="link", state=MeterState(value, reserve), submission="", by=DEE, at=NOON)
    )


def turned(
    now: SharedMeter, *moved: Movement, value: int = 0, reserve: int = 0, step: str = ""
) -> SharedMeter:
    """Return a meter after a turn that moved something, and left it with so much more."""
    after = MeterState(now.state.value + value, now.state.reserve + reserve)
    turn = MeterTurn(
        meter="link",
        before=now.state,
        after=after,
        table="t1",
        seq=1,
        round=7,
        step=step,
        moved=moved,
        by=DEE,
        at=NOON,
    )
    return evolve_meter(now, turn, Head(now.head.version + 1))


def test_only_the_step_that_adjusts_a_meter_is_an_adjustment() -> None:
    assert AdjustMeter.__struct_config__.tag == BY_HAND
    moved = (move(INVENTORY, METER),)
    assert turned(fresh(), *moved, value=7, step="settle").totals == {Flow.CONTRIBUTED: 7}
    assert turned(fresh(), *moved, value=7, step=BY_HAND).totals == {Flow.ADJUSTED: 7}


def test_what_a_person_is_paid_at_once_is_one_win_whatever_it_comes_from() -> None:
    moved = (move(METER, ANN, 90), move(RESERVE, ANN, 5), move(METER, player("Bob"), 4))
    now = turned(fresh(), *moved, value=-94, reserve=-5)
    assert [(one.person, one.amount) for one in now.wins] == [("Ann", 95), ("Bob", 4)]
    (one, *_) = now.wins
    assert (one.serial, one.table, one.round, one.printed, one.voided) == ("link-000001", "t1", 7, 0, "")
    assert now.won == 2
    check_meter(now)


def test_a_meter_begins_with_no_win_and_no_reading() -> None:
    now = fresh()
    assert (now.won, now.wins, now.read, now.balance, now.totals) == (0, (), None, 110, {})
    assert WINS_SHOWN == 25


@pytest.mark.parametrize(("value", "reserve"), [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_a_meter_holds_what_its_history_comes_to_reserve_included(value: int, reserve: int) -> None:
    now = fresh()
    check_meter(now)
    state = MeterState(now.state.value + value, now.state.reserve + reserve)
    with pytest.raises(IllegalError, match="its history comes to"):
        check_meter(replace(now, state=state))
    check_meter(replace(now, state=MeterState(now.state.value + 1, now.state.reserve - 1)))


@pytest.mark.parametrize(("version", "digest"), [(0, b"other"), (1, None)])
def test_a_snapshot_of_another_version_is_refused(version: int, digest: bytes | None) -> None:
    now = turned(fresh(), move(INVENTORY, METER), value=7)
    snapshot = meter_snapshot(now)
    assert load_meter(snapshot) == now and snapshot.version == 1
    wrong = replace(snapshot, version=snapshot.version + version, hash=digest or snapshot.hash)
    with pytest.raises(DataError, match="another version"):
        load_meter(wrong)


def test_only_the_slip_that_is_named_is_printed_or_void() -> None:
    now = turned(fresh(), move(METER, ANN, 1), move(METER, player("Bob"), 2), value=-3)
    now = turned(now, move(METER, ANN, 4), value=-4)
    serials = [one.serial for one in now.wins]
    assert serials == ["link-000001", "link-000001", "link-000002"]
    now = evolve_meter(now, shared_meters.print_slip(now, "link-000002", ACE, NOON), Head(3))
    assert [one.printed for one in now.wins] == [0, 0, 1]
    voided = shared_meters.void_slip(now, "link-000001", ACE, Actor("Bea", Role.KEY_HOLDER), "wrong", NOON)
    now = evolve_meter(now, voided, Head(4))
    assert [one.voided for one in now.wins] == ["wrong", "wrong", ""]
    assert win_of(now, "link-000002").amount == 4
    with pytest.raises(UnknownNameError):
        win_of(now, "link-000003")
