"""Routes about the caller's own account: roles, password, exclusion, time-out, history."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from starlette.responses import Response

from houseway.rounds.roles import Role
from houseway.service.api.auth import SignInError
from houseway.service.api.call import Call, json
from houseway.service.api.sign_in import session_response
from houseway.service.api.users import history_response


async def me(call: Call) -> Response:
    """Return the caller: their roles, whether the password must be changed, any exclusion."""
    actor = call.caller.actor
    if actor.role is Role.GUEST:
        return json({"id": actor.id, "name": actor.shown, "roles": [actor.role], "guest": True})
    return json(await call.server.accounts.find_user(actor.id))


class Changing(Struct, frozen=True, forbid_unknown_fields=True):
    """The current password and the new one."""

    old: str
    new: str


async def change_password(call: Call) -> Response:
    """Change the caller's own password; all their sessions end, and this one is replaced."""
    body, actor = await call.body(Changing), call.caller.actor
    await call.server.accounts.change_password(actor, body.old, body.new, call.address)
    try:
        result = await call.server.auth.sign_in(
            actor.shown, body.new, actor.role.value, call.address, code=None
        )
    except SignInError:  # too many tries: the password is changed all the same
        return Response(status_code=204)
    return session_response(call, result)


class Until(Struct, frozen=True, forbid_unknown_fields=True):
    """Until when something lasts; null is for good."""

    until: datetime | None = None


class UntilThen(Struct, frozen=True, forbid_unknown_fields=True):
    """Until when something lasts."""

    until: datetime


async def exclude(call: Call) -> Response:
    """Exclude the caller from play; it cannot be shortened, and they are signed out."""
    body = await call.body(Until)
    excluded = await call.server.accounts.exclude(call.caller.actor, body.until)
    _show_tables(call)
    return json(excluded)


async def time_out(call: Call) -> Response:
    """Start the caller's time-out from play; it cannot be shortened, and they are signed out."""
    body = await call.body(UntilThen)
    timed_out = await call.server.accounts.time_out(call.caller.actor, body.until)
    _show_tables(call)
    return json(timed_out)


def _show_tables(call: Call) -> None:
    """Show the tables where the caller sits, so that their dealers see that they are to leave."""
    person, opened = call.caller.actor.id, call.server.loop.floor.open_tables()
    here = (
        running.table
        for running in opened
        if any(seat.person == person for seat in running.table.seats.values())
    )
    call.server.hub.show(frozenset(table.id for table in here))


async def my_history(call: Call) -> Response:
    """Return all of the caller's rounds as a file."""
    return await history_response(call, call.caller.actor.id)
