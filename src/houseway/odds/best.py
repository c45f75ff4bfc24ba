"""The best a player can do who knows the other side's house way but not its cards.

Every hand gets the legal setting that wins most against all the hands the other side may hold, each as
often as it comes. The player's own cards tell a little about the dealer's, and that little is left aside:
the choice is made against the whole deck, and what it yields is then counted exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Deck
from houseway.houseways import Program
from houseway.houseways.batch import CHUNK, tables_for
from houseway.odds.maingame import ladder, pack_parts, packed_classes, unpack_parts
from houseway.ranking import Ranking

Array = NDArray[Any]
PARTS: Final = 3


@dataclass(frozen=True)
class Best:
    """A side that sets every hand best against another side's house way."""

    against: Program
    as_player: bool = True
    cards: tuple[int, ...] = tuple(Deck.standard().cards)

    @property
    def ranking(self) -> Ranking:
        """What beats what, as for the other side."""
        return self.against.ranking

    @property
    def split(self) -> tuple[int, ...]:
        """The sizes of the parts, high first."""
        return self.against.split

    @cached_property
    def _steps(self) -> list[Array]:
        return [ladder(self.against, part) for part in range(len(self.split))]

    @cached_property
    def worth(self) -> Array:
        """What a setting is worth by the number of each part's strength: wins less losses, over all hands."""
        blocks = packed_classes(self.against, self.cards, as_player=not self.as_player)
        seen = np.zeros([len(steps) + 1 for steps in self._steps] + [1] * (PARTS - len(self.split)), np.int64)
        for packed, weights in blocks:
            np.add.at(seen, tuple(unpack_parts(packed, len(self.split))), weights)
        return _worth(seen, len(self.split), as_player=self.as_player)

    @cached_property
    def _top(self) -> Array:
        """The number of a part that the player's joker makes the highest of all, for each part."""
        top = np.zeros(PARTS, np.int64)
        for part, terms in enumerate(self.ranking.document.part):
            if self.as_player and terms.player_joker:
                top[part] = len(self._steps[part])
        return top

    def packed(self, hands: Array) -> Array:
        """Set sorted hands and return the packed strengths of their parts."""
        from houseway.kernels.best import best_all  # noqa: PLC0415 - numba only when it is needed

        tables = tables_for(self.against)
        out = np.zeros((len(hands), PARTS), np.int64)
        named = [f"strengths{part}" for part in range(len(self.split))]
        numbered = tables._replace(
            **{
                name: np.searchsorted(steps, getattr(tables, name)).astype(np.int32)
                for name, steps in zip(named, self._steps, strict=True)
            }
        )
        best_all(np.ascontiguousarray(hands), tables, numbered, self.worth, self._top, out, CHUNK)
        return pack_parts([out[:, part] for part in range(len(self.split))])


def _worth(seen: Array, parts: int, *, as_player: bool) -> Array:
    """Return wins less losses of each setting against the hands seen; equal strengths are the dealer's."""
    rest, total = seen if as_player else seen[::-1, ::-1, ::-1], int(seen.sum())

    def below(*axes: int) -> Array:
        """Count the hands that are below in each of these parts, whatever the others."""
        found = rest
        for axis in range(parts):
            if axis in axes:
                found = np.roll(np.cumsum(found, axis=axis), 1, axis=axis)
                found[(slice(None),) * axis + (0,)] = 0
            else:
                found = found.sum(axis=axis, keepdims=True)
        return found

    if parts == PARTS:
        wins = below(0, 1) + below(0, 2) + below(1, 2) - 2 * below(0, 1, 2)
        value = 2 * wins - total
    else:  # both to win, neither to lose
        value = below(0) + below(1) - total
    return np.ascontiguousarray(value if as_player else -value[::-1, ::-1, ::-1])
