"""The contents of a floor's pages: the lobby, a table, its rack card, the rules, a meter's signage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.responses import Response

from houseway.errors import UnknownNameError
from houseway.floor.house import House
from houseway.floor.streams import is_practice
from houseway.games import Rules, example_submission, games, rules_for
from houseway.games.game import Game
from houseway.games.hands import spoken
from houseway.games.rack_card import card_data
from houseway.money import Basis, Cents, Odds, dollars
from houseway.rounds.roles import Role
from houseway.service.api.call import Call
from houseway.service.api.tables import lobby_rows
from houseway.service.table_facts import game_row, table_facts
from houseway.settlement.model import PROGRESSIVE
from houseway.web.cards import card_page
from houseway.web.office_rights import office_rights
from houseway.web.pages import own_path
from houseway.web.site import Context, Maker, self_contained

DEALS: Final = frozenset({Role.DEALER})
SUPERVISES: Final = frozenset({Role.FLOORPERSON, Role.MANAGER, Role.KEY_HOLDER})
WATCHES: Final = frozenset({Role.SURVEILLANCE, Role.REGULATOR, Role.ACCOUNTING, Role.ADMINISTRATOR})


# --- the lobby ----------------------------------------------------------------------------------------


async def lobby(call: Call) -> Context:
    """The tables of the floor, and where to practise."""
    rows, house = await lobby_rows(call), call.server.loop.floor.house
    return {
        "boot": {"tables": rows, "games": [game_row(game) for game in _list_games(rows, house)]},
        "texts": ("lobby", "table"),
    }


def _list_games(rows: list[dict[str, Any]], house: House) -> list[Game]:
    """Return the games that are played at tables or are open for practice."""
    at_tables = {row["game"] for row in rows}
    in_effect = {house.filed[rules].submission.game for rules in house.effective}
    return [game for game in games() if game.id in at_tables | in_effect]


async def sign_in(call: Call) -> Context:
    """The form for signing in."""
    return {"boot": {"next": own_path(call.query.get("next", "/"))}}


# --- a table ------------------------------------------------------------------------------------------


async def table(call: Call) -> Context:
    """A table: played, dealt, supervised or watched, by the role of the viewer."""
    name = call.path_part("table")
    running = await call.table()
    role = call.caller.actor.role
    facts = table_facts(call.floor.house, name, running.rules)
    return {
        "title": table_title(running.rules, name),
        "mode": mode_of(role),
        "boot": {
            "table": name,
            "mode": mode_of(role),
            "facts": facts,
            "rights": office_rights(role),
        },
        "texts": ("table", "player", "dealer", "staff", "office", "step"),
    }


def mode_of(role: Role) -> str:
    """Return how a table's page is used in a role."""
    if role in DEALS:
        return "dealer"
    if role in SUPERVISES:
        return "staff"
    return "watch" if role in WATCHES else "player"


def table_title(rules: Rules, name: str) -> str:
    """Return the heading of a table's page."""
    return f"{rules.game.name}, practice" if is_practice(name) else f"{rules.game.name}, table {name}"


async def rack_card(call: Call) -> Response:
    """The rack card of a table, to be printed or shown."""
    running = await call.table()
    return self_contained(card_page(running.rules))


# --- rules and meters ---------------------------------------------------------------------------------


async def rules(call: Call) -> Context:
    """Every licensed game and its paytables."""
    del call
    examples = [rules_for(example_submission(game.id)) for game in games() if game.licensed]
    return {"cards": [{**card_data(filed), "id": filed.game.id} for filed in examples]}


async def signage(call: Call) -> Context:
    """A meter as large as the screen allows, and what wins it."""
    floor, name = call.server.loop.floor, call.path_part("meter")
    state = floor.meters().get(name)
    if state is None or is_practice(name):
        raise UnknownNameError("no such meter", value=name)
    tables = floor.house.tables_on(name)
    running = await call.server.loop.table(tables[0])
    chosen = running.rules.submission.progressive
    wager = chosen.amount if chosen and chosen.amount else Cents(100)
    lines = [
        {"hand": spoken(line.hand), "pays": _award(line.pays, wager)}
        for line in running.rules.shown_lines(PROGRESSIVE)
    ]
    return {
        "title": running.rules.game.name,
        "tables": tables,
        "lines": lines,
        "wager": dollars(wager),
        "reference": running.rules.submission.reference,
        "showing": state.showing,
        "boot": {"meter": name, "showing": state.showing},
    }


def _award(pays: Odds, wager: Cents) -> str:
    """Return the award of a hand: a part of the meter, or an amount in dollars."""
    return str(pays) if pays.basis is Basis.METER else dollars(pays.returned(wager))


MAKERS: Final[Mapping[str, Maker]] = {
    "lobby": lobby,
    "sign_in": sign_in,
    "table": table,
    "rack_card": rack_card,
    "rules": rules,
    "signage": signage,
}
