"""What serves a table loads no array and no compiler: a server starts at once and stays small."""

from __future__ import annotations

import subprocess
import sys

import pytest

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
SERVES = """
import sys
from houseway.games import example_submission, rules_for
from houseway.rng import SeededEntropy
from houseway.rounds import codec, live, options, redaction, views
from houseway.rounds.auto import auto_round

record = auto_round(rules_for(example_submission(sys.argv[1])), SeededEntropy("serving"))
assert record.turns
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_played_without_numpy_and_numba(game: str) -> None:
    words = [sys.executable, "-c", SERVES, game]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    loaded = set(done.stdout.split())
    assert "houseway" in loaded
    assert loaded.isdisjoint({"numpy", "numba"})


def test_importing_the_round_of_play_reads_no_document_of_the_law() -> None:
    """The law's and the games' documents are read when somebody asks for them."""
    program = """
import sys
read = []
sys.addaudithook(lambda event, args: read.append(str(args[0])) if event == "open" else None)
from houseway.rounds import codec, live, options, redaction, views
print(*(path for path in read if path.endswith((".toml", ".csv"))))
"""
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == []
