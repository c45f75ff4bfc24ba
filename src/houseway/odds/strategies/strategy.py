"""Short strategies: learnt rule lists and cards of points, and what each gives up, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from houseway.cards import LOWEST, RANKS
from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay, HouseWay, Rule, compile_way
from houseway.houseways.batch import run_program
from houseway.houseways.document import PlainPartFilter, Points, When
from houseway.houseways.vocabulary import RANKS_THAT_COUNT, SHAPES
from houseway.law.citations import UNCITED
from houseway.odds.maingame import Told
from houseway.odds.strategies.grammar import rule_of
from houseway.odds.strategies.learning import ListedRule, prepare
from houseway.odds.strategies.pointcards import Array, PointCard, PointLine, prepare_points
from houseway.odds.strategies.pointfits import learn_cards
from houseway.odds.strategies.rulelists import learn
from houseway.odds.strategies.sampled import Sample, kinds_of, sample_hands
from houseway.odds.strategies.wording import points_sentence, ranks_text, sentence, shapes_sentence
from houseway.odds.valued import ValuedSide

_WORTH: Final = 0.02
"""A card is for hands of a shape if the house way gives up more than this part of all on them."""


@dataclass(frozen=True)
class Strategy:
    """A strategy as a house way, and what it gives up against best play on the hands it was learnt from."""

    way: HouseWay
    sentences: tuple[str, ...]
    """What a player has to learn, a sentence each."""
    sampled: float


@dataclass(frozen=True)
class Judged:
    """The mean win of a wager by a player's way, by the house way and by best play."""

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
    dealer: CompiledWay,
    rules: int,
    commission: Fraction = Fraction(0),
    *,
    hands: int,
    seed: int = 1,
    tell: Told | None = None,
) -> Iterator[Strategy]:
    """Yield the best list of one rule, of two, and so on, against a dealer's way."""
    lesson = prepare(sample_hands(dealer, hands, seed, commission, tell), tell)
    for listed in learn(lesson, rules, tell):
        way = as_way(dealer, listed)
        yield Strategy(way, tuple(rule.say for rule in way.rule[: len(listed)]), lesson.mean(listed))


def learn_point_cards(
    dealer: CompiledWay,
    rules: int,
    commission: Fraction = Fraction(0),
    *,
    hands: int,
    seed: int = 1,
    tell: Told | None = None,
) -> Iterator[Strategy]:
    """Yield the best cards of points, the one with the fewest lines first.

    The rule that takes the most points counts as a rule, so that a card has one line less.
    """
    parts = len(dealer.split)
    if rules <= parts:
        raise InvalidInputError(
            f"each of {parts} parts needs a line, and one rule takes the most", value=rules
        )
    dealt = sample_hands(dealer, hands, seed, commission, tell)
    of_hands = kinds_of(dealer.ranking, dealt.hands) // 2
    worth = worth_learning(dealt, of_hands)
    shapes, inside = tuple(SHAPES[shape] for shape in worth), np.isin(of_hands, worth)
    lesson = prepare_points(dealt.where(inside))
    weight, others = dealt.counts[inside].sum() / dealt.counts.sum(), dealt.mean(dealt.house_way * ~inside)
    for card in learn_cards(lesson, rules - 1, tell):
        way = as_points_way(dealer, card, shapes)
        yield Strategy(way, sentences(way)[: len(card) + 1], weight * lesson.mean(card) + others)


def worth_learning(dealt: Sample, shapes: Array) -> Array:
    """Return the numbers of the shapes on which the house way gives up enough for a card."""
    by_shape = np.bincount(shapes, dealt.house_way * dealt.counts, len(SHAPES))
    return np.flatnonzero(by_shape > _WORTH * by_shape.sum())


def sentences(way: HouseWay) -> tuple[str, ...]:
    """Return all sentences that a player must know to set hands by a way."""
    return (*(line.say for line in way.points), *(rule.say for rule in way.rule))


def as_way(dealer: CompiledWay, rules: list[ListedRule]) -> HouseWay:
    """Return a list as a house way: its rules come before the dealer's, which are for all other hands."""
    parts, count = dealer.way.parts or dealer.ranking.part_names, len(rules)
    learnt = tuple(
        rule_of(parts, f"rule-{number}", sentence(rule.test, rule.choice, parts), rule.test, rule.choice)
        for number, rule in enumerate(rules, start=1)
    )
    return HouseWay(
        id=f"{dealer.way.id}-and-{count}",
        title=f"{count} rules for players, then {dealer.way.id}",
        ranking=dealer.way.ranking,
        parts=parts,
        about=f"For players. The first {count} rules were learnt from exact values against {dealer.way.id}; "
        "a hand that none of them is for is set the house way.",
        ours=True,
        rule=(*learnt, *_drop_citations(dealer)),
    )


def _drop_citations(dealer: CompiledWay) -> Iterator[Rule]:
    """Yield the dealer's rules as a player's, which cite no clause."""
    for rule in dealer.way.rule:
        yield rule.model_copy(update={"clauses": UNCITED, "cites": (), "worth": None})


def as_points_way(dealer: CompiledWay, card: PointCard, shapes: tuple[str, ...]) -> HouseWay:
    """Return a card of points as a house way: a rule for hands of some shapes, then the dealer's rules."""
    parts = dealer.way.parts or dealer.ranking.part_names
    then = [*reversed(parts)]
    most = Rule(
        id="most-points",
        say=f"{shapes_sentence(shapes)}: set the hand so that it has the most points; of equal settings the "
        f"strongest {then[0]}, then {' and '.join(then[1:])}.",
        when=When(shape=shapes),
        prefer=("points", *then),
    )
    return HouseWay(
        id=f"{dealer.way.id}-points",
        title=f"A card of {len(card)} lines of points",
        ranking=dealer.way.ranking,
        parts=parts,
        about=f"For players. The points were learnt from exact values against {dealer.way.id}; a hand that "
        "they are not for is set the house way.",
        ours=True,
        rule=(most, *_drop_citations(dealer)),
        points=tuple(_as_points(dealer, parts, line) for line in card),
    )


def _as_points(dealer: CompiledWay, parts: tuple[str, ...], line: PointLine) -> Points:
    spans, levels = line.spans, dealer.levels[line.spans.part]
    named = tuple(dict.fromkeys(levels[spans.lowest : spans.highest + 1]))
    words: dict[str, Any] = {"category": named} if len(named) < len(set(levels)) else {}
    if not spans.every_lead:
        words["lead"] = ranks_text(spans.from_lead, spans.to_lead)
    if not spans.every_second:
        words["second"] = ranks_text(spans.from_second, spans.to_second)
    return Points(
        say=points_sentence(line, parts[spans.part], levels),
        part=parts[spans.part],
        made=PlainPartFilter(**words),
        points=line.points,
        each=line.each,
        of=RANKS_THAT_COUNT[line.second],
        above=RANKS[line.above - LOWEST],
    )


def without_idle_rules(side: ValuedSide, way: HouseWay) -> HouseWay:
    """Return the way without the rules that no hand reaches."""
    program = compiled(side, way)
    met = set[int]()
    for hands, _ in side.space.classes():
        met.update(np.unique(run_program(program, hands).rules).tolist())
    idle = {rule.rule.id for number, rule in enumerate(program.rules) if number not in met}
    return way.model_copy(update={"rule": tuple(rule for rule in way.rule if rule.id not in idle)})


def judge(side: ValuedSide, way: CompiledWay, tell: Told | None = None) -> Judged:
    """Return the exact worth of a player's way, with that of the dealer's own way and of best play."""
    return Judged(side.worth_of(way, tell).mean, side.worth_of(side.program, tell).mean, side.optimum.mean)


def compiled(side: ValuedSide, way: HouseWay) -> CompiledWay:
    """Compile a strategy for the game that a side plays."""
    return compile_way(way, base=side.program.ranking)
