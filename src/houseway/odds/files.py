"""Where a user's programs keep what they can make again: arrays that are mapped into memory, by name."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
LEVELS: Final = 9
"""As many levels as a long count has, at most: a hand's cards are shared from none to all."""


def user_folder() -> Path:
    """Return where counts are kept."""
    return _kept() / "counts"


def values_folder() -> Path:
    """Return where arrays are kept."""
    return _kept() / "values"


def _kept() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "houseway"


def kept_array(name: str, make: Callable[[], Array], folder: Path | None = None) -> Array:
    """Return an array from its file, mapped into memory; make it and write it whole if it is not there.

    Where nothing can be written it is made anew each time.
    """
    path = (folder or values_folder()) / f"{name}.npy"
    if path.exists():
        return mapped(path)
    found = make()
    try:
        write_array(path, found)
    except OSError:
        return found
    return found


def mapped(path: Path) -> Array:
    """Return an array mapped into memory, of the kind that kernels are compiled for: what is written to it
    goes nowhere.
    """
    return np.asarray(np.load(path, mmap_mode="c"))


def write_array(path: Path, array: Array) -> None:
    """Write an array to a file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(handle, "wb") as file:
        np.save(file, array)
    Path(part).replace(path)


@dataclass(frozen=True)
class SumsFile:
    """A long count in files: its sums level after level, then its end, each written whole or not at all."""

    path: Path

    def result(self) -> Array | None:
        """Return what the count came to, mapped into memory, if it is at its end."""
        path = self.path.with_name(f"{self.path.name}.npy")
        return mapped(path) if path.exists() else None

    def finish(self, result: Array) -> Array:
        """Keep what the count came to, in place of the sums."""
        found = kept_array(self.path.name, lambda: result, self.path.parent)
        for level in range(LEVELS + 1):
            self._of(level).unlink(missing_ok=True)
        return found

    def read(self) -> tuple[int, Array] | None:
        """Return how many levels are counted, and the sums so far; nothing if none is."""
        for level in range(LEVELS, 0, -1):
            path = self._of(level)
            if path.exists():
                return level, np.load(path)
        return None

    def write(self, levels: int, sums: Array) -> None:
        """Keep the sums of the first levels; where nothing can be written, nothing is kept."""
        try:
            write_array(self._of(levels), sums)
            self._of(levels - 1).unlink(missing_ok=True)
        except OSError:
            return

    def _of(self, level: int) -> Path:
        return self.path.with_name(f"{self.path.name}-{level}.npy")
