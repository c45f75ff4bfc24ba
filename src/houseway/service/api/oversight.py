"""For those who watch over a floor: rounds watched again, alerts, bookmarks, the chain, the law traced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from houseway.errors import IllegalError, InvalidInputError, UnknownNameError
from houseway.floor import bookmarks
from houseway.floor.audit import FloorVerification
from houseway.floor.filings import setup_events
from houseway.floor.packets.playback import PLAYER, Playback, play_back, play_back_own, took_part
from houseway.floor.people_events import BookmarkEvent
from houseway.floor.readmodels import ParkedEntries, StepInRound, parked_by_model, round_of, steps_in_rounds
from houseway.floor.round_search import LoggedRound
from houseway.floor.setup_events import SetupEvent
from houseway.floor.verification import TailVerification, decks_in, verify_floor, verify_tail
from houseway.intake import read_moment
from houseway.law.clauses import clauses_of
from houseway.law.rule_sets import rule_sets
from houseway.law.tracing import Traced, tests_folder, trace
from houseway.rounds.roles import Role
from houseway.service.alerts import (
    clock_alerts,
    done_by_two,
    done_in_rounds,
    find_alerts,
    longest,
    meters_of_tables,
    parked_alerts,
    thresholds,
    wins_of_floor,
)
from houseway.service.api.call import Call, Server, json
from houseway.service.api.lookups import told_clause
from houseway.service.api.rounds import from_round, number_of
from houseway.service.auditing import FloorPersons
from houseway.store.protocol import Checkpoint, Picture

CHECKPOINTS_SHOWN = 20
YES = frozenset({"1", "true", "yes"})
TRACED_FOR = frozenset({Role.REGULATOR, Role.SURVEILLANCE, Role.ADMINISTRATOR, Role.MANAGER})
"""Who is told where the program applies a clause and a test proves it."""


async def replay(call: Call) -> Response:
    """A round watched again, step by step, as somebody saw it; by a player only as they saw it themselves."""
    actor, viewer = call.who.actor, call.query.get("as")

    def tell(found: LoggedRound) -> Playback:
        if actor.role is not Role.PLAYER:
            return play_back(found, viewer or Role.SURVEILLANCE.value)
        if not took_part(found, actor.id):
            raise UnknownNameError("no such round of yours", value=found.number)
        if viewer not in (None, f"{PLAYER}{actor.id}"):
            raise IllegalError("a player watches a round as they saw it themselves")
        return play_back_own(found, actor.id)

    return json(await from_round(call, tell))


# --- alerts -------------------------------------------------------------------------------------------


async def alerts(call: Call) -> Response:
    """What was done too often, wins that nobody resolves, and entries that no read model takes."""
    floor, limits = call.server.loop.floor, thresholds()
    at = call.query.get("at")
    now = read_moment(at, "at") if at else floor.clock()
    steps = {step for one in limits.repeated for step in one.steps}
    rows: list[StepInRound] = await call.from_models(
        lambda connection: steps_in_rounds(connection, steps, now - longest(limits), now)
    )
    parked: list[ParkedEntries] = await call.from_models(parked_by_model)
    set_up: list[SetupEvent] = await call.between(lambda: setup_events(floor.store))
    waiting = await call.between(lambda: list(wins_of_floor(floor)))
    done = [*done_in_rounds(rows, meters_of_tables(set_up)), *done_by_two(set_up)]
    alarming = [
        *parked_alerts(parked, limits, now),
        *clock_alerts(set_up, limits, now),
        *find_alerts(done, waiting, limits, now),
    ]
    return json({"at": now, "alerts": alarming})


# --- bookmarks ----------------------------------------------------------------------------------------


class Noted(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody notes about a round that they mark."""

    note: str = ""


async def my_bookmarks(call: Call) -> Response:
    """The rounds that one has marked, with one's notes."""
    store, person = call.server.loop.floor.store, call.who.actor.id
    return _told(await call.between(lambda: bookmarks.bookmarks_of(store, person)))


async def bookmark(call: Call) -> Response:
    """Mark a round that is over for oneself, with a note."""
    asked, floor, by = await call.body(Noted), call.server.loop.floor, call.who.actor
    await call.table()
    table, number, now = call.named("table"), number_of(call), floor.clock()
    if await call.from_models(lambda connection: round_of(connection, table, number)) is None:
        raise InvalidInputError("a round that is over is marked", value=number)
    return await _marked(call, lambda marks: bookmarks.bookmark(marks, table, number, asked.note, by, now))


async def remove_bookmark(call: Call) -> Response:
    """Mark a round no more."""
    by, table, number = call.who.actor, call.named("table"), number_of(call)
    now = call.server.loop.floor.clock()
    return await _marked(call, lambda marks: bookmarks.remove_bookmark(marks, table, number, by, now))


async def _marked(call: Call, decide: Callable[[bookmarks.Bookmarks], BookmarkEvent]) -> Response:
    store, person = call.server.loop.floor.store, call.who.actor.id
    return _told(await call.between(lambda: bookmarks.record_bookmark(store, person, decide)))


def _told(marks: bookmarks.Bookmarks) -> Response:
    return json(list(marks.values()))


# --- the log and the law ------------------------------------------------------------------------------


async def chain(call: Call) -> Response:
    """Whether the log is whole: since the last checkpoint, or from its beginning if that is asked for."""
    whole = call.query.get("whole", "").lower() in YES
    store = call.server.loop.floor.store

    def look() -> tuple[TailVerification | FloorVerification | None, str, Sequence[Checkpoint]]:
        with store.picture() as picture:
            try:
                verified = _whole(picture, call.server) if whole else _tail(picture, call.server)
            except IllegalError as error:
                return None, str(error), picture.checkpoints()
            return verified, "", picture.checkpoints()

    verified, fault, checkpoints = await call.slowly(look)
    last: list[dict[str, Any]] = [
        {"number": one.number, "at": one.at, "hash": one.hash.hex()}
        for one in checkpoints[-CHECKPOINTS_SHOWN:]
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
    """Check what came after the last checkpoint as a start does."""
    floor = server.loop.floor
    decks = decks_in(picture, floor.safe)
    believes = floor.safe.snapshots.believes
    return verify_tail(picture, FloorPersons(), lambda running: decks(running.stream), believes, floor.chips)


def _whole(picture: Picture, server: Server) -> FloorVerification:
    """Check everything, with what only the floor's key tells."""
    safe = server.loop.floor.safe
    return verify_floor(
        picture,
        persons=FloorPersons(),
        decks=decks_in(picture, safe),
        believes=safe.snapshots.believes,
        verifier=server.notary.verifier,
    )


async def clauses(call: Call) -> Response:
    """Every clause of a law; to those who check the program also where it is applied and proven."""
    law = call.query.get("rule_set", "")
    if not law:
        return json([{"rule_set": one.id, "law": one.law} for one in rule_sets()])
    if call.signed is None or call.signed.actor.role not in TRACED_FOR:
        return json([told_clause(one) for one in clauses_of(law).values()])
    return json([_traced(one) for one in await call.slowly(lambda: trace(law))])


def _traced(one: Traced) -> dict[str, object]:
    """Return a clause with where it is applied; where it is proven only if the tests are at hand."""
    proven = {"state": one.state, "tests": one.tests} if tests_folder() else {}
    return {**told_clause(one.clause), "code": one.code, "reason": one.reason, **proven}
