"""Two house ways side by side: which hands they set differently, by which rules, with examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from houseway.cards import Card, Cards
from houseway.errors import InvalidInputError
from houseway.houseways.batch import Settings, run_program, undecided
from houseway.houseways.compiler import CompiledWay
from houseway.houseways.proof import suit_classes
from houseway.ranking.batch import strengths
from houseway.ranking.settings import Setting

EXAMPLES = 3


class DifferingHand(NamedTuple):
    """A hand, and how each way sets it."""

    hand: Cards
    first: Setting
    second: Setting


@dataclass(frozen=True)
class DifferingRules:
    """Hands that one rule of each way sets differently."""

    first: str
    second: str
    hands: int
    examples: tuple[DifferingHand, ...]


@dataclass(frozen=True)
class Difference:
    """How two house ways differ, over every hand."""

    hands: int
    differing: tuple[DifferingRules, ...]

    @property
    def set_differently(self) -> int:
        """How many hands have parts of different strength."""
        return sum(row.hands for row in self.differing)


def difference(
    first: CompiledWay, second: CompiledWay, tell: Callable[[int, int], None] | None = None
) -> Difference:
    """Set every hand both ways; settings of equal strength are the same setting."""
    if first.split != second.split or first.ranking.id != second.ranking.id:
        raise InvalidInputError("the house ways are for different games", value=second.way.id)
    counts: dict[tuple[int, int], int] = {}
    examples: dict[tuple[int, int], list[DifferingHand]] = {}
    blocks = list(suit_classes(sum(first.split)))
    hands_seen = 0
    for number, (hands, weights) in enumerate(blocks):
        if tell:
            tell(number, len(blocks))
        hands_seen += int(weights.sum())
        mine, theirs = _check_decided(run_program(first, hands)), _check_decided(run_program(second, hands))
        apart = np.zeros(len(hands), dtype=bool)
        for part, name in enumerate(first.ranking.part_names):
            a, b = (strengths(first.ranking, name, settings.parts(part)) for settings in (mine, theirs))
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
    differing = [
        DifferingRules(first.rules[a].rule.id, second.rules[b].rule.id, n, tuple(examples[a, b]))
        for (a, b), n in sorted(counts.items(), key=lambda item: -item[1])
    ]
    return Difference(hands_seen, tuple(differing))


def _check_decided(settings: Settings) -> Settings:
    bad = np.flatnonzero(settings.settings < 0)
    if len(bad):
        raise undecided(settings, int(bad[0]))
    return settings


def _example(mine: Settings, theirs: Settings, row: int) -> DifferingHand:
    hand = tuple(Card(int(card)) for card in mine.hands[row])
    return DifferingHand(hand, mine.setting(row), theirs.setting(row))
