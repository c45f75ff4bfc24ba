"""Best answers in turn: each side answers all that the other has played so far, exactly.

The n-th way of the other side counts as n times as likely as the first. The value of a setting against such
a mixture is a sum of its values against each way, so each answer costs one count. The edges converge to the
value of the game, at which neither side could gain by setting otherwise; early ways have little weight,
because they answered little.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Deck
from houseway.houseways import CompiledWay
from houseway.odds.best import BestPlay, Stake, best_play, choose_best, has_double_down
from houseway.odds.catalogue import Catalogue, catalogue
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import Told, main_game, packed_classes
from houseway.odds.setting_values import open_sums, values

Array = NDArray[Any]


@dataclass(frozen=True)
class BestAnswer:
    """The house's edge after a best answer, and how far it can still move."""

    by: str
    edge: Fraction
    gap: Fraction | None = None
    """From the edge that the dealer's plays guarantee to the edge that the player's limit it to. None until
    both have answered."""
    play: BestPlay | None = None


@dataclass
class Side:
    """A side, and the sums of its settings' values against the other side's ways."""

    own: Catalogue
    stake: Stake
    totals: Array | None = None
    turns: int = 0

    @property
    def ways(self) -> int:
        """The weight of all ways in the totals, the n-th as n."""
        return self.turns * (self.turns + 1) // 2

    def answer(self, against: Array, tell: Told | None) -> BestPlay:
        """Add another way of the other side, and answer all of them."""
        sums = values(self.own, against, tell=tell, sums=open_sums(self.own, against))
        self.turns += 1
        self.totals = sums if self.totals is None else self.totals + self.turns * sums.astype(np.int64)
        nothing = np.empty(0, np.int32)
        chosen = choose_best(self.own, self.totals, nothing, self.stake, self.ways)
        return BestPlay(self.own, self.totals, nothing, chosen, self.ways)


def best_answers(
    program: CompiledWay,
    commission: Fraction = Fraction(0),
    answers: int = 1,
    tell: Told | None = None,
    deck: Deck | None = None,
) -> Iterator[BestAnswer]:
    """Yield the edge of the house way against itself, then after each best answer, the player's first.

    In a game with a Double Down the player's first answer also doubles wherever that pays; the law fixes the
    dealer's way there, and further answers are for the main wager alone.
    """
    main = main_game(program, program, deck)
    yield BestAnswer(f"neither: both set by {program.way.id}", main.edge(commission))
    space = HandSpace(sum(program.split), deck)
    against = packed_classes(program, space, as_player=False)
    if has_double_down(program):
        own, stake = catalogue(program, space), Stake.of(commission, as_player=True)
        play = best_play(own, against, stake, doubling=program, tell=tell)
        yield BestAnswer("the player, doubling where it pays", play.edge(commission), play=play)
        if answers == 1:
            return
    sides: dict[bool, Side] = {}
    sure: dict[bool, Fraction] = {}
    for number in range(answers):
        as_player = number % 2 == 0
        if as_player not in sides:
            stake = Stake.of(commission, as_player=as_player)
            sides[as_player] = Side(catalogue(program, space, as_player=as_player), stake)
        play = sides[as_player].answer(against, tell)
        edge = play.main.edge(commission)
        # the edge against the best answer is what the other side guarantees
        sure[as_player] = (max if as_player else min)(edge, sure.get(as_player, edge))
        gap = sure[False] - sure[True] if len(sure) > 1 else None
        yield BestAnswer("the player" if as_player else "the dealer", edge, gap, play)
        against = play.table
