"""The start of the command line: processor time of its plainest questions, beyond that of Python alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from benchmarks.measure import Measure

TIMES = 7
START_BAR = 0.15
"""The plainest questions take less than this beyond Python's own start, in seconds of the processor."""


def starting() -> list[Measure]:
    """``--version``, ``games`` and the help, each as the best of several starts."""
    bare = spent(["-c", "pass"])
    measures = []
    for words in (["--version"], ["games"], []):
        took = spent(["-m", "houseway", *words]) - bare
        said = " ".join(["houseway", *words])
        measures.append(
            Measure(f"{said}: processor's time beyond Python's start", took, "s", "the bar", START_BAR)
        )
    return measures


def spent(words: Sequence[str]) -> float:
    """Return the processor time of the quickest of several processes."""
    took = []
    for _ in range(TIMES):
        before = os.times()
        subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        took.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    return min(took)
