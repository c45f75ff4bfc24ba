"""What is done by hand shows in the read models: awards backed out, adjustments, void rounds."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from houseway.floor.bodies import write_body
from houseway.floor.readmodels import (
    ReadModels,
    RoundEnding,
    days_of_meters,
    days_of_tables,
    history,
    round_of,
)
from houseway.floor.setup_events import MeterOpened, TableMade
from houseway.floor.streams import SETUP
from houseway.money import Cents
from houseway.rounds.codec import StoredCommand
from houseway.rounds.record import Turn
from houseway.store.entries import EMPTY, next_entry
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch
from tests.floor.support import FLO, NOON
from tests.rounds.table import TestTable
from tests.rounds.washington import SAM, adjust, claim, jackpot, record

SAID = {"second": "Sue", "reason": "the joker was misread"}
WINNER, METER = "Cleo", "progressive"


def won() -> TestTable:
    """Return a table at which five aces have won the meter, the key being back at RUN."""
    floor = claim(jackpot())
    record(floor)
    floor.do("turn_key", SAM, to="RUN")
    floor.do("pay_jackpot", SAM, 4, reference="HP-1")
    return floor


def models_of(floor: TestTable) -> ReadModels:
    """Put everything that was done at a table into a log, and make the read models of it."""
    state, submission = floor.live.table, floor.rules.submission
    opened = TestTable("wa-fap", dealer=False).live.meters[METER]
    meter = MeterOpened(meter=METER, state=opened, submission="", by=FLO, at=NOON)
    made = TableMade(
        table=state.id,
        submission=submission,
        origin=state.source,
        meter=METER,
        automated=state.automated,
        by=FLO,
        at=NOON,
    )
    store = MemoryStore()
    first = next_entry(EMPTY, SETUP, "1", write_body(meter), b"")
    entries = [first, next_entry(first.head, SETUP, "2", write_body(made), b"")]
    head, stream = EMPTY, f"table/{state.id}"
    for event in floor.log:
        said = StoredCommand(event.by, event.action, f"c-{event.seq}")
        turn = Turn(at=event.at, command=said, events=(event,))
        entries.append(next_entry(head, stream, said.id, write_body(turn), b""))
        head = entries[-1].head
    store.append_batch(Batch(entries=entries))
    models = ReadModels(store)
    models.catch_up()
    return models


def books(models: ReadModels, floor: TestTable) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the books of the table and of its meter."""
    first, last = floor.log[0].at.date(), floor.log[-1].at.date()
    assert last - first < timedelta(days=1)
    with models.connect() as connection:
        (table,) = days_of_tables(connection, first, last)
        meters = days_of_meters(connection, min(first, NOON.date()), max(last, NOON.date()))
    return table, {
        name: sum(row[name] for row in meters) for name in meters[0] if name not in ("meter", "day")
    }


def net_of(models: ReadModels, person: str) -> int:
    with models.connect() as connection:
        (own,), _ = history(connection, person)
    return own.net


def test_an_award_that_was_paid_is_booked_as_such() -> None:
    floor = won().play_on(rounds=1)
    models = models_of(floor)
    table, meter = books(models, floor)
    held = floor.live.meters[METER]
    assert table["awarded"] > 0 == table["adjusted"]
    assert (meter["paid"], meter["wins"]) == (-table["awarded"], 1)
    assert meter["seeded"] == table["seeded"]
    assert sum(amount for name, amount in meter.items() if name != "wins") == held.value + held.reserve


def test_an_award_backed_out_when_its_round_is_over_is_taken_off_that_round() -> None:
    floor = won().play_on(rounds=1)
    last = floor.live.table.last
    assert last is not None
    paid = net_of(models_of(floor), WINNER)
    amount = last.wins[0].amount
    adjust(floor, amount, SAM, win=4, **SAID)
    models = models_of(floor)
    assert net_of(models, WINNER) == paid - amount * 10_000
    with models.connect() as connection:
        found = round_of(connection, floor.live.table.id, last.number)
    assert found is not None and found.wagered == found.returned + found.house + found.meters
    table, meter = books(models, floor)
    held = floor.live.meters[METER]
    assert table["awarded"] == amount * 10_000  # what was done stays on the books, the correction beside it
    assert table["adjusted"] == meter["adjusted"] != 0
    assert sum(one for name, one in meter.items() if name != "wins") == held.value + held.reserve


def test_an_award_backed_out_in_its_round_never_counts_for_its_player() -> None:
    backed_out = won()
    (win,) = backed_out.live.table.round.wins
    adjust(backed_out, win.amount, SAM, win=4, **SAID)
    backed_out.play_on(rounds=1)
    whole = won().play_on(rounds=1)
    assert net_of(models_of(backed_out), WINNER) == net_of(models_of(whole), WINNER) - win.amount * 10_000


def test_an_adjustment_moves_the_books_of_its_day_and_no_round() -> None:
    floor = won().play_on(rounds=1)
    before = net_of(models_of(floor), WINNER)
    adjust(floor, Cents(1_00), SAM, second="Sue", reason="misread")
    models = models_of(floor)
    table, meter = books(models, floor)
    assert table["adjusted"] == meter["adjusted"] == 1_00 * 10_000
    assert net_of(models, WINNER) == before


def test_a_void_round_has_its_reason_and_no_handle() -> None:
    floor = jackpot()
    floor.do("stop_round", SAM, reason="a card too many")
    floor.do("rule_round", SAM, ruling="void", reason="a card too many")
    models = models_of(floor)
    with models.connect() as connection:
        found = round_of(connection, floor.live.table.id, 1)
    assert found is not None and found.ending is RoundEnding.VOID and "a card too many" in found.reason
    assert found.wagered == found.returned > 0 == found.house == found.meters
    table, meter = books(models, floor)
    assert (table["rounds"], table["voids"], table["handle"], table["win"]) == (1, 1, 0, 0)
    assert net_of(models, WINNER) == 0 == meter["contributed"] + meter["reserved"] + meter["taken_back"]
