"""The exact value of every setting of one hand, against all hands of the unseen cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER, Card, Deck, WrongCountError, distinct, show, show_setting
from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay, Decision, decide
from houseway.odds.catalogue import PARTS
from houseway.odds.doubling import least_lead
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import ladder, lead_shift, packed_classes
from houseway.ranking import legal_settings
from houseway.ranking.settings import Setting, part_strengths

Array = NDArray[Any]


@dataclass(frozen=True)
class SettingOdds:
    """A setting of a hand: how many of the dealer's hands it wins, pushes and loses against."""

    setting: Setting
    wins: int
    pushes: int
    losses: int
    commission: Fraction = Fraction(0)
    doubling: int | None = None
    """Hands won less hands lost among those with which the dealer qualifies; None without a Double Down."""
    placed: bool = False
    """Whether the Double Down is placed already, so that it counts even at a loss."""

    @property
    def hands(self) -> int:
        """The number of hands the dealer can have."""
        return self.wins + self.pushes + self.losses

    @property
    def single(self) -> Fraction:
        """The mean win of a main wager of one, by itself."""
        return ((1 - self.commission) * self.wins - self.losses) / Fraction(self.hands)

    @property
    def double_adds(self) -> Fraction | None:
        """The mean gain from a Double Down, of the main wager; None where there is none."""
        return None if self.doubling is None else Fraction(self.doubling, self.hands)

    @property
    def doubles(self) -> bool:
        """Whether a Double Down pays, or is placed already."""
        return self.doubling is not None and (self.placed or self.doubling > 0)

    @property
    def expectation(self) -> Fraction:
        """The mean win of a main wager of one, doubled where that pays."""
        return self.single + ((self.double_adds or 0) if self.doubles else 0)

    def __str__(self) -> str:
        return f"{show_setting(self.setting)}: {float(self.expectation):+.4f}"


@dataclass(frozen=True)
class HandAdvice:
    """Every legal setting of a hand by its value, the best first, and the house way's setting."""

    settings: tuple[SettingOdds, ...]
    house_way: SettingOdds
    rule: str

    @property
    def best(self) -> SettingOdds:
        """The setting worth most."""
        return self.settings[0]

    @property
    def price(self) -> Fraction:
        """What the house way's setting gives up of a wager."""
        return self.best.expectation - self.house_way.expectation

    def of(self, setting: Setting) -> SettingOdds:
        """Return the odds of a setting of the hand; the order of cards within a part does not matter."""
        wanted = [frozenset(part) for part in setting]
        for option in self.settings:
            if [frozenset(part) for part in option.setting] == wanted:
                return option
        raise InvalidInputError("not a legal setting of the hand", value=show_setting(setting))


class Coach:
    """Values settings against one dealer's house way, whose setting of every hand it has in memory."""

    def __init__(
        self,
        dealer: CompiledWay,
        commission: Fraction = Fraction(0),
        table: Array | None = None,
        deck: Deck | None = None,
        *,
        doubling: bool = False,
    ) -> None:
        self.dealer, self.commission = dealer, commission
        self.least = least_lead(dealer) if doubling else None
        """The least lead with which the dealer qualifies, where players may double."""
        self.space = HandSpace(sum(dealer.split), deck)
        self.table = table if table is not None else dealer_table(dealer, self.space)
        self.ladders = [ladder(dealer, part) for part in range(len(dealer.split))]

    def advise(self, cards: Sequence[Card], seen: Sequence[Card] = (), *, placed: bool = False) -> HandAdvice:
        """Value every legal setting of a hand, given its cards and any others that were seen.

        Where players may double, a setting counts doubled or not, whichever is worth more; once the Double
        Down is ``placed``, doubled.
        """
        hand = distinct(sorted(cards))
        if len(hand) != self.space.size:
            raise WrongCountError(f"{self.space.size} cards needed, {len(hand)} given", value=show(hand))
        known = distinct(sorted((*hand, *seen)))
        unseen = [place for place, card in enumerate(self.space.cards) if card not in known]
        if len(unseen) < self.space.size:
            raise InvalidInputError("too few cards are left for the dealer", value=show(seen))
        legal = list(legal_settings(self.dealer.ranking, hand))
        numbers = np.array([self._number_parts(setting) for setting in legal], dtype=np.int64)
        wins, losses, doubling = self._count_against(unseen, numbers)
        every = comb(len(unseen), self.space.size)
        settings = [
            SettingOdds(
                setting, int(won), every - int(won) - int(lost), int(lost), self.commission, net, placed
            )
            for setting, won, lost, net in zip(legal, wins, losses, doubling, strict=True)
        ]
        advice = advice_about(self.dealer, settings, decide(self.dealer, hand))
        assert advice is not None, "the house way sets every hand legally"
        return advice

    def _number_parts(self, setting: Setting) -> tuple[int, ...]:
        """Return the number of each part's strength, the player's joker at its best."""
        order, numbers = self.dealer.ranking, []
        for terms, steps, part in zip(order.document.part, self.ladders, setting, strict=True):
            top = terms.player_joker and JOKER in part
            place = len(steps) if top else np.searchsorted(steps, order.strength(terms.name, part))
            numbers.append(int(place))
        return tuple(numbers)

    def _count_against(self, unseen: list[int], numbers: Array) -> tuple[Array, Array, list[int | None]]:
        """Return for each setting its wins and losses against the dealer's hands, and its Double Down net.

        The net is wins less losses against hands that qualify; None where there is no Double Down.
        """
        from houseway.kernels.unseen import Steps, count_unseen  # noqa: PLC0415 - numba when it is needed

        parts = numbers.shape[1]
        steps = [np.unique(numbers[:, part]) for part in range(parts)]
        if self.least is not None:
            steps[0] = np.unique(np.append(steps[0], self.least))
        # the step of a strength: how many of the hand's own strengths it is not below
        tables = [
            np.searchsorted(own, np.arange(len(ranks) + 1), side="right").astype(np.int32)
            for own, ranks in zip(steps, self.ladders, strict=True)
        ]
        sizes = [len(own) + 1 for own in steps] + [1] * (PARTS - parts)
        tables += [np.zeros(1, np.int32)] * (PARTS - parts)
        tops = np.array([(i, j) for i in range(len(unseen)) for j in range(i)], dtype=np.int64)
        out = np.zeros((len(tops), *sizes), np.int32)
        leads, mids, lows = tables
        packing = Steps(leads, mids, lows, lead_shift(parts), 4 if parts == PARTS else 0)
        count_unseen(
            np.array(unseen, dtype=np.int64),
            self.space.size,
            self.space.binomials,
            self.table,
            packing,
            tops,
            out,
        )
        counts = out.sum(axis=0, dtype=np.int64)
        own = [np.searchsorted(ranks, numbers[:, part]) for part, ranks in enumerate(steps)]
        wins, losses = count_results(counts, own)
        if self.least is None:
            return wins, losses, [None] * len(numbers)
        qualified = counts.copy()
        qualified[: int(np.searchsorted(steps[0], self.least)) + 1] = 0
        won, lost = count_results(qualified, own)
        return wins, losses, [int(net) for net in won - lost]


def advice_about(dealer: CompiledWay, settings: Sequence[SettingOdds], way: Decision) -> HandAdvice | None:
    """Return valued settings as advice, the best first; None if the house way's is not among them.

    Settings with equally strong parts are worth the same, so any of them represents the house way's.
    """
    ranked = tuple(sorted(settings, key=lambda option: option.expectation, reverse=True))
    wanted = part_strengths(dealer.ranking, way.setting)
    house = [option for option in ranked if part_strengths(dealer.ranking, option.setting) == wanted]
    same = [option for option in house if [*map(frozenset, option.setting)] == [*map(frozenset, way.setting)]]
    return HandAdvice(ranked, (same or house)[0], way.rule) if house else None


def count_results(counts: Array, own: list[Array]) -> tuple[Array, Array]:
    """Return wins and losses of settings against hands counted by step; equal steps are the dealer's."""
    wins, losses = np.zeros(len(own[0]), np.int64), np.zeros(len(own[0]), np.int64)
    for row, places in enumerate(zip(*own, strict=True)):
        # all that is below the hand's own n-th strength has a step of at most n
        ahead = np.zeros(counts.shape, np.int8)
        for part, place in enumerate(places):
            below = np.arange(counts.shape[part]) <= place
            ahead += np.expand_dims(below, [axis for axis in range(PARTS) if axis != part]).astype(np.int8)
        wins[row] = counts[ahead > 1].sum()
        losses[row] = counts[ahead == 0].sum() if len(places) < PARTS else counts[ahead < 2].sum()  # noqa: PLR2004
    return wins, losses


def dealer_table(dealer: CompiledWay, space: HandSpace) -> Array:
    """Return the packed strengths of the dealer's setting of every hand, by the hand's number."""
    return space.by_number(packed_classes(dealer, space, as_player=False))
