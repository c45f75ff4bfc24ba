"""Sessions of signed-in people, shared by all servers of a floor.

A client is given a token once, and only its hash is stored. A session belongs to one person in one role; it
ends when nothing is heard for a while, and at the latest after a shift.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import ClassVar, Final

from sqlalchemy import Delete, RowMapping, bindparam, delete, insert, select, update

from houseway.floor.streams import RedactedStruct
from houseway.names import GUESTS
from houseway.rng import Entropy
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.service.passwords import secret_text
from houseway.store.protocol import Store
from houseway.store.schema import SESSIONS
from houseway.store.side_tables import side_engine

IDLE: Final = timedelta(minutes=30)
LONGEST: Final = timedelta(hours=12)
PROOF_LASTS: Final = timedelta(minutes=5)
"""A house rule: for acts of two people, each must have given their password within this time."""
TOUCH_EVERY: Final = timedelta(minutes=1)
"""The shortest time between two updates of ``seen``, each of which costs SQLite a write to disk."""
AT_ONCE: Final = 500
"""The most sessions in one query."""
GUEST_BYTES: Final = 8
Token = str


class Session(RedactedStruct, frozen=True, kw_only=True):
    """A session: the person, their role, since when, until when, and the address."""

    hidden: ClassVar[frozenset[str]] = frozenset({"id", "csrf", "browser"})
    id: bytes
    """The hash of the token."""
    person: PersonId
    role: Role
    csrf: str
    """The token against cross-site requests, which pages of the session send with every change."""
    begun: datetime
    seen: datetime
    ends: datetime
    address: str
    proved: datetime
    """When the person last gave their password or key."""
    browser: bytes
    """The first of the sessions begun over one another in a browser; this one if it was begun over none."""

    @property
    def user(self) -> PersonId | None:
        """The user of the session; None for a guest."""
        return None if self.role is Role.GUEST else self.person

    def actor(self, name: str = "") -> Actor:
        """Return the actor of this session."""
        return Actor(self.person, self.role, name)

    def is_freshly_proved(self, now: datetime) -> bool:
        """Whether the person proved who they are recently, by a clock that may be set back."""
        return abs(now - self.proved) <= PROOF_LASTS

    def allows(self, csrf: str) -> bool:
        """Whether a request comes from a page of this session."""
        return hmac.compare_digest(self.csrf.encode(), csrf.encode("utf-8", "replace"))


class NewSession(RedactedStruct, frozen=True):
    """A new session and its token, which cannot be read again later."""

    hidden: ClassVar[frozenset[str]] = frozenset({"token"})

    session: Session
    token: Token


class Sessions:
    """The sessions of a floor, in its database.

    On SQLite they are written on the store's own connection: between two batches, never during one.
    """

    def __init__(self, store: Store, entropy: Entropy) -> None:
        self._engine = side_engine(store, SESSIONS)
        self._entropy = entropy

    def begin(
        self, person: PersonId, role: Role, address: str, now: datetime, before: Session | None = None
    ) -> NewSession:
        """Begin a session under a new token, whichever token the client had."""
        token = secret_text(self._entropy)
        session = Session(
            id=_token_hash(token),
            person=person,
            role=role,
            csrf=secret_text(self._entropy),
            begun=now,
            seen=now,
            ends=_end(now, now),
            address=address,
            proved=now,
            browser=before.browser if before is not None else _token_hash(token),
        )
        row = {name: getattr(session, name) for name in Session.__struct_fields__[1:]}
        with self._engine.connect() as connection:
            connection.execute(insert(SESSIONS).values({**row, "token": session.id, "role": role.value}))
        return NewSession(session, token)

    def begin_guest(self, address: str, now: datetime) -> NewSession:
        """Begin a session of a new guest."""
        guest = f"{GUESTS}{self._entropy.read(GUEST_BYTES).hex()}"
        return self.begin(guest, Role.GUEST, address, now)

    def find(self, token: Token, now: datetime) -> Session | None:
        """Return the session of a token, or None if it has ended."""
        query = select(SESSIONS).where(SESSIONS.c.token == _token_hash(token), SESSIONS.c.ends > now)
        with self._engine.connect() as connection:
            row = connection.execute(query).mappings().one_or_none()
        return None if row is None else _session(row)

    def find_all(self, ids: Sequence[bytes], now: datetime) -> dict[bytes, Session]:
        """Return the sessions that have not ended, by the hashes of their tokens."""
        sessions = dict[bytes, Session]()
        with self._engine.connect() as connection:
            for begin in range(0, len(ids), AT_ONCE):
                some = SESSIONS.c.token.in_(ids[begin : begin + AT_ONCE])
                rows = connection.execute(select(SESSIONS).where(some, SESSIONS.c.ends > now)).mappings()
                sessions |= {bytes(row["token"]): _session(row) for row in rows}
        return sessions

    def touch(self, sessions: Iterable[Session], now: datetime) -> None:
        """Extend sessions that were used; ended ones stay ended."""
        updates = [
            {"id": session.id, "ending": _end(session.begun, now)}
            for session in sessions
            if now - session.seen >= TOUCH_EVERY
        ]
        if not updates:
            return
        running = (SESSIONS.c.token == bindparam("id"), SESSIONS.c.ends > now, SESSIONS.c.seen < now)
        statement = update(SESSIONS).where(*running).values(seen=now, ends=bindparam("ending"))
        with self._engine.connect() as connection:
            connection.execute(statement, updates)

    def renew_proof(self, session: Session, now: datetime) -> None:
        """Record that the person of a session gave their password once more."""
        statement = update(SESSIONS).where(SESSIONS.c.token == session.id).values(proved=now)
        with self._engine.connect() as connection:
            connection.execute(statement)

    def end(self, token: Token) -> None:
        """End the session of a token."""
        self._remove(delete(SESSIONS).where(SESSIONS.c.token == _token_hash(token)))

    def end_all(self, person: PersonId) -> None:
        """End all sessions of a person."""
        self._remove(delete(SESSIONS).where(SESSIONS.c.person == person))

    def forget_ended(self, now: datetime) -> None:
        """Remove sessions that have expired."""
        self._remove(delete(SESSIONS).where(SESSIONS.c.ends <= now))

    def _remove(self, statement: Delete) -> None:
        with self._engine.connect() as connection:
            connection.execute(statement)


def _session(row: RowMapping) -> Session:
    rest = {name: row[name] for name in Session.__struct_fields__ if name in row}
    read = {"id": bytes(row["token"]), "role": Role(row["role"]), "browser": bytes(row["browser"])}
    return Session(**{**rest, **read})


def _token_hash(token: Token) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _end(begun: datetime, seen: datetime) -> datetime:
    return min(begun + LONGEST, seen + IDLE)
