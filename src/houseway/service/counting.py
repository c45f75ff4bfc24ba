"""What Prometheus asks for: how many requests, how they ended, how long they took."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from typing import Final

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The durations, in seconds, that requests are sorted by."""


class Counts:
    """Counts of one process, since it began."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._sorted: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self._seconds: Counter[str] = Counter()

    def request(self, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests[route, status] += 1
        self._sorted[route][bisect_left(BOUNDS, seconds)] += 1
        self._seconds[route] += seconds  # type: ignore[assignment]

    def text(self, **gauges: float) -> str:
        """Return everything in the form that Prometheus reads."""
        lines = ["# TYPE houseway_requests_total counter"]
        for (route, status), count in sorted(self._requests.items()):
            lines.append(f'houseway_requests_total{{route="{route}",status="{status}"}} {count}')
        lines.append("# TYPE houseway_request_seconds histogram")
        for route, counts in sorted(self._sorted.items()):
            lines += self._histogram(route, counts)
        for name, value in gauges.items():
            lines += [f"# TYPE houseway_{name} gauge", f"houseway_{name} {value}"]
        return "\n".join(lines) + "\n"

    def _histogram(self, route: str, counts: list[int]) -> list[str]:
        lines, total = [], 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
            total += count
            lines.append(f'houseway_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}')
        seconds = f"{self._seconds[route]:.6f}"
        return [
            *lines,
            f'houseway_request_seconds_sum{{route="{route}"}} {seconds}',
            f'houseway_request_seconds_count{{route="{route}"}} {total}',
        ]
