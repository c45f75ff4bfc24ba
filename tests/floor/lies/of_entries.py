"""Lies about answers, entries, streams and builds."""

from __future__ import annotations

from datetime import datetime

from houseway.floor import house as floor_house
from houseway.floor.bodies import write_body
from houseway.rounds.codec import canonical
from houseway.store.entries import GENESIS
from tests.floor.lies.edited import Edited, Row
from tests.floor.lies.played import EVA, MAX, ROB
from tests.floor.lies.told import EXPORTED, LIES, by, lie, put, rows_changed

# --- answers ------------------------------------------------------------------------------------------


def answered(edited: Edited, kind: str, answer: bytes, *, chain: bool = True) -> None:
    edited.find(kind).answer = answer
    edited.chain() if chain else None


@lie(r"table t1, round 1, settle .*the answer is not the one")
def an_answer_emptied(edited: Edited) -> None:
    answered(edited, "turn settle", b"")


@lie(r"table t1, round 1, settle .*the answer is not the one")
def an_answer_altered(edited: Edited) -> None:
    row = edited.find("turn settle")
    answered(edited, "turn settle", row.answer.replace(b'"version":36', b'"version":35'))


@lie(r"has another answer to the command, or one of another build")
def an_answer_altered_beside_a_meter(edited: Edited) -> None:
    answered(edited, "meter_turn", b"{}")


@lie(r"floor version \d+: such an entry has no answer")
def an_answer_to_a_filing(edited: Edited) -> None:
    answered(edited, "submission_filed", b"{}")


rows_changed(
    "an answer emptied and not chained",
    "table/t1 version 36",
    "UPDATE entries SET answer = x'' WHERE stream = 'table/t1' AND version = 36",
)
rows_changed(
    "every answer emptied", "version 1", "UPDATE entries SET answer = x'' WHERE stream LIKE 'table/%'"
)


# --- entries and streams ------------------------------------------------------------------------------

rows_changed(
    "an entry cut out",
    "table/t1 version 21: version 20|t1 version 21",
    "DELETE FROM entries WHERE stream = 'table/t1' AND version = 20",
)
rows_changed(
    "a stream cut back",
    "missing that a checkpoint saw: 'table/t3",
    "DELETE FROM entries WHERE stream = 'table/t3' AND version > 44",
)
rows_changed(
    "a stream gone",
    "missing that a checkpoint saw: 'table/t2",
    "DELETE FROM entries WHERE stream = 'table/t2'",
)
rows_changed(
    "an entry of another version",
    "version 99|version 60",
    "UPDATE entries SET version = 99 WHERE stream = 'table/t1' AND version = 60",
)
rows_changed(
    "an entry under another name",
    "table/t1 version 60",
    "UPDATE entries SET command = 'x' WHERE stream = 'table/t1' AND version = 60",
)
rows_changed(
    "an entry in another stream",
    "table/t2",
    "UPDATE entries SET stream = 'table/t2', version = 46 WHERE stream = 'table/t1' AND version = 60",
)
rows_changed(
    "a hash of zeros",
    "table/t1 version 60",
    f"UPDATE entries SET hash = x'{GENESIS.hex()}' WHERE stream = 'table/t1' AND version = 60",
)


@lie(r"table/t1 version \d+: ")
def an_entry_cut_out_and_chained(edited: Edited) -> None:
    edited.drop(edited.find("turn settle"))
    edited.chain()


@lie(r"table/t1 version \d+: ")
def two_entries_exchanged(edited: Edited) -> None:
    rows = edited.rows
    first, second = rows.index(edited.of("table/t1")[34]), rows.index(edited.of("table/t1")[35])
    rows[first], rows[second] = rows[second], rows[first]
    edited.chain()


@lie(r"table/t1 version 61: ")
def a_turn_told_twice(edited: Edited) -> None:
    row = edited.of("table/t1")[-1]
    edited.rows.append(Row(row.stream, "again", row.body, row.answer))
    edited.chain()


@lie(r"lost its index entries_command")
def a_turn_told_at_another_table_too(edited: Edited) -> None:
    row = edited.of("table/t1")[-1]
    edited.rows.append(Row("table/t2", row.command, row.body, row.answer))
    edited.chain()


@lie(r"table/t2 version 6: ")
def a_turn_told_at_another_table(edited: Edited) -> None:
    row = edited.of("table/t1")[-1]
    edited.drop(row)
    edited.rows.append(Row("table/t2", row.command, row.body, row.answer))
    edited.chain()


@lie(r"event \d+ of .*meter|no meter's stream has event|meter/link|no event")
def a_meter_s_stream_gone(edited: Edited) -> None:
    edited.drop(*edited.of("meter/link"))
    edited.chain()


@lie(r"confirmed and never done: command chips-")
def a_table_s_stream_gone(edited: Edited) -> None:
    edited.drop(*edited.of("table/t2"))
    edited.chain()


@lie(r"confirmed and never done")
def the_people_s_stream_gone(edited: Edited) -> None:
    edited.drop(*edited.of("people"))
    edited.chain()


@lie(r"exported checkpoint")
def everything_written_anew(edited: Edited) -> None:
    edited.change("user_disabled", put(reason="for another reason"))


LIES["everything written anew"] = LIES["everything written anew"]._replace(options=EXPORTED)


@lie(r"an exported checkpoint|missing that a checkpoint saw", *EXPORTED)
def a_stream_cut_back_with_checkpoints_made_anew(edited: Edited) -> None:
    edited.drop(*edited.of("bookmarks/ann"))
    edited.chain()


@lie(r"an exported checkpoint", *EXPORTED)
def the_last_checkpoint_gone(edited: Edited) -> None:
    edited.sql("DELETE FROM checkpoints WHERE number = 2")


@lie(r"no floor has such a stream")
def a_stream_that_no_floor_has(edited: Edited) -> None:
    edited.rows.append(Row("secrets", "!secrets/1", edited.rows[-1].body, b""))
    edited.chain()


@lie(r"table/t1 version 60: .*an entry of schema")
def an_unknown_kind(edited: Edited) -> None:
    edited.of("table/t1")[-1].say(kind="gift")
    edited.chain()


@lie(r"table/t1 version 60: .*schema")
def an_unknown_schema(edited: Edited) -> None:
    edited.of("table/t1")[-1].say(schema=99)
    edited.chain()


@lie(r"table/t1 version 60: .*not in the form")
def an_older_schema(edited: Edited) -> None:
    edited.of("table/t1")[-1].say(schema=2)
    edited.chain()


@lie(r"table/t1 version 60: .*not in the form")
def a_body_that_is_not_canonical(edited: Edited) -> None:
    edited.of("table/t1")[-1].body += b" "
    edited.chain()


@lie(r"table/t1 version 60: .*not in the form")
def something_beside_what_is_said(edited: Edited) -> None:
    edited.of("table/t1")[-1].say(note="all is well")
    edited.chain()


@lie(r"table/t1 version 60: a program that covers its answer has not said")
def no_build(edited: Edited) -> None:
    row = edited.of("table/t1")[-1]
    row.body = canonical({name: value for name, value in row.data.items() if name != "build"})
    edited.chain()


@lie(r"meter/link version 5: .*build|build")
def two_builds_of_one_command(edited: Edited) -> None:
    edited.of("meter/link")[-1].say(build="0" * 16)
    edited.chain()


@lie(r"table/t1 version 60: .*not in the form")
def a_build_that_is_none(edited: Edited) -> None:
    edited.of("table/t1")[-1].say(build="ours")
    edited.chain()


@lie(r"table/t1 version \d+: the build 1{16} is of version 0.1")
def a_build_of_two_programs(edited: Edited) -> None:
    """A table opened by a build that had approved another program."""
    first = edited.find("program_approved")
    first.body = canonical(
        {**first.data, "build": "1" * 16, "value": {**first.value, "program": {"version": "0.1", "law": "x"}}}
    )
    again = edited.find("proposal_closed", proposal="program")
    edited.rows.insert(edited.rows.index(again) + 1, Row("floor", "!floor/0", edited_program(first), b""))
    edited.find("turn open_table").say(build="1" * 16)
    edited.rename()
    edited.chain()


def edited_program(row: Row) -> bytes:
    """Return the approval of the program that runs here, by this build."""
    return write_body(
        floor_house.approve_program(
            floor_house.this_program(), MAX, EVA, datetime.fromisoformat(row.value["at"])
        )
    )


@lie(r"(people version 26|after|later|before)")
def somebody_disabled_after_what_they_did(edited: Edited) -> None:
    """The order of two streams is turned: the chains of both are whole, and only the moments tell."""
    edited.find("chips receive_fill").change(put(by=by(ROB)))
    row = edited.find("user_disabled")
    edited.rows.remove(row)
    after = edited.rows.index(edited.find("chips receive_fill"))
    edited.rows.insert(after + 1, row)
    # whoever came later on in the stream of people stays where they were
    edited.chain()
