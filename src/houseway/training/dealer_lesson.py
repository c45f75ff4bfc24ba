"""Which question a dealer is asked next: failed questions come back, weak kinds and rules come more often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from houseway.cards import Deck
from houseway.errors import InvalidInputError
from houseway.games import Rules
from houseway.houseways import CompiledWay
from houseway.rng import Entropy
from houseway.training.history import LessonAnswer, LessonRole
from houseway.training.irregular import WhatFollows, draw_irregularity
from houseway.training.paying import WhatIsPaid, draw_payment
from houseway.training.player_lesson import DEALT, deal
from houseway.training.questions import (
    IsItFoul,
    Kind,
    Question,
    SetByHouseWay,
    WhoWins,
    draw_foul,
    draw_race,
)
from houseway.training.spots import verify_spot
from houseway.training.weak_spots import WeakSpots, draw, failed_question

SHARES: Final = {
    Kind.SET: Fraction(4),
    Kind.COPIES: Fraction(2),
    Kind.FOUL: Fraction(1),
    Kind.PAYS: Fraction(2),
    Kind.IRREGULAR: Fraction(1),
}
"""How often each kind is asked of a dealer equally good at all: dealers set hands most of all."""

MOST_SET: Final = 20_000
"""Hands dealt at most to reach one that a certain rule decides; it takes some seconds."""


@dataclass(frozen=True)
class DealerLesson:
    """Asks a dealer: knows the house way, the deck and, for a game under a law, the rules in force."""

    program: CompiledWay
    deck: Deck
    rules: Rules | None
    only: str | None = None

    def __post_init__(self) -> None:
        if self.only is not None:
            verify_spot(self.only, (*self.kinds, *self.rule_ids))

    @property
    def rule_ids(self) -> tuple[str, ...]:
        """The rules of the house way, by which answers are counted."""
        return tuple(rule.id for rule in self.program.way.rule)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that this game has; payments and irregularities need a law."""
        kinds = [Kind.SET, Kind.COPIES, Kind.FOUL]
        if self.rules is not None and any(map(self.rules.offers, self.rules.side_wagers)):
            kinds.append(Kind.PAYS)
        if self.rules is not None and self.rules.game.irregularity:
            kinds.append(Kind.IRREGULAR)
        return tuple(kinds)

    def next(self, answers: Sequence[LessonAnswer], entropy: Entropy) -> Question:
        """Return the next question, by all answers so far."""
        failed = failed_question(answers, LessonRole.DEALER, entropy, self.only)
        if failed is not None:
            return self.restore(Kind(failed.kind), failed.asked)
        weak = WeakSpots.of(answers, LessonRole.DEALER)
        kind = self._draw_kind(answers, entropy)
        if kind is Kind.SET:
            return self._draw_hand(weak, entropy)
        return self._draw_question(kind, entropy)

    def _draw_kind(self, answers: Sequence[LessonAnswer], entropy: Entropy) -> Kind:
        """Draw what is asked about, by what is failed there lately."""
        if self.only is not None:
            return Kind(self.only) if self.only in self.kinds else Kind.SET
        weak = WeakSpots.of([replace(answer, spot=answer.kind) for answer in answers], LessonRole.DEALER)
        return draw(self.kinds, [SHARES[kind] * weak[kind] for kind in self.kinds], entropy)

    def _draw_question(self, kind: Kind, entropy: Entropy) -> Question:
        if kind is Kind.COPIES:
            return draw_race(self.program, self.deck, entropy)
        if kind is Kind.FOUL:
            return draw_foul(self.program.ranking, self.deck, entropy)
        rules = self._require_rules(kind)
        if kind is Kind.PAYS:
            return draw_payment(rules, self.program, self.deck, entropy)
        return draw_irregularity(rules, entropy)

    def _require_rules(self, kind: Kind) -> Rules:
        if self.rules is None:
            raise InvalidInputError("no law says what is right in this game", value=kind)
        return self.rules

    def _draw_hand(self, weak: WeakSpots, entropy: Entropy) -> SetByHouseWay:
        """Draw a hand: each rule that decides one of those dealt is equally likely, a weak one likelier."""
        if self.only in self.rule_ids:
            return self._deal_hand_of_rule(self.only or "", entropy)
        size = sum(self.program.split)
        hands = [SetByHouseWay(self.program, deal(self.deck, size, entropy)) for _ in range(DEALT)]
        rules = [hand.spot for hand in hands]
        counts = Counter(rules)
        return draw(hands, [weak[rule] / counts[rule] for rule in rules], entropy)

    def _deal_hand_of_rule(self, rule: str, entropy: Entropy) -> SetByHouseWay:
        for _ in range(MOST_SET):
            hand = SetByHouseWay(self.program, deal(self.deck, sum(self.program.split), entropy))
            if hand.spot == rule:
                return hand
        raise InvalidInputError(f"none of {MOST_SET:,} hands dealt is set by this rule", value=rule)

    def restore(self, kind: Kind, text: str) -> Question:
        """Read a question of this kind from its stored text."""
        if kind is Kind.SET:
            return SetByHouseWay.parse(self.program, text)
        if kind is Kind.COPIES:
            return WhoWins.parse(self.program.ranking, text)
        if kind is Kind.FOUL:
            return IsItFoul.parse(self.program.ranking, text)
        if kind is Kind.PAYS:
            return WhatIsPaid.parse(self._require_rules(kind), text)
        return WhatFollows(self._require_rules(kind), text)
