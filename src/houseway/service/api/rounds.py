"""Rounds that are over: found, told whole, and one's own."""

from __future__ import annotations

from starlette.responses import Response

from houseway.errors import InvalidInputError, UnknownNameError
from houseway.floor.packets import make_packet, write_packet
from houseway.floor.readmodels import find_rounds, history
from houseway.floor.rounds import RoundInLog, round_of_table
from houseway.intake import read_number
from houseway.service.api.call import Call, json
from houseway.service.api.searching import asked_for, check_cursor


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
    try:
        return read_number(text, "round")
    except InvalidInputError:
        raise UnknownNameError("no such round at this table", value=text) from None


async def rounds(call: Call) -> Response:
    """Rounds that are over, found by whatever is asked for; all of it holds for each."""
    asked = asked_for(call.query)
    found, cursor = await call.from_models(lambda connection: find_rounds(connection, **asked))
    return json({"rounds": found, "cursor": cursor})


async def my_rounds(call: Call) -> Response:
    """One's own rounds, the latest first."""
    person, sent = call.who.actor.id, call.query.get("cursor")
    cursor = None if sent is None else check_cursor(sent)
    found, after = await call.from_models(lambda connection: history(connection, person, cursor=cursor))
    return json({"rounds": found, "cursor": after})
