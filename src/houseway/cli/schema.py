"""``houseway schema``: the JSON Schema of commands, events and snapshots."""

from __future__ import annotations

from houseway.cli.output import emit
from houseway.rounds.codec import schema


def schema_command() -> None:
    """Print the JSON Schema of commands, events and snapshots."""
    emit(schema())
