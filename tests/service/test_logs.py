"""What a server logs: one JSON object a line, with which route was taken and how it ended, and no secret."""

from __future__ import annotations

import errno
import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from houseway.rounds.roles import Role
from houseway.service.logs import PLAIN, JsonLines, TextLines
from houseway.store.memory import MemoryStore
from tests.floor.support import new_floor, two_tables
from tests.service.support import Person, served


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """Take what is logged meanwhile."""
    said, log = io.StringIO(), logging.getLogger("houseway")
    handler = logging.StreamHandler(said)
    handler.setFormatter(JsonLines())
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    yield said
    log.removeHandler(handler)
    log.setLevel(level)


def test_a_request_is_one_line_with_its_route_and_status_and_without_any_secret() -> None:
    with logged() as said, served(two_tables(new_floor(MemoryStore()))) as (client, _):
        person = Person(client, "Eve", Role.PLAYER)
        person.look("t1")
        assert person.do("t1", {"step": "sit", "position": 6}).status_code == 200
        assert person.do("t1", {"step": "sit", "position": 6}).status_code == 409
    lines = [json.loads(line) for line in said.getvalue().splitlines()]
    routes = [(line["route"], line["status"]) for line in lines if "route" in line]
    assert routes == [("sign_in", 200), ("table", 200), ("command", 200), ("command", 409)]
    assert all({"at", "level", "process", "request", "ms"} <= line.keys() for line in lines)
    assert len({line["request"] for line in lines}) == len(lines)
    secrets = [person.csrf, *person.cookies.values()]
    assert not any(secret in said.getvalue() for secret in secrets)


def failed(formatter: logging.Formatter) -> str:
    """Return what is logged of an error whose message repeats cards."""
    said, log = io.StringIO(), logging.getLogger("houseway.failing")
    handler = logging.StreamHandler(said)
    handler.setFormatter(formatter)
    log.addHandler(handler)
    try:
        try:
            raise OSError(errno.ENOSPC, "No space left on device")
        except OSError as error:
            raise ValueError("could not store As Kd for hunter2") from error
    except ValueError:
        log.exception("a batch could not be stored")
    log.removeHandler(handler)
    return said.getvalue()


def test_a_failure_is_one_line_with_its_kinds_and_places_and_not_its_message() -> None:
    (line,) = failed(JsonLines()).splitlines()
    found = json.loads(line)
    assert found["level"] == "error" and found["message"] == "a batch could not be stored"
    assert found["error"] == ["ValueError", "OSError: No space left on device"]
    assert found["where"][-1].endswith(" failed") and "test_logs.py:" in found["where"][-1]
    for text in (line, failed(TextLines(PLAIN))):
        assert "hunter2" not in text and "As Kd" not in text and "No space left on device" in text
