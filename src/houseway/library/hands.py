"""The hands of a game's side wagers that dealt cards make."""

from __future__ import annotations

from typing import Any, Final

from houseway.cards import Cards
from houseway.games import Game, Rules
from houseway.ranking import Ranking
from houseway.ranking.listing import Among
from houseway.showing import Row

DOUBLE_DOWN_QUALIFIER: Final = "double_down_qualifier"


def listed_wagers(game: Game, order: Ranking, rules: Rules | None) -> dict[str, Among]:
    """Return the listings of a game, each with the hands its posted paytable restricts it to."""
    known = {terms.id for terms in game.wager}
    return {
        listing.id: rules.listed_hands(listing.id) if rules and listing.id in known else None
        for listing in order.document.listing
    }


def bonus_hands(game: Game, order: Ranking, rules: Rules | None, cards: Cards) -> dict[str, Any]:
    """Return the category of every side wager, by wager, and whether the hand may double down."""
    answers: dict[str, Any] = {
        wager: order.bonus(wager, cards, among=among)
        for wager, among in listed_wagers(game, order, rules).items()
    }
    for qualifier in order.document.qualifier:
        if qualifier.id == DOUBLE_DOWN_QUALIFIER:
            answers[qualifier.id] = order.qualifies(qualifier.id, cards)
    return answers


def bonus_rows(rules: Rules | None, answers: dict[str, Any]) -> list[Row]:
    """Return a row for each side wager: the hand, and its pay where the wager is offered."""
    rows: list[Row] = []
    for wager, hand in answers.items():
        line = rules.line(wager, hand) if rules and rules.offers(wager) else None
        rows.append(
            {
                "wager": wager,
                "hand": hand,
                "pays": str(line.pays) if line else None,
                "clauses": ", ".join(line.clauses) if line else None,
            }
        )
    return rows
