"""Every irregularity in every phase, game and way of dealing, tried and held against the law's table."""

from __future__ import annotations

from itertools import product

import pytest
from _pytest.mark import ParameterSet

from houseway.law import all_clauses
from tests.rounds.law_tables.irregularities import (
    ACTS,
    CONSEQUENCES,
    GAMES,
    IMPOSSIBLE,
    PAGE,
    PHASES,
    TITLES,
    WAYS,
    Cell,
    cells,
    rendered,
    try_irregularity,
)

BEFORE_THE_CARDS = ("closed", "opening", "idle", "betting", "starting", "mid-deal")


def parameters() -> list[ParameterSet]:
    return [pytest.param(cell, id="-".join(cell.place).replace(" ", "-")) for cell in cells()]


@pytest.mark.parametrize("cell", parameters())
def test_the_table_does_with_an_irregularity_what_the_law_says(cell: Cell) -> None:
    outcome = try_irregularity(cell)
    assert outcome.consequence == cell.consequence
    if cell.consequence != IMPOSSIBLE:
        assert cell.clause in outcome.clauses


# --- the table itself ----------------------------------------------------------------------------


def test_every_cell_is_there_once_and_says_what_happens_by_which_clause_or_why_it_cannot() -> None:
    table = cells()
    assert [cell.place for cell in table] == list(product(TITLES, PHASES, GAMES, WAYS))
    law = all_clauses()
    for cell in table:
        assert cell.consequence in CONSEQUENCES
        assert cell.reason if cell.consequence == IMPOSSIBLE else cell.clause
        assert not cell.clause or cell.clause in law
        assert not cell.clause or cell.clause.startswith(cell.game.replace("-", ""))
    assert set(ACTS) == set(TITLES)


def test_every_consequence_comes_about_somewhere() -> None:
    assert {cell.consequence for cell in cells()} == set(CONSEQUENCES)


def test_the_page_of_irregularities_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == rendered(cells())
