"""People managed by administrators."""

from __future__ import annotations

from msgspec import Struct
from starlette.responses import Response

from houseway.errors import InvalidInputError
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.service.accounts import NewSecret
from houseway.service.api.call import Call, json
from houseway.service.own_history import Format, export_history
from houseway.service.people import check_own_history

CREATED = 201


class Added(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody to be added."""

    id: PersonId
    name: str
    roles: list[Role]


class Roles(Struct, frozen=True, forbid_unknown_fields=True):
    """The roles that somebody is to have."""

    roles: list[Role]


class Why(Struct, frozen=True, forbid_unknown_fields=True):
    """Why something is done."""

    reason: str


async def users(call: Call) -> Response:
    """Everybody who may sign in, or might."""
    return json(await call.server.accounts.every(call.who.actor))


async def add_user(call: Call) -> Response:
    """Add somebody: a temporary password, or a device's key, is told this once."""
    asked = await call.body(Added)
    made = await call.server.accounts.add(asked.id, asked.name, asked.roles, call.who.actor)
    return _told_once(made, CREATED)


async def reset_password(call: Call) -> Response:
    """Give somebody a temporary password, or a device another key, told this once."""
    return _told_once(await call.server.accounts.reset(call.named("user"), call.who.actor))


def _told_once(made: NewSecret, status: int = 200) -> Response:
    named = "key" if made.user.device else "password"
    return json({"user": made.user, named: made.secret}, status)


async def change_roles(call: Call) -> Response:
    """Give somebody other roles; they are signed out."""
    asked = await call.body(Roles)
    return json(await call.server.accounts.change_roles(call.named("user"), asked.roles, call.who.actor))


async def disable_user(call: Call) -> Response:
    """Let somebody sign in no more."""
    asked = await call.body(Why)
    return json(await call.server.accounts.disable(call.named("user"), asked.reason, call.who.actor))


async def enable_user(call: Call) -> Response:
    """Let somebody sign in again."""
    asked = await call.body(Why)
    return json(await call.server.accounts.enable(call.named("user"), asked.reason, call.who.actor))


async def user_history(call: Call) -> Response:
    """A player's own history, for an administrator to give to them."""
    return await history_of(call, call.named("user"))


async def history_of(call: Call, person: PersonId) -> Response:
    """Return every round of a person as a file."""
    check_own_history(call.server.accounts.people, call.who.actor, person)
    text = call.request.query_params.get("format", Format.LINES)
    try:
        form = Format(text)
    except ValueError:
        raise InvalidInputError("a history is written as jsonl or csv", value=text) from None
    found = await call.slowly_from_models(lambda connection: export_history(connection, person, form))
    media = "text/csv; charset=utf-8" if form is Format.VALUES else "application/jsonl; charset=utf-8"
    named = {"content-disposition": f'attachment; filename="history.{form.value}"'}
    return Response(found, media_type=media, headers=named)
