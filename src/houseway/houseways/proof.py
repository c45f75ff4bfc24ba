"""A house way proven over every hand: one rule decides each, no setting is foul, no rule is idle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER, Card, Cards, show, show_setting
from houseway.houseways.batch import run_program, undecided
from houseway.houseways.compiler import CompiledWay
from houseway.houseways.plain import decide_places, part_masks, part_of, setting_masks
from houseway.ranking.batch import strengths
from houseway.ranking.order import Ranked
from houseway.ranking.settings import outranks

Array = NDArray[Any]
Progress = Callable[[int, int], None]
"""Called with the hands that are done, and all of them."""
HAND_COUNTS: Final = {6: 22_957_480, 7: 154_143_080}
SHADOWED: Final = "decides no hand: it is shadowed"
_RANKS: Final = 13


@dataclass
class WayReport:
    """The result of a proof: hands decided by each rule, and every fault."""

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


@dataclass(frozen=True)
class Shard:
    """A piece of all the suit classes: cards in each suit, the joker or not, from where to where."""

    size: int
    joker: int
    suits: tuple[int, int, int, int]
    first: int
    last: int

    def classes(self) -> tuple[Array, Array]:
        """Return the classes of the shard: sorted cards, a row each, and weights."""
        hands, weights = pattern(self.size, self.joker, self.suits)
        return hands[self.first : self.last], weights[self.first : self.last]

    @property
    def name(self) -> str:
        """A name for the shard that is the same on every machine."""
        return f"{self.size}-{self.joker}-{'.'.join(map(str, self.suits))}-{self.first}"


@lru_cache(maxsize=1)
def pattern(size: int, joker: int, suits: tuple[int, int, int, int]) -> tuple[Array, Array]:
    """Return every class whose suits hold these numbers of cards."""
    from houseway.kernels.classes import pattern_classes  # noqa: PLC0415 - numba only when it is needed

    kernel: Any = pattern_classes
    lists = [_rank_sets()[n] for n in suits]
    count = kernel(*lists, joker, np.empty((0, size), dtype=np.uint8), np.empty(0, dtype=np.int64))
    hands, weights = np.empty((count, size), dtype=np.uint8), np.empty(count, dtype=np.int64)
    kernel(*lists, joker, hands, weights)
    return hands, weights


def shards(size: int, classes_each: int = 20_000) -> Iterator[Shard]:
    """Cut all the classes of hands into pieces, the same on every machine."""
    for joker in (0, 1):
        for suits in _patterns(size - joker):
            count = len(pattern(size, joker, suits)[1])
            for first in range(0, count, classes_each):
                yield Shard(size, joker, suits, first, min(first + classes_each, count))


def suit_classes(size: int) -> Iterator[tuple[Array, Array]]:
    """Yield every class of hands of six or seven cards, in blocks: sorted cards and weights."""
    for joker in (0, 1):
        for suits in _patterns(size - joker):
            hands, weights = pattern(size, joker, suits)
            if len(weights):
                yield hands, weights


def _patterns(cards: int) -> list[tuple[int, int, int, int]]:
    """Return every way to spread a number of cards over four suits."""
    return [
        (a, b, c, cards - a - b - c)
        for a in range(cards + 1)
        for b in range(cards + 1 - a)
        for c in range(cards + 1 - a - b)
    ]


def prove_way(program: CompiledWay, tell: Progress | None = None) -> WayReport:
    """Set every class of hands; report each rule's share, and the first hand that breaks each promise."""
    size = sum(program.ranking.split)
    report = WayReport(program.way.id)
    decided = np.zeros(len(program.rules), dtype=np.int64)
    for hands, weights in suit_classes(size):
        settings = run_program(program, hands)
        bad = np.flatnonzero(settings.settings < 0)
        if len(bad) and len(report.faults) < 3:  # noqa: PLR2004 - enough to mend it by
            report.faults.append(str(undecided(settings, int(bad[0]))))
        fine = settings.settings >= 0
        decided += np.bincount(settings.rules[fine], weights[fine], len(program.rules)).astype(np.int64)
        report.classes += len(hands)
        report.hands += int(weights.sum())
        if tell:
            tell(report.hands, HAND_COUNTS[size])
    for rule, count in zip(program.rules, decided, strict=True):
        report.by_rule[rule.rule.id] = int(count)
        if count == 0:
            report.faults.append(f"{program.way.id}: rule {rule.rule.id}: {SHADOWED}")
    return report


class Comparison:
    """The plain interpreter against the kernel, hand by hand.

    All that the plain interpreter looks at is a hand's ranks in order, whether it is of one suit, and the
    strengths of the first part's subsets (shorter parts do not look at suits). So it is asked once for
    each such picture, and its answer compared with what the kernel says of every hand that shows it.
    """

    def __init__(self, program: CompiledWay) -> None:
        self.program = program
        self.reference = Reference(program)
        self.known: dict[bytes, tuple[int, int]] = {}
        self.numbers = {masks: number for number, masks in enumerate(setting_masks(program.split))}

    def first_difference(self, hands: Array) -> str | None:
        """Name a hand that the interpreters set differently, or that is set foul."""
        settings = run_program(self.program, hands)
        pictures = self._pictures(hands)
        for row in range(len(hands)):
            key = pictures[row].tobytes()
            if key not in self.known:
                foul = self._ask(key, hands[row])
                if foul:
                    return foul
            answer = int(settings.settings[row]), int(settings.rules[row])
            if answer != self.known[key]:
                cards = show(Card(int(card)) for card in hands[row])
                return f"{cards}: the kernel says {answer}, the plain interpreter {self.known[key]}"
        return None

    def _ask(self, key: bytes, hand: Array) -> str | None:
        cards = tuple(Card(int(card)) for card in hand)
        masks, rule = decide_places(self.program, cards, self.reference.strength)
        self.known[key] = (self.numbers[masks], rule)
        setting = tuple(part_of(cards, mask) for mask in masks)
        return (
            f"{show(cards)}: set foul as {show_setting(setting)}" if self.reference.is_foul(setting) else None
        )

    def _pictures(self, hands: Array) -> Array:
        """Return a row for each hand that holds everything its setting can depend on."""
        name = self.program.ranking.part_names[0]
        places = [
            [i for i in range(hands.shape[1]) if mask >> i & 1] for mask in part_masks(self.program.split)[0]
        ]
        joker = hands == JOKER
        suits = hands % 4
        low = np.where(joker, 4, suits).min(axis=1)
        high = np.where(joker, -1, suits.astype(np.int64)).max(axis=1)
        columns = [(hands // 4).astype(np.int32), (high <= low).astype(np.int32)[:, None]]
        columns += [strengths(self.program.ranking, name, hands[:, chosen])[:, None] for chosen in places]
        return np.ascontiguousarray(np.concatenate(columns, axis=1).astype(np.int32))


class Reference:
    """The readable reference, each kind of hand asked for once."""

    def __init__(self, program: CompiledWay) -> None:
        self.program = program
        self.names = program.ranking.part_names

    def ranked(self, part: int, cards: Cards) -> Ranked:
        """Return how the cards of a part rank."""
        return self.program.ranking.rank(self.names[part], cards)

    def strength(self, part: int, cards: Cards) -> int:
        """Return the strength of a part's cards."""
        return self.ranked(part, cards).strength

    def is_foul(self, setting: tuple[Cards, ...]) -> bool:
        """Whether a part outranks the one above it."""
        ranked = [self.ranked(part, cards) for part, cards in enumerate(setting)]
        return any(outranks(below, above) for above, below in pairwise(ranked))
