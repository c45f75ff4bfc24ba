"""What each rule of a house way is worth: the edge with it, and the edge of a dealer who does not know it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from houseway.errors import UnknownNameError
from houseway.houseways import HouseWay, Program, Rule, compile_way
from houseway.odds.maingame import MainGame
from houseway.ranking import ranking

Counting = Callable[[Program, Program, str], MainGame]
"""Counts a main game: the player's way, the dealer's, and what the count is for."""


@dataclass(frozen=True)
class RuleWorth:
    """The edge of a dealer who does not know a rule, against a player who knows them all."""

    rule: str
    edge: Fraction
    without: Fraction

    @property
    def worth(self) -> Fraction:
        """What the rule adds to the edge."""
        return self.edge - self.without


def without(way: HouseWay, rule: str) -> HouseWay:
    """Return a house way that lacks a rule.

    Its hands fall to the rules after it; what none of those decides is set plainly, the strongest high
    hand first, then the next part, and so on.
    """
    left = tuple(one for one in way.rule if one.id != rule)
    if len(left) == len(way.rule):
        raise UnknownNameError(f"{way.id} has no such rule", value=rule)
    parts = ranking(way.ranking).part_names
    plain = Rule(id="plain", say="The strongest hand first, part by part.", prefer=parts)
    return way.model_copy(update={"id": f"{way.id} without {rule}", "rule": (*left, plain)})


def rule_worths(program: Program, count: Counting, commission: Fraction = Fraction(0)) -> Iterator[RuleWorth]:
    """Yield what each rule is worth, in the order of the document, a commission taken on wins."""
    edge = count(program, program, "the whole way").edge(commission)
    for rule in program.way.rule:
        poorer = compile_way(without(program.way, rule.id), base=program.ranking)
        yield RuleWorth(rule.id, edge, count(program, poorer, f"without {rule.id}").edge(commission))
