"""``houseway verify-log``: the log of a floor decided again, out of its database or out of a copy of it.

It only reads: a SQLite file may be served meanwhile. What reads a database is loaded when it is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer
from typer.exceptions import Exit

from houseway.build import this_build
from houseway.cli.log import SignedBy, counted, many, reading, said_by, verifier_of
from houseway.cli.output import AsJson, emit
from houseway.errors import HousewayError, InvalidInputError
from houseway.ledger import show_units

if TYPE_CHECKING:
    from houseway.cli.other_programs import Elsewhere, OtherBuild
    from houseway.floor.audit import FloorVerification
    from houseway.floor.verification import TailVerification
    from houseway.store.protocol import Picture, Store
    from houseway.store.safe import DeckSafe

NOT_ALL_DECIDED: Final = 3
"""The exit code where nothing is wrong, and another build has decided what this one would not."""
UNREADABLE: Final = (ValueError, TypeError, OverflowError)
"""What a column raises when it holds a value that is never written there."""


class VerifyOptions(NamedTuple):
    """What the command is given to hold the log against, and whether it shows a bar."""

    url: str
    exported: list[bytes]
    key: Path | None
    heads: list[bytes]
    signed_by: str
    processes: int | None
    quiet: bool


class LogSource(NamedTuple):
    """What is verified, and the public key that came with it if it is a copy."""

    store: Store
    signed_by: str = ""


class FaultError(Exception):
    """What is wrong with a log, in one line, and the place of the entry that it is about."""

    def __init__(self, problem: str, where: str = "") -> None:
        self.where = where
        super().__init__(problem)


def verify_log_command(
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL",
            help="A SQLite file, postgresql://… for a PostgreSQL database, or the folder of a copy.",
        ),
    ],
    exported: Annotated[
        Path | None, typer.Option("--exported", help="Checkpoints that were exported earlier.")
    ] = None,
    read_models: Annotated[
        bool, typer.Option("--readmodels", help="Also compare search and accounting with the log.")
    ] = False,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            help="The floor's key, to decide with decks still sealed and to check parts of leaves.",
        ),
    ] = None,
    head: Annotated[
        list[Path] | None,
        typer.Option("--head", help="A signed head that was kept elsewhere, as a witness does. Repeatable."),
    ] = None,
    signed_by: SignedBy = "",
    program: Annotated[
        list[Path] | None,
        typer.Option(
            "--program",
            help="The wheel of another build, which is run to decide its own entries. Repeatable.",
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option("--processes", min=1, help="How many processes decide; one for each core by default."),
    ] = None,
    since_checkpoint: Annotated[
        bool,
        typer.Option(
            "--since-checkpoint",
            help="Decide only what came after the last checkpoint, as a start does.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Verify a log by deciding all of it again: its chains, tree, checkpoints and books, too.

    Exit 1 on a fault, 3 if there is no fault but another build of the program decided some entries.
    """
    from houseway.cli.other_programs import unpacked  # noqa: PLC0415 - slow, and few commands need it

    if since_checkpoint and (read_models or program):
        raise InvalidInputError("--since-checkpoint goes with neither --readmodels nor --program")
    if read_models and _is_folder(url):
        raise InvalidInputError("a copy holds no read models: compare them in the database", value=url)
    lines = _bytes(exported).splitlines() if exported else []
    options = VerifyOptions(
        url, lines, key, [_bytes(path) for path in head or ()], signed_by, processes, as_json
    )
    try:
        with unpacked(program or []) as programs, _opened(url) as source:
            if since_checkpoint:
                _print_tail(*_tail(source, options), as_json=as_json)
                return
            verified, elsewhere, from_copy = _verify(source, options, programs)
            left = _compared(source.store, quiet=as_json) if read_models else None
    except FaultError as fault:
        _print_fault(fault, as_json=as_json)
        raise Exit(1) from None
    whole = not elsewhere.undecided and not left
    if as_json:
        compared = {} if left is None else {"read_models_not_compared": left}
        emit({"whole": whole, **_counts(verified, elsewhere), "key_came_with_copy": from_copy, **compared})
    else:
        _print_verified(verified, elsewhere, from_copy=from_copy)
        for name in left or ():
            print(f"not compared: the read model {name}: another version wrote it, or no server keeps it")
    if not whole:
        raise Exit(NOT_ALL_DECIDED)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInputError(f"cannot read the file: {error.strerror}", value=str(path)) from None


def _is_folder(url: str) -> bool:
    try:
        return Path(url).is_dir()
    except OSError:  # no path: too long a name, say
        return False


@contextmanager
def _opened(url: str) -> Iterator[LogSource]:
    """Open a database, or a copy, to read it only; what is wrong with the files of a copy is a fault."""
    if not _is_folder(url):
        with reading(url) as store:
            yield LogSource(store)
        return
    from houseway.floor.copies import CopyError, open_copy  # noqa: PLC0415

    try:
        with open_copy(Path(url)) as copy:
            yield LogSource(copy.store, copy.signed_by)
    except CopyError as error:
        raise FaultError(str(error)) from None
    except OSError as error:
        raise InvalidInputError(f"the copy cannot be read: {error.strerror}", value=url) from None


# --- verifying ----------------------------------------------------------------------------------------


def _verify(
    source: LogSource, options: VerifyOptions, programs: list[OtherBuild]
) -> tuple[FloorVerification, Elsewhere, bool]:
    """Return what is whole, what other programs say of the rest, and whether the key came with a copy."""
    from houseway.cli.other_programs import decide_elsewhere  # noqa: PLC0415
    from houseway.cli.side_by_side import side_by_side  # noqa: PLC0415
    from houseway.floor.audit import no_decks  # noqa: PLC0415
    from houseway.floor.verification import decks_in, verify_floor  # noqa: PLC0415
    from houseway.service.people_audit import FloorPersons  # noqa: PLC0415
    from houseway.store.shape import check_shape_of  # noqa: PLC0415
    from houseway.store.signed_notes import read_verifier  # noqa: PLC0415
    from houseway.store.sqlite import SqliteStore  # noqa: PLC0415
    from houseway.store.tree_log import Notary, check_leaves  # noqa: PLC0415

    store = source.store
    with _faults():
        if isinstance(store, SqliteStore):
            store.check_pages(whole=True)
        check_shape_of(store)
        url = str(store.path) if isinstance(store, SqliteStore) else options.url
        with (
            counted("entries", store, quiet=options.quiet) as seen,
            store.picture() as picture,
            side_by_side(url, picture, options.key, options.processes) as shares,
        ):
            safe = _safe_of(picture, options.key)
            verifier = verifier_of(options.key, options.signed_by)
            if verifier is not None and source.signed_by not in ("", str(verifier)):
                raise FaultError("the key in the copy is another than the floor's")
            from_copy = verifier is None and bool(source.signed_by)
            verified = verify_floor(
                picture,
                options.exported,
                seen,
                persons=FloorPersons(),
                decks=decks_in(picture, safe) if safe else no_decks,
                believes=safe.snapshots.believes if safe else None,
                heads=options.heads,
                verifier=read_verifier(source.signed_by) if from_copy else verifier,
                shares=shares,
            )
            if safe:
                check_leaves(picture, Notary(safe))
            elsewhere = decide_elsewhere(picture, verified, programs, options.key)
    if elsewhere.fault:
        raise FaultError(elsewhere.fault, elsewhere.where)
    return verified, elsewhere, from_copy


def _safe_of(picture: Picture, key: Path | None) -> DeckSafe | None:
    """Return what the floor's key opens, with what is on record of former keys; nothing without the key."""
    from houseway.floor.floor_keys import keys_on_record, safe_on_record  # noqa: PLC0415
    from houseway.rng import SystemEntropy  # noqa: PLC0415
    from houseway.store.safe import DeckSafe, load_key  # noqa: PLC0415

    if key is None:
        return None
    return safe_on_record(keys_on_record(picture), DeckSafe(load_key(key), SystemEntropy()))


def _tail(source: LogSource, options: VerifyOptions) -> tuple[TailVerification, str]:
    """Return what came after the last checkpoint, decided again, and the key that heads are signed by."""
    from houseway.floor.audit import no_decks  # noqa: PLC0415
    from houseway.floor.floor_keys import first_key, keys_on_record, periods_of  # noqa: PLC0415
    from houseway.floor.verification import decks_in, verify_tail  # noqa: PLC0415
    from houseway.service.people_audit import FloorPersons  # noqa: PLC0415
    from houseway.store.safe import believe_none  # noqa: PLC0415
    from houseway.store.tree_log import check_extends  # noqa: PLC0415

    verifier = verifier_of(options.key, options.signed_by)
    with _faults(), source.store.picture() as picture:
        safe = _safe_of(picture, options.key)
        decks = decks_in(picture, safe) if safe else no_decks
        keys = keys_on_record(picture)
        first, periods = first_key(keys, verifier), periods_of(keys, picture.tree)
        for head in (*(row.note for row in picture.tree.signed_heads()), *options.heads):
            check_extends(picture.tree, head, first, periods)
        tail = verify_tail(
            picture,
            FloorPersons(),
            lambda running: decks(running.stream),
            safe.snapshots.believes if safe else believe_none,
            exported=options.exported,
        )
    return tail, str(verifier or "")


@contextmanager
def _faults() -> Iterator[None]:
    """Treat any refusal, and anything unreadable, as a fault of the log."""
    from sqlalchemy.exc import DatabaseError  # noqa: PLC0415

    try:
        yield
    except HousewayError as error:
        raise FaultError(str(error), error.where) from None
    except (DatabaseError, *UNREADABLE) as error:
        raise FaultError(f"the database cannot be read: {said_by(error)}") from None


def _compared(store: Store, *, quiet: bool) -> tuple[str, ...]:
    """Compare the read models with the log; return which were not compared."""
    from houseway.floor.readmodels import check_read_models  # noqa: PLC0415
    from houseway.store.sql import SqlStore  # noqa: PLC0415

    assert isinstance(store, SqlStore)
    try:
        with counted("read models", store, quiet=quiet) as seen:
            return check_read_models(store, seen).left
    except HousewayError as error:
        raise FaultError(str(error), error.where) from None
    except UNREADABLE as error:
        raise FaultError(f"the read models cannot be read: {said_by(error)}") from None


# --- printing -----------------------------------------------------------------------------------------


def _print_fault(fault: FaultError, *, as_json: bool) -> None:
    if as_json:
        emit({"whole": False, "fault": str(fault), "where": fault.where, "build": this_build()})
    else:
        print("fault: " + " ".join(str(fault).split()))


def _print_tail(tail: TailVerification, signed_by: str, *, as_json: bool) -> None:
    if as_json:
        emit(
            {
                "whole": False,
                "since_checkpoint": tail.checkpoint,
                "build": this_build(),
                "streams": tail.log.streams,
                "entries": tail.log.entries,
                "decided_again": tail.decided,
                "signed_by": signed_by,
            }
        )
        return
    entries = f"{many(tail.log.entries, 'entry', 'entries')} in {many(tail.log.streams, 'stream')}"
    print(f"holds since checkpoint {tail.checkpoint}: {entries}, {many(tail.decided, 'act')} decided again")
    print("earlier entries were not checked: run without --since-checkpoint to check them")


def _counts(verified: FloorVerification, elsewhere: Elsewhere) -> dict[str, object]:
    log = verified.log
    return {
        "build": this_build(),
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
        "deck_still_sealed": len(verified.waiting),
        "waiting_for_decks": sorted(verified.waiting),
        "decided_by_other_builds": dict(elsewhere.decided),
        "other_programs": list(elsewhere.remarks),
        "not_decided_again": {build: len(places) for build, places in sorted(elsewhere.undecided.items())},
        "people_on_record": verified.people,
    }


def _print_verified(verified: FloorVerification, elsewhere: Elsewhere, *, from_copy: bool) -> None:
    log = verified.log
    parts = (
        many(log.streams, "stream"),
        many(log.entries, "entry", "entries"),
        many(verified.rounds, "round"),
        many(verified.meters, "meter"),
        many(log.checkpoints, "checkpoint") + f" ({log.exported} exported)",
    )
    whole = "nothing is wrong, but not everything was decided again" if elsewhere.undecided else "whole"
    print(f"{whole}: {', '.join(parts)}; the books come to {show_units(verified.total)}")
    print(f"decided again: {many(verified.decided, 'act')}")
    tree = verified.tree
    by = f"by {tree.signed_by}" if tree.signed_by else "the signer was not checked: give --key or --signed-by"
    came = ", whose key came with the copy: compare it with the floor's" if from_copy else ""
    witnessed = f", {tree.kept_elsewhere} of them kept elsewhere" if tree.kept_elsewhere else ""
    heads = many(tree.heads + tree.kept_elsewhere, "signed head")
    print(f"tree: {many(tree.leaves, 'leaf', 'leaves')}, {heads}{witnessed}, {by}{came}")
    if not verified.people and verified.decided:
        print("no users are on record: who acted was not checked")
    if verified.waiting:
        acts = many(len(verified.waiting), "act")
        print(f"of rounds in progress, {acts} wait for decks that are still sealed")
    for build, count in sorted(elsewhere.decided.items()):
        print(f"decided again by build {build}: {many(count, 'entry', 'entries')}")
    for remark in elsewhere.remarks:
        print(remark)
    for build, places in sorted(elsewhere.undecided.items()):
        print(f"not decided again: {many(len(places), 'entry', 'entries')} of {build}")
