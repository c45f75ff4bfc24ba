"""A progressive wager in the long run: what its lines and the meter return, and what the house holds.

All that goes into a meter comes out of it in the end: the contributions, the reserve, and the seed the house
adds after each whole award. So the hold is the rest of the wager after the fixed lines and these.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from houseway.errors import InvalidInputError
from houseway.games import Rules
from houseway.games.hands import spoken
from houseway.games.paytables import AwardSource, Paytable
from houseway.meters import Reseeds
from houseway.money import Cents, dollars
from houseway.odds.sides import SideOdds, percent
from houseway.settlement import meter_terms

NOTHING: Final = Fraction(0)
SEEDS: Final = (1, 2, 5, 10)
"""Multiples of the seed, at which a sheet shows the meter."""
AFTER_A_SHARE: Final[dict[Reseeds, str]] = {
    "on_whole_award": "the rest stays in the meter; the house puts in nothing",
    "below_seed": "a meter below its seed is brought back to it by the house",
}
"""What each reading does to a meter after a share was paid."""


@dataclass(frozen=True)
class ProgressiveOdds:
    """What a progressive wager returns, as fractions of it, for one rate, seed, reserve and amount."""

    amount: Cents
    seed: Cents
    contribution: Fraction
    reserve: Fraction
    fixed_return: Fraction
    shares: dict[str, tuple[Fraction, Fraction]]
    reseeds: Reseeds = "on_whole_award"
    from_meter: Fraction = NOTHING
    """The part of the fixed return that is paid off the meter, not by the house."""
    fixed_square: Fraction = NOTHING
    """The mean square of what the fixed lines return."""

    def __post_init__(self) -> None:
        parts = (Fraction(self.seed), self.contribution, self.reserve)
        if self.amount <= 0 or min(parts) < 0 or self.contribution + self.reserve > 1:
            figures = f"{self.amount}, {self.seed}, {self.contribution}, {self.reserve}"
            raise InvalidInputError("a wager, a seed, and parts of the wager are needed", value=figures)

    @property
    def whole_award(self) -> Fraction:
        """The chance that a wager wins the whole meter."""
        return sum((chance for chance, share in self.shares.values() if share == 1), Fraction(0))

    @property
    def seed_cost(self) -> Fraction:
        """What the house pays into the meter after whole awards, for each unit wagered."""
        return self.whole_award * self.seed / self.amount

    @property
    def most_top_up(self) -> Fraction:
        """The most that the house also pays where a meter below its seed is brought back to it.

        The meter is then never below its seed, so a share takes it at most that share below.
        """
        if self.reseeds == "on_whole_award":
            return Fraction(0)
        missing = sum((chance * share for chance, share in self.shares.values() if share < 1), Fraction(0))
        return missing * self.seed / self.amount

    @property
    def meter_return(self) -> Fraction:
        """The long-run return through the meter."""
        return self.contribution + self.reserve + self.seed_cost

    @property
    def hold(self) -> Fraction:
        """The house's long-run part of the wager, after the seeds of whole awards."""
        return 1 - self.fixed_return + self.from_meter - self.meter_return

    @property
    def least_hold(self) -> Fraction:
        """The hold less the most that bringing a meter back to its seed can cost."""
        return self.hold - self.most_top_up

    @property
    def break_even(self) -> Cents | None:
        """The least meter, in whole cents, at which the wager returns all of itself."""
        per_unit = sum((chance * share for chance, share in self.shares.values()), Fraction(0))
        if not per_unit:
            return None
        exact = self.amount * (1 - self.fixed_return) / per_unit
        return Cents(-(-exact.numerator // exact.denominator))

    def text_rows(self) -> list[tuple[str, str]]:
        """Return the figures with their names, as people read them."""
        return [
            ("fixed lines return", percent(self.fixed_return)),
            ("to the meter", percent(self.contribution)),
            ("to the reserve", percent(self.reserve)),
            ("seeds cost", percent(self.seed_cost)),
            *([("fixed lines paid off the meter", percent(self.from_meter))] if self.from_meter else []),
            ("hold in the long run", self._hold_text()),
            ("after a share of the meter", AFTER_A_SHARE[self.reseeds]),
            ("meter at which nothing is lost", dollars(self.break_even) if self.break_even else "none"),
            *(
                (f"wagers to a {spoken(hand)}", f"{float(self.wagers_to_hit(hand)):,.0f}")
                for hand in self.shares
            ),
        ]

    def _hold_text(self) -> str:
        if self.from_meter:
            return f"at most {percent(self.hold)}: what the meter cannot pay, the house does"
        if not self.most_top_up:
            return percent(self.hold)
        return f"between {percent(self.least_hold)} and {percent(self.hold)}"

    def wagers_to_hit(self, hand: str) -> Fraction:
        """Return how many wagers it takes on average until a share of the meter is won by a hand."""
        return 1 / self.shares[hand][0]

    def at_meter(self, meter: Cents) -> Fraction:
        """Return what the next wager returns on average while the meter stands at an amount."""
        paid = sum((chance * share for chance, share in self.shares.values()), Fraction(0))
        return self.fixed_return + paid * meter / self.amount

    def variance_at(self, meter: Cents) -> Fraction:
        """Return the variance of what the next wager of one returns while the meter stands at an amount."""
        shares = ((chance, share * meter / self.amount) for chance, share in self.shares.values())
        squares = sum((chance * won * won for chance, won in shares), self.fixed_square)
        return squares - self.at_meter(meter) ** 2

    def levels(self) -> tuple[Cents, ...]:
        """Return the meter amounts that a sheet shows: multiples of the seed, and the break-even."""
        seeds = {Cents(times * self.seed) for times in SEEDS}
        return tuple(sorted((seeds | {self.break_even or Cents(0)}) - {Cents(0)}))


def meter_odds(
    rules: Rules, wager: str, odds: SideOdds, table: Paytable | None = None
) -> ProgressiveOdds | None:
    """Return the odds of a progressive wager by a submission's meter; None for any other wager."""
    if not odds.meter_hands:
        return None
    posted, chosen, terms = table or rules.paytable(wager), rules.submission.progressive, meter_terms(rules)
    amount = (chosen.amount if chosen else None) or Cents(100)
    figures = (amount, terms.seed, terms.contribution, terms.reserve)
    return progressive_odds(posted, odds, *figures, terms.reseeds, _off_meter(rules, wager, posted, odds))


def _off_meter(rules: Rules, wager: str, table: Paytable, odds: SideOdds) -> Fraction:
    """Return the part of a wager's fixed return that is paid off the meter."""
    own = rules.terms(wager).own_paytable
    if own is None or own.source is None or not own.source.stands:
        return Fraction(0)
    hands = [hand for hand in odds.returns if table.line(hand).source is AwardSource.METER]
    return sum((odds.counts[hand] * odds.returns[hand] for hand in hands), Fraction(0)) / odds.total


def progressive_odds(
    table: Paytable,
    odds: SideOdds,
    amount: Cents,
    seed: Cents,
    contribution: Fraction,
    reserve: Fraction,
    reseeds: Reseeds = "on_whole_award",
    from_meter: Fraction = NOTHING,
) -> ProgressiveOdds:
    """Return the odds of a progressive wager; a meter that is won whole is reseeded.

    Whether a meter below its seed is brought back to it after a share is a reading, and costs the house.
    """
    shares = {
        hand: (Fraction(count, odds.total), table.line(hand).pays.ratio)
        for hand, count in odds.meter_hands.items()
    }
    fixed = odds.fixed_return
    square = odds.variance + fixed**2
    return ProgressiveOdds(amount, seed, contribution, reserve, fixed, shares, reseeds, from_meter, square)
