"""Every setting worth valuing, of every class of hands: those that no other setting dominates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER, RANKS, SUITS, Card
from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay
from houseway.houseways.batch import CHUNK, tables_for
from houseway.houseways.plain import setting_masks
from houseway.odds.files import kept_array
from houseway.odds.fingerprint import VALUES, fingerprint
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import PART_BITS, kind_strengths, ladder
from houseway.ranking.settings import Setting
from houseway.strength import cross

if TYPE_CHECKING:
    from houseway.kernels.bestplay import Candidates, Numbering
    from houseway.kernels.houseways import WayTables

Array = NDArray[Any]
PARTS: Final = 3


@dataclass(frozen=True)
class Catalogue:
    """One side's undominated settings of every class of hands.

    Those of class c stand from ``starts[c]`` on, before ``starts[c + 1]``: their packed strengths, and the
    number of each among all settings of a hand.
    """

    space: HandSpace
    program: CompiledWay
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
        """The settings as the kernels take them."""
        from houseway.kernels.bestplay import Candidates  # noqa: PLC0415 - numba only when it is needed

        return Candidates(self.starts, self.packed)

    @property
    def text(self) -> str:
        """Everything that decides its content: what beats what, and which side it is.

        Games of different law that rank alike have equal texts.
        """
        order, digest = self.program.ranking, hashlib.sha256()
        for part in range(self.parts):
            steps = ladder(self.program, part)
            digest.update(np.searchsorted(steps, kind_strengths(self.program, part)).tobytes())
            digest.update(json.dumps([cross(int(s), cards) for s in steps for cards in order.split]).encode())
        jokers = [part.player_joker for part in order.document.part]
        return json.dumps([order.split, digest.hexdigest(), jokers, self.as_player])

    def strengths(self, chosen: Array) -> Array:
        """Return the packed strengths of chosen settings, as a table of hands has them."""
        ties = 0 if self.as_player else 1
        return self.packed[chosen] - np.uint32(ties * sum(1 << bits for bits in PART_BITS[self.parts]))

    @cached_property
    def index(self) -> ClassIndex:
        """The index from hands to classes."""
        return ClassIndex.of(self.space)

    def settings_of(self, cards: Sequence[Card]) -> list[tuple[int, Setting]]:
        """Return the listed settings of a hand, each with its place; the highest cards first."""
        row, known = self.index.find(cards)
        masks = setting_masks(self.program.split)
        return [
            (
                place,
                tuple(
                    tuple(card for bit, card in reversed([*enumerate(known)]) if mask >> bit & 1)
                    for mask in masks[int(self.which[place])]
                ),
            )
            for place in range(int(self.starts[row]), int(self.starts[row + 1]))
        ]


def catalogue(
    program: CompiledWay, space: HandSpace, *, as_player: bool = True, folder: Path | None = None
) -> Catalogue:
    """List the settings of every class, by what beats what for the program; its house-way rules play no part.

    Those of the whole deck are stored in files, by the hash of what they rest on.
    """
    empty = np.empty(0, np.int64)
    blank = Catalogue(space, program, as_player, empty, empty, empty)
    if not space.whole:
        return Catalogue(space, program, as_player, *_list_settings(blank))
    name = f"settings-{fingerprint(blank.text, code=VALUES)[:24]}"
    settings = cache(lambda: _list_settings(blank))
    arrays = (kept_array(f"{name}-{i}", lambda i=i: settings()[i], folder) for i in range(PARTS))  # type: ignore[misc]
    return Catalogue(space, program, as_player, *arrays)


def _list_settings(blank: Catalogue) -> tuple[Array, Array, Array]:
    """Return where each class's settings begin, their packed strengths, and their numbers."""
    from houseway.kernels.bestplay import list_settings  # noqa: PLC0415 - numba only when it is needed

    program, space = blank.program, blank.space
    tables = tables_for(program)
    dense, numbers = numbering(program, as_player=blank.as_player)
    none, no_setting = np.empty(0, np.uint32), np.empty(0, np.uint8)
    starts = np.zeros(len(space.weights) + 1, np.int64)
    first = 0
    for hands, weights in space.classes():
        rows = np.ascontiguousarray(hands)
        list_settings(rows, tables, dense, numbers, starts[first + 1 :], none, no_setting, CHUNK)
        first += len(weights)
    starts = np.cumsum(starts)
    packed, which = np.empty(starts[-1], np.uint32), np.empty(starts[-1], np.uint8)
    first = 0
    for hands, weights in space.classes():
        rows = np.ascontiguousarray(hands)
        list_settings(rows, tables, dense, numbers, starts[first:], packed, which, CHUNK)
        first += len(weights)
    return starts, packed, which


def numbering(program: CompiledWay, *, as_player: bool) -> tuple[WayTables, Numbering]:
    """Return tables of strengths numbered without gaps, and the packing of a side's settings."""
    from houseway.kernels.bestplay import Numbering  # noqa: PLC0415 - numba only when it is needed

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
    return dense, Numbering(low, mid, top, 0 if as_player else 1)


@dataclass(frozen=True)
class ClassIndex:
    """The classes of hands by a key: each suit's holding, the largest first, and the joker."""

    space: HandSpace
    keys: Array
    """In rising order."""
    rows: Array
    """The class that each key stands for."""

    @classmethod
    def of(cls, space: HandSpace, folder: Path | None = None) -> ClassIndex:
        """Return the index of a deck's classes; that of the whole deck is stored in files."""

        @cache
        def keys() -> Array:
            return np.concatenate([_keys(hands) for hands, _ in space.classes()])

        if not space.whole:
            return cls(space, np.sort(keys()), np.argsort(keys(), kind="stable"))
        name = f"classes-{space.size}-{fingerprint(code=VALUES)[:24]}"
        return cls(
            space,
            kept_array(f"{name}-keys", lambda: np.sort(keys()), folder),
            kept_array(f"{name}-rows", lambda: np.argsort(keys(), kind="stable").astype(np.int32), folder),
        )

    def find(self, cards: Sequence[Card]) -> tuple[int, tuple[Card, ...]]:
        """Return a hand's class, and the hand's cards in the order of the class's own sorted hand."""
        suits = range(len(SUITS))
        holdings = [sum(1 << card.rank - 2 for card in cards if card.suit == suit) for suit in suits]
        order = sorted(suits, key=lambda suit: -holdings[suit]) if self.space.whole else [3, 2, 1, 0]
        turns = {suit: len(SUITS) - 1 - place for place, suit in enumerate(order)}
        known = sorted(cards, key=lambda card: _turn_card(card, turns))
        key = _key([holdings[suit] for suit in order], JOKER in cards)
        place = int(np.searchsorted(self.keys, key))
        if len(cards) != self.space.size or place == len(self.keys) or self.keys[place] != key:
            raise InvalidInputError("not a hand of this game", value=" ".join(map(str, cards)))
        return int(self.rows[place]), tuple(known)


def _turn_card(card: Card, suits: dict[int, int]) -> int:
    return int(card) if card.suit is None else int(Card.of(card.rank, suits[card.suit]))


def _key(holdings: Sequence[int], joker: bool) -> int:
    key = int(joker)
    for ranks in holdings:
        key = key << len(RANKS) | ranks
    return key


def _keys(hands: Array) -> Array:
    """Return the keys of the hands that represent their classes; where suits are not alike, of any hand."""
    keys: Array = (hands == int(JOKER)).any(axis=1).astype(np.int64)
    cards = hands.astype(np.int64)
    for suit in (3, 2, 1, 0):  # a class's own hand has the largest holding in the last suit
        mine = (cards % 4 == suit) & (cards != int(JOKER))
        keys = keys << len(RANKS) | np.where(mine, 1 << cards // 4, 0).sum(axis=1)
    return keys
