"""Who came and went, as it is noted and read: enough to find out, bounded under attack, and no secret."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from houseway.floor.access_events import AccessCounted, Accessed, AccessKind
from houseway.floor.access_log import AccessLog
from houseway.floor.streams import ACCESS
from houseway.floor.verification import verify_floor
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.access_notes import WRITTEN_EVERY, AccessNotes, CountedAccess, write_access_notes
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch, Store
from houseway.store.store_errors import OutcomeUnknownError, StaleError, StoreGoneError
from tests.floor.support import new_floor, two_tables
from tests.service.crowd import ANN, HERE, NOON, PASSWORD, SECOND
from tests.service.doors import API, Guarded, guarded
from tests.service.test_factors import enrolled
from tests.store.support import KINDS, Writer, new_store

STRANGER = "203.0.113.9"
MINUTE = timedelta(minutes=1)
MOST_ADDRESSES, MOST_AT_ONCE, MOST_USERS = 50, 100, 10
"""As the manual says them."""


@pytest.fixture
def floor() -> Iterator[Guarded]:
    with guarded(two_tables(new_floor(MemoryStore()))) as opened:
        yield opened


def read(floor: Guarded, query: str = "") -> list[dict[str, Any]]:
    """Return what surveillance reads, the latest first, once it is written and the minute is over."""
    floor.clock.now += MINUTE
    floor.write_access()
    answer = floor.somebody(Role.SURVEILLANCE).send("GET", f"{API}/access?{query}")
    assert answer.status_code == 200, answer.text
    entries: list[dict[str, Any]] = answer.json()["entries"]
    return entries


def events(floor: Guarded) -> list[dict[str, Any]]:
    """Return what known people did, the latest first."""
    return [entry["event"] for entry in read(floor) if entry["what"] != "counted"]


def counted(floor: Guarded) -> list[list[dict[str, Any]]]:
    """Return what was counted by address, minute by minute."""
    return [entry["event"]["addresses"] for entry in read(floor) if entry["what"] == "counted"]


# --- what is read -------------------------------------------------------------------------------------


def test_who_signed_in_in_which_role_and_from_where_can_be_read_and_who_signed_out(floor: Guarded) -> None:
    ann = floor.anybody(STRANGER)
    assert ann.sign_in("The Ann").status_code == 200
    assert ann.send("DELETE", f"{API}/session").status_code == 204
    out, came = events(floor)
    assert (came["kind"], out["kind"]) == ("signed_in", "signed_out")
    assert came["by"] == {"id": "Ann", "role": "player", "name": "The Ann"} == out["by"]
    assert came["address"] == out["address"] == STRANGER


def test_who_was_refused_a_route_can_be_read_and_is_written_once_with_how_often(floor: Guarded) -> None:
    dealer = floor.somebody(Role.DEALER)
    for _ in range(20):
        assert dealer.send("GET", f"{API}/users").status_code == 403
    (event,) = events(floor)
    assert (event["kind"], event["route"], event["count"]) == ("refused", "users", 20)
    assert event["by"]["id"] == "a-dealer"


def test_that_somebody_changed_how_they_prove_themselves_can_be_read(floor: Guarded) -> None:
    ann = floor.somebody(Role.PLAYER, "Ann")
    enrolled(floor, ann)
    changed = ann.send("POST", f"{API}/me/password", {"old": PASSWORD, "new": "a staple of horses"})
    assert changed.status_code == 200
    kinds = [event["kind"] for event in events(floor)]
    assert kinds == ["signed_in", "password_changed", "factor_set"]


def test_failures_and_guests_are_counted_by_address_and_minute(floor: Guarded) -> None:
    for name in ("The Ann", "The Dan", "The Ann", "my password by mistake", "Nobody"):
        floor.anybody(STRANGER).sign_in(name, "wrong horse battery")
    for _ in range(6):
        floor.anybody().send("POST", f"{API}/session/guest")
    (addresses,) = counted(floor)
    stranger = {"address": STRANGER, "failed": 3, "unknown": 2, "users": {"Ann": 2, "Dan": 1}}
    assert addresses == [{"address": HERE, "guests": 5, "paused": 1}, stranger]


def test_no_password_code_token_or_name_that_is_nobodys_is_written(floor: Guarded) -> None:
    ann = floor.anybody()
    ann.sign_in("The Ann")
    floor.anybody().sign_in("a password typed as a name", "and a wrong one")
    secret = enrolled(floor, ann)
    floor.anybody().sign_in("The Ann", code="424242")
    read(floor)
    text = b"\n".join(entry.body for entry in floor.floor.store.tails({ACCESS: 0})).decode()
    assert "The Ann" in text
    for hidden in (PASSWORD, ann.token, ann.csrf, secret, "424242", "typed as a name", "and a wrong one"):
        assert hidden not in text, hidden


def test_guests_who_are_refused_are_counted(floor: Guarded) -> None:
    guest = floor.somebody(Role.GUEST)
    for _ in range(3):
        assert guest.send("GET", f"{API}/users").status_code == 403
    assert counted(floor) == [[{"address": HERE, "refused": 3}]]


def test_the_log_is_read_page_by_page_from_its_end(floor: Guarded) -> None:
    for name in ("The Ann", "The Dan", "The Eve", "Ada", "The a-manager"):
        assert floor.anybody().sign_in(name).status_code == 200
        floor.write_access()
    reader, numbers, before = floor.somebody(Role.REGULATOR), list[int](), ""
    while True:
        page = reader.send("GET", f"{API}/access?limit=2{before}").json()
        numbers += [entry["number"] for entry in page["entries"]]
        if page["before"] is None:
            break
        before = f"&before={page['before']}"
    assert numbers == [5, 4, 3, 2, 1]
    assert reader.send("GET", f"{API}/access?before=1").json() == {"entries": [], "before": None}
    assert reader.send("GET", f"{API}/access?before={2**31 - 1}").status_code == 200
    for wrong in ("before=0", "limit=0", "before=-1", "limit=x", "limit=%C2%B2", f"before={2**31}"):
        assert reader.send("GET", f"{API}/access?{wrong}").status_code == 400, wrong


def test_a_hundred_entries_are_shown_and_five_hundred_at_most(floor: Guarded) -> None:
    AccessLog(floor.floor.store).add([came(number) for number in range(502)])
    reader = floor.somebody(Role.REGULATOR)
    for query, shown in (("", 100), ("?limit=499", 499), ("?limit=500", 500), ("?limit=501", 500)):
        page = reader.send("GET", f"{API}/access{query}").json()
        assert (len(page["entries"]), page["before"]) == (shown, 503 - shown), query


def test_the_log_with_who_came_and_went_is_whole(floor: Guarded) -> None:
    floor.anybody().sign_in("The Ann")
    floor.anybody().sign_in("The Ann", "wrong horse battery")
    assert len(read(floor)) == 2
    with floor.floor.store.picture() as picture:
        verify_floor(picture)


def test_what_was_noted_is_written_when_the_server_stops() -> None:
    store = MemoryStore()
    with guarded(two_tables(new_floor(store))) as floor:
        floor.anybody().sign_in("The Ann")
        floor.anybody().sign_in("The Ann", "wrong horse battery")
        assert not list(store.tails({ACCESS: 0}))
    assert len(list(store.tails({ACCESS: 0}))) == 2


# --- bounded ------------------------------------------------------------------------------------------


def test_whatever_is_tried_so_much_is_written_at_a_time_and_no_more() -> None:
    access = AccessNotes(MemoryStore())
    for number in range(10_000):
        access.count(CountedAccess.UNKNOWN, f"10.0.{number // 256}.{number % 256}", NOON)
        access.note(AccessKind.SIGNED_IN, Actor(f"p{number}", Role.PLAYER), HERE, NOON)
    written = access.gather(NOON + MINUTE)
    assert len(written) == MOST_AT_ONCE + 1
    minute = written[-1]
    assert isinstance(minute, AccessCounted) and len(minute.addresses) == MOST_ADDRESSES
    assert minute.others is not None and minute.others.unknown == 10_000 - MOST_ADDRESSES
    assert minute.unwritten == 10_000 - MOST_AT_ONCE


def test_of_an_address_so_much_is_written_and_no_more() -> None:
    access = AccessNotes(MemoryStore())
    for length in (99, 100, 101):
        access.note(AccessKind.SIGNED_IN, ANN, "x" * length, NOON)
        access.count(CountedAccess.UNKNOWN, "y" * length, NOON)
    singly, cut, minute = access.gather(NOON, ending=True)
    assert isinstance(singly, Accessed) and isinstance(cut, Accessed) and isinstance(minute, AccessCounted)
    assert [(len(one.address), one.count) for one in (singly, cut)] == [(99, 1), (100, 2)]
    assert [(len(one.address), one.unknown) for one in minute.addresses] == [(99, 1), (100, 2)]


def test_a_minute_begins_with_its_first_moment_and_is_written_once_it_is_over() -> None:
    access = AccessNotes(MemoryStore())
    access.count(CountedAccess.UNKNOWN, HERE, NOON + 59 * SECOND + timedelta(microseconds=7))
    assert not access.gather(NOON + 59 * SECOND)
    (minute,) = access.gather(NOON + MINUTE)
    assert isinstance(minute, AccessCounted) and minute.at == NOON and minute.unwritten == 0


def test_an_address_of_ipv6_is_counted_as_its_network_and_few_users_are_told_of_one() -> None:
    access = AccessNotes(MemoryStore())
    for number in range(100):
        access.count(CountedAccess.FAILED, f"2001:db8::{number}", NOON, f"u{number}")
    (minute,) = access.gather(NOON, ending=True)
    assert isinstance(minute, AccessCounted)
    (row,) = minute.addresses
    assert (row.address, row.failed, len(row.users)) == ("2001:db8::/64", 100, MOST_USERS)


def test_while_the_database_does_not_answer_so_many_notes_wait_and_no_more() -> None:
    access = AccessNotes(MemoryStore())
    for second in range(200):
        now = NOON + second * 5 * SECOND
        for number in range(200):
            access.note(AccessKind.SIGNED_IN, Actor(f"p{second}-{number}", Role.PLAYER), HERE, now)
        waiting = access.gather(now)
    assert len(waiting) <= 1_000 + MOST_AT_ONCE + 1
    access.forget(waiting)
    assert len(access.gather(now)) <= MOST_AT_ONCE + 1


def test_a_thousand_notes_wait() -> None:
    access = AccessNotes(MemoryStore())
    for number in range(1_100):
        access.note(AccessKind.SIGNED_IN, Actor(f"p{number}", Role.PLAYER), HERE, NOON)
        waiting = access.gather(NOON)
    assert len(waiting) == 1_000


# --- how it is stored ---------------------------------------------------------------------------------


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with new_store(request.param) as opened:
        yield opened


def came(number: int) -> Accessed:
    return Accessed(kind=AccessKind.SIGNED_IN, by=ANN, at=NOON + number * SECOND, address=HERE)


def test_servers_add_to_one_log(store: Store) -> None:
    one, other = AccessLog(store), AccessLog(store)
    for number in range(4):
        (one, other)[number % 2].add([came(number)])
    assert [entry.event for entry in one.page(None, 3)] == [came(3), came(2), came(1)]
    assert [entry.number for entry in other.page(3, 10)] == [2, 1]
    assert AccessLog(store).page(None, 10) == one.page(None, 10)


def test_a_page_reads_no_more_of_a_stream_than_it_shows(store: Store) -> None:
    writer = Writer(store)
    for _ in range(5):
        writer.add("s1", "s2")
    versions = [entry.version for entry in store.tails({"s1": 1}, 2)]
    assert versions == [2, 3]
    assert len(list(store.tails({"s1": 3, "s2": 4}, 5))) == 3 and not list(store.tails({"s1": 5}, 1))


class Failing(MemoryStore):
    """A store that fails once, before it stores or after."""

    def __init__(self, error: Exception, *, after: bool) -> None:
        super().__init__()
        self.error: Exception | None = error
        self.after = after

    def append_batch(self, batch: Batch) -> None:
        error, self.error = self.error, None
        if error is None or self.after:
            super().append_batch(batch)
        if error is not None:
            raise error


@pytest.mark.parametrize(
    ("error", "after"),
    [(StaleError("first"), False), (OutcomeUnknownError("?"), False), (OutcomeUnknownError("?"), True)],
)
def test_what_was_done_is_stored_once_whatever_the_store_answers(error: Exception, after: bool) -> None:
    log = AccessLog(Failing(error, after=after))
    log.add([came(1), came(2)])
    log.add([came(3)])
    assert [entry.event for entry in log.page(None, 10)] == [came(3), came(2), came(1)]


def test_what_could_not_be_written_is_written_later(floor: Guarded, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(batch: Batch) -> None:
        raise StoreGoneError("the database does not answer")

    floor.anybody().sign_in("The Ann")
    with monkeypatch.context() as while_gone:
        while_gone.setattr(floor.floor.store, "append_batch", gone)
        with pytest.raises(StoreGoneError):
            floor.write_access()
    floor.anybody().sign_in("The Dan")
    assert [event["by"]["id"] for event in events(floor)] == ["Dan", "Ann"]


def test_notes_are_written_every_few_seconds_by_a_task(floor: Guarded) -> None:
    async def work() -> None:
        task = asyncio.create_task(write_access_notes(floor.server.access, floor.server.loop, floor.runtime))
        await asyncio.sleep(0)
        floor.runtime.advance(WRITTEN_EVERY)
        while not list(floor.floor.store.tails({ACCESS: 0})):
            await asyncio.sleep(0)
        task.cancel()

    floor.anybody().sign_in("The Ann")
    floor.run(work)
