"""What somebody does about themselves: who they are, their password, exclusion, time-out, history."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from starlette.responses import Response

from houseway.rounds.roles import Role
from houseway.service.api.call import Call, json
from houseway.service.api.gate import NotLetInError
from houseway.service.api.signing import begun
from houseway.service.api.users import history_of


async def me(call: Call) -> Response:
    """Who one is: roles, whether the password must be changed, any exclusion."""
    actor = call.who.actor
    if actor.role is Role.GUEST:
        return json({"id": actor.id, "name": actor.shown, "roles": [actor.role], "guest": True})
    return json(await call.server.accounts.one(actor.id))


class Changing(Struct, frozen=True, forbid_unknown_fields=True):
    """The password that one knows, and the one to come."""

    old: str
    new: str


async def change_password(call: Call) -> Response:
    """Change one's own password; all sessions end, and this one begins anew."""
    asked, actor = await call.body(Changing), call.who.actor
    await call.server.accounts.change_password(actor, asked.old, asked.new, call.address)
    try:
        entered = await call.server.gate.enter(
            actor.shown, asked.new, actor.role.value, call.address, code=None
        )
    except NotLetInError:  # too many tries: the password is changed all the same
        return Response(status_code=204)
    return begun(call, entered)


class Until(Struct, frozen=True, forbid_unknown_fields=True):
    """Until when something lasts; nothing is for good."""

    until: datetime | None = None


class UntilThen(Struct, frozen=True, forbid_unknown_fields=True):
    """Until when something lasts."""

    until: datetime


async def exclude(call: Call) -> Response:
    """Exclude oneself from play; nobody shortens it, and one is signed out."""
    asked = await call.body(Until)
    excluded = await call.server.accounts.exclude(call.who.actor, asked.until)
    _show_tables(call)
    return json(excluded)


async def time_out(call: Call) -> Response:
    """Take a time-out from play; nobody shortens it, and one is signed out."""
    asked = await call.body(UntilThen)
    timed_out = await call.server.accounts.time_out(call.who.actor, asked.until)
    _show_tables(call)
    return json(timed_out)


def _show_tables(call: Call) -> None:
    """Show the tables where somebody sits: whoever deals there is told that they are to get up."""
    person, opened = call.who.actor.id, call.server.loop.floor.open_tables()
    here = (one.table for one in opened if any(seat.person == person for seat in one.table.seats.values()))
    call.server.hub.show(frozenset(table.id for table in here))


async def my_history(call: Call) -> Response:
    """Every round of one's own, as a file."""
    return await history_of(call, call.who.actor.id)
