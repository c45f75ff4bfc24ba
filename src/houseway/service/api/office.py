"""Routes of the office of a floor: duties, proposals, meters."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from starlette.responses import Response

from houseway.errors import UnknownNameError
from houseway.floor import duties
from houseway.floor.bodies import read_body
from houseway.floor.meter_events import MeterAdjusted, MeterTurn
from houseway.floor.rights import DUTY_ROLES, Duty
from houseway.floor.setup_events import Proposed
from houseway.floor.shared_meters import SharedMeter, Win
from houseway.floor.streams import is_practice, meter_stream
from houseway.floor.tasks import ChangeLink, MeterAdjustment, PeopleTask, Task, read_proposed, read_task
from houseway.intake import check_amounts
from houseway.service.api.call import Call, json
from houseway.service.api.problem_json import answer_response
from houseway.service.api.tables import command_id, propose
from houseway.service.api.users import confirm_about_people

SHOWN: Final = 200
"""The number of a meter's last moves in its history."""


# --- duties of the floor ------------------------------------------------------------------------------


class DutyBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A duty to be done, with an id made by its sender."""

    id: str
    task: dict[str, Any]


async def duty(call: Call) -> Response:
    """Do a duty, or propose it to a second person."""
    body, actor = await call.body(DutyBody), call.caller.actor
    name, task = command_id(actor, body.id), read_task(body.task)
    check_amounts(task, "task")
    answer = await propose(call, task, actor, name)
    _show_meter(call, task)
    return answer


def _show_meter(call: Call, task: Task) -> None:
    """Show a changed meter at its tables, since the change was made at none of them."""
    if isinstance(task, ChangeLink | MeterAdjustment):
        call.server.hub.show(frozenset(call.server.loop.floor.house.tables_on(task.meter)))


async def proposals(call: Call) -> Response:
    """Return the proposals that wait for a second person."""
    await call.between(call.server.loop.floor.refresh)  # it may have been proposed at another server
    waiting = call.server.loop.floor.house.proposals
    return json([_row(name, proposed) for name, proposed in waiting.items() if _is_for(call, proposed)])


def _row(name: str, proposed: Proposed) -> dict[str, Any]:
    shown = duties.show_proposal(proposed)
    return {"proposal": name, "by": shown.by, "at": shown.at, "task": shown.task}


def _is_for(call: Call, proposed: Proposed) -> bool:
    """Whether the caller may see a proposal; only those who manage people see the ones about people."""
    about_people = isinstance(read_proposed(proposed.task), PeopleTask)
    return not about_people or call.caller.actor.role in DUTY_ROLES[Duty.MANAGE_PEOPLE]


class Confirming(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether to carry out a proposal, or the reason to turn it down."""

    done: bool
    reason: str = ""


async def confirm(call: Call) -> Response:
    """Carry out a proposal as its second person, or turn it down with a reason."""
    body, actor, name = await call.body(Confirming), call.caller.actor, call.path_part("proposal")
    floor = call.server.loop.floor
    await call.between(floor.refresh)
    if body.done:
        browser = (await call.proof()).browser
        if isinstance(duties.task_of_proposal(floor, name), PeopleTask):
            return await confirm_about_people(call, name, browser)
        at_table = duties.command_of_proposal(floor, name, actor, browser)
        if at_table is not None:
            answer = await call.server.loop.command(*at_table)
            if not answer.done:
                return answer_response(answer)
            await call.between(lambda: duties.close_command(floor, name, actor))
        else:
            task = duties.task_of_proposal(floor, name)
            await call.between(lambda: duties.confirm(floor, name, actor, browser))
            _show_meter(call, task)
    else:
        await call.server.loop.between(lambda: duties.turn_down(floor, name, actor, body.reason))
    return json({"done": body.done})


# --- meters -------------------------------------------------------------------------------------------


async def meters(call: Call) -> Response:
    """Return what the shared meters show."""
    floor = call.server.loop.floor
    shown = {name: state.showing for name, state in sorted(floor.meters().items()) if not is_practice(name)}
    return json(shown)


async def meter(call: Call) -> Response:
    """Return a meter with its cumulative meters, last wins and last reading."""
    now = _meter(call)
    facts = {
        "meter": now.opened.meter,
        "showing": now.state.showing,
        "reserve": now.state.reserve,
        "totals": now.totals,
        "wins": now.wins,
        "won": now.won,
        "read": now.read,
    }
    return json(facts)


async def meter_history(call: Call) -> Response:
    """Return what a meter has shown recently and who has won it, by the names shown at tables: for a sign."""
    floor, now = call.server.loop.floor, _meter(call)
    stream, name = meter_stream(now.opened.meter), now.opened.meter
    tail = await call.between(lambda: list(floor.store.tails({stream: max(0, now.head.version - SHOWN)})))
    bodies = [read_body(entry) for entry in tail]
    shown = [
        {"at": body.at, "showing": body.after.showing}
        for body in bodies
        if isinstance(body, MeterTurn | MeterAdjusted)
    ]
    wins = [
        {"name": _shown_name(call, win), "amount": win.amount, "table": win.table, "at": win.at}
        for win in reversed(now.wins)
        if not win.voided
    ]
    tables = floor.house.tables_on(name)
    return json({"meter": name, "showing": now.state.showing, "tables": tables, "shown": shown, "wins": wins})


def _meter(call: Call) -> SharedMeter:
    """Return the meter of the path; a practice meter is only shown at its table."""
    name = call.path_part("meter")
    if is_practice(name):
        raise UnknownNameError("no such meter", value=name)
    return call.server.loop.floor.meter(name)


def _shown_name(call: Call, win: Win) -> str:
    """Return the name of a winner that tables show, and nothing else about them."""
    floor = call.server.loop.floor
    for running in floor.open_tables():
        for seat in running.table.seats.values():
            if seat.person == win.person and seat.name:
                return seat.name
    user = call.server.accounts.people.users.get(win.person)
    return user.name if user else "a player"
