"""Tables: seen, commanded, their chips, and the rounds that are over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec import Struct
from sqlalchemy import Connection
from starlette.responses import Response

from houseway.cards import parse_setting
from houseway.chips import AnyChipAction, ChipAction, ChipCommand
from houseway.errors import InvalidInputError, UnknownNameError
from houseway.floor.core import Floor
from houseway.floor.packets import make_packet, write_packet
from houseway.floor.readmodels import find_rounds, history
from houseway.floor.rounds import round_of_table
from houseway.floor.running import RunningTable
from houseway.floor.streams import TableId
from houseway.rounds.codec import from_plain, read_action
from houseway.rounds.sight import see
from houseway.rounds.step import Command
from houseway.rounds.views import advise, preview
from houseway.service.api.app import Call, json
from houseway.service.api.problems import from_answer
from houseway.service.api.searching import asked_for
from houseway.service.live import Looking

LONGEST_ID: Final = 100
T = TypeVar("T")


# --- tables -------------------------------------------------------------------------------------------


async def tables(call: Call) -> Response:
    """The tables of the floor."""
    floor = call.server.loop.floor
    return json([_row(floor, name, await call.server.loop.table(name)) for name in floor.tables])


def _row(floor: Floor, name: TableId, running: RunningTable) -> dict[str, Any]:
    main, made = running.rules.submission.wagers["main"], floor.house.tables[name]
    meter = floor.meters().get(made.meter or "")
    return {
        "table": name,
        "game": running.rules.game.id,
        "phase": running.table.phase,
        "seated": len(running.table.seats),
        "positions": running.rules.submission.table.positions,
        "least": main.min,
        "most": main.max,
        "rounds": running.table.rounds,
        "meter": meter.showing if meter else None,
        "link_down": floor.house.link_down(name),
    }


async def table(call: Call) -> Response:
    """A table as one sees it, and what one may do there now."""
    await _table(call)
    seen = Looking(call.server.loop.floor, call.named("table")).seen_by(call.who.actor)
    return Response(seen.text, media_type="application/json")


class Doing(Struct, frozen=True, forbid_unknown_fields=True):
    """A command: a name of its own, made by whoever sends it, and an action with its step."""

    id: str
    action: dict[str, Any]


async def command(call: Call) -> Response:
    """Do something at a table."""
    asked, name = await call.body(Doing), call.named("table")
    rules = (await _table(call)).rules
    check_named(asked.id)
    made = Command(call.who.actor, read_action(asked.action, rules), id=f"{call.who.actor.id}/{asked.id}")
    return from_answer(await call.server.loop.command(name, made))


class Looked(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and a setting of its cards if one is asked about."""

    position: int
    setting: str = ""


async def preview_setting(call: Call) -> Response:
    """Name the parts of a setting of cards that one may see, and any foul."""
    asked = await call.body(Looked)
    running = await _table(call)
    cards = see(running.rules, running.table, call.who.actor, asked.position)
    found = preview(running.rules, cards, parse_setting(asked.setting))
    return json(found)


async def suggestion(call: Call) -> Response:
    """How the house way sets cards that one may see."""
    asked = await call.body(Looked)
    running = await _table(call)
    cards = see(running.rules, running.table, call.who.actor, asked.position)
    return json(advise(running.rules, cards))


async def _table(call: Call) -> RunningTable:
    """Return the table that a path names, if there is one."""
    name = call.named("table")
    if name not in call.server.loop.floor.house.tables:
        raise UnknownNameError("no such table", value=name)
    return await call.server.loop.table(name)


async def packet(call: Call) -> Response:
    """The dispute packet of a round that is over."""
    await _table(call)
    floor, name, number = call.server.loop.floor, call.named("table"), call.named("round")
    if not number.isdecimal() or len(number) > len(str(2**31)):
        raise UnknownNameError("no such round at this table", value=number)
    found = await call.server.loop.between(lambda: round_of_table(floor.store, name, int(number)))
    return Response(write_packet(make_packet(found, floor.clock())), media_type="application/json")


# --- rounds that are over -----------------------------------------------------------------------------


async def rounds(call: Call) -> Response:
    """Rounds that are over, found by whatever is asked for; all of it holds for each."""
    asked = asked_for(call.request.query_params)
    found, cursor = await call.server.loop.between(
        lambda: _models(call, lambda connection: find_rounds(connection, **asked))
    )
    return json({"rounds": found, "cursor": cursor})


async def my_rounds(call: Call) -> Response:
    """One's own rounds, the latest first."""
    person, cursor = call.who.actor.id, call.request.query_params.get("cursor")
    found, after = await call.server.loop.between(
        lambda: _models(call, lambda connection: history(connection, person, cursor=cursor))
    )
    return json({"rounds": found, "cursor": after})


def _models(call: Call, asked: Callable[[Connection], T]) -> T:
    """Ask the read models once they have caught up."""
    call.server.models.catch_up()
    with call.server.models.reading() as connection:
        return asked(connection)


# --- chips --------------------------------------------------------------------------------------------


class Chipping(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be done with chips: a name of its own, and an action with its step."""

    id: str
    action: dict[str, Any]


async def chips(call: Call) -> Response:
    """Do something with the chips of a table."""
    asked, name = await call.body(Chipping), call.named("table")
    await _table(call)
    check_named(asked.id)
    action: ChipAction = from_plain(AnyChipAction, asked.action, "chips")
    actor = call.who.actor
    made = ChipCommand(id=f"{actor.id}/{asked.id}", by=actor, action=action)
    return from_answer(await call.server.loop.command(name, made))


def check_named(name: str) -> None:
    """Refuse a command without a name, or with one that nobody needs."""
    if not name or len(name) > LONGEST_ID:
        raise InvalidInputError(f"a command has a name of at most {LONGEST_ID} characters", value=name)
