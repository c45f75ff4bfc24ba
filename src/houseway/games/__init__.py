"""The games: what the law fixes about each, what an operator may choose, and what they chose.

The package can be called, because ``hw.games()`` is how a person asks the library which games there are.
"""

import sys
from types import ModuleType

from houseway.games.collection import Schedule, schedule, schedules
from houseway.games.game import Game, game, games
from houseway.games.paytables import EnvyTable, OwnPaytable, Paytable, read_own_paytable
from houseway.games.rules import Rules
from houseway.games.submission import Submission, differences, example_submission, read_submission
from houseway.games.verify import rules_for, verify_submission
from houseway.games.wagers import verify_active, verify_areas, verify_wagers
from houseway.overview import list_games
from houseway.showing import Rows

__all__ = [
    "EnvyTable",
    "Game",
    "OwnPaytable",
    "Paytable",
    "Rules",
    "Schedule",
    "Submission",
    "differences",
    "example_submission",
    "game",
    "games",
    "read_own_paytable",
    "read_submission",
    "rules_for",
    "schedule",
    "schedules",
    "verify_active",
    "verify_areas",
    "verify_submission",
    "verify_wagers",
]


class _CallablePackage(ModuleType):
    def __call__(self) -> Rows:
        """List the games, for a person or a data frame."""
        return list_games()


sys.modules[__name__].__class__ = _CallablePackage
