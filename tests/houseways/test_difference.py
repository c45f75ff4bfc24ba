"""Two house ways side by side: what differs is found, counted and shown, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from houseway.cli.app import app
from houseway.errors import InvalidInputError
from houseway.houseways import compile_way, decide, house_way
from houseway.houseways.difference import difference
from houseway.houseways.document import HOUSE_WAY_FILES

TOP = """
[[rule]]
id = "two-trips-the-other-way"
say = "Two trips: the higher ones stay together."
when = { shape = "two_trips" }
require = { high = { category = "full_house" } }
prefer = ["high", "low"]
"""
TWO_TRIPS = 1_536


@pytest.fixture
def changed_way(tmp_path: Path) -> Path:
    """Return 670a's house way with one rule in front of it."""
    text = (
        (HOUSE_WAY_FILES / "pa-670a.toml")
        .read_text(encoding="utf-8")
        .replace('id = "pa-670a"', 'id = "changed"', 1)
    )
    head, _, rules = text.partition("[[rule]]")
    path = tmp_path / "changed.toml"
    path.write_text(head + TOP.strip() + "\n\n[[rule]]" + rules, encoding="utf-8")
    return path


def test_only_the_hands_that_a_new_rule_takes_are_set_differently(changed_way: Path) -> None:
    law, changed = compile_way(house_way("pa-670a")), compile_way(house_way(str(changed_way)))
    found = difference(law, changed)
    assert found.hands == 22_957_480
    assert found.set_differently == TWO_TRIPS
    (row,) = found.differing
    assert row.second == "two-trips-the-other-way"
    assert len(row.examples) == 3
    for cards, one, other in row.examples:
        assert (decide(law, cards).setting, decide(changed, cards).setting) == (one, other)


def test_a_way_does_not_differ_from_itself(changed_way: Path) -> None:
    answer = CliRunner().invoke(app, ["way", "diff", str(changed_way), str(changed_way), "--json"])
    assert json.loads(answer.output) == {"hands": 22_957_480, "set_differently": 0, "by_rule": []}


def test_ways_of_different_games_are_not_compared() -> None:
    with pytest.raises(InvalidInputError, match="different games"):
        difference(compile_way(house_way("pa-670a")), compile_way(house_way("ca-fpgp")))
