"""Notes of a long count, level by level, so that an interrupted count goes on where it stopped."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from houseway.errors import DataError

Levels = list[list[int]]
"""The counts of each level of a main game that is counted so far."""


class Notes(Protocol):
    """A store for the levels of one count."""

    def read(self) -> Levels:
        """Return the levels counted so far."""
        ...

    def write(self, levels: Levels) -> None:
        """Store the levels counted so far."""
        ...


@dataclass(frozen=True)
class NotesFile:
    """The levels of one count in a file, written whole or not at all."""

    path: Path

    def read(self) -> Levels:
        """Return the levels counted so far; refuse a file of anything else."""
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise DataError(f"cannot read the notes: {error.strerror}", where=str(self.path)) from None
        except (ValueError, RecursionError) as error:
            raise DataError("no notes of a count", value=str(error), where=str(self.path)) from error
        whole = isinstance(data, list) and all(
            isinstance(level, list) and all(type(count) is int for count in level) for level in data
        )
        if not whole:
            raise DataError("no notes of a count", value=data, where=str(self.path))
        levels: Levels = data
        return levels

    def write(self, levels: Levels) -> None:
        """Store the levels counted so far."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.stem, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(levels, file)
        Path(name).replace(self.path)
