"""The contents of the pages about games and law: any hand, the clauses and readings, PAR sheets."""

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
from houseway.service.sheets import Sheet, SheetState
from houseway.service.table_facts import game_row
from houseway.web.pages import PAGES
from houseway.web.site import Context, Maker, render_page, self_contained

COUNTED_BY: Final = (sys.executable, "-m", "houseway.web.par")
"""The command that counts a PAR sheet in a process of its own: the server never loads arrays."""
ACCEPTED: Final = 202


async def hand(call: Call) -> Context:
    """A hand analysed: every legal setting of it, and how each house way sets it."""
    del call
    known = [_playable(game) for game in games()]
    return {"boot": {"games": known}, "texts": ("hand", "player")}


def _playable(game: Game) -> dict[str, Any]:
    return {
        **game_row(game),
        "hand_cards": game.hand_cards,
        "parts": [{"name": part.name, "cards": part.cards} for part in game.parts],
        "joker": Card.parse("Jk") in game.cards().cards,
    }


# --- the law ------------------------------------------------------------------------------------------


async def law(call: Call) -> Context:
    """The clauses and readings, and for some roles the log's chain and the PAR sheets."""
    role = call.identity.actor.role if call.identity else None
    licensed = [game_row(game) for game in games() if game.licensed]
    return {
        "boot": {
            "laws": [
                {"rule_set": rule_set.id, "name": rule_set.name, "law": rule_set.law}
                for rule_set in rule_sets()
            ],
            "games": licensed if PAGES["par"].allows(role) else [],
            "chain": ROUTES["chain"].allows(role),
        },
        "texts": ("law",),
    }


# --- PAR sheets ---------------------------------------------------------------------------------------


async def par(call: Call) -> Response:
    """The PAR sheet of a game's rules on this floor, or the progress page while it is counted."""
    document = game(call.path_part("game"))
    if not document.licensed:
        raise UnknownNameError("no rules are filed for a game that is not licensed", value=document.id)
    submission, now = _submission(call, document), call.server.runtime.monotonic()
    again = "again" in call.query
    sheet = call.server.sheets.ask(
        rules_for(submission).fingerprint, COUNTED_BY, encode(submission), now, again=again
    )
    if sheet.state is SheetState.COUNTED:
        return self_contained(sheet.page, plots=True)
    return render_page(
        "par", call.identity, _count_context(document, submission, sheet, sheet.seconds(now)), ACCEPTED
    )


def _count_context(game: Game, submission: Submission, sheet: Sheet, seconds: int) -> Context:
    return {
        "name": game.name,
        "reference": submission.reference,
        "failed": sheet.state is SheetState.FAILED,
        "fault": sheet.fault,
        "boot": {"counting": sheet.state is SheetState.COUNTING, "seconds": seconds},
        "texts": ("par",),
    }


def _submission(call: Call, game: Game) -> Submission:
    """Return the submission of a game that came into effect last on this floor; else our example."""
    house, now = call.server.loop.floor.house, call.server.loop.floor.clock()
    begun = {
        rules: since
        for rules, since in house.effective.items()
        if house.filed[rules].submission.game == game.id and since <= now and rules not in house.ended
    }
    if not begun:
        return example_submission(game.id)
    return house.filed[max(begun, key=lambda rules: begun[rules])].submission


MAKERS: Final[Mapping[str, Maker]] = {"hand": hand, "law": law, "par": par}
