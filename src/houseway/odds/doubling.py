"""The Double Down, exactly: what doubling is worth on every hand, and when it pays.

Against a dealer who qualifies, the Double Down has the main wager's result, else it comes back. Its
worth on a hand is the dealer hands beaten less those lost to, over all that qualify and share no card with
it. In a game of two parts that is a sum of one-part counts, and inclusion and exclusion over shared
cards gives it for every hand at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import RANKS, Deck
from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay
from houseway.odds.maingame import Sides, Told, ladder
from houseway.strength import pack

Array = NDArray[Any]
QUALIFIER: Final = "double_down_qualifier"


@dataclass(frozen=True)
class DoublingOdds:
    """The results of the Double Down, over every pair of hands."""

    deals: int
    hands: int
    doubled: int
    gain: int
    always: int
    by_category: dict[str, tuple[int, int]]

    @property
    def worth(self) -> Fraction:
        """The gain of a player who doubles exactly when it pays, of a main wager."""
        return Fraction(self.gain, self.deals)

    @property
    def share_doubled(self) -> Fraction:
        """The share of hands on which they double."""
        return Fraction(self.doubled, self.hands)


def double_down(
    player: CompiledWay, dealer: CompiledWay, deck: Deck | None = None, tell: Told | None = None
) -> DoublingOdds:
    """Value the Double Down on every hand, both sides set by their house ways."""
    if len(player.split) != 2:  # noqa: PLR2004 - a game of two parts
        raise InvalidInputError("the Double Down belongs to a game of two parts", value=player.ranking.id)
    sides = Sides.of((player,), (dealer,), deck)
    net = net_by_class(sides, least_lead(dealer), tell)
    pays = net > 0
    return DoublingOdds(
        deals=sides.space.deals,
        hands=int(sides.space.weights.sum()),
        doubled=int(sides.space.weights[pays].sum()),
        gain=sum(int(x) for x in net[pays]),
        always=sum(int(x) for x in net),
        by_category=_by_category(player, sides, pays),
    )


def least_lead(dealer: CompiledWay) -> int:
    """Return the number, among all high hands, of the least with which the dealer qualifies.

    The law tests all the dealer's cards; on every hand the high hand alone gives the same result.
    """
    qualifier = dealer.ranking.qualifier(QUALIFIER)
    part = dealer.ranking.document.part[0]
    levels = [category.name for category in reversed(part.category)]
    lead = RANKS.index(qualifier.lead) + 2 if qualifier.lead else 0
    least = pack(levels.index(qualifier.at_least), (lead,))
    return int(np.searchsorted(ladder(dealer, 0), least))


def net_by_class(sides: Sides, least: int, tell: Told | None = None) -> Array:
    """Return, for each class of hands, wins less losses against every qualifying hand, times its weight."""
    from houseway.kernels.pairs import net_by_class as count  # noqa: PLC0415 - numba when it is needed

    classes = sides.space.class_numbers()
    totals = np.zeros(len(sides.space.weights), dtype=np.int64)
    for level in range(sides.space.size + 1):
        if tell:
            tell(level, sides.space.size + 1)
        sets = sides.space.list_shared(level)
        sums = np.zeros((sets.threads, len(sides.space.weights)), dtype=np.int64)
        count(sets, sides.mine[0], sides.theirs[0], classes, least, sides.shift, sides.leads, sums)
        totals += (-1) ** level * sums.sum(axis=0)
    if tell:
        tell(sides.space.size + 1, sides.space.size + 1)
    return totals


def _by_category(player: CompiledWay, sides: Sides, pays: Array) -> dict[str, tuple[int, int]]:
    """Return, for each high hand, how many hands are set with it and on how many of them doubling pays."""
    part = player.ranking.document.part[0]
    names = [category.name for category in reversed(part.category)]
    steps = ladder(player, 0)
    levels = steps[np.minimum(sides.my_classes[0] >> sides.shift, len(steps) - 1)] >> 20
    return {
        name: (
            int(sides.space.weights[levels == level].sum()),
            int(sides.space.weights[(levels == level) & pays].sum()),
        )
        for level, name in enumerate(names)
    }
