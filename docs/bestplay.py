"""Best play of each game: figures kept in ``best.json``, and the tables of the reports in ``best/``.

``python docs/bestplay.py [GAME ...]`` asks the program for every figure that is not there yet; in all that
takes about two hours on two cores. A figure is computed again once it is deleted from the file.
"""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from houseway.games import Rules, example_submission
from houseway.games.decided import decided_by
from houseway.odds.sides import percent

DOCS = Path(__file__).parent
FIGURES = DOCS / "best.json"
STORED = DOCS.parent / "src" / "houseway" / "odds" / "data" / "best.toml"
"""What the program itself knows of them."""
RULES = 12
ASKED = {
    "simulated": ("simulate", "{game}"),
    "strategy": ("strategy", "{game}", "--rules", str(RULES), "--out", "docs/ways/{game}-short.toml"),
    "points": (
        "strategy",
        "{game}",
        "{points}",
        "--rules",
        str(RULES),
        "--out",
        "docs/ways/{game}-points.toml",
    ),
    "weakness": ("way", "weakness", "{way}", "--game", "{game}"),
    "answers": ("best", "{game}", "--answers", "{answers}"),
    "seeing": ("seeing", "{game}", "--deals", "{deals}"),
}
"""What is asked of the program about each game."""
GAMES: dict[str, dict[str, str]] = {
    "pa-670a": {"way": "pa-670a", "deals": "10000", "answers": "10", "points": ""},
    "ref-pgp": {"way": "", "deals": "", "answers": "1", "points": ""},
    "ca-fpgp": {"way": "ca-fpgp", "deals": "10000", "answers": "10", "points": "--points"},
    "pa-659a": {"way": "houseway-421", "deals": "10000", "answers": "10", "points": "--points"},
}
"""How each is asked: the dealer's house way, how many deals and answers, and whether for points; nothing
where it is not asked.
"""
ALIKE = {"pa-575": "pa-659a", "wa-fap": "pa-659a"}
"""Games whose best play is counted from the very same numbers as another's; a test compares them all."""


def figures() -> dict[str, dict[str, Any]]:
    """Return every figure that is kept, by game and by what was asked."""
    found: dict[str, dict[str, Any]] = (
        json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    )
    return found


def gather(games: list[str]) -> None:
    """Ask for what is not kept yet, and keep each answer as it comes."""
    for name, words in ASKED.items():
        for game in games:
            known = figures()
            asked = [word.format(game=game, **GAMES[game]) for word in words]
            if "" in asked or name in known.get(game, {}):
                continue
            print("houseway", *asked, flush=True)
            command = [sys.executable, "-m", "houseway", *asked, "--json"]
            done = subprocess.run(command, check=True, capture_output=True, cwd=DOCS.parent)
            known.setdefault(game, {})[name] = json.loads(done.stdout)
            FIGURES.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows))


def of(value: str) -> str:
    """Write an exact fraction as a percentage."""
    return percent(Fraction(value))


def answers(game: str) -> str:
    """Return the edges after each best answer."""
    rows = [
        [one["by"], of(one["edge"]), of(one["gap"]) if "gap" in one else ""]
        for one in figures()[game].get("answers", [])
    ]
    return table(["who answers best", "house edge", "gap"], rows)


def summary(game: str) -> str:
    """Return house way, rules, formula and best play side by side."""
    found = figures()[game]["strategy"]
    worth = {name: Fraction(value) for name, value in found["expectation"].items()}
    worth["formula"] = Fraction(found["independent_parts"])
    gap = worth["best"] - worth["house_way"]
    card = figures()[game].get("points")
    if card:
        worth["points"] = Fraction(card["expectation"]["rules"])
    names = {
        "house_way": "the dealer's house way",
        "formula": "the formula that takes parts as independent",
        "rules": f"the {found['curve'][-1]['rules']} rules below, otherwise the house way",
        "points": "the card of points below",
        "best": "best play",
    }
    rows = [
        [
            told,
            percent(-worth[name]),
            percent(worth["best"] - worth[name]),
            f"{float((worth[name] - worth['house_way']) / gap):.1%}",
        ]
        for name, told in names.items()
        if name in worth
    ]
    return table(["the player sets by", "house edge", "gives up", "of the gap closed"], rows)


def rules(game: str, learnt: str = "strategy") -> str:
    """Return what is to be learnt as a list."""
    said = figures()[game][learnt]["said"]
    return "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(said, start=1))


def curve(game: str, learnt: str = "strategy") -> str:
    """Return the curve of rules against what they give up."""
    found = figures()[game][learnt]
    worth = {name: Fraction(value) for name, value in found["expectation"].items()}
    gap = float(worth["best"] - worth["house_way"])
    rows = [
        [str(one["rules"]), f"{one['gives_up']:.4%}", f"{1 - one['gives_up'] / gap:.1%}"]
        for one in found["curve"]
    ]
    return table(["rules", "give up", "of the gap closed"], rows)


def simulated(game: str) -> str:
    """Return what playing best play out came to."""
    one = figures()[game]["simulated"]
    return (
        f"Exactly {of(one['exact'])}; over {one['deals']:,} deals {one['edge']:.4%}, standard error "
        f"{one['standard_error']:.4%}: {abs(one['standard_errors_away']):.2f} standard errors away."
    )


def seeing(game: str) -> str:
    """Return what seeing other hands is worth."""
    rows = [
        [str(row["others"]), f"{row['gain']:.3%}", f"{row['error']:.3%}", f"{row['otherwise']:.1%}"]
        for row in figures()[game].get("seeing", [])
    ]
    return table(["hands seen", "worth", "standard error", "set differently"], rows)


def weakness(game: str) -> str:
    """Return what the best player gains by shape, with the hands that give most away."""
    found = figures()[game]["weakness"]
    rows = [
        [row["shape"].replace("_", " "), of(row["share"]), of(row["set_otherwise"]), of(row["gain"])]
        for row in found["player"]
    ]
    hands = sorted(
        (hand for row in found["player"] for hand in row["hands"]),
        key=lambda one: Fraction(one["gives_away"]),
        reverse=True,
    )[:8]
    worst = [[f"`{one['way']}`", f"`{one['best']}`", of(one["gives_away"])] for one in hands]
    shapes = table(["shape", "of all hands", "best set differently", "worth to the player"], rows)
    return shapes + "\n\n" + table(["set by the way", "best", "gives away"], worst)


HEAD = """\
# Best play against each game's house way, by the hash over all that decides it; written by docs/bestplay.py
# from what `houseway best` counted. A sheet prints these figures for a submission of the same hash only.
"""


def stored() -> str:
    """Return the best play of each game's example submission as the program keeps it."""
    rows = []
    for game in (*GAMES, *ALIKE):
        counted = ALIKE.get(game, game)
        way = GAMES[counted]["way"]
        if not way:
            continue
        rules = Rules.of(example_submission(game))
        assert rules.submission.house_way == way, "counted against another house way"
        both, *best = figures()[counted]["answers"][:3]
        doubling = rules.offers("double_down")
        for answer, doubles in zip(best, (doubling, False), strict=True):
            if answer["by"].startswith("the player"):
                rows.append((decided_by(rules, "main"), game, way, doubles, both["edge"], answer["edge"]))
    names = ("key", "game", "house_way", "doubling", "house_way_edge", "edge")
    return HEAD + "".join(
        "\n[[best]]\n"
        + "".join(f"{name} = {json.dumps(value)}\n" for name, value in zip(names, row, strict=True))
        for row in rows
    )


BLOCKS = {
    "answers": ("answers", answers),
    "summary": ("strategy", summary),
    "rules": ("strategy", rules),
    "curve": ("strategy", curve),
    "points": ("points", partial(rules, learnt="points")),
    "points-curve": ("points", partial(curve, learnt="points")),
    "simulated": ("simulated", simulated),
    "seeing": ("seeing", seeing),
    "weakness": ("weakness", weakness),
}
"""The generated parts of a report, and which figures each is written from."""


def block(game: str, name: str) -> str:
    """Return a generated part of a game's report; before its figures are asked for it says so."""
    figure, write = BLOCKS[name]
    return write(game) if figure in figures().get(game, {}) else "Not counted yet."


if __name__ == "__main__":
    gather(sys.argv[1:] or list(GAMES))
    STORED.write_text(stored(), encoding="utf-8")
