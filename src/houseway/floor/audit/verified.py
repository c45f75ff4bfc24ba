"""What a walk over a floor's log comes to, and what it is given to open decks with."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from houseway.floor.audit.tables import Decks
from houseway.ledger import Units
from houseway.store.entries import StreamId
from houseway.store.tree_log import TreeVerified
from houseway.store.verifying import Verified

DecksOf = Callable[[StreamId], Decks]
"""Returns the decks of a stream that can be opened with the floor's key."""


class FloorVerified(Struct, frozen=True):
    """What was checked of a floor and found so, and what it comes to."""

    log: Verified
    tree: TreeVerified
    rounds: int
    tables: int
    meters: int
    total: Units
    """The total of the books: nothing, always."""
    decided: int
    """How much was decided again as it is recorded."""
    sealed: int
    """Commands of rounds in progress that wait for their decks to be opened."""
    undecided: Mapping[str, int]
    """How many entries of other builds are decided otherwise by this one, by build."""
    people: bool = False
    """Whether anybody is on record: else nobody can tell who might act."""

    @property
    def whole(self) -> bool:
        """Whether nothing is left that another build decided and this one would not."""
        return not self.undecided


def no_decks(_: StreamId) -> Decks:
    """Open no deck: only rounds that are over are decided again whole."""
    return {}
