"""Facts about games and tables that do not change during play: rules, wagers and what they pay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houseway.errors import UnknownNameError
from houseway.floor.house import House
from houseway.floor.streams import TableId
from houseway.games import Rules, example_submission
from houseway.games.game import Game
from houseway.games.hands import spoken
from houseway.games.paytables import Line, Paytable
from houseway.games.rack_card import card_data
from houseway.houseways import house_way, house_ways
from houseway.law.rule_sets import rule_set
from houseway.rounds.stages import panels_of, stages_of
from houseway.rounds.steps.common import positions


def game_row(game: Game) -> dict[str, Any]:
    """Return a game's row in a list of games."""
    law = rule_set(game.rule_set) if game.rule_set else None
    return {
        "game": game.id,
        "name": game.name,
        "about": game.about,
        "licensed": game.licensed,
        "split": "-".join(str(part.cards) for part in game.parts),
        "law": law.law if law else "",
        "rule_set": game.rule_set,
    }


def game_facts(game: Game) -> dict[str, Any]:
    """Return what the law fixes about a game, all its paytables, and the rack card of the example rules."""
    facts = {
        **game_row(game),
        "hand_cards": game.hand_cards,
        "parts": [{"name": part.name, "cards": part.cards} for part in game.parts],
        "wagers": [_terms(game, wager.id) for wager in game.wager],
        "house_ways": [way.id for way in house_ways() if way.ranking == game.ranking],
        "rack_card": None,
    }
    if game.licensed:
        facts["rack_card"] = card_data(Rules.of(example_submission(game.id)))
    return facts


def _terms(game: Game, wager: str) -> dict[str, Any]:
    terms = game.wager_terms(wager)
    return {
        "id": terms.id,
        "name": terms.name,
        "family": terms.family,
        "when": terms.when,
        "clauses": list(terms.clauses),
        "paytables": [_paytable(table, table.shown_lines()) for table in game.paytables_of(wager)],
    }


def _paytable(table: Paytable, lines: Iterable[Line]) -> dict[str, Any]:
    return {
        "id": table.id,
        "name": table.name,
        "lines": [
            {"hand": line.hand, "name": spoken(line.hand), "pays": str(line.pays), "clauses": line.clauses}
            for line in lines
        ],
    }


def table_facts(house: House, table: TableId, rules: Rules) -> dict[str, Any]:
    """Return everything about a table that no command changes, for pages to read once."""
    if table not in house.tables:
        raise UnknownNameError("no such table", value=table)
    setup, submission, game = house.tables[table], rules.submission, rules.game
    return {
        "table": table,
        "practice": setup.practice,
        "chips": setup.chips,
        "origin": setup.origin,
        "meter": setup.meter,
        **game_row(game),
        "submission": rules.fingerprint,
        "reference": submission.reference,
        "holder": submission.holder,
        "law_as_of": submission.law_as_of,
        "positions": list(positions(rules)),
        "way": rules.way,
        "banked": rules.banked,
        "hand_cards": game.hand_cards,
        "parts": [{"name": part.name, "cards": part.cards} for part in game.parts],
        "wagers": [_offered_wager(rules, wager.id) for wager in game.wager if rules.offers(wager.id)],
        "steps": sorted(rules.procedure),
        "law_of_steps": {step: named["law"] for step, named in rules.procedure.items() if "law" in named},
        "stages": stages_of(rules),
        "panels": panels_of(rules),
        "house_way": _way(submission.house_way),
        "readings": dict(rules.readings),
        "rack_card": card_data(rules),
    }


def _offered_wager(rules: Rules, wager: str) -> dict[str, Any]:
    """Return a wager that a table offers, with its limits in cents."""
    terms = rules.game.wager_terms(wager)
    least, most = rules.stakes(wager)
    return {
        "id": terms.id,
        "name": terms.name,
        "family": terms.family,
        "when": terms.when,
        "later": wager in rules.later_wagers,
        "least": least,
        "most": most,
        "equals_main": terms.equals_main is not None,
        "envy_from": next((stake for stake, _ in rules.envy_tables(wager)), None),
        "paytable": _paytable(rules.paytable(wager), rules.shown_lines(wager)),
    }


def _way(name: str | None) -> dict[str, Any] | None:
    if name is None:
        return None
    way = house_way(name)
    return {"id": way.id, "title": way.title, "about": way.about, "ours": way.ours}
