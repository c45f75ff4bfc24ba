"""The PAR sheet: every wager's figures, exact and hashed, on one page that stands alone."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from houseway.cli.app import app
from houseway.games import example_submission, games, rules_for
from houseway.odds.hourly import hourly_costs
from houseway.odds.maingame import MainGame
from houseway.odds.par import Par, lines_of, par
from houseway.web.cards import TEMPLATES
from houseway.web.par import par_data, par_page
from houseway.web.plots import sums_of_hands
from tests.games.support import submission
from tests.games.test_closed_submissions import own

PLAYED = [game.id for game in games() if game.licensed]


@pytest.mark.parametrize("game", PLAYED)
def test_the_lines_of_a_wager_add_up_to_its_return(game: str) -> None:
    for sheet in par(rules_for(example_submission(game)), main=False).wagers:
        rows = lines_of(sheet)
        assert sum((row["chance"] for row in rows), Fraction(0)) == 1
        assert sum((row["returns"] for row in rows), Fraction(0)) == 1 - sheet.odds.hold


def test_a_sheet_is_made_of_a_paytable_with_the_royal_match_and_without_the_royal_flush() -> None:
    """Every royal flush but the matched ones is a straight flush then, and so is one of seven cards."""
    posted = own("fortune", ("royal_flush_royal_match", "9 to 1"), ("straight_flush", "3 to 1"))
    listed, ours = (
        par(rules_for(submission("wa-fap", changes)), main=False).wagers[0] for changes in (None, posted)
    )
    assert listed.wager == ours.wager == "fortune"
    counts = listed.odds.counts
    flushes = [count for hand, count in counts.items() if "straight_flush" in hand or hand == "royal_flush"]
    assert ours.odds.counts == {
        "royal_flush_royal_match": counts["royal_flush_royal_match"],
        "straight_flush": sum(flushes),
        "none": sum(counts.values()) - sum(flushes) - counts["royal_flush_royal_match"],
    }


def test_the_hash_stands_for_the_figures_and_changes_with_them() -> None:
    submission = example_submission("pa-659a")
    one, again = (par(rules_for(submission), main=False) for _ in range(2))
    assert one.fingerprint() == again.fingerprint()
    choice = submission.wagers["fortune"].model_copy(update={"paytable": "B"})
    other = submission.model_copy(update={"wagers": submission.wagers | {"fortune": choice}})
    assert par(rules_for(other), main=False).fingerprint() != one.fingerprint()


MAIN = MainGame(wins=3, pushes=5, losses=4)


def test_the_variance_of_a_hand_is_that_of_its_results() -> None:
    for commission in (Fraction(0), Fraction(1, 20)):
        results = [1 - commission] * MAIN.wins + [Fraction(0)] * MAIN.pushes + [Fraction(-1)] * MAIN.losses
        mean = sum(results, Fraction(0)) / len(results)
        assert mean == -MAIN.edge(commission)
        spread = sum(((one - mean) ** 2 for one in results), Fraction(0)) / len(results)
        assert MAIN.variance(commission) == spread


def with_main(game: str) -> Par:
    """Return the figures of a game's example, with a main game that nobody had to count."""
    return replace(par(rules_for(example_submission(game)), main=False), main=MAIN)


def test_the_main_game_is_filed_with_its_commission() -> None:
    found = with_main("pa-659a")
    taken = found.rules.game.model_copy(update={"commission": Fraction(1, 20)})
    dearer = replace(found, rules=replace(found.rules, game=taken))
    assert dearer.figures()["main"]["edge"] == str(MAIN.edge(Fraction(1, 20)))
    assert dearer.figures()["main"]["variance"] == str(MAIN.variance(Fraction(1, 20)))
    assert par_data(replace(dearer, wagers=()))["main"]["commission"] == "5.0000%"


def test_an_hour_costs_the_hold_of_every_hand_and_the_collection() -> None:
    main, *_ = hourly_costs(with_main("pa-659a"))
    assert (main.stake, main.fee) == (500, 0)
    assert main.loss(36) == 36 * 500 * Fraction(1, 12)
    assert main.spread(36) == pytest.approx(500 * 6 * float(MAIN.variance()) ** 0.5)
    least, *_ = hourly_costs(with_main("ca-fpgp"))
    schedule = rules_for(example_submission("ca-fpgp")).schedule()
    assert schedule is not None
    fee = schedule.player_fee([schedule.table_min])
    assert fee > 0 and least.loss(2) == 2 * (least.stake * Fraction(1, 12) + fee)


def test_a_progressive_wager_costs_its_hold_in_the_long_run() -> None:
    found = with_main("pa-659a")
    meter = next(sheet.progressive for sheet in found.wagers if sheet.progressive)
    assert hourly_costs(found)[-1].loss(1) == meter.amount * meter.hold
    assert hourly_costs(found)[-1].spread(1) is None


@cache
def sheet_of(game: str) -> tuple[Par, dict[str, Any], str]:
    """Return a game's figures, what its sheet says of them, and the page; drawn once for all tests."""
    found = with_main(game)
    data = par_data(found)
    return found, data, TEMPLATES.get_template("par_sheet.html").render(par=data)


@pytest.mark.parametrize("game", PLAYED)
def test_the_page_stands_alone_and_says_everything(game: str) -> None:
    found, data, page = sheet_of(game)
    assert not re.search(r'(src|href)="[^#]', page)
    assert found.fingerprint() in page
    for wager in data["wagers"]:
        assert wager["hold"] in page
        assert all(line["pays"] in page for line in wager["lines"])


@pytest.mark.parametrize("game", PLAYED)
def test_every_wager_is_plotted_and_no_plot_reaches_another(game: str) -> None:
    found, _, page = sheet_of(game)
    named = re.findall(r' id="([^"]+)"', page)
    assert len(named) == len(set(named)) > 0
    used = re.findall(r'href="#([^"]+)"', page) + re.findall(r"url\(#([^)]+)\)", page)
    assert {*used} <= {*named}
    assert page.count('<svg class="plot"') == 2 + 2 * len(found.wagers)
    assert page.count("<style") == 1


@pytest.mark.parametrize("game", PLAYED)
def test_the_law_is_cited_once_for_a_table_and_readings_are_in_words(game: str) -> None:
    found, data, page = sheet_of(game)
    for wager in data["wagers"]:
        assert not wager["law"] or page.count(f"Law: {wager['law']}<") == 1
        assert " row)" not in wager["law"]
    assert not any(f">{name}<" in page for name in found.rules.readings)
    assert len(data["readings"]) == len(found.rules.readings)


def test_the_same_figures_are_the_same_page_to_the_byte() -> None:
    _, _, page = sheet_of("pa-575")
    assert par_page(with_main("pa-575")) == page


def test_a_hundred_hands_have_the_mean_and_the_variance_of_one_a_hundred_times() -> None:
    shares = {"win": 0.25, "push": 5 / 12, "lose": 1 / 3}
    sums = sums_of_hands(100, Fraction(19, 20), shares)
    mean = sum(x * p for x, p in sums.items())
    assert sum(sums.values()) == pytest.approx(1)
    assert mean == pytest.approx(-100 * float(MAIN.edge(Fraction(1, 20))))
    spread = sum((x - mean) ** 2 * p for x, p in sums.items())
    assert spread == pytest.approx(100 * float(MAIN.variance(Fraction(1, 20))))


def test_the_command_writes_a_page_or_prints_the_figures(tmp_path: Path) -> None:
    out = tmp_path / "par.html"
    told = CliRunner().invoke(app, ["par", "pa-575", "--no-main", "--out", str(out)])
    figures = json.loads(CliRunner().invoke(app, ["par", "pa-575", "--no-main", "--json"]).output)
    assert figures["sha256"] in told.output
    assert figures["sha256"] in out.read_text(encoding="utf-8")
    assert figures["wagers"][0]["counts"]
