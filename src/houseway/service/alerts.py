"""Alerts for surveillance: steps taken too often, wins that stay unresolved, parked entries, set clocks.

``find_alerts`` is a pure function of the steps taken, the open wins and the thresholds, which are data.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Literal

from msgspec import Struct, convert

from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.readmodels import ParkedEntries, StepInRound
from houseway.floor.running_table import RunningTable
from houseway.floor.setup_events import ClockStepped, ProposalClosed, Proposed, SetupEvent, TableMade
from houseway.floor.shared_meters import SharedMeter
from houseway.floor.streams import TableId, is_practice, table_stream
from houseway.rounds.marks import HandMark
from houseway.settlement.model import PROGRESSIVE

Per = Literal["meter", "dealer", "table"]
BY_TWO = ("adjust_meter", "void_slip")
"""Steps on a meter that two people take away from the tables."""


class RepeatLimit(Struct, frozen=True, forbid_unknown_fields=True):
    """A threshold: some steps were taken at least ``least`` times within ``hours``."""

    id: str
    says: str
    steps: tuple[str, ...]
    per: Per
    least: int
    hours: int


class UnresolvedLimit(Struct, frozen=True, forbid_unknown_fields=True):
    """A threshold: a win is unresolved after ``minutes``."""

    id: str
    says: str
    minutes: int


class ParkedLimit(Struct, frozen=True, forbid_unknown_fields=True):
    """The alert about entries of the log that a read model could not take."""

    id: str
    says: str


class ClockLimit(Struct, frozen=True, forbid_unknown_fields=True):
    """The alert about a wall clock that was set, shown for ``hours``."""

    id: str
    says: str
    hours: int


class Thresholds(Struct, frozen=True, forbid_unknown_fields=True):
    """The thresholds of all alerts."""

    repeated: tuple[RepeatLimit, ...]
    unresolved: tuple[UnresolvedLimit, ...]
    parked: ParkedLimit
    clock_set: ClockLimit


class StepDone(Struct, frozen=True, kw_only=True):
    """A step that was taken: when, and the table, dealer, meter and people it concerns."""

    step: str
    at: datetime
    table: str = ""
    round: int | None = None
    dealer: str = ""
    meter: str = ""
    by: tuple[str, ...] = ()


class OpenWin(Struct, frozen=True, kw_only=True):
    """An unresolved win: since when, and where."""

    kind: str
    since: datetime
    table: str
    round: int
    about: str


class Alert(Struct, frozen=True, kw_only=True):
    """An alert with everything that it is based on."""

    alert: str
    says: str
    about: str
    since: datetime
    last: datetime
    count: int
    done: tuple[StepDone, ...] = ()
    entries: tuple[str, ...] = ()
    """The first log entries that it is about, with what is wrong with each."""


@cache
def thresholds() -> Thresholds:
    """Return the thresholds of ``data/alerts.toml``."""
    text = (files("houseway.service") / "data" / "alerts.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text), Thresholds)


def find_alerts(
    done: Iterable[StepDone], waiting: Iterable[OpenWin], limits: Thresholds, now: datetime
) -> list[Alert]:
    """Return the alerts about steps and wins at a moment, the latest first."""
    happened, unresolved = [step for step in done if step.at <= now], list(waiting)
    alerts = [alert for limit in limits.repeated for alert in _repeat_alerts(happened, limit, now)]
    for limit in limits.unresolved:
        alerts += [
            Alert(alert=limit.id, says=limit.says, about=win.about, since=win.since, last=win.since, count=1)
            for win in unresolved
            if win.kind == limit.id and now - win.since >= timedelta(minutes=limit.minutes)
        ]
    return sorted(alerts, key=lambda alert: (alert.last, alert.alert, alert.about), reverse=True)


def _repeat_alerts(done: Iterable[StepDone], limit: RepeatLimit, now: datetime) -> Iterator[Alert]:
    groups: dict[str, list[StepDone]] = {}
    for step in done:
        about: str = getattr(step, limit.per)
        if about and step.step in limit.steps and now - step.at < timedelta(hours=limit.hours):
            groups.setdefault(about, []).append(step)
    for about, those in groups.items():
        if len(those) >= limit.least:
            those.sort(key=lambda step: step.at)
            yield Alert(
                alert=limit.id,
                says=limit.says,
                about=f"{limit.per} {about}",
                since=those[0].at,
                last=those[-1].at,
                count=len(those),
                done=tuple(those),
            )


def parked_alerts(parked: Iterable[ParkedEntries], limits: Thresholds, now: datetime) -> Iterator[Alert]:
    """Yield an alert for each read model that lacks entries; it lasts until they are taken in."""
    for missing in parked:
        yield Alert(
            alert=limits.parked.id,
            says=limits.parked.says,
            about=f"read model {missing.model}",
            since=now,
            last=now,
            count=missing.count,
            entries=tuple(map(str, missing.first)),
        )


def clock_alerts(set_up: Iterable[SetupEvent], limits: Thresholds, now: datetime) -> Iterator[Alert]:
    """Yield an alert for each time that a wall clock was set lately, the latest first."""
    steps = [event for event in set_up if isinstance(event, ClockStepped)]
    for step in reversed(steps):
        if now - step.at < timedelta(hours=limits.clock_set.hours):
            yield Alert(
                alert=limits.clock_set.id,
                says=limits.clock_set.says,
                about=f"from {step.expected:%Y-%m-%d %H:%M:%S} to {step.shown:%Y-%m-%d %H:%M:%S} UTC",
                since=step.at,
                last=step.at,
                count=1,
            )


# --- the data they are found in -----------------------------------------------------------------------


def longest_window(limits: Thresholds) -> timedelta:
    """Return the longest time that any threshold looks back."""
    return timedelta(hours=max(limit.hours for limit in limits.repeated))


def steps_of_rounds(rows: Iterable[StepInRound], tables: dict[TableId, str]) -> Iterator[StepDone]:
    """Yield the steps of past rounds; ``tables`` has the meter of each table that shares one."""
    for row in rows:
        yield StepDone(
            step=row.step,
            at=row.ended,
            table=row.table,
            round=row.round,
            dealer=row.dealer,
            meter=tables.get(row.table, ""),
        )


def steps_by_two(set_up: Iterable[SetupEvent]) -> Iterator[StepDone]:
    """Yield the steps that two people took on meters, from confirmed proposals."""
    proposed: dict[str, Proposed] = {}
    for event in set_up:
        if isinstance(event, Proposed):
            proposed[event.proposal] = event
        elif isinstance(event, ProposalClosed) and event.done:
            first = proposed[event.proposal]
            if first.task.get("duty") in BY_TWO:
                step, meter = str(first.task["duty"]), str(first.task.get("meter", ""))
                yield StepDone(step=step, at=event.at, meter=meter, by=(first.by.id, event.by.id))


def open_wins(meter: SharedMeter) -> Iterator[OpenWin]:
    """Yield the wins of a meter whose slips were neither printed nor voided."""
    for win in meter.wins:
        if not win.printed and not win.voided:
            about = f"meter {meter.opened.meter}, slip {win.serial}"
            yield OpenWin(
                kind="win_without_slip", since=win.at, table=win.table, round=win.round, about=about
            )


def wins_at_table(running: RunningTable, since: datetime) -> Iterator[OpenWin]:
    """Yield the unpaid wins at a table; ``since`` is the moment of its last entry."""
    table = running.table
    for hand in table.round.hands.values():
        won = hand.claim is not None or hand.has(HandMark.PROGRESSIVE_WIN) or hand.has(HandMark.HELD)
        if won and PROGRESSIVE not in hand.settled:
            about = f"table {table.id}, position {hand.position}"
            yield OpenWin(
                kind="win_at_table", since=since, table=table.id, round=table.round.number, about=about
            )


def meters_of_tables(set_up: Iterable[SetupEvent]) -> dict[TableId, str]:
    """Return the meter of each table that shares one."""
    return {event.table: event.meter for event in set_up if isinstance(event, TableMade) and event.meter}


def wins_of_floor(floor: Floor) -> Iterator[OpenWin]:
    """Yield every unresolved win on the floor, practice tables left out."""
    for meter in floor.meters():
        if not is_practice(meter):
            yield from open_wins(floor.meter(meter))
    for running in floor.open_tables():
        if not is_practice(running.table.id) and running.table.round.hands:
            tail = floor.store.tails({table_stream(running.table.id): running.head.version - 1})
            *_, last = map(read_body, tail)
            yield from wins_at_table(running, last.at)
