"""Routes of second factors."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from starlette.responses import Response

from houseway.rounds.roles import Role
from houseway.service.api.call import Call, json

CREATED: Final = 201


class Code(Struct, frozen=True, forbid_unknown_fields=True):
    """A code of a second factor."""

    code: str


class RemovedFactor(Struct, frozen=True, forbid_unknown_fields=True):
    """The password and the code by which a user removes their second factor."""

    password: str
    code: str


class FactorRoles(Struct, frozen=True, forbid_unknown_fields=True):
    """The roles in which people need a second factor."""

    roles: list[Role]


async def begin_factor(call: Call) -> Response:
    """Begin to set up the caller's second factor: its secret is shown only once."""
    return json(await call.server.accounts.factors.begin(call.caller.actor), CREATED)


async def confirm_factor(call: Call) -> Response:
    """Confirm the caller's second factor by the first code of its secret."""
    sent = await call.body(Code)
    await call.server.accounts.factors.confirm(call.caller.actor, sent.code, call.address)
    return Response(status_code=204)


async def remove_factor(call: Call) -> Response:
    """Remove the caller's own second factor, with the password and a code."""
    sent = await call.body(RemovedFactor)
    await call.server.accounts.factors.remove(call.caller.actor, sent.password, sent.code, call.address)
    return Response(status_code=204)


async def factor_roles(call: Call) -> Response:
    """Return the roles in which people need a second factor."""
    return json({"roles": await call.server.accounts.factors.roles()})


async def demand_factors(call: Call) -> Response:
    """Require a second factor of people in some roles, and in no others."""
    sent = await call.body(FactorRoles)
    return json({"roles": await call.server.accounts.factors.demand(sent.roles, call.caller.actor)})
