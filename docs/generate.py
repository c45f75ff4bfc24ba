"""Writes the generated parts of the README anew: ``python docs/generate.py``, or ``make docs``.

A generated part lies between ``<!-- name -->`` and ``<!-- end of name -->``; a test compares it.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from rich.progress import track

from houseway.cli import tracing
from houseway.cli.tracing import State
from houseway.games import Game, example_submission, games, rules_for
from houseway.houseways import compile_way, house_way
from houseway.law import rule_sets
from houseway.odds import side_odds
from houseway.odds.maingame import MainGame, main_game
from houseway.odds.sides import percent

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
ODDS = ROOT / "docs" / "odds.json"


def trace() -> str:
    """Return how far the law is in code and tests: one line for each rule set."""
    lines = ["| rule set | clauses | in code and tested | checklist at opening | nothing to compute | open |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
    for rule_set in rule_sets():
        states = Counter(traced.state for traced in tracing.trace(rule_set.id))
        left = states[State.OPEN] + states[State.UNTESTED]
        figures = (states.total(), states[State.DONE], states[State.CHECKLIST], states[State.REASON], left)
        lines.append(f"| `{rule_set.id}` | " + " | ".join(f"{n:,}" for n in figures) + " |")
    return "\n".join(lines)


def odds() -> str:
    """Return the exact odds of the five games: the main game as last counted, the side wagers counted now."""
    counted = json.loads(ODDS.read_text(encoding="utf-8"))
    lines = [
        "| game | house way, both sides | edge | push | side wagers: hold |",
        "| --- | --- | ---: | ---: | --- |",
    ]
    for game in games():
        if not game.licensed:
            continue
        found = counted[game.id]
        main = MainGame(found["wins"], found["pushes"], found["losses"])
        push = percent(Fraction(main.pushes, main.deals))
        lines.append(
            f"| `{game.id}` | {found['house_way']} | {percent(main.edge())} | {push} | {_holds(game)} |"
        )
    return "\n".join(lines)


def _holds(game: Game) -> str:
    """Return the hold of each listed side paytable, by wager."""
    by_wager: dict[str, list[str]] = {}
    for table in game.paytable:
        if table.wager not in ("main", "double_down"):
            hold = percent(side_odds(game, table).hold)
            by_wager.setdefault(table.wager, []).append(hold)
    return "; ".join(f"{wager} {', '.join(holds)}" for wager, holds in by_wager.items())


def count_main_games() -> None:
    """Count the main game of every example submission anew: half a minute each on two cores."""
    found = {}
    for game in track([game for game in games() if game.licensed], description="main games"):
        rules = rules_for(example_submission(game.id))
        way = compile_way(house_way(rules.submission.house_way or ""), base=rules.ranking())
        main = main_game(way, way)
        figures = {"wins": main.wins, "pushes": main.pushes, "losses": main.losses}
        found[game.id] = {"house_way": way.way.id} | figures
    ODDS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


PARTS: dict[str, Callable[[], str]] = {"trace": trace, "odds": odds}


def written(text: str) -> str:
    """Return the README with every generated part as it should be."""
    for name, part in PARTS.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.S)
        body = part() + "\n"
        text = pattern.sub(lambda match, body=body: match[1] + body + match[2], text)
    return text


def main() -> int:
    """Write the README; ``--check`` only says whether it is up to date, ``--count`` counts the main games."""
    if "--count" in sys.argv:
        count_main_games()
    now = README.read_text(encoding="utf-8")
    wanted = written(now)
    if "--check" in sys.argv:
        return int(now != wanted)
    README.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
