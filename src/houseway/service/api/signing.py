"""Signing in and out."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from starlette.responses import Response

from houseway.floor.access_events import AccessKind
from houseway.runtime import BusyError
from houseway.service.api.call import Call, json
from houseway.service.api.gate import COOKIE, Entered, Identity, NotLetInError

CALM: Final = 0.5
"""Seconds until somebody who has to wait is told so."""

# --- sessions -----------------------------------------------------------------------------------------


class SigningIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name, its password, and the role to act in."""

    name: str
    password: str
    role: str = ""
    """Nothing if there is only one to choose."""
    code: str = ""
    """The code of the second factor, if one has one."""


async def sign_in(call: Call) -> Response:
    """Sign in, in one of one's roles."""
    asked = await call.body(SigningIn)
    before = call.request.cookies.get(COOKIE, "")
    try:
        entered = await call.server.gate.enter(
            asked.name, asked.password, asked.role, call.address, before=before, code=asked.code
        )
    except (NotLetInError, BusyError) as refusal:
        if refusal.wait:
            await call.server.runtime.sleep(CALM)  # whoever tries on and on is let wait for each answer
        raise
    return await _instead(call, entered)


async def sign_in_guest(call: Call) -> Response:
    """Come in as a guest."""
    return await _instead(call, await call.server.gate.enter_as_guest(call.address))


async def _instead(call: Call, entered: Entered) -> Response:
    """Begin a session under a token of its own; the one that the browser came with is over."""
    before = call.request.cookies.get(COOKIE, "")
    if before:
        await call.server.gate.leave(before)
    return begun(call, entered)


def begun(call: Call, entered: Entered) -> Response:
    """Return a session that begins: its token is in a cookie that no script reads."""
    response = json(_told(entered.signed))
    response.set_cookie(
        COOKIE,
        entered.token,
        max_age=entered.ends_after,
        httponly=True,
        samesite="strict",
        secure=call.secure,
    )
    return response


def _told(signed: Identity) -> dict[str, Any]:
    actor = signed.actor
    must = {"must": signed.must} if signed.must is not None else {}
    return {"id": actor.id, "name": actor.shown, "role": actor.role, "csrf": signed.csrf, **must}


async def who_am_i(call: Call) -> Response:
    """Who is signed in here."""
    return json(_told(call.who))


class Proving(Struct, frozen=True, forbid_unknown_fields=True):
    """One's own password, once more."""

    password: str


async def prove(call: Call) -> Response:
    """Prove who one is once more, for what needs two people."""
    asked = await call.body(Proving)
    await call.server.gate.prove(call.request.cookies.get(COOKIE, ""), asked.password, call.address)
    return Response(status_code=204)


async def sign_out(call: Call) -> Response:
    """Sign out."""
    call.server.access.note(AccessKind.SIGNED_OUT, call.who.actor, call.address, call.now)
    await call.server.gate.leave(call.request.cookies.get(COOKIE, ""))
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, secure=call.secure, httponly=True, samesite="strict")
    return response
