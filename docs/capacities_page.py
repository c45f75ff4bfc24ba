"""The tables of ``docs/capacities.md``: who is what at a table, and which capacities exclude each other."""

from __future__ import annotations

from collections.abc import Iterator

import roles_page

from houseway.rounds.capacities import EXCLUSIONS, HOUSE_RULE, Capacity, Exclusion, bears_on
from houseway.rounds.steps import STEPS


def capacities() -> str:
    """Return what each capacity is."""
    about = roles_page.meanings(Capacity)
    lines = ["| capacity | who it is |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {one} | {about[one.name]} |" for one in Capacity)])


def exclusions() -> str:
    """Return which capacities exclude each other, where, how long, why, and by which law of each game."""
    lines = [
        "| who is | does not act as | in which steps | how long | because | law |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for one in EXCLUSIONS:
        cells = (one.holding, one.acting, _steps(one), one.scope, one.because, _law(one))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _steps(exclusion: Exclusion) -> str:
    if exclusion.steps:
        return _named(exclusion.steps)
    return f"all but {_named(exclusion.spared)}" if exclusion.spared else "all"


def _named(steps: frozenset[str]) -> str:
    return ", ".join(f"`{step}`" for step in STEPS if step in steps)


def _law(exclusion: Exclusion) -> str:
    """Return the clauses that a game cites, step by step; everywhere else it is a rule of the house."""
    everywhere = "plain sense" if exclusion.sense else HOUSE_RULE
    return "<br>".join([*_cited(exclusion), f"*elsewhere:* {everywhere}"])


def _cited(exclusion: Exclusion) -> Iterator[str]:
    for step in (name for name, one in STEPS.items() if bears_on(exclusion, one)):
        cited = [roles_page.clauses(game.procedure, step, exclusion.key) for game in roles_page.LICENSED]
        found = ", ".join(dict.fromkeys(filter(None, cited)))
        if found:
            yield f"`{step}`: {found}"
