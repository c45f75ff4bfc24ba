"""Routes of supervisors: the decisions that wait everywhere, and the live log of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from starlette.responses import Response

from houseway.floor.bodies import read_body
from houseway.floor.packets.happenings import alert, details_of_event, person
from houseway.floor.running_table import RunningTable
from houseway.floor.streams import TableId
from houseway.floor.undo import standing_entries
from houseway.intake import read_number
from houseway.rounds.options import label_of
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import Turn
from houseway.rounds.redaction import redact
from houseway.rounds.state import Table, changed
from houseway.rounds.step import Actor, AnEvent
from houseway.rounds.steps.display import WayShown
from houseway.rounds.views import payment_view
from houseway.service.api.call import Call, Server, json
from houseway.service.waiting_list import LastMoved, WaitingList

LOGGED: Final = 600
"""The entries of a table that are searched for its last two rounds; no round has half as many."""


# --- waiting decisions --------------------------------------------------------------------------------


async def waiting(call: Call) -> Response:
    """Return the items that wait for the caller, the oldest first, and the tables as they see them."""
    server, floor = call.server, call.server.loop.floor
    for name in floor.house.licensed_tables:
        await server.loop.table(name)
    items, tables = await call.between(lambda: _list_of(server).look(call.caller.actor, _last_moved(server)))
    return json({"now": floor.clock(), "waiting": items, "tables": tables})


def _list_of(server: Server) -> WaitingList:
    if server.waiting is None:
        server.waiting = WaitingList(server.loop.floor, server.driver.plans if server.driver else None)
    return server.waiting


def _last_moved(server: Server) -> LastMoved:
    """Return a function that tells when tables last moved, by the last entries of their streams."""
    store = server.loop.floor.store

    def look(tables: Iterable[RunningTable]) -> dict[TableId, datetime]:
        streams = {running.stream: running for running in tables}
        last = store.tails({stream: max(0, running.head.version - 1) for stream, running in streams.items()})
        return {streams[entry.stream].table.id: read_body(entry).at for entry in last}

    return look


# --- the log of a table -------------------------------------------------------------------------------


async def log(call: Call) -> Response:
    """Return what was done at a table in its current round and the one before, as the caller may read it.

    ``after`` is the version that the caller has read up to: only later rows are returned.
    """
    running = await call.table()
    store, after = call.floor.store, read_number(call.query.get("after") or "0", "after")
    last = running.head.version
    begin = max(after, last - LOGGED, 0)
    entries = await call.service.loop.between(
        lambda: [*standing_entries(store.tails({running.stream: begin}))][::-1]
    )
    known = ((entry.version, read_body(entry)) for entry in entries if entry.version <= last)
    rows = [
        row
        for version, turn in known
        if isinstance(turn, Turn)
        for row in _rows(running, version, turn, call.caller.actor)
    ]
    return json({"version": last, "round": running.table.round.number, "rows": rows})


def _rows(running: RunningTable, version: int, turn: Turn, viewer: Actor) -> Iterator[dict[str, Any]]:
    for event in turn.events:
        at_the_time = _round_table(running.table, event)
        if at_the_time is not None:
            read = redact(running.rules, at_the_time, event, viewer)
            commanded = (event.by, event.action) == (turn.command.by, turn.command.action)
            yield {
                **_row(running.rules.game.id, at_the_time, read),
                "version": version,
                "by_law": not commanded,
            }


def _round_table(table: Table, event: AnEvent) -> Table | None:
    """Return the table with the round of an event, if it is the current round or the last.

    It is the round as it stands now, not as it stood before the event. That reveals nothing more: readers see
    what was opened since anyway, and players, for whom the time of looking matters, may not take this route.
    """
    if event.round == table.round.number:
        return table
    last = table.last
    return changed(table, round=last) if last is not None and last.number == event.round else None


def _row(game: str, table: Table, event: AnEvent) -> dict[str, Any]:
    outcome = event.outcome
    payments = outcome.payments if isinstance(outcome, Moves) else ()
    return {
        "number": event.seq,
        "round": event.round,
        "at": event.at,
        "who": person(event.by),
        "step": event.step,
        "label": label_of(event.step, game),
        "position": event.position,
        "details": details_of_event(event),
        "clauses": event.clauses,
        "alerts": [alert(raised) for raised in event.alerts],
        "payments": [payment_view(table, payment) for payment in payments],
        "shown": outcome.setting if isinstance(outcome, WayShown) else None,
    }
