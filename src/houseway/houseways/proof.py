"""A house way proven over every hand: one rule decides each, no setting is foul, no rule is idle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Card, Cards
from houseway.houseways.batch import run_program, undecided
from houseway.houseways.compiler import Program
from houseway.houseways.plain import Strength, decide
from houseway.ranking.order import Ranked
from houseway.ranking.settings import verify_setting

Array = NDArray[Any]
Told = Callable[[int, int], None]
CLASS_COUNTS: Final = {6: 1_097_447, 7: 6_972_147}
HAND_COUNTS: Final = {6: 22_957_480, 7: 154_143_080}
_RANKS: Final = 13


@dataclass
class WayReport:
    """What a proof found: hands decided by each rule, and whatever is wrong."""

    way: str
    hands: int = 0
    classes: int = 0
    by_rule: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        return {
            "way": self.way,
            "sound": self.sound,
            "hands": self.hands,
            "classes": self.classes,
            "by_rule": self.by_rule,
            "faults": self.faults,
        }


@cache
def _rank_sets() -> tuple[Array, ...]:
    """Return the sets of ranks of each size, as bits, in rising order."""
    every = np.arange(1 << _RANKS, dtype=np.int64)
    sizes = np.array([int(bits).bit_count() for bits in every])
    return tuple(every[sizes == size] for size in range(8))


def suit_classes(size: int) -> Iterator[tuple[Array, Array]]:
    """Yield every class of hands of six or seven cards, in blocks: sorted cards and weights."""
    from houseway.kernels.classes import pattern_classes  # noqa: PLC0415 - numba only when it is needed

    kernel: Any = pattern_classes
    sets = _rank_sets()
    nothing = np.empty((0, size), dtype=np.uint8), np.empty(0, dtype=np.int64)
    for joker in (0, 1):
        for sizes in _patterns(size - joker):
            lists = [sets[n] for n in sizes]
            count = kernel(*lists, joker, *nothing)
            if count:
                hands = np.empty((count, size), dtype=np.uint8)
                weights = np.empty(count, dtype=np.int64)
                kernel(*lists, joker, hands, weights)
                yield hands, weights


def _patterns(cards: int) -> list[tuple[int, int, int, int]]:
    """Return every way to spread so many cards over four suits."""
    return [
        (a, b, c, cards - a - b - c)
        for a in range(cards + 1)
        for b in range(cards + 1 - a)
        for c in range(cards + 1 - a - b)
    ]


def prove_way(program: Program, tell: Told | None = None) -> WayReport:
    """Set every class of hands; report each rule's share, and the first hand that breaks each promise."""
    size = sum(program.ranking.split)
    report = WayReport(program.way.id)
    decided = np.zeros(len(program.rules), dtype=np.int64)
    for hands, weights in suit_classes(size):
        found = run_program(program, hands)
        bad = np.flatnonzero(found.settings < 0)
        if len(bad) and len(report.faults) < 3:  # noqa: PLR2004 - enough to mend it by
            report.faults.append(str(undecided(found, int(bad[0]))))
        fine = found.settings >= 0
        decided += np.bincount(found.rules[fine], weights[fine], len(program.rules)).astype(np.int64)
        report.classes += len(hands)
        report.hands += int(weights.sum())
        if tell:
            tell(report.hands, HAND_COUNTS[size])
    for rule, count in zip(program.rules, decided, strict=True):
        report.by_rule[rule.rule.id] = int(count)
        if count == 0:
            report.faults.append(f"{program.way.id}: rule {rule.rule.id}: decides no hand: it is shadowed")
    return report


def equal_to_plain(program: Program, hands: Array) -> str | None:
    """Compare the kernel with the plain interpreter, and its settings with the law; name a difference."""
    found = run_program(program, hands)
    parts = [found.parts(part) for part in range(len(program.ranking.split))]
    strength = remembered_strength(program)
    for row, hand in enumerate(hands):
        cards = tuple(Card(int(card)) for card in hand)
        plain = decide(program, cards, strength)
        setting = tuple(tuple(Card(int(c)) for c in part[row]) for part in parts)
        if setting != plain.setting or program.rules[found.rules[row]].rule.id != plain.rule:
            return f"{cards}: the kernel says {setting}, the plain interpreter {plain.setting} ({plain.rule})"
    return None


def first_foul(program: Program, hands: Array) -> str | None:
    """Return a hand that the house way sets foul, judged by the reference alone."""
    found = run_program(program, hands)
    parts = [found.parts(part) for part in range(len(program.ranking.split))]
    for row in range(len(hands)):
        setting = tuple(tuple(Card(int(c)) for c in part[row]) for part in parts)
        if verify_setting(program.ranking, setting):
            return str(setting)
    return None


def remembered_strength(program: Program) -> Strength:
    """Return the reference's strengths, each kind of hand asked for once."""
    names = program.ranking.part_names
    known: dict[tuple[Any, ...], int] = {}

    def strength(part: int, cards: Cards) -> int:
        joker = bool(cards) and cards[-1].is_joker
        natural = cards[:-1] if joker else cards
        suits = {card % 4 for card in natural}
        key = (part, tuple(card // 4 for card in natural), joker, len(suits) <= 1)
        if key not in known:
            ranked: Ranked = program.ranking.rank(names[part], cards)
            known[key] = ranked.strength
        return known[key]

    return strength
