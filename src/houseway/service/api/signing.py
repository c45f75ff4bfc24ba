"""Signing in and out."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from starlette.responses import Response

from houseway.service.api.app import Call, json
from houseway.service.api.gate import COOKIE, Begun

# --- sessions -----------------------------------------------------------------------------------------


class SigningIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name, its password, and the role to act in."""

    name: str
    password: str
    role: str = ""
    """Nothing if there is only one to choose."""


async def sign_in(call: Call) -> Response:
    """Sign in, in one of one's roles."""
    asked = await call.body(SigningIn)
    address = call.request.client.host if call.request.client else ""
    return _begun(call, await call.server.gate.enter(asked.name, asked.password, asked.role, address))


async def sign_in_guest(call: Call) -> Response:
    """Come in as a guest."""
    address = call.request.client.host if call.request.client else ""
    return _begun(call, await call.server.gate.enter_as_guest(address))


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
    await call.server.gate.leave(call.request.cookies.get(COOKIE, ""))
    response = Response(status_code=204)
    response.delete_cookie(COOKIE)
    return response
