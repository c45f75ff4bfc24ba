"""``houseway verify-log``, ``checkpoints`` and ``export``: the log of a floor checked and written out.

They only read: a SQLite file may be served meanwhile. What reads a database is loaded when it is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.exceptions import Exit

from houseway.cli.output import AsJson, emit
from houseway.cli.progress import progress
from houseway.errors import HousewayError, IllegalError, InvalidInputError
from houseway.ledger import show_units

if TYPE_CHECKING:
    from houseway.floor.verifying import FloorVerified
    from houseway.store.protocol import Store

STEP = 500
"""The bar moves on after so many entries."""
DatabaseArgument = Annotated[
    str, typer.Argument(metavar="URL", help="A SQLite file, or postgresql://… for a PostgreSQL database.")
]


class Format(StrEnum):
    """What a log is written out as."""

    JSONL = "jsonl"
    CSV = "csv"


@contextmanager
def reading(url: str) -> Iterator[Store]:
    """Open a database to read it only; whatever is wrong with it is one clear line."""
    from houseway.store.opening import open_store  # noqa: PLC0415 - slow, and few commands need it

    with readable():
        store = open_store(url, read_only=True)
        try:
            yield store
        finally:
            store.close()


@contextmanager
def readable() -> Iterator[None]:
    """Say in one clear line what is wrong with a database."""
    from psycopg import Error  # noqa: PLC0415 - slow, and few commands need it
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415

    try:
        yield
    except (DBAPIError, Error) as error:
        raise IllegalError(f"the database cannot be read: {_said(error)}") from None


def _said(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def many(count: int, one: str, several: str = "") -> str:
    """Return so many of something in words."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


@contextmanager
def counted(what: str, store: Store, *, quiet: bool = False) -> Iterator[Callable[[], object]]:
    """Show a bar on a terminal while the entries of a store go by, one at each call."""
    silent = quiet or not sys.stdout.isatty()
    total = 1 if silent else sum(head.version for head in store.heads().values())
    with progress(what, quiet=silent, total=total) as told:
        passed = 0

        def one_more() -> None:
            nonlocal passed
            passed += 1
            if passed % STEP == 0:
                told(passed, total)

        yield one_more


def verify_log_command(
    url: DatabaseArgument,
    exported: Annotated[
        Path | None, typer.Option("--exported", help="Checkpoints that were exported earlier.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a whole log: chains, checkpoints, every table, every meter and the books; exit 1 on a fault."""
    lines = _lines(exported) if exported else []
    with reading(url) as store:
        fault, found = _verified(store, lines, quiet=as_json)
    if found is None:
        _fault(fault, as_json)
        raise Exit(1)
    log = found.log
    if as_json:
        counts = {"streams": log.streams, "entries": log.entries, "rounds": found.rounds}
        checked = {"checkpoints": log.checkpoints, "exported_checkpoints": log.exported}
        held = {"tables": found.tables, "meters": found.meters, "total": show_units(found.total)}
        emit({"whole": True, **counts, **held, **checked})
        return
    told = (
        many(log.streams, "stream"),
        many(log.entries, "entry", "entries"),
        many(found.rounds, "round"),
        many(found.meters, "meter"),
        many(log.checkpoints, "checkpoint") + f" ({log.exported} exported)",
    )
    print(f"whole: {', '.join(told)}; the books come to {show_units(found.total)}")


def _verified(store: Store, lines: list[bytes], *, quiet: bool) -> tuple[str, FloorVerified | None]:
    """Return the fault that was found, or what is whole."""
    from sqlalchemy.exc import DatabaseError  # noqa: PLC0415

    from houseway.floor.verifying import verify_floor  # noqa: PLC0415

    try:
        with counted("entries", store, quiet=quiet) as seen, store.picture() as picture:
            return "", verify_floor(picture, lines, seen)
    except HousewayError as error:
        return str(error), None
    except DatabaseError as error:
        return f"the database cannot be read: {_said(error)}", None


def _fault(said: str, as_json: bool) -> None:
    if as_json:
        emit({"whole": False, "fault": said})
    else:
        print("fault: " + " ".join(said.split()))


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except OSError as error:
        raise InvalidInputError(f"cannot read the file: {error.strerror}", value=str(path)) from None


def checkpoints_command(
    url: DatabaseArgument,
    out: Annotated[Path, typer.Option("--out", help="A new file; an earlier export is never overwritten.")],
) -> None:
    """Export every checkpoint, to be kept where nobody who can write the database can reach."""
    from houseway.store.checkpoints import check_checkpoints, export_checkpoints  # noqa: PLC0415

    with reading(url) as store:
        check_checkpoints(store.checkpoints())
        text = export_checkpoints(store)
    try:
        with out.open("xb") as file:
            file.write(text)
    except FileExistsError:
        raise IllegalError("there is a file of this name already", value=str(out)) from None
    except OSError as error:
        raise InvalidInputError(f"cannot write the file: {error.strerror}", value=str(out)) from None
    print(f"{out}: {many(len(text.splitlines()), 'checkpoint')}")


def export_command(
    url: DatabaseArgument,
    out: Annotated[Path, typer.Option("--out", help="A folder; nothing in it is overwritten.")],
    form: Annotated[
        Format,
        typer.Option(
            "--format", help="Every entry as a line of JSON, or rounds, payments and meters as CSV."
        ),
    ] = Format.JSONL,
) -> None:
    """Write the log out: all of it as entries.jsonl, or as rounds.csv, payments.csv and meters.csv.

    There is no Parquet: it would bring a library larger than this program. Any that reads CSV writes it.
    """
    from houseway.floor.exporting import COLUMNS, LINES, export_lines, export_values  # noqa: PLC0415

    work, names = (export_lines, [LINES]) if form is Format.JSONL else (export_values, [*COLUMNS])
    if out.exists() and not out.is_dir():
        raise InvalidInputError("files are written to a folder", value=str(out))
    with reading(url) as store, counted("entries", store) as seen, store.picture() as picture:
        entries = work(picture, out, seen)
    print(f"{out}: {many(entries, 'entry', 'entries')} as {', '.join(names)}")
