"""Rounds that are over: found, told whole, and one's own."""

from __future__ import annotations

from starlette.responses import Response

from houseway.errors import UnknownNameError
from houseway.floor.packets import make_packet, write_packet
from houseway.floor.readmodels import find_rounds, history
from houseway.floor.rounds import RoundInLog, round_of_table
from houseway.service.api.call import Call, json
from houseway.service.api.searching import asked_for


async def packet(call: Call) -> Response:
    """The dispute packet of a round that is over."""
    found = await round_in_log(call)
    text = write_packet(make_packet(found, call.server.loop.floor.clock()))
    return Response(text, media_type="application/json")


async def round_in_log(call: Call) -> RoundInLog:
    """Return the round that the path names, if there is one and it is over."""
    await call.table()
    store, name, number = call.floor.store, call.named("table"), number_of(call)
    return await call.served.loop.between(lambda: round_of_table(store, name, number))


def number_of(call: Call) -> int:
    """Return the number of the round that the path names."""
    text = call.named("round")
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(2**31)) or int(text) >= 2**31:
        raise UnknownNameError("no such round at this table", value=text)
    return int(text)


async def rounds(call: Call) -> Response:
    """Rounds that are over, found by whatever is asked for; all of it holds for each."""
    asked = asked_for(call.request.query_params)
    found, cursor = await call.from_models(lambda connection: find_rounds(connection, **asked))
    return json({"rounds": found, "cursor": cursor})


async def my_rounds(call: Call) -> Response:
    """One's own rounds, the latest first."""
    person, cursor = call.who.actor.id, call.request.query_params.get("cursor")
    found, after = await call.from_models(lambda connection: history(connection, person, cursor=cursor))
    return json({"rounds": found, "cursor": after})
