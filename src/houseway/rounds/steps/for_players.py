"""What the dealer enters for players: their wagers and their Double Down, at a table of virtual cards.

Where cards and chips are real the dealer enters what lies there. Where they are not, players have their own
screens; by the reading ``dealer_enters_wagers`` the dealer's entry is noted, or not taken. A correction has
its reason on record.
"""

from __future__ import annotations

from typing import Final

from houseway.rounds.action import Action
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin
from houseway.rounds.step import Guard, Situation
from houseway.rounds.steps.common import sense

READING: Final = "dealer_enters_wagers"
PLAYERS_ONLY: Final = "players_only"


def for_a_player(s: Situation) -> bool:
    """Whether the dealer acts for a player who could act at a screen of their own, in a game that asks."""
    virtual = s.table.source is CardOrigin.VIRTUAL_DECK
    return virtual and s.by.role is Role.DEALER and READING in s.rules.readings


def _players_own(s: Situation, _: Action) -> bool:
    return not for_a_player(s) or s.rules.readings[READING] != PLAYERS_ONLY


PLAYERS_OWN: Final[Guard[Action]] = sense("players place their own wagers at this table", _players_own)
NOTED: Final[Guard[Action]] = Guard(
    "sense", "the dealer enters it for the player", lambda s, _: not for_a_player(s), sense=True, warns=True
)
