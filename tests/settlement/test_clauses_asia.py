"""What chapters 575 and 659a pay, clause by clause: main and side wagers, envy, the payout limit."""

from __future__ import annotations

import pytest

from houseway.ledger import show_units
from houseway.settlement import PaymentKind, Showdown
from tests.settlement.support import (
    clause,
    deal,
    envy,
    gain,
    meter_after,
    meter_at,
    rules,
    seat,
    settled,
    surrendered,
)

DEALER = "Ad Qh Td 6c / Kc 7d / 4d"
"""An ordinary dealer's hand: ace high, king high, a four."""
WINNER = "9s 9h 5d 3c / Ks Jc / 6s"
QUADS = "8s 8h 8d 8c / Kd 5c / 2s"
STRAIGHT_FLUSH = "6h 5h 4h 3h / 7h Qc / Tc"
NOTHING_IN_IT = "Ks Qd 9c 5d / Jh 7s / 4c"
NOTHING_EITHER = "Ah Ts 9h 6d / Js 5s / 3s"
THREE_PAIR = "Ks Kh 4s 2d / 9d 9c / 4h"
EACH = [("pa-575", "pa575"), ("pa-659a", "pa659a")]


def both(*laws: str) -> pytest.MarkDecorator:
    """Run a test under either chapter, each row marked with its own clause."""
    rows = [pytest.param(game, marks=clause(law), id=law) for (game, _), law in zip(EACH, laws, strict=True)]
    return pytest.mark.parametrize("game", rows)


@both("pa575.11.d.s3", "pa659a.11.d.s3")
def test_a_surrender_loses_the_whole_main_wager(game: str) -> None:
    hand = surrendered(3, QUADS, main="$25")
    assert gain(deal(rules(game), DEALER, hand)) == {"p3": "-$25"}


@both("pa575.11.f.2.s2", "pa659a.11.f.2.s2")
def test_a_winning_main_wager_pays_even_money_and_comes_back(game: str) -> None:
    table = deal(rules(game), DEALER, seat(3, WINNER, main="$25"))
    assert gain(table) == {"p3": "$25"}
    assert [(p.kind, show_units(p.units)) for p in settled(table).payments] == [
        (PaymentKind.RETURN, "$25"),
        (PaymentKind.PAY, "$25"),
    ]


@pytest.mark.parametrize("game", [game for game, _ in EACH])
def test_a_winning_hand_whose_parts_have_wrong_sizes_loses(game: str) -> None:
    table = deal(rules(game), DEALER, seat(3, "9s 9h 5d / 3c Ks Jc / 6s", main="$25"))
    assert gain(table) == {"p3": "-$25"}
    assert settled(table).races[3].result == "lose"


# --- the Bonus Wager of chapter 575 -------------------------------------------------------------


@clause("pa575.11.h.1")
def test_575_a_hand_that_is_not_listed_loses_the_bonus() -> None:
    assert gain(deal(rules("pa-575"), DEALER, seat(2, THREE_PAIR, main="$5", bonus="$5")), "bonus") == {
        "p2": "-$5"
    }


@clause("pa575.11.h.2")
def test_575_a_listed_hand_is_paid_by_the_paytable() -> None:
    nine_high = seat(2, "9s 8h 7d 6c / 4s 3h / 2d", main="$5", bonus="$5")
    assert gain(deal(rules("pa-575"), "Ad Qh Td 5c / Kc 7c / 4d", nine_high), "bonus") == {"p2": "$50"}


# --- the payout limit of chapter 575 ------------------------------------------------------------


def eights(main: str, bonus: str, *, limit: str | None = "$50,000", **readings: str) -> Showdown:
    """Three kings and four 8s, which win the main wager and pay the bonus 5,000 to 1."""
    changes = {"payout_limit": limit} if limit else {}
    table = rules("pa-575", changes, **readings)
    return deal(table, DEALER, seat(2, "8s 8h 8d 8c / Ks Kh / Kd", main=main, bonus=bonus))


@clause("pa575.12.c.s1")
def test_575_the_limit_holds_what_main_and_bonus_win_on_one_hand() -> None:
    assert gain(eights("$15", "$15")) == {"p2": "$50,000"}
    assert gain(eights("$15", "$15", limit=None)) == {"p2": "$75,015"}
    held = settled(eights("$15", "$15")).payments[-1]
    assert "pa575.12.c.s1" in held.clauses
    assert held.reason.endswith("held to the payout limit of $50,000")


@pytest.mark.parametrize(
    ("main", "wins"), [("$4,999.99", "$49,999.99"), ("$5,000", "$50,000"), ("$5,000.01", "$50,000")]
)
def test_575_the_limit_to_the_cent(main: str, wins: str) -> None:
    assert gain(eights(main, "$9")) == {"p2": wins}


def test_575_the_limit_is_for_each_hand_and_touches_no_stake() -> None:
    table = eights("$15", "$15")
    other = seat(3, "Qs Qd 9d 9c / Jc Jd / Ts", main="$100")
    assert gain(deal(table.rules, DEALER, *table.areas, other)) == {"p2": "$50,000", "p3": "$100"}


# --- Fortune Bonus and Insurance of chapter 659a ------------------------------------------------


def fortune(table: str, hand: str, dealer: str = DEALER, stake: str = "$5") -> str:
    """What a Fortune Bonus wager wins or loses on a hand."""
    posted = rules("pa-659a", {"wagers.fortune.paytable": table})
    return gain(deal(posted, dealer, seat(2, hand, main="$5", fortune=stake)), "fortune")["p2"]


def insurance(hand: str, dealer: str = DEALER) -> str:
    """What a $5 Insurance wager wins or loses on a hand."""
    return gain(deal(rules("pa-659a"), dealer, seat(2, hand, main="$5", insurance="$5")), "insurance")["p2"]


@clause("pa659a.7.e.1")
def test_659a_three_pair_loses_except_on_paytable_c_where_it_is_returned() -> None:
    assert {table: fortune(table, THREE_PAIR) for table in "ABCD"} == {
        "A": "-$5",
        "B": "-$5",
        "C": "$0",
        "D": "-$5",
    }


@clause("pa659a.11.h.1.i.a")
def test_659a_below_the_lowest_line_the_fortune_bonus_is_lost() -> None:
    assert fortune("D", THREE_PAIR) == "-$5"
    assert fortune("C", "Ks Kh 4s 2d / 9d 9c / 3h") == "-$5"


@clause("pa659a.11.h.1.i.b.s1")
def test_659a_a_listed_hand_is_paid_and_three_pair_on_paytable_c_returned() -> None:
    assert fortune("C", "9s 8d 7c 6h / Ks 5d / 2c") == "$10"
    assert fortune("C", THREE_PAIR) == "$0"


@clause("pa659a.7.e.2")
def test_659a_insurance_wins_on_a_high_card_and_nothing_better() -> None:
    assert insurance("Ks Jh 9d 7c / 5s 3h / 2d") == "$30"
    assert insurance("As Ks Js 8s / 5h 3s / 2d") == "-$5"
    assert insurance("Ks Jh 9d 3h / 7c 7s / 2d") == "-$5"


@clause("pa659a.11.h.2.i")
def test_659a_insurance_loses_to_a_pair_or_a_straight_with_the_joker_too() -> None:
    assert insurance("Ah Jk 4h 3d / 8c 6s / Tc") == "-$5"
    assert insurance("Ks Qs Jd Tc / 4s 3h / Jk") == "-$5"


@clause("pa659a.11.h.2.ii")
def test_659a_insurance_is_paid_by_its_top_card() -> None:
    assert insurance("9s 8h 7d 5c / 4s 3h / 2d", "Ad Qh Td 6c / Kc 7h / 4d") == "$500"
    assert insurance("Jk Kh Jd 8c / 6s 4h / 2d") == "$15"


# --- the progressive of chapter 659a ------------------------------------------------------------


def progressive(hand: str) -> Showdown:
    """A $1 progressive wager on a hand; the meter shows $5,000 with its 29 cents in."""
    table = rules("pa-659a")
    meter = meter_at(table, "$5,000", less="$0.29")
    return deal(table, DEALER, seat(2, hand, main="$5", progressive="$1"), meter=meter)


@clause("pa659a.7.e.3")
def test_659a_the_progressive_wins_on_a_full_house_and_not_on_trips() -> None:
    assert gain(progressive("Ks Kh 5s 4c / 9c 9d / Kd"), "progressive") == {"p2": "$3"}
    assert gain(progressive("Ks Kh 5s 4c / 9c 8d / Kd"), "progressive") == {"p2": "-$1"}


@clause("pa659a.11.h.3.i")
def test_659a_below_a_full_house_the_progressive_is_lost() -> None:
    assert gain(progressive("As Ks Qs 9s / 4h 2d / 4c"), "progressive") == {"p2": "-$1"}


@clause("pa659a.11.h.3.ii.d.s1")
def test_659a_the_progressive_pays_for_one_or_a_share_of_the_meter() -> None:
    full_house = progressive("Ks Kh 5s 4c / 9c 9d / Kd")
    assert show_units(settled(full_house).payments[-1].units) == "$4"
    five_aces = deal(
        full_house.rules,
        "Kd Qh Td 6c / Kc 7h / 4d",
        seat(2, "As Ah Ad Ac / Jk 9c / 2s", main="$5", progressive="$1"),
        meter=full_house.meter,
    )
    assert gain(five_aces, "progressive") == {"p2": "$499"}
    assert meter_after(five_aces) == "$4,500"


# --- envy of chapter 659a -----------------------------------------------------------------------


@clause("pa659a.1.envy")
def test_659a_envy_is_a_fixed_sum_whatever_the_wager() -> None:
    table = deal(
        rules("pa-659a"),
        DEALER,
        seat(2, NOTHING_IN_IT, main="$5", fortune="$5"),
        seat(3, NOTHING_EITHER, main="$5", fortune="$100"),
        seat(5, QUADS, main="$5"),
    )
    assert envy(table) == {"p2": "$5", "p3": "$5"}


@clause("pa659a.11.h.1.ii.s2")
def test_659a_every_lammer_is_paid_even_if_its_own_bonus_lost() -> None:
    table = deal(
        rules("pa-659a"),
        DEALER,
        seat(2, NOTHING_IN_IT, main="$5", fortune="$5"),
        seat(4, QUADS, main="$5"),
        seat(6, NOTHING_EITHER, main="$5", fortune="$5"),
    )
    assert gain(table, "fortune") == {"p2": "-$5", "p6": "-$5"}
    assert envy(table) == {"p2": "$5", "p6": "$5"}


@clause("pa659a.11.h.1.ii.s3")
def test_659a_one_envy_for_each_other_qualifying_hand() -> None:
    table = deal(
        rules("pa-659a"),
        DEALER,
        seat(2, NOTHING_IN_IT, main="$5", fortune="$5"),
        seat(4, QUADS, main="$5"),
        seat(5, STRAIGHT_FLUSH, main="$5"),
    )
    assert envy(table) == {"p2": "$25"}


@clause("pa659a.11.h.1.ii.s4")
def test_659a_no_envy_for_ones_own_hand_at_either_area() -> None:
    alone = deal(rules("pa-659a"), DEALER, seat(4, QUADS, main="$5", fortune="$5"))
    assert envy(alone) == {}
    two_areas = deal(
        rules("pa-659a", {"table.adjacent_areas": True}),
        DEALER,
        seat(3, QUADS, person="Ann", main="$5"),
        seat(4, NOTHING_IN_IT, person="Ann", main="$5", fortune="$5"),
    )
    assert envy(two_areas) == {}


@clause("pa659a.11.h.1.ii.s5")
def test_659a_no_envy_for_the_dealers_hand() -> None:
    assert envy(deal(rules("pa-659a"), QUADS, seat(2, NOTHING_IN_IT, main="$5", fortune="$5"))) == {}


@pytest.mark.parametrize(("stake", "paid"), [("$4.99", {}), ("$5", {"p2": "$5"}), ("$5.01", {"p2": "$5"})])
def test_659a_envy_is_earned_from_five_dollars_to_the_cent(stake: str, paid: dict[str, str]) -> None:
    table = deal(
        rules("pa-659a"),
        DEALER,
        seat(2, NOTHING_IN_IT, main="$5", fortune=stake),
        seat(4, QUADS, main="$5"),
    )
    assert envy(table) == paid
