"""All that a submission names exists, is for this game, and says nothing that the rest of it contradicts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from houseway.errors import HousewayError
from houseway.games.collection import schedules
from houseway.games.game import Game, games
from houseway.games.rules import Rules
from houseway.games.submission import Submission
from houseway.houseways import compile_way, house_ways
from houseway.houseways.proven import is_proven
from houseway.law.citations import Cites, join_cites
from houseway.law.clauses import clauses_of
from houseway.law.problems import Problem
from houseway.money import Cents, dollars
from houseway.ranking.held import AceLow
from houseway.ranking.ranking import ranking

_SPACES = ("approvals", "caps", "components")
"""What a submission names freely: each name must be one that its game asks for."""
_MOST_KEPT = 256
"""The most answers about a house way in the cache; there are fewer, but for choices that no one may make."""


def named_problems(game: Game, rules: Rules) -> Iterator[Problem]:
    """Yield what a submission names that is not there, or not for this game."""
    submission = rules.submission
    yield from _way_problems(game, rules)
    for space in _SPACES:
        # An approval that only another game asks for may be put on file; one that none asks for is misspelt.
        known = known_approvals() if space == "approvals" else names_asked_for(game, space)
        for name in getattr(submission, space):
            if name not in known:
                reason = f"there are {', '.join(known)}" if known else "this game asks for none"
                yield Problem(f"{space}.{name}", reason, name)
    clauses = clauses_of(game.rule_set) if game.rule_set else {}
    for clause in submission.acknowledged:
        if clause not in clauses:
            yield Problem("acknowledged", f"the law of {game.id} has no such clause", clause)


@cache
def known_approvals() -> tuple[str, ...]:
    """Return the approvals that any of the games asks for."""
    return tuple(dict.fromkeys(name for game in games() for name in names_asked_for(game, "approvals")))


def names_asked_for(game: Game, space: str) -> tuple[str, ...]:
    """Return the approvals, caps or components that a game asks for, by the names it knows them by."""
    begins = f"{space}."
    paths = (path for requirement in game.require for path in requirement.paths())
    names = [path.split(".")[1] for path in paths if path.startswith(begins)]
    if space == "approvals":
        conditions = (key for step in game.procedure.values() for key in step)
        names += [key.removesuffix("_approved") for key in conditions if key.endswith("_approved")]
    return tuple(dict.fromkeys(names))


# --- the house way --------------------------------------------------------------------------------------


def _way_problems(game: Game, rules: Rules) -> Iterator[Problem]:
    """A house way is one that comes with the program, sets this game's hands, and is proven for them."""
    name = rules.submission.house_way
    if name is None:
        return  # whether the game needs one its own conditions say
    law = _law_of_way(game)
    if name not in {way.id for way in house_ways()}:
        yield Problem("house_way", "there is no such house way: each is named by its id", name, law)
        return
    order = rules.ranking()
    readings = tuple(sorted(order.readings.items()))
    fault = _misfit(name, order.id, order.ace_low_straight, order.ace_low_straight_flush, readings)
    if fault:
        yield Problem("house_way", fault, name, law)


def _law_of_way(game: Game) -> Cites:
    """Return the clauses by which a game has a house way."""
    return join_cites(*(need.clauses for need in game.require if "house_way" in need.need))


@lru_cache(maxsize=_MOST_KEPT)
def _misfit(
    name: str,
    ranking_id: str,
    straight: AceLow,
    straight_flush: AceLow,
    readings: tuple[tuple[str, str], ...],
) -> str | None:
    """Return why a house way cannot set the dealer's hands by a ranking, if it cannot."""
    (way,) = (way for way in house_ways() if way.id == name)
    order = ranking(
        ranking_id, ace_low_straight=straight, ace_low_straight_flush=straight_flush, readings=dict(readings)
    )
    try:
        program = compile_way(way, base=order)
    except HousewayError as error:
        return f"it does not set the hands of this game: {error.cause}"
    return None if is_proven(program) else "it is not proven for this game"


# --- what contradicts itself ----------------------------------------------------------------------------


def contradictions(game: Game, submission: Submission) -> Iterator[Problem]:
    """Yield the choices that speak of nothing, or against one another."""
    families = {terms.id for terms in game.wager if terms.family == "progressive"}
    if submission.progressive is not None and families.isdisjoint(submission.wagers):
        yield Problem("progressive", "no Progressive wager is offered", "something given")
    mentioned = {path for requirement in game.require for path in requirement.paths()}
    table = submission.table
    if table.position_map and "table.position_map" not in mentioned:
        yield Problem("table.position_map", "this game has no such option", "something given")
    if table.seats not in (None, table.positions) and "table.seats" not in mentioned:
        yield Problem(
            "table.seats", f"there is a seat at each of the {table.positions} positions", str(table.seats)
        )
    yield from _nothing_wagered(submission)
    yield from _beyond_schedule(game, submission)


def _nothing_wagered(submission: Submission) -> Iterator[Problem]:
    amounts = {
        f"wagers.{name}.{end}": getattr(choice, end)
        for name, choice in submission.wagers.items()
        for end in ("min", "max")
    }
    amounts["progressive.amount"] = submission.progressive and submission.progressive.amount
    for path, amount in amounts.items():
        if amount is not None and amount <= 0:
            yield Problem(path, "a wager is more than nothing", dollars(amount))


def _beyond_schedule(game: Game, submission: Submission) -> Iterator[Problem]:
    """The limits of the wagers lie within those of the collection schedule."""
    number = submission.collection_schedule
    if not game.collection or number is None or number not in schedules():
        return
    schedule = schedules()[number]
    law = join_cites(schedule.clause, schedule.group.table_limit)
    limits = f"schedule {number} is for {dollars(schedule.table_min)} to {dollars(schedule.table_max)}"
    for name, choice in submission.wagers.items():
        for end in ("min", "max"):
            amount: Cents | None = getattr(choice, end)
            if amount is not None and not schedule.table_min <= amount <= schedule.table_max:
                yield Problem(f"wagers.{name}.{end}", limits, dollars(amount), law)
