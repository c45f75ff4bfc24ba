"""Short strategies: rule lists learnt for a game, and what each gives up, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from houseway.houseways import HouseWay, Program, compile_way
from houseway.odds.grammar import rule_of
from houseway.odds.learning import ListedRule, prepare
from houseway.odds.maingame import Told
from houseway.odds.rulelists import learn
from houseway.odds.sampled import sample_hands
from houseway.odds.valued import ValuedSide
from houseway.odds.wording import sentence


@dataclass(frozen=True)
class Strategy:
    """A rule list as a house way, and what it gives up against best play by the hands it was learnt from."""

    way: HouseWay
    """The rules, and after them those of the dealer's house way for every other hand."""
    rules: int
    """How many rules are to be learnt."""
    sampled: float


@dataclass(frozen=True)
class Judged:
    """What a player's way comes to, beside the house way and best play: each what a wager wins on average."""

    way: Fraction
    house_way: Fraction
    optimum: Fraction

    @property
    def gives_up(self) -> Fraction:
        """What it gives up of a wager against best play."""
        return self.optimum - self.way

    @property
    def closed(self) -> Fraction:
        """Which part of the gap between the house way and best play it closes."""
        return (self.way - self.house_way) / (self.optimum - self.house_way)


def learn_strategies(
    dealer: Program,
    rules: int,
    commission: Fraction = Fraction(0),
    *,
    hands: int = 40_000,
    seed: int = 1,
    tell: Told | None = None,
) -> Iterator[Strategy]:
    """Yield the best list of one rule found, of two, and so on, against a dealer's way."""
    lesson = prepare(sample_hands(dealer, hands, seed, commission, tell), tell)
    for found in learn(lesson, rules):
        yield Strategy(as_way(dealer, found), len(found), lesson.mean(found))


def as_way(dealer: Program, found: list[ListedRule]) -> HouseWay:
    """Write a list as a house way: its rules come before the dealer's, which are for every other hand."""
    parts, count = dealer.way.parts or dealer.ranking.part_names, len(found)
    learnt = tuple(
        rule_of(parts, f"rule-{number}", sentence(rule.test, rule.choice, parts), rule.test, rule.choice)
        for number, rule in enumerate(found, start=1)
    )
    nobody_cites = {"clauses": (), "cites": (), "worth": None}
    return HouseWay(
        id=f"{dealer.way.id}-and-{count}",
        title=f"{count} rules for players, then {dealer.way.id}",
        ranking=dealer.way.ranking,
        parts=parts,
        about=f"For players. The first {count} rules were learnt from exact values against {dealer.way.id}; "
        "a hand that none of them is for is set the house way.",
        ours=True,
        rule=(*learnt, *(rule.model_copy(update=nobody_cites) for rule in dealer.way.rule)),
    )


def judge(side: ValuedSide, way: Program, tell: Told | None = None) -> Judged:
    """Say exactly what a player's way comes to, beside the dealer's own way and best play."""
    return Judged(side.worth_of(way, tell).mean, side.worth_of(side.program, tell).mean, side.optimum.mean)


def compiled(side: ValuedSide, way: HouseWay) -> Program:
    """Compile a strategy for the game that a side plays."""
    return compile_way(way, base=side.program.ranking)
