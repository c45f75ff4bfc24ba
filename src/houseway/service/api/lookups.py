"""What anybody may ask: clauses and how they are read, games and what they pay, and any hand."""

from __future__ import annotations

from functools import partial

from msgspec import Struct
from starlette.responses import Response

from houseway.games import game, games
from houseway.law.clauses import Clause, cite
from houseway.law.readings import Reading, readings, readings_of
from houseway.runtime import Pool
from houseway.service.api.call import Call, json
from houseway.service.facts import game_facts, game_row
from houseway.service.hands import about_hand


async def clause(call: Call) -> Response:
    """A clause: where it stands, what it says in our own words, and how it is read."""
    found = cite(call.named("clause"))
    read = [one for one in readings() if found.id in one.clauses]
    return json({**told_clause(found), "readings": [told_reading(one) for one in read]})


def told_clause(found: Clause) -> dict[str, str]:
    """Return a clause as it is told."""
    return {
        "clause": found.id,
        "cite": found.cited,
        "kind": found.kind,
        "actor": found.actor,
        "rule": found.rule,
        "software": found.software,
        "verify": found.verify,
    }


def told_reading(found: Reading) -> dict[str, object]:
    """Return a reading as it is told."""
    return {
        "reading": found.id,
        "rule_sets": found.rule_sets,
        "title": found.title,
        "question": found.question,
        "taken": found.reading,
        "because": found.because,
        "effect": found.effect,
        "clauses": found.clauses,
        "confirm": found.confirm,
        "option": found.option.model_dump() if found.option else None,
    }


async def list_readings(call: Call) -> Response:
    """How ambiguous clauses are read, of all laws or of one."""
    law = call.query.get("rule_set")
    found = readings_of(law) if law else readings()
    return json([told_reading(one) for one in found])


async def list_games(_: Call) -> Response:
    """The games."""
    return json([game_row(one) for one in games()])


async def one_game(call: Call) -> Response:
    """A game: its parts, wagers, paytables, house ways and rack card."""
    return json(game_facts(game(call.named("game"))))


class AskedHand(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards, and a setting of them if one is to be judged."""

    cards: str
    setting: str = ""


async def hand(call: Call) -> Response:
    """Every legal setting of a hand, and how each house way sets it, and why."""
    asked, name = await call.body(AskedHand), call.named("game")
    work = partial(about_hand, name, asked.cards, asked.setting)
    return json(await call.server.runtime.in_thread(Pool.SLOW, work))
