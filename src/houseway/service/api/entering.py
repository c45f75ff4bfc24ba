"""Second factors, and who came and went, over HTTP."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from starlette.responses import Response

from houseway.errors import InvalidInputError
from houseway.floor.access_events import AccessCounted
from houseway.floor.access_log import AccessEntry
from houseway.intake import read_number
from houseway.rounds.roles import Role
from houseway.service.api.call import Call, json

SHOWN: Final = 100
MOST_SHOWN: Final = 500
CREATED: Final = 201

# --- second factors -----------------------------------------------------------------------------------


class Code(Struct, frozen=True, forbid_unknown_fields=True):
    """A code of a second factor."""

    code: str


class RemovedFactor(Struct, frozen=True, forbid_unknown_fields=True):
    """What one proves oneself by, to remove one's second factor."""

    password: str
    code: str


class FactorRoles(Struct, frozen=True, forbid_unknown_fields=True):
    """The roles in which people need a second factor."""

    roles: list[Role]


async def begin_factor(call: Call) -> Response:
    """Begin to set up a second factor: its secret is told this once."""
    return json(await call.server.accounts.factors.begin(call.who.actor), CREATED)


async def confirm_factor(call: Call) -> Response:
    """Set up the second factor, by the first code of its secret."""
    sent = await call.body(Code)
    await call.server.accounts.factors.confirm(call.who.actor, sent.code, call.address)
    return Response(status_code=204)


async def remove_factor(call: Call) -> Response:
    """Remove one's own second factor, with the password and a code."""
    sent = await call.body(RemovedFactor)
    await call.server.accounts.factors.remove(call.who.actor, sent.password, sent.code, call.address)
    return Response(status_code=204)


async def factor_roles(call: Call) -> Response:
    """The roles in which people need a second factor."""
    return json({"roles": await call.server.accounts.factors.roles()})


async def demand_factors(call: Call) -> Response:
    """Demand a second factor of people in some roles, and of nobody else."""
    sent = await call.body(FactorRoles)
    return json({"roles": await call.server.accounts.factors.demand(sent.roles, call.who.actor)})


# --- who came and went --------------------------------------------------------------------------------


async def access(call: Call) -> Response:
    """Who signed in and out, from where, who failed and who was refused what; the latest first."""
    before, limit = _whole(call, "before"), _whole(call, "limit") or SHOWN
    log = call.server.access.log
    entries = await call.between(lambda: log.page(before, min(limit, MOST_SHOWN)))
    more = entries[-1].number if entries and entries[-1].number > 1 else None
    return json({"entries": [_entry(entry) for entry in entries], "before": more})


def _entry(entry: AccessEntry) -> dict[str, object]:
    what = "counted" if isinstance(entry.event, AccessCounted) else entry.event.kind.value
    return {"number": entry.number, "what": what, "event": entry.event}


def _whole(call: Call, name: str) -> int | None:
    """Return a number that is asked for, or refuse what is none."""
    text = call.query.get(name)
    if text is None:
        return None
    number = read_number(text, name)
    if not number:
        raise InvalidInputError(f"{name} is a whole number from 1 on", value=text)
    return number
