"""A player's own records are theirs: every round of theirs, and nothing of anybody else."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import msgspec
import pytest
from sqlalchemy import Connection, insert

from houseway.errors import IllegalError, UnknownNameError
from houseway.floor.export import exact_dollars
from houseway.floor.readmodels import ReadModels, Rounds, history
from houseway.floor.readmodels.sql_tables import ROUND_PEOPLE, ROUNDS
from houseway.games import example_submission
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service import history_export
from houseway.service.history_export import COLUMNS, HistoryFormat, export_history
from houseway.service.people import check_own_history
from houseway.store.memory import MemoryStore
from tests.floor.support import make_table, new_floor, play, seat_two
from tests.service.crowd import ADA, ANN, MAX, NOON, everybody


@pytest.fixture(scope="module")
def models() -> ReadModels:
    floor = new_floor(MemoryStore(), "history")
    make_table(floor, "t1", example_submission("pa-659a"))
    seat_two(floor, "t1")
    play(floor, "t1", 3)
    found = ReadModels(floor.store, [Rounds()])
    found.catch_up()
    return found


def both_ways(connection: Connection, person: str) -> tuple[list[dict[str, object]], list[dict[str, str]]]:
    lines = export_history(connection, person).splitlines()
    values = export_history(connection, person, HistoryFormat.VALUES).decode()
    return [msgspec.json.decode(line) for line in lines], list(
        csv.DictReader(io.StringIO(values, newline=""))
    )


def test_every_round_of_a_player_is_written_out_page_by_page(
    models: ReadModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_export, "_PAGE", 2)
    with models.connect() as connection:
        lines, values = both_ways(connection, "Ann")
        own, _ = history(connection, "Ann")
    assert [row["round"] for row in lines] == [one.round.round for one in own] == [3, 2, 1]
    assert [row["net"] for row in lines] == [exact_dollars(one.net) for one in own]
    assert [{name: str(value) for name, value in row.items()} for row in lines] == [
        {**row, **{name: row[name].removeprefix("'") for name in COLUMNS[:8]}} for row in values
    ]
    for row in values:
        out = Fraction(row["wagered"]) + Fraction(row["put_up"]) + Fraction(row["fees"])
        assert Fraction(row["returned"]) - out == Fraction(row["net"])


def test_nothing_of_anybody_else_is_in_it(models: ReadModels) -> None:
    with models.connect() as connection:
        lines, values = both_ways(connection, "Ann")
        written = export_history(connection, "Ann") + export_history(connection, "Ann", HistoryFormat.VALUES)
    assert {tuple(row) for row in lines} == {tuple(row) for row in values} == {COLUMNS}
    for other in (b"Dan", b"dealer", b"house"):
        assert other not in written


def test_who_never_played_has_an_empty_history(models: ReadModels) -> None:
    with models.connect() as connection:
        assert both_ways(connection, "Nobody") == ([], [])


def test_a_spreadsheet_computes_nothing_of_it() -> None:
    models = ReadModels(MemoryStore(), [Rounds()])
    row: dict[str, object] = {"game": "x", "submission": "x", "dealer": "x", "began": NOON, "ended": NOON}
    row |= {"table_id": "=1+1", "round": 1, "ending": "void", "reason": "@SUM(A1)"}
    row |= {"first_version": 1, "last_version": 2}
    person = {"table_id": "=1+1", "round": 1, "person": "ann", "ended": NOON, "net": -50_000}
    with models.connect() as connection:
        connection.execute(insert(ROUNDS).values(row))
        connection.execute(insert(ROUND_PEOPLE).values(person))
        _, (value,) = both_ways(connection, "ann")
    assert (value["table"], value["reason"], value["net"]) == ("'=1+1", "'@SUM(A1)", "-0.05")


def test_a_history_is_for_the_player_whose_it_is_and_for_who_gives_it_to_them() -> None:
    for by in (ANN, ADA):
        check_own_history(everybody(), by, "ann")
    for other in (Actor("max", Role.PLAYER), MAX, Actor("ann", Role.DEALER), Actor("g", Role.GUEST)):
        with pytest.raises(IllegalError):
            check_own_history(everybody(), other, "ann")
    with pytest.raises(UnknownNameError):
        check_own_history(everybody(), ADA, "nobody")
