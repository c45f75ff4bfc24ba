"""Best play, exactly: what every setting of every hand is worth against a side that sets a known way.

For a hand P the value of a setting is the sum, over the subsets S of P, of (-1)^|S| times what the setting
does against all the other side's hands that contain S: that leaves the hands that share no card with P. The
setting worth most, hand by hand, is best play, and what it comes to over all hands is the exact optimum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Deck
from houseway.houseways import Program
from houseway.houseways.batch import CHUNK, tables_for
from houseway.houseways.plain import setting_masks
from houseway.odds.doubling import QUALIFIER, least_lead
from houseway.odds.handspace import THREADS, HandSpace
from houseway.odds.maingame import (
    PART_BITS,
    MainGame,
    Told,
    distinct,
    ladder,
    lead_shift,
    packed_classes,
)

if TYPE_CHECKING:
    from houseway.kernels.bestplay import Candidates

Array = NDArray[Any]
PARTS: Final = 3
SMALL: Final = 64
"""Sets of shared cards with at most so many hands are counted hand by hand."""


@dataclass(frozen=True)
class Stake:
    """What a side plays for, in whole units: what a hand it wins brings, what one it loses costs."""

    win: int = 1
    lose: int = 1

    @classmethod
    def of(cls, commission: Fraction, *, as_player: bool) -> Stake:
        """Return what a side plays for where the house keeps a commission of what players win.

        >>> Stake.of(Fraction(1, 20), as_player=True)
        Stake(win=19, lose=20)
        """
        paid, whole = commission.denominator - commission.numerator, commission.denominator
        return cls(paid, whole) if as_player else cls(whole, paid)


@dataclass(frozen=True)
class Catalogue:
    """One side's settings of every class of hands that no other setting of the class dominates.

    Those of class c stand from ``starts[c]`` on, before ``starts[c + 1]``: their packed strengths, and the
    number of each among all settings of a hand.
    """

    space: HandSpace
    program: Program
    as_player: bool
    starts: Array
    packed: Array
    which: Array

    @property
    def parts(self) -> int:
        """How many parts a setting has."""
        return len(self.program.split)

    @property
    def candidates(self) -> Candidates:
        """The same as the kernels take it."""
        from houseway.kernels.bestplay import Candidates  # noqa: PLC0415 - numba only when it is needed

        return Candidates(self.starts, self.packed)

    def strengths(self, chosen: Array) -> Array:
        """Return the packed strengths of chosen settings, as a table of hands holds them."""
        ties = 0 if self.as_player else 1
        return self.packed[chosen] - np.uint32(ties * sum(1 << bits for bits in PART_BITS[self.parts]))


def catalogue(program: Program, space: HandSpace, *, as_player: bool = True) -> Catalogue:
    """List the settings of every class; the program says what beats what, and nothing of its rules."""
    from houseway.kernels.bestplay import Numbering, list_settings  # noqa: PLC0415

    tables, parts = tables_for(program), len(program.split)
    steps = [ladder(program, part) for part in range(parts)]
    dense = tables._replace(
        **{
            f"strengths{part}": np.searchsorted(ranks, getattr(tables, f"strengths{part}")).astype(np.int32)
            for part, ranks in enumerate(steps)
        }
    )
    top = np.zeros(PARTS, np.int64)
    for part, terms in enumerate(program.ranking.document.part):
        if as_player and terms.player_joker:
            top[part] = len(steps[part])
    low, mid = (4, 7) if parts == PARTS else (0, 7)
    how = Numbering(low, mid, top, 0 if as_player else 1)
    none, no_setting = np.empty(0, np.uint32), np.empty(0, np.uint8)
    starts = np.zeros(len(space.weights) + 1, np.int64)
    first = 0
    for hands, weights in space.classes():
        rows = np.ascontiguousarray(hands)
        list_settings(rows, tables, dense, how, starts[first + 1 :], none, no_setting, CHUNK)
        first += len(weights)
    starts = np.cumsum(starts)
    packed, which = np.empty(starts[-1], np.uint32), np.empty(starts[-1], np.uint8)
    first = 0
    for hands, weights in space.classes():
        rows = np.ascontiguousarray(hands)
        list_settings(rows, tables, dense, how, starts[first:], packed, which, CHUNK)
        first += len(weights)
    return Catalogue(space, program, as_player, starts, packed, which)


class Sums(Protocol):
    """Where a long count is kept: its sums level after level, so that it can be interrupted, then its end."""

    def result(self) -> Array | None:
        """Return what the count came to, if it is at its end."""
        ...

    def finish(self, result: Array) -> Array:
        """Keep what the count came to, in place of the sums; return it as it is kept."""
        ...

    def read(self) -> tuple[int, Array] | None:
        """Return how many levels are counted, and the sums so far; nothing if none is."""
        ...

    def write(self, levels: int, sums: Array) -> None:
        """Keep the sums of the first levels."""
        ...


def values(
    own: Catalogue, against: Array, *, least: int = 0, tell: Told | None = None, sums: Sums | None = None
) -> Array:
    """Return what each setting does against every hand of the other side that shares no card with it.

    ``against`` holds the other side's packed strengths by class. Of each setting the hands it beats and, in a
    game of two parts, wins less losses; with ``least`` only hands whose lead is at least that count.
    """
    from houseway.kernels.bestplay import add_level, add_small, add_whole  # noqa: PLC0415

    if sums and (known := sums.result()) is not None:
        return known
    space, parts, shift = own.space, own.parts, lead_shift(own.parts)
    leads = int(max(own.packed.max(), against.max()) >> shift) + 1
    columns, every = 1 if parts == PARTS else 2, space.size + 1
    found = np.zeros((THREADS, len(own.packed), columns), np.int32)
    kept = sums.read() if sums else None
    level = 0
    if kept is not None:
        level, found[0] = kept
    if level < every:
        theirs, classes = space.by_number(against), space.class_numbers()
    while level < every:
        if tell:
            tell(level, every)
        if level == 0:
            held, many = distinct(against, space.weights)
            add_whole(held, many, space.weights, own.candidates, least, shift, parts, leads, found)
        else:
            sets = space.shared(level)
            signed = sets._replace(weights=(-1) ** level * sets.weights)
            given = (signed, theirs, classes, own.candidates, least, shift, parts)
            if sets.room <= SMALL:
                add_small(*given, found)
            else:
                add_level(*given, leads, found)
        level += 1
        if sums:
            sums.write(level, found.sum(axis=0, dtype=np.int32))
    if tell:
        tell(every, every)
    for more in found[1:]:
        found[0] += more
    each = np.repeat(space.weights, np.diff(own.starts)).astype(np.int32)
    exact: Array = found[0] // each[:, None]
    return sums.finish(exact) if sums else exact


@dataclass(frozen=True)
class BestPlay:
    """A side that sets every hand best: its settings, what each is worth, the one to choose."""

    own: Catalogue
    values: Array
    doubled: Array
    """What doubling adds to each setting against hands that qualify; empty where nobody doubles."""
    chosen: Array
    """For each class the place of the setting to choose."""

    @property
    def main(self) -> MainGame:
        """How often the player wins, pushes and loses, this side setting best."""
        space = self.own.space
        weights, found = space.weights, self.values[self.chosen].astype(np.int64)
        won = int((found[:, 0] * weights).sum())
        lost = space.deals - won
        if self.own.parts < PARTS:
            lost = won - int((found[:, 1] * weights).sum())
        if not self.own.as_player:
            won, lost = lost, won
        return MainGame(won, space.deals - won - lost, lost)

    @property
    def doubling(self) -> Fraction:
        """What doubling whenever it pays adds, of a main wager."""
        if not len(self.doubled):
            return Fraction(0)
        gained = np.maximum(self.doubled[self.chosen].astype(np.int64), 0) * self.own.space.weights
        return Fraction(int(gained.sum()), self.own.space.deals)

    def edge(self, commission: Fraction = Fraction(0)) -> Fraction:
        """Return the house's part of a main wager, a commission taken on wins and doubling given off."""
        return self.main.edge(commission) - self.doubling

    @property
    def table(self) -> Array:
        """The packed strengths of every class, set best, as a table of hands holds them."""
        return self.own.strengths(self.chosen)


def best_play(
    own: Catalogue,
    against: Array,
    stake: Stake,
    *,
    doubling: Program | None = None,
    tell: Told | None = None,
    sums: Callable[[str], Sums] | None = None,
) -> BestPlay:
    """Find best play against the other side's packed strengths by class.

    With ``doubling``, the dealer's program, a player may double wherever that pays against a dealer who
    qualifies, and the setting is chosen for both wagers together.
    """
    found = values(own, against, tell=tell, sums=sums("main") if sums else None)
    extra = np.empty(0, np.int32)
    if doubling is not None:
        kept = sums("double") if sums else None
        extra = values(own, against, least=least_lead(doubling), tell=tell, sums=kept)[:, 1].copy()
    return BestPlay(own, found, extra, choose_best(own, found, extra, stake))


@dataclass(frozen=True)
class Best:
    """A side that sets every hand best against the other's house way."""

    against: Program
    as_player: bool = True
    commission: Fraction = Fraction(0)

    def play(
        self, deck: Deck | None = None, tell: Told | None = None, sums: Callable[[str], Sums] | None = None
    ) -> BestPlay:
        """Find how it sets its hands for the main wager, and what each setting is worth."""
        space = HandSpace(sum(self.against.split), deck)
        own = catalogue(self.against, space, as_player=self.as_player)
        other = packed_classes(self.against, space, as_player=not self.as_player)
        stake = Stake.of(self.commission, as_player=self.as_player)
        return best_play(own, other, stake, tell=tell, sums=sums)


def choose_best(own: Catalogue, found: Array, doubled: Array, stake: Stake) -> Array:
    """Return, for each class, the place of the setting that is worth most."""
    from houseway.kernels.bestplay import choose  # noqa: PLC0415 - numba only when it is needed

    if own.parts == PARTS:  # what is not won is lost
        net = 2 * found[:, 0].astype(np.int64) - own.space.opponents
        found = np.stack([found[:, 0].astype(np.int64), net], axis=1)
    chosen = np.zeros(len(own.space.weights), np.int64)
    choose(own.candidates, found, doubled, stake.win, stake.lose, chosen)
    return chosen


def doubles(program: Program) -> bool:
    """Whether a game of this program has a Double Down."""
    return any(asked.id == QUALIFIER for asked in program.ranking.document.qualifier)


def masks_of(own: Catalogue, place: int) -> tuple[int, ...]:
    """Return which cards of the sorted hand make each part of a setting, as bits."""
    return setting_masks(own.program.split)[int(own.which[place])]
