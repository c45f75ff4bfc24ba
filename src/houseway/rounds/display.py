"""The house-way display: a player's cards arranged exactly as the dealer's would be."""

from __future__ import annotations

from houseway.cards import Cards
from houseway.games import Rules
from houseway.houseways import compile_way, decide, house_way
from houseway.law.claims import rest_on
from houseway.ranking import Setting


def shown_on_display(rules: Rules, cards: Cards) -> Setting:
    """Return the setting that the display shows for a player who asks for the house way."""
    rest_on(*rules.game.display_shows)
    program = compile_way(house_way(rules.submission.house_way or ""), base=rules.ranking())
    return decide(program, cards).setting
