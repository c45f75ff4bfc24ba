"""Figures follow the submission: its paytables, options and readings, whoever prints them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import houseway as hw
from houseway.cli.app import app
from houseway.games import Rules, example_submission
from houseway.games.decided import decided_by
from houseway.games.submission import EXAMPLES
from houseway.odds.par import par
from houseway.odds.sides import percent, side_odds
from houseway.service.theoretical_holds import hold_of
from houseway.settlement.model import PROGRESSIVE
from houseway.web.par import par_data
from tests.games.support import Changes, rules
from tests.odds.settled import Case, cases, counted, settles_like

FIXED = counted()


def usual(case: Case) -> Case:
    """Return the same wager under the usual readings."""
    return replace(case, reading="")


def touched() -> list[Case]:
    """Return the cases that a reading makes keep another part of the wager."""
    return [case for case, hold in FIXED.items() if hold != FIXED[usual(case)]]


def named(cases_: list[Case]) -> list[Any]:
    return [pytest.param(one, id=" ".join(filter(None, vars(one).values()))) for one in cases_]


def test_every_wager_paytable_and_reading_was_settled() -> None:
    assert list(FIXED) == list(cases())
    alike: dict[object, set[Fraction]] = {}
    for case, hold in FIXED.items():
        alike.setdefault(settles_like(case), set()).add(hold)
    assert all(len(holds) == 1 for holds in alike.values())


def test_these_readings_change_what_a_side_wager_keeps() -> None:
    assert {(case.game, case.reading) for case in touched()} == {
        ("pa-575", "bonus_win_condition=nine_high_or_better"),
        ("pa-575", "trips_and_four_eights_joker=natural_only"),
        ("pa-659a", "progressive_royal=listed_only"),
        ("pa-659a", "three_pair_paytable_c=lose"),
        ("pa-670a", "six_joker_royal=listed_only"),
        ("wa-fap", "wa_trips_and_straight=poker_order"),
        ("ca-fpgp", "ca_trips_and_straight=poker_order"),
    }
    bonus = Case("pa-575", "bonus", "A", "bonus_win_condition=nine_high_or_better")
    assert (percent(FIXED[usual(bonus)]), percent(FIXED[bonus])) == ("5.7891%", "83.4934%")
    meter = Case("pa-659a", PROGRESSIVE, PROGRESSIVE, "progressive_royal=listed_only")
    assert (percent(FIXED[usual(meter)]), percent(FIXED[meter])) == ("53.7281%", "58.2123%")


@pytest.mark.parametrize("case", named([case for case in FIXED if not case.reading] + touched()))
def test_the_par_sheet_prints_the_hold_of_settling_every_hand(case: Case) -> None:
    sheet = par_data(par(case.rules, main=False))
    (wager,) = (one for one in sheet["wagers"] if one["id"] == case.wager)
    assert wager["hold"] == percent(FIXED[case])


@pytest.mark.parametrize("case", named(touched()))
def test_whoever_is_asked_says_the_same(case: Case, tmp_path: Path) -> None:
    found, submission = case.rules, case.submission
    assert side_odds(found, case.wager).hold == FIXED[case]
    assert decided_by(found, case.wager) != decided_by(usual(case).rules, case.wager)
    told = hw.game(submission).odds(case.wager)[case.wager]
    assert told.counted == side_odds(found, case.wager)
    stored = hold_of(found, case.wager)
    if found.banked:
        assert stored is None
    elif case.wager != PROGRESSIVE:
        assert stored == FIXED[case]
    file = str(filed(tmp_path, case))
    answer = run("odds", case.game, "--submission", file, "--wager", case.wager, "--json")
    (side,) = json.loads(answer)["sides"]
    assert (side["paytable"], Fraction(side["hold"])) == (found.paytable(case.wager).id, FIXED[case])


@pytest.mark.parametrize("case", named([case for case in FIXED if case.reading and case not in touched()]))
def test_a_reading_that_changes_nothing_of_a_wager_leaves_its_stored_figure(case: Case) -> None:
    assert decided_by(case.rules, case.wager) == decided_by(usual(case).rules, case.wager)


@pytest.mark.exhaustive
def test_settling_every_hand_again_comes_to_the_same() -> None:
    from tests.odds.settled import settled  # noqa: PLC0415

    for game in dict.fromkeys(case.game for case in cases()):
        assert dict(settled(game)) == {case: hold for case, hold in FIXED.items() if case.game == game}


def run(*words: str) -> str:
    """Run a command and return what it prints."""
    answer = CliRunner().invoke(app, [*words])
    assert answer.exit_code == 0, answer.output
    return answer.output


def filed(folder: Path, case: Case) -> Path:
    """Write the submission of a case as a file."""
    text = (EXAMPLES / case.game / "example.toml").read_text(encoding="utf-8")
    before, head, after = text.partition(f"[wagers.{case.wager}]")
    after = re.sub(r'paytable = ".*"', f'paytable = "{case.paytable}"', after, count=1)
    name, _, choice = case.reading.partition("=")
    told = f'[readings]\n{name} = "{choice}"\n' if name else ""
    path = folder / "filed.toml"
    path.write_text(f"{before}{head}{after}\n{told}", encoding="utf-8")
    return path


def test_odds_of_a_submission_are_of_the_paytables_that_it_posts(tmp_path: Path) -> None:
    file = str(filed(tmp_path, Case("pa-659a", "fortune", "D", "")))

    def tables(*words: str) -> list[str]:
        answer = json.loads(run("odds", "pa-659a", "--wager", "fortune", "--json", *words))
        return [side["paytable"] for side in answer["sides"]]

    assert (tables(), tables("--submission", file)) == (["A", "B", "C", "D"], ["D"])
    assert tables("--submission", file, "--paytable", "B") == ["B"]
    assert CliRunner().invoke(app, ["odds", "wa-fap", "--submission", file]).exit_code


# --- envy ---------------------------------------------------------------------------------------------


def envy(game: str, name: str, changes: Changes | None = None) -> dict[str, list[str]]:
    """Return the envy columns of a wager's sheet, by the stake that heads each."""
    sheet = par_data(par(rules(game, changes), main=False))
    (wager,) = (one for one in sheet["wagers"] if one["id"] == name)
    return {column["stake"]: column["others"] for column in wager["envy"]}


def test_envy_columns_name_their_stake_and_a_table_not_in_use_is_not_printed() -> None:
    """4.6342 cents from each other hand are 0.9268 % of $5; with a minimum of $20, 0.2317 % of that."""
    assert envy("pa-659a", "fortune")["$5"][1] == "0.9268%"
    assert envy("pa-659a", "fortune", {"wagers.fortune.min": "$20"})["$20"][1] == "0.2317%"
    assert [*envy("pa-670a", "fortune")] == ["$5"]
    assert [*envy("pa-670a", "fortune", {"readings.six_fortune_envy_minimum": "one_dollar"})] == ["$1", "$5"]
    assert [*envy("pa-670a", "progressive")] == ["$1"]
    assert envy("pa-659a", "fortune", {"wagers.fortune.max": "$4"}) == {}


def test_envy_in_proportion_to_the_wager_is_counted_so() -> None:
    seven: Changes = {"wagers.fortune.min": "$7"}
    apart = envy("pa-670a", "fortune", seven | {"readings.six_envy_other_amounts": "proportional"})
    five, fixed = envy("pa-670a", "fortune")["$5"], envy("pa-670a", "fortune", seven)["$7"]
    assert apart["$7"] == five
    assert float(fixed[1][:-1]) == pytest.approx(float(five[1][:-1]) * 5 / 7, abs=1e-4)


# --- the meter ----------------------------------------------------------------------------------------


def test_what_follows_a_share_of_the_meter_is_on_the_sheet_with_its_cost() -> None:
    """Five aces, 1,128 of 154,143,080 hands, can cost a tenth of the $2,900 seed at most: 0.2122 % of $1."""

    def meter(changes: Changes) -> dict[str, str]:
        sheet = par_data(par(rules("pa-659a", changes), main=False))
        return dict(next(one["meter"] for one in sheet["wagers"] if one["id"] == PROGRESSIVE))

    stays, back = meter({}), meter({"readings.meter_after_percentage": "reseed_below_seed"})
    assert stays["hold in the long run"] == "24.2992%"
    assert stays["after a share of the meter"].startswith("the rest stays in the meter")
    assert back["after a share of the meter"].startswith("a meter below its seed is brought back")
    least, most = back["hold in the long run"].removeprefix("between ").split(" and ")
    assert most == stays["hold in the long run"]
    assert float(most[:-1]) - float(least[:-1]) == pytest.approx(100 * 1128 / 154_143_080 * 290, abs=1e-4)


def test_a_line_whose_clause_is_struck_pays_nothing() -> None:
    found = Rules.of(example_submission("pa-659a")).without("pa659a.12.b.pta.quads")
    assert side_odds(found, "fortune").hold > FIXED[Case("pa-659a", "fortune", "A", "")]
