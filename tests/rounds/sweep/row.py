"""A row of the sweep's table: the states in which the law lets a step be taken, and the clause that says so.

A row names the states in which somebody may take the step, about the deck, the position or the seat that the
sweep looks at; in every other state nobody may. ``a..b`` are the states from one to another in the order of
an ordinary round, and ``-a`` takes one out again. A row cites the clause that says when, or ``house`` where
no regulation speaks and plain sense does: what is not there is not handled, what is done is not done again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

HOUSE = "house"


class Row(NamedTuple):
    """The states in which a step may be taken, and where it is said."""

    states: str
    said: str


NEVER = Row("", HOUSE)


def split(names: str) -> list[str]:
    """Return names one by one."""
    return [name.strip() for name in names.split(",") if name.strip()]


def named(states: str, course: Sequence[str]) -> frozenset[str]:
    """Return the states that a row names, in the order in which they come."""
    wanted: set[str] = set()
    for word in split(states):
        first, _, last = word.removeprefix("-").partition("..")
        between = set(course[course.index(first) : course.index(last or first) + 1])
        wanted = wanted - between if word.startswith("-") else wanted | between
    return frozenset(wanted)
