"""Compares what is decided again with what is recorded, and raises the first difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from houseway.build import this_build
from houseway.errors import HousewayError
from houseway.floor.bodies import build_of
from houseway.floor.floor_books import BooksError, place
from houseway.rounds.replay import difference_in_words
from houseway.store.entries import Entry

UNNAMED: Final = "an earlier program"
"""Stands for a program whose entries do not say which it was."""
DECIDING_ERRORS: Final = (HousewayError, LookupError, ValueError, TypeError, AttributeError)
"""What deciding raises over data that no program can have decided."""


class LieError(BooksError):
    """An entry that says something else than what is decided; ``where`` is its stream and version."""


class RefoldError(BooksError):
    """An entry that does not follow from those before it; ``where`` is its stream and version."""


class EntryJudge:
    """Compares, and tells lies from what another build decided differently."""

    def __init__(self) -> None:
        self.decided = 0
        self.waiting = set[str]()
        """The places of commands of rounds in progress whose decks are not opened yet."""
        self.by_build = dict[str, set[str]]()
        """The places of entries of other builds that this one decides differently."""

    def judge(self, entry: Entry, what: str, decide: Callable[[], Any], recorded: object) -> None:
        """Decide an entry again; report a difference from what is recorded."""
        difference = self.difference(decide, recorded)
        if difference is None:
            self.decided += 1
            return
        self.report_difference(entry, f"{what}: {difference}" if what else difference)

    def difference(self, decide: Callable[[], Any], recorded: object) -> str | None:
        """Return the difference of a decision from what is recorded, if any, without reporting it."""
        return _difference(decide, recorded)

    def note_waiting(self, entry: Entry) -> None:
        """Note an entry that cannot be decided before its deck is opened."""
        self.waiting.add(place(entry.stream, entry.version))

    def report_difference(self, entry: Entry, cause: str) -> None:
        """Raise a lie, unless another build made the entry: that one may decide differently."""
        build, where = build_of(entry), place(entry.stream, entry.version)
        if build == this_build():
            raise LieError(cause, where=where)
        self.by_build.setdefault(build or UNNAMED, set()).add(where)


def _difference(decide: Callable[[], Any], recorded: object) -> str | None:
    """Return the difference of a decision from what is recorded, or None."""
    try:
        decided = decide()
    except DECIDING_ERRORS as error:
        return f"refused: {error}" if isinstance(error, HousewayError) else f"cannot be decided: {error}"
    if decided == recorded:
        return None
    return difference_in_words(recorded, decided)
