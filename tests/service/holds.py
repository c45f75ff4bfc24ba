"""Writes ``service/data/holds.toml``: ``python -m tests.service.holds``, a minute and a half.

Side wagers are counted over every hand, for every listed paytable and every reading that changes what it
keeps. Of the main game the counts are those of ``docs/odds.json``, of each game's example submission.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from houseway.games import Rules, Submission, example_submission, games
from houseway.games.decided import decided_by
from houseway.law.readings import options_of
from houseway.odds.maingame import MainGame
from houseway.odds.sides import listed_tables, side_odds
from houseway.service.theoretical_holds import CountedHold

HEAD = """\
# What the house keeps of each wager in the long run, as exact parts of it: of the main wager where both
# sides set by a house way; of side wagers by paytable, what a meter takes and gives left aside. The key is a
# hash over all that decides the figure; readings stand here where they are others than the usual ones.
# Counted by houseway.odds over every hand: python -m tests.service.holds. A proof counts them again.
"""
COUNTED = Path(__file__).parents[2] / "docs" / "odds.json"
PATH = Path(str(files("houseway.service") / "data" / "holds.toml"))


def with_readings(submission: Submission, readings: dict[str, str]) -> Submission:
    """Return a submission that takes some readings otherwise."""
    return submission.model_copy(update={"readings": {**submission.readings, **readings}})


def other_readings(rules: Rules, wager: str) -> Iterator[dict[str, str]]:
    """Yield every combination of readings that changes what decides a wager, the usual ones first."""
    usual, touching = decided_by(rules, wager), {}
    for name, option in options_of(rules.game.rule_set or "").items():
        others = [choice for choice in option.choices if choice != option.default]
        changed = [
            choice
            for choice in others
            if decided_by(Rules.of(with_readings(rules.submission, {name: choice})), wager) != usual
        ]
        if changed:
            touching[name] = [option.default, *changed]
    for choices in product(*touching.values()):
        named = dict(zip(touching, choices, strict=True))
        yield {name: choice for name, choice in named.items() if choice != touching[name][0]}


def side_holds(submission: Submission) -> Iterator[CountedHold]:
    """Yield the hold of every listed paytable under every combination of readings that touches it."""
    for wager in Rules.of(submission).side_wagers:
        for table, posted in listed_tables(Rules.of(submission), wager):
            for readings in other_readings(posted, wager):
                rules = Rules.of(with_readings(posted.submission, readings))
                hold = side_odds(rules, wager).hold
                yield CountedHold(
                    decided_by(rules, wager), submission.game, wager, table.id, str(hold), readings
                )


def main_hold(submission: Submission, counts: dict[str, Any]) -> CountedHold:
    """Return the hold of the main wager, both sides setting by the example's house way."""
    rules, way = Rules.of(submission), submission.house_way or ""
    assert counts["house_way"] == way, "counted for another house way"
    main = MainGame(counts["wins"], counts["pushes"], counts["losses"])
    edge = main.edge(rules.game.commission or Fraction(0))
    return CountedHold(decided_by(rules, "main"), submission.game, "main", way, str(edge))


def every_hold() -> Iterator[CountedHold]:
    """Yield every hold that is stored: one for each hash, however many games come to it."""
    counted, seen = json.loads(COUNTED.read_text(encoding="utf-8")), set()
    for game in games():
        if not game.licensed:
            continue
        submission = example_submission(game.id)
        for hold in (main_hold(submission, counted[game.id]), *side_holds(submission)):
            if hold.key not in seen:
                yield hold
            seen.add(hold.key)


def as_toml(hold: CountedHold) -> str:
    """Write one row."""
    lines = [f'{name} = "{getattr(hold, name)}"' for name in ("key", "game", "wager", "by")]
    if hold.readings:
        readings = ", ".join(f'{name} = "{choice}"' for name, choice in hold.readings.items())
        lines.append(f"readings = {{ {readings} }}")
    return "\n".join(["[[hold]]", *lines, f'hold = "{hold.hold}"'])


if __name__ == "__main__":
    PATH.write_text("\n".join([HEAD, "\n\n".join(map(as_toml, every_hold()))]) + "\n", encoding="utf-8")
