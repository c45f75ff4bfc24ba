"""What the pages about the games and the law are made of: any hand, the clauses and readings, PAR sheets."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

from starlette.responses import Response

from houseway.cards import Card
from houseway.errors import UnknownNameError
from houseway.games import Submission, example_submission, game, games, rules_for
from houseway.games.game import Game
from houseway.law.rule_sets import rule_sets
from houseway.rounds.codec import encode
from houseway.service.api.call import Call
from houseway.service.api.routes import ROUTES
from houseway.service.facts import game_row
from houseway.service.sheets import Sheet, SheetState
from houseway.web.pages import PAGES
from houseway.web.site import Context, Maker, rendered, self_contained

COUNTED_BY: Final = (sys.executable, "-m", "houseway.web.par")
"""What counts a PAR sheet, in a process of its own: this one never loads what counts."""
ACCEPTED: Final = 202


async def hand(call: Call) -> Context:
    """Any hand: every legal setting of it, and how each house way sets it."""
    del call
    known = [_playable(one) for one in games()]
    return {"boot": {"games": known}, "texts": ("hand", "player")}


def _playable(one: Game) -> dict[str, Any]:
    return {
        **game_row(one),
        "hand_cards": one.hand_cards,
        "parts": [{"name": part.name, "cards": part.cards} for part in one.parts],
        "joker": Card.parse("Jk") in one.cards().cards,
    }


# --- the law ------------------------------------------------------------------------------------------


async def law(call: Call) -> Context:
    """The clauses, how ambiguous ones are read, and for some the log's chain and the PAR sheets."""
    role = call.signed.actor.role if call.signed else None
    licensed = [game_row(one) for one in games() if one.licensed]
    return {
        "boot": {
            "laws": [{"rule_set": one.id, "name": one.name, "law": one.law} for one in rule_sets()],
            "games": licensed if PAGES["par"].allows(role) else [],
            "chain": ROUTES["chain"].allows(role),
        },
        "texts": ("law",),
    }


# --- PAR sheets ---------------------------------------------------------------------------------------


async def par(call: Call) -> Response:
    """The PAR sheet of a game's rules on this floor; while it is counted, a page that says so."""
    found = game(call.named("game"))
    if not found.licensed:
        raise UnknownNameError("no rules are filed for a game that nobody plays", value=found.id)
    submission, now = _submission(call, found), call.server.runtime.monotonic()
    again = "again" in call.query
    sheet = call.server.sheets.ask(
        rules_for(submission).fingerprint, COUNTED_BY, encode(submission), now, again=again
    )
    if sheet.state is SheetState.COUNTED:
        return self_contained(sheet.page, plots=True)
    return rendered("par", call.signed, _counting(found, submission, sheet, sheet.seconds(now)), ACCEPTED)


def _counting(found: Game, submission: Submission, sheet: Sheet, seconds: int) -> Context:
    return {
        "name": found.name,
        "reference": submission.reference,
        "failed": sheet.state is SheetState.FAILED,
        "fault": sheet.fault,
        "boot": {"counting": sheet.state is SheetState.COUNTING, "seconds": seconds},
        "texts": ("par",),
    }


def _submission(call: Call, found: Game) -> Submission:
    """Return the rules of a game that are in effect here, the last that began to be; else our example."""
    house, now = call.server.loop.floor.house, call.server.loop.floor.clock()
    begun = {
        rules: since
        for rules, since in house.effective.items()
        if house.filed[rules].submission.game == found.id and since <= now and rules not in house.ended
    }
    if not begun:
        return example_submission(found.id)
    return house.filed[max(begun, key=lambda rules: begun[rules])].submission


MAKERS: Final[Mapping[str, Maker]] = {"hand": hand, "law": law, "par": par}
