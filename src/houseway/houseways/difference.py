"""Two house ways side by side: which hands they set differently, by which rules, with examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from houseway.cards import Card, Cards
from houseway.errors import InvalidInputError
from houseway.houseways.batch import Settings, run_program, undecided
from houseway.houseways.compiler import Program
from houseway.houseways.proof import suit_classes
from houseway.ranking.batch import strengths
from houseway.ranking.settings import Setting

EXAMPLES = 3


class Example(NamedTuple):
    """A hand, and how each way sets it."""

    hand: Cards
    one: Setting
    other: Setting


@dataclass(frozen=True)
class Differing:
    """Hands that one rule of each way sets differently."""

    one: str
    other: str
    hands: int
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class Difference:
    """How two house ways differ, over every hand."""

    hands: int
    differing: tuple[Differing, ...]

    @property
    def set_differently(self) -> int:
        """How many hands have parts of different strength."""
        return sum(row.hands for row in self.differing)


def difference(one: Program, other: Program, tell: Callable[[int, int], None] | None = None) -> Difference:
    """Set every hand both ways; settings of equal strength are the same setting."""
    if one.split != other.split or one.ranking.id != other.ranking.id:
        raise InvalidInputError("the house ways are for different games", value=other.way.id)
    counts: dict[tuple[int, int], int] = {}
    examples: dict[tuple[int, int], list[Example]] = {}
    blocks = list(suit_classes(sum(one.split)))
    hands_seen = 0
    for number, (hands, weights) in enumerate(blocks):
        if tell:
            tell(number, len(blocks))
        hands_seen += int(weights.sum())
        mine, theirs = _decided(run_program(one, hands)), _decided(run_program(other, hands))
        apart = np.zeros(len(hands), dtype=bool)
        for part, name in enumerate(one.ranking.part_names):
            a, b = (strengths(one.ranking, name, found.parts(part)) for found in (mine, theirs))
            apart |= a != b
        rows = np.flatnonzero(apart)
        pairs = np.stack([mine.rules[rows], theirs.rules[rows]], axis=1)
        for a, b in np.unique(pairs, axis=0).tolist():
            alike = rows[(pairs[:, 0] == a) & (pairs[:, 1] == b)]
            counts[a, b] = counts.get((a, b), 0) + int(weights[alike].sum())
            some = examples.setdefault((a, b), [])
            some += [_example(mine, theirs, int(row)) for row in alike[: EXAMPLES - len(some)]]
    if tell:
        tell(len(blocks), len(blocks))
    found = [
        Differing(one.rules[a].rule.id, other.rules[b].rule.id, n, tuple(examples[a, b]))
        for (a, b), n in sorted(counts.items(), key=lambda item: -item[1])
    ]
    return Difference(hands_seen, tuple(found))


def _decided(found: Settings) -> Settings:
    bad = np.flatnonzero(found.settings < 0)
    if len(bad):
        raise undecided(found, int(bad[0]))
    return found


def _example(mine: Settings, theirs: Settings, row: int) -> Example:
    hand = tuple(Card(int(card)) for card in mine.hands[row])
    return Example(hand, mine.setting(row), theirs.setting(row))
