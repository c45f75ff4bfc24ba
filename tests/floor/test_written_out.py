"""A log written out, and the books of chips: every row compared with the entries that it is of."""

from __future__ import annotations

import csv
import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from houseway.chips.actions import (
    ApproveCredit,
    ApproveFill,
    BuyIn,
    CashOut,
    CloseShift,
    ColourUp,
    CountCloser,
    CountOpener,
    ReceiveFill,
    RequestCredit,
    RequestFill,
    SendCredit,
)
from houseway.errors import IllegalError
from houseway.floor import shared_meters
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.export import COLUMNS, exact_dollars, export_lines, export_values
from houseway.floor.meter_events import MeterAdjusted, MeterTurn
from houseway.floor.readmodels import ReadModels, days_of_tables, history
from houseway.floor.readmodels.search import find_rounds, steps_in_rounds
from houseway.floor.setup_events import MeterOpened
from houseway.games import example_submission
from houseway.ledger import AccountKind, units
from houseway.money import Cents
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import Turn, ends_round
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.settlement import Payment, meter_terms
from houseway.store.memory import MemoryStore
from tests.chips.support import AMY, DEB, FLOAT
from tests.floor.support import EVA, FLO, MAX, make_table, new_floor, play, two_tables
from tests.floor.test_chips import done

DAY, SECOND = date(2026, 1, 4), timedelta(seconds=1)
ANN = Actor("Ann", Role.PLAYER)


@pytest.fixture(scope="module")
def floor() -> Floor:
    """A floor that has played two rounds at one table and one at another, its meter adjusted between."""
    made = two_tables(new_floor(MemoryStore()))
    play(made, "t1", 1)
    terms = meter_terms(made.table("t1").rules, "link")
    made.on_meter("link", lambda m, at: shared_meters.adjust_meter(m, terms, MAX, EVA, units(5), "audit", at))
    play(made, "t2", 1)
    play(made, "t1", 1)
    return made


def entries(floor: Floor) -> list[Any]:
    return [entry for _, entry in floor.store.everything()]


def test_every_entry_is_a_line_and_is_counted(floor: Floor, tmp_path: Path) -> None:
    steps: list[None] = []
    with floor.store.picture() as picture:
        count = export_lines(picture, tmp_path, lambda: steps.append(None))
    lines = [json.loads(line) for line in (tmp_path / "entries.jsonl").read_text().splitlines()]
    every = entries(floor)
    assert count == len(lines) == len(every) == len(steps)
    assert [line["number"] for line in lines] == list(range(1, count + 1))
    assert [(line["stream"], line["version"]) for line in lines] == [(e.stream, e.version) for e in every]
    with floor.store.picture() as picture, pytest.raises(IllegalError, match="of this name already"):
        export_lines(picture, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["entries.jsonl"]


def test_an_empty_log_is_written_out_as_nothing(tmp_path: Path) -> None:
    with MemoryStore().picture() as picture:
        assert export_lines(picture, tmp_path) == 0
        assert export_values(picture, tmp_path) == 0
    assert (tmp_path / "entries.jsonl").read_bytes() == b""


def rows_of(floor: Floor, folder: Path) -> dict[str, list[dict[str, str]]]:
    with floor.store.picture() as picture:
        assert export_values(picture, folder) == len(entries(floor))
    return {
        name: list(csv.DictReader((folder / name).open(encoding="utf-8", newline=""))) for name in COLUMNS
    }


def net(moved: Any, kind: AccountKind) -> int:
    return sum(one.units * ((one.to.kind is kind) - (one.source.kind is kind)) for one in moved)


def test_a_row_of_a_round_is_what_its_entries_say(floor: Floor, tmp_path: Path) -> None:
    expected: list[dict[str, str]] = []
    first: dict[str, Any] = {}
    for entry in entries(floor):
        body = read_body(entry)
        if not isinstance(body, Turn):
            continue
        table = entry.stream.removeprefix("table/")
        known = first.setdefault(
            table, {"version": entry.version, "at": body.at, "stakes": [], "moved": [], "commands": 0}
        )
        known["commands"] += 1
        for event in body.events:
            if isinstance(event.outcome, Moves):
                known["stakes"] += event.outcome.stakes
                known["moved"] += (*event.outcome.stakes, *event.outcome.payments)
            if ends_round(event):
                expected.append(
                    {
                        "table": table,
                        "round": str(event.round),
                        "began": str(known["at"]),
                        "ended": str(event.at),
                        "ended_by": event.step,
                        "commands": str(known["commands"]),
                        "first_version": str(known["version"]),
                        "last_version": str(entry.version),
                        "wagered": exact_dollars(net(known["stakes"], AccountKind.PENDING)),
                        "net_to_players": exact_dollars(net(known["moved"], AccountKind.PLAYER)),
                    }
                )
                first[table] = {
                    "version": entry.version + 1,
                    "at": event.at,
                    "stakes": [],
                    "moved": [],
                    "commands": 0,
                }
    assert rows_of(floor, tmp_path)["rounds.csv"] == expected and len(expected) == 3


def test_a_row_of_a_payment_or_of_a_meter_is_what_its_entry_says(floor: Floor, tmp_path: Path) -> None:
    payments: list[tuple[str, ...]] = []
    moves: list[tuple[str, ...]] = []
    kind, where = "", ("", "", "")
    for entry in entries(floor):
        body = read_body(entry)
        if isinstance(body, Turn):
            for event in body.events:
                outcome = event.outcome
                paid: tuple[Payment, ...] = ()
                if isinstance(outcome, Moves):
                    paid = (*outcome.stakes, *outcome.payments)
                for one in paid:
                    place = (entry.stream[6:], entry.version, event.round, event.seq, event.at, event.step)
                    what = (one.position, one.person, one.wager, one.kind, exact_dollars(one.units))
                    why = (one.source, one.to, one.reason, " ".join(one.clauses))
                    payments.append(tuple(map(str, (*place, *what, *why))))
        if isinstance(body, MeterOpened):
            held = (exact_dollars(body.state.value), exact_dollars(body.state.reserve))
            moves.append((body.meter, "0", str(body.at), "opened", str(body.by), *[""] * 7, *held))
        if isinstance(body, MeterTurn | MeterAdjusted):
            held = (exact_dollars(body.after.value), exact_dollars(body.after.reserve))
            kind, where = "adjusted", ("", "", "")
            if isinstance(body, MeterTurn):
                kind, where = "moved", (body.table, str(body.round), str(body.seq))
            for moved in body.moved:
                told = (exact_dollars(moved.units), moved.source, moved.to, moved.reason)
                at = (body.meter, entry.version, body.at, kind, body.by)
                moves.append(tuple(map(str, (*at, *where, *told, *held))))
    rows = rows_of(floor, tmp_path)
    assert [tuple(row.values()) for row in rows["payments.csv"]] == payments and payments
    assert [tuple(row.values()) for row in rows["meters.csv"]] == moves
    assert [row["kind"] for row in rows["meters.csv"]].count("adjusted") == 1


# --- rounds found by what was done in them ------------------------------------------------------------


def test_rounds_are_found_from_a_moment_on_and_before_another(floor: Floor) -> None:
    models = ReadModels(floor.store)
    models.catch_up()
    assert models.behind() == [] and models.parked_entries() == []
    with models.connect() as connection:
        every, _ = find_rounds(connection)
        ended = every[0].ended
        assert {one.ended for one in every} == {ended} and len(every) == 3
        assert len(find_rounds(connection, since=ended)[0]) == 3
        assert find_rounds(connection, until=ended)[0] == []
        assert len(find_rounds(connection, until=ended + SECOND)[0]) == 3
        assert find_rounds(connection, since=ended + SECOND)[0] == []
        for person, count in (("Ann", 3), ("Dan", 3), ("Nobody", 0)):
            own, after = history(connection, person)
            assert (len(own), after) == (count, None)
            assert len(history(connection, person, limit=2)[0]) == min(2, count)
        for limit, count in ((1, 1), (2, 2), (3, 3), (4, 3)):
            found, cursor = find_rounds(connection, limit=limit)
            assert len(found) == count and (cursor is not None) is (limit < 3)
        steps = steps_in_rounds(connection, ["deal", "log_on"], ended, ended)
        assert sorted((one.step, one.table, one.round) for one in steps) == [
            ("deal", "t1", 1),
            ("deal", "t1", 2),
            ("deal", "t2", 1),
            ("log_on", "t1", 1),
            ("log_on", "t2", 1),
        ]


# --- the books of chips -------------------------------------------------------------------------------


def test_what_is_done_with_chips_is_booked_on_its_day() -> None:
    floor = new_floor(MemoryStore())
    for table in ("t1", "t2"):
        make_table(floor, table, example_submission("pa-659a"), chips=True)

    def booked() -> dict[str, int]:
        models = ReadModels(floor.store)
        models.catch_up()
        with models.connect() as connection:
            days = days_of_tables(connection, DAY, DAY, "t1")
        return {
            name: value for day in days for name, value in day.items() if isinstance(value, int) and value
        }

    book: dict[str, int] = {}

    def expect(**more: int) -> None:
        for name, amount in more.items():
            book[name] = book.get(name, 0) + units(amount)
        assert booked() == {name: amount for name, amount in book.items() if amount}

    done(floor, DEB, CountOpener(FLOAT), FLO)
    expect()
    done(floor, ANN, BuyIn("Ann", Cents(300_00)))
    expect(dropped=300_00)
    done(floor, ANN, ColourUp("Ann", {500: 5}, {2500: 1}))
    expect()
    done(floor, ANN, CashOut("Ann", Cents(20_00)))
    expect(cashed=20_00)
    done(floor, FLO, RequestFill({500: 2, 100: 3}))
    done(floor, EVA, ApproveFill("F-0001"))
    expect()
    done(floor, DEB, ReceiveFill("F-0001", {500: 2, 100: 3}))
    expect(filled=13_00)
    done(floor, FLO, RequestCredit({2500: 2}))
    done(floor, AMY, ApproveCredit("C-0001"))
    done(floor, DEB, SendCredit("C-0001", {2500: 2}))
    expect(credited=50_00)
    left = floor.table("t1").tray.value
    done(floor, DEB, CountCloser({100: left // 100 - 2}, "short"), FLO)
    expect(variance=-2_00)
    done(floor, FLO, CloseShift())
    done(floor, DEB, CountOpener({100: left // 100 + 1}, "over"), FLO)
    expect(variance=3_00)
