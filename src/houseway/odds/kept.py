"""What is counted once and kept in files that are mapped into memory, by the hash of what produced it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.houseways import Program
from houseway.odds.coach import dealer_table
from houseway.odds.counted import told_by, user_folder
from houseway.odds.fingerprint import COUNTS, fingerprint
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import Told

Array = NDArray[Any]


def kept_array(name: str, make: Callable[[], Array], folder: Path | None = None) -> Array:
    """Return an array from its file, mapped into memory; make it and write it whole if it is not there.

    Where nothing can be written it is made anew each time.
    """
    path = (folder or user_folder().parent / "values") / f"{name}.npy"
    if path.exists():
        mapped: Array = np.load(path, mmap_mode="r")
        return mapped
    found = make()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            np.save(file, found)
        Path(part).replace(path)
    except OSError:
        return found
    return found


def kept_table(dealer: Program, tell: Told | None = None, folder: Path | None = None) -> Array:
    """Return the packed strengths of a dealer's setting of every hand, by the hand's number."""

    def made() -> Array:
        if tell:
            tell(0, 1)
        found = dealer_table(dealer, HandSpace(sum(dealer.split)))
        if tell:
            tell(1, 1)
        return found

    return kept_array(f"table-{fingerprint(told_by(dealer), code=COUNTS)[:24]}", made, folder)
