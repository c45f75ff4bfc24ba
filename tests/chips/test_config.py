"""Chips and thresholds as documents: cited, dated, and refused where they contradict themselves."""

from __future__ import annotations

import pytest

from houseway.chips import read_config, standard_config
from houseway.chips.actions import CHIP_ACTIONS
from houseway.chips.decisions import CHIP_STEPS
from houseway.chips.rights import DUTY_ROLES, SECOND_ROLES
from houseway.errors import DataError, InvalidInputError

CHIP = '[[chip]]\nvalue = "$5"\ncolour = "red"\nsource = "a law"\n'
ROW = """[[threshold]]
id = "a"
report = "a report"
counts = "cash_in"
per = "transaction"
from = 2020-01-01
source = "a law"
"""


def test_every_chip_and_threshold_names_its_source() -> None:
    config = standard_config()
    assert all(one.source for one in config.chips) and all(one.source for one in config.thresholds)
    assert {int(one.value): one.colour for one in config.chips}[2500] == "green"


def test_everything_done_with_chips_has_a_step_and_a_duty() -> None:
    names = {action.__struct_config__.tag for action in CHIP_ACTIONS}
    assert set(CHIP_STEPS) == set(CHIP_ACTIONS)
    assert names == set(DUTY_ROLES) and set(SECOND_ROLES) <= names


@pytest.mark.parametrize(
    ("chips", "thresholds", "said"),
    [
        ("", "", "chip"),
        (CHIP + CHIP, "", "each chip is named once"),
        (CHIP.replace("$5", "$0"), "", "a value, a colour and a source"),
        (CHIP.replace("$5", "five"), "", "not an amount"),
        (CHIP.replace("a law", " "), "", "a source"),
        (CHIP + "shape = 'round'\n", "", "unknown field"),
        (CHIP + "[day]\nrolls_at = 24\n", "", "from 0 to 23"),
        (CHIP + "[day]\nzone = 'Nowhere/City'\n", "", "no such time zone"),
        ("[[chip", "", "chips"),
        (CHIP, ROW, "either more than an amount or at least one"),
        (CHIP, ROW + 'at_least = "$1"\nmore_than = "$1"\n', "either more than an amount or at least one"),
        (CHIP, ROW.replace("a law", "") + 'at_least = "$1"\n', "names its source"),
        (CHIP, ROW + 'at_least = "$1"\nuntil = 2020-01-01\n', "ends after it begins"),
        (CHIP, (ROW + 'at_least = "$1"\n') * 2, "two rows hold on one day"),
        (CHIP, ROW.replace("cash_in", "cheques") + 'at_least = "$1"\n', "cheques"),
    ],
)
def test_a_document_that_contradicts_itself_is_refused(chips: str, thresholds: str, said: str) -> None:
    with pytest.raises((DataError, InvalidInputError), match=said):
        read_config(chips, thresholds)


def test_an_operator_has_chips_and_hours_of_their_own() -> None:
    config = read_config(CHIP + "[day]\nzone = 'America/Los_Angeles'\nrolls_at = 4\n")
    assert config.denominations == {500} and config.day.rolls_at == 4 and not config.thresholds


@pytest.mark.parametrize(("hour", "allowed"), [(-1, False), (0, True), (1, True), (23, True), (24, False)])
def test_a_gaming_day_begins_at_an_hour_of_the_day(hour: int, allowed: bool) -> None:
    document = f"{CHIP}[day]\nrolls_at = {hour}\n"
    if allowed:
        assert read_config(document).day.rolls_at == hour
    else:
        with pytest.raises(DataError, match="from 0 to 23"):
            read_config(document)


def test_an_operator_who_says_nothing_of_the_day_has_it_begin_at_six() -> None:
    assert read_config(CHIP).day.rolls_at == standard_config().day.rolls_at == 6
    assert read_config(f"{CHIP}[day]\nzone = 'UTC'\n").day.rolls_at == 6


@pytest.mark.parametrize(
    ("value", "allowed"), [("-$0.01", False), ("$0", False), ("$0.01", True), ("$1", True)]
)
def test_a_chip_is_worth_a_cent_at_least(value: str, allowed: bool) -> None:
    document = CHIP.replace("$5", value)
    if allowed:
        assert len(read_config(document).chips) == 1
    else:
        with pytest.raises((DataError, InvalidInputError)):
            read_config(document)


@pytest.mark.parametrize("name", ["value", "colour", "source"])
def test_a_chip_without_one_of_its_words_is_refused(name: str) -> None:
    lines = [line for line in CHIP.splitlines() if not line.startswith(name)]
    with pytest.raises(DataError):
        read_config("\n".join(lines))
    blank = {"value": "$0", "colour": " ", "source": " "}[name]
    with pytest.raises(DataError, match="a value, a colour and a source"):
        read_config("\n".join([*lines, f'{name} = "{blank}"']))


def rows(*spans: tuple[str, str, str]) -> str:
    """Return rows of thresholds by id, first day and first day no more."""
    texts = []
    for name, since, until in spans:
        row = ROW.replace('"a"', f'"{name}"').replace("2020-01-01", since) + 'at_least = "$1"\n'
        texts.append(row + (f"until = {until}\n" if until else ""))
    return "".join(texts)


@pytest.mark.parametrize(
    ("spans", "allowed"),
    [
        ([("a", "2020-01-01", "2020-01-02")], True),
        ([("a", "2020-01-01", "2020-01-01")], False),
        ([("a", "2020-01-01", "2019-12-31")], False),
        ([("a", "2020-01-01", "2021-01-01"), ("a", "2021-01-01", "")], True),
        ([("a", "2020-01-01", "2021-01-02"), ("a", "2021-01-01", "")], False),
        ([("a", "2021-01-01", ""), ("a", "2020-01-01", "2021-01-02")], False),
        ([("a", "2020-01-01", "2021-01-01"), ("a", "2021-01-02", "")], True),
        ([("a", "2020-01-01", ""), ("b", "2020-01-01", "")], True),
    ],
)
def test_rows_of_one_name_follow_one_another(spans: list[tuple[str, str, str]], allowed: bool) -> None:
    if allowed:
        assert len(read_config(CHIP, rows(*spans)).thresholds) == len(spans)
    else:
        with pytest.raises(DataError):
            read_config(CHIP, rows(*spans))


@pytest.mark.parametrize("value", ["5", "true", "[5]"])
def test_an_amount_is_written_as_one(value: str) -> None:
    with pytest.raises(DataError):
        read_config(CHIP.replace('"$5"', value).replace("red", "red") + "", ROW + f"at_least = {value}\n")
