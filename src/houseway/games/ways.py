"""The house way of a game: the one that its rules name, or another that is asked for by name."""

from __future__ import annotations

from houseway.errors import InvalidInputError
from houseway.games.game import REFERENCE_WAY, Game
from houseway.games.rules import Rules
from houseway.games.submission import example_submission
from houseway.houseways import CompiledWay, compile_way, house_way
from houseway.ranking import Ranking, ranking


def example_rules(game: Game) -> Rules | None:
    """Return the rules of a licensed game's example submission; a game for odds has none."""
    return Rules.of(example_submission(game.id)) if game.licensed else None


def ranking_in(game: Game, rules: Rules | None) -> Ranking:
    """Return what beats what in a game, options and readings of its rules applied."""
    return rules.ranking() if rules else ranking(game.ranking)


def way_of(game: Game, rules: Rules | None, name: str | None = None) -> CompiledWay:
    """Return a house way by name, or the one that the rules name, compiled for the game.

    Raises ``InvalidInputError`` where there is none to take, or where it splits the cards otherwise.
    """
    named = name or (rules.submission.house_way if rules else REFERENCE_WAY)
    if named is None:
        raise InvalidInputError("the submission names no house way", value=game.id)
    way = compile_way(house_way(named), base=ranking_in(game, rules))
    if way.split != game.split:
        raise InvalidInputError(f"{game.id} is not set this way", value=way.way.id)
    return way
