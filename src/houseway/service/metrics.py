"""Metrics for Prometheus: counters, histograms and gauges of a server.

Several processes serve one port, and the one that is asked reports for all: each publishes its metrics in a
shared folder. Counters of a process that ended still count; its gauges do not. The library's own support for
several processes is configured by the environment at import time; here each process has its own registry,
and the folder is passed in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

DURATIONS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The buckets of request durations, in seconds."""
FRESH: Final = 10.0
"""Seconds for which the gauges that a process published stay valid."""
Labels = tuple[tuple[str, str], ...]


class Metrics:
    """The metrics of one process; with a shared folder, it reports for all processes."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        self._shared: _Folder | None = None
        own = self.registry
        self.requests = Counter("houseway_requests", "Requests answered.", ("route", "status"), registry=own)
        self.request_seconds = Histogram(
            "houseway_request_seconds",
            "How long an answer took.",
            ("route",),
            buckets=DURATIONS,
            registry=own,
        )
        self.viewers = Gauge("houseway_viewers", "Live views of tables.", registry=own)
        self.waiting = Gauge("houseway_waiting", "Commands that wait to be carried out.", registry=own)
        self.ready = Gauge("houseway_ready", "Server processes that can do their work.", registry=own)
        self.conditions = Gauge(
            "houseway_condition", "Server processes in which a condition holds.", ("name",), registry=own
        )
        self.batches = Counter(
            "houseway_batches", "Batches of commands, by what became of them.", ("outcome",), registry=own
        )
        self.processes = Gauge("houseway_processes", "Server processes that answer.", registry=own)
        self.processes.set(1)
        self.sockets = Gauge("houseway_sockets_open", "WebSockets that are open.", registry=own)
        self.sockets_refused = Counter(
            "houseway_sockets_refused", "WebSockets refused, by whose limit.", ("limit",), registry=own
        )
        self.sockets_closed = Counter(
            "houseway_sockets_closed",
            "WebSockets closed for what their client sent.",
            ("cause",),
            registry=own,
        )
        self.connections = Gauge("houseway_connections_open", "Connections that are open.", registry=own)
        self.connections_closed = Counter(
            "houseway_connections_closed", "Connections closed by the server.", ("cause",), registry=own
        )

    def count_request(self, route: str, status: int, seconds: float) -> None:
        """Count a request and the duration of its answer."""
        self.requests.labels(route, str(status)).inc()
        self.request_seconds.labels(route).observe(seconds)

    # --- several processes ----------------------------------------------------------------------------

    def share(self, folder: Path, monotonic: Callable[[], float]) -> None:
        """Share metrics with the other processes through a folder."""
        self._shared = _Folder(folder, monotonic)

    def publish(self) -> None:
        """Publish the metrics of this process in the shared folder."""
        if self._shared is not None:
            self._shared.publish(tuple(map(_family, self.registry.collect())))

    # --- output ---------------------------------------------------------------------------------------

    def text(self) -> bytes:
        """Return the metrics in Prometheus text format."""
        families = [*map(_family, self.registry.collect())]
        if self._shared is not None:
            families += self._shared.read_others()
        everything = CollectorRegistry()
        everything.register(_Sums(families))
        return generate_latest(everything)


# --- sums over processes ------------------------------------------------------------------------------


class Value(Struct, frozen=True):
    """One sample of a family, with its labels."""

    name: str
    labels: Labels
    value: float


class Family(Struct, frozen=True):
    """The samples of one metric name."""

    name: str
    type: str
    says: str
    values: tuple[Value, ...]


class Measures(Struct, frozen=True):
    """The metrics published by a process, and when, by the monotonic clock that all processes share."""

    at: float
    families: tuple[Family, ...]

    def counters(self) -> tuple[Family, ...]:
        """Return the families that still count once the process is gone: all but gauges."""
        return tuple(family for family in self.families if family.type != "gauge")


class _Folder:
    """The folder in which processes publish their metrics."""

    def __init__(self, path: Path, monotonic: Callable[[], float]) -> None:
        self._path, self._monotonic = path, monotonic

    def publish(self, families: tuple[Family, ...]) -> None:
        """Write the metrics of this process atomically."""
        part = self._path / f"{os.getpid()}.part"
        part.write_bytes(msgspec.json.encode(Measures(self._monotonic(), families)))
        part.rename(part.with_suffix(".json"))

    def read_others(self) -> list[Family]:
        """Return the families of the other processes, as far as they are still valid."""
        mine, now = f"{os.getpid()}.json", self._monotonic()
        others = [path for path in sorted(self._path.glob("*.json")) if path.name != mine]
        families: list[Family] = []
        for path in others:
            measures = msgspec.json.decode(path.read_bytes(), type=Measures)
            families += measures.families if now - measures.at < FRESH else measures.counters()
        return families


class _Sums(Collector):
    """A collector of the families of all processes, summed by name."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """Yield each family once; buckets are cumulative, and so are their sums."""
        kinds: dict[str, Family] = {}
        sums: dict[str, dict[tuple[str, Labels], float]] = {}
        for family in self._families:
            kinds.setdefault(family.name, family)
            values = sums.setdefault(family.name, {})
            for sample_value in family.values:
                values[sample_value.name, sample_value.labels] = (
                    values.get((sample_value.name, sample_value.labels), 0.0) + sample_value.value
                )
        for name, family in kinds.items():
            metric = Metric(name, family.says, family.type)
            for (sample, labels), value in sums[name].items():
                metric.add_sample(sample, dict(labels), value)
            yield metric


def _family(metric: Metric) -> Family:
    """Return the samples of a library metric, without its creation times."""
    values = tuple(
        Value(sample.name, _labels(sample.labels), sample.value)
        for sample in metric.samples
        if not sample.name.endswith("_created")
    )
    return Family(metric.name, metric.type, metric.documentation, values)


def _labels(labels: Mapping[str, str]) -> Labels:
    return tuple(labels.items())
