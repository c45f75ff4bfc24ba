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
    from houseway.floor.audit import FloorVerified
    from houseway.store.protocol import Store

NOT_ALL_DECIDED = 3
"""The exit code where nothing is wrong, and another build has decided what this one would not."""
UNREADABLE = (ValueError, TypeError, OverflowError)
"""What a column raises that holds what nobody writes there."""
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
    read_models: Annotated[
        bool, typer.Option("--readmodels", help="Compare what is searched and booked with the log, too.")
    ] = False,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            help="The floor's key: decks still sealed are decided by, and parts of leaves made again.",
        ),
    ] = None,
    head: Annotated[
        list[Path] | None,
        typer.Option(
            "--head", help="A signed head that somebody kept elsewhere, as a witness does; again and again."
        ),
    ] = None,
    signed_by: Annotated[
        str, typer.Option("--signed-by", help="The key by which the floor signs, as it prints it at a start.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Decide a whole log again; check its chains, its tree, its checkpoints and its books.

    Exit 1 on a fault, 3 where nothing is wrong but another build of the program has decided something.
    """
    lines = _lines(exported) if exported else []
    heads = [_bytes(path) for path in head or ()]
    left: tuple[str, ...] = ()
    with reading(url) as store:
        fault, verified = _verified(store, lines, key, heads, signed_by, quiet=as_json)
        if read_models and verified is not None:
            fault, left = _read_models_fault(store, quiet=as_json)
    if verified is None or fault:
        _fault(fault, as_json)
        raise Exit(1)
    if as_json:
        compared = {"read_models_not_compared": left} if read_models else {}
        emit({"whole": verified.whole and not left, **_counts(verified), **compared})
    else:
        _print_verified(verified)
        for name in left:
            print(f"not compared: the read model {name}, which another version wrote or nobody keeps up")
    if left or not verified.whole:
        raise Exit(NOT_ALL_DECIDED)


def _counts(verified: FloorVerified) -> dict[str, object]:
    log = verified.log
    return {
        "streams": log.streams,
        "entries": log.entries,
        "rounds": verified.rounds,
        "tables": verified.tables,
        "meters": verified.meters,
        "total": show_units(verified.total),
        "checkpoints": log.checkpoints,
        "exported_checkpoints": log.exported,
        "leaves": verified.tree.leaves,
        "signed_heads": verified.tree.heads,
        "kept_elsewhere": verified.tree.kept_elsewhere,
        "signed_by": verified.tree.signed_by,
        "decided_again": verified.decided,
        "deck_still_sealed": verified.sealed,
        "not_decided_again": dict(verified.undecided),
        "people_on_record": verified.people,
    }


def _print_verified(verified: FloorVerified) -> None:
    log = verified.log
    parts = (
        many(log.streams, "stream"),
        many(log.entries, "entry", "entries"),
        many(verified.rounds, "round"),
        many(verified.meters, "meter"),
        many(log.checkpoints, "checkpoint") + f" ({log.exported} exported)",
    )
    whole = "whole" if verified.whole else "nothing is wrong, but not everything was decided again"
    print(f"{whole}: {', '.join(parts)}; the books come to {show_units(verified.total)}")
    print(f"decided again: {many(verified.decided, 'act')}")
    tree = verified.tree
    by = (
        f"by {tree.signed_by}"
        if tree.signed_by
        else "by whom was not looked at: --key or --signed-by says it"
    )
    elsewhere = f", {tree.kept_elsewhere} of them kept elsewhere" if tree.kept_elsewhere else ""
    heads = many(tree.heads + tree.kept_elsewhere, "signed head")
    print(f"tree: {many(tree.leaves, 'leaf', 'leaves')}, {heads}{elsewhere}, {by}")
    if not verified.people and verified.decided:
        print("nobody is on record as a user: who acted was not judged")
    if verified.sealed:
        print(f"of rounds in progress, {many(verified.sealed, 'act')} wait for decks that are still sealed")
    for build, entries in sorted(verified.undecided.items()):
        print(f"not decided again: {many(entries, 'entry', 'entries')} of {build}")


def _verified(
    store: Store, lines: list[bytes], key: Path | None, heads: list[bytes], signed_by: str, *, quiet: bool
) -> tuple[str, FloorVerified | None]:
    """Return the fault that was found, or what is whole."""
    from sqlalchemy.exc import DatabaseError  # noqa: PLC0415

    from houseway.floor.audit import no_decks  # noqa: PLC0415
    from houseway.floor.keys import keys_on_record, safe_on_record  # noqa: PLC0415
    from houseway.floor.verifying import decks_in, verify_floor  # noqa: PLC0415
    from houseway.rng import SystemEntropy  # noqa: PLC0415
    from houseway.service.auditing import FloorPersons  # noqa: PLC0415
    from houseway.store.notes import read_verifier  # noqa: PLC0415
    from houseway.store.sealing import DeckSafe, existing_key  # noqa: PLC0415
    from houseway.store.shape import check_shape_of  # noqa: PLC0415
    from houseway.store.sqlite import SqliteStore  # noqa: PLC0415
    from houseway.store.tree_log import Notary, check_leaves  # noqa: PLC0415

    try:
        if isinstance(store, SqliteStore):
            store.check_pages(whole=True)
        check_shape_of(store)
        with counted("entries", store, quiet=quiet) as seen, store.picture() as picture:
            safe = DeckSafe(existing_key(key), SystemEntropy()) if key else None
            safe = safe and safe_on_record(keys_on_record(picture), safe)
            decks = decks_in(picture, safe) if safe else no_decks
            verifier = read_verifier(signed_by) if signed_by else Notary(safe).verifier if safe else None
            verified = verify_floor(
                picture,
                lines,
                seen,
                persons=FloorPersons(),
                decks=decks,
                believes=safe.snapshots.believes if safe else None,
                heads=heads,
                verifier=verifier,
            )
            if safe:
                check_leaves(picture, Notary(safe))
            return "", verified
    except HousewayError as error:
        return str(error), None
    except (DatabaseError, *UNREADABLE) as error:
        return f"the database cannot be read: {_said(error)}", None


def _read_models_fault(store: Store, *, quiet: bool) -> tuple[str, tuple[str, ...]]:
    """Return in what the read models differ from the log, if they do, and which were not compared."""
    from houseway.floor.readmodels import check_read_models  # noqa: PLC0415
    from houseway.store.sql import SqlStore  # noqa: PLC0415

    assert isinstance(store, SqlStore)
    try:
        with counted("read models", store, quiet=quiet) as seen:
            return "", check_read_models(store, seen).left
    except HousewayError as error:
        return str(error), ()
    except UNREADABLE as error:
        return f"the read models cannot be read: {_said(error)}", ()


def _fault(said: str, as_json: bool) -> None:
    if as_json:
        emit({"whole": False, "fault": said})
    else:
        print("fault: " + " ".join(said.split()))


def _lines(path: Path) -> list[bytes]:
    return _bytes(path).splitlines()


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
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
