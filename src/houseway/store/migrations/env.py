"""What Alembic runs: the steps, on the connection that the store has open."""

from __future__ import annotations

from alembic import context

from houseway.store.schema import METADATA

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
