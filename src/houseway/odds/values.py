"""What every setting of every hand is worth, exactly, against a side that sets its hands a known way.

For a hand P the value of a setting is the sum, over the subsets S of P, of (-1)^|S| times what the setting
does against all the other side's hands that contain S: that leaves the hands that share no card with P.
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
from houseway.odds.maingame import Told, distinct, lead_shift

Array = NDArray[Any]
SMALL: Final = 64
"""Sets of shared cards with at most so many hands are counted hand by hand."""


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


def kept_sums(own: Catalogue, against: Array, least: int = 0) -> SumsFile | None:
    """Return where the values of settings against a side are kept, by the hash of what decides them.

    Only values of the whole deck are kept.
    """
    if not own.space.whole:
        return None
    other = hashlib.sha256(against.tobytes()).hexdigest()
    name = fingerprint(own.text, str(least), other, code=VALUES)[:24]
    return SumsFile(values_folder() / f"values-{name}")


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
