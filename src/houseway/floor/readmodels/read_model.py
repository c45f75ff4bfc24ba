"""What a read model is: a name, a version, tables, and what it makes of each entry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from sqlalchemy import Table

from houseway.floor.readmodels.row_writes import Write
from houseway.floor.readmodels.table_fold import FoldedEntry


class ReadModel(Protocol):
    """A projection of the log: its rows follow from the entries alone, and can be made again at any time."""

    @property
    def name(self) -> str:
        """What the model is called."""
        ...

    @property
    def version(self) -> int:
        """Goes up whenever the same entries make other rows: then the model is rebuilt."""
        ...

    @property
    def settings(self) -> str:
        """What else its rows depend on; another setting rebuilds it too."""
        ...

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables that it alone writes."""
        ...

    def apply(self, seen: FoldedEntry) -> Iterable[Write]:
        """Return what an entry writes. Nothing else is read."""
        ...
