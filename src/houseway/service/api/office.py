"""What the office of a floor does: duties, proposals, submissions, meters."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from starlette.responses import Response

from houseway.floor import duties
from houseway.floor.meters import MeterNow
from houseway.service.api.app import Call, json
from houseway.service.api.tables import check_named

# --- duties of the floor ------------------------------------------------------------------------------


class Asking(Struct, frozen=True, forbid_unknown_fields=True):
    """A duty to be done: a name of its own, made by whoever asks, and what it is."""

    id: str
    task: dict[str, Any]


async def duty(call: Call) -> Response:
    """Do a duty, or propose it to a second person."""
    asked, actor = await call.body(Asking), call.who.actor
    check_named(asked.id)
    task, floor = duties.read_task(asked.task), call.server.loop.floor
    name = f"{actor.id}/{asked.id}"
    proposal = await call.server.loop.between(lambda: duties.ask(floor, task, actor, name))
    return json({"done": proposal is None, "proposal": proposal}, 200 if proposal is None else 202)


async def proposals(call: Call) -> Response:
    """What waits for a second person."""
    waiting = call.server.loop.floor.house.proposals
    return json(
        [{"proposal": name, "by": one.by, "at": one.at, "task": one.task} for name, one in waiting.items()]
    )


class Confirming(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a proposal is carried out, or why not."""

    done: bool
    reason: str = ""


async def confirm(call: Call) -> Response:
    """Do what was proposed, as its second person, or turn it down with a reason."""
    asked, actor, name = await call.body(Confirming), call.who.actor, call.named("proposal")
    floor = call.server.loop.floor
    if asked.done:
        await call.server.loop.between(lambda: duties.confirm(floor, name, actor))
    else:
        await call.server.loop.between(lambda: duties.turn_down(floor, name, actor, asked.reason))
    return json({"done": asked.done})


async def submissions(call: Call) -> Response:
    """The rules that are filed, and from when each is in effect."""
    house = call.server.loop.floor.house
    return json(
        [
            {
                "submission": rules,
                "game": one.submission.game,
                "reference": one.submission.reference,
                "filed_by": one.by,
                "effective": house.effective.get(rules),
            }
            for rules, one in house.filed.items()
        ]
    )


# --- meters -------------------------------------------------------------------------------------------


async def meters(call: Call) -> Response:
    """The shared meters and what they show."""
    floor = call.server.loop.floor
    return json({name: state.showing for name, state in sorted(floor.meters().items())})


async def meter(call: Call) -> Response:
    """A meter with its cumulative meters, last wins and last reading."""
    now: MeterNow = call.server.loop.floor.meter(call.named("meter"))
    told = {
        "meter": now.opened.meter,
        "showing": now.state.showing,
        "reserve": now.state.reserve,
        "totals": now.totals,
        "wins": now.wins,
        "won": now.won,
        "read": now.read,
    }
    return json(told)
