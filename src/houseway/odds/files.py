"""The user's cache: arrays that can be computed again, mapped into memory by name."""

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
"""The most levels of a long count: hands share from none to all of their cards."""


def user_folder() -> Path:
    """Return the folder of counts."""
    return _cache_folder() / "counts"


def values_folder() -> Path:
    """Return the folder of arrays."""
    return _cache_folder() / "values"


def _cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "houseway"


def kept_array(name: str, make: Callable[[], Array], folder: Path | None = None) -> Array:
    """Return an array from its file, mapped into memory; make and write it first if there is no file.

    Where nothing can be written, it is made each time.
    """
    path = (folder or values_folder()) / f"{name}.npy"
    if path.exists():
        return map_array(path)
    array = make()
    try:
        write_array(path, array)
    except OSError:
        return array
    return array


def map_array(path: Path) -> Array:
    """Return an array mapped copy-on-write into memory, as the type that kernels are compiled for."""
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
    """A long count in files: its sums level after level, then its result, each written whole."""

    path: Path

    def result(self) -> Array | None:
        """Return the result, mapped into memory, or None while the count is not complete."""
        path = self.path.with_name(f"{self.path.name}.npy")
        return map_array(path) if path.exists() else None

    def finish(self, result: Array) -> Array:
        """Store the result in place of the sums, and return it."""
        stored = kept_array(self.path.name, lambda: result, self.path.parent)
        for level in range(LEVELS + 1):
            self._level_path(level).unlink(missing_ok=True)
        return stored

    def read(self) -> tuple[int, Array] | None:
        """Return the number of levels counted, and the sums so far, or None."""
        for level in range(LEVELS, 0, -1):
            path = self._level_path(level)
            if path.exists():
                return level, np.load(path)
        return None

    def write(self, levels: int, sums: Array) -> None:
        """Store the sums of the first levels, where files can be written."""
        try:
            write_array(self._level_path(levels), sums)
            self._level_path(levels - 1).unlink(missing_ok=True)
        except OSError:
            return

    def _level_path(self, level: int) -> Path:
        return self.path.with_name(f"{self.path.name}-{level}.npy")
