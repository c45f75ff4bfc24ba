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
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER, Card, Deck
from houseway.errors import InvalidInputError
from houseway.houseways import Program
from houseway.houseways.batch import Settings, run_program, undecided
from houseway.houseways.proof import suit_classes
from houseway.odds.notes import Notes
from houseway.ranking import Ranking
from houseway.ranking.batch import strengths
from houseway.ranking.settings import dealer_strengths
from houseway.ranking.tables import part_table

if TYPE_CHECKING:
    from houseway.kernels.gathering import Level

Array = NDArray[Any]
Told = Callable[[int, int], None]
_MID_BITS: Final = 7
_LOW_BITS: Final = 4
_SMALL: Final = 64
_COUNTS: Final = 7
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
        """Return what a player-dealer gains of each wager they cover: what the players lose of it."""
        return Fraction(self.losses - self.wins, self.deals)


class Setter(Protocol):
    """Something that sets hands otherwise than by a house way."""

    @property
    def split(self) -> tuple[int, ...]:
        """The sizes of the parts, high first."""
        ...

    @property
    def ranking(self) -> Ranking:
        """What beats what."""
        ...

    def packed(self, hands: Array) -> Array:
        """Set sorted hands and return the packed strengths of their parts."""
        ...


Way = Program | Setter
"""How a side sets its hands."""


def main_game(
    player: Way,
    dealer: Way,
    deck: Deck | None = None,
    tell: Told | None = None,
    notes: Notes | None = None,
) -> MainGame:
    """Count the main game's results exactly, each side setting its hands its own way.

    With notes each level is kept as it is counted, and those that are kept are not counted again.
    """
    if player.ranking.id != dealer.ranking.id:
        raise InvalidInputError("both sides play the same game", value=dealer.ranking.id)
    cards = tuple(sorted((deck or Deck.standard()).cards))
    levels = notes.read() if notes else []
    every = sum(player.split) + 1
    sides = Sides(player, dealer, cards) if len(levels) < every else None
    while sides and len(levels) < every:
        if tell:
            tell(len(levels), every)
        levels.append([int(count) for count in sides.level(len(levels))])
        if notes:
            notes.write(levels)
    if tell:
        tell(every, every)
    counts = [sum((-1) ** level * found[i] for level, found in enumerate(levels)) for i in range(_COUNTS)]
    return _results(counts, len(player.split), deals_of(len(cards), every - 1))


class Sides:
    """Both sides' strengths for every hand of a deck, packed, with the lead part in the high bits."""

    def __init__(self, player: Way, dealer: Way, cards: tuple[int, ...]) -> None:
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

    def _table(self, way: Way, *, as_player: bool) -> tuple[Array, Array, Array]:
        """Return the packed strengths of every hand by its number, and of every class with its weight."""
        out = np.zeros(comb(len(self.cards), self.size), dtype=np.uint32)
        if len(self.cards) == FULL:
            from houseway.kernels.gathering import expand  # noqa: PLC0415 - numba only when it is needed

            orders = np.array(list(permutations(range(4))), dtype=np.int64)
            packed, weights = [], []
            for hands, weight in suit_classes(self.size):
                packed.append(pack_hands(way, hands, as_player=as_player))
                weights.append(weight)
                expand(hands, packed[-1], orders, self.binomials, out)
            return out, np.concatenate(packed), np.concatenate(weights)
        hands = np.array(list(combinations(self.cards, self.size)), dtype=np.uint8)
        values = pack_hands(way, hands, as_player=as_player)
        places = np.searchsorted(np.array(self.cards), hands)
        numbers = sum(self.binomials[p][places[:, p]] for p in range(self.size))
        out[numbers] = values
        return out, values, np.ones(len(values), dtype=np.int64)

    def class_numbers(self) -> Array:
        """Return, for every hand by its number, the number of its class."""
        numbers = np.arange(len(self.weights), dtype=np.uint32)
        out = np.zeros(len(self.mine), dtype=np.uint32)
        if len(self.cards) == FULL:
            from houseway.kernels.gathering import expand  # noqa: PLC0415 - numba only when it is needed

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
            return np.zeros(_COUNTS, dtype=object)  # a hand never beats itself
        sets = self.shared(level)
        if sets.room <= _SMALL:
            found = count_small(sets, self.mine, self.theirs, self.shift, self.parts)
        else:
            found = count_level(sets, self.mine, self.theirs, self.same, self.shift, self.parts)
        return np.array([int(x) for x in found.sum(axis=0)], dtype=object)

    def shared(self, level: int) -> Level:
        """Return the sets of so many shared cards as places in the deck, with their weights."""
        from houseway.kernels.gathering import Level  # noqa: PLC0415 - numba only when it is needed

        if len(self.cards) == FULL:
            blocks = [(hands.astype(np.int64), weights) for hands, weights in suit_classes(level)]
            rows, weights = (np.concatenate(column) for column in zip(*blocks, strict=True))
        else:
            rows = np.array(list(combinations(range(len(self.cards)), level)), dtype=np.int64)
            weights = np.ones(len(rows), dtype=np.int64)
        room = comb(len(self.cards) - level, self.size - level)
        return Level(rows, weights, len(self.cards), self.size, room, THREADS, self.binomials)


def deals_of(cards: int, size: int) -> int:
    """Return how many pairs of disjoint hands a deck has."""
    return comb(cards, size) * comb(cards - size, size)


def _results(counts: list[int], parts: int, deals: int) -> MainGame:
    """Turn dominance counts into wins, pushes and losses; copies are the dealer's."""
    lead_mid, lead_low, every, lead, mid, _, mid_low = counts
    if parts == 2:  # noqa: PLR2004 - both must win, both not higher is lost
        losses = deals - lead - mid + lead_mid
        return MainGame(lead_mid, deals - lead_mid - losses, losses)
    wins = lead_mid + lead_low + mid_low - 2 * every
    return MainGame(wins, 0, deals - wins)


def pack_hands(way: Way, hands: Array, *, as_player: bool) -> Array:
    """Set sorted hands and return the packed strengths of their parts."""
    if not isinstance(way, Program):
        return way.packed(hands)
    found = run_program(way, hands)
    bad = np.flatnonzero(found.settings < 0)
    if len(bad):
        raise undecided(found, int(bad[0]))
    return pack_parts([_dense(way, found, part, as_player=as_player) for part in range(len(way.split))])


def pack_parts(numbers: list[Array]) -> Array:
    """Pack the numbers of the parts' strengths into one, the lead part's in the high bits."""
    if len(numbers) == 2:  # noqa: PLR2004 - two parts
        return (numbers[0] << _MID_BITS | numbers[1]).astype(np.uint32)
    return (numbers[0] << _MID_BITS + _LOW_BITS | numbers[1] << _LOW_BITS | numbers[2]).astype(np.uint32)


def unpack_parts(packed: Array, parts: int) -> list[Array]:
    """Return the numbers of three parts' strengths; a part that the game does not have is nothing."""
    low = _LOW_BITS if parts > 2 else 0  # noqa: PLR2004 - three parts
    return [packed >> _MID_BITS + low, packed >> low & (1 << _MID_BITS) - 1, packed & (1 << low) - 1]


def packed_classes(way: Way, cards: tuple[int, ...], *, as_player: bool) -> Iterator[tuple[Array, Array]]:
    """Yield the packed strengths of every hand up to its suits, with how many hands each stands for."""
    size = sum(way.split)
    if len(cards) == FULL:
        for hands, weights in suit_classes(size):
            yield pack_hands(way, hands, as_player=as_player), weights
    else:
        hands = np.array(list(combinations(sorted(cards), size)), dtype=np.uint8)
        yield pack_hands(way, hands, as_player=as_player), np.ones(len(hands), dtype=np.int64)


def _dense(program: Program, found: Settings, part: int, *, as_player: bool) -> Array:
    """Return a part's strengths numbered without gaps, so that a table over them is small."""
    name = program.ranking.part_names[part]
    cards = found.parts(part)
    steps = ladder(program, part)
    found_strengths = strengths(program.ranking, name, cards)
    if part == 0 and not as_player:
        found_strengths = _as_dealer(program, found, found_strengths)
    numbers: Array = np.searchsorted(steps, found_strengths)
    if as_player and program.ranking.document.part[part].player_joker:
        numbers = np.where((cards == JOKER).any(axis=1), len(steps), numbers)
    return numbers


def _as_dealer(program: Program, found: Settings, lead: Array) -> Array:
    """Return the strengths of the dealer's first part, the joker in a run valued as the readings say."""
    option = program.ranking.document.joker.dealer_run_option
    if option is None or program.ranking.readings.get(option) != "as_completed":
        return lead
    valued, parts = lead.copy(), [found.parts(part) for part in range(len(program.split))]
    for row in np.flatnonzero((parts[0] == JOKER).any(axis=1)):
        setting = [tuple(Card(int(card)) for card in part[row]) for part in parts]
        valued[row] = dealer_strengths(program.ranking, setting)[0]
    return valued


def _distinct(values: Array, weights: Array) -> tuple[Array, Array]:
    """Return the values in order, each once, and how many hands hold each."""
    found, places = np.unique(values, return_inverse=True)
    return found, np.bincount(places, weights).astype(np.int32)


def ladder(program: Program, part: int) -> Array:
    """Return every strength that a part can have, in order."""
    steps: Array = np.unique(part_table(program.ranking, program.ranking.part_names[part]))
    return steps
