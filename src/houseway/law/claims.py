"""How code and data claim a clause of the law.

Whatever applies a clause says so at the moment it applies it: ``claim("pa575.9.a.1")`` in code, a
``clause`` key in data whose reader calls ``claim``. In service the call is one comparison and says
"in force". A test watches which clauses ran, and can switch one off to see that something breaks:
that is how a clause is known to be both used and tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from typing import ParamSpec, TypeVar, TypeVarTuple

from houseway.errors import IllegalError

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K")
V = TypeVar("V")
Of = TypeVarTuple("Of")


@dataclass
class Watch:
    """What ran while somebody was watching, and what is switched off meanwhile."""

    off: frozenset[str] = frozenset()
    ran: set[str] = field(default_factory=set)


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)
"""Who watches is a matter of the thread or task that watches: nothing is switched off for anybody else."""


def watched() -> bool:
    """Whether somebody is watching which clauses run; in service nobody is."""
    return _watch.get() is not None


def claim(clause: str) -> bool:
    """Say that the clause is being applied; answer whether it is in force."""
    watch = _watch.get()
    if watch is None:
        return True
    watch.ran.add(clause)
    return clause not in watch.off


def rest_on(*clauses: str) -> None:
    """Claim clauses without which there is no answer; refuse to answer if one is not in force."""
    if _watch.get() is None:
        return
    missing = tuple(clause for clause in clauses if not claim(clause))
    if missing:
        raise IllegalError("not in force", clauses=missing)


def standing(clauses: Iterable[str]) -> tuple[str, ...]:
    """Claim each of the clauses and return those in force."""
    if _watch.get() is None:
        return tuple(clauses)
    return tuple(clause for clause in clauses if claim(clause))


def all_standing(clauses: Iterable[str]) -> bool:
    """Claim each of the clauses; answer whether every one is in force. No clauses stand by themselves."""
    if _watch.get() is None:
        return True
    wanted = tuple(clauses)
    return len(standing(wanted)) == len(wanted)


@contextmanager
def watching(*, off: Iterable[str] = ()) -> Iterator[Watch]:
    """Watch which clauses run, with some of them switched off. For tests and proofs only."""
    watch = Watch(frozenset(off))
    token = _watch.set(watch)
    try:
        yield watch
    finally:
        _watch.reset(token)


def recall(table: MutableMapping[K, V], key: K, make: Callable[[*Of], V], *of: *Of) -> V:
    """Return what a table of answers holds under a key; make it of these, and keep it, if it is not there.

    While somebody watches, every answer is made anew and none is kept, so that the clauses it rests on
    are seen, and one that is switched off is missed.
    """
    if _watch.get() is not None:
        return make(*of)
    found = table.get(key)
    if found is None:
        found = table[key] = make(*of)
    return found


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Cache a costly result that rests on clauses; forget it while any clause is switched off.

    A watcher sees again, on every call, the clauses that ran when the result was made.
    """
    kept: dict[object, tuple[R, frozenset[str]]] = {}

    @wraps(function)
    def remembering(*args: P.args, **kwargs: P.kwargs) -> R:
        outer = _watch.get()
        if outer is not None and outer.off:
            return function(*args, **kwargs)
        key = (args, tuple(sorted(kwargs.items())))
        found = kept.get(key)
        if found is None:
            with watching() as watch:
                value = function(*args, **kwargs)
            found = kept[key] = value, frozenset(watch.ran)
        if outer is not None:
            outer.ran |= found[1]
        return found[0]

    return remembering
