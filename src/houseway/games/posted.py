"""May an operator post this paytable? Its lines are the wager's hands, in their order, and can be paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houseway.games.game import WagerTerms
from houseway.games.paytables import AwardSource, Line, OwnPaytable, winning_lines
from houseway.games.rules import Rules
from houseway.law.citations import Cites
from houseway.law.problems import Problem
from houseway.money import Basis, dollars
from houseway.ranking.listing import Listing

_WHOLE_METER = 1


def posted_problems(rules: Rules, terms: WagerTerms, own: OwnPaytable) -> Iterator[Problem]:
    """Yield what is wrong with an operator's own paytable for a wager on which the law lets them post one."""
    listing, path = rules.ranking().listing(terms.id), f"wagers.{terms.id}.own_paytable"
    law = listing.clauses
    listed = _listed_hands(rules, listing)
    for line in own.lines:
        if line.hand not in listed:
            reason = f"the hands of this wager are {', '.join(listed)}"
            yield Problem(f"{path}.lines.{line.hand}", reason, line.hand, law)
    yield from _order_problems(rules, listing, listed, own, path)
    yield from _payment_problems(rules, terms, own, path)
    yield from _envy_problems(rules, terms, own, path)


def choice_problems(terms: WagerTerms, own: OwnPaytable) -> Iterator[Problem]:
    """Yield what an own paytable chooses that its wager leaves no one to choose."""
    path, leaves = f"wagers.{terms.id}.own_paytable", terms.own_paytable
    progressive = terms.family == "progressive"
    if own.joker == "full" and (leaves is None or leaves.joker is None):
        yield Problem(f"{path}.joker", "for this wager the joker is not fully wild", own.joker)
    if leaves is None or leaves.source is None:
        for line in own.lines:
            if line.source is AwardSource.METER:
                yield Problem(f"{path}.lines.{line.hand}", "this wager is not paid from a meter", line.source)
    chosen = {
        "deducts": own.deducts if own.deducts != "percentage" else None,
        "seed": None if own.seed is None else dollars(own.seed),
        "contribution": None if own.contribution is None else str(own.contribution),
    }
    for name, value in chosen.items():
        if value is not None and not progressive:
            yield Problem(f"{path}.{name}", "this wager has no meter", value)


def _listed_hands(rules: Rules, listing: Listing) -> tuple[str, ...]:
    """Return the hands of a listing under the readings taken, best first."""
    return tuple(dict.fromkeys(category.name for category in listing.standing(rules.readings)))


def _order_problems(
    rules: Rules, listing: Listing, listed: Sequence[str], own: OwnPaytable, path: str
) -> Iterator[Problem]:
    """Lines stand in the order of the hands; where the best-paying one is paid, they may stand in that."""
    posted = [line.hand for line in own.lines if line.hand in listed]
    by_pay = [hand for hand in own.as_paytable().hands_by_pay if hand in listed]
    if posted == sorted(posted, key=listed.index):
        return
    if listing.pays_best(rules.readings) and posted == by_pay:
        return
    reason = f"the lines stand in the order of the hands: {', '.join(sorted(posted, key=listed.index))}"
    yield Problem(f"{path}.lines", reason, ", ".join(posted), listing.clauses)


def _payment_problems(rules: Rules, terms: WagerTerms, own: OwnPaytable, path: str) -> Iterator[Problem]:
    law: Cites = terms.own_paytable.clauses if terms.own_paytable else terms.paytable_clauses
    if not winning_lines(own.lines):
        yield Problem(f"{path}.lines", "no line pays anything", None, law)
    if terms.family != "progressive":
        for line in own.lines:
            if line.pays.basis is Basis.METER:
                yield Problem(f"{path}.lines.{line.hand}", "this wager has no meter", str(line.pays), law)
        return
    for line, better in _whole_meter_below(own.lines):
        reason = f"the whole meter is paid for a lesser hand than {better.hand}, which pays {better.pays}"
        yield Problem(f"{path}.lines.{line.hand}", reason, str(line.pays), law)
    meter = rules.submission.progressive
    if meter is not None and meter.amount:
        inexact = own.as_paytable().inexact_on(meter.amount)
        if inexact is not None:
            reason = f"pays part of a cent on a wager of {dollars(meter.amount)}"
            yield Problem(f"{path}.lines.{inexact.hand}", reason, str(inexact.pays), law)


def _whole_meter_below(lines: Sequence[Line]) -> Iterator[tuple[Line, Line]]:
    """Yield each line that pays the whole meter below one that does not, and that one."""
    better: Line | None = None
    for line in lines:
        whole = line.pays.basis is Basis.METER and line.pays.ratio == _WHOLE_METER
        if whole and better is not None:
            yield line, better
        if not whole and line.pays.basis is not Basis.LOSE and better is None:
            better = line


def _envy_problems(rules: Rules, terms: WagerTerms, own: OwnPaytable, path: str) -> Iterator[Problem]:
    """An Envy Bonus is for the hands that give one, and only on a wager that earns them."""
    if terms.envy is None:
        for line in own.envy:
            yield Problem(f"{path}.envy.{line.hand}", "this wager earns no Envy Bonus", dollars(line.pays))
        return
    order = rules.ranking()
    listing = order.listing(order.qualifier(terms.envy.qualifier).listing)
    giving = [name for name in _listed_hands(rules, listing) if name in order.enough(terms.envy.qualifier)]
    for line in own.envy:
        if line.hand not in giving:
            reason = f"the hands that give an Envy Bonus are {', '.join(giving)}"
            yield Problem(f"{path}.envy.{line.hand}", reason, line.hand, terms.envy.pays)
    posted = [line.hand for line in own.envy if line.hand in giving]
    if posted != sorted(posted, key=giving.index):
        reason = f"the lines stand in the order of the hands: {', '.join(sorted(posted, key=giving.index))}"
        yield Problem(f"{path}.envy", reason, ", ".join(posted), listing.clauses)
