"""What the Washington game pays, clause by clause: envy, fouls, and the progressive meter."""

from __future__ import annotations

import pytest

from houseway.ledger import INVENTORY, SEED, AccountKind, player, show_units, units
from houseway.meters import opened
from houseway.money import cents
from houseway.settlement import Area, PaymentKind, Showdown, meter_terms
from tests.games.support import NOTHING, OWN_FORTUNE, Changes
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
    voided,
)

WA = "wa-fap"
DEALER = "Ad Qh Td 6c / Kc 7d / 4d"
QUADS = "8s 8h 8d 8c / Kd 5c / 2s"
STRAIGHT_FLUSH = "6h 5h 4h 3h / 7h Qc / Tc"
NOTHING_IN_IT = "Ks Qd 9c 5d / Jh 7s / 4c"
FIVE_ACES = "As Ah Ac Ad / Jk 9c / 2s"
SEVEN_IN_A_ROW = "9d 8d 7d 6d / 5d 4d / 3d"
PLAIN_DEALER = "Kc Qh Tc 6c / Kh 7s / 4c"


def spot(number: int, hand: str, *, main: str, fortune: str = "", progressive: str = "") -> Area:
    """Return a spot by its number at a Washington table: 1 at the dealer's left, 6 at his right."""
    person = f"spot {number}"
    return seat(8 - number, hand, person=person, main=main, fortune=fortune, progressive=progressive)


# --- envy ---------------------------------------------------------------------------------------


@clause("wa.fap.fortune.envy_win")
def test_another_players_quads_pay_envy_without_a_fortune_bet_of_his() -> None:
    table = deal(
        rules(WA), DEALER, spot(1, QUADS, main="$5"), spot(2, NOTHING_IN_IT, main="$5", fortune="$5")
    )
    assert envy(table) == {"spot 2": "$5"}


@clause("wa.fap.fortune.envy_multiple")
def test_several_qualifying_hands_pay_several_envies() -> None:
    table = deal(
        rules(WA),
        DEALER,
        spot(1, QUADS, main="$5"),
        spot(2, NOTHING_IN_IT, main="$5", fortune="$5"),
        spot(3, STRAIGHT_FLUSH, main="$5"),
    )
    assert envy(table) == {"spot 2": "$25"}


@clause("wa.fap.fortune.envy_not_own")
def test_no_envy_for_ones_own_hand() -> None:
    assert envy(deal(rules(WA), DEALER, spot(2, QUADS, main="$5", fortune="$5"))) == {}


@clause("wa.fap.fortune.envy_not_dealer")
def test_no_envy_for_the_dealers_hand() -> None:
    kings = "Ks Kh Kd Kc / Ac 5h / 2c"
    hands = ("Qs Jd 9h 6d / Ts 5c / 3h", "Ah Qd 9c 5d / Jh 7s / 4c")
    areas = [spot(n, hand, main="$5", fortune="$5") for n, hand in enumerate(hands, start=1)]
    assert envy(deal(rules(WA), kings, *areas)) == {}


@pytest.mark.parametrize(
    ("stake", "paid"), [("$4.99", {}), ("$5", {"spot 2": "$5"}), ("$5.01", {"spot 2": "$5"})]
)
def test_envy_is_earned_from_five_dollars_to_the_cent(stake: str, paid: dict[str, str]) -> None:
    areas = (spot(1, QUADS, main="$5"), spot(2, NOTHING_IN_IT, main="$5", fortune=stake))
    assert envy(deal(rules(WA), DEALER, *areas)) == paid


# --- fouls --------------------------------------------------------------------------------------

FOULED = {
    "iverify_hwv": ("As 9s 6s 5h / 3s 2s / 5d", "$20"),
    "iverify": ("Kd 7h 4h 2s / 9s 9h / 9d", "$15"),
    "led": ("Kd 8s 5h 2s / 8h 8d / 8c", "$125"),
    "dice_cup": ("9s 8h 6s 2h / 7h 5s / Kd", "$10"),
}


FOUL_LAW = {
    "iverify_hwv": "wa.fap.iverify.6.foul_bonus",
    "iverify": "wa.fap.iverify_nohwv.6.foul_bonus",
    "led": "wa.fap.led.6.foul_bonus",
    "dice_cup": "wa.fap.dice.6.foul_bonus",
}


@pytest.mark.parametrize("procedure", [pytest.param(p, marks=clause(c)) for p, c in FOUL_LAW.items()])
def test_a_fouled_hand_loses_the_main_bet_and_keeps_its_fortune_bonus(procedure: str) -> None:
    hand, pays = FOULED[procedure]
    methods = ["dice_cup"] if procedure == "dice_cup" else ["device_number"]
    changes: Changes = {"table.procedure": procedure, "table.start_methods": methods, "table.dice": 3}
    table = deal(rules(WA, changes), DEALER, spot(1, hand, main="$5", fortune="$5"))
    assert settled(table).races[7].fouls
    assert (gain(table, "main"), gain(table, "fortune")) == ({"spot 1": "-$5"}, {"spot 1": pays})


# --- the progressive ----------------------------------------------------------------------------

STILL = {
    "progressive.contribution": "0%",
    "progressive.reserve": NOTHING,
    "progressive.change_reason": "a trial",
}
"""A meter that takes no part of the wagers, so that an example's figures are the meter's own."""
OWN = OWN_FORTUNE | {
    "wager": "progressive",
    "lines": [
        {"hand": "seven_card_straight_flush", "pays": "100% of meter"},
        {"hand": "five_aces", "pays": "50% of meter"},
        {"hand": "straight_flush", "pays": "500 for 1", "source": "meter"},
        {"hand": "four_of_a_kind", "pays": "500 for 1", "source": "tray"},
    ],
}
POSTED = {"wagers.progressive.paytable": NOTHING, "wagers.progressive.own_paytable": OWN}


def progressive(showing: str, *areas: Area, changes: Changes | None = None, reserve: str = "$0") -> Showdown:
    """A round on the still meter, with its seed at $2,000 unless changed."""
    table = rules(WA, STILL | {"progressive.initial": "$2,000"} | (changes or {}))
    return deal(table, PLAIN_DEALER, *areas, meter=meter_at(table, showing, reserve=reserve))


def award(table: Showdown) -> list[tuple[str, str]]:
    """Return who was paid what by the progressive, in order."""
    paid = [p for p in settled(table).payments if p.kind is PaymentKind.PAY and p.wager == "progressive"]
    return [(p.person, show_units(p.units)) for p in paid]


def whole(number: int) -> Area:
    """Return a spot that wins the whole meter."""
    return spot(number, SEVEN_IN_A_ROW, main="$5", progressive="$1")


def tenth(number: int) -> Area:
    """Return a spot that wins a tenth of the meter."""
    return spot(number, FIVE_ACES, main="$5", progressive="$1")


@clause("wa.prog.3")
def test_a_whole_award_reseeds_and_a_part_of_the_meter_does_not() -> None:
    everything = progressive("$12,345.67", whole(3))
    assert (award(everything), meter_after(everything)) == ([("spot 3", "$12,345.67")], "$2,000")
    half = progressive("$10,000", tenth(3), changes=POSTED)
    assert (award(half), meter_after(half)) == ([("spot 3", "$5,000")], "$5,000")


@clause("wa.prog.3.reseed_cost")
def test_the_house_pays_the_reseed() -> None:
    table = progressive("$12,345.67", whole(3))
    (reseed,) = [p for p in settled(table).payments if p.kind is PaymentKind.SEED]
    assert (reseed.source, reseed.to.kind) == (SEED, AccountKind.METER)
    assert show_units(reseed.units) == "$2,000"


@clause("wa.prog.8.a")
def test_a_percentage_award_comes_out_of_the_meter() -> None:
    table = progressive("$10,000", tenth(3))
    assert (award(table), meter_after(table)) == ([("spot 3", "$1,000")], "$9,000")


@clause("wa.prog.8.b")
def test_a_fixed_award_comes_from_tray_or_meter() -> None:
    hand = spot(3, STRAIGHT_FLUSH.replace("Qc", "Qd").replace("Tc", "Td"), main="$5", progressive="$1")
    table = progressive("$10,000", hand, changes=POSTED)
    assert (award(table), meter_after(table)) == ([("spot 3", "$500")], "$9,500")
    quads = progressive("$10,000", spot(3, QUADS, main="$5", progressive="$1"), changes=POSTED)
    assert (award(quads), meter_after(quads)) == ([("spot 3", "$500")], "$10,000")
    (paid,) = [p for p in settled(quads).payments if p.kind is PaymentKind.PAY and p.wager == "progressive"]
    assert (paid.source, paid.to) == (INVENTORY, player("spot 3"))


def test_a_fixed_award_that_the_meter_cannot_pay_is_made_up_from_the_tray() -> None:
    hand = spot(3, STRAIGHT_FLUSH.replace("Qc", "Qd").replace("Tc", "Td"), main="$5", progressive="$1")
    table = progressive("$499.99", hand, changes=POSTED)
    assert (award(table), meter_after(table)) == ([("spot 3", "$499.99"), ("spot 3", "$0.01")], "$0")
    exact = progressive("$500", hand, changes=POSTED)
    assert (award(exact), meter_after(exact)) == ([("spot 3", "$500")], "$0")


@clause("wa.prog.8.c")
def test_several_awards_are_paid_from_the_dealers_right() -> None:
    first_a_tenth = progressive("$10,000", whole(2), tenth(5))
    assert award(first_a_tenth) == [("spot 5", "$1,000"), ("spot 2", "$9,000")]
    assert meter_after(first_a_tenth) == "$2,000"
    first_the_whole = progressive("$10,000", whole(5), tenth(2))
    assert award(first_the_whole) == [("spot 5", "$10,000"), ("spot 2", "$200")]
    assert meter_after(first_the_whole) == "$1,800"


@clause("wa.prog.8.c.override")
def test_approved_internal_controls_may_pay_clockwise() -> None:
    approved = {
        "readings.wa_meter_order": "internal_controls",
        "progressive.order_policy": "clockwise",
        "approvals.order_policy": "IC-12",
    }
    table = progressive("$10,000", whole(2), tenth(5), changes=approved)
    assert award(table) == [("spot 2", "$10,000"), ("spot 5", "$200")]
    paid = [p for p in settled(table).payments if p.wager == "progressive" and p.kind is PaymentKind.PAY]
    assert {p.reason for p in paid} == {
        "100% of the meter, in the order of internal controls IC-12",
        "10% of the meter, in the order of internal controls IC-12",
    }
    assert all("wa.prog.8.c.override" in p.clauses for p in paid)


@clause("wa.prog.rec.reserve.added")
def test_the_reserve_is_added_on_top_of_the_seed() -> None:
    table = progressive("$8,000", whole(3), changes={"progressive.initial": "$1,000"}, reserve="$250")
    after = settled(table).meter
    assert after is not None
    assert (show_units(after.value), after.reserve) == ("$1,250", 0)


def test_each_wager_goes_to_meter_reserve_and_inventory_by_the_posted_rates() -> None:
    table = rules(WA)
    meter, _ = opened(meter_terms(table))
    hand = spot(1, NOTHING_IN_IT, main="$5", progressive="$1")
    after = settled(
        deal(table, PLAIN_DEALER.replace("4c", "4s").replace("7s", "7c"), hand, meter=meter)
    ).meter
    assert after is not None
    assert after.value - meter.value == units(cents("$0.24"))
    assert after.reserve == units(cents("$0.02"))


def test_a_void_hand_puts_nothing_into_an_award() -> None:
    table = rules(WA)
    areas = (whole(6), voided(3, "As Ah 9c 2s / Jc 8s / 3c", main="$5", progressive="$1"))
    meter = meter_at(table, "$5,000", reserve="$10")
    void = deal(table, PLAIN_DEALER, *areas, meter=meter)
    assert award(void) == [("spot 6", "$5,000.24")]
    after = settled(void).meter
    assert after is not None
    assert (show_units(after.value), after.reserve) == ("$10,010.02", 0)
