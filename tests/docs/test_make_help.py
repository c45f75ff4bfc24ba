"""`make help`: every target of the Makefile that says what it is for is listed, with that text."""

from __future__ import annotations

import re
import subprocess

from tests.docs.test_documents_run import ROOT

DESCRIBED = re.compile(r"^([a-z][a-z-]*):.*?## (.+)$", re.MULTILINE)


def test_make_help_lists_every_described_target_with_its_text() -> None:
    described = DESCRIBED.findall((ROOT / "Makefile").read_text(encoding="utf-8"))
    process = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    printed = [line.split(maxsplit=1) for line in process.stdout.splitlines()]
    assert printed == [list(row) for row in described]
    assert {"help", "run", "test", "docs"} <= {name for name, _ in described}


def test_the_texts_of_make_help_are_aligned() -> None:
    process = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    columns = {re.match(r"\S+\s+", line).end() for line in process.stdout.splitlines()}  # type: ignore[union-attr]
    assert len(columns) == 1
