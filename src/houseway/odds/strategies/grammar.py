"""What a rule of a short strategy may say: which settings it asks for, and of which hands.

Everything is in the language of house ways, so that what is learnt is a document like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from houseway.cards import ACE, LOWEST, RANKS
from houseway.houseways import HouseWay, Rule
from houseway.houseways.vocabulary import PLAYED, kinds_of_groups
from houseway.ranking import Ranking

Wanted = tuple[tuple[str, Any], ...]
"""What one part must be, word by word; nothing if it may be anything."""


def _wanted(**words: Any) -> Wanted:  # noqa: ANN401 - as the language has them
    return tuple(words.items())


LONG: Final = (
    (),
    _wanted(category=("high_card",), lead="top1"),
    _wanted(category=("high_card",), lead="top1", second="top3"),
    _wanted(plays=("pair1",)),
    _wanted(plays=("pair2",)),
    _wanted(plays=("pair1", "pair2")),
    _wanted(plays=("pair2", "pair3")),
    _wanted(plays=("trip1",)),
    _wanted(plays=("trip2",)),
    _wanted(plays=("trip1", "pair1")),
    _wanted(keeps=("pair1",)),
    _wanted(keeps=("trip1",)),
    _wanted(keeps=("quad",)),
    _wanted(category=("pair",)),
    _wanted(category=("pair",), lead="trip1"),
    _wanted(at_least="two_pair"),
    _wanted(at_least="straight"),
    _wanted(at_least="flush"),
)
"""The part of four or five cards."""
TWO: Final = (
    (),
    _wanted(category=("pair",)),
    _wanted(plays=("pair1",)),
    _wanted(plays=("pair2",)),
    _wanted(category=("pair",), lead="trip1"),
    _wanted(category=("pair",), lead="quad"),
    _wanted(lead="top1"),
    _wanted(lead="top2"),
    _wanted(category=("high_card",), lead="pair1"),
    _wanted(category=("high_card",), lead="trip1"),
    *(_wanted(at_least=rank) for rank in "AKQJT9"),
    *(_wanted(lead="A", second=f"A..{rank}") for rank in "KQJT"),
    *(_wanted(lead="A..K", second=f"A..{rank}") for rank in "QJT"),
    *(_wanted(lead="top2", second=f"{rank}..2") for rank in "9876"),
)
"""The part of two cards."""
ONE: Final = (
    (),
    *(_wanted(lead=rank) for rank in ("top1", "top2", "pair1", "pair2", "trip1")),
    *(_wanted(lead=f"A..{rank}") for rank in "KQJT9"),
    _wanted(keeps=("joker",)),
)
"""The part of one card."""
THREE_LONG: Final = (
    (),
    _wanted(category=("high_card",), lead="top1"),
    _wanted(plays=("pair1",)),
    _wanted(plays=("pair1", "pair2")),
    _wanted(plays=("trip1",)),
    _wanted(category=("pair",)),
    _wanted(at_least="two_pair"),
    _wanted(at_least="straight"),
    _wanted(keeps=("quad",)),
)
THREE_TWO: Final = (*TWO[:8], *(_wanted(at_least=rank) for rank in "AKQJT9"))
THREE_ONE: Final = (
    (),
    *(_wanted(lead=rank) for rank in ("top1", "top2", "A..K", "A..Q", "A..J", "A..T", "A..8", "A..6")),
)
"""The same where there are three parts: fewer, because they multiply."""
ORDERS: Final = {
    2: ((0, 1), (1, 0)),
    3: ((0, 1, 2), (1, 2, 0), (1, 0, 2), (2, 1, 0), (2, 0, 1)),
}
"""In which order parts are made as strong as possible."""


@dataclass(frozen=True)
class Choice:
    """Which setting a rule takes: of those whose parts are as wanted, the best by an order of the parts."""

    wanted: tuple[tuple[int, Wanted], ...]
    order: tuple[int, ...]
    lead_first: bool = False
    """Whether the first part of the order is at first looked at by its category and lead card alone."""

    def require(self, names: tuple[str, ...]) -> dict[str, dict[str, Any]]:
        """Return what is wanted as a house way writes it."""
        return {
            names[part]: {word: list(what) if isinstance(what, tuple) else what for word, what in wanted}
            for part, wanted in self.wanted
        }

    def prefer(self, names: tuple[str, ...]) -> list[str]:
        """Return the order as a house way writes it."""
        if not self.lead_first:
            return [names[part] for part in self.order]
        first, *rest = self.order
        return [f"{names[first]}.lead", *(names[part] for part in (*rest, first))]


@dataclass(frozen=True)
class Span:
    """Ranks of a group, or of one of the highest cards, from the lowest to the highest that is meant."""

    of: str
    lowest: int
    highest: int

    @property
    def text(self) -> str:
        """The span as a house way writes it."""
        high, low = RANKS[self.highest - LOWEST], RANKS[self.lowest - LOWEST]
        return high if high == low else f"{high}..{low}"

    @property
    def open(self) -> bool:
        """Whether it reaches from the twos to the aces."""
        return (self.lowest, self.highest) == (LOWEST, ACE)


@dataclass(frozen=True)
class HandTest:
    """Which hands a rule is for: their shape, whether a straight or flush can be made, and some ranks."""

    shapes: tuple[str, ...] = ()
    complete: bool | None = None
    spans: tuple[Span, ...] = ()

    @property
    def words(self) -> int:
        """How many things it asks."""
        return bool(self.shapes) + (self.complete is not None) + len(self.spans)


def choices(order: Ranking) -> Iterator[Choice]:
    """Yield everything that a rule of a game may ask for."""
    two_parts = len(order.split) == 2  # noqa: PLR2004
    kinds = (LONG, TWO if order.split[1] > 1 else ONE) if two_parts else (THREE_LONG, THREE_TWO, THREE_ONE)
    known = [{category.name for category in part.category} for part in order.document.part]
    for parts in product(*kinds):
        wanted = tuple((part, one) for part, one in enumerate(parts) if one)
        if all(_possible(dict(one), known[part]) for part, one in wanted):
            for turn in ORDERS[len(order.split)]:
                yield Choice(wanted, turn)
                if order.split[turn[0]] == 2:  # noqa: PLR2004 - of two cards the first often decides
                    yield Choice(wanted, turn, lead_first=True)


def _possible(wanted: dict[str, Any], known: set[str]) -> bool:
    """Whether a part with these categories can be as wanted."""
    named = [name for name in (*wanted.get("category", ()), wanted.get("at_least", "A")) if len(name) > 1]
    plays = wanted.get("plays")
    return all(name in known for name in named) and (
        not plays or bool(known & set(PLAYED[kinds_of_groups(plays)]))
    )


def rule_of(
    parts: tuple[str, ...], name: str, say: str, test: HandTest, choice: Choice, *, asks: bool = True
) -> Rule:
    """Write a rule: for hands that pass the test and, if it asks for that, have a setting as it is wanted."""
    require = choice.require(parts)
    when: dict[str, Any] = {
        "shape": list(test.shapes),
        "ranks": {span.of: span.text for span in test.spans},
        "can": require if asks else {},
    }
    if test.complete is not None:
        when["complete"] = test.complete
    data = {
        "id": name,
        "say": say,
        "when": {word: what for word, what in when.items() if what or what is False},
        "require": require,
        "prefer": choice.prefer(parts),
    }
    return Rule.model_validate({word: what for word, what in data.items() if what})


def way_of(order: Ranking, *rules: Rule) -> HouseWay:
    """Write rules as a house way that nobody is to read."""
    return HouseWay(id="learning", title="learning", ranking=order.id, about="learning", rule=rules)
