"""The result of a walk over a floor's log, and the type of what opens its decks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from houseway.floor.audit.table_judge import Decks
from houseway.ledger import Units
from houseway.store.entries import StreamId
from houseway.store.log_check import LogVerification
from houseway.store.tree_log import TreeVerification

DecksOf = Callable[[StreamId], Decks]
"""Returns the decks of a stream that can be opened with the floor's key."""


class FloorVerification(Struct, frozen=True):
    """The result of a check of a floor's whole log: counts, and the total of its books."""

    log: LogVerification
    tree: TreeVerification
    rounds: int
    tables: int
    meters: int
    total: Units
    """The total of the books: nothing, always."""
    decided: int
    """How much was decided again as it is recorded."""
    waiting: frozenset[str]
    """The places of commands of rounds in progress that wait for their decks to be opened."""
    undecided: Mapping[str, frozenset[str]]
    """By build, the places of entries of other builds that this one decides differently."""
    people: bool = False
    """Whether any person is on record: without people, who may act cannot be checked."""

    @property
    def not_decided(self) -> dict[str, int]:
        """How many entries of each other build are decided otherwise by this one."""
        return {build: len(places) for build, places in sorted(self.undecided.items())}


def no_decks(_: StreamId) -> Decks:
    """Open no deck: only rounds that are over are decided again whole."""
    return {}
