"""The proof of a clause: its tests fall where the law has it less, and those that do not are named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MARKED = """
import pytest

from tests.games.support import refused


@pytest.mark.clause("pa659a.2.a.s1")
def test_that_rests_on_its_clause() -> None:
    assert refused("pa-659a", {"table.positions": 7}, "pa659a.2.a.s1")


@pytest.mark.clause("pa659a.2.a.s1", "pa659a.7.d")
def test_that_rests_on_one_of_two() -> None:
    assert refused("pa-659a", {"table.positions": 7}, "pa659a.2.a.s1")


def test_that_claims_nothing() -> None: ...
"""


def prove(*words: str) -> str:
    """Return what a proof prints."""
    command = [sys.executable, "-m", "pytest", "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml")]
    options = ["-p", "no:cacheprovider", "--prove-clauses", *words]
    environment = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [*command, *options],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout + done.stderr


def test_a_test_that_passes_without_its_clause_is_named_and_one_that_falls_is_proven(tmp_path: Path) -> None:
    path = tmp_path / "test_marked.py"
    path.write_text(MARKED, encoding="utf-8")
    report = prove(str(path))
    assert "2 passed" in report and "1 failed" in report, report
    assert "still passes with pa659a.7.d struck" in report
    assert "still passes with pa659a.2.a.s1 struck" not in report


def test_clauses_fall_through_the_door_of_a_served_floor() -> None:
    report = prove("tests/service/test_clauses_served.py")
    assert "3 passed" in report, report
