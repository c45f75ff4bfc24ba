"""Figures that the law prints, or that follow from its readings, met to the last digit."""

from __future__ import annotations

import json

import pytest

from houseway.cli import main

CLAUSES = {
    "pa659a.preamble.hold.insurance": "pa-659a",
    "pa659a.preamble.hold.progressive": "pa-659a",
    "pa659a.12.b.x.hold": "pa-659a",
    "pa575.12.b.x.hold": "pa-575",
    "pa670a.12.b.x.hold": "pa-670a",
    "pa670a.12.d.x.hold": "pa-670a",
}


def published(capsys: pytest.CaptureFixture[str], game: str) -> list[dict[str, str]]:
    """Return every figure of a game as the command line holds it against the counts."""
    with pytest.raises(SystemExit) as stop:
        main(["odds", game, "--published", "--json"])
    assert stop.value.code == 0
    rows: list[dict[str, str]] = json.loads(capsys.readouterr().out)["published"]
    return rows


@pytest.mark.parametrize(
    ("clause", "game"),
    [pytest.param(*row, marks=pytest.mark.clause(row[0]), id=row[0]) for row in CLAUSES.items()],
)
def test_the_published_figure_comes_out(capsys: pytest.CaptureFixture[str], clause: str, game: str) -> None:
    figures = [row for row in published(capsys, game) if row["clause"] == clause]
    assert figures and all(row["printed"] == row["counted"] for row in figures)


@pytest.mark.parametrize("game", sorted(set(CLAUSES.values())))
def test_each_clause_with_figures_is_shown(capsys: pytest.CaptureFixture[str], game: str) -> None:
    of_game = {clause for clause, other in CLAUSES.items() if other == game}
    assert {row["clause"] for row in published(capsys, game)} == of_game


def test_a_game_without_printed_figures_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["odds", "wa-fap", "--published"])
    assert stop.value.code == 2 and "no figures" in capsys.readouterr().err
