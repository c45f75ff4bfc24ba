"""Sessions and people of a database that an older program wrote: they open, hold, and go on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic import command as migrate
from sqlalchemy import create_engine, text

from houseway.floor.bodies import SCHEMA, read_body
from houseway.floor.streams import PEOPLE, SETUP
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.service.people import People, evolve_people
from houseway.service.sessions import Sessions
from houseway.store.entries import EMPTY, next_entry
from houseway.store.sql import _migrations
from houseway.store.store_url import open_store
from tests.service.crowd import NOON, hashed
from tests.store.support import DATABASES, fresh_database

TOKEN = "a token that somebody was given"


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return a database of the revision before proofs, in which somebody is signed in."""
    if request.param == "sqlite":
        _sign_in_as_before(f"sqlite:///{tmp_path / 'floor.db'}")
        yield str(tmp_path / "floor.db")
        return
    with fresh_database() as database:
        _sign_in_as_before(database.replace("postgresql://", "postgresql+psycopg://", 1))
        yield database


def _sign_in_as_before(url: str) -> None:
    engine = create_engine(url)
    row = {"token": hashlib.sha256(TOKEN.encode()).digest(), "begun": NOON, "seen": NOON}
    row["ends"] = datetime(2030, 1, 1, tzinfo=NOON.tzinfo)
    with engine.begin() as connection:
        migrate.upgrade(_migrations(connection), "0004")
        connection.execute(
            text(
                "INSERT INTO sessions (token, person, role, csrf, begun, seen, ends, address)"
                " VALUES (:token, 'ada', 'administrator', 'c', :begun, :seen, :ends, 'here')"
            ),
            row,
        )
    engine.dispose()


def test_a_session_that_runs_was_proved_when_it_began_and_over_no_other(url: str) -> None:
    store = open_store(url)
    sessions = Sessions(store, SeededEntropy("older"))
    session = sessions.find(TOKEN, NOON)
    assert session is not None and (session.person, session.role) == ("ada", Role.ADMINISTRATOR)
    assert session.proved == session.begun == NOON and session.browser == session.id
    later = NOON.replace(hour=13)
    sessions.renew_proof(session, later)
    renewed = sessions.find(TOKEN, NOON)
    assert renewed is not None and renewed.proved == later
    store.close()


# --- entries ------------------------------------------------------------------------------------------

ADMIN = {"id": "ada", "role": "administrator", "name": "Ada"}
AT = "2026-01-04T12:00:00Z"


def entry(stream: str, kind: str, value: dict[str, Any]) -> Any:
    body = msgspec.json.encode({"kind": kind, "schema": SCHEMA, "value": {"at": AT, "by": ADMIN, **value}})
    return read_body(next_entry(EMPTY, stream, "c", body, b""))


def test_people_on_record_are_read_as_they_were_written() -> None:
    crowd = People()
    for kind, value in (
        ("user_added", {"user": "ada", "name": "Ada", "roles": ["administrator"]}),
        ("password_set", {"user": "ada", "hash": hashed()}),
        ("user_added", {"user": "automatic dealer", "name": "m\u0456a", "roles": ["player"]}),
        ("password_set", {"user": "automatic dealer", "hash": hashed()}),
        ("roles_changed", {"user": "automatic dealer", "roles": ["player", "dealer"]}),
        ("user_disabled", {"user": "automatic dealer", "reason": "left"}),
        ("user_enabled", {"user": "automatic dealer", "reason": "back"}),
        ("user_added", {"user": "shoe", "name": "Shoe", "roles": ["shoe"]}),
        ("key_set", {"user": "shoe", "hash": "0" * 64}),
    ):
        event = entry(PEOPLE, kind, value)
        assert event.second is None and not getattr(event, "halves", False)
        crowd = evolve_people(crowd, event)
    assert not crowd.users["ada"].temporary and crowd.users["automatic dealer"].temporary
    assert crowd.administrators == ["ada"] and crowd.users["shoe"].secret == "0" * 64


def test_a_proposal_on_record_is_read_as_it_was_written() -> None:
    task = {"duty": "adjust_meter", "meter": "link", "amount": 1, "reason": "audit"}
    proposed = entry(SETUP, "proposed", {"proposal": "max/1", "task": task})
    assert proposed.task == task and proposed.browser == ""
