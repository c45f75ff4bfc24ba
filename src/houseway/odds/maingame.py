"""The main game, exactly: every pair of disjoint hands, set by any two house ways.

For disjoint hands P and D and a count f that looks only at strengths,

    sum over disjoint (P, D) of f  =  sum over S of (-1)^|S| * sum over P, D that contain S of f

where S runs over the sets of cards that both could share. The inner sums are dominance counts, and by
suit symmetry S runs over classes: eight million sets in place of a quadrillion deals.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER, Card, Deck
from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay
from houseway.houseways.batch import Settings, run_program, undecided
from houseway.odds.handspace import HandSpace
from houseway.odds.notes import Notes
from houseway.ranking.batch import strengths
from houseway.ranking.held import all_kinds
from houseway.ranking.settings import dealer_strengths

Array = NDArray[Any]
Told = Callable[[int, int], None]
_MID_BITS: Final = 7
_LOW_BITS: Final = 4
PART_BITS: Final = {2: (_MID_BITS, 0), 3: (_MID_BITS + _LOW_BITS, _LOW_BITS, 0)}
"""Where each part's strength begins in a packed one, of two parts and of three."""
_SMALL: Final = 64
COUNTS: Final = 3
"""Pairs won and, in a game of two parts, those higher on the lead and on the other part."""


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
        """Return the house's part of a wager, with a commission on wins."""
        return Fraction(self.losses - self.wins, self.deals) + commission * Fraction(self.wins, self.deals)

    def variance(self, commission: Fraction = Fraction(0)) -> Fraction:
        """Return the variance of the win or loss of a wager of one, with a commission on wins."""
        squares = Fraction(self.wins, self.deals) * (1 - commission) ** 2 + Fraction(self.losses, self.deals)
        return squares - self.edge(commission) ** 2

    def banker_edge(self) -> Fraction:
        """Return what a player-dealer gains of each wager they cover, which is what the players lose."""
        return Fraction(self.losses - self.wins, self.deals)


def main_game(
    player: CompiledWay,
    dealer: CompiledWay,
    deck: Deck | None = None,
    tell: Told | None = None,
    notes: Notes | None = None,
) -> MainGame:
    """Count the main game's results exactly, each side setting its hands its own way.

    With notes each level is stored once it is counted, and not counted again.
    """
    ((game,),) = main_games((player,), (dealer,), deck, tell, notes)
    return game


def main_games(
    players: Sequence[CompiledWay],
    dealers: Sequence[CompiledWay],
    deck: Deck | None = None,
    tell: Told | None = None,
    notes: Notes | None = None,
    only: Collection[tuple[int, int]] | None = None,
) -> list[list[MainGame]]:
    """Count the main game of every player's way against every dealer's, all in one pass over the cards.

    With ``only`` just these pairs, a player's place and a dealer's, are counted; the others are 0.
    """
    order = players[0].ranking
    for way in (*players, *dealers):
        if way.ranking.id != order.id:
            raise InvalidInputError("both sides play the same game", value=way.ranking.id)
    levels = notes.read() if notes else []
    every = sum(players[0].split) + 1
    sides = Sides.of(players, dealers, deck, only) if len(levels) < every else None
    while sides and len(levels) < every:
        if tell:
            tell(len(levels), every)
        levels.append([int(count) for count in sides.level(len(levels)).ravel()])
        if notes:
            notes.write(levels)
    if tell:
        tell(every, every)
    totals = [
        sum((-1) ** level * counts[i] for level, counts in enumerate(levels)) for i in range(len(levels[0]))
    ]
    deals, parts = HandSpace(every - 1, deck).deals, len(order.split)
    each = iter([totals[i : i + COUNTS] for i in range(0, len(totals), COUNTS)])
    return [[main_game_of(next(each), parts, deals) for _ in dealers] for _ in players]


@dataclass(frozen=True)
class Sides:
    """Both sides' packed strengths for every hand of a deck, by class and by number, for each way."""

    space: HandSpace
    parts: int
    my_classes: tuple[Array, ...]
    their_classes: tuple[Array, ...]
    mine: tuple[Array, ...]
    theirs: tuple[Array, ...]
    wanted: Array
    """For each pair of a player's way and a dealer's whether it is counted."""

    @classmethod
    def of(
        cls,
        players: Sequence[CompiledWay],
        dealers: Sequence[CompiledWay],
        deck: Deck | None = None,
        only: Collection[tuple[int, int]] | None = None,
    ) -> Sides:
        """Set every hand each way."""
        wanted = np.full((len(players), len(dealers)), only is None)
        for pair in only or ():
            wanted[pair] = True
        space = HandSpace(sum(players[0].split), deck)
        alike = is_symmetric(players[0])
        known = {id(way): packed_classes(way, space, as_player=True) for way in players}
        mine = tuple(known[id(way)] for way in players)
        theirs = tuple(
            known[id(way)] if alike and id(way) in known else packed_classes(way, space, as_player=False)
            for way in dealers
        )
        each = {id(classes): classes for classes in (*mine, *theirs)}
        tables = {key: space.by_number(classes) for key, classes in each.items()}
        return cls(
            space,
            len(players[0].split),
            mine,
            theirs,
            tuple(tables[id(classes)] for classes in mine),
            tuple(tables[id(classes)] for classes in theirs),
            wanted,
        )

    def with_first(self, classes: Array, table: Array) -> Sides:
        """Return the sides with their first way's strengths replaced, by class and by number."""
        return replace(
            self,
            my_classes=(classes, *self.my_classes[1:]),
            their_classes=(classes, *self.their_classes[1:]),
            mine=(table, *self.mine[1:]),
            theirs=(table, *self.theirs[1:]),
        )

    @property
    def shift(self) -> int:
        """The bits below the lead part's strength."""
        return lead_shift(self.parts)

    @property
    def leads(self) -> int:
        """The number of strengths that the lead part can have."""
        highest = max(int(classes.max()) for classes in (*self.my_classes, *self.their_classes))
        return (highest >> self.shift) + 1

    def level(self, level: int) -> Array:
        """Return the counts of one level for every pair of ways: over every set of ``level`` shared cards."""
        from houseway.kernels.pairs import count_level, count_small  # noqa: PLC0415

        if level == 0:
            return self._count_all_pairs()
        if level == self.space.size:
            return self._count_same_cards()
        sets = self.space.list_shared(level)
        mine, theirs, wanted = _pad_pairs(self.mine, self.theirs, self.wanted)
        same = np.array([_find_table(table, mine, wanted) for table in theirs])
        if sets.room <= _SMALL:
            counts = count_small(sets, mine, theirs, same, wanted, self.shift, self.parts)
        else:
            counts = count_level(sets, mine, theirs, same, wanted, self.shift, self.parts, self.leads)
        totals: Array = counts.sum(axis=0)[: len(self.mine), : len(self.theirs)]
        return totals

    def _count_all_pairs(self) -> Array:
        """Count all pairs of hands, including those that share cards."""
        from houseway.kernels.pairs import count_all  # noqa: PLC0415 - numba only when it is needed

        each = {id(classes): classes for classes in (*self.my_classes, *self.their_classes)}
        occurring = {key: count_values(classes, self.space.weights) for key, classes in each.items()}
        sides = (self.my_classes, self.their_classes)
        mine, theirs = ([occurring[id(classes)] for classes in side] for side in sides)
        counts = np.array([[count_all(*a, *b, self.shift, self.parts) for b in theirs] for a in mine])
        return counts * self.wanted[:, :, None]

    def _count_same_cards(self) -> Array:
        """Count each hand against itself, set by either side."""
        mine, theirs = self.my_classes, self.their_classes
        counts = np.array([[self._count_against_itself(a, b) for b in theirs] for a in mine])
        return counts * self.wanted[:, :, None]

    def _count_against_itself(self, mine: Array, theirs: Array) -> list[int]:
        higher = [
            a > b
            for a, b in zip(unpack_parts(mine, self.parts), unpack_parts(theirs, self.parts), strict=True)
        ]
        wins = sum(part.astype(np.int8) for part in higher) > 1
        return [int(self.space.weights[rows].sum()) for rows in (wins, *higher[:2])]


def _pad_pairs(
    mine: tuple[Array, ...], theirs: tuple[Array, ...], wanted: Array
) -> tuple[tuple[Array, ...], tuple[Array, ...], Array]:
    """Return at least two ways on each side, the added ones not wanted: one and two compile alike."""
    pairs = np.zeros((max(2, len(mine)), max(2, len(theirs))), dtype=bool)
    pairs[: len(mine), : len(theirs)] = wanted
    more, others = (2 - len(mine)) * mine[:1], (2 - len(theirs)) * theirs[:1]
    return mine + more, theirs + others, pairs


def _find_table(table: Array, among: tuple[Array, ...], wanted: Array) -> int:
    """Return the place of a table among those that are counted, or -1."""
    return next((i for i, other in enumerate(among) if other is table and wanted[i].any()), -1)


def is_symmetric(way: CompiledWay) -> bool:
    """Return whether a hand is worth the same to a player and to the dealer, apart from copies."""
    document = way.ranking.document
    return document.joker.dealer_run_option is None and not any(part.player_joker for part in document.part)


def main_game_of(counts: list[int], parts: int, deals: int) -> MainGame:
    """Turn dominance counts into wins, pushes and losses; copies are the dealer's."""
    wins, lead, mid = counts
    if parts == 2:  # noqa: PLR2004 - both must win, both not higher is lost
        losses = deals - lead - mid + wins
        return MainGame(wins, deals - wins - losses, losses)
    return MainGame(wins, 0, deals - wins)


@dataclass(frozen=True)
class Packing:
    """The packing of a side's settings into strengths."""

    way: CompiledWay
    as_player: bool
    ladders: tuple[Array, ...]

    @classmethod
    def of(cls, way: CompiledWay, *, as_player: bool) -> Packing:
        """Return the packing of a way, with the strengths that each part can have."""
        return cls(way, as_player, tuple(ladder(way, part) for part in range(len(way.split))))

    def hands(self, hands: Array) -> Array:
        """Set sorted hands and return the packed strengths of their parts."""
        outcome = run_program(self.way, hands)
        bad = np.flatnonzero(outcome.settings < 0)
        if len(bad):
            raise undecided(outcome, int(bad[0]))
        return pack_parts([self._number_strengths(outcome, part) for part in range(len(self.ladders))])

    def _number_strengths(self, settings: Settings, part: int) -> Array:
        """Return a part's strengths numbered without gaps, so that a table over them is small."""
        order, steps, cards = self.way.ranking, self.ladders[part], settings.parts(part)
        packed = strengths(order, order.part_names[part], cards)
        if part == 0 and not self.as_player:
            packed = _value_as_dealer(self.way, settings, packed)
        numbers: Array = np.searchsorted(steps, packed)
        if self.as_player and order.document.part[part].player_joker:
            numbers = np.where((cards == JOKER).any(axis=1), len(steps), numbers)
        return numbers


def pack_parts(numbers: list[Array]) -> Array:
    """Pack the numbers of the parts' strengths into one, the lead part's in the high bits."""
    if len(numbers) == 2:  # noqa: PLR2004 - two parts
        return (numbers[0] << _MID_BITS | numbers[1]).astype(np.uint32)
    return (numbers[0] << _MID_BITS + _LOW_BITS | numbers[1] << _LOW_BITS | numbers[2]).astype(np.uint32)


def unpack_parts(packed: Array, parts: int) -> list[Array]:
    """Return the numbers of three parts' strengths; 0 for a part that the game does not have."""
    low = _LOW_BITS if parts > 2 else 0  # noqa: PLR2004 - three parts
    return [packed >> _MID_BITS + low, packed >> low & (1 << _MID_BITS) - 1, packed & (1 << low) - 1]


def packed_classes(way: CompiledWay, space: HandSpace, *, as_player: bool) -> Array:
    """Return the packed strengths of every class of hands, set a way."""
    packing = Packing.of(way, as_player=as_player)
    return np.concatenate([packing.hands(hands) for hands, _ in space.classes()])


def lead_shift(parts: int) -> int:
    """Return the bits below the lead part's strength in a packed one."""
    return _MID_BITS + (_LOW_BITS if parts > 2 else 0)  # noqa: PLR2004 - three parts


def _value_as_dealer(program: CompiledWay, settings: Settings, lead: Array) -> Array:
    """Return the strengths of the dealer's first part, the joker in a run valued as the readings say."""
    option = program.ranking.document.joker.dealer_run_option
    if option is None or program.ranking.readings.get(option) != "as_completed":
        return lead
    valued, parts = lead.copy(), [settings.parts(part) for part in range(len(program.split))]
    for row in np.flatnonzero((parts[0] == JOKER).any(axis=1)):
        setting = [tuple(Card(int(card)) for card in part[row]) for part in parts]
        valued[row] = dealer_strengths(program.ranking, setting)[0]
    return valued


def count_values(values: Array, weights: Array) -> tuple[Array, Array]:
    """Return the values in order, each once, and how many hands have each."""
    many = np.bincount(values, weights).astype(np.int64)  # exact: fewer hands than 2 to the 53rd
    occurring = np.flatnonzero(many)
    return occurring.astype(np.uint32), many[occurring]


def kind_strengths(program: CompiledWay, part: int) -> Array:
    """Return the strength of every kind of hand that a part can be: a second faster than for every hand."""
    order, terms = program.ranking, program.ranking.document.part[part]
    return np.array([order.rank_kind(terms.name, kind).strength for kind in all_kinds(terms.cards)], np.int32)


def ladder(program: CompiledWay, part: int) -> Array:
    """Return every strength that a part can have, in order."""
    steps: Array = np.unique(kind_strengths(program, part))
    return steps
