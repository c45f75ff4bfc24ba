"""The published ways to set five and two cards side by side: exact counts, and the tables of their page.

The counts are kept in ``published.json``; ``python docs/published.py`` counts what is not there yet, in some
minutes. A way whose rules have changed is counted again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import track

from houseway.games import game
from houseway.houseways import CompiledWay, HouseWay, Rule, compile_way, house_way, house_ways
from houseway.houseways.batch import run_program
from houseway.houseways.document import When
from houseway.houseways.proof import HAND_COUNTS, suit_classes
from houseway.law import rule_set
from houseway.odds.maingame import MainGame, Packing, main_games
from houseway.odds.sides import percent
from houseway.ranking import ranking

PUBLISHED = Path(__file__).parent / "published.json"
REFERENCE = "ref-pgp"
YARDSTICK = "foxwoods"
"""The way that every other is counted against, on either side."""
COMMISSION = game(REFERENCE).commission or Fraction(0)
KINDS = {
    "five aces": When(shape=("five_aces",)),
    "four of a kind": When(shape=("quads",)),
    "two threes of a kind": When(shape=("two_trips",)),
    "full house": When(shape=("full_house",)),
    "three pairs": When(shape=("three_pair",)),
    "two pairs with a straight or flush": When(shape=("two_pair",), complete=True),
    "two pairs": When(shape=("two_pair",)),
    "trips with a straight or flush": When(shape=("trips",), complete=True),
    "one pair with a straight or flush": When(shape=("pair",), complete=True),
    "straight or flush, no pair": When(shape=("no_pair",), complete=True),
    "everything else": When(),
}
"""The kinds of hands, the first that a hand is of."""

WORDS = {"id", "say", "clauses", "cites", "worth"}
"""What a rule says but does not decide by."""


def ways() -> tuple[HouseWay, ...]:
    """Return the ways to set five and two cards that come with houseway, the yardstick first."""
    found = [way for way in house_ways() if ranking(way.ranking).split == (5, 2)]
    return tuple(sorted(found, key=lambda way: (way.id != YARDSTICK, way.ranking != REFERENCE, way.id)))


def played_by(*some: HouseWay) -> str:
    """Return the ranking that ways meet under: the law's own if one of them is the law's."""
    return next((way.ranking for way in some if way.ranking != REFERENCE), REFERENCE)


def digest(way: HouseWay) -> str:
    """Return a short name for what a way decides, that changes when its rules do and not with its words."""
    rules = [way.model_dump_json(include={"ranking"})]
    rules += [rule.model_dump_json(exclude=WORDS, exclude_defaults=True) for rule in way.rule]
    return sha256("".join(rules).encode()).hexdigest()[:12]


# --- counting -----------------------------------------------------------------------------------------


def pairings() -> Iterator[tuple[HouseWay, HouseWay, str]]:
    """Yield who meets whom under which ranking, player first: each itself, and the yardstick both ways."""
    yardstick = house_way(YARDSTICK)
    for way in ways():
        yield way, way, way.ranking
    for way in ways():
        order = played_by(way)
        if way is not yardstick:
            yield yardstick, way, order
            yield way, yardstick, order
        if order != REFERENCE:
            yield yardstick, yardstick, order


def read() -> dict[str, Any]:
    """Return what has been counted of the ways as they stand now."""
    found: dict[str, Any] = json.loads(PUBLISHED.read_text(encoding="utf-8")) if PUBLISHED.exists() else {}
    now = {way.id: digest(way) for way in ways()}
    stale = {way for way, rules in found.get("rules", {}).items() if now.get(way) != rules}
    return {
        "rules": now,
        "counts": [x for x in found.get("counts", ()) if not stale & {x["player"], x["dealer"]}],
        "differences": [x for x in found.get("differences", ()) if not stale & {x["one"], x["other"]}],
    }


def write(found: dict[str, Any]) -> None:
    """Write what has been counted, one count to a line."""
    lines = [f' "rules": {json.dumps(found["rules"])}']
    for key in ("counts", "differences"):
        rows = ",\n".join("  " + json.dumps(row) for row in found[key])
        lines.append(f' "{key}": [\n{rows}\n ]')
    PUBLISHED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def count() -> None:
    """Count what is missing, and keep each count as soon as it is there."""
    found = read()
    known = {(one["player"], one["dealer"], one["ranking"]) for one in found["counts"]}
    missing = [some for some in pairings() if (some[0].id, some[1].id, some[2]) not in known]
    for order in track(dict.fromkeys(one[2] for one in missing), description="main games"):
        wanted = [(player.id, dealer.id) for player, dealer, other in missing if other == order]
        names = sorted({name for pair in wanted for name in pair})
        programs = [compile_way(house_way(name), base=ranking(order)) for name in names]
        games = main_games(programs, programs, only=[(names.index(a), names.index(b)) for a, b in wanted])
        for player, dealer in wanted:
            main = games[names.index(player)][names.index(dealer)]
            counts = [main.wins, main.pushes, main.losses]
            found["counts"].append({"player": player, "dealer": dealer, "ranking": order, "counts": counts})
        write(found)
    paired = {(row["one"], row["other"]) for row in found["differences"]}
    if {(one.id, other.id) for one, other in combinations(ways(), 2)} - paired:
        found["differences"] = [*differences(REFERENCE)]
        for order in dict.fromkeys(way.ranking for way in ways() if way.ranking != REFERENCE):
            found["differences"] += differences(order)
        write(found)


def kinds(order: str) -> CompiledWay:
    """Return a program whose rules are the kinds of hands, to tell them apart by."""
    rules = [
        Rule(id=f"kind-{i}", say=name, when=when, prefer=("high", "low"))
        for i, (name, when) in enumerate(KINDS.items())
    ]
    way = HouseWay(id="kinds", title="", ranking=order, parts=("high", "low"), about="", rule=tuple(rules))
    return compile_way(way, base=ranking(order))


def differences(order: str) -> Iterator[dict[str, Any]]:
    """Set every hand every way and yield, for each two that meet under a ranking, how many differ by kind."""
    pairs = [(one, other) for one, other in combinations(ways(), 2) if played_by(one, other) == order]
    programs = {w.id: compile_way(w, base=ranking(order)) for pair in pairs for w in pair}
    packings = {name: Packing.of(program, as_player=True) for name, program in programs.items()}
    counts = [np.zeros(len(KINDS), dtype=np.int64) for _ in pairs]
    teller = kinds(order)
    for hands, weights in suit_classes(7):
        kind = run_program(teller, hands).rules
        packed = {name: packing.hands(hands) for name, packing in packings.items()}
        for found, (one, other) in zip(counts, pairs, strict=True):
            rows = packed[one.id] != packed[other.id]
            found[:] += np.bincount(kind[rows], weights[rows], len(KINDS)).astype(np.int64)
    for (one, other), by_kind in zip(pairs, counts, strict=True):
        hands_by_kind = {name: int(n) for name, n in zip(KINDS, by_kind, strict=True) if n}
        yield {"one": one.id, "other": other.id, "ranking": order, "hands": hands_by_kind}


# --- the tables of the page ---------------------------------------------------------------------------


def counted() -> dict[tuple[str, str, str], MainGame]:
    """Return the main games that were counted: the player's way, the dealer's, the ranking."""
    return {
        (one["player"], one["dealer"], one["ranking"]): MainGame(*one["counts"]) for one in read()["counts"]
    }


def table(head: list[str], rows: list[list[str]], figures: int) -> str:
    """Return a table whose last columns are figures."""
    marks = ["---"] * (len(head) - figures) + ["---:"] * figures
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, marks, *rows])


def edges() -> str:
    """Return edge and push of each way against itself."""
    games, rows = counted(), []
    for way in ways():
        main = games[way.id, way.id, way.ranking]
        push = percent(Fraction(main.pushes, main.deals))
        figures = [str(len(way.rule)), percent(main.edge(COMMISSION)), percent(main.edge()), push]
        rows.append([f"`{way.id}`", way.title, *figures])
    return table(["way", "title", "rules", "edge", "edge before commission", "push"], rows, 4)


def costs() -> str:
    """Return what each way costs on either side against the yardstick."""
    games, rows = counted(), []
    for way in ways()[1:]:
        order = played_by(way)
        base = games[YARDSTICK, YARDSTICK, order].edge(COMMISSION)
        as_dealer = games[YARDSTICK, way.id, order].edge(COMMISSION)
        as_player = games[way.id, YARDSTICK, order].edge(COMMISSION)
        change = [f"{float(100 * x):+.4f}" for x in (as_dealer - base, as_player - base)]
        rows.append([f"`{way.id}`", percent(as_dealer), change[0], percent(as_player), change[1]])
    return table(["way", "the dealer's: edge", "points", "the player's: edge", "points"], rows, 4)


def shares() -> str:
    """Return the share of all hands that each two ways set differently."""
    found = {(x["one"], x["other"]): sum(x["hands"].values()) for x in read()["differences"]}
    names = [way.id for way in ways()]
    rows = []
    for one in names:
        hands = {
            other: found.get((one, other), found.get((other, one), 0)) for other in names if other != one
        }
        cells = [f"{100 * hands[other] / HAND_COUNTS[7]:.3f}%" if other in hands else "" for other in names]
        rows.append([f"`{one}`", *cells])
    return table(["", *(f"`{name}`" for name in names)], rows, len(names))


def by_kind() -> str:
    """Return, by kind of hand, the share of all hands that each way sets otherwise than the yardstick."""
    found = {x["other"]: Counter(x["hands"]) for x in read()["differences"] if x["one"] == YARDSTICK}
    names = [way.id for way in ways()[1:]]
    rows = []
    for kind in KINDS:
        if any(found[name][kind] for name in names):
            cells = [f"{100 * found[name][kind] / HAND_COUNTS[7]:.4f}%" for name in names]
            rows.append([kind, *("" if cell == "0.0000%" else cell for cell in cells)])
    return table(["kind of hand", *(f"`{name}`" for name in names)], rows, len(names))


def sources() -> str:
    """Return where each way was published and how it is read."""
    lines = []
    for way in ways():
        lines += [f"### {way.title}", "", f"`{way.id}`. {way.about}", ""]
        lines += [f"- [{one.title}]({one.address}). {one.note}".rstrip() for one in way.source]
        if way.ranking != REFERENCE:
            lines += [f"- The law: {rule_set(ranking(way.ranking).document.rule_set or '').law}."]
        lines += [""]
    return "\n".join(["", *lines])


if __name__ == "__main__":
    count()
