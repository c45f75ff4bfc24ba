"""Routes of signing in and out."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from starlette.responses import Response

from houseway.floor.access_events import AccessKind
from houseway.runtime import BusyError
from houseway.service.api.auth import COOKIE, Identity, SignInError, SignInResult
from houseway.service.api.call import Call, json

CALM: Final = 0.5
"""Seconds until a refusal with a wait is sent."""

# --- sessions -----------------------------------------------------------------------------------------


class SigningIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name, its password, and the role to act in."""

    name: str
    password: str
    role: str = ""
    """Empty if the user has only one."""
    code: str = ""
    """The code of the second factor, if there is one."""


async def sign_in(call: Call) -> Response:
    """Sign in, in one of the user's roles."""
    body = await call.body(SigningIn)
    before = call.request.cookies.get(COOKIE, "")
    try:
        result = await call.server.auth.sign_in(
            body.name, body.password, body.role, call.address, before=before, code=body.code
        )
    except (SignInError, BusyError) as refusal:
        if refusal.wait:
            await call.server.runtime.sleep(CALM)  # clients that keep trying wait for each refusal
        raise
    return await _replace_session(call, result)


async def sign_in_guest(call: Call) -> Response:
    """Sign in as a guest."""
    return await _replace_session(call, await call.server.auth.sign_in_guest(call.address))


async def _replace_session(call: Call, result: SignInResult) -> Response:
    """Send a new session; the one that the browser came with is ended."""
    before = call.request.cookies.get(COOKIE, "")
    if before:
        await call.server.auth.sign_out(before)
    return session_response(call, result)


def session_response(call: Call, result: SignInResult) -> Response:
    """Return the response with a new session: its token is in a cookie that scripts cannot read."""
    response = json(_identity_row(result.identity))
    response.set_cookie(
        COOKIE,
        result.token,
        max_age=result.ends_after,
        httponly=True,
        samesite="strict",
        secure=call.secure,
    )
    return response


def _identity_row(identity: Identity) -> dict[str, Any]:
    actor = identity.actor
    must = {"must": identity.must} if identity.must is not None else {}
    return {"id": actor.id, "name": actor.shown, "role": actor.role, "csrf": identity.csrf, **must}


async def who_am_i(call: Call) -> Response:
    """Return who is signed in."""
    return json(_identity_row(call.caller))


class Proving(Struct, frozen=True, forbid_unknown_fields=True):
    """The caller's own password, once more."""

    password: str


async def prove(call: Call) -> Response:
    """Renew the caller's proof of who they are, for acts that need two people."""
    body = await call.body(Proving)
    await call.server.auth.prove(call.request.cookies.get(COOKIE, ""), body.password, call.address)
    return Response(status_code=204)


async def sign_out(call: Call) -> Response:
    """Sign out."""
    call.server.access.note(AccessKind.SIGNED_OUT, call.caller.actor, call.address, call.now)
    await call.server.auth.sign_out(call.request.cookies.get(COOKIE, ""))
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, secure=call.secure, httponly=True, samesite="strict")
    return response
