"""What decides what a wager keeps in the long run: all of it, and nothing else, as one hash.

Two submissions whose wagers have the same hash have the same figures, even if they differ elsewhere; a stored
figure is used where the hash is the one it was counted under, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from houseway.games.fingerprint import fingerprint_of
from houseway.games.rules import Rules
from houseway.houseways import HouseWay, house_way
from houseway.law.readings import options_of
from houseway.ranking.order import Category
from houseway.ranking.ranking import Ranking

HEX: Final = 24
"""The digits of the hash that stand for it."""
RACED: Final = ("main", "double_down")
"""Wagers that are decided by comparing hands."""


def decided_by(rules: Rules, wager: str) -> str:
    """Return the hash over all that decides what a wager on offer keeps, both sides set the house way."""
    decided = _race(rules) if wager in RACED else _listing(rules, wager)
    return fingerprint_of(deck=list(rules.game.cards().cards), struck=rules.struck, **decided)[:HEX]


def _listing(rules: Rules, wager: str) -> dict[str, Any]:
    """Return what decides a side wager: the hands on its list, best first, and what each is paid."""
    standing = rules.ranking().listing(wager).standing(rules.readings, rules.listed_hands(wager))
    return {
        "cards": rules.game.hand_cards,
        "joker": rules.joker_mode(wager),
        "hands": [
            [*_category(category), str(rules.line(wager, category.name).pays)] for category in standing
        ],
        "otherwise": str(rules.line(wager, "none").pays),
    }


def _race(rules: Rules) -> dict[str, Any]:
    """Return what decides the main wager: what beats what, who wins, how hands are set, the commission."""
    order, way = rules.ranking(), house_way(rules.submission.house_way or "")
    document = order.document
    return {
        "parts": [
            [
                part.name,
                part.cards,
                bool(part.player_joker),
                [_category(category) for category in part.category if category.applies(order.readings)],
            ]
            for part in document.part
        ],
        "runs": [order.ace_low_straight, order.ace_low_straight_flush],
        "readings": _choices(order, way),
        "settings": [[rule.higher, rule.lower] for rule in document.setting],
        "results": [[rule.result, rule.at_least, rule.parts, rule.player_joker] for rule in document.result],
        "way": way.rules_text(),
        "commission": str(rules.game.commission or 0),
    }


def _choices(order: Ranking, way: HouseWay) -> list[list[str]]:
    """Return the readings that change what beats what, or how the way sets a hand; a default is as none."""
    document = order.document
    options: list[tuple[str, str | None]] = [
        ("flush with ace", document.joker.flush_with_ace_option),
        ("dealer's run", document.joker.dealer_run_option),
        ("tie break", document.cards.tie_break_option),
    ]
    options += [(name, name) for rule in way.rule for name in _reading_names(rule.only_if, rule.unless)]
    usual = options_of(document.rule_set) if document.rule_set else {}
    named = {role: name for role, name in options if name is not None and name in order.readings}
    return [
        [role, order.readings[name]]
        for role, name in named.items()
        if name not in usual or order.readings[name] != usual[name].default
    ]


def _reading_names(*conditions: dict[str, str]) -> Iterable[str]:
    return [name for names in conditions for name in names]


def _category(category: Category) -> list[str]:
    return [category.name, category.joker, category.flush]
