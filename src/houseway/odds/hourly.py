"""What an hour at a table costs on average, at stated wagers and hands per hour.

No law sets the number of hands in an hour: the paces below are assumptions, and a page that prints a figure
from them says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

from houseway.games import Rules
from houseway.money import Cents
from houseway.odds.fees import player_fee
from houseway.odds.par import Par, WagerSheet

HANDS_PER_HOUR: Final = {25: "a full table", 35: "a half-full one", 50: "alone with the dealer"}
"""The assumed paces, each with its meaning."""
MULTIPLES: Final = (1, 5, 20)
"""The main wagers shown: these multiples of the least, as far as the table takes them."""


@dataclass(frozen=True)
class HourlyCost:
    """A wager on every hand: its mean loss, and the deviation of an hour."""

    name: str
    stake: Cents
    hold: Fraction
    fee: Cents
    variance: Fraction | None

    def loss(self, hands: int) -> Fraction:
        """Return the mean loss of this many hands, in cents, fees included."""
        return hands * (self.stake * self.hold + self.fee)

    def spread(self, hands: int) -> float | None:
        """Return the standard deviation of this many hands, in cents; None where the meter decides it."""
        return None if self.variance is None else self.stake * sqrt(hands * self.variance)


def hourly_costs(par: Par) -> tuple[HourlyCost, ...]:
    """Return the costs of the main wager at several stakes, then of each side wager at its least."""
    return (*_main_costs(par), *(_side_cost(par.rules, sheet) for sheet in par.wagers))


def _main_costs(par: Par) -> tuple[HourlyCost, ...]:
    if par.main is None:
        return ()
    name = par.rules.game.wager_terms("main").name
    edge, variance = par.main.edge(par.commission), par.main.variance(par.commission)
    fees = [(stake, _fee(par.rules, stake)) for stake in _stakes(par.rules)]
    return tuple(
        HourlyCost(name, stake, edge, fee, variance) for stake, fee in fees if fee is not None
    )  # a wager for which no fee is posted is not taken


def _stakes(rules: Rules) -> list[Cents]:
    least, most = rules.stakes("main")
    unit = least or Cents(500)
    return [Cents(n * unit) for n in MULTIPLES if most is None or n * unit <= most]


def _fee(rules: Rules, stake: Cents) -> Cents | None:
    """Return the collection that a player pays for a main wager alone, where a cardroom takes one."""
    schedule = rules.schedule()
    return player_fee(rules, schedule, stake) if schedule else Cents(0)


def _side_cost(rules: Rules, sheet: WagerSheet) -> HourlyCost:
    meter = sheet.progressive
    stake = rules.stakes(sheet.wager)[0] or Cents(100)
    hold, variance = (meter.hold, None) if meter else (sheet.odds.hold, sheet.odds.variance)
    return HourlyCost(sheet.name, stake, hold, Cents(0), variance)
