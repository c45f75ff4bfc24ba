"""What the law of each game permits, and which scenarios do it at the first and the last moment.

``python -m tests.scenarios.permissions`` writes ``docs/permitted.md`` anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from houseway.games import game as game_named
from houseway.law.clauses import ClauseKind, clauses_of
from tests.scenarios.doing import PERMITTED
from tests.scenarios.scenario import Scenario, permission, read_scenario

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "permitted.md"
GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
EARLIEST, LATEST, ANY = "earliest", "latest", "any"
MOMENTS = dict(zip(PERMITTED, (EARLIEST, LATEST, ANY), strict=True))
"""Which moment each sentence names."""
WORDS = re.compile(
    r"\bmay\b(?! (?:not|only)\b)|\beither\b|\bdiscretion\b|\boptional\b|\ballowed\b|\bpermit(?:s|ted)?\b"
    r"|\bunless\b|\bon request\b|\bif asked\b|\basks?\b|\bchooses\b|\b(?:or|one) above\b|\bor higher\b"
)
"""Words by which a clause permits something."""
WORTH = (ClauseKind.COMPUTE, ClauseKind.DEFINITION)
"""Kinds of clauses that say what cards are worth and what is paid: nobody does anything by them."""


BY_THE_BUREAU = "the Bureau approves another place on paper; tests/rounds/test_opening.py opens with it"
OF_A_DUTY = "optional is the wager; what is done about it is a duty"
ELSEWHERE: Mapping[str, str] = {
    "pa659a.preamble.training": "a duty of whoever chooses to offer the side wagers",
    "pa659a.2.c.3.deleted": "a device that is no longer permitted",
    "pa575.2.d.s2": BY_THE_BUREAU,
    "pa659a.2.e.s2": BY_THE_BUREAU,
    "pa670a.2.e.s2": BY_THE_BUREAU,
    "pa670a.3.b.4": "says what may not be in the rack",
    "pa659a.11.h.s1": OF_A_DUTY,
    "pa659a.11.i": OF_A_DUTY,
    "pa670a.11.h.s3": OF_A_DUTY,
    "pa670a.11.i": OF_A_DUTY,
    "wa.prog.system.table_controller": "names one version and permits no other",
    "wa.prog.system.approved": "names one system and permits no other",
    "ca.fpgp.collect.review.4": "what the Bureau does to an establishment happens at no table",
}
"""Clauses that have the words and need no walk, each with the reason."""


class Act(NamedTuple):
    """Something that the law permits, done in a scenario."""

    scenario: str
    clause: str
    moment: str
    act: str
    after: str
    """What happened just before; nothing if it is the first thing that happens."""


def acts(name: str, scenario: Scenario) -> Iterator[Act]:
    """Yield what a scenario does by permission, once for each clause that permits it."""
    after = scenario.given[-1] if scenario.given else ""
    for text in scenario.when:
        sentence = permission(text)
        if sentence is None:
            after = text
            continue
        clauses, act = sentence.values
        for clause in clauses:
            yield Act(name, clause, MOMENTS[sentence.sentence.template], act.text, after)
        after = act.text


def permissive(game: str) -> list[str]:
    """Return the clauses of a game that permit something: by their words, or as what a casino may choose."""
    chosen = {clause for permit in game_named(game).permit for clause in permit.clauses}
    clauses = clauses_of(game).values()
    return [
        clause.id
        for clause in clauses
        if clause.id in chosen or (clause.kind not in WORTH and WORDS.search(clause.rule))
    ]


@cache
def walks(game: str) -> Mapping[str, Scenario]:
    """Return the scenarios that walk through what a game's law permits, by name."""
    files = sorted((HERE / game).glob("permitted-*.toml"))
    return {path.stem: read_scenario(path) for path in files}


def acts_of(game: str) -> list[Act]:
    """Return everything that is done by permission of a game's law, in the order of the law."""
    order = list(clauses_of(game))
    done = [act for name, scenario in walks(game).items() for act in acts(name, scenario)]
    return sorted(done, key=lambda act: order.index(act.clause))


# --- the index ----------------------------------------------------------------------------------------

INTRODUCTION = """# What the law permits

Too strict is wrong too. For each clause that permits something, the tables list what is done at the first
and at the last lawful moment, each with the step just before, and what is done at other moments or by
choice. The scenarios in `tests/scenarios` do all of it, and nothing is refused. What a casino may choose is
part of the scenario, and the table opens with it.

`python -m tests.scenarios.permissions` writes this page; a test compares it.
"""


def document() -> str:
    """Return the index of all permissions: one table for each game."""
    return "\n".join([INTRODUCTION, *(table(game) for game in GAMES)])


def table(game: str) -> str:
    """Return the index of one game's permissions: one line for each clause."""
    lines = [f"## {game_named(game).name}: {game}\n"]
    lines += ["| clause | earliest | latest | otherwise | scenarios |", "| --- | --- | --- | --- | --- |"]
    done = acts_of(game)
    for clause in dict.fromkeys(act.clause for act in done):
        mine = [act for act in done if act.clause == clause]
        cells = (
            f"{clauses_of(game)[clause].cite}<br>`{clause}`",
            *(_listed(_said(act) for act in mine if act.moment == moment) for moment in (EARLIEST, LATEST)),
            _listed(act.act for act in mine if act.moment == ANY),
            _listed(act.scenario.removeprefix("permitted-") for act in mine),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _said(act: Act) -> str:
    return f"{act.act} (after: {act.after})" if act.after else act.act


def _listed(texts: Iterable[str]) -> str:
    return "<br>".join(dict.fromkeys(texts))


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
