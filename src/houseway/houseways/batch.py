"""House ways by the million: sorted hands in, settings and the rules that made them out.

>>> import numpy as np
>>> from houseway.cards import parse_cards
>>> from houseway.houseways import compile_way, house_way
>>> program = compile_way(house_way("pa-670a"))
>>> hands = np.array([sorted(parse_cards("Ks Kh 9d 9s 5h 5d"))], dtype=np.uint8)
>>> found = set_hands(program, hands)
>>> found.parts(1)[0].tolist() == [int(parse_cards("Ks")[0])], program.rules[found.rules[0]].rule.id
(True, 'three-pairs')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Card, Cards, Deck, show
from houseway.houseways.compiler import CompiledWay
from houseway.houseways.plain import SINGLE_HAND, Masks, UndecidedError, part_masks, part_of, setting_masks
from houseway.ranking.batch import check_hands, check_size
from houseway.ranking.held import all_kinds, runs
from houseway.ranking.listing import bits
from houseway.ranking.tables import binomials, part_table

if TYPE_CHECKING:
    from houseway.kernels.houseways import WayTables

Array = NDArray[Any]
CHUNK = 4096


@dataclass(frozen=True)
class Settings:
    """How many hands are set: for each the number of its setting and of the rule that decided."""

    program: CompiledWay
    hands: Array
    settings: Array
    rules: Array

    def parts(self, part: int) -> Array:
        """Return the cards of one part, a row for each hand, the highest card first."""
        masks = np.array([m[part] for m in setting_masks(self.program.ranking.split)])[self.settings]
        inside = (masks[:, None] >> np.arange(self.hands.shape[1])) & 1 == 1
        cards: Array = self.hands[inside].reshape(len(self.hands), self.program.ranking.split[part])
        return cards[:, ::-1]

    def setting(self, row: int) -> tuple[Cards, ...]:
        """Return how one hand is set."""
        cards = tuple(Card(int(card)) for card in self.hands[row])
        return tuple(part_of(cards, mask) for mask in setting_masks(self.program.split)[self.settings[row]])


def set_hands(program: CompiledWay, hands: Array) -> Settings:
    """Set every hand; a hand the house way leaves undecided is an error that names it."""
    check_hands(hands)
    check_size(hands, sum(program.split))
    settings = run_program(program, np.sort(hands, axis=1))
    bad = np.flatnonzero(settings.settings < 0)
    if len(bad):
        raise undecided(settings, int(bad[0]))
    return settings


def run_program(program: CompiledWay, hands: Array) -> Settings:
    """Run the kernel over sorted hands, leaving undecided ones marked."""
    from houseway.kernels.houseways import set_all  # noqa: PLC0415 - numba only when it is needed

    settings = np.empty(len(hands), dtype=np.int16)
    rules = np.empty(len(hands), dtype=np.int16)
    set_all(np.ascontiguousarray(hands), settings, rules, tables_for(program), CHUNK)
    return Settings(program, hands, settings, rules)


def warm_up(program: CompiledWay) -> None:
    """Load the kernel for hands set one at a time, and rank every kind of hand a part can be.

    Worth its seconds to callers that set hands by the thousand.
    """
    from houseway.kernels.houseways import set_rows  # noqa: PLC0415 - numba only when it is needed

    tables, masks = tables_for(program), setting_masks(program.split)
    for part in program.ranking.document.part:
        for kind in all_kinds(part.cards):
            program.ranking.rank_kind(part.name, kind)
    setting, rule = np.empty(1, dtype=np.int16), np.empty(1, dtype=np.int16)

    def places(cards: Cards) -> tuple[Masks, int] | None:
        hand = np.frombuffer(bytearray(cards), dtype=np.uint8).reshape(1, -1)
        set_rows(hand, setting, rule, tables, 0, 1)
        number = int(setting[0])
        return (masks[number], int(rule[0])) if number >= 0 else None

    places(Deck.standard().cards[: sum(program.split)])
    program.kernels[SINGLE_HAND] = places


def undecided(settings: Settings, row: int) -> UndecidedError:
    """Return the error for a hand that a house way leaves undecided."""
    hand = show(Card(int(card)) for card in settings.hands[row])
    rule = int(settings.rules[row])
    if rule < 0:
        return UndecidedError("no rule decides this hand", value=hand, where=settings.program.way.id)
    cause = {-2: "no setting satisfies the rule", -3: "the rule is ambiguous"}[int(settings.settings[row])]
    where = f"{settings.program.way.id}: rule {settings.program.rules[rule].rule.id}"
    return UndecidedError(cause, value=hand, where=where)


def tables_for(program: CompiledWay) -> WayTables:
    """Return everything the kernel runs a program with."""
    from houseway.kernels.houseways import WayTables  # noqa: PLC0415 - numba only when it is needed

    split = program.ranking.split
    straights = np.zeros((3, 256), dtype=np.int64)  # by part, category and place among its straights
    for part, of_part in enumerate(program.straights):
        for place, run in of_part.items():
            straights[part, place] = run.lead | run.second << 4 | run.wheel << 8
    masks = setting_masks(split)
    subsets = [(part, mask) for part, of_part in enumerate(part_masks(split)) for mask in of_part]
    tables = [part_table(program.ranking, name) for name in program.ranking.part_names]
    while len(tables) < 3:  # noqa: PLR2004 - the kernel knows three parts
        tables.append(np.zeros(1, dtype=np.int32))
    return WayTables(
        np.concatenate([np.array((*program.code, *program.points_code), np.int64), straights.ravel()]),
        len(program.rules),
        np.array(masks, dtype=np.int64),
        np.array(split, dtype=np.int64),
        np.array(subsets, dtype=np.int64),
        tables[0],
        tables[1],
        tables[2],
        binomials(),
        program.complete_levels,
        np.array([bits(run) for run in runs(sum(split), "lowest")], dtype=np.int64),
        len(program.code),
        len(program.code) + len(program.points_code),
    )
