"""Measures what people wait for, each beside a named peer in the same run."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from houseway.cards import Deck
from houseway.games import example_submission, verify_submission
from houseway.rng import SeededEntropy, SystemEntropy, shuffled


@dataclass(frozen=True)
class Measure:
    """One thing measured, its peer, and how many times a second each does it."""

    what: str
    rate: float
    peer: str = ""
    peer_rate: float | None = None


def per_second(work: Callable[[], object], seconds: float = 0.5) -> float:
    """Return how often the work can be done in a second."""
    work()
    done, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        work()
        done += 1
    return done / spent


def ground() -> list[Measure]:
    """Measure the ground floor: shuffles and judgements of a submission."""
    deck, seeded, system = Deck.standard().cards, SeededEntropy("bench"), SystemEntropy()
    plain = random.Random(1)
    peer = per_second(lambda: plain.sample(deck, len(deck)))
    submission = example_submission("pa-659a")
    return [
        Measure(
            "fair shuffle, operating system's bytes",
            per_second(lambda: shuffled(deck, system)),
            "random.sample",
            peer,
        ),
        Measure(
            "fair shuffle, seeded bytes", per_second(lambda: shuffled(deck, seeded)), "random.sample", peer
        ),
        Measure("rules submission judged", per_second(lambda: verify_submission(submission))),
    ]


def show(measures: list[Measure]) -> None:
    """Print the table."""
    table = Table(
        "what", "per second", "peer", "peer per second", "ratio", title="houseway, this machine, this run"
    )
    for m in measures:
        ratio = f"{m.rate / m.peer_rate:.2f}" if m.peer_rate else ""
        table.add_row(m.what, f"{m.rate:,.0f}", m.peer, f"{m.peer_rate:,.0f}" if m.peer_rate else "", ratio)
    Console().print(table)


if __name__ == "__main__":
    show(ground())
