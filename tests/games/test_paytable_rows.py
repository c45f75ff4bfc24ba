"""Every payoff and envy row of the five games, against rows transcribed from the regulations."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from houseway.games import example_submission, game, games, rules_for
from houseway.games.paytables import EnvyTable, Paytable
from houseway.money import Basis, Odds, cents, dollars
from tests.games.support import rules

GOLDEN = Path(__file__).parent / "golden" / "paytable_rows.csv"
Row = dict[str, str]


def golden() -> dict[str, list[Row]]:
    by_clause = defaultdict(list)
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            by_clause[row["clause"]].append(row)
    return by_clause


def paytable(row: Row) -> Paytable:
    return game(row["game"]).find_paytable(row["wager"], row["table"])


def envy_table(row: Row) -> EnvyTable:
    name = row["table"].removeprefix("envy ")
    of = [t for t in game(row["game"]).envy if t.wager == row["wager"]]
    if name.startswith("$"):
        return next(t for t in of if t.stake == cents(name))
    return next(t for t in of if t.paytable == name)


def says(row: Row) -> tuple[str, tuple[str, ...]]:
    """Return what the game's data pays for a golden row, and by which clauses."""
    if row["table"].startswith("envy "):
        fixed = envy_table(row).line(row["hand"])
        return dollars(fixed.pays) if fixed.pays else "none", fixed.clauses
    line = paytable(row).line(row["hand"])
    return "none" if line.pays.basis is Basis.LOSE else str(line.pays), line.clauses


@pytest.mark.parametrize(
    ("clause", "rows"),
    [pytest.param(c, rows, marks=pytest.mark.clause(c), id=c) for c, rows in golden().items()],
)
def test_the_row_pays_what_the_regulation_prints(clause: str, rows: list[Row]) -> None:
    for row in rows:
        pays, _ = says(row)
        assert pays == row["pays"], row
    assert any(clause in says(row)[1] for row in rows)


def test_the_data_has_no_line_that_the_regulations_do_not_print() -> None:
    printed = {(r["game"], r["wager"], r["table"], r["hand"]) for rows in golden().values() for r in rows}
    for found in games():
        for table in found.paytable:
            if found.licensed and not table.example:
                ours = {(found.id, table.wager, table.id, line.hand) for line in table.lines}
                assert ours <= printed
        for envy in found.envy:
            name = f"envy {envy.paytable or dollars(envy.stake or 0)}"
            assert {(found.id, envy.wager, name, line.hand) for line in envy.lines} <= printed


@pytest.mark.clause("pa670a.12.c.bounds")
def test_ace_high_and_everything_above_never_pays_six_card_insurance() -> None:
    line = game("pa-670a").find_paytable("insurance", "insurance").line("ace_high")
    assert line.pays == Odds.parse("lose")
    assert line.clauses == ("pa670a.12.c.bounds",)


@pytest.mark.clause("ca.fpgp.bonus.lose")
def test_california_any_other_hand_loses_the_bonus() -> None:
    line = game("ca-fpgp").find_paytable("fortune", "approved").line("two_pair")
    assert (line.pays.returned(cents("$5")), line.clauses) == (0, ("ca.fpgp.bonus.lose",))


@pytest.mark.clause("ca.fpgp.envy.else_lose")
def test_california_other_hands_earn_no_envy() -> None:
    line = game("ca-fpgp").envy[0].line("full_house")
    assert (line.pays, line.clauses) == (0, ("ca.fpgp.envy.else_lose",))


THRESHOLDS = [
    ("pa-659a", "fortune", "pa659a.1.qualwager"),
    ("pa-670a", "fortune", "pa670a.1.qualifying"),
    ("wa-fap", "fortune", "wa.fap.fortune.envy_threshold"),
    ("ca-fpgp", "fortune", "ca.fpgp.object.envy_5"),
]


@pytest.mark.parametrize(
    ("game_id", "wager"), [pytest.param(g, w, marks=pytest.mark.clause(c), id=c) for g, w, c in THRESHOLDS]
)
def test_a_wager_of_five_dollars_qualifies_for_envy(game_id: str, wager: str) -> None:
    r = rules(game_id)
    assert not r.qualifies_for_envy(wager, cents("$4.99"))
    assert r.qualifies_for_envy(wager, cents("$5"))
    assert r.qualifies_for_envy(wager, cents("$5.01"))


def test_670a_names_no_least_progressive_wager_that_qualifies_for_envy() -> None:
    r = rules_for(example_submission("pa-670a"))
    assert not r.qualifies_for_envy("progressive", cents("$0"))
    assert r.qualifies_for_envy("progressive", cents("$0.01"))


def test_insurance_earns_no_envy_whatever_its_size() -> None:
    assert not rules("pa-659a").qualifies_for_envy("insurance", cents("$25"))


def test_670a_envy_table_by_the_receivers_own_wager_and_the_one_dollar_table_only_by_option() -> None:
    usual = rules("pa-670a")
    small = rules("pa-670a", {"readings.six_fortune_envy_minimum": "one_dollar"})
    assert usual.envy_table("fortune", cents("$1")) is None
    one, five = (small.envy_table("fortune", cents(a)) for a in ("$4.99", "$5"))
    assert one is not None and five is not None
    assert (one.line("full_house").pays, five.line("full_house").pays) == (cents("$5"), cents("$25"))
    ten = usual.envy_table("fortune", cents("$10"))
    assert ten is not None and ten.line("four_of_a_kind").pays == cents("$75")
    meter = usual.envy_table("progressive", cents("$1"))
    assert meter is not None and meter.line("royal_flush").pays == cents("$50")
