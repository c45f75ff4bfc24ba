"""Writes the generated parts of the documents: ``python docs/generate.py``, or ``make docs``.

A generated part lies between ``<!-- name -->`` and ``<!-- end of name -->``; the catalogue of the steps'
words is generated whole. A test compares them.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path

import bestplay
import capacities_page
import catalogue
import deck_life_page
import published
import roles_page
from pydantic import BaseModel
from rich.progress import track

from houseway.games import Game, Rules, example_submission, games, rules_for
from houseway.houseways import Example, HouseWay, Rule, compile_way, house_way, vocabulary, words
from houseway.houseways.document import PartFilter, Points, When
from houseway.houseways.proof import prove_way
from houseway.law import rule_sets, tracing
from houseway.law.tracing import TraceState
from houseway.odds import side_odds
from houseway.odds.maingame import MainGame, main_game
from houseway.odds.sides import percent
from houseway.ranking.ranking import RANKING_FILES, ranking

ROOT = Path(__file__).parents[1]
TOUR = ROOT / "docs" / "tour.md"
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
    rules = Rules.of(example_submission(game.id))
    for table in game.paytable:
        if table.wager not in ("main", "double_down"):
            hold = percent(side_odds(rules, table.wager, table).hold)
            by_wager.setdefault(table.wager, []).append(hold)
    return "; ".join(f"{wager} {', '.join(holds)}" for wager, holds in by_wager.items())


def count_main_games() -> None:
    """Count the main game of every example submission again: half a minute each on two cores."""
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


# --- the language of house ways -----------------------------------------------------------------------


def rows_of(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table."""
    names = list(head)
    lines = [names, ["---"] * len(names), *map(list, rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def keys(model: type[BaseModel], meanings: Mapping[str, str]) -> str:
    """Return the keys of a table of the document, in its own order."""
    names = [field.alias or name for name, field in model.model_fields.items()]
    return rows_of(("key", "what it holds"), ((f"`{name}`", meanings[name]) for name in names))


def shapes() -> str:
    """Return the shapes of hands."""
    found = ((f"`{name}`", *words.SHAPE_WORDS[name]) for name in vocabulary.SHAPES)
    return rows_of(("shape", "the hand has", "such as"), found)


def flags() -> str:
    """Return what is true or false of a hand."""
    found = ((f"`{name}`", *words.FLAG_WORDS[name]) for name in vocabulary.FLAGS)
    return rows_of(("word", "true if", "such as"), found)


def ranks() -> str:
    """Return the ranks of a hand that a rule may speak of."""
    told = ((name, words.RANK_WORDS[name]) for name in vocabulary.HAND_RANKS)
    rows = ((f"`{name}`", word.meaning, f"{word.hand}: {word.rank}") for name, word in told)
    return rows_of(("word", "the rank of", "such as"), rows)


def part_words() -> str:
    """Return what may be asked of a part of a setting."""
    names = [field.alias or name for name, field in PartFilter.model_fields.items()]
    told = [(f"`{name}`", words.PART_WORDS[name]) for name in names] + [("`wheel`", words.WHEEL_EXAMPLE)]
    rows = ((name, word.meaning, f"`{word.ask}`", word.passes, word.fails) for name, word in told)
    return rows_of(("word", "meaning", "such as", "passes", "does not"), rows)


def categories() -> str:
    """Return the categories of each ranking's parts, best first."""
    rows = []
    for ranking_id in sorted(path.stem for path in RANKING_FILES.glob("*.toml")):
        for part in ranking(ranking_id).document.part:
            names = dict.fromkeys(f"`{category.name}`" for category in part.category)
            rows.append((f"`{ranking_id}`", f"`{part.name}`", str(part.cards), ", ".join(names)))
    return rows_of(("ranking", "part", "cards", "categories, best first"), rows)


PARTS: dict[str, Callable[[], str]] = {
    "way-keys": lambda: keys(HouseWay, words.WAY_KEYS),
    "rule-keys": lambda: keys(Rule, words.RULE_KEYS),
    "when-keys": lambda: keys(When, words.WHEN_KEYS),
    "points-keys": lambda: keys(Points, words.POINTS_KEYS),
    "example-keys": lambda: keys(Example, words.EXAMPLE_KEYS),
    "shapes": shapes,
    "flags": flags,
    "ranks": ranks,
    "part-words": part_words,
    "categories": categories,
    "trace": trace,
    "odds": odds,
    "worth": worth,
    "opponents": opponents,
    "capacities": capacities_page.capacities,
    "exclusions": capacities_page.exclusions,
    "deck-drawing": deck_life_page.drawing,
    "deck-table": deck_life_page.table,
    "steps": roles_page.step_roles,
    "shown": roles_page.shown,
    "hidden": roles_page.hidden,
    "read-by": roles_page.read_by,
    "published-edges": published.edges,
    "published-costs": published.costs,
    "published-shares": published.shares,
    "published-kinds": published.by_kind,
    "published-sources": published.sources,
    **{
        f"best-{game}-{name}": partial(bestplay.block, game, name)
        for game in bestplay.GAMES
        for name in bestplay.BLOCKS
    },
}
DOCS = ROOT / "docs"
PAGES = (
    TOUR,
    *(
        DOCS / name
        for name in ("house-way.md", "house-way-language.md", "roles.md", "capacities.md", "deck-life.md")
    ),
    DOCS / "ways" / "published.md",
    *sorted((DOCS / "best").glob("*.md")),
)


def written(text: str) -> str:
    """Return a document with every generated part as it should be."""
    for name, part in PARTS.items():
        if f"<!-- {name} -->" not in text:
            continue
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.S)
        body = part() + "\n"
        text = pattern.sub(lambda match, body=body: match[1] + body + match[2], text)
    return text


def documents() -> Iterator[tuple[Path, str]]:
    """Yield everything that is generated, whole or in part, with how it should read."""
    for page in PAGES:
        yield page, written(page.read_text(encoding="utf-8"))
    yield catalogue.POT, catalogue.words()


def main() -> int:
    """Write the pages; ``--check`` only says whether they are up to date, ``--count`` counts main games."""
    if "--count" in sys.argv:
        count_main_games()
    late = 0
    for path, wanted in documents():
        late += not path.exists() or path.read_text(encoding="utf-8") != wanted
        if "--check" not in sys.argv:
            path.write_text(wanted, encoding="utf-8")
    return int(late > 0) if "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
