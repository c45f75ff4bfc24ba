"""Rounds that are over: found, told whole, and one's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

from starlette.responses import Response

from houseway.errors import InvalidInputError, UnknownNameError
from houseway.floor.packets import make_packet, write_packet
from houseway.floor.readmodels import RoundRow, find_rounds, history, round_of
from houseway.floor.receipts import make_receipt
from houseway.floor.round_search import LoggedRound, find_round
from houseway.intake import read_number
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.api.call import Call, json
from houseway.service.api.searching import asked_for, check_cursor
from houseway.store.protocol import Picture

T = TypeVar("T")
FILE_NAME: Final = re.compile(r"[^a-z0-9.-]+", re.IGNORECASE)
"""What has no place in the name of a file."""


async def packet(call: Call) -> Response:
    """The dispute packet of a round that is over."""
    now = call.server.loop.floor.clock()
    text = await from_round(call, lambda found: write_packet(make_packet(found, now)))
    return Response(text, media_type="application/json")


async def receipt(call: Call) -> Response:
    """The receipt of a round that is over: a player's of their own, others' as their role sees it."""
    actor, notary, asked = call.who.actor, call.server.notary, call.query.get("size")
    viewer = actor if actor.role is Role.PLAYER else Actor("", actor.role)
    size = read_number(asked, "size") if asked is not None else None
    text = await from_log(call, lambda picture, found: make_receipt(picture, found, viewer, notary, size))
    name = f"receipt-{call.named('table')}-{number_of(call)}.json"
    headers = {"content-disposition": f'attachment; filename="{FILE_NAME.sub("-", name)}"'}
    return Response(text, media_type="application/json", headers=headers)


async def from_round(call: Call, tell: Callable[[LoggedRound], T]) -> T:
    """Return what is told of the round that the path names, read and worked out beside the floor."""
    return await from_log(call, lambda _, found: tell(found))


async def from_log(call: Call, tell: Callable[[Picture, LoggedRound], T]) -> T:
    """Return what is told of the round that the path names, and of the log that it is in.

    The read model of rounds says where in the log it lies; a round that it does not know is looked for in the
    whole stream of its table.
    """
    await call.table()
    store, table, number = call.floor.store, call.named("table"), number_of(call)
    believes = call.floor.safe.snapshots.believes
    row: RoundRow | None = await call.from_models(lambda connection: round_of(connection, table, number))
    versions = (row.first_version, row.last_version) if row is not None else None

    def work() -> T:
        with store.picture() as picture:
            found = find_round(picture, table, number, versions=versions, believes=believes)
            return tell(picture, found)

    return await call.slowly(work)


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
