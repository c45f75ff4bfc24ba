"""The exact value of every setting of every hand against a side that sets its hands in a known way.

For a hand P the value of a setting is the sum, over the subsets S of P, of (-1)^|S| times the setting's
results against all the other side's hands that contain S: that leaves the hands that share no card with P.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from houseway.odds.catalogue import PARTS, Catalogue
from houseway.odds.files import SumsFile, values_folder
from houseway.odds.fingerprint import VALUES, fingerprint
from houseway.odds.handspace import THREADS
from houseway.odds.maingame import Told, count_values, lead_shift

Array = NDArray[Any]
SMALL: Final = 64
"""Sets of shared cards with at most this many hands are counted hand by hand."""


class Sums(Protocol):
    """A store for a long count: its sums level after level, then its result."""

    def result(self) -> Array | None:
        """Return the result, or None while the count is not complete."""
        ...

    def finish(self, result: Array) -> Array:
        """Store the result in place of the sums, and return it as stored."""
        ...

    def read(self) -> tuple[int, Array] | None:
        """Return the number of levels counted, and the sums so far, or None."""
        ...

    def write(self, levels: int, sums: Array) -> None:
        """Store the sums of the first levels."""
        ...


def open_sums(own: Catalogue, against: Array, least: int = 0) -> SumsFile | None:
    """Return the file of a side's setting values, by the hash of its inputs; None for a partial deck."""
    if not own.space.whole:
        return None
    other = hashlib.sha256(against.tobytes()).hexdigest()
    name = fingerprint(own.text, str(least), other, code=VALUES)[:24]
    return SumsFile(values_folder() / f"values-{name}")


def values(
    own: Catalogue, against: Array, *, least: int = 0, tell: Told | None = None, sums: Sums | None = None
) -> Array:
    """Return each setting's results against every hand of the other side that shares no card with it.

    ``against`` has the other side's packed strengths by class. The results are the hands beaten and, in a
    game of two parts, wins less losses; with ``least`` only hands whose lead is at least that count.
    """
    from houseway.kernels.bestplay import add_level, add_small, add_whole  # noqa: PLC0415

    if sums and (known := sums.result()) is not None:
        return known
    space, parts, shift = own.space, own.parts, lead_shift(own.parts)
    leads = int(max(own.packed.max(), against.max()) >> shift) + 1
    columns, every = 1 if parts == PARTS else 2, space.size + 1
    totals = np.zeros((THREADS, len(own.packed), columns), np.int32)
    begun = sums.read() if sums else None
    level = 0
    if begun is not None:
        level, totals[0] = begun
    if level < every:
        theirs, classes = space.by_number(against), space.class_numbers()
    while level < every:
        if tell:
            tell(level, every)
        if level == 0:
            strengths, many = count_values(against, space.weights)
            add_whole(strengths, many, space.weights, own.candidates, least, shift, parts, leads, totals)
        else:
            sets = space.list_shared(level)
            signed = sets._replace(weights=(-1) ** level * sets.weights)
            arguments = (signed, theirs, classes, own.candidates, least, shift, parts)
            if sets.room <= SMALL:
                add_small(*arguments, totals)
            else:
                add_level(*arguments, leads, totals)
        level += 1
        if sums:
            sums.write(level, totals.sum(axis=0, dtype=np.int32))
    if tell:
        tell(every, every)
    for more in totals[1:]:
        totals[0] += more
    each = np.repeat(space.weights, np.diff(own.starts)).astype(np.int32)
    exact: Array = totals[0] // each[:, None]
    return sums.finish(exact) if sums else exact
