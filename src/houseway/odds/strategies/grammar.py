"""The grammar of a short strategy's rules: the settings they ask for, and the hands they are for.

All of it is in the language of house ways, so that a learnt strategy is a document like any other.
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
"""The conditions on a part, word by word; empty for any part."""


def _words(**words: Any) -> Wanted:  # noqa: ANN401 - as the language has them
    return tuple(words.items())


LONG: Final = (
    (),
    _words(category=("high_card",), lead="top1"),
    _words(category=("high_card",), lead="top1", second="top3"),
    _words(plays=("pair1",)),
    _words(plays=("pair2",)),
    _words(plays=("pair1", "pair2")),
    _words(plays=("pair2", "pair3")),
    _words(plays=("trip1",)),
    _words(plays=("trip2",)),
    _words(plays=("trip1", "pair1")),
    _words(keeps=("pair1",)),
    _words(keeps=("trip1",)),
    _words(keeps=("quad",)),
    _words(category=("pair",)),
    _words(category=("pair",), lead="trip1"),
    _words(at_least="two_pair"),
    _words(at_least="straight"),
    _words(at_least="flush"),
)
"""The part of four or five cards."""
TWO: Final = (
    (),
    _words(category=("pair",)),
    _words(plays=("pair1",)),
    _words(plays=("pair2",)),
    _words(category=("pair",), lead="trip1"),
    _words(category=("pair",), lead="quad"),
    _words(lead="top1"),
    _words(lead="top2"),
    _words(category=("high_card",), lead="pair1"),
    _words(category=("high_card",), lead="trip1"),
    *(_words(at_least=rank) for rank in "AKQJT9"),
    *(_words(lead="A", second=f"A..{rank}") for rank in "KQJT"),
    *(_words(lead="A..K", second=f"A..{rank}") for rank in "QJT"),
    *(_words(lead="top2", second=f"{rank}..2") for rank in "9876"),
)
"""The part of two cards."""
ONE: Final = (
    (),
    *(_words(lead=rank) for rank in ("top1", "top2", "pair1", "pair2", "trip1")),
    *(_words(lead=f"A..{rank}") for rank in "KQJT9"),
    _words(keeps=("joker",)),
)
"""The part of one card."""
THREE_LONG: Final = (
    (),
    _words(category=("high_card",), lead="top1"),
    _words(plays=("pair1",)),
    _words(plays=("pair1", "pair2")),
    _words(plays=("trip1",)),
    _words(category=("pair",)),
    _words(at_least="two_pair"),
    _words(at_least="straight"),
    _words(keeps=("quad",)),
)
THREE_TWO: Final = (*TWO[:8], *(_words(at_least=rank) for rank in "AKQJT9"))
THREE_ONE: Final = (
    (),
    *(_words(lead=rank) for rank in ("top1", "top2", "A..K", "A..Q", "A..J", "A..T", "A..8", "A..6")),
)
"""The conditions where there are three parts: fewer, because they multiply."""
ORDERS: Final = {
    2: ((0, 1), (1, 0)),
    3: ((0, 1, 2), (1, 2, 0), (1, 0, 2), (2, 1, 0), (2, 0, 1)),
}
"""The orders in which parts are made as strong as possible."""


@dataclass(frozen=True)
class Choice:
    """The setting that a rule takes: of those that meet its conditions, the best by an order of the parts."""

    wanted: tuple[tuple[int, Wanted], ...]
    order: tuple[int, ...]
    lead_first: bool = False
    """Whether the first part of the order counts at first by its category and lead card alone."""

    def require(self, names: tuple[str, ...]) -> dict[str, dict[str, Any]]:
        """Return the conditions as a house way writes them."""
        return {
            names[part]: {word: list(value) if isinstance(value, tuple) else value for word, value in wanted}
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
    """A span of ranks of a group, or of one of the highest cards."""

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
        """Whether it spans all ranks."""
        return (self.lowest, self.highest) == (LOWEST, ACE)


@dataclass(frozen=True)
class HandTest:
    """The hands that a rule is for: shapes, whether a straight or flush is possible, and spans of ranks."""

    shapes: tuple[str, ...] = ()
    complete: bool | None = None
    spans: tuple[Span, ...] = ()

    @property
    def words(self) -> int:
        """The number of its conditions."""
        return bool(self.shapes) + (self.complete is not None) + len(self.spans)


def choices(order: Ranking) -> Iterator[Choice]:
    """Yield every choice that a rule of a game may make."""
    two_parts = len(order.split) == 2  # noqa: PLR2004
    kinds = (LONG, TWO if order.split[1] > 1 else ONE) if two_parts else (THREE_LONG, THREE_TWO, THREE_ONE)
    known = [{category.name for category in part.category} for part in order.document.part]
    for parts in product(*kinds):
        wanted = tuple((part, words) for part, words in enumerate(parts) if words)
        if all(_is_possible(dict(words), known[part]) for part, words in wanted):
            for turn in ORDERS[len(order.split)]:
                yield Choice(wanted, turn)
                if order.split[turn[0]] == 2:  # noqa: PLR2004 - of two cards the first often decides
                    yield Choice(wanted, turn, lead_first=True)


def _is_possible(wanted: dict[str, Any], known: set[str]) -> bool:
    """Return whether a part with these categories can meet the conditions."""
    named = [name for name in (*wanted.get("category", ()), wanted.get("at_least", "A")) if len(name) > 1]
    plays = wanted.get("plays")
    return all(name in known for name in named) and (
        not plays or bool(known & set(PLAYED[kinds_of_groups(plays)]))
    )


def rule_of(
    parts: tuple[str, ...], name: str, say: str, test: HandTest, choice: Choice, *, asks: bool = True
) -> Rule:
    """Return a rule for hands that pass the test and, with ``asks``, can meet the choice's conditions."""
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
        "when": {word: value for word, value in when.items() if value or value is False},
        "require": require,
        "prefer": choice.prefer(parts),
    }
    return Rule.model_validate({word: value for word, value in data.items() if value})


def way_of(order: Ranking, *rules: Rule) -> HouseWay:
    """Return rules as a house way for internal use."""
    return HouseWay(id="learning", title="learning", ranking=order.id, about="learning", rule=rules)
