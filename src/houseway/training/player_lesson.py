"""Which hand a player is asked next: a dealt one, likelier where people and this player lose more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Protocol

from houseway.cards import Card, Cards, Deck, highest_first, parse_cards
from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay
from houseway.odds.coach import HandAdvice, SettingOdds
from houseway.ranking import Ranking
from houseway.ranking.settings import part_strengths
from houseway.rng import Entropy, below
from houseway.strength import NIBBLE, RANKS_KEPT
from houseway.training.history import LessonAnswer, LessonRole
from houseway.training.spots import is_spot, spot_of
from houseway.training.weak_spots import WeakSpots, draw, failed_question

DEALT: Final = 24
"""Hands dealt for each question."""
VALUED: Final = 3
"""Hands of those, drawn by weak spots, that are valued; the cost of mistakes decides which is asked."""
LEAST_COST: Final = Fraction(1, 1000)
"""Even a hand on which no one errs is asked now and then."""
LEAD: Final = NIBBLE * (RANKS_KEPT - 1)
"""Bits of a strength below category and lead: people look at the other parts before they count kickers."""
MOST_DEALT: Final = 500_000
"""Hands dealt to reach a spot; the rarest, five aces, comes about once in 150,000 hands."""


class SettingValuer(Protocol):
    """Values every legal setting of a hand, as the coach does."""

    def advise(self, cards: Sequence[Card]) -> HandAdvice:
        """Return every legal setting of the hand by what it is worth, the best first."""
        ...


@dataclass(frozen=True)
class HandToSet:
    """A hand to be set, what kind of spot it is, and what every setting of it is worth."""

    cards: Cards
    spot: str
    advice: HandAdvice
    again: bool = False
    """Whether it was failed before and comes back."""


def list_temptations(order: Ranking, advice: HandAdvice) -> list[SettingOdds]:
    """Return the settings that people choose instead of the best, some of them best after all.

    The first part as strong as its category and lead make it and then the others; the strongest last part;
    the house way; and the best but one.
    """
    options = [(part_strengths(order, option.setting), option) for option in advice.settings]
    first = max(options, key=lambda option: (option[0][0] >> LEAD, *option[0][1:]))[1]
    last = max(options, key=lambda option: option[0][::-1])[1]
    others = [option for option in advice.settings if option.expectation < advice.best.expectation]
    return [first, last, advice.house_way, *others[:1]]


def cost_of_mistakes(order: Ranking, advice: HandAdvice) -> Fraction:
    """Return the mean share of a wager that the tempting settings give up."""
    costs = [advice.best.expectation - option.expectation for option in list_temptations(order, advice)]
    return sum(costs, Fraction(0)) / len(costs)


def deal(deck: Deck, size: int, entropy: Entropy) -> Cards:
    """Deal one hand from a full deck, the highest card first."""
    left = list(deck.cards)
    return highest_first(left.pop(below(len(left), entropy)) for _ in range(size))


def deal_spot(program: CompiledWay, deck: Deck, spot: str, entropy: Entropy) -> Cards:
    """Deal until a hand is this spot; refuse a spot that does not come."""
    size = sum(program.split)
    for _ in range(MOST_DEALT):
        cards = deal(deck, size, entropy)
        if is_spot(program, cards, spot):
            return cards
    raise InvalidInputError(f"none of {MOST_DEALT:,} hands dealt is this spot", value=spot)


@dataclass(frozen=True)
class PlayerLesson:
    """Asks a player for settings: knows the dealer's house way, the deck, and who values settings."""

    program: CompiledWay
    deck: Deck
    values: SettingValuer
    only: str | None = None

    def next(self, answers: Sequence[LessonAnswer], entropy: Entropy) -> HandToSet:
        """Return the next hand to ask, by all answers so far."""
        failed = failed_question(answers, LessonRole.PLAYER, entropy, self.only)
        if failed is not None:
            cards = parse_cards(failed.asked, count=sum(self.program.split))
            return HandToSet(cards, spot_of(self.program, cards), self.values.advise(cards), again=True)
        hands = self._value_hands(WeakSpots.of(answers, LessonRole.PLAYER), entropy)
        order = self.program.ranking
        weights = [LEAST_COST + cost_of_mistakes(order, hand.advice) for hand in hands]
        return draw(hands, weights, entropy)

    def _value_hands(self, weak: WeakSpots, entropy: Entropy) -> list[HandToSet]:
        """Deal hands, and value those that are drawn by weak spots."""
        candidates = self._deal_hands(entropy)
        chosen: list[tuple[Cards, str]] = []
        while candidates and len(chosen) < VALUED:
            candidate = draw(candidates, [weak[spot] for _, spot in candidates], entropy)
            candidates.remove(candidate)
            chosen.append(candidate)
        return [HandToSet(cards, spot, self.values.advise(cards)) for cards, spot in chosen]

    def _deal_hands(self, entropy: Entropy) -> list[tuple[Cards, str]]:
        if self.only is not None:
            return [
                (deal_spot(self.program, self.deck, self.only, entropy), self.only) for _ in range(VALUED)
            ]
        hands = [deal(self.deck, sum(self.program.split), entropy) for _ in range(DEALT)]
        return [(cards, spot_of(self.program, cards)) for cards in hands]
