"""The same step at the same table, many times over, each with chance from a seed of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from houseway.cards import Cards
from houseway.rng import SeededEntropy
from houseway.rounds.live import LiveTable
from houseway.rounds.step import Actor
from tests.rounds.said import as_action
from tests.rounds.support import DEALER, Floor

T = TypeVar("T", bound=Hashable)
H = TypeVar("H", bound=Hashable)


def again(floor: Floor, seed: str | int) -> LiveTable:
    """Return the table as it stands, with chance from another seed."""
    return LiveTable(floor.rules, SeededEntropy(seed), floor.now, floor.live.table, dict(floor.live.meters))


def by_seed(
    floor: Floor, count: int, look: Callable[[LiveTable], T], step: str, by: Actor = DEALER, **details: Any
) -> list[T]:
    """Take a step under so many seeds, always at the same table; return what was found after each."""
    action, found = as_action(step, None, details, floor.rules), []
    for seed in range(count):
        live = again(floor, seed)
        live.do(by, action)
        found.append(look(live))
    return found


def in_a_row(
    floor: Floor, count: int, look: Callable[[LiveTable], T], step: str, by: Actor = DEALER, **details: Any
) -> list[T]:
    """Take a step so often at the same table, chance going on where it stopped, as from round to round."""
    action, found = as_action(step, None, details, floor.rules), []
    live = again(floor, "in a row")
    table, meters = live.table, dict(live.meters)
    for _ in range(count):
        live.do(by, action)
        found.append(look(live))
        live.table, live.meters, live.turns = table, dict(meters), []
    return found


def start(live: LiveTable) -> int:
    """Return the starting position."""
    assert live.table.round.start is not None
    return live.table.round.start


def dice(live: LiveTable) -> tuple[int, ...]:
    """Return what the dice show."""
    return live.table.round.dice


def order(live: LiveTable) -> Cards:
    """Return the sealed order of the deck at the table."""
    (deck,) = live.table.decks.values()
    assert deck.commitment is not None
    return live.vault.open(deck.commitment).order


# --- whether chance was fair --------------------------------------------------------------------------


def unlikely(seen: Iterable[H], expected: Mapping[H, Fraction]) -> float:
    """Return how far off a sample is: its chi-square less its mean, in standard deviations.

    Six of them or more happen by chance about once in a hundred million samples; nothing but what is
    expected may have been seen.
    """
    found = Counter(seen)
    assert found.keys() <= expected.keys()
    total, freedom = found.total(), len(expected) - 1
    square = sum(float((found[what] - total * part) ** 2 / (total * part)) for what, part in expected.items())
    return (square - freedom) / float((2 * freedom) ** 0.5)


def evenly(outcomes: Iterable[H]) -> dict[H, Fraction]:
    """Return the same part for each outcome."""
    every = list(outcomes)
    return dict.fromkeys(every, Fraction(1, len(every)))
