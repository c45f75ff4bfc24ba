"""The floor on a store: what is answered is stored, what is stored is the floor, nothing is done twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from houseway.errors import IllegalError
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.meter_events import MeterTurn
from houseway.floor.shared_meters import Flow
from houseway.floor.streams import meter_stream
from houseway.games import example_submission
from houseway.rounds.record import Turn
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.no_more_bets import NoMoreBets
from houseway.rounds.steps.players import Sit
from houseway.store.entries import Entry
from houseway.store.log_check import verify_log
from houseway.store.memory import MemoryStore
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Batch, Store
from houseway.store.store_errors import StaleError
from tests.floor.support import PEOPLE, command, make_table, new_floor, next_move, play, say, two_tables
from tests.store.support import KINDS, fresh_database, new_store

ANN = Actor("Ann", Role.PLAYER)


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with new_store(request.param) as made:
        yield made


def turn_of(entry: Entry) -> Turn:
    found = read_body(entry)
    assert isinstance(found, Turn)
    return found


def same_floor(one: Floor, other: Floor) -> bool:
    tables = [(one.table(name), other.table(name)) for name in one.tables]
    return one.meters() == other.meters() and all(
        (mine.table, mine.head) == (theirs.table, theirs.head) for mine, theirs in tables
    )


def test_a_floor_is_found_again_as_it_was_in_the_middle_of_a_round(store: Store) -> None:
    floor = two_tables(new_floor(store))
    play(floor, "t1", 1)
    for _ in range(12):  # cards are out at both tables: their decks lie sealed in the store
        for table in floor.tables:
            move = next_move(floor, table)
            say(floor, table, move.by, move.action)
    again = new_floor(store, "another process")
    assert same_floor(floor, again)
    play(again, "t2", 1)
    play(again, "t1", 1)
    assert again.table("t1").table.rounds == 2
    found = verify_log(store)
    assert found.streams == 4


def test_a_meter_is_the_sum_of_its_history(store: Store) -> None:
    floor = two_tables(new_floor(store))
    for table in ("t1", "t2", "t1"):
        play(floor, table, 1)
    state = floor.meter("link").opened.state
    for entry in store.tails({meter_stream("link"): 0}):
        turn = read_body(entry)
        assert isinstance(turn, MeterTurn)
        assert turn.before == state
        state = turn.after
    meter = floor.meter("link")
    assert state == meter.state != meter.opened.state
    assert meter.balance == state.value + state.reserve
    assert meter.totals[Flow.CONTRIBUTED] == state.value - meter.opened.state.value


def test_a_command_sent_again_is_done_once_and_answered_as_it_was(store: Store) -> None:
    floor = new_floor(store)
    make_table(floor, "t1", example_submission("pa-659a"))
    once = command(ANN, Sit(2))
    for _ in range(3):
        floor.submit("t1", once)
    first, *others = floor.run()
    floor.submit("t1", once)
    assert others == [first, first] == [*floor.run(), first]
    assert floor.table("t1").head.version == 1
    assert [seat.person for seat in floor.table("t1").table.seats.values()] == ["Ann"]


def test_what_is_refused_changes_and_stores_nothing(store: Store) -> None:
    floor = new_floor(store)
    make_table(floor, "t1", example_submission("pa-659a"))
    floor.submit("t1", command(ANN, NoMoreBets()))
    floor.submit("nowhere", command(ANN, Sit(2)))
    refused, unknown = floor.run()
    assert refused.refused and not refused.version
    assert "no such table" in unknown.fault
    assert set(store.heads()) == {"floor"}


def test_a_batch_is_one_transaction_over_many_tables() -> None:
    stored: list[int] = []

    class Counting(MemoryStore):
        def append_batch(self, batch: Batch) -> None:
            stored.append(len(batch.entries))
            super().append_batch(batch)

    floor = two_tables(new_floor(Counting()))
    stored.clear()
    for table in floor.tables:
        floor.submit(table, command(Actor("Eve", Role.PLAYER), Sit(6)))
        floor.submit(table, command(Actor("Bob", Role.PLAYER), Sit(3)))
    assert len(floor.run()) == 4 and stored == [4]


def test_answers_wait_until_the_batch_is_durable_and_a_failed_one_is_tried_again() -> None:
    store = MemoryStore()
    floor = two_tables(new_floor(store))
    floor.submit("t1", command(Actor("Eve", Role.PLAYER), Sit(6)))
    making = floor.prepare()
    assert 6 not in floor.table("t1").table.seats
    assert floor.settle(making, StaleError("somebody else was first")) == []
    (answer,) = floor.run()
    assert answer.version and 6 in floor.table("t1").table.seats


def test_a_command_that_was_carried_out_before_is_answered_though_its_batch_fails() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    once = command(Actor("Eve", Role.PLAYER), Sit(6))
    floor.submit("t1", once)
    (first,) = floor.run()
    floor.submit("t1", once)
    floor.submit("t1", command(Actor("Bob", Role.PLAYER), Sit(3)))
    replies = floor.settle(floor.prepare(), StaleError("somebody else was first"))
    assert [reply.answer for reply in replies] == [first]
    assert floor.waiting == 1 and len(floor.run()) == 1


def test_a_table_has_a_name_of_its_own(store: Store) -> None:
    floor = new_floor(store)
    make_table(floor, "t1", example_submission("pa-575"))
    with pytest.raises(IllegalError, match="a table of this name"):
        make_table(floor, "t1", example_submission("pa-575"))
    assert floor.tables == ["t1"]


def test_no_undealt_card_is_anywhere_in_the_store_before_its_round_is_over(store: Store) -> None:
    floor = two_tables(new_floor(store))
    while not floor.table("t1").table.round.commitment:
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
    sealed = store.sealed_decks("table/t1")
    assert floor.table("t1").table.round.commitment in sealed
    play(floor, "t1", 1)
    events = [e for entry in store.tails({"table/t1": 0}) for e in turn_of(entry).events]
    assert any(getattr(event.outcome, "seal", None) for event in events)


def test_two_servers_share_tables_and_a_meter_on_one_postgresql() -> None:
    with fresh_database() as url:
        stores = [PostgresStore(url), PostgresStore(url)]
        one, other = (new_floor(store, str(n)) for n, store in enumerate(stores))
        two_tables(one)
        other.refresh()
        for turn in range(120):
            floor, table = (one, other)[turn % 2], ("t1", "t2")[turn // 3 % 2]
            floor.catch_up([table])  # what a hint from the other server would do
            move = next_move(floor, table)
            floor.submit(table, command(move.by, move.action))
            (answer,) = floor.run()
            assert not answer.refused and not answer.fault
        for floor in (one, other):
            floor.catch_up(floor.tables)
        assert same_floor(one, other)
        verify_log(stores[0])
        for store in stores:
            store.close()


def test_a_server_that_lags_behind_finds_out_and_decides_again() -> None:
    store = MemoryStore()
    one = two_tables(new_floor(store, "one"))
    other = new_floor(store, "other")
    assert other.table("t1").head == one.table("t1").head
    say(one, "t1", Actor("Eve", Role.PLAYER), Sit(6))
    other.submit("t1", command(Actor("Bob", Role.PLAYER), Sit(6)))
    (late,) = other.run()
    assert late.refused and "sits there" in late.refused[0].reason
    other.submit("t1", command(Actor("Bob", Role.PLAYER), Sit(3)))
    (answer,) = other.run()
    assert answer.version == one.table("t1").head.version + 1
    assert sorted(other.table("t1").table.seats) == [*sorted({*PEOPLE, 3, 6})]
