"""The round record: the table before the round, every command with what chance gave it, every event after.

It is canonical JSON. ``replay`` decides each command again; ``docs/round-record.md`` says what that proves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from houseway.errors import DataError
from houseway.games import Submission
from houseway.law.documents import read_bytes
from houseway.meters import MeterState
from houseway.rounds.chance import Given, Moment
from houseway.rounds.codec import (
    SCHEMA_VERSION,
    StoredCommand,
    StoredEvent,
    canonical,
    from_plain,
    plain,
    upcast,
)
from houseway.rounds.outcomes import BetsClosed, Ends, Moves, Outcome
from houseway.rounds.state import MeterId, Table
from houseway.rounds.step import AnEvent, Command
from houseway.rounds.steps.adoption import RulesAdopted
from houseway.rounds.steps.green_button import CupShaken, RoundStarted
from houseway.rounds.steps.jackpot import WinRecorded

FORMAT: Final = "houseway-round/2"
OLDER: Final = ("houseway-round/1",)
LARGEST: Final = 16_000_000
"""The most bytes that a record may have: the longest of ours has a hundredth."""


class Turn(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """One command: when, what chance gave it, the meters that its events tell of, and what came of it."""

    at: datetime
    command: StoredCommand
    given: Given | None = None
    meters: Mapping[MeterId, MeterState] = {}
    events: tuple[StoredEvent, ...]


class Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A round, whole."""

    format: str = FORMAT
    schema_version: int = SCHEMA_VERSION
    id: str
    submission: Submission
    before: Table
    turns: tuple[Turn, ...]
    after: str
    """The hash of the table when the round was over."""
    digest: str
    """The hash of everything else."""


def record_id(before: Table) -> str:
    """Return the name of the round that a table plays next."""
    return f"{before.id}-{before.round.number}"


def make_turn(
    table: Table, command: Command, given: Given | None, events: Iterable[AnEvent], moment: Moment
) -> Turn:
    """Write a command and its events down, with the meter where they tell of it.

    ``table`` is the one that the command was decided at, and the moment the one it was decided in.
    """
    done = tuple(events)
    names = {name for event in done for name in [_meter_told(table, event.outcome)] if name in moment.meters}
    meters = {name: moment.meters[name] for name in sorted(names)}
    stored = StoredCommand(command.by, command.action, command.id)
    return Turn(at=moment.now, command=stored, given=given, meters=meters, events=done)


def _meter_told(table: Table, outcome: Outcome | None) -> MeterId:
    """Return the meter whose value an outcome tells, if it tells one."""
    if isinstance(outcome, RulesAdopted):
        return outcome.shares or ""
    if isinstance(outcome, Moves) and outcome.meter is not None:
        return outcome.meter.meter
    closed = outcome.closed if isinstance(outcome, CupShaken | RoundStarted) else outcome
    tells = isinstance(closed, WinRecorded) or (isinstance(closed, BetsClosed) and closed.meter is not None)
    return table.meter or "" if tells else ""


def make_record(submission: Submission, before: Table, turns: Iterable[Turn], after: Table) -> Record:
    """Write a finished round down."""
    written = Record(
        id=record_id(before),
        submission=submission,
        before=before,
        turns=tuple(turns),
        after=table_hash(after),
        digest="",
    )
    return msgspec.structs.replace(written, digest=digest_of(plain(written)))


def table_hash(table: Table) -> str:
    """Return the hash that stands for a table as it is."""
    return hashlib.sha256(canonical(table)).hexdigest()


def digest_of(data: Mapping[str, Any]) -> str:
    """Return the hash over everything in a record but the hash itself."""
    rest = {key: value for key, value in data.items() if key != "digest"}
    return hashlib.sha256(canonical(rest)).hexdigest()


def ends_round(event: AnEvent) -> bool:
    """Whether a round is over with an event."""
    return isinstance(event.outcome, Ends)


# --- files --------------------------------------------------------------------------------------------


def write_record(record: Record) -> str:
    """Return the record as text: canonical JSON, a line for each turn."""
    return written(plain(record))


def written(data: Mapping[str, Any]) -> str:
    """Return a record's plain data as text."""
    head = canonical({key: value for key, value in data.items() if key != "turns"}).decode()
    turns = ",\n".join(canonical(turn).decode() for turn in data["turns"])
    return f'{head[:-1]},"turns":[\n{turns}\n]}}\n'


def read_record(path: Path) -> Record:
    """Read a record from a file."""
    return parse_record(read_bytes(path, LARGEST), path.name)


def parse_record(text: bytes, where: str = "record") -> Record:
    """Read a record; one that was written otherwise, or has been changed since, is refused by name."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        if any(f'format = "{older}"'.encode() in text for older in OLDER):
            raise DataError(
                f"a record of the older format {OLDER[0]}, which proves too little", where=where
            ) from None
        raise DataError("not a round record: it is not JSON", where=where) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        other_format = data.get("format") if isinstance(data, dict) else None
        raise DataError(f"the format {FORMAT} is read here", value=str(other_format), where=where)
    if data.get("digest") != digest_of(data):
        raise DataError(
            "the record has been changed since it was written: its digest is another", where=where
        )
    given, version = data, data.get("schema_version")
    if version != SCHEMA_VERSION and isinstance(version, int):
        data = upcast(Record, version, data)
        data["digest"] = digest_of(data)
    record = from_plain(Record, data, where)
    if text.decode() != written(given):
        raise DataError("not written as a record is written: a key twice, or in another order", where=where)
    if plain(record) != data:
        place = first_difference(data, plain(record)) or ("", None, None)
        raise DataError(f"not written as a record is written, at {place[0]}", where=where)
    return record


def first_difference(left: Any, right: Any, path: str = "") -> tuple[str, Any, Any] | None:  # noqa: ANN401
    """Return where two values of plain data first differ, and what each has there."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in (*left, *(key for key in right if key not in left)):
            difference = first_difference(
                left.get(key), right.get(key), f"{path}.{key}" if path else str(key)
            )
            if difference:
                return difference
        return None
    if isinstance(left, list) and isinstance(right, list):
        for index in range(max(len(left), len(right))):
            mine, theirs = (values[index] if index < len(values) else None for values in (left, right))
            difference = first_difference(mine, theirs, f"{path}[{index + 1}]")
            if difference:
                return difference
        return None
    return None if left == right and type(left) is type(right) else (path, left, right)
