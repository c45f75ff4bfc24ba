"""A replay reads its own round, not the whole table's past, and keeps nobody who plays waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import update

from houseway.cli.system import SystemRuntime
from houseway.floor.core import Floor
from houseway.floor.readmodels.sql_tables import ROUNDS
from houseway.games import example_submission
from houseway.rounds.roles import Role
from houseway.runtime import BusyError, Pool
from houseway.store.checkpoints import take_checkpoint
from houseway.store.entries import Entry
from houseway.store.protocol import START, Checkpoint, Picture, Place
from houseway.store.sqlite import SqliteStore
from houseway.web.making import site
from tests.floor.support import NOON, make_table, new_floor, play, seat_two
from tests.service.doors import guarded
from tests.service.support import Person, served

API = "/api/v1"
SOON = 20.0
"""Seconds after which a test gives up waiting."""
EVERY = 10
"""So often tables are written down whole here."""
LONGEST_ROUND = 40
SET_UP = 10
"""More entries than are set up here, and than lie between the end of a round and a checkpoint."""
T = TypeVar("T")


class Counted:
    """A picture that counts the entries that are read of it, and can be held up."""

    def __init__(self, picture: Picture, store: CountingStore) -> None:
        self._picture, self._store = picture, store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._picture, name)

    def checkpoints(self) -> Sequence[Checkpoint]:
        self._store.hold_up()
        return self._picture.checkpoints()

    def everything(self, after: Place = START) -> Iterator[tuple[Place, Entry]]:
        return self._store.counted(self._picture.everything(after))

    def tails(self, heads: Mapping[str, int], most: int | None = None) -> Iterable[Entry]:
        return self._store.counted(self._picture.tails(heads, most))

    def part(self, stream: str, after: int, until: int) -> Iterable[Entry]:
        return self._store.counted(self._picture.part(stream, after, until))


class CountingStore(SqliteStore):
    """Counts the entries that are read of it, however they are asked for."""

    read = 0
    going_on: threading.Event | None = None
    """What a reader of a picture waits for, if anything."""

    def __init__(self, path: Path) -> None:
        self.begun = threading.Event()
        super().__init__(path)

    def counted(self, found: Iterable[T]) -> Iterator[T]:
        for one in found:
            self.read += 1
            yield one

    def hold_up(self) -> None:
        self.begun.set()
        if self.going_on is not None:
            assert self.going_on.wait(SOON)

    def everything(self, after: Place = START) -> Iterator[tuple[Place, Entry]]:
        return self.counted(super().everything(after))

    def tails(self, heads: Mapping[str, int], most: int | None = None) -> Iterable[Entry]:
        return self.counted(super().tails(heads, most))

    def part(self, stream: str, after: int, until: int) -> Iterable[Entry]:
        return self.counted(super().part(stream, after, until))

    def checkpoints(self) -> Sequence[Checkpoint]:
        self.hold_up()
        return super().checkpoints()

    @contextmanager
    def picture(self) -> Iterator[Picture]:
        with super().picture() as picture:
            yield Counted(picture, self)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CountingStore]:
    monkeypatch.setattr("houseway.floor.batches.SNAPSHOT_EVERY", EVERY)
    store = CountingStore(tmp_path / "floor.db")
    yield store
    store.close()


def played(store: CountingStore, rounds: int) -> Floor:
    floor = new_floor(store)
    make_table(floor, "t1", example_submission("pa-575"))
    seat_two(floor, "t1")
    go_on(floor, rounds)
    return floor


def go_on(floor: Floor, rounds: int) -> None:
    for _ in range(rounds):
        play(floor, "t1", 1)
        take_checkpoint(floor.store, NOON)


def get(person: Person, path: str) -> Any:
    answer = person.send("GET", path)
    assert answer.status_code == 200, answer.text
    return answer


def test_a_replay_of_a_late_round_reads_no_more_the_longer_the_table_has_played(store: CountingStore) -> None:
    floor = played(store, 6)
    with served(floor, site) as (client, _):
        eye, ann = Person(client, "Eye", Role.SURVEILLANCE), Person(client, "Ann", Role.PLAYER)
        asked = [
            (eye, f"{API}/tables/t1/rounds/{{}}/replay"),
            (ann, f"{API}/tables/t1/rounds/{{}}/replay"),
            (eye, f"{API}/tables/t1/rounds/{{}}/packet"),
            (eye, "/tables/t1/rounds/{}/packet"),
            (ann, "/tables/t1/rounds/{}"),
        ]
        for number in (5, 15):
            get(eye, f"{API}/rounds")  # the read models take what is new
            for person, path in asked:
                store.read = 0
                get(person, path.format(number))
                assert 0 < store.read <= LONGEST_ROUND + 3 * EVERY + SET_UP, path
            go_on(floor, 10)
        assert floor.table("t1").head.version > 3 * LONGEST_ROUND


def test_a_replay_tells_the_same_wherever_the_read_model_says_that_it_lies(store: CountingStore) -> None:
    floor = played(store, 4)
    with served(floor) as (client, _):
        eye = Person(client, "Eye", Role.SURVEILLANCE)
        told = [get(eye, f"{API}/tables/t1/rounds/{number}/replay").json() for number in (1, 3)]
        assert all(one["identical"] and one["chained"] for one in told)
        with store.engine.connect() as connection:
            connection.execute(update(ROUNDS).values(first_version=2, last_version=9))
        again = [get(eye, f"{API}/tables/t1/rounds/{number}/replay").json() for number in (1, 3)]
        assert again == told


@pytest.mark.parametrize(
    "path", ["tables/t1/rounds/1/replay", "tables/t1/rounds/1/packet", "chain", "chain?whole=true"]
)
def test_a_command_is_answered_while_something_long_is_worked_out(store: CountingStore, path: str) -> None:
    with served(played(store, 1)) as (client, _), ThreadPoolExecutor(2) as people:
        reg, cleo = Person(client, "Reg", Role.REGULATOR), Person(client, "Cleo", Role.PLAYER)
        store.going_on = threading.Event()
        store.begun.clear()
        long = people.submit(reg.send, "GET", f"{API}/{path}")
        assert store.begun.wait(SOON)
        sat = people.submit(cleo.do, "t1", {"step": "sit", "position": 4})
        try:
            assert sat.result(SOON / 2).status_code == 200 and not long.done()
        finally:
            store.going_on.set()
        assert long.result(SOON).status_code == 200


class Busy(SystemRuntime):
    """A world in which too much waits already for what takes long."""

    async def in_thread(self, pool: Pool, work: Callable[[], T]) -> T:
        if pool is Pool.SLOW:
            raise BusyError("too much waits for this already: ask again", value=16)
        return await super().in_thread(pool, work)


SLOW = (
    (Role.REGULATOR, "tables/t1/rounds/1/replay"),
    (Role.REGULATOR, "tables/t1/rounds/1/packet"),
    (Role.REGULATOR, "chain?whole=true"),
    (Role.REGULATOR, "clauses?rule_set=pa-575"),
    (Role.PLAYER, "me/history"),
)


def test_where_too_much_waits_already_people_are_told_to_ask_again(store: CountingStore) -> None:
    with guarded(played(store, 1)) as found:
        for runtime, status in ((Busy(), 503), (SystemRuntime(), 200)):
            found.server.loop.runtime = runtime
            for role, path in SLOW:
                answer = found.somebody(role).send("GET", f"{API}/{path}")
                assert answer.status_code == status, answer.text
                if status != 200:
                    assert answer.headers["retry-after"] == "1" and "ask again" in answer.json()["title"]
