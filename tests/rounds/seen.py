"""A table as tests look at it: its state, with the rules it plays by and the meter it shares at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from houseway.games import Rules
from houseway.meters import Meter
from houseway.rounds.live import LiveTable
from houseway.rounds.state import Table
from houseway.rounds.step import meter_of


@dataclass(frozen=True)
class Seen:
    """A table with its rules and its meter; everything else is the table's own."""

    state: Table
    rules: Rules
    meter: Meter | None = None

    @property
    def way(self) -> str:
        """The way of dealing, or the procedure."""
        return self.rules.way

    @property
    def banked(self) -> bool:
        """Whether a player banks the game."""
        return self.rules.banked

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)


def seen(live: LiveTable) -> Seen:
    """Look at a table that is running."""
    return Seen(live.table, live.rules, meter_of(live.rules, live.table, live.moment))
