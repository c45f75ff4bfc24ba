"""Tables: seen, commanded, undone, their rules and their chips."""

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
from houseway.service.api.problems import from_answer
from houseway.service.driver import Driver
from houseway.service.facts import table_facts
from houseway.service.live import Looking
from houseway.service.loop import LONGEST, FloorLoop
from houseway.service.plans import Pace
from houseway.service.practice import company, player_at, practice_plan
from houseway.service.practice import undo as undo_choice
from houseway.settlement.model import MAIN

Seconds = Annotated[float, Meta(ge=0, le=LONGEST)]
"""Within which a command is carried out, or not at all."""


# --- tables -------------------------------------------------------------------------------------------


async def tables(call: Call) -> Response:
    """The tables of the floor, and the practice tables that are one's own."""
    return json(await lobby_rows(call))


async def lobby_rows(call: Call) -> list[dict[str, Any]]:
    """Return a row for each table of the floor, and for each practice table where whoever asks is."""
    server = call.server
    names = server.loop.floor.house.licensed
    if server.practice is not None and call.signed is not None:
        own = server.practice.tables.of(call.signed.actor.id)
        names = [*names, *filter(server.practice.loop.floor.is_open, own)]  # nobody waits for others to open
    loops = {name: server.of(name).loop for name in names}
    return [_row(loop.floor, name, await loop.table(name)) for name, loop in loops.items()]


def _row(floor: Floor, name: TableId, running: RunningTable) -> dict[str, Any]:
    made = floor.house.tables[name]
    meter = floor.meters().get(made.meter or "")
    least, most = running.rules.stakes(MAIN)
    return {
        "table": name,
        "practice": made.practice,
        "game": running.rules.game.id,
        "name": running.rules.game.name,
        "phase": running.table.phase,
        "seated": sorted(running.table.seats),
        "positions": list(positions(running.rules)),
        "least": least,
        "most": most,
        "rounds": running.table.rounds,
        "meter": made.meter,
        "showing": meter.showing if meter else None,
        "link_down": floor.house.link_down(name),
    }


async def table(call: Call) -> Response:
    """A table as one sees it, and what one may do there now."""
    await call.table()
    seen = Looking(call.floor, call.named("table")).seen_by(call.who.actor)
    return Response(seen.text, media_type="application/json")


async def table_rules(call: Call) -> Response:
    """What does not change while a table plays: its game, wagers, limits and what they pay."""
    running = await call.table()
    return json(table_facts(call.floor.house, running.table.id, running.rules))


class Doing(Struct, frozen=True, forbid_unknown_fields=True):
    """A command: a name of its own, made by whoever sends it, and an action with its step."""

    id: str
    action: dict[str, Any]
    within: Seconds = LONGEST


async def command(call: Call) -> Response:
    """Do something at a table, or propose it to a second person where two are needed."""
    asked = await call.body(Doing)
    running, actor = await call.table(), player_of(call)
    name, action = command_id(actor, asked.id), action_of(asked.action, running.rules)
    if isinstance(action, AdjustMeter):
        check_licensed(running.table.id)  # two people adjust it, whoever is typed as the second
        return await propose(call, AdjustAtTable(running.table.id, action), actor, name)
    made = Command(actor, action, id=name)
    return from_answer(await call.served.loop.command(running.table.id, made, asked.within))


async def ready(call: Call) -> Response:
    """Say that one has bet what one wants: the bets need not stay open for one's sake."""
    running = await call.table()
    call.served.said_ready(running.table.id, call.who.actor.id)
    return json({"ready": True})


async def patience(call: Call) -> Response:
    """Until when the table waits for whoever asks, if it does not wait for ever."""
    running, driver, now = await call.table(), call.served.driver, call.floor.clock()
    if driver is None:
        return json({"now": now, "until": None})
    paced = driver.clock()  # its date means nothing: only how long it is until then
    until = driver.waits_until(running.table.id, call.who.actor.id, paced)
    return json({"now": now, "until": now + (until - paced) if until else None})


class Practising(Struct, frozen=True, forbid_unknown_fields=True):
    """Which game is practised."""

    game: str


async def practise(call: Call) -> Response:
    """Find a practice table for oneself alone, ready to be played at."""
    asked, practice, person = await call.body(Practising), call.server.practice, call.who.actor
    if practice is None:
        raise UnknownNameError("nobody practises here", value=asked.game)
    table = await practice.loop.between(lambda: practice.tables.take(asked.game, person))
    await _make_ready(practice.loop, table)
    return json({"table": table})


async def _make_ready(loop: FloorLoop, table: TableId) -> None:
    """Have a new practice table opened at once: nobody waits for its deck to be looked over."""
    floor, plan = loop.floor, practice_plan(company(table))
    driver = Driver(floor, {table: replace(plan, pace=Pace(preparing=0))}, floor.clock)
    while (await loop.table(table)).table.phase in (Phase.CLOSED, Phase.OPENING):
        due = driver.due_at(table, floor.clock())
        if due is None:
            return  # somebody closed it: whoever comes sees that
        driver.answered(await loop.command(table, due))


async def undo(call: Call) -> Response:
    """Go back to before one's last choice at a practice table."""
    table = (await call.table()).table.id
    plan, floor, by = practice_plan(company(table)), call.floor, player_of(call)
    await call.served.loop.between(lambda: undo_choice(floor, table, by, plan))
    call.served.hub.show(frozenset({table}))
    return json({"table": table})


def player_of(call: Call) -> Actor:
    """Return whoever asks in the capacity in which they are at the table."""
    return player_at(call.floor.house, call.named("table"), call.who.actor)


class Considered(Struct, frozen=True, forbid_unknown_fields=True):
    """An action that somebody thinks of taking."""

    action: dict[str, Any]


async def consequences(call: Call) -> Response:
    """What would come of something, told before it is done."""
    asked = await call.body(Considered)
    running = await call.table()
    proposal = Proposal(player_of(call), action_of(asked.action, running.rules))
    moment = call.floor.moment(running.table.id)
    return json(foresee(running.rules, running.table, proposal, moment))


class Looked(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and a setting of its cards if one is asked about."""

    position: int
    setting: str = ""


async def preview_setting(call: Call) -> Response:
    """Name the parts of a setting of cards that one may see, and any foul."""
    asked = await call.body(Looked)
    running = await call.table()
    cards = see(running.rules, running.table, player_of(call), asked.position)
    found = preview(running.rules, cards, parse_setting(asked.setting))
    return json(found)


async def suggestion(call: Call) -> Response:
    """How the house way sets cards that one may see."""
    asked = await call.body(Looked)
    running = await call.table()
    cards = see(running.rules, running.table, player_of(call), asked.position)
    return json(advise(running.rules, cards))


# --- chips --------------------------------------------------------------------------------------------


async def chips(call: Call) -> Response:
    """Do something with the chips of a table, or propose it to a second person."""
    asked = await call.body(Doing)
    running, actor = await call.table(), player_of(call)
    name = command_id(actor, asked.id)
    action: ChipAction = from_plain(AnyChipAction, asked.action, "chips")
    check_amounts(action, "action")
    if action.step in SECOND_ROLES:
        check_licensed(running.table.id)
        return await propose(call, MoveChips(running.table.id, action), actor, name)
    made = ChipCommand(id=name, by=actor, action=action)
    return from_answer(await call.served.loop.command(running.table.id, made, asked.within))


def check_licensed(table: TableId) -> None:
    """Refuse what needs a second person where only play money is at stake."""
    if is_practice(table):
        raise IllegalError("at a practice table nothing is done by two people", value=table)


async def propose(call: Call, task: Task, by: Actor, name: str) -> Response:
    """Do a duty, or propose it to a second person."""
    floor = call.server.loop.floor
    browser = (await call.proof()).browser if isinstance(task, BY_TWO) else ""
    proposal = await call.between(lambda: duties.ask(floor, task, by, name, browser))
    return json({"done": proposal is None, "proposal": proposal}, 200 if proposal is None else 202)


async def tray(call: Call) -> Response:
    """The chips of a table: the tray, what people have, slips under way, the figures of the shift."""
    running = await call.table()
    if not running.chips:
        raise IllegalError("the chips of this table are not followed", value=call.named("table"))
    return json({"tray": running.tray, "total": running.tray.total, "inventory": running.tray.inventory})


# --- how they are read --------------------------------------------------------------------------------


def command_id(by: Actor, name: str) -> CommandId:
    """Return the id of a command that somebody sends: their own, a slash, and the name that they gave it."""
    return f"{by.id}/{read_id(name)}"


def action_of(data: Mapping[str, Any], rules: Rules) -> Action:
    """Return an action that somebody sent."""
    action = read_action(data, rules)
    check_amounts(action, "action")
    return action
