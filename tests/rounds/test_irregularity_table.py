"""Every irregularity in every phase, game and way of dealing, tried and held against the law's table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pytest
from _pytest.mark import ParameterSet

from houseway.law import all_clauses
from tests.rounds.irregular_acts import ACTS, tried
from tests.rounds.irregularity_table import (
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
)

BEFORE_THE_CARDS = ("closed", "opening", "idle", "betting", "starting", "mid-deal")


@dataclass(frozen=True)
class Fault:
    """Cells in which the table does otherwise than the law."""

    why: str
    irregularity: str
    phases: tuple[str, ...]
    games: tuple[str, ...] = tuple(GAMES)
    ways: tuple[str, ...] = tuple(WAYS)

    def holds(self, cell: Cell) -> bool:
        """Whether a cell is one of them."""
        here = cell.phase in self.phases and cell.game in self.games and cell.way in self.ways
        return here and cell.irregularity == self.irregularity


SHOE_670A = ("pa-670a",), ("automated_shoe",)
FACE_UP = "a card face up in the shoe's first stack is set aside as if the shoe were not dealing"
FAULTS = (
    Fault(
        "a card is reported exposed at a position whose stack is in the discard rack",
        "empty_position_card_exposed",
        ("setting", "dealer"),
    ),
    Fault(FACE_UP, "one_card_face_up", ("starting",), *SHOE_670A),
    Fault(FACE_UP, "two_cards_face_up", ("starting",), *SHOE_670A),
    Fault("a failure of the shuffler cannot be reported at an idle table", "shuffler_fault", ("idle",)),
    Fault("a setting for a dealer without cards is no refusal", "dealer_set_wrongly", BEFORE_THE_CARDS),
)


def parameters() -> list[ParameterSet]:
    found = []
    for cell in cells():
        why = [fault.why for fault in FAULTS if fault.holds(cell)]
        marks = [pytest.mark.xfail(reason=f"defect: {why[0]}", strict=True)] if why else []
        found.append(pytest.param(cell, id="-".join(cell.place).replace(" ", "-"), marks=marks))
    return found


@pytest.mark.parametrize("cell", parameters())
def test_the_table_does_with_an_irregularity_what_the_law_says(cell: Cell) -> None:
    outcome = tried(cell)
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


@pytest.mark.skipif(not PAGE.exists(), reason="the page is not generated")
def test_the_page_of_irregularities_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == rendered(cells())
