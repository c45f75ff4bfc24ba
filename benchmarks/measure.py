"""What is measured: one line of the table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Measure:
    """One thing measured: how many a second, or how many seconds; and the peer beside it."""

    what: str
    rate: float
    unit: str
    peer: str = ""
    peer_rate: float | None = None
