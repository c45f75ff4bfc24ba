"""Routes open to all: clauses and readings, games and their paytables, and any hand."""

from __future__ import annotations

from functools import partial

from msgspec import Struct
from starlette.responses import Response

from houseway.games import game, games
from houseway.law.clauses import Clause, cite
from houseway.law.readings import Reading, readings, readings_of
from houseway.runtime import Pool
from houseway.service.api.call import Call, json
from houseway.service.hand_answers import answer_hand
from houseway.service.table_facts import game_facts, game_row


async def clause(call: Call) -> Response:
    """Return a clause: where it stands, its rule in our own words, and its readings."""
    document = cite(call.path_part("clause"))
    about = [reading for reading in readings() if document.id in reading.clauses]
    return json({**clause_row(document), "readings": [reading_row(reading) for reading in about]})


def clause_row(clause: Clause) -> dict[str, str]:
    """Return a clause as it is sent."""
    return {
        "clause": clause.id,
        "cite": clause.cited,
        "kind": clause.kind,
        "actor": clause.actor,
        "rule": clause.rule,
        "software": clause.software,
        "verify": clause.verify,
    }


def reading_row(reading: Reading) -> dict[str, object]:
    """Return a reading as it is sent."""
    return {
        "reading": reading.id,
        "rule_sets": reading.rule_sets,
        "title": reading.title,
        "question": reading.question,
        "taken": reading.reading,
        "because": reading.because,
        "effect": reading.effect,
        "clauses": reading.clauses,
        "confirm": reading.confirm,
        "option": reading.option.model_dump() if reading.option else None,
    }


async def list_readings(call: Call) -> Response:
    """Return the readings of all laws, or of one."""
    law = call.query.get("rule_set")
    known = readings_of(law) if law else readings()
    return json([reading_row(reading) for reading in known])


async def list_games(_: Call) -> Response:
    """Return the games."""
    return json([game_row(document) for document in games()])


async def one_game(call: Call) -> Response:
    """Return a game: its parts, wagers, paytables, house ways and rack card."""
    return json(game_facts(game(call.path_part("game"))))


class AskedHand(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards, and a setting of them to be judged, if any."""

    cards: str
    setting: str = ""


async def hand(call: Call) -> Response:
    """Return every legal setting of a hand, and how each house way sets it, and why."""
    body, name = await call.body(AskedHand), call.path_part("game")
    work = partial(answer_hand, name, body.cards, body.setting)
    return json(await call.server.runtime.in_thread(Pool.SLOW, work))
