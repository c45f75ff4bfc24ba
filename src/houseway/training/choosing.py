"""Which hand a player is asked next: a dealt one, likelier where people, and this one, lose more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Protocol

from houseway.cards import Card, Cards, Deck, highest_first, parse_cards
from houseway.errors import InvalidInputError
from houseway.houseways import Program
from houseway.odds.coach import Advice, SettingOdds
from houseway.ranking import Ranking
from houseway.ranking.settings import part_strengths
from houseway.rng import Entropy, below
from houseway.strength import NIBBLE, RANKS_KEPT
from houseway.training.history import Answer, Role
from houseway.training.spots import is_spot, spot_of
from houseway.training.weakness import WeakSpots, drawn, returning

DEALT: Final = 24
"""So many hands are dealt for each question."""
VALUED: Final = 3
"""So many of them, drawn by weak spots, are valued; the one that is asked is drawn by what mistakes cost."""
LEAST_COST: Final = Fraction(1, 1000)
"""Even a hand on which nobody errs is asked now and then."""
LEAD: Final = NIBBLE * (RANKS_KEPT - 1)
"""Bits of a strength below category and lead: nobody counts kickers before they look at the other parts."""
MOST_DEALT: Final = 500_000
"""The rarest spot that can be practised, five aces, comes about once in 150,000 hands."""


class Values(Protocol):
    """Values every legal setting of a hand, as the coach does."""

    def advise(self, cards: Sequence[Card]) -> Advice:
        """Return every legal setting of the hand by what it is worth, the best first."""
        ...


@dataclass(frozen=True)
class Hand:
    """A hand to be set, what kind of spot it is, and what every setting of it is worth."""

    cards: Cards
    spot: str
    advice: Advice
    again: bool = False
    """Whether it was failed before and comes back."""


def tempting(order: Ranking, advice: Advice) -> list[SettingOdds]:
    """Return the settings that people choose instead of the best, some of them best after all.

    The first part as strong as its category and lead make it and then the others; the strongest last part;
    the house way; and the best but one.
    """
    ranked = [(part_strengths(order, one.setting), one) for one in advice.settings]
    first = max(ranked, key=lambda one: (one[0][0] >> LEAD, *one[0][1:]))[1]
    last = max(ranked, key=lambda one: one[0][::-1])[1]
    worse = [one for one in advice.settings if one.expectation < advice.best.expectation]
    return [first, last, advice.house_way, *worse[:1]]


def cost_of_mistakes(order: Ranking, advice: Advice) -> Fraction:
    """Return what the settings that people choose give up, on average."""
    tried = tempting(order, advice)
    return sum((advice.best.expectation - one.expectation for one in tried), Fraction(0)) / len(tried)


def deal(deck: Deck, size: int, entropy: Entropy) -> Cards:
    """Deal one hand from a full deck, the highest card first."""
    left = list(deck.cards)
    return highest_first(left.pop(below(len(left), entropy)) for _ in range(size))


def deal_spot(program: Program, deck: Deck, spot: str, entropy: Entropy) -> Cards:
    """Deal until a hand is this spot; refuse a spot that hardly ever comes."""
    size = sum(program.split)
    for _ in range(MOST_DEALT):
        cards = deal(deck, size, entropy)
        if is_spot(program, cards, spot):
            return cards
    raise InvalidInputError(f"none of {MOST_DEALT:,} hands dealt is this spot", value=spot)


@dataclass(frozen=True)
class PlayerLesson:
    """Asks a player for settings: knows the dealer's house way, the deck, and who values settings."""

    program: Program
    deck: Deck
    values: Values
    only: str | None = None

    def next(self, answers: Sequence[Answer], entropy: Entropy) -> Hand:
        """Return the next hand to ask, given everything answered so far."""
        back = returning(answers, Role.PLAYER, entropy, self.only)
        if back is not None:
            cards = parse_cards(back.asked, count=sum(self.program.split))
            return Hand(cards, spot_of(self.program, cards), self.values.advise(cards), again=True)
        hands = self._valued(WeakSpots.of(answers, Role.PLAYER), entropy)
        order = self.program.ranking
        weights = [LEAST_COST + cost_of_mistakes(order, hand.advice) for hand in hands]
        return drawn(hands, weights, entropy)

    def _valued(self, weak: WeakSpots, entropy: Entropy) -> list[Hand]:
        """Deal hands, and value those that are drawn by weak spots."""
        dealt = [(cards, spot) for cards, spot in self._dealt(entropy)]
        chosen: list[tuple[Cards, str]] = []
        while dealt and len(chosen) < VALUED:
            one = drawn(dealt, [weak[spot] for _, spot in dealt], entropy)
            dealt.remove(one)
            chosen.append(one)
        return [Hand(cards, spot, self.values.advise(cards)) for cards, spot in chosen]

    def _dealt(self, entropy: Entropy) -> list[tuple[Cards, str]]:
        if self.only is not None:
            return [
                (deal_spot(self.program, self.deck, self.only, entropy), self.only) for _ in range(VALUED)
            ]
        hands = [deal(self.deck, sum(self.program.split), entropy) for _ in range(DEALT)]
        return [(cards, spot_of(self.program, cards)) for cards in hands]
