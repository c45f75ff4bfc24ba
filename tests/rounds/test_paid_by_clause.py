"""What a clause pays, takes or gives back, in rounds of known cards that are played at a table to their end.

Each row of ``golden/paid_by_clause.csv`` is a round: the cards by position, the wagers, and what some of
them come to by the law's text: ``$0`` is a wager that comes back, or no Envy Bonus.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Final

import pytest

from houseway.ledger import SEED, Account, AccountKind, show_units
from houseway.settlement import PaymentKind
from tests.games.support import NOTHING, Changes
from tests.rounds.california import FIVE, banked, fees, on_schedule
from tests.rounds.known_rounds import came_to, played, played_on
from tests.rounds.table import TestTable
from tests.rounds.washington import SAM, claim, jackpot, record, spot

clause = pytest.mark.clause
GOLDEN: Final = Path(__file__).parent / "golden" / "paid_by_clause.csv"
SIX, WA = "pa-670a", "wa-fap"
FIVE_DOLLARS: Final[Changes] = {
    "progressive.amount": "$5",
    "progressive.initial": "$25,000",
    "progressive.reset": "$25,000",
}


def own(wager: str, hand: str, pays: str, **more: str) -> Changes:
    """Return a table with a paytable of the operator's own for a wager, of one line."""
    posted = {"name": "our own", "version": "1", "effective": datetime(2016, 1, 1), "wager": wager} | more
    posted["lines"] = [{"hand": hand, "pays": pays}]
    return {f"wagers.{wager}.paytable": NOTHING, f"wagers.{wager}.own_paytable": posted}


TABLES: Final[dict[str, Changes]] = {
    "": {},
    **{f"paytable {name}": {"wagers.fortune.paytable": name} for name in "ABCD"},
    "$5 progressive": FIVE_DOLLARS,
    "$5 minimum": FIVE,
    "seven in a row 5000": own("fortune", "seven_card_straight_flush", "5,000 to 1"),
    "four aces": own("progressive", "four_aces", "50 for 1", joker="semi"),
    "limit 50000": {"payout_limit": "$50,000"},
    **{
        f"joker {mode}": own("progressive", "four_of_a_kind", "50 for 1", joker=mode)
        for mode in ("semi", "full")
    },
}
"""What the tables of the rows have otherwise than the example of their game."""
Row = dict[str, str]


def rows() -> dict[str, list[Row]]:
    """Return the rounds that show each clause."""
    by_clause = defaultdict(list)
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            by_clause[row["clause"]].append(row)
    return by_clause


def by_position(text: str) -> dict[int, str]:
    """Read what is said position by position: ``2 fortune $5; 3 fortune $100``."""
    pairs = (part.split(maxsplit=1) for part in text.split("; ") if part)
    return {int(at): said for at, said in pairs}


@pytest.mark.parametrize("shown", [pytest.param(of, marks=clause(law), id=law) for law, of in rows().items()])
def test_the_round_comes_to_what_the_clause_says(shown: list[Row]) -> None:
    for row in shown:
        hands, bets = by_position(row["hands"]), by_position(row["bets"])
        found = came_to(played(row["game"], hands, bets, TABLES[row["table"]]))
        wanted = dict(part.rsplit(maxsplit=1) for part in row["comes_to"].split("; "))
        assert {wager: found.get(wager, "$0") for wager in wanted} == wanted, row


# --- Washington: each against the dealer --------------------------------------------------------------


DEALER = "Qs Qh 8d 8h 7c 3d 2c"  # set QsQh3d2c / 8d8h / 7c
FIRST, SECOND = {spot(1): "As Ah Jd Jh Kc 6h 5d"}, {spot(2): "Ad Ac Js Jc Kh 6s 5s"}  # each beats it
TWO_OF_THREE = {spot(1): "As Ah Th Td 9c 6h 5d"}  # aces and tens win, the nine is under a jack
MATCHUPS = [
    ("wa.fap.overview.main_wins", TWO_OF_THREE, "Qs Qh 8d 8h Jc 3d 2c"),
    ("wa.fap.overview.head_to_head", FIRST | SECOND, DEALER),
    ("wa.fap.overview.head_to_head", FIRST, DEALER),
    ("wa.fap.overview.head_to_head", SECOND, DEALER),
]


@pytest.mark.parametrize(
    ("law", "hands", "dealer"), [pytest.param(*row, marks=clause(row[0])) for row in MATCHUPS]
)
def test_each_player_wins_by_two_matchups_against_the_dealer_alone(
    law: str, hands: dict[int, str], dealer: str
) -> None:
    this_round = played(WA, {1: dealer, **hands}, dict.fromkeys(hands, "main $10"))
    assert came_to(this_round) == {f"{at} main": "$10" for at in hands}
    assert all(law in payment.clauses for payment in this_round.payments)


# --- the meter of chapter 670a ------------------------------------------------------------------------


NINES, ROYAL, FIVE_ACES = "9s 9h 7c 5d 2d 8h", "As Ks Qs Js Ts 4c", "As Ah Ad Ac Jk 9c"
FILLING = (
    "Kh 9d 8c 7s 4d 3s",
    "Kc Tc 9c 7d 4h 2c",
    "Qh Jc 8s 5c 3c 2h",
    "Kd Jd Th 6d 5h 3h",
    "Qc Jh 8d 6s 4s 3d",
)
"""Hands that win nothing from the meter."""


def award(table: TestTable, hand: str, others: int = 0) -> tuple[str, str]:
    """Play a round in which one of some bets of $1 wins; return its award, and what the meter holds."""
    hands = {1: NINES, 2: hand} | dict(enumerate(FILLING[:others], start=3))
    this_round = played_on(table, hands, dict.fromkeys(hands, "progressive $1"))
    paid = [p for p in this_round.payments if p.source.kind is AccountKind.METER]
    assert table.state.meter is not None
    return " ".join(show_units(p.units) for p in paid), show_units(table.state.meter.value)


@clause("pa670a.12.d.1.x.rounding")
@pytest.mark.parametrize(
    ("others", "paid", "left"),
    [
        (3, "$500.08", "$4,500.76"),  # a tenth of $5,000.84: under half a cent
        (4, "$500.11", "$4,500.94"),  # of $5,001.05: half a cent
        (5, "$500.13", "$4,501.13"),  # of $5,001.26: over it
    ],
)
def test_670a_a_tenth_of_the_meter_is_rounded_to_the_nearest_cent_half_up(
    others: int, paid: str, left: str
) -> None:
    assert award(TestTable(SIX), ROYAL, others) == (paid, left)


@clause("pa670a.12.d.2.seed")
@pytest.mark.parametrize(
    ("changes", "wager", "seed"), [({}, "$1", "$5,000"), (FIVE_DOLLARS, "$5", "$25,000")]
)
def test_670a_the_meter_begins_and_begins_again_at_5000_times_the_wager(
    changes: Changes, wager: str, seed: str
) -> None:
    table = TestTable(SIX, changes).opened()
    for hands in ({}, {1: NINES, 2: FIVE_ACES}):
        if hands:
            played_on(table, hands, {2: f"progressive {wager}"})
        assert table.state.meter is not None and show_units(table.state.meter.value) == seed


@clause("pa670a.12.d.2.x.reseed")
def test_670a_only_a_whole_award_reseeds_the_meter() -> None:
    table = TestTable(SIX)
    assert award(table, ROYAL) == ("$500.02", "$4,500.19")  # a tenth of $5,000.21
    assert award(table, FIVE_ACES) == ("$4,500.40", "$5,000")


# --- the meter of Washington's progressive ------------------------------------------------------------


def whole_meter_won() -> TestTable:
    """Play a round in which the one wager of $1, 2 cents of it for the reserve, wins the whole meter."""
    table = jackpot({4: "seven_card_straight_flush"})
    record(claim(table, hand="seven_card_straight_flush"))
    table.do("turn_key", SAM, to="RUN")
    table.do("pay_jackpot", SAM, 4, reference="HP-1")
    return table.play_on(rounds=1)


@clause("wa.prog.3.reseed_cost")
def test_washington_the_house_pays_the_reseed_and_nobody_at_the_table() -> None:
    last = whole_meter_won().state.last
    assert last is not None
    begun = [(p.source, show_units(p.units)) for p in last.payments if p.kind is PaymentKind.SEED]
    assert begun == [(SEED, "$10,000"), (Account(AccountKind.RESERVE, "progressive"), "$0.02")]


@clause("wa.prog.rec.reserve.added")
def test_washington_the_reserve_is_added_on_top_of_the_seed() -> None:
    meter = whole_meter_won().state.meter
    assert meter is not None
    assert (show_units(meter.value), meter.reserve) == ("$10,000.02", 0)


# --- what a player-dealer pays for the action in California -------------------------------------------


@pytest.mark.parametrize(
    ("number", "first", "second", "behind", "fee"),
    [
        pytest.param(number, *row, marks=clause(law))
        for law, number, *row in (
            ("ca.fpgp.collect.s33_36.total_action", 34, ("$25", "$10"), "$35", "$30", "$1"),  # $100
            ("ca.fpgp.collect.s33_36.total_action", 34, ("$25", "$10"), "$36", "$30", "$2"),  # $101
            ("ca.fpgp.collect.s37_43.total_action", 38, ("$100", "$10"), "$49", "$40", "$0.50"),  # $199
            ("ca.fpgp.collect.s37_43.total_action", 38, ("$100", "$10"), "$50", "$40", "$1"),  # $200
        )
    ],
)
def test_california_the_player_dealer_pays_by_all_game_and_bonus_wagers_those_behind_too(
    number: int, first: tuple[str, str], second: str, behind: str, fee: str
) -> None:
    game, bonus = first
    bets = {1: {"main": game, "fortune": bonus}, 2: {"main": second}}
    room = banked("$500", bets, on_schedule(number)).behind("Zoe", 2, main=behind)
    assert fees(room.closed().state.round)["Finn"] == fee
