"""Chips and thresholds as documents: cited, dated, and refused where they contradict themselves."""

from __future__ import annotations

import pytest

from houseway.chips import read_config, standard_config
from houseway.chips.actions import CHIP_ACTIONS
from houseway.chips.deciding import CHIP_STEPS
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
