"""How strong is a hand of one to five cards: the law's list of categories, read from the top.

This is the readable reference, and the only place where strengths come from. The look-up tables ask
it once for every kind of hand; nothing else in houseway knows what beats what.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import ge
from typing import Final, Literal

from msgspec import Struct
from pydantic import Field

from houseway.cards import ACE, RANK_NAMES
from houseway.errors import IllegalError
from houseway.law.citations import UNCITED, Cites
from houseway.law.documents import Document
from houseway.ranking.held import AceLow, PartCards, Run, runs, show_ranks
from houseway.strength import pack

Readings = Mapping[str, str]
Result = Literal["win", "lose", "push"]
"""How the main wager ends."""


class Category(Document):
    """One line of the law's list of hands."""

    name: str
    clauses: Cites = UNCITED
    joker: Literal["either", "natural", "with", "as_ace"] = "either"
    flush: Literal["matters", "ignored"] = "matters"
    only_if: dict[str, str] = {}
    unless: dict[str, str] = {}

    def left_by(self, readings: Readings) -> bool:
        """Whether these readings leave the line on the list."""
        needed = all(readings.get(name) == choice for name, choice in self.only_if.items())
        return needed and all(readings.get(name) != choice for name, choice in self.unless.items())

    def applies(self, readings: Readings) -> bool:
        """Whether the line stands, under these readings and the clauses in force."""
        return self.left_by(readings) and self.clauses.stands


class JokerTerms(Document):
    """What the joker may be: an ace, or a card that completes a straight or flush."""

    as_ace: Cites = UNCITED
    completes: Cites = UNCITED
    flush_with_ace: Cites = UNCITED
    flush_with_ace_option: str | None = None
    dealer_run_option: str | None = None


class CardTerms(Document):
    """How cards are ordered, and ties broken."""

    order: Cites = UNCITED
    ace_low: Cites = UNCITED
    no_wrap: Cites = UNCITED
    tie_break: Cites = UNCITED
    tie_break_option: str | None = None
    copies: Cites = UNCITED


class PartOrder(Document):
    """The order of hands of one part, best first."""

    name: str
    cards: int
    order: Cites = UNCITED
    player_joker: Cites = UNCITED
    category: tuple[Category, ...] = Field(min_length=1)


_SHARED = ("high_card", "pair")
"""The categories that a hand of two cards can make; anything else outranks every shorter hand."""


class Ranked(Struct, frozen=True, gc=False):
    """How a hand ranks: its category, the ranks that decide within it, and one number for both.

    ``cross`` is what it is compared by with a hand of another size.
    """

    category: str
    ranks: tuple[int, ...]
    strength: int
    run: Run = ()
    clauses: Cites = UNCITED
    cross: tuple[int, ...] = ()

    @property
    def value(self) -> str:
        """The category and the ranks it is valued at, such as ``flush AKQ5``."""
        return f"{self.category} {show_ranks(self.run or self.ranks)}"


def _cross(category: str, ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Return what a hand is compared by with a hand of another size: its lead, as far as both go.

    Pair beats no pair, then the pair's rank; without a pair the cards one by one. Every other category is
    above anything that two cards can make.
    """
    if category not in _SHARED:
        return (len(_SHARED),)
    level = _SHARED.index(category)
    return (level, ranks[0]) if level else (level, *ranks)


@dataclass(frozen=True)
class Judge:
    """Ranks the hands of one part under given options and readings."""

    part: PartOrder
    joker: JokerTerms
    cards: CardTerms
    ace_low_straight: AceLow
    ace_low_straight_flush: AceLow
    readings: Readings
    lines: tuple[tuple[int, Category], ...] = field(init=False)
    """The lines of the list that the readings leave, best first, each with its level."""
    names: frozenset[str] = field(init=False)
    """The categories on the list."""

    def __post_init__(self) -> None:
        top = len(self.part.category) - 1
        lines = ((top - place, category) for place, category in enumerate(self.part.category))
        object.__setattr__(self, "lines", tuple(line for line in lines if line[1].left_by(self.readings)))
        object.__setattr__(self, "names", frozenset(category.name for category in self.part.category))

    def rank(self, hand: PartCards) -> Ranked:
        """Return the best category the hand makes."""
        if hand.size != self.part.cards:
            raise IllegalError(f"the {self.part.name} hand has {self.part.cards} cards", value=hand.size)
        self.cards.order.require()
        self.part.order.require()
        if hand.joker:
            self.joker.as_ace.require()
        for level, category in self.lines:
            matched = _MATCHERS[category.name](self, hand, category) if category.clauses.stands else None
            if matched is not None:
                ranks, run = matched
                strength = pack(level, ranks)
                lead = _cross(category.name, ranks)
                return Ranked(category.name, ranks, strength, run, category.clauses, lead)
        raise IllegalError("no clause in force ranks this hand", value=show_ranks(hand.ranks))

    @property
    def top_card_only(self) -> bool:
        """Whether only the highest of the cards that decide nothing else is compared."""
        option = self.cards.tie_break_option
        return bool(option) and self.readings.get(option or "") == "top_card_only"

    def completes(self) -> bool:
        """Whether the joker may stand for the card that completes a straight or flush."""
        return self.joker.completes.stands

    def runs(self, ace_low: AceLow, size: int) -> tuple[Run, ...]:
        """Return the straights of a size, best first."""
        low = ace_low if self.cards.ace_low.stands else None
        wraps = not self.cards.no_wrap.binds
        return runs(size, low, wrap=wraps)

    def straights(self, category: str, *, by_law: bool = True) -> tuple[Run, ...]:
        """Return the straights of a category, best first; ``by_law`` applies the clauses in force."""
        size = self.part.cards
        if category == "royal_flush":
            return runs(size, None)[:1]
        ace_low = self.ace_low_straight if category == "straight" else self.ace_low_straight_flush
        order = self.runs(ace_low, size) if by_law else runs(size, ace_low)
        return order[1:] if category == "straight_flush" and "royal_flush" in self.names else order

    def kickers(self, deciding: int, ranks: tuple[int, ...]) -> tuple[int, ...]:
        """Return the ranks that are compared: the deciding ones, then the rest card by card."""
        if not self.cards.tie_break.binds:
            return ranks[:deciding]
        if self.top_card_only:
            return ranks[: deciding + 1]
        return ranks


Match = tuple[tuple[int, ...], Run] | None
Matcher = Callable[[Judge, PartCards, Category], Match]


def _of_a_kind(*counts: int) -> Matcher:
    """Match hands whose largest groups are at least these; ties go by group ranks, then kickers."""
    deciding = sum(1 for count in counts if count > 1)

    def match(judge: Judge, hand: PartCards, category: Category) -> Match:
        groups = hand.groups
        if category.name == "four_of_a_kind" and groups[0][1] == ACE and "four_aces" in judge.names:
            return None  # where four aces are a hand of their own, four of a kind ends at kings
        if len(groups) < len(counts) or not all(map(ge, [count for count, _ in groups], counts)):
            return None
        ranks = tuple([rank for _, rank in groups])
        return judge.kickers(deciding, ranks), ()

    return match


def _aces(count: int) -> Matcher:
    def match(judge: Judge, hand: PartCards, category: Category) -> Match:
        del judge
        naturals = hand.ranks.count(ACE)
        joker = hand.joker and category.joker != "natural"
        return ((ACE,), ()) if naturals + joker == count else None

    return match


def _flush(judge: Judge, hand: PartCards, category: Category) -> Match:
    del category
    if not hand.suited or (hand.joker and not judge.completes()):
        return None
    ranks = hand.ranks
    if hand.joker:
        terms = judge.joker
        chosen = judge.readings.get(terms.flush_with_ace_option or "")
        second_ace = chosen == "second_ace" or not terms.flush_with_ace.stands
        missing = next(rank for rank in range(ACE, 1, -1) if second_ace or rank not in ranks)
        ranks = tuple(sorted((*ranks, missing), reverse=True))
    return judge.kickers(0, ranks), ()


def _run_of(judge: Judge, hand: PartCards, order: tuple[Run, ...]) -> tuple[int, Run] | None:
    """Return the best straight the cards make and its place from the bottom of the order."""
    ranks = set(hand.ranks)
    if len(ranks) < len(hand.ranks) or (hand.joker and not judge.completes()):
        return None
    for index, run in enumerate(order):
        if ranks.issubset(run):
            return len(order) - index, run
    return None


def _straight(judge: Judge, hand: PartCards, category: Category) -> Match:
    best = _run_of(judge, hand, judge.straights(category.name))
    return None if best is None else ((best[0],), best[1])


def _straight_flush(judge: Judge, hand: PartCards, category: Category) -> Match:
    return _straight(judge, hand, category) if hand.suited else None


def _royal_flush(judge: Judge, hand: PartCards, category: Category) -> Match:
    if not hand.suited:
        return None
    if category.joker == "as_ace" and hand.joker and ACE in hand.ranks:
        return None
    best = _run_of(judge, hand, judge.straights(category.name))
    return None if best is None else ((ACE,), best[1])


_MATCHERS: Final[dict[str, Matcher]] = {
    "five_aces": _aces(5),
    "four_aces": _aces(4),
    "royal_flush": _royal_flush,
    "straight_flush": _straight_flush,
    "four_of_a_kind": _of_a_kind(4),
    "full_house": _of_a_kind(3, 2),
    "flush": _flush,
    "straight": _straight,
    "three_of_a_kind": _of_a_kind(3),
    "two_pair": _of_a_kind(2, 2),
    "pair": _of_a_kind(2),
    "high_card": _of_a_kind(1),
}

_PLURALS: Final = {rank: f"{RANK_NAMES[rank - 2]}{'es' if rank == 6 else 's'}" for rank in range(2, ACE + 1)}  # noqa: PLR2004


def describe(ranked: Ranked) -> str:
    """Describe a hand in plain language.

    >>> describe(Ranked("pair", (9, 14, 12), 0))
    'pair of nines, ace-queen'
    >>> describe(Ranked("straight", (7,), 0, (8, 7, 6, 5)))
    'straight, eight to five'
    """
    names = [RANK_NAMES[rank - 2] for rank in ranked.ranks]
    if ranked.run:
        first, last = (RANK_NAMES[rank - 2] for rank in (ranked.run[0], ranked.run[-1]))
        return f"{ranked.category.replace('_', ' ')}, {first} to {last}"
    if ranked.category == "high_card":
        return f"{names[0]}-high" + (f", {'-'.join(names[1:])}" if names[1:] else "")
    if ranked.category == "flush":
        return f"flush, {'-'.join(names)}"
    if ranked.category in ("five_aces", "four_aces"):
        return ranked.category.replace("_", " ")
    return _describe_groups(ranked, names)


def _describe_groups(ranked: Ranked, names: list[str]) -> str:
    first, rest = _PLURALS[ranked.ranks[0]], names[1:]
    if ranked.category == "full_house":
        return f"full house, {first} over {_PLURALS[ranked.ranks[1]]}"
    if ranked.category == "two_pair":
        text, rest = f"two pair, {first} and {_PLURALS[ranked.ranks[1]]}", names[2:]
    else:
        word = {"four_of_a_kind": "four", "three_of_a_kind": "three", "pair": "pair of"}[ranked.category]
        text = f"{word} {first}"
    return text + (f", {'-'.join(rest)}" if rest else "")
