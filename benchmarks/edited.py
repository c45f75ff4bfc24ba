"""What somebody who writes a house way waits for."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from benchmarks.measure import Measure
from houseway.cards import Deck
from houseway.houseways import HouseWay, compile_way, house_way
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import main_game, main_games
from houseway.odds.recount import EditedWay

FULL_BARS = {"foxwoods": 25, "houseway-421": 30}


def spent(work: Callable[[], object]) -> float:
    """Return how long something takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def edited_way(way: HouseWay) -> HouseWay:
    """Return a way with a rule of two pairs changed a little: fewer than 1 in 100 hands are set otherwise."""
    text = way.model_dump()
    for rule in text["rule"]:
        ranks = rule["when"]["ranks"]
        if "two" in rule["id"] and ranks.get("pair1") in ("6..3", "5..3", "T..7"):
            high, low = ranks["pair1"].split("..")
            ranks["pair1"] = f"{chr(ord(high) - 1) if high.isdigit() else '9'}..{low}"
            break
    return HouseWay.model_validate(text)


def edited() -> list[Measure]:
    """A way counted against itself, then edited; two ways in all four pairings.

    Compiled kernels, no stored counts. The bar of an edit is half of that of a whole count.
    """
    measures = []
    for name, bar in FULL_BARS.items():
        program = compile_way(house_way(name))
        main_game(program, program, Deck.reduced("AKQJT98", "sh"))  # compiled, if it was not
        whole = spent(partial(main_game, program, program))
        measures.append(Measure(f"{name}: against itself, exactly", whole, "s", "the bar", bar))
    one = compile_way(house_way("foxwoods"))
    other = compile_way(house_way("trump-plaza"), base=one.ranking)
    pairings = spent(lambda: main_games((one, other), (one, other)))
    measures.append(Measure("5-2: four pairings of two ways in one pass", pairings, "s"))
    kept = EditedWay(one)
    changed = compile_way(edited_way(one.way), base=one.ranking)
    kept.edit(changed)
    kept.edit(one)
    found: list[int] = []
    again = spent(lambda: found.append(kept.edit(changed)))
    share = found[0] / HandSpace(7).hands
    what = f"5-2: an edit that changes {share:.2%} of hands, counted again"
    measures.append(Measure(what, again, "s", "the bar", FULL_BARS["foxwoods"] / 2))
    return measures
