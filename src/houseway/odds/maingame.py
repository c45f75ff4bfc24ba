"""The main game, exactly: every pair of disjoint hands, set by any two house ways.

For disjoint hands P and D and a count f that looks only at strengths,

    sum over disjoint (P, D) of f  =  sum over S of (-1)^|S| * sum over P, D that contain S of f

where S runs over the sets of cards that both could share. The inner sums are dominance counts, and by
suit symmetry S runs over classes: eight million sets in place of a quadrillion deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER, Deck
from houseway.errors import InvalidInputError
from houseway.houseways import Program
from houseway.houseways.batch import Settings, run_program, undecided
from houseway.houseways.proof import suit_classes
from houseway.ranking.batch import strengths
from houseway.ranking.tables import part_table

Array = NDArray[Any]
Told = Callable[[int, int], None]
_MID_BITS: Final = 7
_LOW_BITS: Final = 4
_SMALL: Final = 64
THREADS: Final = 2
FULL: Final = 53


@dataclass(frozen=True)
class MainGame:
    """How often the main wager wins, pushes and loses, over every pair of hands."""

    wins: int
    pushes: int
    losses: int

    @property
    def deals(self) -> int:
        """All pairs of disjoint hands."""
        return self.wins + self.pushes + self.losses

    def edge(self, commission: Fraction = Fraction(0)) -> Fraction:
        """Return the house's part of a wager, a commission taken on wins."""
        return Fraction(self.losses - self.wins, self.deals) + commission * Fraction(self.wins, self.deals)

    def banker_edge(self) -> Fraction:
        """Return what a player-dealer gains of each wager he covers: what the players lose of it."""
        return Fraction(self.losses - self.wins, self.deals)


def main_game(
    player: Program, dealer: Program, deck: Deck | None = None, tell: Told | None = None
) -> MainGame:
    """Count the main game's results exactly, each side set by its house way."""
    if player.ranking.id != dealer.ranking.id:
        raise InvalidInputError("both sides play the same game", value=dealer.ranking.id)
    cards = tuple(sorted((deck or Deck.standard()).cards))
    sides = Sides(player, dealer, cards)
    counts = np.zeros(7, dtype=object)
    for level in range(sides.size + 1):
        if tell:
            tell(level, sides.size + 1)
        counts += (-1) ** level * sides.level(level)
    if tell:
        tell(sides.size + 1, sides.size + 1)
    return sides.results([int(count) for count in counts])


class Sides:
    """Both sides' strengths for every hand of a deck, packed, with the lead part in the high bits."""

    def __init__(self, player: Program, dealer: Program, cards: tuple[int, ...]) -> None:
        self.split, self.cards = player.split, cards
        self.size = sum(player.split)
        self.parts = len(player.split)
        self.shift = _MID_BITS + (_LOW_BITS if self.parts > 2 else 0)  # noqa: PLR2004 - three parts
        self.binomials = np.array(
            [[comb(card, place + 1) for card in range(len(cards))] for place in range(self.size)],
            dtype=np.int64,
        )
        asymmetric = any(part.player_joker for part in player.ranking.document.part)
        self.same = player is dealer and not asymmetric
        self.mine, self.my_classes, self.weights = self._table(player, as_player=True)
        self.theirs, self.their_classes = self.mine, self.my_classes
        if not self.same:
            self.theirs, self.their_classes, _ = self._table(dealer, as_player=False)
        self.leads = int(max(self.mine.max(), self.theirs.max()) >> self.shift) + 1

    def _table(self, program: Program, *, as_player: bool) -> tuple[Array, Array, Array]:
        """Return the packed strengths of every hand by its number, and of every class with its weight."""
        out = np.zeros(comb(len(self.cards), self.size), dtype=np.uint32)
        if len(self.cards) == FULL:
            from houseway.kernels.maingame import expand  # noqa: PLC0415 - numba only when it is needed

            orders = np.array(list(permutations(range(4))), dtype=np.int64)
            packed, weights = [], []
            for hands, weight in suit_classes(self.size):
                packed.append(self._packed(program, hands, as_player=as_player))
                weights.append(weight)
                expand(hands, packed[-1], orders, self.binomials, out)
            return out, np.concatenate(packed), np.concatenate(weights)
        rows = list(combinations(self.cards, self.size))
        hands = np.array(rows, dtype=np.uint8)
        values = self._packed(program, hands, as_player=as_player)
        places = np.searchsorted(np.array(self.cards), hands)
        numbers = sum(self.binomials[p][places[:, p]] for p in range(self.size))
        out[numbers] = values
        return out, values, np.ones(len(values), dtype=np.int64)

    def _packed(self, program: Program, hands: Array, *, as_player: bool) -> Array:
        found = run_program(program, hands)
        bad = np.flatnonzero(found.settings < 0)
        if len(bad):
            raise undecided(found, int(bad[0]))
        dense = [self._dense(program, found, part, as_player=as_player) for part in range(self.parts)]
        if self.parts == 2:  # noqa: PLR2004 - two parts
            return (dense[0] << _MID_BITS | dense[1]).astype(np.uint32)
        return (dense[0] << _MID_BITS + _LOW_BITS | dense[1] << _LOW_BITS | dense[2]).astype(np.uint32)

    def _dense(self, program: Program, found: Settings, part: int, *, as_player: bool) -> Array:
        """Return a part's strengths numbered without gaps, so that a table over them is small."""
        name = program.ranking.part_names[part]
        cards = found.parts(part)
        steps = ladder(program, part)
        numbers: Array = np.searchsorted(steps, strengths(program.ranking, name, cards))
        if as_player and program.ranking.document.part[part].player_joker:
            numbers = np.where((cards == JOKER).any(axis=1), len(steps), numbers)
        return numbers

    def class_numbers(self) -> Array:
        """Return, for every hand by its number, the number of its class."""
        numbers = np.arange(len(self.weights), dtype=np.uint32)
        out = np.zeros(len(self.mine), dtype=np.uint32)
        if len(self.cards) == FULL:
            from houseway.kernels.maingame import expand  # noqa: PLC0415 - numba only when it is needed

            orders = np.array(list(permutations(range(4))), dtype=np.int64)
            first = 0
            for hands, weights in suit_classes(self.size):
                expand(hands, numbers[first : first + len(weights)], orders, self.binomials, out)
                first += len(weights)
            return out
        places = np.array(list(combinations(range(len(self.cards)), self.size)), dtype=np.int64)
        out[sum(self.binomials[p][places[:, p]] for p in range(self.size))] = numbers
        return out

    def level(self, level: int) -> Array:
        """Return the counts of one level: over every set of so many shared cards."""
        from houseway.kernels.maingame import count_all, count_level, count_small  # noqa: PLC0415

        if level == 0:
            mine, my_many = _distinct(self.my_classes, self.weights)
            theirs, their_many = _distinct(self.their_classes, self.weights)
            found = count_all(mine, my_many, theirs, their_many, self.shift, self.parts)
            return np.array([int(x) for x in found], dtype=object)
        if level == self.size and self.same:
            return np.zeros(7, dtype=object)  # a hand never beats itself
        room = comb(len(self.cards) - level, self.size - level)
        total = np.zeros(7, dtype=object)
        for shared, weights in self.shared(level):
            common = (shared, weights, len(self.cards), self.size, room, THREADS, self.binomials)
            if room <= _SMALL:
                found = count_small(*common, self.mine, self.theirs, self.shift, self.parts)
            else:
                found = count_level(*common, self.mine, self.theirs, self.same, self.shift, self.parts)
            total += np.array([int(x) for x in found.sum(axis=0)], dtype=object)
        return total

    def shared(self, level: int) -> Iterator[tuple[Array, Array]]:
        """Yield the shared sets of a level as places in the deck, with their weights."""
        if len(self.cards) == FULL:
            blocks = [(hands.astype(np.int64), weights) for hands, weights in suit_classes(level)]
            yield np.concatenate([h for h, _ in blocks]), np.concatenate([w for _, w in blocks])
        else:
            rows = np.array(list(combinations(range(len(self.cards)), level)), dtype=np.int64)
            yield rows, np.ones(len(rows), dtype=np.int64)

    def results(self, counts: list[int]) -> MainGame:
        """Turn dominance counts into wins, pushes and losses; copies are the dealer's."""
        lead_mid, lead_low, every, lead, mid, _, mid_low = counts
        deals = comb(len(self.cards), self.size) * comb(len(self.cards) - self.size, self.size)
        if self.parts == 2:  # noqa: PLR2004 - both must win, both not higher is lost
            losses = deals - lead - mid + lead_mid
            return MainGame(lead_mid, deals - lead_mid - losses, losses)
        wins = lead_mid + lead_low + mid_low - 2 * every
        return MainGame(wins, 0, deals - wins)


def _distinct(values: Array, weights: Array) -> tuple[Array, Array]:
    """Return the values in order, each once, and how many hands hold each."""
    found, places = np.unique(values, return_inverse=True)
    return found, np.bincount(places, weights).astype(np.int32)


def ladder(program: Program, part: int) -> Array:
    """Return every strength that a part can have, in order."""
    steps: Array = np.unique(part_table(program.ranking, program.ranking.part_names[part]))
    return steps
