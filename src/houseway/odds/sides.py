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


def side_odds(rules: Rules, wager: str, table: Paytable | None = None) -> SideOdds:
    """Count every hand and apply the paytable in force, or another one that is looked at.

    What beats what, what the joker is and what a line pays are as the submission's options and readings
    have them. Whoever prints a figure of a side wager asks here.
    """
    of = table or rules.paytable(wager)
    mode, among = _looked_at(rules, wager, of)
    counts = _counts(rules.ranking(), wager, rules.game.hand_cards, mode, among)
    return _applied(counts, {hand: rules.line_of(of, hand).pays for hand in counts})


def _looked_at(rules: Rules, wager: str, table: Paytable) -> tuple[JokerMode, Among]:
    """Return how a paytable has hands looked at: what the joker is, and which hands it lists if not all."""
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


def _applied(counts: dict[str, int], paid: dict[str, Odds]) -> SideOdds:
    """Apply what each hand is paid to the counts of the hands."""
    returns, meter_hands = {}, {}
    for hand, pays in paid.items():
        if pays.basis is Basis.METER:
            meter_hands[hand] = counts[hand]
        elif pays.basis is not Basis.LOSE:
            returns[hand] = pays.ratio + (pays.basis is not Basis.FOR)
    return SideOdds(counts, returns, meter_hands)


Counted = tuple[int, JokerMode, tuple[tuple[str, str, str], ...]]
_COUNTED: Final[dict[Counted, dict[str, int]]] = {}
"""The hands that make each category, by the categories that are counted: paytables share them."""


def _counts(order: Ranking, wager: str, size: int, joker: JokerMode, among: Among) -> dict[str, int]:
    standing = order.listing(wager).standing(order.readings, among)
    key = (size, joker, tuple((category.name, category.joker, category.flush) for category in standing))
    if key not in _COUNTED:
        _COUNTED[key] = count_categories(order, wager, size, mode=joker, among=among)
    return _COUNTED[key]


OTHERS: Final = range(6)
"""How many other players there may be whose hands are envied."""


@dataclass(frozen=True)
class EnvyOdds:
    """What an envy wager gains on average from each other player's hand, in cents, by one envy table."""

    wager: str
    paytable: str
    prices: EnvyTable
    stake: Cents
    """The least wager that the table is paid to here."""
    each: Fraction

    def gains(self) -> dict[int, str]:
        """Return what is gained beside nought to five other players, as part of the wager."""
        return {others: percent(others * self.each / self.stake) for others in OTHERS}


def envy_odds(rules: Rules, wager: str) -> list[EnvyOdds]:
    """Return what the Envy Bonuses of a wager are worth, by each envy table that is in use."""
    tables, terms = rules.envy_tables(wager), rules.terms(wager).envy
    if terms is None or not tables:
        return []
    counts = envied_hands(rules, wager)
    return [
        EnvyOdds(wager, rules.paytable(wager).id, prices, stake, _each(rules, counts, prices, stake))
        for stake, prices in tables
    ]


def envied_hands(rules: Rules, wager: str) -> dict[str, int]:
    """Count, of all hands, those that give an Envy Bonus, by what they make; ``none`` is all the others."""
    terms, order = rules.terms(wager).envy, rules.ranking()
    assert terms is not None, "asked of a wager that may earn Envy Bonuses"
    qualifier = order.qualifier(terms.qualifier)
    counts = _counts(order, qualifier.listing, rules.game.hand_cards, "semi", None)
    names = [category.name for category in order.listing(qualifier.listing).standing(order.readings)]
    enough = {*names[: names.index(qualifier.at_least) + 1]}
    given = {hand: count for hand, count in counts.items() if hand in enough}
    return given | {NONE: sum(counts.values()) - sum(given.values())}


def _each(rules: Rules, counts: dict[str, int], prices: EnvyTable, stake: Cents) -> Fraction:
    """Return what one other player's hand is worth to an envy wager, in cents."""
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
            for one in envy_odds(rules, self.wager):
                envy |= {table.id: one.each, _stake(one.prices): one.each}
        figures = {name: percent(odds[name].hold) for name in self.holds}
        if self.fixed_return is not None:
            (only,) = odds.values()
            figures["fixed_return"] = percent(only.fixed_return)
        return figures | {f"envy {name}": f"${float(envy[name] / 100):.6f}" for name in self.envy}

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
