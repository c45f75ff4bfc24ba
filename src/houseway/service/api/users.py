"""People managed by administrators."""

from __future__ import annotations

from msgspec import Struct
from starlette.responses import Response

from houseway.errors import InvalidInputError
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId
from houseway.service.api.call import Call, json
from houseway.service.history_export import HistoryFormat, export_history
from houseway.service.people import check_own_history
from houseway.service.user_accounts import PendingProposal

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
    return json(await call.server.accounts.list_users())


async def add_user(call: Call) -> Response:
    """Propose to add somebody: one half of a temporary password, or of a device's key, is told this once."""
    body, browser = await call.body(Added), (await call.proof()).browser
    waits = await call.server.accounts.add(body.id, body.name, body.roles, call.caller.actor, browser)
    return _proposal_response(waits)


async def reset_password(call: Call) -> Response:
    """Propose to give somebody a temporary password, or a device another key: one half is told this once."""
    browser = (await call.proof()).browser
    return _proposal_response(await call.server.accounts.reset(call.user, call.caller.actor, browser))


async def change_roles(call: Call) -> Response:
    """Take roles from somebody, or propose to give them some."""
    body, user, accounts = await call.body(Roles), call.user, call.server.accounts
    if accounts.only_takes(user, body.roles):
        return json(await accounts.take_roles(user, body.roles, call.caller.actor))
    browser = (await call.proof()).browser
    return _proposal_response(await accounts.give_roles(user, body.roles, call.caller.actor, browser))


async def disable_user(call: Call) -> Response:
    """Let somebody sign in no more."""
    body = await call.body(ReasonBody)
    return json(await call.server.accounts.disable(call.user, body.reason, call.caller.actor))


async def enable_user(call: Call) -> Response:
    """Propose to let somebody sign in again."""
    body, browser = await call.body(ReasonBody), (await call.proof()).browser
    waits = await call.server.accounts.enable(call.user, body.reason, call.caller.actor, browser)
    return _proposal_response(waits)


async def void_factor(call: Call) -> Response:
    """Propose to void the second factor of somebody whose device is lost."""
    body, browser = await call.body(ReasonBody), (await call.proof()).browser
    return _proposal_response(
        await call.server.accounts.void_factor(call.user, body.reason, call.caller.actor, browser)
    )


def _proposal_response(waits: PendingProposal) -> Response:
    """Tell that something waits for a second administrator, and what its first one is told this once."""
    half = {"half": waits.half, "device": waits.device} if waits.half else {}
    return json({"done": False, "proposal": waits.proposal, **half}, PROPOSED)


async def confirm_about_people(call: Call, name: str, browser: str) -> Response:
    """Do what another administrator has proposed about people: the other half is told this once."""
    confirmed = await call.server.accounts.confirm(name, call.caller.actor, browser)
    half = {"half": confirmed.half} if confirmed.half else {}
    return json({"done": True, "user": confirmed.user, **half})


async def user_history(call: Call) -> Response:
    """A player's own history, for an administrator to give to them."""
    return await history_response(call, call.user)


async def history_response(call: Call, person: PersonId) -> Response:
    """Return every round of a person as a file."""
    check_own_history(call.server.accounts.people, call.caller.actor, person)
    text = call.query.get("format", HistoryFormat.LINES)
    try:
        form = HistoryFormat(text)
    except ValueError:
        raise InvalidInputError("a history is written as jsonl or csv", value=text) from None
    content = await call.ask_models_slowly(lambda connection: export_history(connection, person, form))
    media = "text/csv; charset=utf-8" if form is HistoryFormat.VALUES else "application/jsonl; charset=utf-8"
    named = {"content-disposition": f'attachment; filename="history.{form.value}"'}
    return Response(content, media_type=media, headers=named)
