"""What a laboratory asks of a PAR sheet: best play, risk, ranges, permitted tables, fees, meter, readings."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houseway.games import Rules, schedules
from houseway.games.decided import decided_by
from houseway.money import Basis, cents
from houseway.odds.best_edges import best_edge, best_rows
from houseway.odds.catalogue import Catalogue
from houseway.odds.doubling import DoublingOdds
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import MainGame, packed_classes
from houseway.odds.par import Par, par
from houseway.odds.permitted import NOT_COUNTED, effects
from houseway.odds.progressive import meter_odds
from houseway.odds.ranges import ranges, volatility_index
from houseway.odds.sides import side_odds
from houseway.rounds.houseway import dealer_program
from houseway.web.cards import TEMPLATES
from houseway.web.par import par_data
from tests.games.support import Changes, rules, submission

ROOT = Path(__file__).parents[2]
MAIN = MainGame(wins=30, pushes=50, losses=40)
DOUBLED = DoublingOdds(deals=120, hands=100, doubled=25, gain=6, always=0, by_category={})


def counted(game: str, changes: Changes | None = None, main: MainGame | None = MAIN) -> Par:
    """Return the figures of a changed example, with a main game that nobody had to count."""
    return replace(par(rules(game, changes), main=False), main=main)


def sheet(found: Par) -> Any:
    return par_data(found, drawn=False)


def wager(game: str, name: str, changes: Changes | None = None) -> Any:
    """Return what the sheet says of one wager."""
    (found,) = (one for one in sheet(counted(game, changes))["wagers"] if one["id"] == name)
    return found


# --- best play and risk -------------------------------------------------------------------------------


def test_best_play_is_told_only_where_it_was_counted_under_these_rules() -> None:
    six = sheet(counted("pa-670a"))["best"]
    assert (six["edge"], six["gives_up"], six["doubles"]) == ("1.4377%", "4.7723%", True)
    single = submission("pa-670a").wagers
    without = Rules.of(submission("pa-670a").model_copy(update={"wagers": {"main": single["main"]}}))
    assert float(best_edge(without).edge) == pytest.approx(0.039470, abs=1e-6)  # type: ignore[union-attr]
    for game, changes in (
        ("pa-670a", {"readings.six_dealer_joker_value": "as_completed"}),
        ("pa-659a", {"readings.tie_break": "top_card_only"}),
        ("ca-fpgp", {"readings.ca_trip_aces_with_joker": "three_aces_row"}),
    ):
        assert best_edge(rules(game)) is not None
        assert sheet(counted(game, dict(changes)))["best"]["edge"] == NOT_COUNTED
    assert (
        sheet(counted("pa-659a", {"readings.progressive_royal": "listed_only"}))["best"]["edge"] == "4.0461%"
    )


ALIKE = ("pa-659a", "pa-575", "wa-fap")
"""Games of four, two and one card that rank alike, and whose dealers set by the same way."""


@pytest.mark.exhaustive
def test_games_that_share_a_count_of_best_play_give_it_the_very_same_numbers() -> None:
    """The settings of every hand, how the dealer's lie, who wins what, and what the house keeps of it."""
    space, none = HandSpace(7), np.empty(0, np.int64)
    first: tuple[Any, ...] | None = None
    for game in ALIKE:
        way = dealer_program(rules(game))
        own = Catalogue(space, way, True, none, none, none).text
        dealers = packed_classes(way, space, as_player=False)
        (wins,) = (rule.at_least for rule in way.ranking.document.result if rule.result == "win")
        first = first or (own, dealers, wins)
        assert own == first[0] and wins == first[2] == {"W": 2}
        assert len(dealers) == 6_972_147 and np.array_equal(dealers, first[1])
        assert rules(game).game.commission is None


@pytest.mark.parametrize("game", ALIKE)
def test_games_that_rank_and_set_alike_have_the_same_best_play(game: str) -> None:
    """Under other options of chapter 575 nobody has counted."""
    (row,) = (row for row in best_rows() if row.game == game)
    assert (row.house_way, row.key) == ("houseway-421", decided_by(rules(game), "main"))
    best = sheet(counted(game))["best"]
    assert (best["edge"], best["gives_up"], best["doubles"]) == ("4.0461%", "0.8779%", False)
    if game == "pa-575":
        assert sheet(counted(game, {"options.a234_sf_low": True}))["best"]["edge"] == NOT_COUNTED


def test_the_element_of_risk_is_the_edge_of_all_that_is_wagered() -> None:
    found = counted("pa-670a")
    assert (found.edge, found.risk) == (Fraction(1, 12), Fraction(1, 12))
    doubled = replace(found, doubled=DOUBLED)
    assert (doubled.edge, doubled.risk) == (Fraction(4, 120), Fraction(4, 120) / Fraction(5, 4))
    assert sheet(counted("pa-670a", main=None))["best"]["risk"] == NOT_COUNTED


def test_what_is_stored_of_best_play_is_what_the_reports_have() -> None:
    asked = "import bestplay, sys; sys.stdout.write(bestplay.stored())"
    told = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT / "docs", capture_output=True, check=True, text=True
    )
    assert told.stdout == (ROOT / "src/houseway/odds/data/best.toml").read_text(encoding="utf-8")
    figures = json.loads((ROOT / "docs" / "best.json").read_text(encoding="utf-8"))
    assert {row.edge for row in best_rows()} <= {
        answer["edge"] for game in figures.values() for answer in game["answers"]
    }


# --- ranges -------------------------------------------------------------------------------------------


def test_ranges_reach_as_far_as_the_normal_law_says() -> None:
    variance = Fraction(9, 4)
    assert [volatility_index(variance, one) for one in (90, 95, 99)] == pytest.approx(
        [1.5 * 1.644854, 1.5 * 1.959964, 1.5 * 2.575829], abs=1e-5
    )
    for row in ranges(Fraction(1, 20), variance):
        for one, reach in zip(row, (1.644854, 1.959964, 2.575829), strict=True):
            assert (one.least + one.most) / 2 == pytest.approx(0.05)
            assert one.most - one.least == pytest.approx(2 * reach * 1.5 / sqrt(one.hands), abs=1e-6)


def test_every_wager_but_a_progressive_one_has_its_ranges() -> None:
    told = sheet(counted("pa-659a"))
    assert {one["id"]: one["ranges"] is None for one in told["wagers"]} == {
        "fortune": False,
        "insurance": False,
        "progressive": True,
    }
    assert [head["confidence"] for head in told["main"]["ranges"]["heads"]] == [90, 95, 99]


# --- what might have been posted ----------------------------------------------------------------------


def test_every_permitted_paytable_stands_side_by_side() -> None:
    told = wager("pa-659a", "fortune", {"wagers.fortune.paytable": "C"})["permitted"]
    assert {one["paytable"]: one["hold"] for one in told} == {
        "A": "7.7656%",
        "B": "7.8279%",
        "C": "8.0008%",
        "D": "8.4900%",
    }
    assert [one["paytable"] for one in told if one["in_use"]] == ["C"]
    assert told[0]["envy"] == "0.9268%"
    assert wager("pa-670a", "fortune")["permitted"] == []


def test_other_readings_are_told_with_what_they_would_change() -> None:
    found = {(one.figure, one.there) for one in effects(rules("pa-659a")) if one.here != one.there}
    assert ("Progressive Payout Wager: hold", "58.2123%") in found
    assert ("main wager: edge", NOT_COUNTED) in found
    assert any(figure.endswith("after a share of the meter") for figure, _ in found)
    told = sheet(counted("pa-659a"))["effects"]
    three_pair = [row for row in told["rows"] if "three pair" in row["choice"].lower()]
    assert not three_pair, "Paytable A has no such line"
    on_c = sheet(counted("pa-659a", {"wagers.fortune.paytable": "C"}))["effects"]
    assert any("three pair" in row["choice"].lower() for row in on_c["rows"])
    assert "Foul hands" not in [row["point"] for row in told["rows"]] and told["none"]


# --- the meter ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a", "wa-fap"])
@pytest.mark.parametrize("meter", ["$2,900", "$50,000"])
def test_the_variance_of_a_progressive_wager_is_that_of_its_awards(game: str, meter: str) -> None:
    at = rules(game)
    odds = side_odds(at, "progressive")
    found = meter_odds(at, "progressive", odds)
    assert found is not None
    awards = []
    for hand, count in odds.counts.items():
        pays = at.line("progressive", hand).pays
        won = {Basis.METER: pays.ratio * cents(meter) / found.amount, Basis.LOSE: Fraction(0)}
        awards.append((Fraction(count, odds.total), won.get(pays.basis, pays.ratio)))
    mean = sum((chance * won for chance, won in awards), Fraction(0))
    assert found.at_meter(cents(meter)) == mean
    assert found.variance_at(cents(meter)) == sum(chance * (won - mean) ** 2 for chance, won in awards)


def test_the_meter_is_looked_at_from_its_seed_to_the_break_even_and_with_envy() -> None:
    rows = {row["meter"]: row for row in wager("pa-670a", "progressive")["at_meter"]}
    assert [*rows][:2] == ["$5,000", "$10,000"]
    assert any(row["returns"].startswith("100.0") for row in rows.values())
    seed = rows["$5,000"]
    assert float(seed["envy"][:-1]) == pytest.approx(float(seed["returns"][:-1]) + 5 * 1.0569, abs=1e-3)


# --- fees ---------------------------------------------------------------------------------------------


def test_fees_are_told_as_edges_band_by_band_and_for_every_schedule() -> None:
    told = sheet(counted("ca-fpgp"))["fees"]
    schedule = schedules()[40]
    assert (told["schedule"], told["edge"], told["banker"]) == (40, "8.3333%", "8.3333%")
    first = schedule.bands[0]
    assert told["bands"][0]["low"] in {
        f"{100 * float(Fraction(1, 12) + sign * Fraction(first.fee, first.low)):.4f}%" for sign in (1, -1)
    }
    assert [one["number"] for one in told["schedules"]] == list(schedules())
    (mine,) = (one for one in told["schedules"] if one["in_use"])
    fee = schedule.player_fee([schedule.table_min])
    assert mine["player"][0] == f"{100 * float(Fraction(1, 12) + Fraction(fee, schedule.table_min)):.4f}%"
    paid = schedule.player_dealer_fee([schedule.table_min])
    assert mine["banker"][0] == f"{100 * float(Fraction(1, 12) - Fraction(paid, schedule.table_min)):.4f}%"
    assert sheet(counted("pa-659a"))["fees"] is None


@pytest.mark.parametrize("number", list(schedules()))
def test_a_sheet_is_made_for_every_schedule(number: int) -> None:
    """Some post no fee for larger wagers, which are not taken then: they have no hourly cost."""
    at = Rules.of(submission("ca-fpgp", {"collection_schedule": number}))
    assert sheet(replace(par(at, main=False), main=MAIN))["hourly"]["rows"]


# --- cards, limits, the submission --------------------------------------------------------------------


def test_the_cards_and_the_joker_are_told_for_each_wager() -> None:
    cards = sheet(counted("wa-fap"))["cards"]
    assert (cards["deck"], cards["dealt"], cards["decks"]) == ("52 cards and one joker", 7, 1)
    assert {row["name"] for row in cards["wagers"]} == {
        rules("wa-fap").terms(one).name for one in ("fortune", "insurance", "progressive")
    }


def test_a_payout_limit_is_told_with_the_wager_that_it_reaches() -> None:
    """5,000 to 1 on $9.90 with $500 on the main wager is the limit of $50,000."""
    (row,) = sheet(counted("pa-575", {"payout_limit": "$50,000"}))["limits"]
    assert row["from"] == "$9.90"
    alone: Changes = {"payout_limit": "$50,000", "readings.payout_cap_scope": "bonus_only"}
    assert sheet(counted("pa-575", alone))["limits"][0]["from"] == "$10"
    assert sheet(counted("pa-575"))["limits"] == []


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp"])
def test_the_page_prints_all_of_it(game: str) -> None:
    found = counted(game)
    told = sheet(found)
    page = " ".join(TEMPLATES.get_template("par_sheet.html").render(par=told).split())
    for heading in ("Best play and risk", "Cards", "What other choices would change", "field by field"):
        assert heading in page
    assert told["best"]["edge"] in page
    for path, value in told["filed"]:
        assert f"<dt>{path}</dt>" in page and value
    for one in told["wagers"]:
        assert all(row["hold"] in page for row in one["permitted"])
        assert all(row["returns"] in page for row in one["at_meter"])
