"""``houseway checkpoints`` and ``export``: the log of a floor written out; how commands open a database.

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

from houseway.cli.files import write_new_file
from houseway.cli.progress import progress
from houseway.errors import IllegalError, InvalidInputError

if TYPE_CHECKING:
    from houseway.store.protocol import Store
    from houseway.store.signed_notes import Verifier

STEP = 500
"""The number of entries between two updates of the bar."""
DatabaseArgument = Annotated[
    str, typer.Argument(metavar="URL", help="A SQLite file, or postgresql://… for a PostgreSQL database.")
]

SignedBy = Annotated[
    str, typer.Option("--signed-by", help="The floor's signing key, as the server prints it when it starts.")
]


class ExportFormat(StrEnum):
    """What a log is written out as."""

    JSONL = "jsonl"
    CSV = "csv"
    COPY = "copy"


@contextmanager
def reading(url: str) -> Iterator[Store]:
    """Open a database read-only; any fault in it is one clear line."""
    from houseway.store.store_url import open_store  # noqa: PLC0415 - slow, and few commands need it

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
        raise IllegalError(f"the database cannot be read: {said_by(error)}") from None


def said_by(error: Exception) -> str:
    """Return what a database complains of, in one line."""
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def many(count: int, singular: str, several: str = "") -> str:
    """Return a count with its noun."""
    return f"{count:,} {singular if count == 1 else several or singular + 's'}"


@contextmanager
def counted(what: str, store: Store, *, quiet: bool = False) -> Iterator[Callable[[], object]]:
    """Show a bar on a terminal while the entries of a store go by, one at each call."""
    silent = quiet or not sys.stdout.isatty()
    total = 1 if silent else sum(head.version for head in store.heads().values())
    with progress(what, quiet=silent, total=total) as advance:
        passed = 0

        def count_entry() -> None:
            nonlocal passed
            passed += 1
            if passed % STEP == 0:
                advance(passed, total)

        yield count_entry


def checkpoints_command(
    url: DatabaseArgument,
    out: Annotated[Path, typer.Option("--out", help="A new file; an earlier export is never overwritten.")],
) -> None:
    """Export every checkpoint: keep the file out of reach of people who can write the database."""
    from houseway.store.checkpoints import check_checkpoints, export_checkpoints  # noqa: PLC0415

    with reading(url) as store:
        check_checkpoints(store.checkpoints())
        text = export_checkpoints(store)
    write_new_file(out, text)
    print(f"{out}: {many(len(text.splitlines()), 'checkpoint')}")


def export_command(
    url: DatabaseArgument,
    out: Annotated[Path, typer.Option("--out", help="A folder; nothing in it is overwritten.")],
    form: Annotated[
        ExportFormat,
        typer.Option(
            "--format",
            help="Every entry as a line of JSON; rounds, payments and meters as CSV; or a copy of everything"
            " that `houseway verify-log` needs.",
        ),
    ] = ExportFormat.JSONL,
    key: Annotated[
        Path | None,
        typer.Option("--key", help="The floor's key, whose public half goes into a copy."),
    ] = None,
    signed_by: SignedBy = "",
) -> None:
    """Export the log: as entries.jsonl, as rounds.csv, payments.csv and meters.csv, or as a copy.

    A copy can be verified without a database. It holds password hashes: protect it like the database.

    Parquet is not written; any tool that reads CSV can convert it.
    """
    from houseway.floor.export import COLUMNS, LINES, export_lines, export_values  # noqa: PLC0415

    if form is ExportFormat.COPY:
        _export_copy(url, out, key, signed_by)
        return
    if key is not None or signed_by:
        raise InvalidInputError("only a copy holds the key that the log is signed by", value=form.value)
    work, names = (export_lines, [LINES]) if form is ExportFormat.JSONL else (export_values, [*COLUMNS])
    if out.exists() and not out.is_dir():
        raise InvalidInputError("files are written to a folder", value=str(out))
    with reading(url) as store, counted("entries", store) as seen, store.picture() as picture:
        entries = work(picture, out, seen)
    print(f"{out}: {many(entries, 'entry', 'entries')} as {', '.join(names)}")


def _export_copy(url: str, out: Path, key: Path | None, signed_by: str) -> None:
    """Write a copy of everything that a verifier needs."""
    from houseway.floor.copies import write_copy  # noqa: PLC0415

    verifier = verifier_of(key, signed_by)
    with reading(url) as store, counted("entries", store) as seen, store.picture() as picture:
        manifest, digest = write_copy(picture, out, verifier, seen)
        signed = picture.tree.last_signed() is not None
    files = many(len(manifest.files), "file")
    print(f"{out}: {many(manifest.entries, 'entry', 'entries')}, {files}, as manifest.json lists them")
    print(f"manifest.json has the SHA-256 {digest}")
    if signed and verifier is None:
        print("the key that the log is signed by is not in the copy: --key or --signed-by puts it there")
    print("hashes of passwords are in the copy: keep it as the database is kept")


def verifier_of(key: Path | None, signed_by: str) -> Verifier | None:
    """Return the public key that the floor signs by, as it was given or as the floor's key has it."""
    from houseway.rng import SystemEntropy  # noqa: PLC0415
    from houseway.store.safe import DeckSafe, load_key  # noqa: PLC0415
    from houseway.store.signed_notes import read_verifier  # noqa: PLC0415
    from houseway.store.tree_log import Notary  # noqa: PLC0415

    if signed_by:
        return read_verifier(signed_by)
    return Notary(DeckSafe(load_key(key), SystemEntropy())).verifier if key else None
