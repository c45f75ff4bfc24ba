"""The race: a player's setting against the dealer's, part by part, and what becomes of the main wager."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from houseway.cards import JOKER, Card
from houseway.errors import IllegalError
from houseway.law.citations import Cites
from houseway.law.problems import Problem
from houseway.ranking.memo import once
from houseway.ranking.order import Result
from houseway.ranking.ranking import RaceResult, Ranking, ResultRule
from houseway.ranking.settings import dealer_strengths, rank_parts, verify_setting, verify_split


class Race(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How a race ended: each part's outcome, the main wager's result, and every clause that says so."""

    result: Result
    parts: tuple[RaceResult, ...]
    fouls: tuple[Problem, ...]
    clauses: tuple[str, ...]


def race(
    ranking: Ranking,
    player: Sequence[Sequence[Card]],
    dealer: Sequence[Sequence[Card]],
    theirs: tuple[int, ...] | None = None,
) -> Race:
    """Compare two settings. A foul loses regardless of the comparison, so it is checked first.

    A wrong number of cards in a part is a foul too, with no part to compare, or no setting at all, as the
    game says. The strengths of the dealer's parts may be given: everyone races the same hand.
    """
    if tuple(map(len, player)) != ranking.split:
        wrong = verify_split(ranking, [card for part in player for card in part], player)
        if wrong:
            return _lose_by_split(ranking, wrong)
    names, ranked = ranking.part_names, rank_parts(ranking, player)
    mine, theirs = [part.strength for part in ranked], theirs or dealer_strengths(ranking, dealer)
    parts = tuple([ranking.outcome(*part) for part in zip(names, player, mine, theirs, strict=True)])
    fouls = verify_setting(ranking, player, ranked)
    foul_law = ranking.document.foul
    if fouls and foul_law.binds:
        cited = dict.fromkeys([*foul_law, *(c for foul in fouls for c in foul.clauses)])
        return Race("lose", parts, fouls, tuple(cited))
    joker = JOKER in player[-1]
    result, clauses = once(ranking.memo.results, (parts, joker), lambda: _decide(ranking, parts, joker=joker))
    return Race(result, parts, fouls, clauses)


def _lose_by_split(ranking: Ranking, wrong: tuple[Problem, ...]) -> Race:
    """Return the lost race of cards that are wrongly split; where that is no foul it is refused."""
    clauses = tuple(dict.fromkeys(clause for problem in wrong for clause in problem.clauses))
    if ranking.document.split.wrong == "refused":
        raise IllegalError(wrong[0].reason, value=wrong[0].value, clauses=clauses)
    return Race("lose", (), wrong, clauses)


_SAID: Final = {RaceResult.HIGHER: "wins", RaceResult.COPY: "is a copy", RaceResult.LOWER: "loses"}


def tell_race(ranking: Ranking, race: Race) -> str:
    """Return how each part of a hand ended, so that it can be read aloud.

    >>> from houseway.ranking.ranking import ranking
    >>> tell_race(ranking("pa-659a"), Race("win", tuple(map(RaceResult, "WLW")), (), ()))
    'high wins, medium loses, low wins'
    """
    if race.fouls:
        return "foul"
    return ", ".join(
        [f"{name} {_SAID[part]}" for name, part in zip(ranking.part_names, race.parts, strict=True)]
    )


def _decide(ranking: Ranking, parts: tuple[RaceResult, ...], *, joker: bool) -> tuple[Result, Cites]:
    """Return the result, with every rule that leads to it; rules that disagree are an error."""
    results: dict[str, list[str]] = {}
    for rule in ranking.document.result:
        if not _comes_about(rule, parts, joker=joker):
            continue
        if rule.clauses.binds:
            results.setdefault(rule.result, []).extend(rule.clauses)
    if len(results) != 1:
        comparisons = "".join(parts)
        raise IllegalError("no clause, or clauses that disagree, decide these comparisons", value=comparisons)
    ((result, clauses),) = results.items()
    return result, Cites(dict.fromkeys(clauses))  # type: ignore[return-value]


def _comes_about(rule: ResultRule, parts: tuple[RaceResult, ...], *, joker: bool) -> bool:
    if rule.player_joker and not joker:
        return False
    if rule.parts and not all(part in allowed for part, allowed in zip(parts, rule.parts, strict=True)):
        return False
    return all(sum(part in letters for part in parts) >= least for letters, least in rule.at_least.items())
