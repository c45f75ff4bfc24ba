"""Lies about what lies beside the entries: snapshots, sealed decks, checkpoints, read models, the schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from houseway.rounds.codec import canonical
from houseway.store.entries import GENESIS
from tests.floor.lies.edited import Edited
from tests.floor.lies.played import Value
from tests.floor.lies.told import KEY, LIES, MODELS, Lie, lie, rows_changed

# --- snapshots ----------------------------------------------------------------------------------------


def snapshot(change: Callable[[Value], object]) -> Callable[[Edited], None]:
    def edit(edited: Edited) -> None:
        query = "SELECT body FROM snapshots WHERE stream = 'table/t1' AND version = 40"
        ((body,),) = edited.sql(query)
        data = msgspec.json.decode(body)
        change(data["value"])
        edited.sql(
            "UPDATE snapshots SET body = ? WHERE stream = 'table/t1' AND version = 40", canonical(data)
        )

    return edit


def more_chips(value: Value) -> None:
    value["tray"]["people"]["ann"] = 99_999_900


NOT_THE_TABLE: Final = "table/t1 version 40: a snapshot is not the table"
for _name, _change in {
    "a submission of $5,000 in a snapshot": lambda v: v["submission"]["wagers"]["main"].update(max="$5,000"),
    "somebody else in a snapshot": lambda v: v["table"]["seats"]["2"].update(person="zoe"),
    "another law in a snapshot": lambda v: v["table"].update(law="00" * 32),
    "another table in a snapshot": lambda v: v["table"].update(id="t2"),
    "no chips in a snapshot": lambda v: v.pop("tray"),
}.items():
    LIES[_name] = Lie(snapshot(_change), NOT_THE_TABLE)
rows_changed(
    "a snapshot of another version",
    "table/t1 version (20|40|41): a snapshot",
    "UPDATE snapshots SET version = 41 WHERE stream = 'table/t1' AND version = 40",
)
rows_changed(
    "a snapshot of another hash",
    "table/t1 version 40: a snapshot",
    f"UPDATE snapshots SET hash = x'{GENESIS.hex()}' WHERE stream = 'table/t1' AND version = 40",
)
rows_changed(
    "a snapshot of another table",
    "version 40: a snapshot",
    "UPDATE snapshots SET stream = 'table/t9' WHERE stream = 'table/t1' AND version = 40",
)
rows_changed(
    "a snapshot of another code",
    "table/t1 version 40: a snapshot",
    "UPDATE snapshots SET mac = x'00' WHERE stream = 'table/t1' AND version = 40",
    *KEY,
)


# --- sealed decks -------------------------------------------------------------------------------------

rows_changed(
    "a sealed deck deleted",
    "table/t3 version .*sealed deck is missing",
    "DELETE FROM sealed_decks WHERE stream = 'table/t3'",
)
rows_changed(
    "a sealed deck of another table",
    "table/t\\d.*(sealed|committed)",
    "UPDATE sealed_decks SET stream = 'table/t2' WHERE stream = 'table/t3'",
)
rows_changed(
    "a sealed deck of no table",
    "sealed decks of no table|sealed deck is missing",
    "UPDATE sealed_decks SET stream = 'table/t9' WHERE stream = 'table/t3'",
)
rows_changed(
    "a sealed deck that nobody committed to",
    "no table has committed|sealed deck is missing",
    "UPDATE sealed_decks SET commitment = 'x' || commitment WHERE stream = 'table/t3'",
)
rows_changed(
    "a sealed deck that does not open",
    "a sealed deck cannot be opened",
    "UPDATE sealed_decks SET sealed = x'00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'",
    *KEY,
)
rows_changed(
    "two sealed decks exchanged",
    "a sealed deck cannot be opened",
    "UPDATE sealed_decks SET sealed = (SELECT sealed FROM sealed_decks d WHERE d.stream = 'table/t1' LIMIT 1)"
    " WHERE stream = 'table/t3'",
    *KEY,
)


@lie("no table has committed to this deck")
def a_sealed_deck_more(edited: Edited) -> None:
    edited.sql("INSERT INTO sealed_decks VALUES ('table/t1', 'ff', x'00')")


# --- checkpoints --------------------------------------------------------------------------------------

rows_changed(
    "a checkpoint that says something else",
    "checkpoint",
    "UPDATE checkpoints SET body = replace(CAST(body AS TEXT), 'table/t1', 'table/t4') WHERE number = 1",
)
rows_changed(
    "a checkpoint of another hash",
    "checkpoint was changed",
    f"UPDATE checkpoints SET hash = x'{GENESIS.hex()}' WHERE number = 2",
)
rows_changed(
    "a checkpoint of another moment",
    "checkpoint does not follow",
    "UPDATE checkpoints SET at = '2026-01-05 12:00:00.000000' WHERE number = 2",
)
rows_changed(
    "the first checkpoint gone", "checkpoint does not follow", "DELETE FROM checkpoints WHERE number = 1"
)


# --- read models --------------------------------------------------------------------------------------

for _name, _where, _statement in (
    (
        "a win in the accounts",
        "accounting, account_tables, .*win",
        "UPDATE account_tables SET win = win + 1 WHERE table_id = 't1'",
    ),
    (
        "a drop in the accounts",
        "accounting, account_tables, .*dropped",
        "UPDATE account_tables SET dropped = 0 WHERE table_id = 't1'",
    ),
    (
        "a wager in the accounts",
        "accounting, account_wagers",
        "UPDATE account_wagers SET handle = handle * 2",
    ),
    ("a meter in the accounts", "accounting, account_meters", "UPDATE account_meters SET contributed = 0"),
    (
        "a reading in the accounts",
        "accounting, account_readings",
        "UPDATE account_readings SET explained = 'x'",
    ),
    (
        "a day less in the accounts",
        "accounting, account_tables",
        "DELETE FROM account_tables WHERE table_id = 't1'",
    ),
    ("a wager in a round", "rounds, round_wagers", "UPDATE round_wagers SET wagered = 1"),
    ("a net result in a round", "rounds, round_people", "UPDATE round_people SET net = 0"),
    ("a dealer in a round", "rounds, rounds", "UPDATE rounds SET dealer = 'x'"),
    (
        "a person who is searched for",
        "search, search_people",
        "UPDATE search_people SET person = 'zoe' WHERE person = 'ann'",
    ),
    ("a card that is searched for", "search, search_cards", "DELETE FROM search_cards WHERE card = 'As'"),
    (
        "a step more to search for",
        "search, search_steps",
        "INSERT INTO search_steps SELECT table_id, round, 'x', ended FROM search_steps LIMIT 1",
    ),
    (
        "a clause that is searched for",
        "search, search_clauses",
        "UPDATE search_clauses SET ended = '2020-01-01 00:00:00'",
    ),
    (
        "a parked entry",
        "parked_entries",
        "INSERT INTO parked_entries VALUES ('rounds', 0, 3, 'table/t1', 1, 'x')",
    ),
    ("a folded table", "t1|written down", "UPDATE folded_tables SET body = x'7b7d'"),
    (
        "a folded table of another version",
        "t1|written down",
        "UPDATE folded_tables SET version = version + 1",
    ),
    (
        "a folded table of no table",
        "t9|written down",
        "UPDATE folded_tables SET table_id = 't9' WHERE table_id = 't1'",
    ),
    (
        "a model beyond the log",
        "rounds.*(place|beyond|log)",
        "UPDATE read_models SET position = 99999 WHERE model = 'rounds'",
    ),
    ("a model behind its rows", "rounds, ", "UPDATE read_models SET position = 50 WHERE model = 'rounds'"),
):
    rows_changed(_name, _where, _statement, *MODELS)


# --- the schema ---------------------------------------------------------------------------------------


@lie("a trigger, a rule or a view .*quietly")
def a_trigger_added(edited: Edited) -> None:
    edited.sql("CREATE TRIGGER quietly AFTER INSERT ON entries BEGIN DELETE FROM snapshots; END")


@lie("lost its (constraint|key).*entries")
def entries_that_may_be_twice(edited: Edited) -> None:
    edited.sql("ALTER TABLE entries RENAME TO were")
    edited.sql("CREATE TABLE entries AS SELECT * FROM were")
    edited.sql("DROP TABLE were")
