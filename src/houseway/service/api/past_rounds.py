"""Routes of past rounds: the search, packets, receipts, and the caller's own rounds."""

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
from houseway.service.api.round_search import check_cursor, read_search
from houseway.store.protocol import Picture

T = TypeVar("T")
FILE_NAME: Final = re.compile(r"[^a-z0-9.-]+", re.IGNORECASE)
"""The characters that are replaced in file names."""


async def packet(call: Call) -> Response:
    """Return the dispute packet of a past round."""
    now = call.server.loop.floor.clock()
    text = await answer_from_round(call, lambda past: write_packet(make_packet(past, now)))
    return Response(text, media_type="application/json")


async def receipt(call: Call) -> Response:
    """Return the receipt of a past round: as its player, or as the caller's role sees it."""
    actor, notary, wanted = call.caller.actor, call.server.notary, call.query.get("size")
    viewer = actor if actor.role is Role.PLAYER else Actor("", actor.role)
    size = read_number(wanted, "size") if wanted is not None else None
    text = await answer_from_log(
        call, lambda picture, past: make_receipt(picture, past, viewer, notary, size)
    )
    name = f"receipt-{call.path_part('table')}-{round_number(call)}.json"
    headers = {"content-disposition": f'attachment; filename="{FILE_NAME.sub("-", name)}"'}
    return Response(text, media_type="application/json", headers=headers)


async def answer_from_round(call: Call, tell: Callable[[LoggedRound], T]) -> T:
    """Return what ``tell`` makes of the past round of the path, read beside the floor."""
    return await answer_from_log(call, lambda _, past: tell(past))


async def answer_from_log(call: Call, tell: Callable[[Picture, LoggedRound], T]) -> T:
    """Return what ``tell`` makes of the past round of the path and of the log that holds it.

    The read model gives the place of the round in the log; if it does not know the round, the whole stream of
    the table is searched.
    """
    await call.table()
    store, table, number = call.floor.store, call.path_part("table"), round_number(call)
    believes = call.floor.safe.snapshots.believes
    row: RoundRow | None = await call.ask_models(lambda connection: round_of(connection, table, number))
    versions = (row.first_version, row.last_version) if row is not None else None

    def work() -> T:
        with store.picture() as picture:
            past = find_round(picture, table, number, versions=versions, believes=believes)
            return tell(picture, past)

    return await call.run_slowly(work)


def round_number(call: Call) -> int:
    """Return the number of the round of the path."""
    text = call.path_part("round")
    try:
        return read_number(text, "round")
    except InvalidInputError:
        raise UnknownNameError("no such round at this table", value=text) from None


async def rounds(call: Call) -> Response:
    """Return the past rounds that meet all conditions of the query."""
    search = read_search(call.query)
    rows, cursor = await call.ask_models(lambda connection: find_rounds(connection, **search))
    return json({"rounds": rows, "cursor": cursor})


async def my_rounds(call: Call) -> Response:
    """Return the caller's own rounds, the latest first."""
    person, sent = call.caller.actor.id, call.query.get("cursor")
    cursor = None if sent is None else check_cursor(sent)
    rows, after = await call.ask_models(lambda connection: history(connection, person, cursor=cursor))
    return json({"rounds": rows, "cursor": after})
