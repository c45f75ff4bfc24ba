"""The PAR sheet: every wager's figures, exact and hashed, on one page that stands alone."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from houseway.cli.app import app
from houseway.games import example_submission, games, rules_for
from houseway.odds.par import lines_of, par
from houseway.web.par import par_data, par_page

PLAYED = [game.id for game in games() if game.licensed]


@pytest.mark.parametrize("game", PLAYED)
def test_the_lines_of_a_wager_add_up_to_its_return(game: str) -> None:
    for sheet in par(rules_for(example_submission(game)), main=False).wagers:
        rows = lines_of(sheet)
        assert sum((row["chance"] for row in rows), Fraction(0)) == 1
        assert sum((row["returns"] for row in rows), Fraction(0)) == 1 - sheet.odds.hold


def test_the_hash_stands_for_the_figures_and_changes_with_them() -> None:
    submission = example_submission("pa-659a")
    one, again = (par(rules_for(submission), main=False) for _ in range(2))
    assert one.fingerprint() == again.fingerprint()
    choice = submission.wagers["fortune"].model_copy(update={"paytable": "B"})
    other = submission.model_copy(update={"wagers": submission.wagers | {"fortune": choice}})
    assert par(rules_for(other), main=False).fingerprint() != one.fingerprint()


@pytest.mark.parametrize("game", PLAYED)
def test_the_page_stands_alone_and_says_everything(game: str) -> None:
    found = par(rules_for(example_submission(game)), main=False)
    page = par_page(found)
    assert not re.search(r"(src|href)=", page)
    assert found.fingerprint() in page
    for wager in par_data(found)["wagers"]:
        assert wager["hold"] in page
        assert all(line["pays"] in page for line in wager["lines"])


def test_the_command_writes_a_page_or_prints_the_figures(tmp_path: Path) -> None:
    out = tmp_path / "par.html"
    told = CliRunner().invoke(app, ["par", "pa-575", "--no-main", "--out", str(out)])
    figures = json.loads(CliRunner().invoke(app, ["par", "pa-575", "--no-main", "--json"]).output)
    assert figures["sha256"] in told.output
    assert figures["sha256"] in out.read_text(encoding="utf-8")
    assert figures["wagers"][0]["counts"]
