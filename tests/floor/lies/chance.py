"""Edits drawn by chance: any byte of any table of the record, any field of any body chained again, and more.

Every edit is named by ``houseway verify-log``, or changes nothing on record (``same_record``), or only
what whoever acted was free to say: then nothing but a checkpoint kept elsewhere tells, and it does.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from houseway.floor.bodies import FOLDING_ERRORS, read_body
from houseway.store.checkpoints import read_checkpoint
from houseway.store.entries import Entry
from tests.floor.lies.edited import Edited, Row
from tests.floor.lies.played import Value

RECORD: Final = ("entries", "snapshots", "checkpoints", "sealed_decks")
MODELS: Final = (
    *("rounds", "round_people", "round_wagers", "search_people", "search_cards", "search_clauses"),
    *("search_steps", "account_tables", "account_wagers", "account_meters", "account_readings"),
    "folded_tables",
)
NO_RECORD: Final = {
    ("entries", "position"): "only an order: chains and moments say which entries come before which",
    ("entries", "transaction"): "where readers of PostgreSQL go on; nothing in SQLite",
    ("snapshots", "mac"): "a snapshot without the floor's code is not believed; with --key another is named",
}
"""Columns of the record's tables that say nothing, and why."""
FREE: Final = (
    (r"\w+ at$", "a moment between those of the entries before and after it"),
    (r"\w+ reason$", "why something was done, in the words of whoever did it"),
    (r"(meter_read explained|bookmarked note)$", "words of whoever wrote them"),
    (r"proposed task", "what was proposed and turned down, or waits: nothing came of it"),
    (r"bookmarked round$", "which of the rounds that are over somebody marked"),
    (r"proposed (browser|proposal)$", "told by a client, or drawn by chance"),
    (r"password_set (hash|halves)$", "the hash of a secret that nobody else knows"),
    (r"(time_out until|submission_approved effective)$", "until or from when somebody wanted it"),
    (r"(accessed|access_counted) ", "what was noted at the door, of people who are known"),
    (r"table_made (automated|by|at)", "what whoever made the table wished"),
    (r"\w+ (by|second)(\.name)?$", "a name left out is the name on record"),
    (r"chips (second|by)\.name$", "a name left out is the name on record"),
    (r"link_changed (reason|table)$", "which link was down, while it hindered nobody"),
)
"""What people were free to say, by kind and field: whatever it is, it is decided the same."""
Edit = Callable[[Edited, Random], str]
"""Edits a copy, and returns what was edited."""


# --- values -------------------------------------------------------------------------------------------


def another(value: Any, rng: Random) -> Any:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, value * 10 + 7, -value - 1, 0 if value else 1])
    if isinstance(value, str):
        return _another_text(value, rng)
    if isinstance(value, list) and value:
        return rng.choice(
            [value[:-1], [*value, value[0]], value[::-1] if value[::-1] != value else value[1:]]
        )
    if isinstance(value, dict) and value:
        gone = rng.choice(sorted(value))
        return {name: part for name, part in value.items() if name != gone}
    return ["x"] if isinstance(value, list) else {"x": 1} if isinstance(value, dict) else "x"


def _another_text(value: str, rng: Random) -> str:
    moment = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:)(\d\d)(.*)", value)
    if moment and rng.random() < 0.7:
        return f"{moment[1]}{(int(moment[2]) + rng.randrange(1, 59)) % 60:02}{moment[3]}"
    if not value:
        return "x"
    at = rng.randrange(len(value))
    return rng.choice([value[:at] + chr((ord(value[at]) + 1) % 128 or 65) + value[at + 1 :], value + "x", ""])


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every part of a value."""
    if path:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from places(part, (*path, name))


def put(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> None:
    """Change a part of a value."""
    for name in path[:-1]:
        value = value[name]
    value[path[-1]] = change(value[path[-1]])


# --- edits --------------------------------------------------------------------------------------------


def byte_of_record(edited: Edited, rng: Random) -> str:
    """Change one byte, or one number, in some column of some row."""
    return _byte(edited, rng, rng.choice(RECORD))


def byte_of_models(edited: Edited, rng: Random) -> str:
    """Change one byte, or one number, of a read model."""
    return _byte(edited, rng, rng.choice(MODELS))


def _byte(edited: Edited, rng: Random, table: str) -> str:
    columns = [row[1] for row in edited.sql(f"PRAGMA table_info({table})")]
    (rows,) = edited.sql(f"SELECT count(*) FROM {table}")
    column, number = rng.choice(columns), rng.randrange(rows[0])
    ((rowid, value),) = edited.sql(f'SELECT rowid, "{column}" FROM {table} LIMIT 1 OFFSET {number}')
    try:
        edited.sql(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', _another_cell(value, rng), rowid)
    except sqlite3.IntegrityError:
        edited.sql(f"DELETE FROM {table} WHERE rowid = ?", rowid)
    return f"{table}.{column}"


def _another_cell(value: Any, rng: Random) -> Any:
    if isinstance(value, bytes):
        if not value:
            return b"x"
        at = rng.randrange(len(value))
        return value[:at] + bytes([value[at] ^ (1 << rng.randrange(8))]) + value[at + 1 :]
    return another(value, rng)


def field_chained(edited: Edited, rng: Random) -> str:
    """Change a field of some body, and chain everything anew."""
    return _field(edited, rng.choice(edited.rows), rng)


def field_of_people(edited: Edited, rng: Random) -> str:
    """Change a field of what became of people, or of what two people proposed."""
    return _field(edited, rng.choice([*edited.of("people"), *edited.of("floor")]), rng)


def _field(edited: Edited, row: Row, rng: Random) -> str:
    path = rng.choice(list(places(row.value)))
    kind = row.data["kind"]

    def change(value: Value) -> None:
        put(value, path, lambda was: another(was, rng))

    row.change(change)
    edited.chain()
    return f"{kind} {'.'.join(map(str, path))}"


def entry_cut(edited: Edited, rng: Random) -> str:
    """Cut an entry out, name the others by their places, and chain everything anew."""
    row = rng.choice(edited.rows)
    edited.drop(row)
    edited.rename()
    edited.chain()
    return f"{row.kind} cut"


def entries_exchanged(edited: Edited, rng: Random) -> str:
    """Exchange two neighbours of a stream, and chain everything anew."""
    stream = rng.choice(sorted({row.stream for row in edited.rows if len(edited.of(row.stream)) > 1}))
    rows = edited.of(stream)
    at = rng.randrange(len(rows) - 1)
    first, second = (edited.rows.index(rows[at]), edited.rows.index(rows[at + 1]))
    edited.rows[first], edited.rows[second] = edited.rows[second], edited.rows[first]
    edited.rename()
    edited.chain()
    return f"{rows[at].kind} exchanged with {rows[at + 1].kind}"


def stream_replayed(edited: Edited, rng: Random) -> str:
    """Put a stream back to where an older copy had it, and chain everything anew."""
    stream = rng.choice(sorted({row.stream for row in edited.rows}))
    rows = edited.of(stream)
    left = rng.randrange(len(rows))
    edited.drop(*rows[left:])
    edited.chain()
    return f"{stream} back at {left} of {len(rows)}"


def stream_cut(edited: Edited, rng: Random) -> str:
    """Cut the end of a stream off, and leave the checkpoints as they are."""
    stream = rng.choice(sorted({row.stream for row in edited.rows}))
    left = rng.randrange(len(edited.of(stream)))
    edited.sql("DELETE FROM entries WHERE stream = ? AND version > ?", stream, left)
    return f"{stream} cut at {left}"


def entry_told_twice(edited: Edited, rng: Random) -> str:
    """Tell an entry once more, under another name."""
    row = rng.choice(edited.rows)
    at = edited.rows.index(row) + 1
    edited.rows.insert(at, Row(row.stream, f"{row.command}x", row.body, row.answer))
    edited.rename()
    edited.chain()
    return f"{row.kind} twice"


def answer_altered(edited: Edited, rng: Random) -> str:
    """Alter or empty an answer, and chain everything anew."""
    row = rng.choice([row for row in edited.rows if row.answer])
    row.answer = rng.choice([b"", _another_cell(row.answer, rng)])
    edited.chain()
    return f"answer to {row.kind}"


def snapshot_altered(edited: Edited, rng: Random) -> str:
    """Change a field of a snapshot."""
    rowid, body = rng.choice(edited.sql("SELECT rowid, body FROM snapshots ORDER BY stream, version"))
    data = msgspec.json.decode(body)
    path = rng.choice(list(places(data["value"])))
    put(data["value"], path, lambda was: another(was, rng))
    edited.sql("UPDATE snapshots SET body = ? WHERE rowid = ?", msgspec.json.encode(data), rowid)
    return f"snapshot {'.'.join(map(str, path))}"


def build_altered(edited: Edited, rng: Random) -> str:
    """Let another build have made an entry, and change a field of it."""
    row = rng.choice(edited.rows)
    what = _field(edited, row, rng)
    row.say(build="0" * 16)
    edited.chain()
    return f"{what} of another build"


EDITS: Final[dict[Edit, int]] = {
    field_chained: 30,
    field_of_people: 10,
    byte_of_record: 20,
    byte_of_models: 8,
    entry_cut: 5,
    entries_exchanged: 5,
    stream_replayed: 3,
    stream_cut: 3,
    entry_told_twice: 4,
    answer_altered: 4,
    snapshot_altered: 5,
    build_altered: 5,
}
"""The families, and how often each is drawn."""


ONLY_EXPORTED: Final = ("entry_cut", "entries_exchanged", "stream_replayed", "entry_told_twice")
"""Families that leave a past which might have been, where nothing followed from what is gone or was added."""


def draw(edited: Edited, seed: int) -> tuple[str, str]:
    """Edit a copy; return the family and what was edited."""
    rng = Random(seed)
    edit = rng.choices(list(EDITS), list(EDITS.values()))[0]
    return edit.__name__, edit(edited, rng)


# --- what changes nothing -----------------------------------------------------------------------------


def same_record(before: Path, after: Path) -> bool:
    """Whether two files hold the same record, as it is read: only columns of ``NO_RECORD`` are left out."""
    return _record(before) == _record(after)


def _record(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT stream, version, command, body, answer, hash FROM entries ORDER BY stream, version"
        entries = [_entry(*row) for row in connection.execute(query)]
        parts = [
            connection.execute("SELECT stream, version, hash, body FROM snapshots ORDER BY 1, 2").fetchall(),
            connection.execute("SELECT number, at, body, hash FROM checkpoints ORDER BY 1").fetchall(),
            connection.execute(
                "SELECT stream, commitment, sealed FROM sealed_decks ORDER BY 1, 2"
            ).fetchall(),
        ]
    parts[0] = [(*row[:3], _plain(row[3])) for row in parts[0]]
    return [entries, *parts]


def _entry(stream: str, version: int, command: str, body: bytes, answer: bytes, stored: bytes) -> Any:
    entry = Entry(stream=stream, version=version, command=command, body=body, answer=answer, hash=stored)
    try:
        data: Any = read_body(entry)
    except FOLDING_ERRORS:
        data = body
    return stream, version, command, data, answer


def _plain(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return body


def free(family: str, what: str) -> bool:
    """Whether it might have been so: somebody was free to say something else, or nothing, or that again."""
    if family in ONLY_EXPORTED or what.startswith("checkpoints.number"):
        return True
    return any(re.match(pattern, what.removesuffix(" of another build")) for pattern, _ in FREE)


def only_the_tail(before: Path, after: Path) -> bool:
    """Whether all is there that the last checkpoint saw: nothing kept elsewhere tells of what came later."""
    with closing(sqlite3.connect(before)) as first, closing(sqlite3.connect(after)) as second:
        ((body,),) = first.execute("SELECT body FROM checkpoints ORDER BY number DESC LIMIT 1").fetchall()
        hashes = {(s, v): h for s, v, h in second.execute("SELECT stream, version, hash FROM entries")}
        heads = read_checkpoint(body).heads
        return all(hashes.get((s, v), b"").hex() == stored for s, (v, stored) in heads.items())
