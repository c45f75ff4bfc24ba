"""How code and data claim a clause of the law.

Whatever applies a clause says so at the moment it applies it: ``claim("pa575.9.a.1")`` in code, a
``clause`` key in data whose reader calls ``claim``. In service the call is one comparison and says
"in force". A test watches which clauses ran, and can switch one off to see that something breaks:
that is how a clause is known to be both used and tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, wraps
from typing import ParamSpec, TypeVar

from houseway.errors import IllegalError

P = ParamSpec("P")
R = TypeVar("R")


@dataclass
class Watch:
    """What ran while somebody was watching, and what is switched off meanwhile."""

    off: frozenset[str] = frozenset()
    ran: set[str] = field(default_factory=set)


_watch: Watch | None = None


def claim(clause: str) -> bool:
    """Say that the clause is being applied; answer whether it is in force."""
    if _watch is None:
        return True
    _watch.ran.add(clause)
    return clause not in _watch.off


def rest_on(*clauses: str) -> None:
    """Claim clauses without which there is no answer; refuse to answer if one is not in force."""
    missing = tuple(clause for clause in clauses if not claim(clause))
    if missing:
        raise IllegalError("not in force", clauses=missing)


def standing(clauses: Iterable[str]) -> tuple[str, ...]:
    """Claim each of the clauses and return those in force."""
    return tuple(clause for clause in clauses if claim(clause))


def all_standing(clauses: Iterable[str]) -> bool:
    """Claim each of the clauses; answer whether every one is in force. No clauses stand by themselves."""
    wanted = tuple(clauses)
    return len(standing(wanted)) == len(wanted)


@contextmanager
def watching(*, off: Iterable[str] = ()) -> Iterator[Watch]:
    """Watch which clauses run, with some of them switched off. For tests and proofs only."""
    global _watch  # noqa: PLW0603 - the one switch, never thrown in service
    outer, _watch = _watch, Watch(frozenset(off))
    try:
        yield _watch
    finally:
        _watch = outer


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Cache a result that rests on clauses; forget it while any clause is switched off.

    A watcher also sees again, on every call, the clauses that ran when the result was made.
    """

    @cache
    def once(*args: P.args, **kwargs: P.kwargs) -> tuple[R, frozenset[str]]:
        with watching() as watch:
            result = function(*args, **kwargs)
        return result, frozenset(watch.ran)

    @wraps(function)
    def remembering(*args: P.args, **kwargs: P.kwargs) -> R:
        if _watch is not None and _watch.off:
            return function(*args, **kwargs)
        result, ran = once(*args, **kwargs)  # type: ignore[arg-type]
        if _watch is not None:
            _watch.ran |= ran
        return result

    return remembering
