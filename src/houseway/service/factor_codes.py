"""Used codes and unconfirmed second factors, shared by all servers of a floor."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import select, update

from houseway.rounds.state import PersonId
from houseway.service.factors import DRIFT, ENROLMENT
from houseway.store.protocol import Store
from houseway.store.schema import FACTORS
from houseway.store.side_tables import insert_into, side_engine, transaction

NO_STEP: Final = -1
"""A step before every code."""


class FactorCodes:
    """The state of second factors that the servers of a floor share, beside the log.

    On SQLite it is written on the store's own connection: between two batches, never during one.
    """

    def __init__(self, store: Store) -> None:
        self._engine = side_engine(store, FACTORS)

    def use(self, person: PersonId, step: int, now_step: int) -> bool:
        """Record the use of a code; return whether it is later than all codes used before.

        A stored step in the future means that the clock was set back since: it is lowered to the last one
        that could be used now, so that its owner need not wait for that time to come again.
        """
        ahead = (FACTORS.c.person == person) & (FACTORS.c.step > now_step + DRIFT)
        with transaction(self._engine) as connection:
            connection.execute(update(FACTORS).where(ahead).values(step=now_step + DRIFT))
            first = insert_into(connection, FACTORS).values(person=person, step=step, pending="", begun=None)
            later = first.on_conflict_do_update(
                index_elements=["person"], set_={"step": step}, where=FACTORS.c.step < step
            )
            return connection.execute(later.returning(FACTORS.c.step)).first() is not None

    def begin(self, person: PersonId, sealed: str, now: datetime) -> None:
        """Keep an encrypted secret until its first code comes; it replaces an unconfirmed one."""
        row = {"pending": sealed, "begun": now}
        with self._engine.connect() as connection:
            first = insert_into(connection, FACTORS).values(person=person, step=NO_STEP, **row)
            connection.execute(first.on_conflict_do_update(index_elements=["person"], set_=row))

    def pending(self, person: PersonId, now: datetime) -> str:
        """Return the encrypted secret that waits for its first code, or ""."""
        query = select(FACTORS.c.pending, FACTORS.c.begun).where(FACTORS.c.person == person)
        with self._engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        if row is None or row.begun is None or now - row.begun >= ENROLMENT:
            return ""
        return str(row.pending)

    def end(self, person: PersonId) -> None:
        """Forget the unconfirmed secret."""
        none = {"pending": "", "begun": None}
        with self._engine.connect() as connection:
            connection.execute(update(FACTORS).where(FACTORS.c.person == person).values(**none))

    def forget_old(self, now: datetime) -> None:
        """Forget every secret that waited too long for its first code."""
        late = FACTORS.c.begun < now - ENROLMENT
        with self._engine.connect() as connection:
            connection.execute(update(FACTORS).where(late).values(pending="", begun=None))
