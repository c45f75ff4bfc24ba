"""What Prometheus asks for: how many requests, how they ended, how long they took.

Several processes serve one port, and whichever is asked answers for all: each leaves its counts in a folder.
What a process counted that is gone still counts; what was so at some moment only counts while it is.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, field

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The durations, in seconds, that requests are sorted by."""
FRESH: Final = 10.0
"""Seconds for which what a process has left is still so."""


class Route(Struct):
    """The requests of one route: by status, by duration, and how long all took."""

    statuses: dict[int, int] = {}
    sorted: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0

    def add(self, other: Route) -> None:
        """Count what another has counted."""
        for status, count in other.statuses.items():
            self.statuses[status] = self.statuses.get(status, 0) + count
        self.sorted = [mine + theirs for mine, theirs in zip(self.sorted, other.sorted, strict=True)]
        self.seconds += other.seconds


class Left(Struct):
    """What a process has left for the others."""

    routes: dict[str, Route]
    gauges: dict[str, float]
    at: float


class Counts:
    """Counts of one process since it began; with a folder, those of all processes that leave theirs there."""

    def __init__(self) -> None:
        self._routes: dict[str, Route] = {}
        self._folder: Path | None = None

    def request(self, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        found = self._routes.setdefault(route, Route())
        found.statuses[status] = found.statuses.get(status, 0) + 1
        found.sorted[bisect_left(BOUNDS, seconds)] += 1
        found.seconds += seconds

    # --- several processes ----------------------------------------------------------------------------

    def share(self, folder: Path) -> None:
        """Answer for every process that leaves its counts in a folder."""
        self._folder = folder

    def leave(self, gauges: Mapping[str, float]) -> None:
        """Leave the counts of this process for the others."""
        if self._folder is not None:
            left = Left(self._routes, dict(gauges), time.time())
            part = self._folder / f"{os.getpid()}.part"
            part.write_bytes(msgspec.json.encode(left))
            part.rename(part.with_suffix(".json"))

    def _others(self) -> list[Left]:
        if self._folder is None:
            return []
        mine = f"{os.getpid()}.json"
        return [
            msgspec.json.decode(path.read_bytes(), type=Left)
            for path in sorted(self._folder.glob("*.json"))
            if path.name != mine
        ]

    # --- what is answered -----------------------------------------------------------------------------

    def text(self, gauges: Mapping[str, float]) -> str:
        """Return everything in the form that Prometheus reads."""
        others, routes = self._others(), dict[str, Route]()
        for found in (self._routes, *(left.routes for left in others)):
            for name, route in found.items():
                routes.setdefault(name, Route()).add(route)
        now = time.time()
        fresh = [left.gauges for left in others if now - left.at < FRESH]
        lines = ["# TYPE houseway_requests_total counter"]
        for name, route in sorted(routes.items()):
            lines += [
                f'houseway_requests_total{{route="{name}",status="{status}"}} {count}'
                for status, count in sorted(route.statuses.items())
            ]
        lines.append("# TYPE houseway_request_seconds histogram")
        for name, route in sorted(routes.items()):
            lines += _histogram(name, route)
        for name, value in {**gauges, "processes": 1}.items():
            total = value + sum(one.get(name, name == "processes") for one in fresh)
            lines += [f"# TYPE houseway_{name} gauge", f"houseway_{name} {total:g}"]
        return "\n".join(lines) + "\n"


def _histogram(name: str, route: Route) -> Iterable[str]:
    total = 0
    for bound, count in zip((*map(str, BOUNDS), "+Inf"), route.sorted, strict=True):
        total += count
        yield f'houseway_request_seconds_bucket{{route="{name}",le="{bound}"}} {total}'
    yield f'houseway_request_seconds_sum{{route="{name}"}} {route.seconds:.6f}'
    yield f'houseway_request_seconds_count{{route="{name}"}} {total}'
