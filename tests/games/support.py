"""A submission to change one thing in: what every test of the law's conditions starts from."""

from __future__ import annotations

import tomllib
from datetime import datetime
from typing import Any

import houseway as hw
from houseway.games import Rules, Submission, rules_for
from houseway.games.submission import EXAMPLES
from houseway.law import Problem
from houseway.law.documents import as_document
from houseway.law.problems import RefusedError
from houseway.ranking.memo import once

NOTHING = object()
Changes = dict[str, Any]


def submission(game: str, changes: Changes | None = None) -> Submission:
    """Return the game's example submission with some fields changed, by dotted path."""
    data = tomllib.loads((EXAMPLES / game / "example.toml").read_text(encoding="utf-8"))
    for path, value in (changes or {}).items():
        *above, last = path.split(".")
        inner = data
        for step in above:
            inner = inner.setdefault(step, {})
        if value is NOTHING:
            inner.pop(last, None)
        else:
            inner[last] = value
    return as_document(Submission, data, game)


def problems(game: str, changes: Changes | None = None) -> tuple[Problem, ...]:
    """Return what is wrong with the changed example, as the library opens or refuses it."""
    try:
        return hw.game(submission(game, changes)).warnings
    except RefusedError as error:
        return error.problems


def refused(game: str, changes: Changes, clause: str) -> bool:
    """Whether the changed example is refused on the strength of a clause."""
    return any(p.blocks and clause in p.clauses for p in problems(game, changes))


def warned(game: str, changes: Changes, clause: str) -> bool:
    """Whether the changed example draws a warning on the strength of a clause."""
    return any(not p.blocks and clause in p.clauses for p in problems(game, changes))


def accepted(game: str, changes: Changes | None = None) -> bool:
    """Whether the changed example is lawful, warnings apart."""
    return not any(p.blocks for p in problems(game, changes))


def rules(game: str, changes: Changes | None = None) -> Rules:
    """Return the rules of the changed example, which must be lawful; what is chosen alike shares them."""
    chosen = submission(game, changes)
    return once(_rules, chosen.fingerprint(), rules_for, chosen)


_rules: dict[str, Rules] = {}


OWN_FORTUNE: Changes = {
    "name": "our own",
    "wager": "fortune",
    "version": "1",
    "effective": datetime(2016, 1, 1),
    "lines": [{"hand": "flush", "pays": "4 to 1"}],
}
