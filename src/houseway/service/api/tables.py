"""Routes of tables: views, commands, practice, undo, rules and chips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.responses import Response

from houseway.cards import parse_setting
from houseway.chips import AnyChipAction, ChipAction, ChipCommand
from houseway.chips.rights import SECOND_ROLES
from houseway.errors import IllegalError, UnknownNameError
from houseway.floor import duties
from houseway.floor.core import Floor
from houseway.floor.running import RunningTable
from houseway.floor.streams import TableId, is_practice
from houseway.floor.tasks import BY_TWO, AdjustAtTable, MoveChips, Task
from houseway.games import Rules
from houseway.intake import check_amounts, read_id
from houseway.rounds.action import Action
from houseway.rounds.codec import from_plain, read_action
from houseway.rounds.foresight import foresee
from houseway.rounds.sight import see
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor, Command, CommandId, Proposal
from houseway.rounds.steps.common import positions
from houseway.rounds.steps.meter import AdjustMeter
from houseway.rounds.views import advise, preview
from houseway.service.api.call import Call, json
from houseway.service.api.problem_json import answer_response
from houseway.service.driver import Driver
from houseway.service.live_views import SharedView
from houseway.service.loop import TIME_LIMIT, FloorLoop
from houseway.service.practice_rules import actor_at, practice_plan, practice_players, undo_choice
from houseway.service.table_facts import table_facts
from houseway.service.table_plans import Pace
from houseway.settlement.model import MAIN

Seconds = Annotated[float, Meta(ge=0, le=TIME_LIMIT)]
"""The time within which a command is carried out, or refused."""


# --- tables -------------------------------------------------------------------------------------------


async def tables(call: Call) -> Response:
    """Return the tables of the floor, and the caller's own practice tables."""
    return json(await lobby_rows(call))


async def lobby_rows(call: Call) -> list[dict[str, Any]]:
    """Return a row for each table of the floor, and for each of the caller's practice tables."""
    server = call.server
    names = server.loop.floor.house.licensed
    if server.practice is not None and call.identity is not None:
        own = server.practice.tables.tables_of(call.identity.actor.id)
        names = [*names, *filter(server.practice.loop.floor.is_open, own)]  # opening more takes time
    loops = {name: server.service_of(name).loop for name in names}
    return [_row(loop.floor, name, await loop.table(name)) for name, loop in loops.items()]


def _row(floor: Floor, name: TableId, running: RunningTable) -> dict[str, Any]:
    setup = floor.house.tables[name]
    meter = floor.meters().get(setup.meter or "")
    least, most = running.rules.stakes(MAIN)
    return {
        "table": name,
        "practice": setup.practice,
        "game": running.rules.game.id,
        "name": running.rules.game.name,
        "phase": running.table.phase,
        "seated": sorted(running.table.seats),
        "positions": list(positions(running.rules)),
        "least": least,
        "most": most,
        "rounds": running.table.rounds,
        "meter": setup.meter,
        "showing": meter.showing if meter else None,
        "link_down": floor.house.link_down(name),
    }


async def table(call: Call) -> Response:
    """Return a table as the caller sees it, with their options."""
    await call.table()
    message = SharedView(call.floor, call.path_part("table")).message_for(call.caller.actor)
    return Response(message.text, media_type="application/json")


async def table_rules(call: Call) -> Response:
    """Return what does not change while a table plays: its game, wagers, limits and what they pay."""
    running = await call.table()
    return json(table_facts(call.floor.house, running.table.id, running.rules))


class CommandBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A command: an id made by its sender, and an action with its step."""

    id: str
    action: dict[str, Any]
    within: Seconds = TIME_LIMIT


async def command(call: Call) -> Response:
    """Carry out a command at a table, or propose it to a second person where two are needed."""
    body = await call.body(CommandBody)
    running, actor = await call.table(), player_of(call)
    name, action = command_id(actor, body.id), read_sent_action(body.action, running.rules)
    if isinstance(action, AdjustMeter):
        check_licensed(running.table.id)  # two people adjust it, whoever is entered as the second
        return await propose(call, AdjustAtTable(running.table.id, action), actor, name)
    command = Command(actor, action, id=name)
    return answer_response(await call.service.loop.command(running.table.id, command, body.within))


async def ready(call: Call) -> Response:
    """Note that the caller has placed all their bets: the table need not wait for them."""
    running = await call.table()
    call.service.note_ready(running.table.id, call.caller.actor.id)
    return json({"ready": True})


async def patience(call: Call) -> Response:
    """Return until when the table waits for the caller, if there is a limit."""
    running, driver, now = await call.table(), call.service.driver, call.floor.clock()
    if driver is None:
        return json({"now": now, "until": None})
    paced = driver.clock()  # only differences of this clock have a meaning
    until = driver.waits_until(running.table.id, call.caller.actor.id, paced)
    return json({"now": now, "until": now + (until - paced) if until else None})


class Practising(Struct, frozen=True, forbid_unknown_fields=True):
    """The game to be practised."""

    game: str


async def practise(call: Call) -> Response:
    """Find a practice table for the caller alone, open and ready for bets."""
    body, practice, person = await call.body(Practising), call.server.practice, call.caller.actor
    if practice is None:
        raise UnknownNameError("practice is not available here", value=body.game)
    table = await practice.loop.between(lambda: practice.tables.take(body.game, person))
    await _make_ready(practice.loop, table)
    return json({"table": table})


async def _make_ready(loop: FloorLoop, table: TableId) -> None:
    """Open a new practice table at once, without the pauses of its dealer."""
    floor, plan = loop.floor, practice_plan(practice_players(table))
    driver = Driver(floor, {table: replace(plan, pace=Pace(preparing=0))}, floor.clock)
    while (await loop.table(table)).table.phase in (Phase.CLOSED, Phase.OPENING):
        due = driver.due_at(table, floor.clock())
        if due is None:
            return  # a person has closed it, and the caller will see that
        driver.take_answer(await loop.command(table, due))


async def undo(call: Call) -> Response:
    """Undo the caller's last choice at a practice table."""
    table = (await call.table()).table.id
    plan, floor, by = practice_plan(practice_players(table)), call.floor, player_of(call)
    await call.service.loop.between(lambda: undo_choice(floor, table, by, plan))
    call.service.hub.show(frozenset({table}))
    return json({"table": table})


def player_of(call: Call) -> Actor:
    """Return the caller as an actor at the table of the path."""
    return actor_at(call.floor.house, call.path_part("table"), call.caller.actor)


class ActionBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An action to be considered."""

    action: dict[str, Any]


async def consequences(call: Call) -> Response:
    """Return the consequences of an action before it is taken."""
    body = await call.body(ActionBody)
    running = await call.table()
    proposal = Proposal(player_of(call), read_sent_action(body.action, running.rules))
    moment = call.floor.moment(running.table.id)
    return json(foresee(running.rules, running.table, proposal, moment))


class Looked(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and a setting of its cards if one is asked about."""

    position: int
    setting: str = ""


async def preview_setting(call: Call) -> Response:
    """Return the parts of a setting of cards that the caller may see, named, and any foul."""
    body = await call.body(Looked)
    running = await call.table()
    cards = see(running.rules, running.table, player_of(call), body.position)
    judged = preview(running.rules, cards, parse_setting(body.setting))
    return json(judged)


async def suggestion(call: Call) -> Response:
    """Return how the house way sets cards that the caller may see."""
    body = await call.body(Looked)
    running = await call.table()
    cards = see(running.rules, running.table, player_of(call), body.position)
    return json(advise(running.rules, cards))


# --- chips --------------------------------------------------------------------------------------------


async def chips(call: Call) -> Response:
    """Carry out a chip action at a table, or propose it to a second person."""
    body = await call.body(CommandBody)
    running, actor = await call.table(), player_of(call)
    name = command_id(actor, body.id)
    action: ChipAction = from_plain(AnyChipAction, body.action, "chips")
    check_amounts(action, "action")
    if action.step in SECOND_ROLES:
        check_licensed(running.table.id)
        return await propose(call, MoveChips(running.table.id, action), actor, name)
    command = ChipCommand(id=name, by=actor, action=action)
    return answer_response(await call.service.loop.command(running.table.id, command, body.within))


def check_licensed(table: TableId) -> None:
    """Refuse an act of two people at a practice table."""
    if is_practice(table):
        raise IllegalError("acts of two people are not possible at a practice table", value=table)


async def propose(call: Call, task: Task, by: Actor, name: str) -> Response:
    """Do a duty, or propose it to a second person."""
    floor = call.server.loop.floor
    browser = (await call.proof()).browser if isinstance(task, BY_TWO) else ""
    proposal = await call.between(lambda: duties.ask(floor, task, by, name, browser))
    return json({"done": proposal is None, "proposal": proposal}, 200 if proposal is None else 202)


async def tray(call: Call) -> Response:
    """Return the chips of a table: the tray, what people have, open slips, the figures of the shift."""
    running = await call.table()
    if not running.chips:
        raise IllegalError("the chips of this table are not followed", value=call.path_part("table"))
    return json({"tray": running.tray, "total": running.tray.total, "inventory": running.tray.inventory})


# --- reading what was sent ----------------------------------------------------------------------------


def command_id(by: Actor, name: str) -> CommandId:
    """Return the id of a sent command: the sender's id, a slash, and the name they gave it."""
    return f"{by.id}/{read_id(name)}"


def read_sent_action(data: Mapping[str, Any], rules: Rules) -> Action:
    """Return a sent action, or refuse it."""
    action = read_action(data, rules)
    check_amounts(action, "action")
    return action
