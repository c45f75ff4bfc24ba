"""What each route does, by its name; what concerns the server itself is here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from houseway.service.api import office, signing, tables
from houseway.service.api.app import Call, Handler, json
from houseway.service.api.openapi import describe
from houseway.service.api.routes import ROUTES

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
    "sign_in": signing.sign_in,
    "sign_in_guest": signing.sign_in_guest,
    "who_am_i": signing.who_am_i,
    "sign_out": signing.sign_out,
    "tables": tables.tables,
    "table": tables.table,
    "command": tables.command,
    "preview": tables.preview_setting,
    "suggestion": tables.suggestion,
    "packet": tables.packet,
    "rounds": tables.rounds,
    "my_rounds": tables.my_rounds,
    "chips": tables.chips,
    "duty": office.duty,
    "proposals": office.proposals,
    "confirm": office.confirm,
    "submissions": office.submissions,
    "meters": office.meters,
    "meter": office.meter,
}
