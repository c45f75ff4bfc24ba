"""Chips on the floor: commands like any other, kept in the table's own stream, and no wager without them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from houseway.chips import (
    NO_CHIPS,
    ChipAction,
    ChipCommand,
    apply_movements,
    chips_of,
    movements_of,
    post_chips,
    stakes_of,
)
from houseway.chips.actions import (
    ApproveFill,
    BuyIn,
    CashOut,
    ChipTurn,
    CloseShift,
    CountCloser,
    CountDrop,
    CountOpener,
    ReceiveFill,
    RequestFill,
    TakeDrop,
)
from houseway.chips.reports import ReportDue
from houseway.floor import batches
from houseway.floor.batches import Answer
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.packets import make_packet
from houseway.floor.readmodels import ReadModels, find_rounds
from houseway.floor.round_search import find_round
from houseway.floor.streams import table_stream
from houseway.floor.table_events import TableSnapshot
from houseway.floor.verification import verify_floor
from houseway.games import example_submission, rules_for
from houseway.ledger import UNITS_PER_CENT, AccountKind, Ledger
from houseway.money import Cents
from houseway.rng import SeededEntropy
from houseway.rounds.auto import auto_round
from houseway.rounds.books import posted
from houseway.rounds.codec import decode, encode, plain
from houseway.rounds.record import Turn
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Sit
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.store.log_check import verify_log
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Store
from tests.chips.support import AMY, ART, DEB, FLOAT, FLOAT_VALUE
from tests.floor.crashing import JACKPOT
from tests.floor.sharing import load
from tests.floor.support import EVA, FLO, NOON, PEOPLE, command, make_table, new_floor, next_move, play, say
from tests.store.support import KINDS, new_store

ANN = Actor("Ann", Role.PLAYER)
_numbers = count(1)


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with new_store(request.param) as made:
        yield made


def chips(by: Actor, action: ChipAction, second: Actor | None = None) -> ChipCommand:
    return ChipCommand(id=f"chips-{next(_numbers)}", by=by, second=second, action=action)


def do(floor: Floor, by: Actor, action: ChipAction, second: Actor | None = None) -> Answer:
    """Do something with the chips of the first table."""
    floor.submit("t1", chips(by, action, second))
    (answer,) = floor.run()
    return answer


def done(floor: Floor, by: Actor, action: ChipAction, second: Actor | None = None) -> None:
    answer = do(floor, by, action, second)
    assert answer.version and not answer.refused, answer


def with_chips(store: Store) -> Floor:
    """Return a floor with one table whose tray is counted, two people at it."""
    floor = new_floor(store)
    make_table(floor, "t1", example_submission("pa-659a"), chips=True)
    done(floor, DEB, CountOpener(FLOAT), FLO)
    for at, name in PEOPLE.items():
        say(floor, "t1", Actor(name, Role.PLAYER), Sit(at))
    return floor


def to_the_bets(floor: Floor) -> PlaceWagers:
    """Go on until somebody bets; return the wagers."""
    while True:
        move = next_move(floor, "t1")
        if isinstance(move.action, PlaceWagers):
            return move.action
        say(floor, "t1", move.by, move.action)


def test_nobody_wagers_more_than_they_have_in_front_of_them() -> None:
    floor = with_chips(MemoryStore())
    wagers = to_the_bets(floor)
    staked = sum(wagers.wagers.values())
    done(floor, ANN, BuyIn("Ann", Cents(staked - 1)))
    floor.submit("t1", command(ANN, wagers))
    (refused,) = floor.run()
    (problem,) = refused.refused
    assert problem.field == "chips" and problem.reason.startswith("Ann has $")
    done(floor, ANN, BuyIn("Ann", Cents(1)))
    say(floor, "t1", ANN, wagers)
    tray = floor.table("t1").tray
    assert (tray.layout, chips_of(tray, "Ann")) == (staked, 0)
    say(floor, "t1", ANN, wagers)  # the same wagers again need no more chips


def test_a_table_that_does_not_follow_chips_refuses_no_wager_and_keeps_none() -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission("pa-659a"))
    for at, name in PEOPLE.items():
        say(floor, "t1", Actor(name, Role.PLAYER), Sit(at))
    play(floor, "t1", 1)
    assert floor.table("t1").tray is NO_CHIPS
    answer = do(floor, DEB, CountOpener(FLOAT), FLO)
    assert [problem.reason for problem in answer.refused] == ["the chips of this table are not followed"]


def test_a_shift_from_opener_to_count_is_found_again_and_balances(store: Store) -> None:
    floor = with_chips(store)
    for name in PEOPLE.values():
        done(floor, Actor(name, Role.PLAYER), BuyIn(name, Cents(500_00)))
    play(floor, "t1", 1)
    done(floor, FLO, RequestFill({500: 20}))
    done(floor, EVA, ApproveFill("F-0001"))
    done(floor, DEB, ReceiveFill("F-0001", {500: 20}))
    left = chips_of(floor.table("t1").tray, "Ann")
    done(floor, ANN, CashOut("Ann", left))
    expected = floor.table("t1").tray.value
    short = CountCloser({100: expected // 100 - 1}, "the odd cents are in the lammer tube")
    done(floor, DEB, short, FLO)
    done(floor, FLO, CloseShift())
    done(floor, FLO, TakeDrop("B1"), EVA)
    done(floor, AMY, CountDrop("B1", Cents(1_000_00)), ART)
    again = new_floor(store, "another process")
    assert again.table("t1").tray == floor.table("t1").tray
    assert not again.table("t1").tray.open
    verify_log(store)
    check_books(store, again)


def check_books(store: Store, floor: Floor) -> None:
    """Hold the tray against the ledger of everything in the table's stream."""
    ledger, tray = Ledger(), floor.table("t1").tray
    for entry in store.tails({table_stream("t1"): 0}):
        found = read_body(entry)
        if isinstance(found, ChipTurn):
            ledger = post_chips(ledger, "t1", entry.version, found)
        elif isinstance(found, Turn):
            for event in found.events:
                ledger = posted(ledger, "t1", event)
    ledger.verify()

    def held(*kinds: AccountKind) -> int:
        return sum(units for account, units in ledger.balances.items() if account.kind in kinds)

    house = (AccountKind.INVENTORY, AccountKind.METER, AccountKind.RESERVE, AccountKind.SEED)
    assert held(*house) == tray.value * UNITS_PER_CENT
    assert held(AccountKind.PLAYER) == sum(tray.people.values()) * UNITS_PER_CENT
    assert held(AccountKind.PENDING) == tray.layout == 0
    assert held(AccountKind.DROP) == 0


def test_a_chip_command_sent_again_is_done_once(store: Store) -> None:
    floor = with_chips(store)
    once = chips(ANN, BuyIn("Ann", Cents(100_00)))
    for _ in range(3):
        floor.submit("t1", once)
    first, *others = floor.run()
    floor.submit("t1", once)
    assert others == [first, first] == [*floor.run(), first]
    assert chips_of(floor.table("t1").tray, "Ann") == 100_00


def test_chips_bought_in_a_batch_are_there_for_the_wager_after_it() -> None:
    floor = with_chips(MemoryStore())
    wagers = to_the_bets(floor)
    floor.submit("t1", command(ANN, wagers))
    floor.submit("t1", chips(ANN, BuyIn("Ann", Cents(500_00))))
    floor.submit("t1", command(ANN, wagers))
    before, bought, after = floor.run()
    assert before.refused and bought.version and after.version == bought.version + 1


def test_every_reason_against_a_chip_command_is_answered_and_nothing_stored() -> None:
    store = MemoryStore()
    floor = with_chips(store)
    heads = store.heads()
    answer = do(floor, ANN, CountCloser({100: 1, 300: 1}))
    assert {problem.field for problem in answer.refused} == {
        "count_closer.by",
        "count_closer.second",
        "count_closer.chips",
        "count_closer.reason",
    }
    assert store.heads() == heads


def test_a_tray_is_in_the_snapshot_and_an_older_snapshot_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "SNAPSHOT_EVERY", 2)
    store = MemoryStore()
    floor = with_chips(store)
    done(floor, ANN, BuyIn("Ann", Cents(100_00)))
    kept = store.snapshots([table_stream("t1")])[table_stream("t1")]
    found = decode(TableSnapshot, kept.body)
    assert kept.version == 4 and found.tray == floor.table("t1").tray
    assert new_floor(store).table("t1").tray.value == FLOAT_VALUE - 100_00
    older = {name: value for name, value in plain(found).items() if name != "tray"}
    read = decode(TableSnapshot, encode(older))
    assert read.tray == NO_CHIPS and read.table == found.table


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a", "ca-fpgp"])
def test_whatever_a_round_puts_on_the_layout_comes_off_it(game: str) -> None:
    record = auto_round(rules_for(example_submission(game)), SeededEntropy("demo"), name="demo")
    tray, most = NO_CHIPS, 0
    for turn in record.turns:
        for event in turn.events:
            staked = sum(stakes_of([event]).values())
            after = apply_movements(tray, movements_of(event))
            assert after.total == tray.total
            assert staked >= sum(tray.people.values()) - sum(after.people.values())
            tray, most = after, max(most, after.layout)
    assert most > 0 and tray.layout == 0 and tray.total == 0


def test_a_bank_and_its_fees_are_covered_by_chips_too() -> None:
    record = auto_round(rules_for(example_submission("ca-fpgp")), SeededEntropy("demo"), name="demo")
    found = {event.step: stakes_of([event]) for turn in record.turns for event in turn.events}
    assert found["put_up"] == {"Ann": 200_00}
    assert found["collect_fees"]["Bob"] == 50
    assert found["settle"] == {}


def test_rounds_among_chips_are_found_told_refolded_and_seen_by_the_read_models(store: Store) -> None:
    floor = with_chips(store)
    for name in PEOPLE.values():
        done(floor, Actor(name, Role.PLAYER), BuyIn(name, Cents(50_000)))
    play(floor, "t1", 1)
    to_the_bets(floor)
    done(floor, ANN, BuyIn("Ann", Cents(100)))  # in the middle of the second round
    play(floor, "t1", 1)
    found = find_round(store, "t1", 2)
    assert any(isinstance(body, ChipTurn) for body in found.bodies)
    packet = make_packet(found, NOON)
    assert packet.verdict.identical and not found.faults
    assert "chips: buy in" in {entry.says for entry in packet.chain.entries}
    with store.picture() as picture:
        whole = verify_floor(picture)
    assert (whole.rounds, whole.total) == (2, 0)
    models = ReadModels(store)
    models.catch_up()
    with models.connect() as connection:
        rounds, _ = find_rounds(connection)
    assert {one.round for one in rounds} == {1, 2}


def test_what_is_won_is_told_with_the_form_that_it_makes_due() -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission("pa-659a"))
    for at, name in PEOPLE.items():
        say(floor, "t1", Actor(name, Role.PLAYER), Sit(at))
    due: list[ReportDue] = []
    while not floor.table("t1").table.rounds:
        move = next_move(floor, "t1")
        if move.step == "shuffle":
            load(floor, "t1", JACKPOT)
        due += say(floor, "t1", move.by, move.action).reports
    (form,) = due
    assert (form.report, form.person) == ("Form W-2G", "Dan")
    assert form.amount >= 200_000 and "6041" in form.source
