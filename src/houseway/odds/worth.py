"""The worth of each rule of a house way: the edge with it, and a dealer's edge without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from houseway.errors import UnknownNameError
from houseway.houseways import CompiledWay, HouseWay, Rule, compile_way
from houseway.odds.maingame import MainGame
from houseway.ranking import ranking

CountGame = Callable[[CompiledWay, CompiledWay, str], MainGame]
"""Counts a main game by the player's way and the dealer's, under the name of the count."""


@dataclass(frozen=True)
class RuleWorth:
    """A dealer's edge without a rule, against a player with all rules."""

    rule: str
    edge: Fraction
    without: Fraction

    @property
    def worth(self) -> Fraction:
        """What the rule adds to the edge."""
        return self.edge - self.without


def without(way: HouseWay, rule: str) -> HouseWay:
    """Return a house way that lacks a rule.

    Its hands fall to the rules after it; those that none decides get the strongest high hand, then the
    strongest next part, and so on.
    """
    left = tuple(other for other in way.rule if other.id != rule)
    if len(left) == len(way.rule):
        raise UnknownNameError(f"{way.id} has no such rule", value=rule)
    parts = ranking(way.ranking).part_names
    plain = Rule(id="plain", say="The strongest hand first, part by part.", prefer=parts)
    return way.model_copy(update={"id": f"{way.id} without {rule}", "rule": (*left, plain)})


def rule_worths(
    program: CompiledWay, count: CountGame, commission: Fraction = Fraction(0)
) -> Iterator[RuleWorth]:
    """Yield the worth of each rule, in the order of the document."""
    edge = count(program, program, "the whole way").edge(commission)
    for rule in program.way.rule:
        poorer = compile_way(without(program.way, rule.id), base=program.ranking)
        yield RuleWorth(rule.id, edge, count(program, poorer, f"without {rule.id}").edge(commission))
