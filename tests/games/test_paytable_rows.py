"""Every payoff and envy row of the five games, against rows transcribed from the regulations."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import main
from houseway.games import example_submission, games, rules_for
from houseway.money import cents, dollars
from tests.games.support import rules

GOLDEN = Path(__file__).parent / "golden" / "paytable_rows.csv"
Row = dict[str, str]


def golden() -> dict[str, list[Row]]:
    by_clause = defaultdict(list)
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            by_clause[row["clause"]].append(row)
    return by_clause


def printed_rules(capsys: pytest.CaptureFixture[str], game_id: str) -> dict[str, Any]:
    """Return what the command line prints of a game's rules."""
    with pytest.raises(SystemExit) as stop:
        main(["rules", game_id, "--json"])
    assert stop.value.code == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def says(data: dict[str, Any], row: Row) -> tuple[str, list[str]]:
    """Return what the rules as they are printed pay for a golden row, and by which clauses."""
    name = row["table"].removeprefix("envy ")
    if row["table"].startswith("envy "):
        tables = [t for t in data["envy"] if t["wager"] == row["wager"]]
        of = cents(name) if name.startswith("$") else name
        table = next(t for t in tables if of in (t["stake"], t["paytable"]))
        line = next((x for x in table["lines"] if x["hand"] == row["hand"]), None)
        return (dollars(line["pays"]), line["clause"]) if line else ("none", table["otherwise"])
    table = next(t for t in data["paytable"] if (t["wager"], t["id"]) == (row["wager"], name))
    line = next((x for x in table["lines"] if x["hand"] == row["hand"]), None)
    if line is None:
        return "none", table["otherwise"]
    return "none" if line["pays"] == "lose" else line["pays"], line["clauses"]


@pytest.mark.parametrize(
    ("clause", "rows"),
    [pytest.param(c, rows, marks=pytest.mark.clause(c), id=c) for c, rows in golden().items()],
)
def test_the_row_pays_what_the_regulation_prints(
    capsys: pytest.CaptureFixture[str], clause: str, rows: list[Row]
) -> None:
    printed = {game_id: printed_rules(capsys, game_id) for game_id in {row["game"] for row in rows}}
    for row in rows:
        pays, _ = says(printed[row["game"]], row)
        assert pays == row["pays"], row
    assert any(clause in says(printed[row["game"]], row)[1] for row in rows)


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
