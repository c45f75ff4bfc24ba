"""Short strategies: rule lists learnt for a game, and what each gives up, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from houseway.cards import LOWEST, RANKS
from houseway.errors import InvalidInputError
from houseway.houseways import HouseWay, Program, Rule, compile_way
from houseway.houseways.batch import run_program
from houseway.houseways.document import PlainPartFilter, Points
from houseway.odds.maingame import Told
from houseway.odds.strategies.grammar import rule_of
from houseway.odds.strategies.learning import ListedRule, prepare
from houseway.odds.strategies.pointcards import Card, Line, learn_cards, prepare_points
from houseway.odds.strategies.rulelists import learn
from houseway.odds.strategies.sampled import sample_hands
from houseway.odds.strategies.wording import points_sentence, sentence
from houseway.odds.valued import ValuedSide


@dataclass(frozen=True)
class Strategy:
    """Something to learn as a house way, and what it gives up against best play by the hands it came from."""

    way: HouseWay
    said: tuple[str, ...]
    """What is to be learnt, a sentence each."""
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
    hands: int,
    seed: int = 1,
    tell: Told | None = None,
) -> Iterator[Strategy]:
    """Yield the best list of one rule found, of two, and so on, against a dealer's way."""
    lesson = prepare(sample_hands(dealer, hands, seed, commission, tell), tell)
    for found in learn(lesson, rules):
        way = as_way(dealer, found)
        yield Strategy(way, tuple(rule.say for rule in way.rule[: len(found)]), lesson.mean(found))


def learn_point_cards(
    dealer: Program,
    rules: int,
    commission: Fraction = Fraction(0),
    *,
    hands: int,
    seed: int = 1,
    tell: Told | None = None,
) -> Iterator[Strategy]:
    """Yield the best card of points found with a line for each part, with one more, and so on.

    The rule that takes the most points counts as a rule, so that a card has one line less.
    """
    parts = len(dealer.split)
    if rules <= parts:
        raise InvalidInputError(
            f"each of {parts} parts needs a line, and one rule takes the most", value=rules
        )
    lesson = prepare_points(sample_hands(dealer, hands, seed, commission, tell))
    for card in learn_cards(lesson, rules - 1):
        if tell:
            tell(len(card), rules - 1)
        way = as_points_way(dealer, card)
        yield Strategy(way, sentences(way), lesson.mean(card))


def sentences(way: HouseWay) -> tuple[str, ...]:
    """Return all that somebody must know to set hands by a way."""
    return (*(line.say for line in way.points), *(rule.say for rule in way.rule))


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


def as_points_way(dealer: Program, card: Card) -> HouseWay:
    """Write a card of points as a house way: one rule, for every hand."""
    parts = dealer.way.parts or dealer.ranking.part_names
    then = [*reversed(parts)]
    most = Rule(
        id="most-points",
        say=f"Set the hand so that it has the most points; of equal settings the strongest {then[0]}, then "
        f"{' and '.join(then[1:])}.",
        prefer=("points", *then),
    )
    return HouseWay(
        id=f"{dealer.way.id}-points",
        title=f"A card of {len(card)} lines of points",
        ranking=dealer.way.ranking,
        parts=parts,
        about=f"For players. Learnt from exact values against {dealer.way.id}.",
        ours=True,
        rule=(most,),
        points=tuple(_as_points(dealer, parts, line) for line in card),
    )


def _as_points(dealer: Program, parts: tuple[str, ...], line: Line) -> Points:
    levels = dealer.levels[line.part]
    named = tuple(dict.fromkeys(levels[line.lowest : line.highest + 1]))
    made: dict[str, Any] = {"category": named} if len(named) < len(set(levels)) else {}
    if not line.every_lead:
        made["lead"] = f"{RANKS[line.to_lead - LOWEST]}..{RANKS[line.from_lead - LOWEST]}"
    return Points(
        say=points_sentence(line, parts[line.part], levels),
        part=parts[line.part],
        made=PlainPartFilter(**made),
        points=line.points,
        each=line.each,
        above=RANKS[line.above - LOWEST],
    )


def without_idle_rules(side: ValuedSide, way: HouseWay) -> HouseWay:
    """Leave out the rules that no hand comes to, because those before them decide all of theirs."""
    program = compiled(side, way)
    met = set[int]()
    for hands, _ in side.space.classes():
        met.update(np.unique(run_program(program, hands).rules).tolist())
    idle = {rule.rule.id for number, rule in enumerate(program.rules) if number not in met}
    return way.model_copy(update={"rule": tuple(rule for rule in way.rule if rule.id not in idle)})


def judge(side: ValuedSide, way: Program, tell: Told | None = None) -> Judged:
    """Say exactly what a player's way comes to, beside the dealer's own way and best play."""
    return Judged(side.worth_of(way, tell).mean, side.worth_of(side.program, tell).mean, side.optimum.mean)


def compiled(side: ValuedSide, way: HouseWay) -> Program:
    """Compile a strategy for the game that a side plays."""
    return compile_way(way, base=side.program.ranking)
