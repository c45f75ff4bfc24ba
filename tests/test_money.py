"""Whole cents, and odds that are exact."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.errors import InvalidInputError
from houseway.money import Basis, Cents, InexactPaymentError, MoneyError, Odds, cents, dollars

any_time = settings(deadline=None)
amounts = st.integers().map(Cents)
stakes = st.integers(0, 10**9).map(Cents)
figures = st.integers(1, 10**6)


@st.composite
def stake_odds(draw: st.DrawFn) -> Odds:
    """Draw odds that are paid on the stake."""
    figure = f"{draw(figures):,} {draw(st.sampled_from(['to', 'for']))} {draw(figures | st.just(1)):,}"
    return Odds.parse(draw(st.sampled_from([figure, "push", "lose"])))


# Amounts


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("5", 500),
        ("$5", 500),
        ("$5.5", 550),
        ("$5.05", 505),
        ("0.01", 1),
        ("$0", 0),
        ("$1,000.50", 100050),
        ("$1000.50", 100050),
        ("1,234,567", 123456700),
        ("-0.25", -25),
        ("-$1,000", -100000),
        ("  $5 ", 500),
    ],
)
def test_an_amount_is_dollars_with_or_without_sign_commas_and_cents(text: str, amount: int) -> None:
    assert cents(text) == amount


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "$0"),
        (1, "$0.01"),
        (10, "$0.10"),
        (500, "$5"),
        (505, "$5.05"),
        (100050, "$1,000.50"),
        (-25, "-$0.25"),
        (-100000, "-$1,000"),
    ],
)
def test_an_amount_is_written_with_cents_only_where_it_has_some(amount: int, text: str) -> None:
    assert dollars(amount) == text


def test_an_amount_is_an_int_whose_type_says_what_it_counts() -> None:
    assert issubclass(Cents, int)
    assert type(cents("$5")) is Cents
    assert (Cents(500), hash(Cents(500)), repr(Cents(500)), str(Cents(500))) == (500, hash(500), "500", "500")
    assert not isinstance(500, Cents)
    with pytest.raises(AttributeError):
        Cents(500).currency = "USD"  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["1 to 1", "3 to 2", "500 for 1", "push", "lose"])
def test_what_odds_pay_is_an_amount(text: str) -> None:
    odds = Odds.parse(text)
    assert type(odds.returned(Cents(500))) is type(odds.won(Cents(500))) is Cents


@any_time
@given(amount=amounts)
def test_every_amount_is_read_back_as_it_is_written(amount: Cents) -> None:
    text = dollars(amount)
    assert cents(text) == cents(text.replace("$", "")) == cents(text.replace(",", "")) == amount


@pytest.mark.parametrize(
    "text",
    [
        "",
        "$",
        "-",
        "five",
        "$5.005",
        "5.",
        ".50",
        "$1,00",
        "$1,0000",
        "1,",
        ",100",
        "1 000",
        "$ 5",
        "$-5",
        "--5",
        "+5",
        "5$",
        "5e2",
        "5.5.5",
        "€5",
        "5 dollars",
        "٥",
        "$٥",
        "$5.٥",
        "1,٠٠٠",
        "５",
    ],
)
def test_what_is_no_amount_is_refused_by_name(text: str) -> None:
    with pytest.raises(MoneyError) as refusal:
        cents(text)
    assert str(refusal.value) == f"not an amount of dollars and cents: {text!r}"


# Reading odds


@pytest.mark.parametrize(
    ("text", "basis", "ratio", "written"),
    [
        ("25 to 1", Basis.TO, Fraction(25), "25 to 1"),
        ("3 to 2", Basis.TO, Fraction(3, 2), "3 to 2"),
        ("500 for 1", Basis.FOR, Fraction(500), "500 for 1"),
        ("8000 to 1", Basis.TO, Fraction(8000), "8,000 to 1"),
        ("8,000 to 1", Basis.TO, Fraction(8000), "8,000 to 1"),
        (" 1 to 1 ", Basis.TO, Fraction(1), "1 to 1"),
        ("10% of meter", Basis.METER, Fraction(1, 10), "10% of meter"),
        ("0.5% of meter", Basis.METER, Fraction(1, 200), "0.5% of meter"),
        ("100% of meter", Basis.METER, Fraction(1), "100% of meter"),
        ("push", Basis.PUSH, Fraction(0), "push"),
        ("lose", Basis.LOSE, Fraction(0), "lose"),
    ],
)
def test_odds_are_read_as_a_layout_prints_them(
    text: str, basis: Basis, ratio: Fraction, written: str
) -> None:
    odds = Odds.parse(text)
    assert (odds.basis, odds.ratio, str(odds)) == (basis, ratio, written)


@any_time
@given(odds=stake_odds())
def test_every_odds_on_the_stake_are_read_back_as_they_are_written(odds: Odds) -> None:
    assert Odds.parse(str(odds)) == odds


@any_time
@given(share=st.decimals("0.01", "100", places=2))
def test_every_share_of_the_meter_is_read_back_as_it_is_written(share: object) -> None:
    odds = Odds.parse(f"{share}% of meter")
    assert Odds.parse(str(odds)) == odds
    assert odds.ratio == Fraction(str(share)) / 100


@pytest.mark.parametrize(
    "text",
    [
        "",
        "25",
        "25 to",
        "to 1",
        "25 1",
        "0 to 1",
        "1 to 0",
        "0 for 1",
        "-5 to 1",
        "5 to -1",
        "2.5 to 1",
        "25to1",
        "25  to  1",
        "25 TO 1",
        "25 at 1",
        "25 to 1 to 1",
        "25:1",
        "five to 1",
        "10%",
        "10% of pot",
        "of meter",
        "-10% of meter",
        "Push",
        "win",
        ", to 1",
        "1, to 1",
        ",1 to 1",
        "1,,0 to 1",
        "2,5 to 1",
        "1,00 to 1",
        "1,0000 to 1",
        "1000,000 to 1",
        "1 to ,",
        "1 to 2,5",
        ", for 1",
        "٢ to 1",
        "2 to ١",
        "1٠% of meter",
        "puſh",
        "loſe",
    ],
)
def test_what_is_no_odds_is_refused_by_name(text: str) -> None:
    with pytest.raises(MoneyError) as refusal:
        Odds.parse(text)
    assert str(refusal.value).startswith("not odds such as")
    assert refusal.value.value == text


@pytest.mark.parametrize("text", ["0% of meter", "0.0% of meter", "100.01% of meter", "101% of meter"])
def test_a_share_of_nothing_or_of_more_than_the_meter_is_refused_by_name(text: str) -> None:
    with pytest.raises(MoneyError, match="more than 0% and at most 100%") as refusal:
        Odds.parse(text)
    assert refusal.value.value == text


# Paying


@pytest.mark.parametrize(
    ("odds", "stake", "returned", "won"),
    [
        ("1 to 1", "$5", "$10", "$5"),
        ("25 to 1", "$5", "$130", "$125"),
        ("3 to 2", "$5", "$12.50", "$7.50"),
        ("1 for 1", "$5", "$5", "$0"),
        ("500 for 1", "$1", "$500", "$499"),
        ("1 for 2", "$5", "$2.50", "-$2.50"),
        ("push", "$5", "$5", "$0"),
        ("lose", "$5", "$0", "-$5"),
        ("25 to 1", "$0", "$0", "$0"),
    ],
)
def test_to_leaves_the_stake_out_and_for_has_it_in(odds: str, stake: str, returned: str, won: str) -> None:
    assert Odds.parse(odds).returned(cents(stake)) == cents(returned)
    assert Odds.parse(odds).won(cents(stake)) == cents(won)


@any_time
@given(n=figures, stake=stakes)
def test_n_to_1_returns_the_stake_and_n_times_the_stake(n: int, stake: Cents) -> None:
    assert Odds.parse(f"{n} to 1").returned(stake) == stake * (n + 1)


@any_time
@given(n=figures, stake=stakes)
def test_n_for_1_returns_n_times_the_stake_and_no_more(n: int, stake: Cents) -> None:
    assert Odds.parse(f"{n} for 1").returned(stake) == stake * n


@any_time
@given(n=figures, stake=stakes)
def test_n_to_1_pays_what_n_plus_1_for_1_pays(n: int, stake: Cents) -> None:
    assert Odds.parse(f"{n} to 1").returned(stake) == Odds.parse(f"{n + 1} for 1").returned(stake)


@any_time
@given(stake=stakes)
def test_a_push_returns_the_stake_and_a_loss_nothing(stake: Cents) -> None:
    push, lose = Odds.parse("push"), Odds.parse("lose")
    assert (push.returned(stake), push.won(stake)) == (stake, 0)
    assert (lose.returned(stake), lose.won(stake)) == (0, -stake)


@any_time
@given(odds=stake_odds(), stake=stakes)
def test_what_is_won_is_what_is_returned_less_the_stake_or_nothing_is_paid_at_all(
    odds: Odds, stake: Cents
) -> None:
    back = odds.basis in (Basis.TO, Basis.PUSH)
    exact = stake * odds.ratio + back * stake
    if exact.denominator == 1:
        assert odds.returned(stake) == exact
        assert odds.won(stake) == odds.returned(stake) - stake
    else:
        with pytest.raises(InexactPaymentError):
            odds.returned(stake)


@pytest.mark.parametrize(
    ("odds", "stake"), [("3 to 2", "$0.01"), ("3 to 2", "$5.01"), ("1 to 20", "$0.19"), ("1 for 3", "$1")]
)
def test_a_payment_of_part_of_a_cent_is_refused_with_the_odds_and_the_stake(odds: str, stake: str) -> None:
    for pay in (Odds.parse(odds).returned, Odds.parse(odds).won):
        with pytest.raises(InexactPaymentError) as refusal:
            pay(cents(stake))
        assert str(refusal.value) == f"{odds} needs part of a cent on this stake: {stake!r}"


def test_odds_of_3_to_2_are_paid_where_no_cent_is_broken() -> None:
    assert Odds.parse("3 to 2").returned(Cents(2)) == 5


# The meter


@pytest.mark.parametrize(
    ("odds", "meter", "share"),
    [
        ("100% of meter", 290_000, Fraction(290_000)),
        ("10% of meter", 290_000, Fraction(29_000)),
        ("10% of meter", 1, Fraction(1, 10)),
        ("0.5% of meter", 333, Fraction(333, 200)),
    ],
)
def test_a_share_of_the_meter_is_exact_and_rounded_by_nobody(odds: str, meter: int, share: Fraction) -> None:
    assert Odds.parse(odds).share(meter) == share


def test_a_share_of_the_meter_is_not_paid_on_the_stake() -> None:
    for pay in (Odds.parse("10% of meter").returned, Odds.parse("10% of meter").won):
        with pytest.raises(MoneyError, match="does not depend on the stake: '10% of meter'"):
            pay(Cents(500))


@pytest.mark.parametrize("text", ["25 to 1", "500 for 1", "push", "lose"])
def test_odds_on_the_stake_are_no_share_of_the_meter(text: str) -> None:
    with pytest.raises(MoneyError, match=f"these odds are paid on the stake: '{text}'"):
        Odds.parse(text).share(100)


def test_every_refusal_of_money_is_one_of_input_that_means_nothing() -> None:
    assert issubclass(MoneyError, InvalidInputError)
    assert issubclass(InexactPaymentError, InvalidInputError)
