"""What each route does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import Connection
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from houseway.cards import parse_setting
from houseway.chips import AnyChipAction, ChipAction, ChipCommand
from houseway.errors import HousewayError, InvalidInputError, UnknownNameError
from houseway.floor import duties
from houseway.floor.core import Floor
from houseway.floor.meters import MeterNow
from houseway.floor.packets import make_packet, write_packet
from houseway.floor.readmodels import find_rounds, history
from houseway.floor.rounds import round_of_table
from houseway.floor.streams import TableId
from houseway.rounds.codec import from_plain, read_action
from houseway.rounds.sight import see
from houseway.rounds.step import Command
from houseway.rounds.views import advise, preview
from houseway.service.api.app import Call, Handler, Server, json
from houseway.service.api.gate import COOKIE, Begun
from houseway.service.api.openapi import describe
from houseway.service.api.problems import from_answer
from houseway.service.api.routes import ROUTES
from houseway.service.api.searching import asked_for
from houseway.service.live import Looking

NOT_YOURS: Final = 4403
UNKNOWN: Final = 4404
LONGEST_ID: Final = 100
T = TypeVar("T")


# --- sessions -----------------------------------------------------------------------------------------


class SigningIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name, its password, and the role to act in."""

    name: str
    password: str
    role: str


async def sign_in(call: Call) -> Response:
    """Sign in, in one of one's roles."""
    asked = await call.body(SigningIn)
    address = call.request.client.host if call.request.client else ""
    begun = await call.server.loop.between(
        lambda: call.server.gate.enter(asked.name, asked.password, asked.role, address)
    )
    return _begun(call, begun)


async def sign_in_guest(call: Call) -> Response:
    """Come in as a guest."""
    address = call.request.client.host if call.request.client else ""
    return _begun(call, await call.server.loop.between(lambda: call.server.gate.enter_as_guest(address)))


def _begun(call: Call, begun: Begun) -> Response:
    response = json(_told(begun))
    response.set_cookie(
        COOKIE,
        begun.token,
        max_age=begun.ends_after,
        httponly=True,
        samesite="strict",
        secure=call.server.secure,
    )
    return response


def _told(begun: Begun) -> dict[str, Any]:
    actor = begun.signed.actor
    return {"id": actor.id, "name": actor.shown, "role": actor.role, "csrf": begun.signed.csrf}


async def who_am_i(call: Call) -> Response:
    """Who is signed in here."""
    actor = call.who.actor
    return json({"id": actor.id, "name": actor.shown, "role": actor.role, "csrf": call.who.csrf})


async def sign_out(call: Call) -> Response:
    """Sign out."""
    token = call.request.cookies.get(COOKIE, "")
    await call.server.loop.between(lambda: call.server.gate.leave(token))
    response = Response(status_code=204)
    response.delete_cookie(COOKIE)
    return response


# --- tables -------------------------------------------------------------------------------------------


async def tables(call: Call) -> Response:
    """The tables of the floor."""
    floor = call.server.loop.floor
    return json([_row(floor, name) for name in floor.tables])


def _row(floor: Floor, name: TableId) -> dict[str, Any]:
    running = floor.table(name)
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
    seen = Looking(_floor(call), call.named("table")).seen_by(call.who.actor)
    return Response(seen.text, media_type="application/json")


class Doing(Struct, frozen=True, forbid_unknown_fields=True):
    """A command: a name of its own, made by whoever sends it, and an action with its step."""

    id: str
    action: dict[str, Any]


async def command(call: Call) -> Response:
    """Do something at a table."""
    asked, name = await call.body(Doing), call.named("table")
    rules = _floor(call).table(name).rules
    _check_named(asked.id)
    made = Command(call.who.actor, read_action(asked.action, rules), id=f"{call.who.actor.id}/{asked.id}")
    return from_answer(await call.server.loop.command(name, made))


class Looked(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and a setting of its cards if one is asked about."""

    position: int
    setting: str = ""


async def preview_setting(call: Call) -> Response:
    """Name the parts of a setting of cards that one may see, and any foul."""
    asked = await call.body(Looked)
    running = _floor(call).table(call.named("table"))
    cards = see(running.rules, running.table, call.who.actor, asked.position)
    found = preview(running.rules, cards, parse_setting(asked.setting))
    return json(found)


async def suggestion(call: Call) -> Response:
    """How the house way sets cards that one may see."""
    asked = await call.body(Looked)
    running = _floor(call).table(call.named("table"))
    cards = see(running.rules, running.table, call.who.actor, asked.position)
    return json(advise(running.rules, cards))


def _floor(call: Call) -> Floor:
    """Return the floor, if there is such a table on it."""
    floor = call.server.loop.floor
    if call.named("table") not in floor.house.tables:
        raise UnknownNameError("no such table", value=call.named("table"))
    return floor


async def packet(call: Call) -> Response:
    """The dispute packet of a round that is over."""
    floor, name, number = _floor(call), call.named("table"), call.named("round")
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
    _floor(call)
    _check_named(asked.id)
    action: ChipAction = from_plain(AnyChipAction, asked.action, "chips")
    actor = call.who.actor
    made = ChipCommand(id=f"{actor.id}/{asked.id}", by=actor, action=action)
    return from_answer(await call.server.loop.command(name, made))


def _check_named(name: str) -> None:
    if not name or len(name) > LONGEST_ID:
        raise InvalidInputError(f"a command has a name of at most {LONGEST_ID} characters", value=name)


# --- duties of the floor ------------------------------------------------------------------------------


class Asking(Struct, frozen=True, forbid_unknown_fields=True):
    """A duty to be done: a name of its own, made by whoever asks, and what it is."""

    id: str
    task: dict[str, Any]


async def duty(call: Call) -> Response:
    """Do a duty, or propose it to a second person."""
    asked, actor = await call.body(Asking), call.who.actor
    _check_named(asked.id)
    task, floor = duties.read_task(asked.task), call.server.loop.floor
    name = f"{actor.id}/{asked.id}"
    proposal = await call.server.loop.between(lambda: duties.ask(floor, task, actor, name))
    return json({"done": proposal is None, "proposal": proposal}, 200 if proposal is None else 202)


async def proposals(call: Call) -> Response:
    """What waits for a second person."""
    waiting = call.server.loop.floor.house.proposals
    return json(
        [{"proposal": name, "by": one.by, "at": one.at, "task": one.task} for name, one in waiting.items()]
    )


class Confirming(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a proposal is carried out, or why not."""

    done: bool
    reason: str = ""


async def confirm(call: Call) -> Response:
    """Do what was proposed, as its second person, or turn it down with a reason."""
    asked, actor, name = await call.body(Confirming), call.who.actor, call.named("proposal")
    floor = call.server.loop.floor
    if asked.done:
        await call.server.loop.between(lambda: duties.confirm(floor, name, actor))
    else:
        await call.server.loop.between(lambda: duties.turn_down(floor, name, actor, asked.reason))
    return json({"done": asked.done})


async def submissions(call: Call) -> Response:
    """The rules that are filed, and from when each is in effect."""
    house = call.server.loop.floor.house
    return json(
        [
            {
                "submission": rules,
                "game": one.submission.game,
                "reference": one.submission.reference,
                "filed_by": one.by,
                "effective": house.effective.get(rules),
            }
            for rules, one in house.filed.items()
        ]
    )


# --- meters -------------------------------------------------------------------------------------------


async def meters(call: Call) -> Response:
    """The shared meters and what they show."""
    floor = call.server.loop.floor
    return json({name: state.showing for name, state in sorted(floor.meters().items())})


async def meter(call: Call) -> Response:
    """A meter with its cumulative meters, last wins and last reading."""
    now: MeterNow = call.server.loop.floor.meter(call.named("meter"))
    told = {
        "meter": now.opened.meter,
        "showing": now.state.showing,
        "reserve": now.state.reserve,
        "totals": now.totals,
        "wins": now.wins,
        "won": now.won,
        "read": now.read,
    }
    return json(told)


# --- the server itself --------------------------------------------------------------------------------


async def health(_: Call) -> Response:
    """Whether the process lives."""
    return json({"alive": True})


async def ready(call: Call) -> Response:
    """Whether the floor is verified and served."""
    return json({"ready": call.server.ready}, 200 if call.server.ready else 503)


async def metrics(call: Call) -> Response:
    """Counts and durations for Prometheus."""
    text = call.server.counts.text(viewers=call.server.hub.viewers, waiting=call.server.loop.floor.waiting)
    return Response(text, media_type="text/plain; version=0.0.4")


async def openapi(_: Call) -> Response:
    """This interface, described."""
    return json(describe(ROUTES))


HANDLERS: Final[Mapping[str, Handler]] = {
    "health": health,
    "ready": ready,
    "metrics": metrics,
    "openapi": openapi,
    "sign_in": sign_in,
    "sign_in_guest": sign_in_guest,
    "who_am_i": who_am_i,
    "sign_out": sign_out,
    "tables": tables,
    "table": table,
    "command": command,
    "preview": preview_setting,
    "suggestion": suggestion,
    "packet": packet,
    "rounds": rounds,
    "my_rounds": my_rounds,
    "chips": chips,
    "duty": duty,
    "proposals": proposals,
    "confirm": confirm,
    "submissions": submissions,
    "meters": meters,
    "meter": meter,
}


# --- live ---------------------------------------------------------------------------------------------


def live(server: Server) -> Callable[[WebSocket], Awaitable[None]]:
    """Return what sends a table as one sees it, whenever it changes.

    The client may say which version and hash it has; it is then sent the view again if that is another one.
    """

    async def endpoint(socket: WebSocket) -> None:
        signed = server.gate.find(socket.cookies.get(COOKIE, ""))
        name = str(socket.path_params["table"])
        if signed is None or not ROUTES["live"].allows(signed.actor.role) or not _same_site(socket):
            await socket.close(NOT_YOURS)
            return
        if name not in server.loop.floor.house.tables:
            await socket.close(UNKNOWN)
            return
        await socket.accept()
        watching = server.hub.watch(signed.actor, name)
        hearing = asyncio.create_task(_hear(server, socket, name))
        try:
            while not hearing.done():
                sending = asyncio.create_task(watching.next())
                await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
                if not sending.done():
                    sending.cancel()
                    break
                if server.gate.find(socket.cookies.get(COOKIE, "")) is None:
                    await socket.close(NOT_YOURS)  # signed out meanwhile, or out of time
                    break
                await socket.send_text(sending.result().text.decode())
        except WebSocketDisconnect:
            pass
        finally:
            hearing.cancel()
            server.hub.leave(watching)

    return endpoint


def _same_site(socket: WebSocket) -> bool:
    """Whether a page of ours opened the connection: a browser says which page did."""
    origin = socket.headers.get("origin")
    return origin is None or origin.partition("://")[2] == socket.headers.get("host")


class Having(Struct, frozen=True):
    """What a client has."""

    have: int
    hash: str = ""


async def _hear(server: Server, socket: WebSocket, name: TableId) -> None:
    """Answer a client that asks whether what it has is up to date."""
    while True:
        try:
            said = msgspec.json.decode(await socket.receive_text(), type=Having)
        except (msgspec.DecodeError, WebSocketDisconnect, RuntimeError, KeyError):
            return
        signed = server.gate.find(socket.cookies.get(COOKIE, ""))
        if signed is None:
            return
        try:
            seen = Looking(server.loop.floor, name).seen_by(signed.actor)
        except HousewayError:
            return
        if (said.have, said.hash) != (seen.version, seen.hash):
            await socket.send_text(seen.text.decode())
        else:
            await socket.send_text(f'{{"version":{seen.version},"hash":"{seen.hash}","same":true}}')
