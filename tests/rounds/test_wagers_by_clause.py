"""Which wagers a table takes: those that the submission offers, beside a main wager, within the limits."""

from __future__ import annotations

from typing import Final

import pytest

from houseway.law import Problem
from tests.games.support import NOTHING, Changes
from tests.rounds.california import Cardroom, on_schedule
from tests.rounds.known_rounds import wagers
from tests.rounds.table import TestTable, money, player

clause = pytest.mark.clause


def objections(table: TestTable, at: int, text: str) -> list[Problem]:
    """Return why wagers are refused; nothing if they are taken."""
    by = table.at(at) if isinstance(table, Cardroom) else player(at)
    return [one for one in table.problems("wager", by, at, wagers=money(**wagers(text))) if one.blocks]


def cited(problems: list[Problem]) -> set[str]:
    """Return the clauses that problems rest on."""
    return {law for problem in problems for law in problem.clauses}


# --- only what is offered -----------------------------------------------------------------------------


INSURANCE_ONLY: Final[Changes] = dict.fromkeys(
    ("wagers.fortune", "wagers.progressive", "progressive"), NOTHING
)
OFFERS: Final = [
    # the law, what the submission leaves out, the wagers, and whether they are taken
    ("pa575.7.e.s1", {}, "main $10, bonus $5", True),
    ("pa575.7.e.s1", {}, "bonus $5", False),
    ("pa575.7.e.s1", {"wagers.bonus": NOTHING}, "main $10, bonus $5", False),
    ("pa659a.7.e", INSURANCE_ONLY, "main $10, insurance $5", True),
    ("pa659a.7.e", INSURANCE_ONLY, "main $10, fortune $5", False),
    ("pa659a.7.e", INSURANCE_ONLY, "main $10, progressive $1", False),
    ("pa659a.7.e", INSURANCE_ONLY, "insurance $5", False),
    ("pa670a.7.e.s1", {}, "main $10, insurance $5", True),
    ("pa670a.7.e.s1", {}, "insurance $5", False),
    ("pa670a.7.e.s1", {"wagers.insurance": NOTHING}, "main $10, insurance $5", False),
    ("wa.fap.insurance.available", {}, "main $10, insurance $5", True),
    ("wa.fap.insurance.available", {"wagers.insurance": NOTHING}, "main $10, insurance $5", False),
]
GAMES = {"pa575": "pa-575", "pa659a": "pa-659a", "pa670a": "pa-670a", "wa": "wa-fap"}


@pytest.mark.parametrize(
    ("law", "cases"),
    [
        pytest.param(law, [row[1:] for row in OFFERS if row[0] == law], marks=clause(law), id=law)
        for law in dict.fromkeys(row[0] for row in OFFERS)
    ],
)
def test_an_optional_wager_is_taken_only_where_it_is_offered_and_beside_a_main_wager(
    law: str, cases: list[tuple[Changes, str, bool]]
) -> None:
    for changes, text, taken in cases:
        table = TestTable(GAMES[law.split(".", maxsplit=1)[0]], changes).opened().seat((2,))
        found = objections(table, 2, text)
        assert (not found) if taken else (law in cited(found)), (changes, text)


# --- California: within the table's limits, and of any size to each other -----------------------------


ANY_SIZE: Final = ["main $10, fortune $100", "main $100, fortune $10", "main $50, fortune $50"]
SIZES: Final[list[tuple[str, int, list[str], list[str]]]] = [
    # the law, the schedule, wagers that are taken, and wagers that are refused by it
    ("ca.fpgp.collect.s1_32.bonus_any_size", 17, ANY_SIZE, []),
    ("ca.fpgp.collect.s33_36.bonus_any_size", 34, ANY_SIZE, []),
    ("ca.fpgp.collect.s37_43.bonus_any_size", 40, ANY_SIZE, []),
    (
        "ca.fpgp.collect.s1_32.bonus_in_limits",
        27,
        ["main $100, fortune $100", "main $100, fortune $101", "main $100, fortune $2000"],
        ["main $100, fortune $50", "main $100, fortune $99"],
    ),
    (
        "ca.fpgp.collect.s33_36.bonus_in_limits",
        33,
        ["main $10, fortune $10", "main $10, fortune $11"],
        ["main $10, fortune $5", "main $10, fortune $9"],
    ),
    (
        "ca.fpgp.collect.s37_43.bonus_in_limits",
        37,
        ["main $10, fortune $10", "main $10, fortune $200"],
        ["main $10, fortune $9", "main $10, fortune $201"],
    ),
    (
        "ca.fpgp.collect.s1_32.table_limit",
        22,
        ["main $25", "main $26", "main $1000, fortune $1000"],
        ["main $24", "main $1001"],
    ),
    ("ca.fpgp.collect.s33_36.table_limit", 34, ["main $10", "main $11"], ["main $9", "main $2001"]),
    ("ca.fpgp.collect.s37_43.table_limit", 37, ["main $10", "main $200"], ["main $9", "main $201"]),
]


@pytest.mark.parametrize(
    ("law", "number", "taken", "refused"),
    [pytest.param(*row, marks=clause(row[0]), id=row[0]) for row in SIZES],
)
def test_california_wagers_lie_within_the_limits_of_the_schedule_and_the_bonus_may_be_of_any_size(
    law: str, number: int, taken: list[str], refused: list[str]
) -> None:
    room = Cardroom(on_schedule(number)).banks(6, "$10,000")
    assert not any(objections(room, 2, text) for text in taken)
    assert all(law in cited(objections(room, 2, text)) for text in refused)
