"""Commands that wait: so many in a batch, each until its time has passed, fewer where a batch fails."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest

from houseway.floor import batches
from houseway.floor.batches import Answer, Fault
from houseway.floor.bus import MOST_BYTES, PeopleHint, StreamHint, _read, _texts
from houseway.floor.core import MOST, Floor
from houseway.floor.streams import table_stream
from houseway.games import example_submission
from houseway.law.problems import Problem
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, Command
from houseway.rounds.steps.players import Sit
from houseway.store.memory import MemoryStore
from houseway.store.store_errors import OutcomeUnknownError, StaleError, StoreGoneError, UnstorableError
from tests.floor.support import NOON, make_table, new_floor, next_move, say


@pytest.fixture
def floor() -> Floor:
    made = new_floor(MemoryStore())
    make_table(made, "t1", example_submission("pa-575"))
    return made


def sit(number: int) -> Command:
    """Return the command of somebody who sits down where nobody is; the seventh finds no room."""
    return Command(Actor(f"P{number}", Role.PLAYER), Sit(number % 6 + 2), id=f"c{number}")


def test_a_batch_has_a_hundred_and_twenty_eight_commands() -> None:
    assert MOST == 128


@pytest.mark.parametrize(("count", "taken"), [(127, 127), (128, 128), (129, 128), (300, 128)])
def test_no_more_commands_are_decided_than_one_batch_has(floor: Floor, count: int, taken: int) -> None:
    for number in range(count):
        floor.submit("t1", sit(number))
    assert floor.waiting == count
    assert len(floor.prepare().waiting) == taken
    assert floor.waiting == count  # nothing is changed until it is settled


@pytest.mark.parametrize(("at", "late"), [(9.0, 0), (10.0, 0), (10.5, 1), (20.0, 1), (20.5, 2)])
def test_a_command_waits_until_its_time_has_passed(floor: Floor, at: float, late: int) -> None:
    assert floor.next_deadline == math.inf
    for number, deadline in enumerate((20.0, 10.0, math.inf)):
        floor.submit("t1", sit(number), deadline)
    assert floor.next_deadline == 10.0
    making = floor.prepare(at)
    assert [reply.answer.kind for reply in making.replies if reply.answer.fault] == [Fault.LATE] * late
    assert len(making.waiting) == 3 - late
    assert making.deadline == (10.0, 20.0, math.inf)[late]
    replies = floor.expire(at)  # the database was asked: none of them is in the log
    assert [reply.answer.kind for reply in replies] == [Fault.LATE] * late
    assert floor.waiting == 3 - late


def test_a_command_of_which_the_database_was_not_asked_may_have_been_carried_out(floor: Floor) -> None:
    floor.submit("t1", sit(1), 10.0)
    (reply,) = floor.expire(11.0)
    assert reply.answer.kind is Fault.UNKNOWN and not floor.waiting
    assert floor.prepare().deadline == math.inf


@pytest.mark.parametrize(
    ("error", "answered"),
    [
        (UnstorableError("x"), Fault.BROKEN),
        (ValueError("x"), Fault.BROKEN),
        (StaleError("x"), None),
        (StoreGoneError("x"), None),
        (OutcomeUnknownError("x"), None),
    ],
)
def test_what_fails_is_tried_in_halves_until_it_is_alone(
    floor: Floor, error: Exception, answered: Fault | None
) -> None:
    for number in range(5):
        floor.submit("t1", sit(number))
    sizes = []
    for _ in range(3):
        making = floor.prepare()
        sizes.append(len(making.waiting))
        replies = floor.settle(making, error)
        if replies:
            break
    away = isinstance(error, StoreGoneError | OutcomeUnknownError)
    assert sizes == ([5, 5, 5] if away else [5, 2, 1])
    assert [reply.answer.kind for reply in replies] == ([answered] if answered else [])
    assert floor.waiting == (4 if answered else 5)
    while floor.waiting:  # the others are carried out as ever
        making = floor.prepare()
        floor.store.append_batch(making.batch)
        floor.settle(making)
    assert floor.table("t1").head.version == (4 if answered else 5)


def test_where_not_even_a_batch_is_made_whoever_is_alone_is_answered(floor: Floor) -> None:
    for number in (1, 2):
        floor.submit("t1", sit(number))
    assert floor.fail(ValueError("x")) == []
    (reply,) = floor.fail(ValueError("x"))
    assert (reply.answer.kind, reply.waiting.command.id) == (Fault.UNKNOWN, "c1")
    assert len(floor.prepare().waiting) == 1  # the database says that it knows nothing of it
    (reply,) = floor.fail(ValueError("x"))
    assert (reply.answer.kind, reply.waiting.command.id) == (Fault.BROKEN, "c2")


def test_what_is_sent_twice_at_once_is_carried_out_once(floor: Floor) -> None:
    for _ in range(2):
        floor.submit("t1", sit(1))
    assert len(floor.prepare().waiting) == 1
    first, second = floor.run()
    assert first == second and (first.version, first.done) == (1, True)
    floor.submit("t1", sit(2))
    assert [answer.version for answer in floor.run()] == [2]


@pytest.mark.parametrize("every", [1, 2, 3])
def test_a_table_is_written_down_at_every_so_many_entries(
    floor: Floor, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "SNAPSHOT_EVERY", every)
    for version in range(1, 8):
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
        assert floor.table("t1").head.version == version
        kept = floor.store.snapshots([table_stream("t1")])
        last = version - version % every
        assert (kept[table_stream("t1")].version if kept else 0) == last


def test_only_what_is_neither_refused_nor_at_fault_is_done() -> None:
    plain = Answer(command="c", table="t1")
    assert plain.done and (plain.version, plain.kind) == (0, Fault.MEANINGLESS)
    assert not Answer(command="c", table="t1", refused=(Problem("x", "y"),)).done
    assert not Answer(command="c", table="t1", fault="x").done


def test_a_clock_is_told_what_others_did() -> None:
    store = MemoryStore()
    one, other = new_floor(store), new_floor(store)
    one.clock = lambda: NOON + timedelta(hours=1)
    told: list[object] = []
    other.follow = told.append
    make_table(one, "t1", example_submission("pa-575"))
    other.refresh()
    assert told and set(told) == {NOON + timedelta(hours=1)} and other.tables == ["t1"]


def test_a_command_for_a_table_that_there_is_not_means_nothing(floor: Floor) -> None:
    floor.submit("t9", sit(1))
    (answer,) = floor.run()
    assert (answer.kind, answer.version, answer.done) == (Fault.MEANINGLESS, 0, False)
    assert "no such table" in answer.fault


# --- hints --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("longer", "texts"), [(-1, 1), (0, 1), (1, 0)])
def test_a_hint_has_so_many_bytes_and_one_that_has_more_is_left_to_the_poll(longer: int, texts: int) -> None:
    (bare,) = _texts([StreamHint("", 1)])
    told = list(_texts([StreamHint("x" * (MOST_BYTES - len(bare) + longer), 1)]))
    assert len(told) == texts and all(len(text) <= MOST_BYTES for text in told)


@pytest.mark.parametrize("count", [1, 2, 3, 200, 401])
def test_every_stream_is_told_in_its_order(count: int) -> None:
    many = [StreamHint(f"table/{'x' * 40}{number}", number) for number in range(count)]
    texts = list(_texts(many))
    assert [hint for text in texts for hint in _read(text)] == many
    assert all(len(text) <= MOST_BYTES for text in texts) and (len(texts) == 1) is (count < 100)


def test_what_is_no_hint_says_nothing() -> None:
    for text in ("", "nonsense", "{", '[{"stream": 1}]', "1"):
        assert _read(text) == []
    assert _read('{"seen": ["Ann"], "ready": []}') == [PeopleHint(("Ann",))]
