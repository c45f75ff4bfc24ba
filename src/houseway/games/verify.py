"""Is this submission lawful? Every reason it is not, each with its clause."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

from houseway.errors import UnknownNameError
from houseway.games.collection import schedules
from houseway.games.game import Game, WagerTerms, game
from houseway.games.named import contradictions, named_problems
from houseway.games.paytables import Paytable
from houseway.games.posted import choice_problems, posted_problems
from houseway.games.rules import Rules, matching_paytable
from houseway.games.submission import DERIVED_FACTS, Submission, WagerChoice
from houseway.games.terms import Facts, forbidden_choices
from houseway.law.problems import Problem, refuse
from houseway.law.readings import choose_readings, options_of, verify_choices
from houseway.money import dollars


def verify_submission(submission: Submission) -> tuple[Problem, ...]:
    """Return everything wrong with a submission, warnings included."""
    chosen_game = game(submission.game)
    if not chosen_game.licensed:
        return (Problem("game", "no law stands behind this game: it is for odds work only"),)
    return tuple(_problems(submission, chosen_game))


def rules_for(submission: Submission) -> Rules:
    """Return the rules a table plays by, or refuse for every reason at once."""
    refuse("submission", verify_submission(submission))
    return Rules.of(submission)


def _problems(submission: Submission, game: Game) -> Iterator[Problem]:
    rules = _rules_as_far_as_chosen(submission, game)
    if game.law:
        yield from game.law.verify_date(submission.law_as_of)
        yield from verify_choices(game.law.id, submission.readings)
    if "main" not in submission.wagers:
        yield Problem("wagers.main", "every game has a main wager", "nothing given")
    known = {terms.id for terms in game.wager}
    for name, choice in submission.wagers.items():
        if name in known:
            yield from _wager_problems(game, rules, game.wager_terms(name), choice)
        else:
            yield _unknown_wager(game, name)
    yield from forbidden_choices(game.permit, submission.choices())
    facts = facts_about(rules, game)
    for requirement in game.require:
        yield from requirement.problems(facts)
    yield from named_problems(game, rules)
    yield from contradictions(game, submission)
    number = submission.collection_schedule
    if game.collection and number is not None and number not in schedules():
        yield Problem("collection_schedule", "there are schedules 1 to 43", str(number))


def _rules_as_far_as_chosen(submission: Submission, game: Game) -> Rules:
    """Return the rules that a submission makes, leaving out readings and choices that there are not."""
    known = options_of(game.law.id) if game.law else {}
    given = {
        name: choice
        for name, choice in submission.readings.items()
        if name in known and choice in known[name].choices
    }
    return Rules(game, submission, choose_readings(game.law.id, given) if game.law else {})


def _unknown_wager(game: Game, name: str) -> Problem:
    try:
        game.wager_terms(name)
    except UnknownNameError as error:
        return Problem(f"wagers.{name}", error.cause, name, error.clauses)
    raise AssertionError("unreachable: the wager is known")


def _wager_problems(game: Game, rules: Rules, terms: WagerTerms, choice: WagerChoice) -> Iterator[Problem]:
    path = f"wagers.{terms.id}"
    own = choice.own_paytable
    if own is not None and own.wager != terms.id:
        yield Problem(f"{path}.own_paytable.wager", f"stands under {terms.id}", own.wager)
    if own is not None and choice.paytable is not None:
        yield Problem(
            f"{path}.paytable", "one paytable is chosen, a listed one or an own one", choice.paytable
        )
    if choice.min is not None and choice.max is not None and choice.min > choice.max:
        yield Problem(f"{path}.min", "the minimum is above the maximum", dollars(choice.min))
    if own is not None:
        yield from choice_problems(terms, own)
        yield from _own_paytable_problems(game, rules, terms, choice)
    elif choice.paytable is not None or len(game.paytables_of(terms.id)) > 1:
        try:
            game.find_paytable(terms.id, choice.paytable or "")
        except UnknownNameError as error:
            given = choice.paytable or "nothing given"
            yield Problem(f"{path}.paytable", error.cause, given, error.clauses)


def _own_paytable_problems(
    game: Game, rules: Rules, terms: WagerTerms, choice: WagerChoice
) -> Iterator[Problem]:
    """An own table is lawful where the law lets the operator post it, or where the law lists it."""
    own = choice.own_paytable
    if own is None:
        return
    if terms.own_paytable and terms.own_paytable.clauses:
        yield from posted_problems(rules, terms, own)
        return
    listed = game.paytables_of(terms.id)
    if matching_paytable(game, choice, terms.id) is not None:
        return
    law = terms.paytable_clauses
    names = ", ".join(table.id for table in listed)
    reason = f"the law lists the paytables {names} and none like this one"
    yield Problem(f"wagers.{terms.id}.own_paytable", reason, own.name, law)


def facts_about(rules: Rules, game: Game) -> Facts:
    """Return the look-up of a submission's fields, of the readings taken, and of what follows from them."""
    submission = rules.submission

    def facts(path: str) -> Any:  # noqa: ANN401 - any field's type
        if path.startswith("derived."):
            return DERIVED[path.removeprefix("derived.")](submission, game)
        if path.startswith("readings."):
            return rules.readings.get(path.removeprefix("readings."))
        return submission.find(path)

    return facts


def _progressive_table(submission: Submission, game: Game) -> Paytable | None:
    if "progressive" not in submission.wagers:
        return None
    try:
        return Rules(game, submission, {}).paytable("progressive")
    except UnknownNameError:
        return None


def _best_win_at_minimum(submission: Submission, game: Game) -> Fraction | None:
    """Return the most one player can win in a round on the smallest wagers, in cents."""
    total = Fraction(0)
    for name, choice in submission.wagers.items():
        if choice.min is None:
            return None
        try:
            table = Rules(game, submission, {}).paytable(name)
        except UnknownNameError:
            return None
        total += choice.min * table.best_ratio
    return total


def _position_map_whole(submission: Submission, _: Game) -> bool | None:
    """Whether a position map names the dealer and every spot once, each by one of the numbers."""
    position_map = submission.table.position_map
    if not position_map:
        return None
    places = submission.table.positions + 1
    spots = {"dealer", *(f"spot {n}" for n in range(1, places))}
    return set(position_map) == {str(n) for n in range(1, places + 1)} and set(position_map.values()) == spots


def _total_rate(submission: Submission, _: Game) -> Fraction | None:
    meter = submission.progressive
    return None if meter is None else (meter.contribution or Fraction(0)) + (meter.reserve or 0)


def _largest_fixed(submission: Submission, game: Game) -> Fraction | None:
    table, meter = _progressive_table(submission, game), submission.progressive
    if table is None or meter is None or meter.amount is None:
        return None
    return table.largest_fixed_for_one * meter.amount


def _statutory_seed(submission: Submission, game: Game) -> int | None:
    meter = submission.progressive
    if game.meter is None or game.meter.seed_for_one is None or meter is None:
        return None
    return None if meter.amount is None else game.meter.seed_for_one.value * meter.amount


def _statutory_rate(_: Submission, game: Game) -> Fraction | None:
    return game.meter.contribution.value if game.meter and game.meter.contribution else None


def _rate_raised(submission: Submission, game: Game) -> bool:
    rate, meter = _of_table("contribution")(submission, game), submission.progressive
    return bool(rate is not None and meter and meter.contribution and meter.contribution > rate)


def _seed_changed(submission: Submission, game: Game) -> bool:
    seed, meter = _of_table("seed")(submission, game), submission.progressive
    return bool(seed is not None and meter and meter.initial not in (None, seed))


def _of_table(field: str) -> Callable[[Submission, Game], Any]:
    def read(submission: Submission, game: Game) -> Any:  # noqa: ANN401 - any field's type
        table = _progressive_table(submission, game)
        return None if table is None else getattr(table, field)

    return read


DERIVED: Final[dict[str, Callable[[Submission, Game], Any]]] = {
    "best_win_at_minimum": _best_win_at_minimum,
    "position_map_whole": _position_map_whole,
    "progressive_total_rate": _total_rate,
    "largest_fixed_award": _largest_fixed,
    "statutory_seed": _statutory_seed,
    "statutory_rate": _statutory_rate,
    "rate_raised": _rate_raised,
    "seed_changed": _seed_changed,
    "preconfigured_rate": _of_table("contribution"),
    "preconfigured_seed": _of_table("seed"),
    "meter_deducts": _of_table("deducts"),
}

if set(DERIVED) != DERIVED_FACTS:
    raise AssertionError("a derived fact is named and not worked out, or worked out and not named")
