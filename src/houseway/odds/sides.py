"""Side wagers, exactly: every hand counted, every line of the paytable applied to its count."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Final

from houseway.games import Game, Rules, game
from houseway.games.paytables import EnvyTable, Paytable
from houseway.law.clauses import KnownCite
from houseway.law.documents import Document, read_document
from houseway.money import Basis, Cents, Odds
from houseway.ranking import ranking
from houseway.ranking.batch import count_categories
from houseway.ranking.listing import Among, JokerMode

PUBLISHED: Final = Path(__file__).parent / "data" / "published.toml"


@dataclass(frozen=True)
class SideOdds:
    """What one wager on one paytable returns, as fractions of the wager."""

    counts: dict[str, int]
    returns: dict[str, Fraction]
    meter_hands: dict[str, int]

    @property
    def total(self) -> int:
        """All hands."""
        return sum(self.counts.values())

    @property
    def fixed_return(self) -> Fraction:
        """What comes back of a wager on average, the meter left aside."""
        return sum((self.counts[h] * r for h, r in self.returns.items()), Fraction(0)) / self.total

    @property
    def hold(self) -> Fraction:
        """The part of the wager that stays with the house, the meter left aside."""
        return 1 - self.fixed_return

    @property
    def hit_frequency(self) -> Fraction:
        """How often the wager is paid something, or given back."""
        return Fraction(sum(self.counts[h] for h in {*self.returns, *self.meter_hands}), self.total)

    @property
    def variance(self) -> Fraction:
        """The variance of what comes back of a wager of one, the meter left aside."""
        squares = sum((self.counts[h] * r * r for h, r in self.returns.items()), Fraction(0))
        return squares / self.total - self.fixed_return**2


def percent(fraction: Fraction) -> str:
    """Write a fraction as a percentage with four places.

    >>> percent(Fraction(1, 3))
    '33.3333%'
    """
    return f"{float(100 * fraction):.4f}%"


def side_odds(found: Game, table: Paytable) -> SideOdds:
    """Count every hand and apply a paytable."""
    posted = found.wager_terms(table.wager).own_paytable is not None or table not in found.paytable
    among = table.hands_by_pay if posted else None
    counts = _counts(found.ranking, table.wager, found.hand_cards, table.joker, among)
    return _applied(counts, {hand: table.line(hand).pays for hand in counts})


def rules_odds(rules: Rules, wager: str) -> SideOdds:
    """Count every hand and apply the paytable in force, options and readings of the submission with it."""
    counts = count_categories(
        rules.ranking(),
        wager,
        rules.game.hand_cards,
        mode=rules.joker_mode(wager),
        among=rules.listed_hands(wager),
    )
    return _applied(counts, {hand: rules.line(wager, hand).pays for hand in counts})


def _applied(counts: dict[str, int], paid: dict[str, Odds]) -> SideOdds:
    """Apply what each hand is paid to the counts of the hands."""
    returns, meter_hands = {}, {}
    for hand, pays in paid.items():
        if pays.basis is Basis.METER:
            meter_hands[hand] = counts[hand]
        elif pays.basis is not Basis.LOSE:
            returns[hand] = pays.ratio + (pays.basis is not Basis.FOR)
    return SideOdds(counts, returns, meter_hands)


@cache  # the paytables of a wager share their hands
def _counts(ranking_id: str, wager: str, size: int, joker: JokerMode, among: Among) -> dict[str, int]:
    return count_categories(ranking(ranking_id), wager, size, mode=joker, among=among)


def envy_value(counts: dict[str, int], table: EnvyTable) -> Fraction:
    """Return what one other player's hand is worth to an envy wager, in cents."""
    return Fraction(sum(n * table.line(hand).pays for hand, n in counts.items()), sum(counts.values()))


OTHERS: Final = range(6)
"""How many other players there may be whose hands are envied."""


@dataclass(frozen=True)
class EnvyOdds:
    """What an envy wager gains on average, by the table that a stake is paid by."""

    wager: str
    paytable: str
    prices: EnvyTable
    stake: Cents
    each: Fraction

    def gains(self) -> dict[int, str]:
        """Return what is gained beside nought to five other players, as part of the wager."""
        return {others: percent(others * self.each / self.stake) for others in OTHERS}


def envy_odds(found: Game, of: Paytable, odds: SideOdds) -> list[EnvyOdds]:
    """Return what the Envy Bonuses of a wager are worth, for each stake that has a table of its own."""
    terms = found.wager_terms(of.wager).envy
    least = terms.at_least.get() if terms and terms.at_least else Cents(100)
    return [
        EnvyOdds(of.wager, of.id, prices, prices.stake or least, envy_value(odds.counts, prices))
        for prices in found.envy
        if prices.wager == of.wager and prices.paytable in (None, of.id)
    ]


class PublishedCheck(Document):
    """A figure that the law's documents print, or that follows from its readings, to be met exactly."""

    clause: KnownCite
    game: str
    wager: str
    holds: dict[str, str] = {}
    fixed_return: str | None = None
    envy: dict[str, str] = {}

    def computed(self) -> dict[str, str]:
        """Return the same figures, computed from the counts of every hand."""
        self.clause.require()
        found = game(self.game)
        odds = {t.id: side_odds(found, t) for t in found.paytables_of(self.wager)}
        figures = {name: percent(odds[name].hold) for name in self.holds}
        if self.fixed_return is not None:
            (only,) = odds.values()
            figures["fixed_return"] = percent(only.fixed_return)
        counts = next(iter(odds.values())).counts
        for name in self.envy:
            table = next(e for e in found.envy if e.wager == self.wager and name in (e.paytable, _stake(e)))
            figures[f"envy {name}"] = f"${float(envy_value(counts, table) / 100):.6f}"
        return figures

    def expected(self) -> dict[str, str]:
        """Return the figures as published."""
        fixed = {"fixed_return": self.fixed_return} if self.fixed_return else {}
        return {**self.holds, **fixed, **{f"envy {name}": value for name, value in self.envy.items()}}


def _stake(table: EnvyTable) -> str:
    return "" if table.stake is None else f"${table.stake // 100}"


class _Published(Document):
    check: tuple[PublishedCheck, ...]


def published_checks() -> tuple[PublishedCheck, ...]:
    """Return every figure to be met."""
    return read_document(_Published, PUBLISHED).check
