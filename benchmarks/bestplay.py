"""What whoever asks for best play waits for: the exact optimum from nothing, and a coach's answers."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from statistics import median
from typing import IO, Final

from benchmarks.measure import Measure
from houseway.cards import Cards, Deck, show
from houseway.games import example_submission, game
from houseway.rounds.coaching import CoachQuestion
from houseway.rounds.codec import encode

BARS: Final = {"ref-pgp": 600, "pa-659a": 900, "pa-670a": 60}
"""Seconds for the exact optimum of 5-2, 4-2-1 and 5-1."""
MEMORY_BAR: Final = 8.0
STORED_BAR, COUNTED_BAR, COLD_BAR = 20, 250, 2
"""Milliseconds from stored values, and by counting; seconds for a process that begins."""
ASKED: Final = 25
GIGABYTE: Final = 1 << 20
"""In kilobytes."""
VALUED: Final = """
import json, resource, sys, time
from houseway.cli.hands import ranking_of
from houseway.cli.way_names import commission_of
from houseway.cli.ways import program_for
from houseway.odds.valued import ValuedSide
found, order = ranking_of(sys.argv[1])
begin = time.perf_counter()
side = ValuedSide.against_dealer(program_for(found, order, None), commission_of(found))
edge = float(-side.optimum.mean)
print(json.dumps([time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, edge]))
"""


def best() -> list[Measure]:
    """Best play exactly from nothing, each game in a process of its own; then a coach, warm and cold."""
    measures = []
    with tempfile.TemporaryDirectory() as folder:
        places = os.environ | {"XDG_CACHE_HOME": folder}
        for name, bar in BARS.items():
            told = subprocess.run(
                [sys.executable, "-c", VALUED, name], check=True, capture_output=True, env=places
            ).stdout
            seconds, kilobytes, edge = json.loads(told)
            measures.append(Measure(f"{name}: best play exactly ({edge:.4%})", seconds, "s", "the bar", bar))
            memory = kilobytes / GIGABYTE
            measures.append(Measure(f"{name}: held in memory for that", memory, "GiB", "the bar", MEMORY_BAR))
        for name in BARS:
            measures += _coach(name, places)
    return measures


def _coach(name: str, places: dict[str, str]) -> Iterator[Measure]:
    """Yield how long a coach takes: in a process that is warm, and in one that only begins."""
    chance, cards = random.Random(1), Deck.standard().cards
    hands = [tuple(chance.sample(cards, game(name).hand_cards)) for _ in range(ASKED + 1)]
    words = [sys.executable, "-m", "houseway.odds.coach_worker"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=places) as worker:
        assert worker.stdin and worker.stdout
        for what, every, bar in (("stored values", False, STORED_BAR), ("counting", True, COUNTED_BAR)):
            spent = [_asked(worker.stdin, worker.stdout, name, hand, every) for hand in hands]
            yield Measure(
                f"{name}: a hand's settings from {what}, warm", median(spent[1:]), "ms", "the bar", bar
            )
        worker.stdin.close()
    command = [sys.executable, "-m", "houseway", "coach", name, show(hands[0]), "--json"]
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=places)
    yield Measure(f"{name}: the same from the shell", time.perf_counter() - begin, "s", "the bar", COLD_BAR)


def _asked(to: IO[bytes], back: IO[bytes], name: str, hand: Cards, every: bool) -> float:
    """Return in how many milliseconds a question is answered."""
    rules = example_submission(name) if game(name).licensed else None
    begin = time.perf_counter()
    to.write(encode(CoachQuestion(id=1, game=name, cards=hand, submission=rules, every=every)) + b"\n")
    to.flush()
    told = json.loads(back.readline())
    assert told["value"].get("worth"), told
    return 1000 * (time.perf_counter() - begin)
