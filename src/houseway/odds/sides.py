"""Side wagers, exactly: every hand counted, every line of the paytable applied to its count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

from houseway.games import Rules, example_submission
from houseway.games.paytables import EnvyTable, Paytable
from houseway.games.submission import WagerChoice
from houseway.law.clauses import KnownCite
from houseway.law.documents import Document, read_document
from houseway.money import Basis, Cents, Odds
from houseway.ranking import Ranking
from houseway.ranking.batch import count_categories
from houseway.ranking.listing import NONE, Among, JokerMode
from houseway.settlement.envy import envy_amount

PUBLISHED: Final = Path(__file__).parent / "data" / "published.toml"


@dataclass(frozen=True)
class SideOdds:
    """The returns of a wager on a paytable, as fractions of the wager."""

    counts: dict[str, int]
    returns: dict[str, Fraction]
    meter_hands: dict[str, int]

    @property
    def total(self) -> int:
        """All hands."""
        return sum(self.counts.values())

    @property
    def fixed_return(self) -> Fraction:
        """The mean return of a wager, without the meter."""
        return sum((self.counts[h] * r for h, r in self.returns.items()), Fraction(0)) / self.total

    @property
    def hold(self) -> Fraction:
        """The house's part of the wager, without the meter."""
        return 1 - self.fixed_return

    @property
    def hit_frequency(self) -> Fraction:
        """How often the wager is paid something, or given back."""
        return Fraction(sum(self.counts[h] for h in {*self.returns, *self.meter_hands}), self.total)

    @property
    def variance(self) -> Fraction:
        """The variance of the return of a wager of one, without the meter."""
        squares = sum((self.counts[h] * r * r for h, r in self.returns.items()), Fraction(0))
        return squares / self.total - self.fixed_return**2


def percent(fraction: Fraction) -> str:
    """Write a fraction as a percentage with four places.

    >>> percent(Fraction(1, 3))
    '33.3333%'
    """
    return f"{float(100 * fraction):.4f}%"


def side_odds(rules: Rules, wager: str, table: Paytable | None = None) -> SideOdds:
    """Count every hand and apply the paytable in force, or another one.

    What beats what, what the joker is and what a line pays follow the submission's options and readings.
    Every figure of a side wager comes from here.
    """
    posted = table or rules.paytable(wager)
    mode, among = _hand_terms(rules, wager, posted)
    counts = _count_hands(rules.ranking(), wager, rules.game.hand_cards, mode, among)
    return _apply_payoffs(counts, {hand: rules.line_of(posted, hand).pays for hand in counts})


def _hand_terms(rules: Rules, wager: str, table: Paytable) -> tuple[JokerMode, Among]:
    """Return how a paytable reads hands: what the joker is, and which hands it lists if not all."""
    own = rules.terms(wager).own_paytable
    if own is None and table in rules.game.paytable:
        return "semi", None
    free = own is None or (own.joker is not None and own.joker.stands)
    return table.joker if free else "semi", table.hands_by_pay


def listed_tables(rules: Rules, wager: str) -> Iterator[tuple[Paytable, Rules]]:
    """Yield every paytable that the law lists for a wager, with the rules of a table that posts it."""
    submission, choice = rules.submission, rules.submission.wagers.get(wager, WagerChoice())
    for table in rules.game.paytables_of(wager):
        posting = choice.model_copy(update={"paytable": table.id, "own_paytable": None})
        other = submission.model_copy(update={"wagers": {**submission.wagers, wager: posting}})
        yield table, Rules(rules.game, other, rules.readings, rules.struck)


def _apply_payoffs(counts: dict[str, int], paid: dict[str, Odds]) -> SideOdds:
    """Apply what each hand is paid to the counts of the hands."""
    returns, meter_hands = {}, {}
    for hand, pays in paid.items():
        if pays.basis is Basis.METER:
            meter_hands[hand] = counts[hand]
        elif pays.basis is not Basis.LOSE:
            returns[hand] = pays.ratio + (pays.basis is not Basis.FOR)
    return SideOdds(counts, returns, meter_hands)


CountKey = tuple[int, JokerMode, tuple[tuple[str, str, str], ...]]
_COUNTED: Final[dict[CountKey, dict[str, int]]] = {}
"""The number of hands in each category, by the categories that are counted: paytables share them."""


def _count_hands(order: Ranking, wager: str, size: int, joker: JokerMode, among: Among) -> dict[str, int]:
    standing = order.listing(wager).standing(order.readings, among)
    key = (size, joker, tuple((category.name, category.joker, category.flush) for category in standing))
    if key not in _COUNTED:
        _COUNTED[key] = count_categories(order, wager, size, mode=joker, among=among)
    return _COUNTED[key]


OTHERS: Final = range(6)
"""The possible numbers of other players whose hands are envied."""


@dataclass(frozen=True)
class EnvyOdds:
    """The mean gain of an envy wager from each other player's hand, in cents, by one envy table."""

    wager: str
    paytable: str
    prices: EnvyTable
    stake: Cents
    """The least wager that this table pays here."""
    each: Fraction

    def gains(self) -> dict[int, str]:
        """Return the gains with zero to five other players, as parts of the wager."""
        return {others: percent(others * self.each / self.stake) for others in OTHERS}


def envy_odds(rules: Rules, wager: str) -> list[EnvyOdds]:
    """Return the odds of a wager's Envy Bonuses, by each envy table in use."""
    tables, terms = rules.envy_tables(wager), rules.terms(wager).envy
    if terms is None or not tables:
        return []
    counts = envied_hands(rules, wager)
    return [
        EnvyOdds(wager, rules.paytable(wager).id, prices, stake, _value_each(rules, counts, prices, stake))
        for stake, prices in tables
    ]


def envied_hands(rules: Rules, wager: str) -> dict[str, int]:
    """Count the hands that give an Envy Bonus, by category; ``none`` counts all others."""
    terms, order = rules.terms(wager).envy, rules.ranking()
    assert terms is not None, "the wager may earn Envy Bonuses"
    qualifier = order.qualifier(terms.qualifier)
    counts = _count_hands(order, qualifier.listing, rules.game.hand_cards, "semi", None)
    names = [category.name for category in order.listing(qualifier.listing).standing(order.readings)]
    enough = {*names[: names.index(qualifier.at_least) + 1]}
    given = {hand: count for hand, count in counts.items() if hand in enough}
    return given | {NONE: sum(counts.values()) - sum(given.values())}


def _value_each(rules: Rules, counts: dict[str, int], prices: EnvyTable, stake: Cents) -> Fraction:
    """Return the worth of one other player's hand to an envy wager, in cents."""
    paid = {
        hand: envy_amount(rules, prices.line(hand).pays, prices.stake, stake)
        for hand in counts
        if hand != NONE
    }
    return Fraction(sum(counts[hand] * amount for hand, amount in paid.items()), sum(counts.values()))


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
        odds: dict[str, SideOdds] = {}
        envy: dict[str, Fraction] = {}
        for table, rules in listed_tables(Rules.of(example_submission(self.game)), self.wager):
            odds[table.id] = side_odds(rules, self.wager)
            for odds_of in envy_odds(rules, self.wager):
                envy |= {table.id: odds_of.each, _stake_text(odds_of.prices): odds_of.each}
        figures = {name: percent(odds[name].hold) for name in self.holds}
        if self.fixed_return is not None:
            (only,) = odds.values()
            figures["fixed_return"] = percent(only.fixed_return)
        return figures | {f"envy {name}": f"${float(envy[name] / 100):.6f}" for name in self.envy}

    def expected(self) -> dict[str, str]:
        """Return the figures as published."""
        fixed = {"fixed_return": self.fixed_return} if self.fixed_return else {}
        return {**self.holds, **fixed, **{f"envy {name}": value for name, value in self.envy.items()}}


def _stake_text(table: EnvyTable) -> str:
    return "" if table.stake is None else f"${table.stake // 100}"


class _Published(Document):
    check: tuple[PublishedCheck, ...]


def published_checks() -> tuple[PublishedCheck, ...]:
    """Return every figure to be met."""
    return read_document(_Published, PUBLISHED).check
