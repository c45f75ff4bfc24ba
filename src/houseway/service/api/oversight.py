"""Routes of oversight: replays, alerts, bookmarks, the access log, the chain, the law traced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from houseway.errors import IllegalError, InvalidInputError, UnknownNameError
from houseway.floor import bookmarks
from houseway.floor.access_events import AccessCounted
from houseway.floor.access_log import AccessEntry
from houseway.floor.audit import FloorVerification
from houseway.floor.filings import setup_events
from houseway.floor.packets.playback import PLAYER, Playback, play_back, play_back_own, took_part
from houseway.floor.people_events import BookmarkEvent
from houseway.floor.readmodels import ParkedEntries, StepInRound, parked_by_model, round_of, steps_in_rounds
from houseway.floor.round_search import LoggedRound
from houseway.floor.setup_events import SetupEvent
from houseway.floor.verification import TailVerification, decks_in, verify_floor, verify_tail
from houseway.intake import read_moment, read_number
from houseway.law.clauses import clauses_of
from houseway.law.rule_sets import rule_sets
from houseway.law.tracing import Traced, tests_folder, trace
from houseway.rounds.roles import Role
from houseway.service.alerts import (
    clock_alerts,
    find_alerts,
    longest_window,
    meters_of_tables,
    parked_alerts,
    steps_by_two,
    steps_of_rounds,
    thresholds,
    wins_of_floor,
)
from houseway.service.api.call import Call, Server, json
from houseway.service.api.lookups import clause_row
from houseway.service.api.past_rounds import answer_from_round, round_number
from houseway.service.people_audit import FloorPersons
from houseway.store.protocol import Checkpoint, Picture

CHECKPOINTS_SHOWN = 20
ENTRIES_SHOWN = 100
MOST_ENTRIES_SHOWN = 500
YES = frozenset({"1", "true", "yes"})
TRACE_ROLES = frozenset({Role.REGULATOR, Role.SURVEILLANCE, Role.ADMINISTRATOR, Role.MANAGER})
"""The roles that see where the program applies a clause and which test proves it."""


async def replay(call: Call) -> Response:
    """Return a replay of a round as a person saw it; players get only their own view."""
    actor, viewer = call.caller.actor, call.query.get("as")

    def tell(past: LoggedRound) -> Playback:
        if actor.role is not Role.PLAYER:
            return play_back(past, viewer or Role.SURVEILLANCE.value)
        if not took_part(past, actor.id):
            raise UnknownNameError("no such round of yours", value=past.number)
        if viewer not in (None, f"{PLAYER}{actor.id}"):
            raise IllegalError("players may watch a round only as they saw it")
        return play_back_own(past, actor.id)

    return json(await answer_from_round(call, tell))


# --- alerts -------------------------------------------------------------------------------------------


async def alerts(call: Call) -> Response:
    """Return the alerts: steps taken too often, unresolved wins, parked entries, set clocks."""
    floor, limits = call.server.loop.floor, thresholds()
    at = call.query.get("at")
    now = read_moment(at, "at") if at else floor.clock()
    steps = {step for limit in limits.repeated for step in limit.steps}
    rows: list[StepInRound] = await call.ask_models(
        lambda connection: steps_in_rounds(connection, steps, now - longest_window(limits), now)
    )
    parked: list[ParkedEntries] = await call.ask_models(parked_by_model)
    set_up: list[SetupEvent] = await call.between(lambda: setup_events(floor.store))
    waiting = await call.between(lambda: list(wins_of_floor(floor)))
    done = [*steps_of_rounds(rows, meters_of_tables(set_up)), *steps_by_two(set_up)]
    alarming = [
        *parked_alerts(parked, limits, now),
        *clock_alerts(set_up, limits, now),
        *find_alerts(done, waiting, limits, now),
    ]
    return json({"at": now, "alerts": alarming})


# --- bookmarks ----------------------------------------------------------------------------------------


class Noted(Struct, frozen=True, forbid_unknown_fields=True):
    """A note about a bookmarked round."""

    note: str = ""


async def my_bookmarks(call: Call) -> Response:
    """Return the caller's bookmarked rounds with their notes."""
    store, person = call.server.loop.floor.store, call.caller.actor.id
    return _bookmarks_response(await call.between(lambda: bookmarks.bookmarks_of(store, person)))


async def bookmark(call: Call) -> Response:
    """Bookmark a past round for the caller, with a note."""
    body, floor, by = await call.body(Noted), call.server.loop.floor, call.caller.actor
    await call.table()
    table, number, now = call.path_part("table"), round_number(call), floor.clock()
    if await call.ask_models(lambda connection: round_of(connection, table, number)) is None:
        raise InvalidInputError("a round that is over is marked", value=number)
    return await _record_bookmark(
        call, lambda marks: bookmarks.bookmark(marks, table, number, body.note, by, now)
    )


async def remove_bookmark(call: Call) -> Response:
    """Remove the caller's bookmark of a round."""
    by, table, number = call.caller.actor, call.path_part("table"), round_number(call)
    now = call.server.loop.floor.clock()
    return await _record_bookmark(
        call, lambda marks: bookmarks.remove_bookmark(marks, table, number, by, now)
    )


async def _record_bookmark(call: Call, decide: Callable[[bookmarks.Bookmarks], BookmarkEvent]) -> Response:
    store, person = call.server.loop.floor.store, call.caller.actor.id
    return _bookmarks_response(await call.between(lambda: bookmarks.record_bookmark(store, person, decide)))


def _bookmarks_response(marks: bookmarks.Bookmarks) -> Response:
    return json(list(marks.values()))


# --- the access log -----------------------------------------------------------------------------------


async def access(call: Call) -> Response:
    """Return the access log, the latest entries first: sign-ins, sign-outs, failures and refusals."""
    before, limit = _whole_number(call, "before"), _whole_number(call, "limit") or ENTRIES_SHOWN
    log = call.server.access.log
    entries = await call.between(lambda: log.page(before, min(limit, MOST_ENTRIES_SHOWN)))
    more = entries[-1].number if entries and entries[-1].number > 1 else None
    return json({"entries": [_entry(entry) for entry in entries], "before": more})


def _entry(entry: AccessEntry) -> dict[str, object]:
    what = "counted" if isinstance(entry.event, AccessCounted) else entry.event.kind.value
    return {"number": entry.number, "what": what, "event": entry.event}


def _whole_number(call: Call, name: str) -> int | None:
    """Return a positive number from the query, or None; refuse anything else."""
    text = call.query.get(name)
    if text is None:
        return None
    number = read_number(text, name)
    if not number:
        raise InvalidInputError(f"{name} must be a whole number of at least 1", value=text)
    return number


# --- the log and the law ------------------------------------------------------------------------------


async def chain(call: Call) -> Response:
    """Return whether the log is intact: since the last checkpoint, or from its beginning if asked for."""
    whole = call.query.get("whole", "").lower() in YES
    store = call.server.loop.floor.store

    def look() -> tuple[TailVerification | FloorVerification | None, str, Sequence[Checkpoint]]:
        with store.picture() as picture:
            try:
                verified = _whole(picture, call.server) if whole else _tail(picture, call.server)
            except IllegalError as error:
                return None, str(error), picture.checkpoints()
            return verified, "", picture.checkpoints()

    verified, fault, checkpoints = await call.run_slowly(look)
    last: list[dict[str, Any]] = [
        {"number": checkpoint.number, "at": checkpoint.at, "hash": checkpoint.hash.hex()}
        for checkpoint in checkpoints[-CHECKPOINTS_SHOWN:]
    ]
    return json(
        {
            "holds": not fault,
            "fault": fault,
            "whole": whole,
            "verified": verified.log if verified else None,
            "decided_again": verified.decided if verified else 0,
            "not_decided_again": verified.not_decided if isinstance(verified, FloorVerification) else {},
            "checkpoints": last,
        }
    )


def _tail(picture: Picture, server: Server) -> TailVerification:
    """Verify what came after the last checkpoint, as at a start."""
    floor = server.loop.floor
    decks = decks_in(picture, floor.safe)
    believes = floor.safe.snapshots.believes
    return verify_tail(picture, FloorPersons(), lambda running: decks(running.stream), believes, floor.chips)


def _whole(picture: Picture, server: Server) -> FloorVerification:
    """Verify the whole log, with the checks that need the floor's key."""
    safe = server.loop.floor.safe
    return verify_floor(
        picture,
        persons=FloorPersons(),
        decks=decks_in(picture, safe),
        believes=safe.snapshots.believes,
        verifier=server.notary.verifier,
    )


async def clauses(call: Call) -> Response:
    """Return the clauses of a law; some roles also see where each is applied and proven."""
    law = call.query.get("rule_set", "")
    if not law:
        return json([{"rule_set": rule_set.id, "law": rule_set.law} for rule_set in rule_sets()])
    if call.identity is None or call.identity.actor.role not in TRACE_ROLES:
        return json([clause_row(clause) for clause in clauses_of(law).values()])
    return json([_traced_clause(traced) for traced in await call.run_slowly(lambda: trace(law))])


def _traced_clause(traced: Traced) -> dict[str, object]:
    """Return a clause with where it is applied, and the tests that prove it if the tests are at hand."""
    proven = {"state": traced.state, "tests": traced.tests} if tests_folder() else {}
    return {**clause_row(traced.clause), "code": traced.code, "reason": traced.reason, **proven}
