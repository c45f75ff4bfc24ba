"""What is worked out once for a ranking, because it stays the same as long as the ranking does."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import TypeVar, TypeVarTuple

from houseway.law.citations import Cites
from houseway.ranking.listing import Among, JokerMode
from houseway.ranking.order import Category, Ranked, Result

K = TypeVar("K")
V = TypeVar("V")
Of = TypeVarTuple("Of")


class Memo:
    """The answers kept for a ranking, made with it and read through ``once``.

    No table can hold more than there are kinds of hands and pictures. A hand by itself is never kept.
    """

    def __init__(self) -> None:
        self.ranked: dict[tuple[str, int], Ranked] = {}
        """How each kind of hand ranks as a part."""
        self.categories: dict[tuple[str, int, JokerMode, Among], str] = {}
        """What each picture makes in a listing, for a joker and the hands of a posted paytable."""
        self.results: dict[tuple[tuple[str, ...], bool], tuple[Result, Cites]] = {}
        """How the main wager ends, and by which clauses, as the parts compare and the last has the joker."""
        self.listed: dict[tuple[str, Among], tuple[Category, ...]] = {}
        """The categories of a listing that stand, best first; or those of them that a paytable lists."""
        self.enough: dict[str, frozenset[str]] = {}
        """The categories that answer a qualifier with yes."""


def once(answers: MutableMapping[K, V], key: K, make: Callable[[*Of], V], *of: *Of) -> V:
    """Return the answer under a key; make it of these, and keep it, if it is not there yet."""
    answer = answers.get(key)
    if answer is None:
        answer = answers[key] = make(*of)
    return answer
