"""The codes that people have used, and factors that wait for their first code, shared by all servers."""

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
"""Before every code."""


class FactorCodes:
    """What servers of a floor remember of factors, beside the log.

    On SQLite it is written on the store's one connection: between two batches, never during one.
    """

    def __init__(self, store: Store) -> None:
        self._engine = side_engine(store, FACTORS)

    def use(self, person: PersonId, step: int, now_step: int) -> bool:
        """Take note of a code that somebody uses; return whether it is later than any used before.

        A code from a time that has not come yet was used before the clock jumped back: nobody waits for that
        time to come again.
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
        """Keep an encrypted secret until its first code comes; one that waited before is void."""
        row = {"pending": sealed, "begun": now}
        with self._engine.connect() as connection:
            first = insert_into(connection, FACTORS).values(person=person, step=NO_STEP, **row)
            connection.execute(first.on_conflict_do_update(index_elements=["person"], set_=row))

    def pending(self, person: PersonId, now: datetime) -> str:
        """Return the encrypted secret that waits for its first code, if one does."""
        asked = select(FACTORS.c.pending, FACTORS.c.begun).where(FACTORS.c.person == person)
        with self._engine.connect() as connection:
            row = connection.execute(asked).one_or_none()
        if row is None or row.begun is None or now - row.begun >= ENROLMENT:
            return ""
        return str(row.pending)

    def end(self, person: PersonId) -> None:
        """Forget the secret that waited."""
        none = {"pending": "", "begun": None}
        with self._engine.connect() as connection:
            connection.execute(update(FACTORS).where(FACTORS.c.person == person).values(**none))

    def forget_old(self, now: datetime) -> None:
        """Forget every secret that waited too long."""
        late = FACTORS.c.begun < now - ENROLMENT
        with self._engine.connect() as connection:
            connection.execute(update(FACTORS).where(late).values(pending="", begun=None))
