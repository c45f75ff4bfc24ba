"""The glossary names things where they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOME = re.compile(r"`([\w/]+\.py)`((?:[:,] `\w+`)*)")
ROWS = [
    line for line in (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines() if line.startswith("| ")
]


def test_every_word_has_a_meaning_and_a_home() -> None:
    words = [row for row in ROWS if not row.startswith(("| word", "| ---"))]
    assert len(words) > 150
    for row in words:
        word, meaning, home = (cell.strip() for cell in row.strip("|").split(" | "))
        assert word and meaning and HOME.search(home), row


@pytest.mark.parametrize("home", sorted({match[0] for row in ROWS for match in HOME.finditer(row)}))
def test_a_home_is_where_the_glossary_says(home: str) -> None:
    match = HOME.fullmatch(home)
    assert match is not None
    text = (ROOT / "src" / "houseway" / match[1]).read_text("utf-8")
    for name in re.findall(r"`(\w+)`", match[2]):
        assert re.search(rf"^(class|def) {name}\b|^{name}\b", text, re.M), name
