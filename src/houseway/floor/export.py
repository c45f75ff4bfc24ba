"""A floor's log written out for other programs: every entry as a line of JSON, or tables of values.

One pass over the log; nothing is kept but the round that each table is in.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final

import msgspec
from msgspec import Struct

from houseway.errors import DataError, IllegalError
from houseway.floor.bodies import read_body
from houseway.floor.meter_events import MeterAdjusted, MeterTurn
from houseway.floor.people_events import FactorSet, SecretEvent
from houseway.floor.setup_events import MeterOpened
from houseway.floor.streams import PEOPLE, TABLES
from houseway.ledger import UNITS_PER_CENT, AccountKind, Movement, Units
from houseway.meters import MeterState
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import Turn, ends_round
from houseway.rounds.step import AnEvent
from houseway.settlement import Payment
from houseway.store.entries import Entry
from houseway.store.protocol import Picture

LINES: Final = "entries.jsonl"
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "rounds.csv": (
        *("table", "round", "began", "ended", "ended_by", "commands", "first_version", "last_version"),
        *("wagered", "net_to_players"),
    ),
    "payments.csv": (
        *("table", "version", "round", "seq", "at", "step", "position", "person", "wager", "kind", "amount"),
        *("source", "to", "reason", "clauses"),
    ),
    "meters.csv": (
        *("meter", "version", "at", "kind", "by", "table", "round", "seq", "amount", "source", "to"),
        *("reason", "value", "reserve"),
    ),
}
"""What is in each table of values. Amounts are dollars, exactly: to the ten-thousandth of a cent."""
OnEntry = Callable[[], object]


class ExportedEntry(Struct, kw_only=True):
    """An entry as it is written out; its body is what was hashed, byte for byte, unless it holds a secret."""

    number: int
    stream: str
    version: int
    command: str
    hash: str
    body: msgspec.Raw | None
    answer: msgspec.Raw | None


def export_lines(picture: Picture, folder: Path, on_entry: OnEntry = lambda: None) -> int:
    """Write every entry as a line of JSON; return how many there were."""
    number = 0
    with _new_files(folder, LINES) as files:
        for number, (_, entry) in enumerate(picture.everything(), start=1):
            files[LINES].write(msgspec.json.encode(_line(number, entry)) + b"\n")
            on_entry()
    return number


def _line(number: int, entry: Entry) -> ExportedEntry:
    for text in (entry.body, entry.answer or b"null"):
        try:
            msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            where = f"{entry.stream} version {entry.version}"
            raise DataError(f"not JSON: {error}", where=where) from None
    return ExportedEntry(
        number=number,
        stream=entry.stream,
        version=entry.version,
        command=entry.command,
        hash=entry.hash.hex(),
        body=None if _secret(entry) else msgspec.Raw(entry.body),
        answer=msgspec.Raw(entry.answer) if entry.answer else None,
    )


def _secret(entry: Entry) -> bool:
    """Whether an entry holds the hash of a password or key, or a sealed second factor: these are left out."""
    return entry.stream == PEOPLE and isinstance(read_body(entry), SecretEvent | FactorSet)


def export_values(picture: Picture, folder: Path, on_entry: OnEntry = lambda: None) -> int:
    """Write rounds, payments and meters' moves as tables of values; return how many entries there were."""
    number = 0
    with _new_files(folder, *COLUMNS) as files, ExitStack() as texts:
        tables = _Tables({name: _writer(texts, file, name) for name, file in files.items()})
        for number, (_, entry) in enumerate(picture.everything(), start=1):  # noqa: B007 - returned
            tables.take(entry)
            on_entry()
    return number


class _Round(Struct):
    """What is known of the round that a table is in."""

    began: datetime
    first: int
    commands: int = 0
    wagered: Units = 0
    net: Units = 0


class _Tables:
    """The tables of values, row by row."""

    def __init__(self, rows: Mapping[str, Any]) -> None:
        self._rounds, self._payments, self._meters = (rows[name].writerow for name in COLUMNS)
        self._under_way: dict[str, _Round] = {}

    def take(self, entry: Entry) -> None:
        """Write whatever an entry adds."""
        body = read_body(entry)
        if isinstance(body, Turn):
            self._write_turn(entry.stream.removeprefix(TABLES), entry.version, body)
        elif isinstance(body, MeterOpened):
            self._meters([body.meter, 0, body.at, "opened", body.by, *[""] * 7, *_amounts_of(body.state)])
        elif isinstance(body, MeterTurn | MeterAdjusted):
            self._write_moves(entry.version, body)

    def _write_turn(self, table: str, version: int, turn: Turn) -> None:
        playing = self._under_way.setdefault(table, _Round(turn.at, version))
        playing.commands += 1
        for event in turn.events:
            self._write_payments(table, version, event)
            if ends_round(event):
                playing = self._under_way.pop(table)
                amounts = exact_dollars(playing.wagered), exact_dollars(playing.net)
                places = playing.commands, playing.first, version
                self._rounds([table, event.round, playing.began, event.at, event.step, *places, *amounts])
                self._under_way[table] = _Round(event.at, version + 1)

    def _write_payments(self, table: str, version: int, event: AnEvent) -> None:
        outcome = event.outcome
        for payment in (*outcome.stakes, *outcome.payments) if isinstance(outcome, Moves) else ():
            playing = self._under_way[table]
            playing.net += _net(payment, AccountKind.PLAYER)
            if payment in outcome.stakes:
                playing.wagered += _net(payment, AccountKind.PENDING)
            what = (
                payment.position,
                payment.person,
                payment.wager,
                payment.kind,
                exact_dollars(payment.units),
            )
            why = (payment.source, payment.to, payment.reason, " ".join(payment.clauses))
            self._payments([table, version, event.round, event.seq, event.at, event.step, *what, *why])

    def _write_moves(self, version: int, body: MeterTurn | MeterAdjusted) -> None:
        at_table = [body.table, body.round, body.seq] if isinstance(body, MeterTurn) else [""] * 3
        kind = "moved" if isinstance(body, MeterTurn) else "adjusted"
        for movement in body.moved:
            what = (exact_dollars(movement.units), movement.source, movement.to, movement.reason)
            self._meters(
                [body.meter, version, body.at, kind, body.by, *at_table, *what, *_amounts_of(body.after)]
            )


def _net(payment: Payment | Movement, kind: AccountKind) -> Units:
    """Return what accounts of a kind get, less what they give."""
    return payment.units * ((payment.to.kind is kind) - (payment.source.kind is kind))


def _amounts_of(state: MeterState) -> tuple[str, str]:
    return exact_dollars(state.value), exact_dollars(state.reserve)


def exact_dollars(amount: Units) -> str:
    """Write an amount exactly, without signs of a currency.

    >>> exact_dollars(1_050_000), exact_dollars(-245_000)
    ('1.05', '-0.245')
    """
    whole, part = divmod(abs(amount), 100 * UNITS_PER_CENT)
    cents, rest = f"{part:06d}"[:2], f"{part:06d}"[2:].rstrip("0")
    return f"{'-' if amount < 0 else ''}{whole}.{cents}{rest}"


# --- files --------------------------------------------------------------------------------------------


@contextmanager
def _new_files(folder: Path, *names: str) -> Iterator[dict[str, IO[bytes]]]:
    """Open files in a folder; they get their names when all is written, and nothing is overwritten."""
    for name in names:
        if (folder / name).exists():
            raise IllegalError("there is a file of this name already", value=str(folder / name))
    folder.mkdir(parents=True, exist_ok=True)
    parts = {name: folder / f".{name}.part" for name in names}
    try:
        with ExitStack() as stack:
            yield {name: stack.enter_context(part.open("wb")) for name, part in parts.items()}
        for name, part in parts.items():
            part.rename(folder / name)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def _writer(texts: ExitStack, file: IO[bytes], name: str) -> Any:  # noqa: ANN401 - a writer of csv's
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    texts.callback(text.detach)
    texts.callback(text.flush)
    rows = csv.writer(text)
    rows.writerow(COLUMNS[name])
    return rows
