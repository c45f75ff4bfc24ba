"""Routes of user management by administrators."""

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
    """A user to be added."""

    id: PersonId
    name: str
    roles: list[Role]


class Roles(Struct, frozen=True, forbid_unknown_fields=True):
    """The roles that a user is to have."""

    roles: list[Role]


class ReasonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The reason for an act."""

    reason: str


async def users(call: Call) -> Response:
    """Return all users."""
    return json(await call.server.accounts.list_users())


async def add_user(call: Call) -> Response:
    """Propose to add a user: one half of the temporary password or key is shown, only once."""
    body, browser = await call.body(Added), (await call.proof()).browser
    waits = await call.server.accounts.add(body.id, body.name, body.roles, call.caller.actor, browser)
    return _proposal_response(waits)


async def reset_password(call: Call) -> Response:
    """Propose to give a user a temporary password, or a device another key: one half is shown, only once."""
    browser = (await call.proof()).browser
    return _proposal_response(await call.server.accounts.reset(call.user, call.caller.actor, browser))


async def change_roles(call: Call) -> Response:
    """Take roles from a user, or propose to give them some."""
    body, user, accounts = await call.body(Roles), call.user, call.server.accounts
    if accounts.only_takes(user, body.roles):
        return json(await accounts.take_roles(user, body.roles, call.caller.actor))
    browser = (await call.proof()).browser
    return _proposal_response(await accounts.give_roles(user, body.roles, call.caller.actor, browser))


async def disable_user(call: Call) -> Response:
    """Disable a user's sign-in."""
    body = await call.body(ReasonBody)
    return json(await call.server.accounts.disable(call.user, body.reason, call.caller.actor))


async def enable_user(call: Call) -> Response:
    """Propose to enable a user's sign-in again."""
    body, browser = await call.body(ReasonBody), (await call.proof()).browser
    waits = await call.server.accounts.enable(call.user, body.reason, call.caller.actor, browser)
    return _proposal_response(waits)


async def void_factor(call: Call) -> Response:
    """Propose to void the second factor of a user whose device is lost."""
    body, browser = await call.body(ReasonBody), (await call.proof()).browser
    return _proposal_response(
        await call.server.accounts.void_factor(call.user, body.reason, call.caller.actor, browser)
    )


def _proposal_response(waits: PendingProposal) -> Response:
    """Return the response for a proposal, with the first half of a secret, shown only once."""
    half = {"half": waits.half, "device": waits.device} if waits.half else {}
    return json({"done": False, "proposal": waits.proposal, **half}, PROPOSED)


async def confirm_about_people(call: Call, name: str, browser: str) -> Response:
    """Carry out another administrator's proposal about people: the other half is shown, only once."""
    confirmed = await call.server.accounts.confirm(name, call.caller.actor, browser)
    half = {"half": confirmed.half} if confirmed.half else {}
    return json({"done": True, "user": confirmed.user, **half})


async def user_history(call: Call) -> Response:
    """Return a player's history, for an administrator to give to them."""
    return await history_response(call, call.user)


async def history_response(call: Call, person: PersonId) -> Response:
    """Return every round of a person as a file."""
    check_own_history(call.server.accounts.people, call.caller.actor, person)
    text = call.query.get("format", HistoryFormat.LINES)
    try:
        form = HistoryFormat(text)
    except ValueError:
        raise InvalidInputError("the format of a history is jsonl or csv", value=text) from None
    content = await call.ask_models_slowly(lambda connection: export_history(connection, person, form))
    media = "text/csv; charset=utf-8" if form is HistoryFormat.VALUES else "application/jsonl; charset=utf-8"
    named = {"content-disposition": f'attachment; filename="history.{form.value}"'}
    return Response(content, media_type=media, headers=named)
