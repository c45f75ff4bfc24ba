"""The readings that move money: under each choice, the money its wording says."""

from __future__ import annotations

import pytest

from houseway.ledger import show_units, units
from houseway.money import cents
from houseway.settlement import Area, PaymentKind, Showdown
from tests.settlement.support import (
    abandoned,
    deal,
    envy,
    gain,
    meter_after,
    meter_at,
    rules,
    seat,
    settled,
    surrendered,
    voided,
)

ASIA, SIX, WA, CA = "pa-659a", "pa-670a", "wa-fap", "ca-fpgp"
DEALER = "Ad Qh Td 6c / Kc 7d / 4d"
QUADS = "8s 8h 8d 8c / Kd 5c / 2s"
NOTHING_IN_IT = "Ks Qd 9c 5d / Jh 7s / 4c"
NOTHING_EITHER = "Ah Ts 9h 6d / Js 5s / 3s"
FOUL = "Kd 9d 5h 2s / 9s 9h / 5c"
"""A full house set with its nines in the medium hand, above a king."""
SIX_DEALER = "9s 9h 7c 5d 2d / 8h"
ROYAL = "As Ks Qs Js Ts / 4c"
FIVES = "6s 6h 6d 6c Kd / Tc"
ACE_HIGH = "Ac Jh 9c 8d 3d / Td"
TWO_AREAS = {"table.adjacent_areas": True}


def choices(name: str, **money: object) -> pytest.MarkDecorator:
    """Parametrize over the choices of a reading and what each of them gives."""
    rows = [pytest.param({name: choice}, given, id=f"{name}={choice}") for choice, given in money.items()]
    return pytest.mark.parametrize(("reading", "given"), rows)


# --- Pennsylvania, seven cards ------------------------------------------------------------------


@choices("foul_keeps_side_wagers", keeps="$25", forfeits="-$5")
def test_the_bonus_of_a_fouled_hand(reading: dict[str, str], given: str) -> None:
    hand = seat(2, FOUL, main="$5", bonus="$5")
    table = deal(rules("pa-575", None, **reading), DEALER, hand)
    assert settled(table).races[2].fouls
    assert (gain(table, "main"), gain(table, "bonus")) == ({"p2": "-$5"}, {"p2": given})


@choices("foul_keeps_side_wagers", keeps=["$25", "-$5"], forfeits=["-$5", "-$5"])
def test_fortune_and_insurance_of_a_fouled_hand(reading: dict[str, str], given: list[str]) -> None:
    hand = seat(2, FOUL, main="$5", fortune="$5", insurance="$5")
    table = deal(rules(ASIA, None, **reading), DEALER, hand)
    assert [gain(table, wager)["p2"] for wager in ("fortune", "insurance")] == given


@choices("foul_keeps_side_wagers", keeps="$3", forfeits="-$1")
def test_the_progressive_of_a_fouled_hand(reading: dict[str, str], given: str) -> None:
    table = rules(ASIA, None, **reading)
    hand = seat(2, FOUL, main="$5", progressive="$1")
    assert gain(deal(table, DEALER, hand, meter=meter_at(table, "$5,000")), "progressive") == {"p2": given}


@choices("three_pair_paytable_c", push="$0", lose="-$5")
def test_three_pair_on_paytable_c(reading: dict[str, str], given: str) -> None:
    table = rules(ASIA, {"wagers.fortune.paytable": "C"}, **reading)
    hand = seat(2, "Ks Kh 4s 2d / 9d 9c / 4h", main="$5", fortune="$5")
    assert gain(deal(table, DEALER, hand), "fortune") == {"p2": given}


@choices("surrendered_hand_gives_envy", counts={"p5": "$5"}, does_not_count={})
def test_envy_of_a_surrendered_hand(reading: dict[str, str], given: dict[str, str]) -> None:
    areas = (surrendered(3, QUADS, main="$25"), seat(5, NOTHING_IN_IT, main="$5", fortune="$5"))
    table = deal(rules(ASIA, None, **reading), DEALER, *areas)
    assert envy(table) == given
    assert gain(table, "main")["p3"] == "-$25"


@choices("envy_two_areas", per_lammer={"Ann": "$10"}, per_person={"Ann": "$5"})
def test_envy_of_a_person_on_two_areas(reading: dict[str, str], given: dict[str, str]) -> None:
    table = deal(
        rules(ASIA, TWO_AREAS, **reading),
        DEALER,
        seat(2, NOTHING_IN_IT, person="Ann", main="$5", fortune="$5"),
        seat(3, NOTHING_EITHER, person="Ann", main="$5", fortune="$5"),
        seat(5, QUADS, main="$5"),
    )
    assert envy(table) == given


@choices("payout_cap_scope", main_and_bonus="$50,000", bonus_only="$50,015")
def test_what_the_payout_limit_holds(reading: dict[str, str], given: str) -> None:
    table = rules("pa-575", {"payout_limit": "$50,000"}, **reading)
    hand = seat(2, "8s 8h 8d 8c / Ks Kh / Kd", main="$15", bonus="$15")
    assert gain(deal(table, DEALER, hand)) == {"p2": given}


def five_aces(showing: str, **reading: str) -> Showdown:
    """Five aces on a $1 progressive wager: a tenth of what the meter shows."""
    table = rules(ASIA, None, **reading)
    hand = seat(2, "As Ah Ad Ac / Jk 9c / 2s", main="$5", progressive="$1")
    return deal(table, "Kd Qh Td 6c / Kc 7d / 4d", hand, meter=meter_at(table, showing, less="$0.29"))


@choices(
    "meter_after_percentage",
    deduct_no_reseed=["$2,899.99", "$2,900", "$2,900.01"],
    reseed_below_seed=["$2,900", "$2,900", "$2,900.01"],
)
def test_the_meter_after_a_tenth_around_its_reset_amount(reading: dict[str, str], given: list[str]) -> None:
    showing = ["$3,222.21", "$3,222.22", "$3,222.23"]
    assert [meter_after(five_aces(amount, **reading)) for amount in showing] == given


@choices(
    "meter_rounding",
    down=["$290.05", "$290.05", "$290.05", "$290.06"],
    half_up=["$290.05", "$290.06", "$290.06", "$290.06"],
)
def test_a_tenth_of_the_meter_to_the_cent(reading: dict[str, str], given: list[str]) -> None:
    showing = ["$2,900.54", "$2,900.55", "$2,900.58", "$2,900.60"]
    assert [gain(five_aces(amount, **reading), "progressive")["p2"] for amount in showing] == [
        show_units(units(cents(won) - cents("$1"))) for won in given
    ]
    assert [meter_after(five_aces(amount, **reading)) for amount in showing] == [
        show_units(units(cents(amount) - cents(won))) for amount, won in zip(showing, given, strict=True)
    ]


def test_the_house_pays_what_a_meter_below_its_reset_amount_is_given_back() -> None:
    payments = settled(five_aces("$2,950", meter_after_percentage="reseed_below_seed")).payments
    assert [show_units(p.units) for p in payments if p.kind is PaymentKind.SEED] == ["$245"]


# --- voids --------------------------------------------------------------------------------------


@choices("void_reverses_meter", reverse="$5,000", keep="$5,000.29")
def test_the_meter_after_a_void_round(reading: dict[str, str], given: str) -> None:
    table = rules(ASIA, None, **reading)
    hand = seat(2, QUADS, main="$5", fortune="$5", insurance="$5", progressive="$1")
    void = deal(table, DEALER, hand, meter=meter_at(table, "$5,000"), void="misdeal")
    assert gain(void) == {"p2": "$0"}
    assert meter_after(void) == given


@choices("six_void_reverses_meter", reverse="$5,000.21", keep="$5,000.42")
def test_the_meter_after_a_void_hand(reading: dict[str, str], given: str) -> None:
    table = rules(SIX, None, **reading)
    areas = (
        voided(2, FIVES, main="$5", fortune="$5", progressive="$1"),
        seat(4, ACE_HIGH, main="$5", progressive="$1"),
    )
    void = deal(table, SIX_DEALER, *areas, meter=meter_at(table, "$5,000"))
    assert gain(void)["p2"] == "$0"
    assert envy(void) == {}
    assert meter_after(void) == given


@choices("six_voided_hand_wagers", returned=["$0", "$5,000.21"], stand=["-$11", "$5,000.42"])
def test_the_wagers_of_a_hand_its_player_voids(reading: dict[str, str], given: list[str]) -> None:
    table = rules(SIX, None, **reading)
    areas = (
        voided(2, FIVES, main="$5", fortune="$5", progressive="$1"),
        seat(4, ACE_HIGH, main="$5", fortune="$5", progressive="$1"),
    )
    void = deal(table, SIX_DEALER, *areas, meter=meter_at(table, "$5,000"))
    assert [gain(void)["p2"], meter_after(void)] == given
    assert envy(void) == {}


@choices("six_voided_hand_wagers", returned="$0", stand="$0")
def test_a_void_round_returns_the_wagers_of_a_voided_hand_too(reading: dict[str, str], given: str) -> None:
    table = rules(SIX, None, **reading)
    areas = (voided(2, FIVES, main="$5", progressive="$1"), seat(4, ACE_HIGH, main="$5", progressive="$1"))
    void = deal(table, SIX_DEALER, *areas, meter=meter_at(table, "$5,000"), void="misdeal")
    assert set(gain(void).values()) == {given}
    assert meter_after(void) == "$5,000"


# --- Pennsylvania, six cards --------------------------------------------------------------------


@choices("six_envy_other_amounts", fixed_sum=["$75"] * 3, proportional=["$75", "$75.15", "$150"])
def test_fortune_envy_on_other_wagers(reading: dict[str, str], given: list[str]) -> None:
    table = rules(SIX, None, **reading)
    quads = seat(4, FIVES, main="$5")
    stakes = ("$5", "$5.01", "$10")
    tables = [deal(table, SIX_DEALER, seat(2, ACE_HIGH, main="$5", fortune=s), quads) for s in stakes]
    assert [envy(x)["p2"] for x in tables] == given


@choices("six_abandoned_hand_gives_envy", counts={"p2": "$75"}, does_not_count={})
def test_envy_of_an_abandoned_hand(reading: dict[str, str], given: dict[str, str]) -> None:
    areas = (
        seat(2, ACE_HIGH, main="$5", fortune="$5"),
        abandoned(4, FIVES, main="$5", fortune="$5"),
        seat(6, "Qs Qd Qh Ks 4d / 2h", main="$5"),
    )
    table = deal(rules(SIX, None, **reading), SIX_DEALER, *areas)
    assert envy(table) == given
    assert gain(table)["p4"] == "-$10"


def test_an_abandoned_hand_earns_no_envy_itself() -> None:
    areas = (abandoned(2, ACE_HIGH, main="$5", fortune="$5"), seat(4, FIVES, main="$5"))
    assert envy(deal(rules(SIX), SIX_DEALER, *areas)) == {}


@choices("six_envy_two_areas", per_lammer={"Ann": "$160"}, per_person={"Ann": "$80"})
def test_six_card_envy_of_a_person_on_two_areas(reading: dict[str, str], given: dict[str, str]) -> None:
    table = rules(SIX, TWO_AREAS, **reading)
    areas = (
        seat(2, ACE_HIGH, person="Ann", main="$5", fortune="$5", progressive="$1"),
        seat(3, "Qc Jd 8c 4d 3h / 2s", person="Ann", main="$5", fortune="$5", progressive="$1"),
        seat(6, FIVES, main="$5"),
    )
    assert envy(deal(table, SIX_DEALER, *areas, meter=meter_at(table, "$5,000"))) == given


def royal(showing: str, **reading: str) -> Showdown:
    """A royal flush on a $1 progressive wager: a tenth of what the meter shows."""
    table = rules(SIX, None, **reading)
    hand = seat(2, ROYAL, main="$5", progressive="$1")
    return deal(table, SIX_DEALER, hand, meter=meter_at(table, showing, less="$0.21"))


@choices(
    "six_meter_after_percentage",
    deduct_no_reseed=["$4,999.99", "$5,000", "$5,000.01"],
    reseed_below_seed=["$5,000", "$5,000", "$5,000.01"],
)
def test_the_six_card_meter_after_a_tenth_around_its_seed(reading: dict[str, str], given: list[str]) -> None:
    showing = ["$5,555.55", "$5,555.56", "$5,555.57"]
    assert [meter_after(royal(amount, **reading)) for amount in showing] == given


@choices(
    "six_meter_rounding",
    half_up=["$4,500.04", "$4,500.04", "$4,501.13"],
    down=["$4,500.04", "$4,500.05", "$4,501.14"],
)
def test_rounding_a_tenth_of_the_meter(reading: dict[str, str], given: list[str]) -> None:
    showing = ["$5,000.04", "$5,000.05", "$5,001.26"]
    assert [meter_after(royal(amount, **reading)) for amount in showing] == given


# --- Washington ---------------------------------------------------------------------------------


@choices("wa_foul_insurance", stays="$25", loses="-$5")
def test_washington_insurance_of_a_fouled_hand(reading: dict[str, str], given: str) -> None:
    hand = seat(2, "Qs 9d 7c 5h / Kd 4s / 2s", main="$5", insurance="$5")
    table = deal(rules(WA, None, **reading), "Ad Qh Td 6c / Kc 7d / 4d", hand)
    assert settled(table).races[2].fouls
    assert gain(table, "insurance") == {"p2": given}


# --- California ---------------------------------------------------------------------------------

BANKER = "Ts Th 9d 6c 3s / Qd 8c"
WINS = ("Jc Js 7d 5h 2c / Ah 4s", "Jd Jh 7s 5c 2d / As 4h")
LOSES = ("9c 9h 6s 5s 3c / 8h 4c", "8s 8d 6h 3d 2h / 7c 5d")
STRONG = "Ac Ad Ah As Jk / Kc Kd"
CA_QUADS = "8s 8h 8d 8c 4d / Qh Js"
PLAIN = "Qd Td 9c 5c 3c / Jh 6s"


def bank(*areas: Area, dealer: str = BANKER, put_up: str = "$100", **reading: str) -> Showdown:
    """A round against a player-dealer, settled from seat 1."""
    return deal(rules(CA, None, **reading), dealer, *areas, bank=put_up, action=1)


@choices("ca_coverage", ledger={"p1": "-$60", "p2": "$40"}, net_balance={"p1": "-$60", "p2": "$60"})
def test_whether_a_collected_dollar_uses_up_the_bank(reading: dict[str, str], given: dict[str, str]) -> None:
    table = bank(seat(1, LOSES[0], main="$60"), seat(2, WINS[1], main="$60"), **reading)
    assert gain(table) == given


@choices("ca_coverage", ledger="$100", net_balance="$100")
def test_the_bank_wins_no_more_than_was_put_up_either_way(reading: dict[str, str], given: str) -> None:
    table = bank(seat(1, LOSES[0], main="$60"), seat(2, LOSES[1], main="$60"), **reading)
    assert gain(table) == {"p1": "-$60", "p2": "-$40"}
    assert show_units(settled(table).net("dealer") - 100 * 1_000_000) == given


@choices(
    "ca_settlement_order",
    passes=[{"p1": "$20", "p2": "$80"}, {"p1": "$0"}],
    seat_by_seat=[{"p1": "$20", "p2": "$55"}, {"p1": "$25"}],
)
def test_three_passes_or_seat_by_seat(reading: dict[str, str], given: list[dict[str, str]]) -> None:
    full_house = seat(1, "Kh Ks Kc 7h 7d / Ad 9c", main="$20", fortune="$5")
    table = bank(full_house, seat(2, WINS[1], main="$90"), **reading)
    assert [gain(table, "main"), gain(table, "fortune")] == given


@choices("ca_envy_trigger", bonus_bettor={}, any_player={"p2": "$5"})
def test_envy_of_a_hand_without_a_fortune_wager(reading: dict[str, str], given: dict[str, str]) -> None:
    areas = (seat(2, PLAIN, main="$5", fortune="$5"), seat(4, CA_QUADS, main="$5"))
    assert envy(bank(*areas, dealer=STRONG, put_up="$1,000", **reading)) == given


@choices("ca_envy_several_seats", all_own_excluded={}, same_seat_excluded={"Ann": "$5"})
def test_envy_between_the_seats_of_one_person(reading: dict[str, str], given: dict[str, str]) -> None:
    areas = (
        seat(2, PLAIN, person="Ann", main="$5", fortune="$5"),
        seat(3, CA_QUADS, person="Ann", main="$5", fortune="$5"),
    )
    assert envy(bank(*areas, dealer=STRONG, put_up="$1,000", **reading)) == given
