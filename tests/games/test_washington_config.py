"""What an operator may and must choose in Washington, clause by clause."""

from __future__ import annotations

from datetime import datetime

import pytest

from houseway.errors import DataError
from houseway.games import game, verify_wagers
from houseway.games.paytables import AwardSource
from houseway.money import cents
from tests.games.support import (
    NOTHING,
    OWN_FORTUNE,
    Changes,
    accepted,
    problems,
    refused,
    rules,
    submission,
    warned,
)

clause = pytest.mark.clause
WA = "wa-fap"
ALL_FROM_METER: Changes = {
    "name": "all pays off the meter",
    "wager": "progressive",
    "version": "7",
    "effective": datetime(2016, 1, 1),
    "deducts": "all",
    "lines": [
        {"hand": "seven_card_straight_flush", "pays": "100% of meter"},
        {"hand": "straight_flush", "pays": "500 for 1", "source": "meter"},
    ],
}


def warnings_about(changes: Changes, law: str) -> list[str]:
    """Return the fields that draw a warning on the strength of a clause."""
    return [p.field for p in problems(WA, changes) if not p.blocks and law in p.clauses]


def progressive_with(**changes: object) -> Changes:
    return {
        "wagers.progressive.paytable": NOTHING,
        "wagers.progressive.own_paytable": ALL_FROM_METER | changes,
    }


@clause("wa.fap.fortune.paytable_is_sample")
def test_the_posted_fortune_paytable_is_the_one_that_pays() -> None:
    lines = [{"hand": "seven_card_straight_flush", "pays": "5,000 to 1"}]
    own = OWN_FORTUNE | {"lines": lines, "version": "2016-2"}
    posted = rules(WA, {"wagers.fortune.paytable": NOTHING, "wagers.fortune.own_paytable": own})
    assert posted.paytable("fortune").id == "own 2016-2"
    assert posted.paytable("fortune").line("seven_card_straight_flush").pays.won(cents("$5")) == cents(
        "$25,000"
    )
    sample = rules(WA).paytable("fortune")
    assert sample.line("seven_card_straight_flush").pays.won(cents("$5")) == cents("$40,000")


@clause("wa.fap.insurance.paytable_is_sample")
def test_insurance_needs_a_posted_paytable_and_pays_by_it() -> None:
    assert refused(WA, {"wagers.insurance.paytable": NOTHING}, "wa.fap.insurance.paytable_is_sample")
    own = OWN_FORTUNE | {"wager": "insurance", "lines": [{"hand": "nine_high", "pays": "80 to 1"}]}
    posted = rules(WA, {"wagers.insurance.paytable": NOTHING, "wagers.insurance.own_paytable": own})
    assert posted.paytable("insurance").line("nine_high").pays.won(cents("$5")) == cents("$400")
    assert rules(WA).paytable("insurance").line("nine_high").pays.won(cents("$5")) == cents("$500")


@clause("wa.fap.fortune.amount")
def test_a_fortune_bet_is_any_amount_inside_its_limits() -> None:
    r = rules(WA)
    for amount, fine in (("$0.99", False), ("$1", True), ("$100", True), ("$101", False)):
        found = verify_wagers(r, {"main": cents("$10"), "fortune": cents(amount)})
        assert [p.clauses for p in found] == ([] if fine else [("wa.fap.fortune.amount",)]), amount


@pytest.mark.parametrize(
    ("procedure", "law"),
    [
        pytest.param("iverify_hwv", "wa.fap.iverify.3.note", marks=clause("wa.fap.iverify.3.note")),
        pytest.param("iverify", "wa.fap.iverify_nohwv.3.note", marks=clause("wa.fap.iverify_nohwv.3.note")),
    ],
)
def test_the_position_map_is_the_tables_own_with_who_and_when(procedure: str, law: str) -> None:
    mode: Changes = {"table.procedure": procedure}
    for field in ("position_map", "position_map_set_by", "position_map_set_on"):
        assert refused(WA, mode | {f"table.{field}": NOTHING}, law), field
    assert rules(WA, mode).position_for(7) == "spot 6"
    other = {str(n): f"spot {n}" for n in range(1, 7)} | {"7": "dealer"}
    assert rules(WA, mode | {"table.position_map": other}).position_for(7) == "dealer"


VERSIONS = [
    ("wa.fap.req.iverify_version", "i_verify", ["1.0.016"], ["1.0.017", "1.0.100"]),
    ("wa.fap.req.ideal_version", "i_deal", ["3.8.023"], ["3.8.024", "3.10.0"]),
    ("wa.prog.system.game_manager", "game_manager", ["1.2.9"], ["1.3.0", "1.10.0"]),
    ("wa.prog.system.table_controller", "table_controller", ["2.0.1", "1.9"], ["2.0.0"]),
    ("wa.prog.lcd_versions", "i_deal", ["3.8.023"], ["3.8.024"]),
]


@pytest.mark.parametrize(
    ("law", "component", "bad", "good"), [pytest.param(*row, marks=clause(row[0])) for row in VERSIONS]
)
def test_component_versions_are_compared_as_numbers(
    law: str, component: str, bad: list[str], good: list[str]
) -> None:
    for version in bad:
        assert refused(WA, {f"components.{component}": version}, law), version
    for version in good:
        assert accepted(WA, {f"components.{component}": version}), version
    if law != "wa.prog.lcd_versions":
        assert refused(WA, {f"components.{component}": NOTHING}, law)


@clause("wa.fap.req.ideal_version", "wa.fap.req.iverify_version")
def test_only_a_display_needs_the_versions_that_are_printed_for_it() -> None:
    none: Changes = {"components.i_deal": NOTHING, "components.i_verify": NOTHING}
    for procedure, extra in (
        ("led", {}),
        ("dice_cup", {"table.dice": 3, "table.start_methods": ["dice_cup"]}),
    ):
        assert accepted(WA, {"table.procedure": procedure, **extra, **none})
        for component in none:
            assert accepted(WA, {"table.procedure": procedure, **extra, component: NOTHING})
    for procedure in ("iverify", "iverify_hwv"):
        assert refused(
            WA, {"table.procedure": procedure, "components.i_deal": NOTHING}, "wa.fap.req.ideal_version"
        )
        assert refused(
            WA, {"table.procedure": procedure, "components.i_verify": NOTHING}, "wa.fap.req.iverify_version"
        )


@pytest.mark.parametrize("number", [0, -1, "2", 2.0, True])
def test_the_cup_holds_a_whole_number_of_dice(number: object) -> None:
    with pytest.raises(DataError):
        submission(WA, {"table.dice": number})


def test_only_washingtons_house_chooses_how_many_dice_are_shaken() -> None:
    for number in (1, 2, 3, 4):
        assert accepted(WA, {"table.dice": number})
    for other in ("pa-575", "pa-659a", "pa-670a", "ca-fpgp"):
        assert not accepted(other, {"table.dice": 2})


def test_another_table_controller_with_an_approval_on_record() -> None:
    assert accepted(WA, {"components.table_controller": "2.0.1", "approvals.table_controller": "G-7"})


CAPS = [("wa.fap.req.limit_040", "wac_230_15_040"), ("wa.fap.req.limit_140", "wac_230_15_140")]


@pytest.mark.parametrize(("law", "cap"), [pytest.param(*row, marks=clause(row[0])) for row in CAPS])
def test_limits_stay_within_the_entered_cap_and_the_lower_governs(law: str, cap: str) -> None:
    only: Changes = {f"caps.{c}.amount": "$1,000" for _, c in CAPS} | {f"caps.{cap}.amount": "$300"}
    assert accepted(WA, only | {"wagers.main.max": "$299.99"})
    assert accepted(WA, only | {"wagers.main.max": "$300"})
    assert refused(WA, only | {"wagers.main.max": "$300.01"}, law)
    assert refused(WA, only | {"wagers.fortune.max": "$301"}, law)
    assert refused(WA, {f"caps.{cap}": NOTHING}, law)
    assert refused(WA, {"wagers.main.max": NOTHING}, law)


@clause("wa.prog.limits")
def test_the_progressive_wager_stays_within_both_caps() -> None:
    for amount, fine in (("$5", True), ("$199.99", True), ("$200", True), ("$200.01", False)):
        changes = {"progressive.amount": amount, "progressive.change_reason": "trial"}
        assert refused(WA, changes, "wa.prog.limits") is not fine, amount
    assert refused(WA, {"caps.wac_230_15_140": NOTHING}, "wa.prog.limits")


@clause("wa.prog.2.joker_mode")
def test_the_paytable_says_how_wild_the_joker_is() -> None:
    assert rules(WA).joker_mode("progressive") == "semi"
    full = rules(WA, progressive_with(joker="full"))
    assert full.joker_mode("progressive") == "full"
    assert full.joker_mode("fortune") == "semi"


@clause("wa.prog.8.b")
def test_a_fixed_award_comes_from_tray_or_meter_as_the_paytable_says() -> None:
    own = rules(WA, progressive_with())
    assert own.award_source("progressive", "straight_flush") is AwardSource.METER
    assert rules(WA).award_source("progressive", "straight_flush") is AwardSource.TRAY


@clause("wa.prog.8.c.override")
def test_another_order_of_paying_needs_an_approval() -> None:
    other: Changes = {
        "progressive.order_policy": "clockwise",
        "readings.wa_meter_order": "internal_controls",
    }
    assert refused(WA, other, "wa.prog.8.c.override")
    assert accepted(WA, other | {"approvals.order_policy": "IC-12"})


@pytest.mark.parametrize(
    "changes",
    [
        {"readings.wa_meter_order": "internal_controls"},
        {"progressive.order_policy": "clockwise", "approvals.order_policy": "IC-12"},
        {
            "readings.wa_meter_order": "internal_controls",
            "progressive.order_policy": "the largest award first",
            "approvals.order_policy": "IC-12",
        },
    ],
    ids=["no order named", "an order beside the reading", "an order nobody can follow"],
)
def test_the_order_of_awards_and_the_reading_about_it_go_together(changes: Changes) -> None:
    assert refused(WA, changes, "wa.prog.8.c.override")


@clause("wa.prog.system.approved")
def test_no_progressive_without_the_approved_system() -> None:
    law = "wa.prog.system.approved"
    assert refused(WA, {"progressive.system": NOTHING}, law)
    for other in ("", " ", "simulated, not approved equipment", "Nexus Command, not approved", "Game King"):
        assert refused(WA, {"progressive.system": other}, law), other
    assert accepted(WA, {"progressive.system": "Nexus Command"})
    assert accepted(WA, {"progressive": NOTHING, "wagers.progressive": NOTHING})


@clause("wa.prog.rec.contribution.range")
def test_a_contribution_lies_between_nothing_and_everything() -> None:
    law = "wa.prog.rec.contribution.range"
    everything = progressive_with() | {"progressive.reserve": NOTHING}
    for rate, fine in (("-1%", False), ("0%", True), ("100%", True), ("101%", False)):
        assert refused(WA, everything | {"progressive.contribution": rate}, law) is not fine, rate


@clause("wa.prog.rec.contribution.growth70")
def test_below_70_per_cent_an_all_from_meter_table_draws_a_warning() -> None:
    law = "wa.prog.rec.contribution.growth70"
    for rate, warns in (("69%", True), ("70%", False), ("71%", False)):
        changes = progressive_with() | {"progressive.contribution": rate}
        assert warned(WA, changes, law) is warns
        assert accepted(WA, changes)
    assert not warned(WA, {"progressive.contribution": "20%"}, law)


@clause("wa.prog.rec.contribution.pct_only")
def test_a_raised_rate_draws_a_warning_and_so_does_a_missing_reason() -> None:
    law, raised = "wa.prog.rec.contribution.pct_only", {"progressive.contribution": "30%"}
    assert not warned(WA, {"progressive.contribution": "20%"}, law)
    assert not warned(WA, {"progressive.contribution": "24%"}, law)
    because: Changes = raised | {"progressive.change_reason": "promotion"}
    for changes, fields in ((raised, ["contribution", "change_reason"]), (because, ["contribution"])):
        assert warned(WA, changes, law) and accepted(WA, changes)
        assert warnings_about(changes, law) == [f"progressive.{field}" for field in fields]


@clause("wa.prog.rec.reserve.portion")
def test_contribution_and_reserve_are_at_most_the_wager() -> None:
    law = "wa.prog.rec.reserve.portion"
    most: Changes = progressive_with() | {"progressive.contribution": "96%"}
    assert accepted(WA, most | {"progressive.reserve": "4%"})
    assert refused(WA, most | {"progressive.reserve": "5%"}, law)
    assert warned(WA, {"progressive.reserve": NOTHING}, law)


ZERO_SEED: Changes = {"progressive.initial": "$0", "progressive.change_reason": "trial"}


@clause("wa.prog.rec.reserve.not_only_seed")
def test_a_reserve_as_the_only_seed_draws_a_warning() -> None:
    law = "wa.prog.rec.reserve.not_only_seed"
    assert warned(WA, ZERO_SEED, law)
    assert not warned(WA, ZERO_SEED | {"progressive.reserve": NOTHING}, law)
    assert not warned(WA, {}, law)


@clause("wa.prog.rec.seed.nonzero")
def test_a_zero_seed_draws_a_warning_and_is_not_forbidden() -> None:
    assert warned(WA, ZERO_SEED, "wa.prog.rec.seed.nonzero")
    assert not warned(WA, ZERO_SEED | {"progressive.initial": "$0.01"}, "wa.prog.rec.seed.nonzero")
    assert accepted(WA, ZERO_SEED)


@clause("wa.prog.rec.seed.preconfigured")
def test_another_seed_than_the_preconfigured_draws_a_warning_and_so_does_a_missing_reason() -> None:
    law, changed = "wa.prog.rec.seed.preconfigured", {"progressive.initial": "$8,000"}
    because: Changes = changed | {"progressive.change_reason": "smaller room"}
    for changes, fields in ((changed, ["initial", "change_reason"]), (because, ["initial"])):
        assert warned(WA, changes, law) and accepted(WA, changes)
        assert warnings_about(changes, law) == [f"progressive.{field}" for field in fields]
    assert not problems(WA)


@clause("wa.prog.rec.seed.min_fixed")
def test_a_seed_below_the_largest_fixed_award_draws_a_warning() -> None:
    law = "wa.prog.rec.seed.min_fixed"
    reason = {"progressive.change_reason": "trial"}
    for seed, warns in (("$499", True), ("$500", False), ("$501", False)):
        assert warned(WA, reason | {"progressive.initial": seed}, law) is warns, seed


@clause("wa.fap.overview.dealer_house_way")
def test_no_table_without_a_house_way() -> None:
    assert refused(WA, {"house_way": NOTHING}, "wa.fap.overview.dealer_house_way")


def test_the_example_progressive_paytable_says_it_is_ours() -> None:
    (table,) = game(WA).paytables_of("progressive")
    assert table.example
    assert "not an approved paytable" in table.name
