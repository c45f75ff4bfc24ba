"""May this player place these wagers? Every reason not, each with its clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houseway.games.game import WagerTerms
from houseway.games.rules import Rules, WagerLimits
from houseway.law.problems import Problem
from houseway.money import Cents, dollars

DEALER_POSITION = 1


def verify_wagers(rules: Rules, wagers: Mapping[str, Cents]) -> tuple[Problem, ...]:
    """Return what is wrong with the wagers of one player at one betting area."""
    placed = {name: amount for name, amount in wagers.items() if amount}
    main, problems = placed.get("main", Cents(0)), []
    for name, amount in placed.items():
        terms, limits = rules.terms(name), rules.limits.get(name)
        if limits is None:
            problems += _not_here(terms, "the rules submission does not offer it", amount)
        elif name != "main" and not main:
            problems += _not_here(terms, "needs a main wager beside it", amount)
        else:
            problems += _amount_problems(terms, limits, amount, main)
            problems += _part_of_a_cent(rules, terms, amount)
    schedule = rules.schedule()
    if schedule and main:
        posted = rules.readings.get("ca_spot_without_rate") != "no_fee"
        apart = rules.readings.get("ca_player_fee_basis") == "each_wager"
        fortune = placed.get("fortune", Cents(0))
        problems += schedule.verify_spot(main, fortune, posted=posted, apart=apart)
    return tuple(problems)


def _not_here(terms: WagerTerms, reason: str, amount: Cents) -> list[Problem]:
    """Refuse a wager by the clauses that let the operator offer it, as far as one is in force."""
    law = terms.clauses
    return [Problem(terms.id, reason, dollars(amount), law)] if law.binds else []


def _amount_problems(terms: WagerTerms, limits: WagerLimits, amount: Cents, main: Cents) -> list[Problem]:
    problems = []
    least, most, equals_main, posted = limits
    if (least is not None and amount < least) or (most is not None and amount > most):
        law = terms.limits
        if law.binds:
            problems.append(Problem(terms.id, _span(least, most), dollars(amount), law))
    if equals_main and equals_main.stands and amount != main:
        reason = f"must equal the main wager of {dollars(main)}"
        problems.append(Problem(terms.id, reason, dollars(amount), equals_main.cites))
    if posted is not None and amount != posted:
        problems.append(Problem(terms.id, f"is {dollars(posted)} here", dollars(amount)))
    return problems


def _span(least: Cents | None, most: Cents | None) -> str:
    """Write the limits of a wager: a bound that it does not have itself is not made up.

    >>> _span(Cents(500), Cents(50000)), _span(None, Cents(40000)), _span(Cents(500), None)
    ('limits are $5 to $500', 'at most $400', 'at least $5')
    """
    if least is None:
        return f"at most {dollars(most or 0)}"
    return f"at least {dollars(least)}" if most is None else f"limits are {dollars(least)} to {dollars(most)}"


def _part_of_a_cent(rules: Rules, terms: WagerTerms, amount: Cents) -> list[Problem]:
    """Refuse an amount on which a line of an operator's own paytable could not be paid exactly."""
    if rules.submission.wagers[terms.id].own_paytable is None:
        return []
    line = rules.paytable(terms.id).inexact_on(amount)
    if line is None:
        return []
    reason = f"{line.pays} for a {line.hand.replace('_', ' ')} is part of a cent on this amount"
    return [Problem(terms.id, reason, dollars(amount))]


def verify_areas(rules: Rules, positions: Sequence[int]) -> tuple[Problem, ...]:
    """Return what is wrong with the betting areas one player wants, by position number.

    Where a game's documents say nothing of areas a player may have as many as are free.
    """
    if len(positions) <= 1 or all(permit.field != "table.adjacent_areas" for permit in rules.game.permit):
        return ()
    shown = "+".join(map(str, positions))
    law = rules.permit_clauses("table.adjacent_areas")
    if not law:
        return (Problem("areas", "one betting area for each player", shown),)
    if not rules.submission.table.adjacent_areas:
        return (Problem("areas", "the rules submission allows one betting area", shown, law),)
    low, high = min(positions), max(positions)
    if len(positions) > 2 or high - low != 1 or low <= DEALER_POSITION:  # noqa: PLR2004
        return (Problem("areas", "at most two betting areas, and adjacent", shown, law),)
    return ()


def verify_bettors(rules: Rules, backline: int) -> tuple[Problem, ...]:
    """Return what is wrong with a number of backline bettors behind one seated player."""
    law = rules.permit_clauses("table.backline")
    if not backline or (law and rules.submission.table.backline):
        return ()
    return (Problem("bettors", "no backline betting at this table", str(backline), law),)


def verify_active(rules: Rules, active: int) -> tuple[Problem, ...]:
    """Return what is wrong with the number of positions in play, the player-dealer's included."""
    most = rules.game.most_active
    if most is None or active <= most.get():
        return ()
    return (Problem("active", f"at most {most.value} in a round", str(active), most.clauses),)
