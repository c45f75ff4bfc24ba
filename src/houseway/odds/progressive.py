"""A progressive wager in the long run: what its lines return, what the meter returns, what the house keeps.

All that goes into a meter comes out of it in the end: the contributions, the reserve, and the seed the house
puts in after each whole award. So the hold is what is left of the wager after the fixed lines and these.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from houseway.errors import InvalidInputError
from houseway.games.hands import spoken
from houseway.games.paytables import Paytable
from houseway.money import Cents, dollars
from houseway.odds.sides import SideOdds, percent


@dataclass(frozen=True)
class ProgressiveOdds:
    """What a progressive wager returns, as fractions of it, for one rate, seed, reserve and amount."""

    amount: Cents
    seed: Cents
    contribution: Fraction
    reserve: Fraction
    fixed_return: Fraction
    shares: dict[str, tuple[Fraction, Fraction]]

    @property
    def whole_award(self) -> Fraction:
        """How often a wager wins the whole meter."""
        return sum((chance for chance, share in self.shares.values() if share == 1), Fraction(0))

    @property
    def seed_cost(self) -> Fraction:
        """What the house pays into the meter anew, for each unit wagered, when it is won whole."""
        return self.whole_award * self.seed / self.amount

    @property
    def meter_return(self) -> Fraction:
        """What comes back through the meter in the long run."""
        return self.contribution + self.reserve + self.seed_cost

    @property
    def hold(self) -> Fraction:
        """The part of the wager that stays with the house in the long run."""
        return 1 - self.fixed_return - self.meter_return

    @property
    def break_even(self) -> Cents | None:
        """The least meter, in whole cents, at which the wager returns all of itself."""
        per_unit = sum((chance * share for chance, share in self.shares.values()), Fraction(0))
        if not per_unit:
            return None
        exact = self.amount * (1 - self.fixed_return) / per_unit
        return Cents(-(-exact.numerator // exact.denominator))

    def told(self) -> list[tuple[str, str]]:
        """Return the figures with their names, as people read them."""
        return [
            ("fixed lines return", percent(self.fixed_return)),
            ("to the meter", percent(self.contribution)),
            ("to the reserve", percent(self.reserve)),
            ("seeds cost", percent(self.seed_cost)),
            ("hold in the long run", percent(self.hold)),
            ("meter at which nothing is lost", dollars(self.break_even) if self.break_even else "none"),
            *(
                (f"wagers to a {spoken(hand)}", f"{float(self.wagers_to_hit(hand)):,.0f}")
                for hand in self.shares
            ),
        ]

    def wagers_to_hit(self, hand: str) -> Fraction:
        """Return how many wagers it takes on average until a share of the meter is won by a hand."""
        return 1 / self.shares[hand][0]


def progressive_odds(
    table: Paytable, odds: SideOdds, amount: Cents, seed: Cents, contribution: Fraction, reserve: Fraction
) -> ProgressiveOdds:
    """Work a progressive wager out: a share is taken off the meter, which is reseeded when it is won whole.

    That is the default reading of every game (a share leaves the rest standing); where an operator files the
    other one, the seed costs more than this says.
    """
    if amount <= 0 or seed < 0 or contribution < 0 or reserve < 0 or contribution + reserve > 1:
        said = f"{amount}, {seed}, {contribution}, {reserve}"
        raise InvalidInputError("a wager, a seed, and parts of the wager are needed", value=said)
    shares = {
        hand: (Fraction(count, odds.total), table.line(hand).pays.ratio)
        for hand, count in odds.meter_hands.items()
    }
    return ProgressiveOdds(amount, seed, contribution, reserve, odds.fixed_return, shares)
