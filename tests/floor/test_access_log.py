"""Who came and went: added after whatever is there, and read from its end a page at a time."""

from __future__ import annotations

import pytest

from houseway.floor.access_events import Accessed, AccessKind
from houseway.floor.access_log import AccessLog
from houseway.floor.streams import ACCESS
from houseway.store.memory import MemoryStore
from tests.floor.support import MAX, NOON


def came(number: int) -> Accessed:
    return Accessed(kind=AccessKind.SIGNED_IN, address=f"address {number}", at=NOON, by=MAX)


def log_of(store: MemoryStore, count: int) -> AccessLog:
    """Return the log of a store with so many entries, numbered from one."""
    log = AccessLog(store)
    if count:
        log.add(came(number) for number in range(1, count + 1))
    return log


@pytest.mark.parametrize(
    ("before", "limit", "numbers"),
    [
        (None, 2, [5, 4]),
        (None, 4, [5, 4, 3, 2]),
        (None, 5, [5, 4, 3, 2, 1]),
        (None, 6, [5, 4, 3, 2, 1]),
        (None, 0, []),
        (7, 2, [5, 4]),
        (6, 2, [5, 4]),
        (5, 2, [4, 3]),
        (2, 2, [1]),
        (1, 2, []),
        (0, 2, []),
        (-3, 2, []),
    ],
)
def test_a_page_is_the_latest_entries_before_a_number(
    before: int | None, limit: int, numbers: list[int]
) -> None:
    page = log_of(MemoryStore(), 5).page(before, limit)
    assert [entry.number for entry in page] == numbers
    assert [entry.event for entry in page] == [came(number) for number in numbers]


def test_a_log_that_nobody_has_written_has_no_page() -> None:
    assert log_of(MemoryStore(), 0).page(None, 10) == ()


def test_what_another_server_added_is_read_and_gone_on_from() -> None:
    store = MemoryStore()
    one, other = AccessLog(store), AccessLog(store)
    one.add([came(1)])
    other.add([came(2), came(3)])
    one.add([came(4)])
    assert store.heads()[ACCESS].version == 4
    for log in (one, other, AccessLog(store)):
        assert [entry.number for entry in log.page(None, 10)] == [4, 3, 2, 1]
