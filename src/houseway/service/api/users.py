"""People managed by administrators."""

from __future__ import annotations

from msgspec import Struct
from starlette.responses import Response

from houseway.errors import InvalidInputError
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.service.accounts import WaitingProposal
from houseway.service.api.call import Call, json
from houseway.service.own_history import Format, export_history
from houseway.service.people import check_own_history

PROPOSED = 202


class Added(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody to be added."""

    id: PersonId
    name: str
    roles: list[Role]


class Roles(Struct, frozen=True, forbid_unknown_fields=True):
    """The roles that somebody is to have."""

    roles: list[Role]


class ReasonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why something is done."""

    reason: str


async def users(call: Call) -> Response:
    """Everybody who may sign in, or might."""
    return json(await call.server.accounts.every())


async def add_user(call: Call) -> Response:
    """Propose to add somebody: one half of a temporary password, or of a device's key, is told this once."""
    asked, browser = await call.body(Added), (await call.proof()).browser
    waits = await call.server.accounts.add(asked.id, asked.name, asked.roles, call.who.actor, browser)
    return _proposed(waits)


async def reset_password(call: Call) -> Response:
    """Propose to give somebody a temporary password, or a device another key: one half is told this once."""
    browser = (await call.proof()).browser
    return _proposed(await call.server.accounts.reset(call.user, call.who.actor, browser))


async def change_roles(call: Call) -> Response:
    """Take roles from somebody, or propose to give them some."""
    asked, user, accounts = await call.body(Roles), call.user, call.server.accounts
    if accounts.only_takes(user, asked.roles):
        return json(await accounts.take_roles(user, asked.roles, call.who.actor))
    browser = (await call.proof()).browser
    return _proposed(await accounts.give_roles(user, asked.roles, call.who.actor, browser))


async def disable_user(call: Call) -> Response:
    """Let somebody sign in no more."""
    asked = await call.body(ReasonBody)
    return json(await call.server.accounts.disable(call.user, asked.reason, call.who.actor))


async def enable_user(call: Call) -> Response:
    """Propose to let somebody sign in again."""
    asked, browser = await call.body(ReasonBody), (await call.proof()).browser
    waits = await call.server.accounts.enable(call.user, asked.reason, call.who.actor, browser)
    return _proposed(waits)


async def void_factor(call: Call) -> Response:
    """Propose to void the second factor of somebody whose device is lost."""
    asked, browser = await call.body(ReasonBody), (await call.proof()).browser
    return _proposed(await call.server.accounts.void_factor(call.user, asked.reason, call.who.actor, browser))


def _proposed(waits: WaitingProposal) -> Response:
    """Tell that something waits for a second administrator, and what its first one is told this once."""
    half = {"half": waits.half, "device": waits.device} if waits.half else {}
    return json({"done": False, "proposal": waits.proposal, **half}, PROPOSED)


async def confirm_about_people(call: Call, name: str, browser: str) -> Response:
    """Do what another administrator has proposed about people: the other half is told this once."""
    confirmed = await call.server.accounts.confirm(name, call.who.actor, browser)
    half = {"half": confirmed.half} if confirmed.half else {}
    return json({"done": True, "user": confirmed.user, **half})


async def user_history(call: Call) -> Response:
    """A player's own history, for an administrator to give to them."""
    return await history_of(call, call.user)


async def history_of(call: Call, person: PersonId) -> Response:
    """Return every round of a person as a file."""
    check_own_history(call.server.accounts.people, call.who.actor, person)
    text = call.query.get("format", Format.LINES)
    try:
        form = Format(text)
    except ValueError:
        raise InvalidInputError("a history is written as jsonl or csv", value=text) from None
    found = await call.slowly_from_models(lambda connection: export_history(connection, person, form))
    media = "text/csv; charset=utf-8" if form is Format.VALUES else "application/jsonl; charset=utf-8"
    named = {"content-disposition": f'attachment; filename="history.{form.value}"'}
    return Response(found, media_type=media, headers=named)
