"""The house way of a table's submission, compiled once and asked for a hand's setting."""

from __future__ import annotations

from houseway.cards import Cards
from houseway.games import Rules
from houseway.games.ways import way_of
from houseway.houseways import CompiledWay, Decision, decide
from houseway.ranking import Setting
from houseway.ranking.memo import once


def dealer_program(rules: Rules) -> CompiledWay:
    """Return the house way of the submission, compiled for its ranking."""
    return once(rules.memo.house_way, rules.submission.house_way or "", way_of, rules.game, rules)


def by_house_way(rules: Rules, cards: Cards) -> Decision:
    """Return how the house way sets a hand, and by which rule."""
    return decide(dealer_program(rules), cards)


def house_setting(rules: Rules, cards: Cards) -> Setting:
    """Return how the house way sets a hand."""
    return by_house_way(rules, cards).setting


def display_setting(rules: Rules, cards: Cards) -> Setting:
    """Return the setting that the display shows for a player who asks for the house way."""
    rules.game.display_shows.require()
    return house_setting(rules, cards)


def same_setting(setting: Setting | None, other: Setting) -> bool:
    """Whether two settings put the same cards into each part."""
    return setting is not None and [set(part) for part in setting] == [set(part) for part in other]
