"""The contents of the pages about past rounds: the search, a replay, the dispute packet, receipts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.responses import HTMLResponse, Response

from houseway.errors import UnknownNameError
from houseway.floor.packets import make_packet
from houseway.floor.packets.playback import took_part
from houseway.floor.readmodels import RoundRow, round_of
from houseway.games import games
from houseway.rounds.options import label_of
from houseway.rounds.roles import Role
from houseway.rounds.steps import STEPS
from houseway.service.api.call import Call
from houseway.service.api.past_rounds import answer_from_round, round_number
from houseway.service.table_facts import table_facts
from houseway.web.packet import packet_page
from houseway.web.receipt import receipt_page, receipt_policy
from houseway.web.site import Context, Maker, self_contained


async def rounds(call: Call) -> Context:
    """The search for rounds that are over; bookmarks and alerts."""
    steps = sorted((label_of(step), step) for step in STEPS)
    people = call.server.accounts.people.users.values()
    return {
        "boot": {
            "games": {game.id: game.name for game in games()},
            "tables": call.server.loop.floor.house.licensed_tables,
            "steps": [{"step": step, "label": label} for label, step in steps],
            "people": sorted(({"id": person.id, "name": person.name} for person in people), key=_by_name),
        },
        "texts": ("rounds",),
    }


def _by_name(person: Mapping[str, str]) -> str:
    return person["name"].casefold()


async def replay(call: Call) -> Context:
    """A round replayed step by step; players may open only their own rounds."""
    table, number = call.path_part("table"), round_number(call)
    running = await call.table()
    row: RoundRow | None = await call.ask_models(lambda connection: round_of(connection, table, number))
    if row is None:
        raise UnknownNameError("no such round that is over at this table", value=number)
    actor = call.caller.actor
    if actor.role is Role.PLAYER and not await answer_from_round(
        call, lambda past: took_part(past, actor.id)
    ):
        raise UnknownNameError("no such round of yours", value=number)
    facts = table_facts(call.floor.house, table, running.rules)
    return {
        "number": number,
        "name": running.rules.game.name,
        "boot": {"table": table, "round": number, "facts": facts, "row": _row_data(row)},
        "texts": ("replay", "table"),
    }


def _row_data(row: RoundRow) -> dict[str, Any]:
    return {"began": row.began, "ended": row.ended, "ending": row.ending, "reason": row.reason}


async def packet(call: Call) -> Response:
    """The dispute packet of a round that is over, as a page to be printed."""
    now = call.server.loop.floor.clock()
    return self_contained(await answer_from_round(call, lambda past: packet_page(make_packet(past, now))))


async def receipt(_: Call) -> Response:
    """The page that checks receipts; it needs no floor, and works as a saved file too."""
    policy = f"{receipt_policy()}; frame-ancestors 'none'"
    return HTMLResponse(receipt_page(), headers={"content-security-policy": policy})


MAKERS: Final[Mapping[str, Maker]] = {
    "rounds": rounds,
    "replay": replay,
    "packet": packet,
    "receipt": receipt,
}
