"""Where a dealer's house way is weak: what the best player gains, and on which hands the way loses it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Card
from houseway.houseways import CompiledWay, HouseWay, Rule, compile_way, decide
from houseway.houseways.batch import run_program
from houseway.houseways.document import When
from houseway.houseways.vocabulary import SHAPES
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import Told
from houseway.odds.valued import ValuedSide, Worth
from houseway.ranking.settings import Setting

Array = NDArray[Any]
EXAMPLES: Final = 3
"""Hands shown of each shape."""
CANDIDATES: Final = 500
"""Hands they are chosen from: those that differ only in suits lose alike."""


@dataclass(frozen=True)
class WeakHand:
    """A hand that the way does not set best, and what that loses of a wager."""

    way: Setting
    best: Setting
    price: Fraction


@dataclass(frozen=True)
class ShapeWeakness:
    """A side's gain on hands of one shape by setting them best."""

    shape: str
    share: Fraction
    """The share of all hands that have the shape."""
    otherwise: Fraction
    """The share of these that are best set otherwise."""
    gain: Fraction
    """The gain over all hands, of a wager."""
    hands: tuple[WeakHand, ...]


@dataclass(frozen=True)
class Weakness:
    """A house way's edge against itself and against the best player, and the sources of the difference."""

    itself: Fraction
    best: Fraction
    player: tuple[ShapeWeakness, ...]
    """The best player's gain over a player of the same way, by the player's hand."""
    dealer: tuple[ShapeWeakness, ...]
    """What a dealer free to set otherwise would regain from that player, by the dealer's hand."""


def find_weakness(
    dealer: CompiledWay,
    commission: Fraction = Fraction(0),
    space: HandSpace | None = None,
    tell: Told | None = None,
) -> Weakness:
    """Return what the best player gains, and what the dealer's settings lose to that player."""
    side = ValuedSide.against_dealer(dealer, commission, space, tell)
    same, best = side.worth_of(dealer, tell), side.optimum
    other = ValuedSide.against_player(dealer, side.best.table, commission, side.space, tell)
    theirs = other.worth_of(dealer, tell)
    return Weakness(
        -same.mean,
        -best.mean,
        tuple(_by_shape(side, dealer, same)),
        tuple(_by_shape(other, dealer, theirs)),
    )


def _by_shape(side: ValuedSide, way: CompiledWay, now: Worth) -> Iterator[ShapeWeakness]:
    """Yield each shape's gain, the most first."""
    gained, weights = side.optimum.units - now.units, side.space.weights
    shapes = _shapes(way, side.space)
    weaknesses = []
    for number, shape in enumerate(SHAPES):
        inside = np.flatnonzero(shapes == number)
        if not len(inside):
            continue
        hands = int(weights[inside].sum())
        better = inside[gained[inside] > 0]
        total = int((gained[inside] * weights[inside]).sum())
        weaknesses.append(
            ShapeWeakness(
                shape,
                Fraction(hands, side.space.hands),
                Fraction(int(weights[better].sum()), hands),
                Fraction(total, now.whole * side.space.hands),
                tuple(_examples(side, way, now, better)),
            )
        )
    yield from sorted(weaknesses, key=lambda weakness: weakness.gain, reverse=True)


def _examples(side: ValuedSide, way: CompiledWay, now: Worth, rows: Array) -> Iterator[WeakHand]:
    """Yield the hands that lose most, one of each set of ranks."""
    gained, seen = side.optimum.units - now.units, set[tuple[int, ...]]()
    most = rows[np.argsort(-gained[rows], kind="stable")][:CANDIDATES]
    hands = dict(zip(np.sort(most).tolist(), side.space.hands_of(np.sort(most)), strict=True))
    for row in most.tolist():
        cards = tuple(Card(int(card)) for card in hands[row])
        ranks = tuple(card.rank for card in cards)
        if ranks in seen or len(seen) == EXAMPLES:
            continue
        seen.add(ranks)
        best = dict(side.best.own.settings_of(cards))[int(side.best.chosen[row])]
        yield WeakHand(decide(way, cards).setting, best, Fraction(int(gained[row]), now.whole))


def _shapes(way: CompiledWay, space: HandSpace) -> Array:
    """Return the shape of every class of hands, by its number."""
    parts = way.ranking.part_names
    rules = tuple(
        Rule(id=shape.replace("_", "-"), say=shape, when=When(shape=(shape,)), prefer=parts)
        for shape in SHAPES
    )
    named = HouseWay(id="shapes", title="shapes", ranking=way.ranking.id, about="shapes", rule=rules)
    program = compile_way(named, base=way.ranking)
    return np.concatenate([run_program(program, hands).rules for hands, _ in space.classes()])
