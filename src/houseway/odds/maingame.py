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
from houseway.houseways import Program
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
        """Return the house's part of a wager, a commission taken on wins."""
        return Fraction(self.losses - self.wins, self.deals) + commission * Fraction(self.wins, self.deals)

    def variance(self, commission: Fraction = Fraction(0)) -> Fraction:
        """Return the variance of what one wager of one wins or loses, a commission taken on wins."""
        squares = Fraction(self.wins, self.deals) * (1 - commission) ** 2 + Fraction(self.losses, self.deals)
        return squares - self.edge(commission) ** 2

    def banker_edge(self) -> Fraction:
        """Return what a player-dealer gains of each wager they cover: what the players lose of it."""
        return Fraction(self.losses - self.wins, self.deals)


def main_game(
    player: Program,
    dealer: Program,
    deck: Deck | None = None,
    tell: Told | None = None,
    notes: Notes | None = None,
) -> MainGame:
    """Count the main game's results exactly, each side setting its hands its own way.

    With notes each level is kept as it is counted, and those that are kept are not counted again.
    """
    ((found,),) = main_games((player,), (dealer,), deck, tell, notes)
    return found


def main_games(
    players: Sequence[Program],
    dealers: Sequence[Program],
    deck: Deck | None = None,
    tell: Told | None = None,
    notes: Notes | None = None,
    only: Collection[tuple[int, int]] | None = None,
) -> list[list[MainGame]]:
    """Count the main game of every player's way against every dealer's, all in one pass over the cards.

    With ``only`` just these pairs, a player's place and a dealer's, are counted; the others come out as 0.
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
        sum((-1) ** level * found[i] for level, found in enumerate(levels)) for i in range(len(levels[0]))
    ]
    deals, parts = HandSpace(every - 1, deck).deals, len(order.split)
    each = iter([totals[i : i + COUNTS] for i in range(0, len(totals), COUNTS)])
    return [[main_game_of(next(each), parts, deals) for _ in dealers] for _ in players]


@dataclass(frozen=True)
class Sides:
    """Both sides' strengths for every hand of a deck, by class and by number, packed with the lead part in
    the high bits: of each way that the players set by, and of each that the dealer does.
    """

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
        players: Sequence[Program],
        dealers: Sequence[Program],
        deck: Deck | None = None,
        only: Collection[tuple[int, int]] | None = None,
    ) -> Sides:
        """Set every hand each way."""
        wanted = np.full((len(players), len(dealers)), only is None)
        for pair in only or ():
            wanted[pair] = True
        space = HandSpace(sum(players[0].split), deck)
        alike = symmetric(players[0])
        known = {id(way): packed_classes(way, space, as_player=True) for way in players}
        mine = tuple(known[id(way)] for way in players)
        theirs = tuple(
            known[id(way)] if alike and id(way) in known else packed_classes(way, space, as_player=False)
            for way in dealers
        )
        each = {id(one): one for one in (*mine, *theirs)}
        tables = {key: space.by_number(one) for key, one in each.items()}
        return cls(
            space,
            len(players[0].split),
            mine,
            theirs,
            tuple(tables[id(one)] for one in mine),
            tuple(tables[id(one)] for one in theirs),
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
        """How far up the lead part's strength stands."""
        return lead_shift(self.parts)

    @property
    def leads(self) -> int:
        """How many strengths the lead part can have."""
        highest = max(int(one.max()) for one in (*self.my_classes, *self.their_classes))
        return (highest >> self.shift) + 1

    def level(self, level: int) -> Array:
        """Return the counts of one level, for every pair of ways: over every set of so many shared cards."""
        from houseway.kernels.pairs import count_level, count_small  # noqa: PLC0415

        if level == 0:
            return self._all()
        if level == self.space.size:
            return self._same_cards()
        sets = self.space.shared(level)
        mine, theirs, wanted = _paired(self.mine, self.theirs, self.wanted)
        same = np.array([_place_of(one, mine, wanted) for one in theirs])
        if sets.room <= _SMALL:
            found = count_small(sets, mine, theirs, same, wanted, self.shift, self.parts)
        else:
            found = count_level(sets, mine, theirs, same, wanted, self.shift, self.parts, self.leads)
        totals: Array = found.sum(axis=0)[: len(self.mine), : len(self.theirs)]
        return totals

    def _all(self) -> Array:
        """Count all pairs of hands, whatever they share."""
        from houseway.kernels.pairs import count_all  # noqa: PLC0415 - numba only when it is needed

        each = {id(one): one for one in (*self.my_classes, *self.their_classes)}
        held = {key: distinct(one, self.space.weights) for key, one in each.items()}
        mine, theirs = ([held[id(one)] for one in side] for side in (self.my_classes, self.their_classes))
        found = np.array([[count_all(*a, *b, self.shift, self.parts) for b in theirs] for a in mine])
        return found * self.wanted[:, :, None]

    def _same_cards(self) -> Array:
        """Count each hand against itself, set by either side."""
        found = np.array([[self._against_itself(a, b) for b in self.their_classes] for a in self.my_classes])
        return found * self.wanted[:, :, None]

    def _against_itself(self, mine: Array, theirs: Array) -> list[int]:
        higher = [
            a > b
            for a, b in zip(unpack_parts(mine, self.parts), unpack_parts(theirs, self.parts), strict=True)
        ]
        wins = sum(part.astype(np.int8) for part in higher) > 1
        return [int(self.space.weights[rows].sum()) for rows in (wins, *higher[:2])]


def _paired(
    mine: tuple[Array, ...], theirs: tuple[Array, ...], wanted: Array
) -> tuple[tuple[Array, ...], tuple[Array, ...], Array]:
    """Return at least two ways on each side, the added ones not wanted: so one or two compile alike."""
    pairs = np.zeros((max(2, len(mine)), max(2, len(theirs))), dtype=bool)
    pairs[: len(mine), : len(theirs)] = wanted
    more, others = (2 - len(mine)) * mine[:1], (2 - len(theirs)) * theirs[:1]
    return mine + more, theirs + others, pairs


def _place_of(table: Array, among: tuple[Array, ...], wanted: Array) -> int:
    """Return which of the tables that are looked at a table is, or -1."""
    return next((i for i, one in enumerate(among) if one is table and wanted[i].any()), -1)


def symmetric(way: Program) -> bool:
    """Whether a hand is worth the same to a player and to the dealer, apart from copies."""
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
    """How a side's settings of a game become packed strengths."""

    way: Program
    as_player: bool
    ladders: tuple[Array, ...]

    @classmethod
    def of(cls, way: Program, *, as_player: bool) -> Packing:
        """Look up once what strengths each part can have."""
        return cls(way, as_player, tuple(ladder(way, part) for part in range(len(way.split))))

    def hands(self, hands: Array) -> Array:
        """Set sorted hands and return the packed strengths of their parts."""
        found = run_program(self.way, hands)
        bad = np.flatnonzero(found.settings < 0)
        if len(bad):
            raise undecided(found, int(bad[0]))
        return pack_parts([self._dense(found, part) for part in range(len(self.ladders))])

    def _dense(self, found: Settings, part: int) -> Array:
        """Return a part's strengths numbered without gaps, so that a table over them is small."""
        order, steps, cards = self.way.ranking, self.ladders[part], found.parts(part)
        found_strengths = strengths(order, order.part_names[part], cards)
        if part == 0 and not self.as_player:
            found_strengths = _as_dealer(self.way, found, found_strengths)
        numbers: Array = np.searchsorted(steps, found_strengths)
        if self.as_player and order.document.part[part].player_joker:
            numbers = np.where((cards == JOKER).any(axis=1), len(steps), numbers)
        return numbers


def pack_parts(numbers: list[Array]) -> Array:
    """Pack the numbers of the parts' strengths into one, the lead part's in the high bits."""
    if len(numbers) == 2:  # noqa: PLR2004 - two parts
        return (numbers[0] << _MID_BITS | numbers[1]).astype(np.uint32)
    return (numbers[0] << _MID_BITS + _LOW_BITS | numbers[1] << _LOW_BITS | numbers[2]).astype(np.uint32)


def unpack_parts(packed: Array, parts: int) -> list[Array]:
    """Return the numbers of three parts' strengths; a part that the game does not have is nothing."""
    low = _LOW_BITS if parts > 2 else 0  # noqa: PLR2004 - three parts
    return [packed >> _MID_BITS + low, packed >> low & (1 << _MID_BITS) - 1, packed & (1 << low) - 1]


def packed_classes(way: Program, space: HandSpace, *, as_player: bool) -> Array:
    """Return the packed strengths of every class of hands, set a way."""
    packing = Packing.of(way, as_player=as_player)
    return np.concatenate([packing.hands(hands) for hands, _ in space.classes()])


def lead_shift(parts: int) -> int:
    """Return how far up the lead part's strength stands in a packed one."""
    return _MID_BITS + (_LOW_BITS if parts > 2 else 0)  # noqa: PLR2004 - three parts


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


def distinct(values: Array, weights: Array) -> tuple[Array, Array]:
    """Return the values in order, each once, and how many hands hold each."""
    many = np.bincount(values, weights).astype(np.int64)  # exact: fewer hands than 2 to the 53rd
    found = np.flatnonzero(many)
    return found.astype(np.uint32), many[found]


def kind_strengths(program: Program, part: int) -> Array:
    """Return the strength of every kind of hand that a part can be: a second sooner than of every hand."""
    order, terms = program.ranking, program.ranking.document.part[part]
    return np.array([order.rank_kind(terms.name, kind).strength for kind in all_kinds(terms.cards)], np.int32)


def ladder(program: Program, part: int) -> Array:
    """Return every strength that a part can have, in order."""
    steps: Array = np.unique(kind_strengths(program, part))
    return steps
