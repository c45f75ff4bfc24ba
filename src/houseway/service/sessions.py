"""Who is signed in: sessions that all servers of a floor share.

A client is given a token once, and only its hash is kept. A session is of one person in one role; it ends
when nothing is heard for a while, and at the latest after a shift.
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
"""A rule of the house: what needs two people is done by each within so long of giving their password."""
TOUCH_EVERY: Final = timedelta(minutes=1)
"""That somebody was heard is written down no more often: on SQLite it costs a write to the disk."""
AT_ONCE: Final = 500
"""So many sessions are asked for in one question."""
GUEST_BYTES: Final = 8
Token = str


class Session(RedactedStruct, frozen=True, kw_only=True):
    """Somebody signed in: as whom, in which role, since when, until when, from where."""

    hidden: ClassVar[frozenset[str]] = frozenset({"id", "csrf", "browser"})
    id: bytes
    """The hash of the token."""
    person: PersonId
    role: Role
    csrf: str
    """What a page of the session sends with whatever it does."""
    begun: datetime
    seen: datetime
    ends: datetime
    address: str
    proved: datetime
    """When the person last gave their password, or their key."""
    browser: bytes
    """The first of the sessions that were begun one over another; this one if it was begun over none."""

    @property
    def user(self) -> PersonId | None:
        """Whose session it is; a guest's is nobody's."""
        return None if self.role is Role.GUEST else self.person

    def actor(self, name: str = "") -> Actor:
        """Return who acts by this session."""
        return Actor(self.person, self.role, name)

    def proved_lately(self, now: datetime) -> bool:
        """Whether the person has proved who they are a short while ago, by a clock that may be set back."""
        return abs(now - self.proved) <= PROOF_LASTS

    def allows(self, csrf: str) -> bool:
        """Whether a request comes from a page of this session."""
        return hmac.compare_digest(self.csrf.encode(), csrf.encode("utf-8", "replace"))


class Begun(RedactedStruct, frozen=True):
    """A session that was begun, and the token of it, which nobody can be told again."""

    hidden: ClassVar[frozenset[str]] = frozenset({"token"})

    session: Session
    token: Token


class Sessions:
    """The sessions of a floor, in its database.

    On SQLite they are written on the store's one connection: between two batches, never during one.
    """

    def __init__(self, store: Store, entropy: Entropy) -> None:
        self._engine = side_engine(store, SESSIONS)
        self._entropy = entropy

    def begin(
        self, person: PersonId, role: Role, address: str, now: datetime, before: Session | None = None
    ) -> Begun:
        """Begin a session under a fresh token, whatever the client came with."""
        token = secret_text(self._entropy)
        session = Session(
            id=_id_of(token),
            person=person,
            role=role,
            csrf=secret_text(self._entropy),
            begun=now,
            seen=now,
            ends=_end(now, now),
            address=address,
            proved=now,
            browser=before.browser if before is not None else _id_of(token),
        )
        row = {name: getattr(session, name) for name in Session.__struct_fields__[1:]}
        with self._engine.connect() as connection:
            connection.execute(insert(SESSIONS).values({**row, "token": session.id, "role": role.value}))
        return Begun(session, token)

    def begin_guest(self, address: str, now: datetime) -> Begun:
        """Begin a session of nobody in particular."""
        guest = f"{GUESTS}{self._entropy.read(GUEST_BYTES).hex()}"
        return self.begin(guest, Role.GUEST, address, now)

    def find(self, token: Token, now: datetime) -> Session | None:
        """Return the session of a token, unless it has ended."""
        asked = select(SESSIONS).where(SESSIONS.c.token == _id_of(token), SESSIONS.c.ends > now)
        with self._engine.connect() as connection:
            row = connection.execute(asked).mappings().one_or_none()
        return None if row is None else _session(row)

    def find_all(self, ids: Sequence[bytes], now: datetime) -> dict[bytes, Session]:
        """Return those of many sessions that have not ended, by the hashes of their tokens."""
        found = dict[bytes, Session]()
        with self._engine.connect() as connection:
            for begin in range(0, len(ids), AT_ONCE):
                some = SESSIONS.c.token.in_(ids[begin : begin + AT_ONCE])
                rows = connection.execute(select(SESSIONS).where(some, SESSIONS.c.ends > now)).mappings()
                found |= {bytes(row["token"]): _session(row) for row in rows}
        return found

    def touch(self, sessions: Iterable[Session], now: datetime) -> None:
        """Write down that people were heard; what has ended meanwhile does not begin again."""
        heard = [
            {"id": one.id, "ending": _end(one.begun, now)}
            for one in sessions
            if now - one.seen >= TOUCH_EVERY
        ]
        if not heard:
            return
        running = (SESSIONS.c.token == bindparam("id"), SESSIONS.c.ends > now, SESSIONS.c.seen < now)
        changed = update(SESSIONS).where(*running).values(seen=now, ends=bindparam("ending"))
        with self._engine.connect() as connection:
            connection.execute(changed, heard)

    def renew_proof(self, session: Session, now: datetime) -> None:
        """Write down that the person of a session has given their password once more."""
        changed = update(SESSIONS).where(SESSIONS.c.token == session.id).values(proved=now)
        with self._engine.connect() as connection:
            connection.execute(changed)

    def end(self, token: Token) -> None:
        """Sign out."""
        self._remove(delete(SESSIONS).where(SESSIONS.c.token == _id_of(token)))

    def end_all(self, person: PersonId) -> None:
        """Sign somebody out wherever they are signed in."""
        self._remove(delete(SESSIONS).where(SESSIONS.c.person == person))

    def forget_ended(self, now: datetime) -> None:
        """Remove what has ended by itself."""
        self._remove(delete(SESSIONS).where(SESSIONS.c.ends <= now))

    def _remove(self, removed: Delete) -> None:
        with self._engine.connect() as connection:
            connection.execute(removed)


def _session(row: RowMapping) -> Session:
    rest = {name: row[name] for name in Session.__struct_fields__ if name in row}
    read = {"id": bytes(row["token"]), "role": Role(row["role"]), "browser": bytes(row["browser"])}
    return Session(**{**rest, **read})


def _id_of(token: Token) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _end(begun: datetime, seen: datetime) -> datetime:
    return min(begun + LONGEST, seen + IDLE)
