"""What somebody who watches is alerted to: things that were done too often, and wins that nobody resolves.

``find_alerts`` is a function of what happened, what is open, and thresholds that are data.
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
"""What two people do to a meter away from any table."""


class Repeated(Struct, frozen=True, forbid_unknown_fields=True):
    """That some steps were taken so often in so many hours."""

    id: str
    says: str
    steps: tuple[str, ...]
    per: Per
    least: int
    hours: int


class Unresolved(Struct, frozen=True, forbid_unknown_fields=True):
    """That a win is not resolved after so many minutes."""

    id: str
    says: str
    minutes: int


class Parked(Struct, frozen=True, forbid_unknown_fields=True):
    """That a read model could not take some entries of the log."""

    id: str
    says: str


class ClockSet(Struct, frozen=True, forbid_unknown_fields=True):
    """That a wall clock was set: told for so many hours."""

    id: str
    says: str
    hours: int


class Thresholds(Struct, frozen=True, forbid_unknown_fields=True):
    """When somebody is alerted."""

    repeated: tuple[Repeated, ...]
    unresolved: tuple[Unresolved, ...]
    parked: Parked
    clock_set: ClockSet


class Done(Struct, frozen=True, kw_only=True):
    """Something that was done: which step, when, and whom or what it concerns."""

    step: str
    at: datetime
    table: str = ""
    round: int | None = None
    dealer: str = ""
    meter: str = ""
    by: tuple[str, ...] = ()


class Open(Struct, frozen=True, kw_only=True):
    """A win that is not resolved: since when, and where."""

    kind: str
    since: datetime
    table: str
    round: int
    about: str


class Alert(Struct, frozen=True, kw_only=True):
    """What somebody is alerted to, and everything that it rests on."""

    alert: str
    says: str
    about: str
    since: datetime
    last: datetime
    count: int
    done: tuple[Done, ...] = ()
    entries: tuple[str, ...] = ()
    """The first entries of the log that it is about, and what is wrong with each."""


@cache
def thresholds() -> Thresholds:
    """Return when somebody is alerted."""
    text = (files("houseway.service") / "data" / "alerts.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text), Thresholds)


def find_alerts(
    done: Iterable[Done], waiting: Iterable[Open], limits: Thresholds, now: datetime
) -> list[Alert]:
    """Return what is alarming at a moment, the latest first."""
    happened, unresolved = [one for one in done if one.at <= now], list(waiting)
    found = [alert for limit in limits.repeated for alert in _repeated(happened, limit, now)]
    for limit in limits.unresolved:
        found += [
            Alert(alert=limit.id, says=limit.says, about=one.about, since=one.since, last=one.since, count=1)
            for one in unresolved
            if one.kind == limit.id and now - one.since >= timedelta(minutes=limit.minutes)
        ]
    return sorted(found, key=lambda one: (one.last, one.alert, one.about), reverse=True)


def _repeated(done: Iterable[Done], limit: Repeated, now: datetime) -> Iterator[Alert]:
    groups: dict[str, list[Done]] = {}
    for one in done:
        about: str = getattr(one, limit.per)
        if about and one.step in limit.steps and now - one.at < timedelta(hours=limit.hours):
            groups.setdefault(about, []).append(one)
    for about, those in groups.items():
        if len(those) >= limit.least:
            those.sort(key=lambda one: one.at)
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


# --- what they are found from -------------------------------------------------------------------------


def longest(limits: Thresholds) -> timedelta:
    """Return how far back anything is looked at."""
    return timedelta(hours=max(limit.hours for limit in limits.repeated))


def done_in_rounds(rows: Iterable[StepInRound], tables: dict[TableId, str]) -> Iterator[Done]:
    """Yield the steps of rounds that are over; ``tables`` has the meter of each table that shares one."""
    for row in rows:
        yield Done(
            step=row.step,
            at=row.ended,
            table=row.table,
            round=row.round,
            dealer=row.dealer,
            meter=tables.get(row.table, ""),
        )


def done_by_two(set_up: Iterable[SetupEvent]) -> Iterator[Done]:
    """Yield what two people did to meters, from what was proposed and confirmed."""
    proposed: dict[str, Proposed] = {}
    for event in set_up:
        if isinstance(event, Proposed):
            proposed[event.proposal] = event
        elif isinstance(event, ProposalClosed) and event.done:
            first = proposed[event.proposal]
            if first.task.get("duty") in BY_TWO:
                step, meter = str(first.task["duty"]), str(first.task.get("meter", ""))
                yield Done(step=step, at=event.at, meter=meter, by=(first.by.id, event.by.id))


def open_wins(meter: SharedMeter) -> Iterator[Open]:
    """Yield the wins of a meter whose slips were neither printed nor voided."""
    for win in meter.wins:
        if not win.printed and not win.voided:
            about = f"meter {meter.opened.meter}, slip {win.serial}"
            yield Open(kind="win_without_slip", since=win.at, table=win.table, round=win.round, about=about)


def waiting_wins(running: RunningTable, since: datetime) -> Iterator[Open]:
    """Yield the wins at a table that are not paid; nothing was done there since a moment."""
    table = running.table
    for hand in table.round.hands.values():
        won = hand.claim is not None or hand.has(HandMark.PROGRESSIVE_WIN) or hand.has(HandMark.HELD)
        if won and PROGRESSIVE not in hand.settled:
            about = f"table {table.id}, position {hand.position}"
            yield Open(
                kind="win_at_table", since=since, table=table.id, round=table.round.number, about=about
            )


def meters_of_tables(set_up: Iterable[SetupEvent]) -> dict[TableId, str]:
    """Return the meter of each table that shares one."""
    return {one.table: one.meter for one in set_up if isinstance(one, TableMade) and one.meter}


def wins_of_floor(floor: Floor) -> Iterator[Open]:
    """Yield every win on the floor that is not resolved; of practice tables there are none."""
    for meter in floor.meters():
        if not is_practice(meter):
            yield from open_wins(floor.meter(meter))
    for running in floor.open_tables():
        if not is_practice(running.table.id) and running.table.round.hands:
            tail = floor.store.tails({table_stream(running.table.id): running.head.version - 1})
            *_, last = map(read_body, tail)
            yield from waiting_wins(running, last.at)
