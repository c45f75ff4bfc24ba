"""What is decided again is compared with what is recorded; the first difference is the lie that is named."""

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
"""What deciding raises over something that nobody can have decided in earnest."""


class LieError(BooksError):
    """An entry that says something else than what is decided; ``where`` is its stream and version."""


class RefoldError(BooksError):
    """An entry that does not follow from those before it; ``where`` is its stream and version."""


class EntryJudge:
    """Compares, and tells lies from what another build decided otherwise."""

    def __init__(self) -> None:
        self.decided = 0
        self.waiting = set[str]()
        """Where the commands of rounds in progress are whose decks nobody has opened yet."""
        self.by_build = dict[str, set[str]]()
        """Where the entries of other builds are that this one decides otherwise."""

    def judge(self, entry: Entry, what: str, decide: Callable[[], Any], recorded: object) -> None:
        """Decide something again, or say in what it differs from what is recorded."""
        difference = self.difference(decide, recorded)
        if difference is None:
            self.decided += 1
            return
        self.report_difference(entry, f"{what}: {difference}" if what else difference)

    def difference(self, decide: Callable[[], Any], recorded: object) -> str | None:
        """Return in what something decided again differs from what is recorded; nothing is noted."""
        return _difference(decide, recorded)

    def note_waiting(self, entry: Entry) -> None:
        """Note an entry that cannot be decided before its deck is opened."""
        self.waiting.add(place(entry.stream, entry.version))

    def report_difference(self, entry: Entry, cause: str) -> None:
        """Name a lie, unless another build made the entry: that one may decide otherwise."""
        build, where = build_of(entry), place(entry.stream, entry.version)
        if build == this_build():
            raise LieError(cause, where=where)
        self.by_build.setdefault(build or UNNAMED, set()).add(where)


def _difference(decide: Callable[[], Any], recorded: object) -> str | None:
    """Return in what something decided again differs from what is recorded."""
    try:
        decided = decide()
    except DECIDING_ERRORS as error:
        return f"refused: {error}" if isinstance(error, HousewayError) else f"cannot be decided: {error}"
    if decided == recorded:
        return None
    return difference_in_words(recorded, decided)
