"""What chapter 670a pays, clause by clause: base, Double Down, side wagers, both envies and the meter."""

from __future__ import annotations

import pytest

import houseway as hw
from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.ledger import show_units
from houseway.meters import opened
from houseway.ranking import RaceResult
from houseway.settlement import Area, PaymentKind, Showdown, meter_terms, settle
from tests.settlement.support import clause, deal, envy, gain, meter_after, meter_at, rules, seat, settled

SIX = "pa-670a"
DEALER = "Qs Qh 8c 6s 2h / Jd"
FULL_HOUSE = "7s 7h 7d 4c 4d / 9h"
FIVES = "5s 5h 5d 5c Kd / Tc"
KINGS = "Ks Kh Kd Kc 4h / 9d"
STRAIGHT_FLUSH = "Th 9h 8h 7h 6h / 3c"
ACE_HIGH = "Ac Jh 9s 6c 3d / Ts"
QUEEN_HIGH = "Qc Td 8d 6d 3h / 2s"
FIVE_DOLLARS = {
    "progressive.amount": "$5",
    "progressive.initial": "$25,000",
    "progressive.reset": "$25,000",
}


def fortune(*areas: Area, dealer: str = DEALER) -> Showdown:
    """A round with Fortune wagers and no progressive."""
    return deal(rules(SIX), dealer, *areas)


def progressive(
    *areas: Area, showing: str = "$5,000", dealer: str = DEALER, table: Rules | None = None
) -> Showdown:
    """A round with progressive wagers, whose meter shows the amount once they are in it."""
    terms = table or rules(SIX)
    placed = sum(bettor.amount("progressive") for area in areas for bettor in area.bettors())
    meter = meter_at(terms, showing, less=show_units(placed * 2100))
    return deal(terms, dealer, *areas, meter=meter)


# --- the base wager -----------------------------------------------------------------------------


@clause("pa670a.11.e.s2")
def test_high_races_high_and_low_races_low() -> None:
    dealer = "Ks Kh 8c 5s 2h / Jd"
    tie = fortune(seat(2, "Ah Ad 9c 7s 4h / 9s", main="$25"), dealer=dealer)
    assert settled(tie).races[2].parts == (RaceResult.HIGHER, RaceResult.LOWER)
    win = fortune(seat(2, "Ah Ad 9c 7s 4h / Qs", main="$25"), dealer=dealer)
    assert settled(win).races[2].parts == (RaceResult.HIGHER, RaceResult.HIGHER)


def test_parts_of_wrong_sizes_are_no_setting_and_are_not_settled() -> None:
    table = fortune(seat(2, "Ah Ad 9c 7s / 4h Ks", main="$25"))
    with pytest.raises(IllegalError, match="not a setting of the dealt cards: 2"):
        settle(table)


@clause("pa670a.11.f.2.s1")
def test_a_tied_base_wager_is_returned() -> None:
    table = fortune(seat(2, "Ah Ad 9c 7s 4h / 9s", main="$25"), dealer="Ks Kh 8c 5s 2h / Jd")
    assert [(p.kind, show_units(p.units)) for p in settled(table).payments] == [(PaymentKind.RETURN, "$25")]


@clause("pa670a.11.f.3.s3")
def test_a_winning_base_wager_pays_even_money() -> None:
    table = fortune(seat(2, "Ah Ad 9c 7s 4h / Ks", main="$25"))
    assert [(p.kind, show_units(p.units)) for p in settled(table).payments] == [
        (PaymentKind.RETURN, "$25"),
        (PaymentKind.PAY, "$25"),
    ]


# --- the Double Down ----------------------------------------------------------------------------

BASE = {
    "win": "Jd Jh 6c 4c 2c / Ah",
    "lose": "Qc Td 7d 6h 4d / 2s",
    "tie": "Qs Qd 7c 4s 2d / 3c",
    "foul": "Qc Tc 9d 6s 3d / As",
}


def double_down(dealer: str, base: str) -> dict[str, str]:
    """What base and Double Down win on one of the four hands, $25 on each."""
    table = fortune(seat(2, BASE[base], main="$25", double_down="$25"), dealer=dealer)
    return {wager: gain(table, wager)["p2"] for wager in ("main", "double_down")}


@clause("pa670a.11.g.1")
def test_with_a_pair_of_eights_the_double_down_goes_as_the_base_wager() -> None:
    eights = "8s 8h 9c 5s 3h / Kd"
    for base, won in (("win", "$25"), ("lose", "-$25"), ("tie", "$0"), ("foul", "-$25")):
        assert double_down(eights, base) == {"main": won, "double_down": won}, base


@clause("pa670a.11.g.2")
def test_below_a_pair_of_eights_the_double_down_comes_back() -> None:
    sevens = "7s 7h 9c 5s 3h / Kd"
    for base, won in (("win", "$25"), ("lose", "-$25"), ("tie", "$0"), ("foul", "-$25")):
        assert double_down(sevens, base) == {"main": won, "double_down": "$0"}, base


@clause("pa670a.11.g.joker")
@pytest.mark.parametrize(
    ("dealer", "net"), [("Ac Jk Qh 8c 3c / Kh", "-$50"), ("Jk 9d 7c 5s 3h / Kh", "-$25")]
)
def test_the_dealers_joker_counts_towards_the_pair_of_eights(dealer: str, net: str) -> None:
    wagers = {"main": "$25", "double_down": "$25"}
    assert hw.game(SIX).settle(BASE["lose"], dealer, wagers).net == net


# --- Fortune and Insurance ----------------------------------------------------------------------


@clause("pa670a.11.h.1.i.a")
def test_below_three_of_a_kind_the_fortune_wager_is_lost() -> None:
    hand = seat(2, "Ks Kh 7s 7h 3c / Ad", main="$25", fortune="$5")
    assert gain(fortune(hand), "fortune") == {"p2": "-$5"}


@clause("pa670a.11.h.1.i.b.s1")
def test_three_of_a_kind_or_better_is_paid() -> None:
    hand = seat(2, "9s 9h 9d 5h 3s / Ac", main="$25", fortune="$5")
    assert gain(fortune(hand), "fortune") == {"p2": "$25"}


@clause("pa670a.11.h.2.i")
def test_insurance_loses_above_king_high() -> None:
    for hand in ("As 9d 7c 5s 3h / Qd", "2s 2d 4d 6c 9s / Jc"):
        table = fortune(seat(2, hand, main="$25", insurance="$5"))
        assert gain(table, "insurance") == {"p2": "-$5"}, hand


@clause("pa670a.11.h.2.ii")
def test_insurance_pays_king_high_or_less() -> None:
    hand = seat(2, "Ks 9d 7c 5s 3h / Qc", main="$25", insurance="$5")
    assert gain(fortune(hand), "insurance") == {"p2": "$15"}


@clause("pa670a.11.h.x.foul")
def test_a_foul_leaves_the_side_wagers_to_the_six_cards() -> None:
    straight = seat(2, "8d 7d 6h 5s 2c / 9s", main="$25", fortune="$5", progressive="$1")
    table = progressive(straight)
    assert settled(table).races[2].fouls
    assert {w: gain(table, w)["p2"] for w in ("main", "fortune", "progressive")} == {
        "main": "-$25",
        "fortune": "$40",
        "progressive": "$2",
    }
    king_high = fortune(seat(2, "Qc 9d 7c 5s 3h / Ks", main="$25", insurance="$5"))
    assert settled(king_high).races[2].fouls
    assert gain(king_high, "insurance") == {"p2": "$15"}


# --- Fortune envy -------------------------------------------------------------------------------


@clause("pa670a.1.envy.bonus")
def test_envy_is_a_flat_sum_and_not_for_ones_own_hand() -> None:
    table = fortune(seat(2, ACE_HIGH, main="$5", fortune="$5"), seat(4, FULL_HOUSE, main="$5", fortune="$5"))
    assert envy(table) == {"p2": "$25"}


@clause("pa670a.11.h.1.ii.s1")
def test_envy_is_paid_after_the_last_fortune_wager() -> None:
    table = fortune(
        seat(2, ACE_HIGH, main="$5", fortune="$5"),
        seat(4, FULL_HOUSE, main="$5"),
        seat(7, QUEEN_HIGH, main="$5", fortune="$5"),
    )
    kinds = [p.kind for p in settled(table).payments]
    assert kinds[-2:] == [PaymentKind.ENVY, PaymentKind.ENVY]
    assert PaymentKind.ENVY not in kinds[:-2]
    assert envy(table) == {"p2": "$25", "p7": "$25"}


@clause("pa670a.11.h.1.ii.s2")
def test_one_envy_for_each_other_qualifying_hand() -> None:
    table = fortune(
        seat(2, ACE_HIGH, main="$5", fortune="$5"),
        seat(4, FULL_HOUSE, main="$5"),
        seat(6, FIVES, main="$5"),
    )
    assert envy(table) == {"p2": "$100"}


@clause("pa670a.11.h.1.ii.s3")
def test_no_envy_for_ones_own_hand_or_the_dealers() -> None:
    own = fortune(seat(2, FULL_HOUSE, main="$5", fortune="$5"), dealer="Qs Qh Qd 6s 6h / Jd")
    assert envy(own) == {}
    assert gain(own, "fortune") == {"p2": "$75"}
    assert envy(fortune(seat(2, ACE_HIGH, main="$5", fortune="$5"), dealer=FIVES)) == {}


@clause("pa670a.11.h.x.twoareas")
def test_two_areas_of_one_person_give_each_other_no_envy_and_are_each_paid() -> None:
    table = deal(
        rules(SIX, {"table.adjacent_areas": True}),
        DEALER,
        seat(3, ACE_HIGH, person="Ann", main="$5", fortune="$5"),
        seat(4, FULL_HOUSE, person="Ann", main="$5", fortune="$5"),
    )
    assert envy(table) == {}
    quads_elsewhere = deal(table.rules, DEALER, *table.areas, seat(7, FIVES, main="$5"))
    paid = [p for p in settled(quads_elsewhere).payments if p.kind is PaymentKind.ENVY]
    assert [(p.position, show_units(p.units)) for p in paid] == [(3, "$75"), (4, "$75")]


@clause("pa670a.12.b.2.s1")
def test_the_receivers_wager_decides_the_envy_and_not_the_holders() -> None:
    table = fortune(
        seat(2, ACE_HIGH, main="$5", fortune="$5"), seat(4, FULL_HOUSE, main="$5", fortune="$100")
    )
    assert envy(table) == {"p2": "$25"}


@clause("pa670a.12.b.2.other")
def test_every_fortune_wager_from_five_dollars_takes_the_five_dollar_sums() -> None:
    table = fortune(seat(2, ACE_HIGH, main="$5", fortune="$10"), seat(4, FIVES, main="$5"))
    assert envy(table) == {"p2": "$75"}


@pytest.mark.parametrize(
    ("stake", "five", "one"),
    [
        ("$0.99", {}, {}),
        ("$1", {}, {"p2": "$15"}),
        ("$1.01", {}, {"p2": "$15"}),
        ("$4.99", {}, {"p2": "$15"}),
        ("$5", {"p2": "$75"}, {"p2": "$75"}),
        ("$5.01", {"p2": "$75"}, {"p2": "$75"}),
    ],
)
def test_envy_minimum_and_tables_to_the_cent(stake: str, five: dict[str, str], one: dict[str, str]) -> None:
    areas = (seat(2, ACE_HIGH, main="$5", fortune=stake), seat(4, FIVES, main="$5"))
    assert envy(deal(rules(SIX), DEALER, *areas)) == five
    assert envy(deal(rules(SIX, six_fortune_envy_minimum="one_dollar"), DEALER, *areas)) == one


# --- progressive envy ---------------------------------------------------------------------------


@clause("pa670a.11.h.3.ii.s1")
def test_every_progressive_bettor_earns_progressive_envy() -> None:
    table = progressive(seat(2, ACE_HIGH, main="$5", progressive="$1"), seat(7, FIVES, main="$5"))
    assert envy(table) == {"p2": "$5"}
    assert settled(table).payments[-1].kind is PaymentKind.ENVY


@clause("pa670a.11.h.3.ii.s2")
def test_one_progressive_envy_for_each_other_qualifying_hand() -> None:
    table = progressive(
        seat(2, ACE_HIGH, main="$5", progressive="$1"),
        seat(4, KINGS, main="$5"),
        seat(6, STRAIGHT_FLUSH, main="$5"),
    )
    assert envy(table) == {"p2": "$15"}


@clause("pa670a.11.h.3.ii.s3")
def test_no_progressive_envy_for_ones_own_hand_or_the_dealers() -> None:
    table = progressive(seat(2, KINGS, main="$5", progressive="$1"), dealer=STRAIGHT_FLUSH)
    assert envy(table) == {}
    assert gain(table, "progressive") == {"p2": "$149"}


@clause("pa670a.11.h.both")
def test_one_hand_can_give_both_kinds_of_envy() -> None:
    table = progressive(
        seat(2, ACE_HIGH, main="$5", fortune="$5", progressive="$1"), seat(4, FIVES, main="$5")
    )
    assert (envy(table, "fortune"), envy(table, "progressive")) == ({"p2": "$75"}, {"p2": "$5"})
    assert envy(table) == {"p2": "$80"}


@clause("pa670a.12.d.4.s1")
def test_the_receivers_progressive_wager_decides_the_envy() -> None:
    areas = (seat(2, ACE_HIGH, main="$5", progressive="$5"), seat(4, FIVES, main="$5"))
    assert envy(progressive(*areas, table=rules(SIX, FIVE_DOLLARS), showing="$25,001.05")) == {"p2": "$25"}


# --- the meter ----------------------------------------------------------------------------------

NINES = "9s 9h 7c 5d 2d / 8h"
ROYAL = "As Ks Qs Js Ts / 4c"
SECOND_ROYAL = "Ah Kh Qh Jh Th / 4d"
FIVE_ACES = "As Ah Ad Ac Jk / 9c"


def royal(showing: str, **readings: str) -> Showdown:
    """A royal flush with a $1 progressive wager, paid while the meter shows an amount."""
    table = rules(SIX, None, **readings)
    hand = seat(2, ROYAL, main="$5", progressive="$1")
    return progressive(hand, showing=showing, dealer=NINES, table=table)


def award(table: Showdown) -> list[str]:
    """Return what was paid off the meter, in order."""
    paid = [p for p in settled(table).payments if p.kind is PaymentKind.PAY and p.wager == "progressive"]
    return [show_units(p.units) for p in paid]


@clause("pa670a.11.h.3.i.b.iv.s1")
def test_the_progressive_pays_for_one_or_a_share_of_the_meter() -> None:
    flush = seat(2, "As Js 9s 6s 3s / 4c", main="$5", progressive="$1")
    assert award(progressive(flush, dealer="Qs Qh 8c 6d 2h / Jd")) == ["$6"]
    assert award(royal("$6,000")) == ["$600"]


@clause("pa670a.12.d.1.x.rounding")
def test_a_tenth_of_the_meter_is_rounded_to_the_nearest_cent_half_up() -> None:
    for showing, paid, left in (
        ("$5,001.26", "$500.13", "$4,501.13"),
        ("$5,000.05", "$500.01", "$4,500.04"),
        ("$5,000.04", "$500", "$4,500.04"),
        ("$5,000.06", "$500.01", "$4,500.05"),
    ):
        assert (award(royal(showing)), meter_after(royal(showing))) == ([paid], left)


@clause("pa670a.12.d.2.seed")
def test_the_seed_is_5000_times_the_wager() -> None:
    for table, seed in ((rules(SIX), "$5,000"), (rules(SIX, FIVE_DOLLARS), "$25,000")):
        meter, moved = opened(meter_terms(table))
        assert (show_units(meter.value), [show_units(m.units) for m in moved]) == (seed, [seed])
    aces = progressive(
        seat(2, FIVE_ACES, main="$5", progressive="$1"), showing="$7,777.77", dealer="9s 9h 7c 5d 2d / 8h"
    )
    assert (award(aces), meter_after(aces)) == (["$7,777.77"], "$5,000")


@clause("pa670a.12.d.2.rate")
def test_21_per_cent_of_each_progressive_wager_goes_to_the_meter() -> None:
    hands = [ACE_HIGH, QUEEN_HIGH, "Kh 9d 8h 7s 4d / 3s", "Kc Tc 9c 7c 4h / 2c", "Ah Jc 8s 5d 4c / 2d"]
    areas = [
        seat(2 + place, hand, main="$5", progressive="$1")
        for place, hand in enumerate([*hands, "Kd Js 9h 7d 5h / 3c"])
    ]
    table = rules(SIX)
    assert meter_after(deal(table, DEALER, *areas[:1], meter=meter_at(table, "$5,000"))) == "$5,000.21"
    assert meter_after(deal(table, DEALER, *areas, meter=meter_at(table, "$5,000"))) == "$5,001.26"
    five = rules(SIX, FIVE_DOLLARS)
    hand = seat(2, ACE_HIGH, main="$5", progressive="$5")
    assert meter_after(deal(five, DEALER, hand, meter=meter_at(five, "$25,000"))) == "$25,001.05"


@clause("pa670a.12.d.2.x.reseed")
def test_only_a_whole_award_reseeds_the_meter() -> None:
    table = royal("$5,000")
    assert (award(table), meter_after(table)) == (["$500"], "$4,500")
    aces = progressive(seat(2, FIVE_ACES, main="$5", progressive="$1"), showing="$4,500.21", dealer=NINES)
    assert (award(aces), meter_after(aces)) == (["$4,500.21"], "$5,000")


@clause("pa670a.12.d.3")
def test_a_winner_gets_what_the_meter_shows_at_his_turn() -> None:
    assert award(royal("$5,010")) == ["$501"]
    two = progressive(
        seat(5, SECOND_ROYAL, main="$5", progressive="$1"),
        seat(2, ROYAL, main="$5", progressive="$1"),
        showing="$6,000",
        dealer="9s 9h 7c 5d 2d / 8h",
    )
    assert award(two) == ["$600", "$540"]
    assert meter_after(two) == "$4,860"
