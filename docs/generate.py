"""Writes the generated parts of the documents anew: ``python docs/generate.py``, or ``make docs``.

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
from houseway.cli.tracing import TraceState
from houseway.games import Game, example_submission, games, rules_for
from houseway.houseways import compile_way, house_way
from houseway.houseways.proof import prove_way
from houseway.law import rule_sets
from houseway.odds import side_odds
from houseway.odds.maingame import MainGame, main_game
from houseway.odds.sides import percent

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
ODDS = ROOT / "docs" / "odds.json"
WAYS = ROOT / "docs" / "ways.json"
OURS = "houseway-421"
WHO = {
    OURS: "our ten rules",
    "best": "best",
    "nine-rules": "nine rules",
    "eleven-rules": "eleven rules",
    "plain": "the strongest hand first",
}
"""How the sides of a counted main game are called."""


def trace() -> str:
    """Return how far the law is in code and tests: one line for each rule set."""
    lines = ["| rule set | clauses | in code and tested | checklist at opening | nothing to compute | open |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
    for rule_set in rule_sets():
        states = Counter(traced.state for traced in tracing.trace(rule_set.id))
        left = states[TraceState.OPEN] + states[TraceState.UNTESTED]
        figures = (
            states.total(),
            states[TraceState.DONE],
            states[TraceState.CHECKLIST],
            states[TraceState.REASON],
            left,
        )
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
    found["hands by rule"] = prove_way(compile_way(house_way(OURS))).by_rule
    ODDS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def counted_ways() -> dict[tuple[str, str], MainGame]:
    """Return the main games counted while our house way was chosen: the player's way, the dealer's."""
    found = json.loads(WAYS.read_text(encoding="utf-8"))
    return {(one["player"], one["dealer"]): MainGame(*one["counts"]) for one in found}


def points(edge: Fraction) -> str:
    """Write a difference of two edges, in points of a per cent."""
    return f"{float(100 * edge):.4f}"


def worths() -> dict[str, Fraction]:
    """Return what each rule of our house way adds to the edge."""
    games_counted = counted_ways()
    edge = games_counted[OURS, OURS].edge()
    rules = [rule.id for rule in house_way(OURS).rule]
    return {rule: edge - games_counted[OURS, f"{OURS} without {rule}"].edge() for rule in rules}


def worth() -> str:
    """Return what each rule of our house way is worth, and how many hands it decides."""
    decided = json.loads(ODDS.read_text(encoding="utf-8"))["hands by rule"]
    total = sum(decided.values())
    lines = ["| rule | hands it decides | worth, points | the dealer |", "| --- | ---: | ---: | --- |"]
    for rule in house_way(OURS).rule:
        share = percent(Fraction(decided[rule.id], total))
        lines.append(f"| {rule.id} | {share} | {points(worths()[rule.id])} | {rule.say} |")
    return "\n".join(lines)


def opponents() -> str:
    """Return the edge of each pair of ways that was counted."""
    lines = ["| the player sets | the dealer sets | edge |", "| --- | --- | ---: |"]
    for (player, dealer), found in counted_ways().items():
        if " without " not in dealer:
            lines.append(f"| {WHO[player]} | {WHO[dealer]} | {percent(found.edge())} |")
    return "\n".join(lines)


PARTS: dict[str, Callable[[], str]] = {"trace": trace, "odds": odds, "worth": worth, "opponents": opponents}
PAGES = (README, ROOT / "docs" / "house-way.md")


def written(text: str) -> str:
    """Return a document with every generated part as it should be."""
    for name, part in PARTS.items():
        if f"<!-- {name} -->" not in text:
            continue
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.S)
        body = part() + "\n"
        text = pattern.sub(lambda match, body=body: match[1] + body + match[2], text)
    return text


def main() -> int:
    """Write the pages; ``--check`` only says whether they are up to date, ``--count`` counts main games."""
    if "--count" in sys.argv:
        count_main_games()
    late = 0
    for page in PAGES:
        now = page.read_text(encoding="utf-8")
        wanted = written(now)
        late += now != wanted
        if "--check" not in sys.argv:
            page.write_text(wanted, encoding="utf-8")
    return int(late > 0) if "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
