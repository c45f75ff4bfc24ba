"""Which question a dealer is asked next: failed ones come back, weak kinds and rules come oftener."""

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
from houseway.houseways import Program
from houseway.rng import Entropy
from houseway.training.choosing import DEALT, deal
from houseway.training.history import Answer, Role
from houseway.training.irregular import WhatFollows, draw_irregularity
from houseway.training.paying import WhatIsPaid, draw_payment
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
from houseway.training.weakness import WeakSpots, drawn, returning

SHARES: Final = {
    Kind.SET: Fraction(4),
    Kind.COPIES: Fraction(2),
    Kind.FOUL: Fraction(1),
    Kind.PAYS: Fraction(2),
    Kind.IRREGULAR: Fraction(1),
}
"""How often each kind is asked of somebody who is equally good at all: dealers set hands most of all."""

MOST_SET: Final = 20_000
"""So many hands are dealt to find one that a certain rule decides; it takes some seconds."""


@dataclass(frozen=True)
class DealerLesson:
    """Asks a dealer: knows the house way, the deck and, for a game under a law, the rules in force."""

    program: Program
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
        """What can be asked about this game; money and irregularities need a law."""
        kinds = [Kind.SET, Kind.COPIES, Kind.FOUL]
        if self.rules is not None and any(map(self.rules.offers, self.rules.side_wagers)):
            kinds.append(Kind.PAYS)
        if self.rules is not None and self.rules.game.irregularity:
            kinds.append(Kind.IRREGULAR)
        return tuple(kinds)

    def next(self, answers: Sequence[Answer], entropy: Entropy) -> Question:
        """Return the next question, given everything answered so far."""
        back = returning(answers, Role.DEALER, entropy, self.only)
        if back is not None:
            return self.again(Kind(back.kind), back.asked)
        weak = WeakSpots.of(answers, Role.DEALER)
        kind = self._kind(answers, entropy)
        if kind is Kind.SET:
            return self._hand_to_set(weak, entropy)
        return self._drawn(kind, entropy)

    def _kind(self, answers: Sequence[Answer], entropy: Entropy) -> Kind:
        """Draw what is asked about, by what is failed there lately."""
        if self.only is not None:
            return Kind(self.only) if self.only in self.kinds else Kind.SET
        weak = WeakSpots.of([replace(one, spot=one.kind) for one in answers], Role.DEALER)
        return drawn(self.kinds, [SHARES[kind] * weak[kind] for kind in self.kinds], entropy)

    def _drawn(self, kind: Kind, entropy: Entropy) -> Question:
        if kind is Kind.COPIES:
            return draw_race(self.program, self.deck, entropy)
        if kind is Kind.FOUL:
            return draw_foul(self.program.ranking, self.deck, entropy)
        rules = self._law(kind)
        if kind is Kind.PAYS:
            return draw_payment(rules, self.program, self.deck, entropy)
        return draw_irregularity(rules, entropy)

    def _law(self, kind: Kind) -> Rules:
        if self.rules is None:
            raise InvalidInputError("no law says what is right in this game", value=kind)
        return self.rules

    def _hand_to_set(self, weak: WeakSpots, entropy: Entropy) -> SetByHouseWay:
        """Draw a hand: each rule met among those dealt is as likely as another, a weak one likelier."""
        if self.only in self.rule_ids:
            return self._hand_of_rule(self.only or "", entropy)
        size = sum(self.program.split)
        hands = [SetByHouseWay(self.program, deal(self.deck, size, entropy)) for _ in range(DEALT)]
        rules = [hand.spot for hand in hands]
        often = Counter(rules)
        return drawn(hands, [weak[rule] / often[rule] for rule in rules], entropy)

    def _hand_of_rule(self, rule: str, entropy: Entropy) -> SetByHouseWay:
        for _ in range(MOST_SET):
            hand = SetByHouseWay(self.program, deal(self.deck, sum(self.program.split), entropy))
            if hand.spot == rule:
                return hand
        raise InvalidInputError(f"none of {MOST_SET:,} hands dealt is set by this rule", value=rule)

    def again(self, kind: Kind, asked: str) -> Question:
        """Ask a question again from the text that was kept."""
        if kind is Kind.SET:
            return SetByHouseWay.again(self.program, asked)
        if kind is Kind.COPIES:
            return WhoWins.again(self.program.ranking, asked)
        if kind is Kind.FOUL:
            return IsItFoul.again(self.program.ranking, asked)
        if kind is Kind.PAYS:
            return WhatIsPaid.again(self._law(kind), asked)
        return WhatFollows(self._law(kind), asked)
