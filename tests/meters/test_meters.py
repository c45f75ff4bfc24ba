"""Meters: seed, contribution, shares, fixed awards, reversal, and that no part of a cent is ever lost."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from houseway.errors import IllegalError, InvalidInputError
from houseway.ledger import INVENTORY, SEED, AccountKind, Movement, player, show_units, units
from houseway.meters import (
    Meter,
    MeterTerms,
    adjust,
    award_fixed,
    award_share,
    contribute,
    opened,
    reseed,
    reverse_contribution,
    share_of,
)
from houseway.money import Cents, cents

TERMS = MeterTerms("test", seed=cents("$1,000"), contribution=Fraction(24, 100), reserve=Fraction(2, 100))
TENTH, WHOLE = Fraction(1, 10), Fraction(1)
ANN = player("Ann")


def meter(value: str, reserve: str = "$0", terms: MeterTerms = TERMS) -> Meter:
    """Return a meter that holds amounts of dollars."""
    return Meter(terms, units(cents(value)), units(cents(reserve)))


def shown(moved: tuple[Movement, ...]) -> list[tuple[str, AccountKind, AccountKind]]:
    """Return movements as amounts between kinds of accounts."""
    return [(show_units(m.units), m.source.kind, m.to.kind) for m in moved]


def held(found: Meter) -> tuple[str, str]:
    """Return a meter's value and reserve in dollars."""
    return show_units(found.value), show_units(found.reserve)


# --- seed and contribution ----------------------------------------------------------------------


def test_a_meter_opens_with_the_houses_seed() -> None:
    found, moved = opened(TERMS)
    assert held(found) == ("$1,000", "$0")
    assert shown(moved) == [("$1,000", AccountKind.SEED, AccountKind.METER)]


def test_a_meter_without_a_seed_opens_empty() -> None:
    assert opened(replace(TERMS, seed=Cents(0))) == (Meter(replace(TERMS, seed=Cents(0)), 0), ())


def test_a_contribution_is_split_between_meter_and_reserve() -> None:
    found, moved = contribute(meter("$1,000"), cents("$1"))
    assert held(found) == ("$1,000.24", "$0.02")
    assert shown(moved) == [
        ("$0.24", AccountKind.INVENTORY, AccountKind.METER),
        ("$0.02", AccountKind.INVENTORY, AccountKind.RESERVE),
    ]


def test_a_contribution_keeps_parts_of_a_cent_and_shows_whole_ones() -> None:
    fine = replace(TERMS, contribution=Fraction(245, 1000), reserve=Fraction(0))
    once, _ = contribute(Meter(fine, 0), cents("$1"))
    twice, _ = contribute(once, cents("$1"))
    assert (show_units(once.value), once.showing) == ("$0.245", 24)
    assert (show_units(twice.value), twice.showing) == ("$0.49", 49)


@pytest.mark.parametrize(
    ("before", "value", "reserve"),
    [
        ("$1,999.75", "$1,999.99", "$0.02"),
        ("$1,999.76", "$2,000", "$0.02"),
        ("$1,999.77", "$2,000", "$0.03"),
        ("$2,000", "$2,000", "$0.26"),
        ("$2,000.01", "$2,000.01", "$0.26"),
    ],
)
def test_what_would_lift_the_meter_above_its_limit_goes_to_the_reserve(
    before: str, value: str, reserve: str
) -> None:
    limited = replace(TERMS, limit=cents("$2,000"))
    assert held(contribute(meter(before, terms=limited), cents("$1"))[0]) == (value, reserve)


def test_contribution_and_reserve_are_together_no_more_than_the_wager() -> None:
    assert replace(TERMS, contribution=Fraction(98, 100)).contribution == Fraction(98, 100)
    with pytest.raises(InvalidInputError, match="parts of the wager"):
        replace(TERMS, contribution=Fraction(9801, 10000))
    with pytest.raises(InvalidInputError, match="parts of the wager"):
        replace(TERMS, contribution=Fraction(-1, 100))
    with pytest.raises(InvalidInputError, match="seed"):
        replace(TERMS, seed=Cents(-1))


# --- shares -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("showing", "down", "half_up"),
    [
        ("$5,000.04", "$500", "$500"),
        ("$5,000.05", "$500", "$500.01"),
        ("$5,000.06", "$500", "$500.01"),
    ],
)
def test_a_share_is_rounded_as_the_terms_say(showing: str, down: str, half_up: str) -> None:
    found = meter(showing)
    assert share_of(found, TENTH) == cents(down)
    assert share_of(changed(found, terms=replace(TERMS, rounding="half_up")), TENTH) == cents(half_up)


@pytest.mark.parametrize("rounding", ["down", "half_up"])
def test_the_whole_meter_pays_no_more_than_it_shows(rounding: str) -> None:
    terms = replace(TERMS, rounding="half_up" if rounding == "half_up" else "down", seed=Cents(0))
    found, moved = award_share(Meter(terms, units(100) + 9_999), WHOLE, ANN)
    assert (moved[0].units, found.value) == (units(100), 9_999)


def test_a_whole_award_reseeds_and_puts_the_reserve_on_top() -> None:
    found, moved = award_share(meter("$12,345.67", "$250"), WHOLE, ANN)
    assert held(found) == ("$1,250", "$0")
    assert shown(moved) == [
        ("$12,345.67", AccountKind.METER, AccountKind.PLAYER),
        ("$1,000", AccountKind.SEED, AccountKind.METER),
        ("$250", AccountKind.RESERVE, AccountKind.METER),
    ]


def test_a_part_of_a_cent_left_by_a_whole_award_counts_towards_the_seed() -> None:
    found, moved = award_share(Meter(TERMS, units(100) + 5_000), WHOLE, ANN)
    assert held(found) == ("$1,000", "$0")
    assert show_units(moved[1].units) == "$999.995"


def test_a_tenth_and_then_the_whole() -> None:
    first, a_tenth = award_share(meter("$10,000"), TENTH, ANN)
    last, the_rest = award_share(first, WHOLE, player("Ben"))
    assert [shown(a_tenth)[0][0], shown(the_rest)[0][0]] == ["$1,000", "$9,000"]
    assert held(last) == ("$1,000", "$0")


def test_the_whole_and_then_a_tenth_of_the_seed() -> None:
    first, everything = award_share(meter("$10,000"), WHOLE, ANN)
    last, a_tenth = award_share(first, TENTH, player("Ben"))
    assert [shown(everything)[0][0], shown(a_tenth)[0][0]] == ["$10,000", "$100"]
    assert held(last) == ("$900", "$0")


def test_several_winners_are_each_paid_from_what_is_left() -> None:
    found, paid = meter("$6,000"), []
    for name in ("Ann", "Ben", "Cid"):
        found, moved = award_share(found, TENTH, player(name))
        paid.append((moved[0].to.name, show_units(moved[0].units)))
    assert paid == [("Ann", "$600"), ("Ben", "$540"), ("Cid", "$486")]
    assert held(found) == ("$4,374", "$0")


@pytest.mark.parametrize(
    ("showing", "kept", "restored"),
    [
        ("$1,111.10", "$999.99", "$1,000"),
        ("$1,111.11", "$1,000", "$1,000"),
        ("$1,111.12", "$1,000.01", "$1,000.01"),
    ],
)
def test_a_share_reseeds_below_the_seed_only_if_the_terms_say_so(
    showing: str, kept: str, restored: str
) -> None:
    found = meter(showing)
    below = changed(found, terms=replace(TERMS, reseeds="below_seed"))
    assert held(award_share(found, TENTH, ANN)[0])[0] == kept
    assert held(award_share(below, TENTH, ANN)[0])[0] == restored


def test_an_empty_meter_has_nothing_to_share() -> None:
    assert award_share(meter("$0"), TENTH, ANN) == (meter("$0"), ())


def test_a_reseed_takes_nothing_from_a_meter_above_its_seed() -> None:
    assert reseed(meter("$1,000.01")) == (meter("$1,000.01"), ())


# --- fixed awards -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "left", "from_inventory"),
    [("$499.99", "$0", "$0.01"), ("$500", "$0", None), ("$500.01", "$0.01", None)],
)
def test_a_fixed_award_takes_the_meter_first(value: str, left: str, from_inventory: str | None) -> None:
    found, moved = award_fixed(meter(value, "$7"), cents("$500"), ANN)
    assert held(found) == (left, "$7")
    assert [show_units(m.units) for m in moved if m.source == INVENTORY] == [from_inventory] * bool(
        from_inventory
    )
    assert sum(m.units for m in moved if m.to == ANN) == units(cents("$500"))


# --- reversal and adjustment --------------------------------------------------------------------


def test_a_reversal_gives_back_exactly_what_came_in() -> None:
    limited = replace(TERMS, limit=cents("$2,000"))
    before = meter("$1,999.90", "$3", limited)
    found, taken = contribute(before, cents("$1"))
    assert held(found) == ("$2,000", "$3.16")
    after, back = reverse_contribution(found, taken, "void: misdeal")
    assert after == before
    assert [(m.units, m.source, m.to) for m in back] == [(m.units, m.to, m.source) for m in taken]
    assert {m.reason for m in back} == {"void: misdeal"}


@pytest.mark.parametrize(
    ("value", "reserve", "of_the_house"),
    [
        ("$0.24", "$0.02", "$0"),
        ("$0.23", "$0.02", "$0.01"),
        ("$0.24", "$0.01", "$0.01"),
        ("$0", "$0", "$0.26"),
    ],
)
def test_no_reversal_takes_a_meter_below_nothing(value: str, reserve: str, of_the_house: str) -> None:
    """What a winner at another table has taken out since, the house gives back."""
    _, taken = contribute(meter("$0"), cents("$1"))
    left, back = reverse_contribution(meter(value, reserve), taken, "void")
    assert held(left) == ("$0", "$0")
    assert sum(m.units for m in back) == sum(m.units for m in taken) == units(cents("$0.26"))
    assert sum(m.units for m in back if m.source == SEED) == units(cents(of_the_house))


@pytest.mark.parametrize("by", ["$10", "-$10"])
def test_a_manual_adjustment_has_a_reason_and_two_people(by: str) -> None:
    found, (moved,) = adjust(meter("$100"), units(cents(by)), reason="misread", first="Ann", second="Ben")
    assert found.value == units(cents("$100") + cents(by))
    assert moved.reason == "manual adjustment by Ann and Ben: misread"
    assert SEED in (moved.source, moved.to)


@pytest.mark.parametrize("by", [1, -1, units(5), -units(5)])
def test_an_adjustment_moves_what_it_changes_between_the_seed_and_the_meter(by: int) -> None:
    found, (moved,) = adjust(meter("$100"), by, reason="misread", first="Ann", second="Ben")
    assert found.value == meter("$100").value + by
    assert moved.units == abs(by)
    expected = (SEED, found.terms.account) if by > 0 else (found.terms.account, SEED)
    assert (moved.source, moved.to) == expected


def test_a_meter_keeps_no_reserve_unless_its_terms_say_so() -> None:
    plain = Meter(MeterTerms("plain", cents("$1"), Fraction(1)), 0)
    filled, moved = contribute(plain, cents("$1"))
    assert (filled.value, filled.reserve, len(moved)) == (units(cents("$1")), 0, 1)


@pytest.mark.parametrize(
    ("reason", "first", "second"),
    [
        ("", "Ann", "Ben"),
        (" ", "Ann", "Ben"),
        ("misread", "Ann", "Ann"),
        ("misread", "", "Ben"),
        ("x", "Ann", " "),
    ],
)
def test_no_manual_adjustment_without_them(reason: str, first: str, second: str) -> None:
    with pytest.raises(IllegalError, match="a reason and two people"):
        adjust(meter("$100"), 1, reason=reason, first=first, second=second)


def test_an_adjustment_by_nothing_changes_nothing() -> None:
    assert adjust(meter("$100"), 0, reason="count", first="Ann", second="Ben") == (meter("$100"), ())


def test_a_meter_never_holds_less_than_nothing() -> None:
    empty, _ = adjust(meter("$1"), -units(100), reason="count", first="Ann", second="Ben")
    assert empty.value == 0
    with pytest.raises(IllegalError, match="less than nothing"):
        adjust(meter("$1"), -units(100) - 1, reason="count", first="Ann", second="Ben")
    for value, reserve in ((-1, 0), (0, -1)):
        with pytest.raises(IllegalError, match="less than nothing"):
            Meter(TERMS, value, reserve)


# --- nothing is lost ----------------------------------------------------------------------------

amounts = st.integers(0, 10_000_00).map(Cents)
rates = st.integers(0, 500).map(lambda n: Fraction(n, 1000))
all_terms = st.builds(
    MeterTerms,
    name=st.just("test"),
    seed=amounts,
    contribution=rates,
    reserve=rates,
    limit=st.none() | amounts,
    rounding=st.sampled_from(["down", "half_up"]),
    reseeds=st.sampled_from(["on_whole_award", "below_seed"]),
)
steps = st.tuples(
    st.sampled_from(["contribute", "share", "fixed", "reverse", "adjust", "reseed"]),
    amounts,
    st.integers(1, 100).map(lambda n: Fraction(n, 100)),
)


def _step(found: Meter, kind: str, amount: Cents, share: Fraction) -> tuple[Meter, tuple[Movement, ...]]:
    match kind:
        case "contribute":
            return contribute(found, amount)
        case "share":
            return award_share(found, share, ANN)
        case "fixed":
            return award_fixed(found, amount, ANN)
        case "reverse":
            after, taken = contribute(found, amount)
            again, back = reverse_contribution(after, taken, "void")
            assert again == found
            return again, (*taken, *back)
        case "adjust":
            by = min(amount, found.showing)
            return adjust(found, -units(by), reason="count", first="Ann", second="Ben")
    return reseed(found)


@given(all_terms, st.lists(steps, max_size=12))
def test_movements_account_for_every_change_of_value_and_reserve(
    terms: MeterTerms, chosen: list[tuple[str, Cents, Fraction]]
) -> None:
    found, moved = opened(terms)
    balance = {terms.account: 0, terms.reserve_account: 0}
    for kind, amount, share in [("", Cents(0), WHOLE), *chosen]:
        before = found
        if kind:
            found, moved = _step(found, kind, amount, share)
        for movement in moved:
            for account, sign in ((movement.to, 1), (movement.source, -1)):
                if account in balance:
                    balance[account] += sign * movement.units
        assert balance == {terms.account: found.value, terms.reserve_account: found.reserve}
        if kind == "share" and share < 1:
            assert sum(m.units for m in moved if m.to == ANN) <= before.value


@given(all_terms, amounts)
def test_a_contribution_never_lifts_a_meter_above_its_limit(terms: MeterTerms, wager: Cents) -> None:
    before, _ = opened(terms)
    after, moved = contribute(before, wager)
    if terms.limit is not None:
        assert after.value <= max(before.value, units(terms.limit))
    assert sum(m.units for m in moved) <= units(wager)
