"""Copies of a floor's file in which something lies, changed behind the program's back and chained again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from houseway.floor.bodies import FOLDING_ERRORS, read_body, write_body
from houseway.rounds.codec import canonical
from houseway.store.checkpoints import make_checkpoint, read_checkpoint
from houseway.store.command_index import KEY
from houseway.store.entries import EMPTY, Head, next_entry
from houseway.store.protocol import Checkpoint
from houseway.store.sqlite import SqliteStore
from tests.floor.lies.played import Played, Value
from tests.floor.support import NOON


@dataclass
class Row:
    """An entry as it is written again; whatever is changed is chained anew."""

    stream: str
    command: str
    body: bytes
    answer: bytes
    version: int = 0

    @property
    def data(self) -> Value:
        """What it says: kind, schema, build and value."""
        data: Value = msgspec.json.decode(self.body)
        return data

    @property
    def value(self) -> Value:
        """What it says was done."""
        value: Value = self.data["value"]
        return value

    def say(self, **changes: Any) -> None:
        """Let it say something else."""
        self.body = canonical({**self.data, **changes})

    def change(self, change: Callable[[Value], object]) -> None:
        """Change what it says was done; where it can be read, it is written as the program writes it."""
        data = self.data
        change(data["value"])
        self.body = canonical(data)
        head = Head(0, b"")
        with suppress(*FOLDING_ERRORS):
            body = read_body(next_entry(head, self.stream, self.command, self.body, self.answer))
            self.body = write_body(body)

    @property
    def kind(self) -> str:
        """What kind of thing it says, with the step of a turn."""
        data = self.data
        action = (data["value"].get("command") or data["value"]).get("action", {})
        return f"{data['kind']} {action.get('step', '')}".strip()


class Edited:
    """A copy of a floor's file, changed behind the program's back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA synchronous = OFF")
        self.options: list[str] = []

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def sql(self, statement: str, *values: Any) -> list[Any]:
        """Do something to the database; it must find what it changes."""
        done = self._connection.execute(statement, values)
        rows = done.fetchall()
        if statement.split(maxsplit=1)[0] in ("UPDATE", "DELETE"):
            assert done.rowcount, f"nothing is changed by {statement}"
        return rows

    # --- entries --------------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> list[Row]:
        """Every entry in its order; written again by ``chain``."""
        query = "SELECT stream, command, body, answer, version FROM entries ORDER BY position"
        return [Row(*row) for row in self.sql(query)]

    def find(self, kind: str, number: int = 0, **value: Any) -> Row:
        """Return the entry of a kind of which some fields are so."""
        rows = [row for row in self.rows if row.kind == kind]
        return [row for row in rows if all(row.value.get(name) == is_so for name, is_so in value.items())][
            number
        ]

    def change(self, kind: str, change: Callable[[Value], object], number: int = 0, **value: Any) -> None:
        """Change an entry, and chain everything again."""
        self.find(kind, number, **value).change(change)
        self.chain()

    def of(self, stream: str) -> list[Row]:
        """Return the entries of a stream."""
        return [row for row in self.rows if row.stream == stream]

    def drop(self, *rows: Row) -> None:
        """Let entries go."""
        self.rows[:] = [row for row in self.rows if not any(row is gone for gone in rows)]

    def rename(self) -> None:
        """Name the entries that are named by their places by the places they have now."""
        heads: dict[str, int] = {}
        for row in self.rows:
            heads[row.stream] = heads.get(row.stream, 0) + 1
            if row.command.startswith(f"!{row.stream}/"):
                row.command = f"!{row.stream}/{heads[row.stream]}"

    def chain(self, *, checkpoints: bool = True) -> None:
        """Write every entry again, each chained to the one before it, with checkpoints that fit."""
        heads: dict[str, Head] = {}
        at: dict[tuple[str, int], str] = {}
        entries = []
        for position, row in enumerate(self.rows, start=1):
            entry = next_entry(heads.get(row.stream, EMPTY), row.stream, row.command, row.body, row.answer)
            heads[row.stream] = entry.head
            at[row.stream, entry.version] = entry.hash.hex()
            parts = (position, row.stream, entry.version, row.command, row.body, row.answer, entry.hash)
            entries.append(parts)
        self.sql("DELETE FROM entries")
        self.sql(f"DROP INDEX {KEY}")
        self._connection.executemany(
            'INSERT INTO entries (position, "transaction", stream, version, command, body, answer, hash)'
            " VALUES (?, 0, ?, ?, ?, ?, ?, ?)",
            entries,
        )
        with suppress(sqlite3.IntegrityError):  # whoever tells a command twice leaves the key away
            self.sql(f"CREATE UNIQUE INDEX {KEY} ON entries (command)")
        for stream, version in self.sql("SELECT stream, version FROM snapshots"):
            if (stream, version) in at:
                stored = bytes.fromhex(at[stream, version])
                self.sql(
                    "UPDATE snapshots SET hash = ? WHERE stream = ? AND version = ?", stored, stream, version
                )
            else:
                self.sql("DELETE FROM snapshots WHERE stream = ? AND version = ?", stream, version)
        if checkpoints:
            self.checkpoints(heads, at)

    def checkpoints(self, heads: Mapping[str, Head], at: Mapping[tuple[str, int], str]) -> None:
        """Make checkpoints anew that fit the streams as they are."""
        last: Checkpoint | None = None
        for (body,) in self.sql("SELECT body FROM checkpoints ORDER BY number"):
            checkpoint = read_checkpoint(body)
            ends = {
                stream: Head(min(version, heads[stream].version), b"")
                for stream, (version, _) in checkpoint.heads.items()
                if stream in heads
            }
            fits = {s: Head(h.version, bytes.fromhex(at[s, h.version])) for s, h in ends.items()}
            last = make_checkpoint(fits, last, checkpoint.at)
            self.sql(
                "UPDATE checkpoints SET body = ?, hash = ? WHERE number = ?",
                last.body,
                last.hash,
                last.number,
            )

    # --- acts that the program itself writes down -----------------------------------------------------

    def play(self, act: Callable[[Played], object]) -> None:
        """Have the floor's own program do something, as whoever calls it past the doors might."""
        self.close()
        store = SqliteStore(self.path)
        act(Played(store, NOON + timedelta(hours=1)))
        store.without_wal()
        store.close()
        self.__init__(self.path)  # type: ignore[misc]
