"""The contents of the office's pages: supervision, submissions, people, the own account, accounting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.games import games
from houseway.games.submission import EXAMPLES
from houseway.rounds.roles import DEVICES, Role
from houseway.rounds.state import CardOrigin
from houseway.service.api.call import Call
from houseway.service.table_facts import game_row
from houseway.web.office_rights import office_rights
from houseway.web.pages import own_path
from houseway.web.site import Context, Maker


async def floor(call: Call) -> Context:
    """What waits for a supervisor, and the tables as small live pictures."""
    return {
        "boot": {"rights": office_rights(call.caller.actor.role)},
        "texts": ("floor", "office", "table"),
    }


async def submissions(call: Call) -> Context:
    """Submissions: judged, approved by a second person, and opened at tables."""
    licensed = [game for game in games() if game.licensed]
    examples = {game.id: (EXAMPLES / game.id / "example.toml").read_text("utf-8") for game in licensed}
    boot = {
        "rights": office_rights(call.caller.actor.role),
        "games": [game_row(game) for game in licensed],
        "examples": examples,
        "origins": [origin.value for origin in CardOrigin],
    }
    return {"boot": boot, "texts": ("submissions", "office")}


async def people(call: Call) -> Context:
    """Every user who may sign in, for an administrator."""
    del call
    persons = [role.value for role in Role if role not in DEVICES and role is not Role.GUEST]
    boot = {"roles": persons, "devices": sorted(role.value for role in DEVICES)}
    return {"boot": boot, "texts": ("people", "office")}


async def me(call: Call) -> Context:
    """The user's own account: the password, where to go on after choosing it, a player's rest from play."""
    must = call.caller.must is not None
    wanted = own_path(call.request.query_params.get("next", "/"))
    return {"boot": {"next": wanted} if must else {}, "texts": ("me", "factor", "office")}


async def access(call: Call) -> Context:
    """The access log; for an administrator also the roles that need a second factor."""
    people = [role.value for role in Role if role not in DEVICES and role is not Role.GUEST]
    demands = call.caller.actor.role is Role.ADMINISTRATOR
    return {"boot": {"roles": people if demands else []}, "texts": ("access", "office")}


async def history(call: Call) -> Context:
    """A player's own rounds."""
    del call
    return {"boot": {"games": {game.id: game.name for game in games()}}, "texts": ("history", "office")}


async def accounting(call: Call) -> Context:
    """Drop, win and hold against their theoretical values; meters and their readings."""
    boot = {
        "rights": office_rights(call.caller.actor.role),
        "games": {game.id: game.name for game in games()},
    }
    return {"boot": boot, "texts": ("accounting", "office")}


MAKERS: Final[Mapping[str, Maker]] = {
    "floor": floor,
    "submissions": submissions,
    "people": people,
    "me": me,
    "history": history,
    "access": access,
    "accounting": accounting,
}
