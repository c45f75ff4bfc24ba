"""Two house ways side by side: which hands they set differently, by which rules, with examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from houseway.cards import Card, Cards
from houseway.errors import InvalidInputError
from houseway.houseways.batch import run_program, undecided
from houseway.houseways.compiler import Program
from houseway.houseways.proof import suit_classes
from houseway.ranking.batch import strengths

EXAMPLES = 3


@dataclass(frozen=True)
class Differing:
    """Hands that one rule of each way sets differently."""

    one: str
    other: str
    hands: int
    examples: tuple[Cards, ...]


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
    examples: dict[tuple[int, int], list[Cards]] = {}
    blocks = list(suit_classes(sum(one.split)))
    hands_seen = 0
    for number, (hands, weights) in enumerate(blocks):
        if tell:
            tell(number, len(blocks))
        hands_seen += int(weights.sum())
        mine, theirs = run_program(one, hands), run_program(other, hands)
        for found in (mine, theirs):
            bad = np.flatnonzero(found.settings < 0)
            if len(bad):
                raise undecided(found, int(bad[0]))
        apart = np.zeros(len(hands), dtype=bool)
        for part, name in enumerate(one.ranking.part_names):
            a, b = (strengths(one.ranking, name, found.parts(part)) for found in (mine, theirs))
            apart |= a != b
        for row in np.flatnonzero(apart):
            pair = int(mine.rules[row]), int(theirs.rules[row])
            counts[pair] = counts.get(pair, 0) + int(weights[row])
            if len(examples.setdefault(pair, [])) < EXAMPLES:
                examples[pair].append(tuple(Card(int(card)) for card in hands[row]))
    rows = [
        Differing(one.rules[a].rule.id, other.rules[b].rule.id, n, tuple(examples[a, b]))
        for (a, b), n in sorted(counts.items(), key=lambda item: -item[1])
    ]
    return Difference(hands_seen, tuple(rows))
