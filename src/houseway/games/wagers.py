"""May this player place these wagers? Every reason not, each with its clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from houseway.games.game import WagerTerms
from houseway.games.rules import Rules
from houseway.law.claims import claim, standing
from houseway.law.problems import Problem
from houseway.money import Cents, dollars

DEALER_POSITION = 1


def verify_wagers(rules: Rules, wagers: Mapping[str, Cents]) -> tuple[Problem, ...]:
    """Return what is wrong with the wagers of one player at one betting area."""
    found: tuple[Problem, ...] = rules.judged.recall(
        tuple(wagers.items()), lambda: tuple(_problems(rules, wagers))
    )
    return found


def _problems(rules: Rules, given: Mapping[str, Cents]) -> Iterator[Problem]:
    wagers = {name: amount for name, amount in given.items() if amount}
    main = wagers.get("main", Cents(0))
    for name, amount in wagers.items():
        terms = rules.game.wager_terms(name)
        if not rules.offers(name):
            law = standing(terms.clauses)
            if law or not terms.clauses:
                yield Problem(name, "the rules submission does not offer it", dollars(amount), law)
        elif name != "main" and not main:
            law = standing(terms.clauses)
            if law or not terms.clauses:
                yield Problem(name, "needs a main wager beside it", dollars(amount), law)
        else:
            yield from _amount_problems(rules, terms, amount, main)
    schedule = rules.schedule()
    if schedule and main:
        posted = rules.readings.get("ca_spot_without_rate") != "no_fee"
        yield from schedule.verify_spot(main, wagers.get("fortune", Cents(0)), posted=posted)


def _amount_problems(rules: Rules, terms: WagerTerms, amount: Cents, main: Cents) -> Iterator[Problem]:
    choice = rules.submission.wagers[terms.id]
    least, most = choice.min, choice.max
    inside = (least is None or amount >= least) and (most is None or amount <= most)
    law = standing(terms.limits)
    if not inside and (law or not terms.limits):
        span = f"{dollars(least or 0)} to {dollars(most) if most is not None else 'any amount'}"
        yield Problem(terms.id, f"limits are {span}", dollars(amount), law)
    if terms.equals_main and claim(terms.equals_main) and amount != main:
        reason = f"must equal the main wager of {dollars(main)}"
        yield Problem(terms.id, reason, dollars(amount), (terms.equals_main,))
    meter = rules.submission.progressive
    if terms.family == "progressive" and meter and meter.amount not in (None, amount):
        yield Problem(terms.id, f"is {dollars(meter.amount or 0)} here", dollars(amount))


def verify_areas(rules: Rules, positions: Sequence[int]) -> tuple[Problem, ...]:
    """Return what is wrong with the betting areas one player wants, by position number."""
    if len(positions) <= 1:
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
    """Return what is wrong with so many backline bettors behind one seated player."""
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
