"""What else a submission might have chosen: every permitted paytable and other reading, in figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from houseway.games import Rules
from houseway.games.decided import decided_by
from houseway.law.readings import Reading, readings_of
from houseway.money import dollars
from houseway.odds.progressive import meter_odds
from houseway.odds.sides import EnvyOdds, SideOdds, envy_odds, listed_tables, percent, side_odds
from houseway.settlement.model import MAIN

NOT_COUNTED = "not counted"
"""Printed in place of a figure that was not counted for a submission."""


@dataclass(frozen=True)
class PermittedTable:
    """A paytable that the law lists for a wager, with its odds by the same options and readings."""

    wager: str
    paytable: str
    in_use: bool
    odds: SideOdds
    envy: tuple[EnvyOdds, ...]


def permitted_tables(rules: Rules, wager: str) -> Iterator[PermittedTable]:
    """Yield every listed paytable of a wager, after the operator's own if it posts one."""
    posted = rules.paytable(wager)
    listed = list(listed_tables(rules, wager))
    if all(table != posted for table, _ in listed):
        yield PermittedTable(wager, posted.id, True, side_odds(rules, wager), tuple(envy_odds(rules, wager)))
    for table, by in listed:
        envy = tuple(envy_odds(by, wager))
        yield PermittedTable(wager, table.id, table == posted, side_odds(by, wager), envy)


@dataclass(frozen=True)
class Effect:
    """The change of a figure by another choice of a reading."""

    reading: Reading
    choice: str
    """The other choice, in the law's data's words."""
    figure: str
    here: str
    there: str


def effects(rules: Rules) -> Iterator[Effect]:
    """Yield every figure that another choice of a reading would change, reading by reading."""
    figures = figures_by_name(rules)
    for reading, choice, words in other_choices(rules):
        other = with_reading(rules, reading.option.name if reading.option else "", choice)
        others = figures_by_name(other)
        if decided_by(other, MAIN) != decided_by(rules, MAIN):
            yield Effect(reading, words, "main wager: edge", "as counted above", NOT_COUNTED)
        for name in dict.fromkeys((*figures, *others)):
            mine, theirs = figures.get(name, "none"), others.get(name, "none")
            if mine != theirs:
                yield Effect(reading, words, name, mine, theirs)


def other_choices(rules: Rules) -> Iterator[tuple[Reading, str, str]]:
    """Yield each choice that a submission might have made of a reading and did not, with its words."""
    for reading in readings_of(rules.game.rule_set or ""):
        if reading.option is None:
            continue
        for choice, words in reading.option.choices.items():
            if choice != rules.readings[reading.option.name]:
                yield reading, choice, words


def with_reading(rules: Rules, name: str, choice: str) -> Rules:
    """Return the rules of a table with another choice of one reading."""
    submission = rules.submission
    changed = submission.model_copy(update={"readings": {**submission.readings, name: choice}})
    return Rules(rules.game, changed, {**rules.readings, name: choice}, rules.struck)


def figures_by_name(rules: Rules) -> dict[str, str]:
    """Return every figure of the side wagers on offer as a sheet prints it, by name."""
    figures = {}
    for wager in rules.side_wagers:
        if not rules.offers(wager):
            continue
        name, odds = rules.terms(wager).name, side_odds(rules, wager)
        figures[f"{name}: hold"] = percent(odds.hold)
        figures[f"{name}: variance"] = f"{float(odds.variance):.4f}"
        for envy in envy_odds(rules, wager):
            beside = percent(Fraction(envy.each, envy.stake))
            figures[f"{name}: envy on a wager of {dollars(envy.stake)}, each other player"] = beside
        meter = meter_odds(rules, wager, odds)
        if meter is not None:
            figures |= {f"{name}: {figure}": value for figure, value in meter.text_rows()}
    return figures
