"""``houseway backup`` and ``restore``: everything that a floor has stored, as one file, and back again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houseway.cli.log import DatabaseArgument, counted, many, readable, reading
from houseway.errors import HousewayError, IllegalError, InvalidInputError

if TYPE_CHECKING:
    from houseway.floor.audit import FloorVerification
    from houseway.store.entries import Entry, Heads
    from houseway.store.protocol import Picture, Store

SQLITE = "sqlite:///"
KeyOption = Annotated[
    Path | None,
    typer.Option("--key", help="Where the key of sealed decks is; next to a SQLite file by default."),
]
WithKey = Annotated[
    bool, typer.Option("--with-key", help="Copy the key too. With both, decks in play can be opened.")
]


def backup_command(
    url: DatabaseArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; nothing is overwritten.")],
    key: KeyOption = None,
    with_key: WithKey = False,
) -> None:
    """Copy a floor, as of one moment, into one SQLite file; the floor may be served meanwhile."""
    from houseway.store.safe import copy_key, key_path  # noqa: PLC0415
    from houseway.store.store_copy import copy_to_file  # noqa: PLC0415 - slow, and few commands need it

    path = key or _beside(url)
    if with_key and (path is None or not path.exists()):
        raise IllegalError("there is no key of sealed decks; --key says where it is", value=str(path or url))
    with reading(url) as store, counted("entries", store) as seen:
        copied = copy_to_file(store, file, look=lambda _: seen())
    entries = many(copied.entries, "entry", "entries")
    print(f"{file}: {many(copied.streams, 'stream')}, {entries}, chains whole")
    if with_key and path is not None:
        copy_key(path, key_path(file))
        print(f"the key of sealed decks is in {key_path(file)}: keep it apart from the backup")
    else:
        place = f"it is in {path}" if path and path.exists() else "the server of the floor has it"
        print(f"the key of sealed decks is not in the backup: {place}; rounds in progress need it")


def restore_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    url: DatabaseArgument,
    key: KeyOption = None,
    with_key: WithKey = False,
    by: Annotated[
        str,
        typer.Option("--by", help="Who restores it, for the record.", metavar="NAME"),
    ] = "",
) -> None:
    """Restore a backup to a new SQLite file or an empty PostgreSQL database, after checking all of it.

    The restore is recorded as the next entry of its log.
    """
    from houseway.cli.system import SystemRuntime  # noqa: PLC0415
    from houseway.floor.restores import entries_of_restore  # noqa: PLC0415
    from houseway.floor.verification import verify_floor  # noqa: PLC0415
    from houseway.service.clock import FloorClock, latest_moment  # noqa: PLC0415
    from houseway.store.safe import copy_key, key_path  # noqa: PLC0415
    from houseway.store.store_copy import copy_to_file, copy_to_postgres, open_backup  # noqa: PLC0415
    from houseway.store.store_url import POSTGRES  # noqa: PLC0415

    target = key or _beside(url)
    if with_key and target is None:
        raise InvalidInputError("--key says where the key of sealed decks goes", value=url)
    if with_key and not key_path(file).exists():
        raise IllegalError("there is no key next to the backup", value=str(key_path(file)))
    if with_key and target is not None and target.exists():
        raise IllegalError("there is a key already", value=str(target))
    verified: list[FloorVerification] = []
    lost = ""
    with readable(), open_backup(file) as store, counted("entries", store) as seen:
        clock = FloorClock(SystemRuntime(), latest_moment(store))
        lost = _lost(store, url)

        def check(picture: Picture) -> None:
            verified.append(verify_floor(picture, on_entry=seen))

        def ending(picture: Picture, ends: Heads, last: Entry | None) -> list[Entry]:
            return entries_of_restore(picture.tree, ends, last, by, clock())

        if url.startswith(POSTGRES):
            copy_to_postgres(store, url, check, ending)
        else:
            copy_to_file(store, Path(url.removeprefix(SQLITE)), check, ending=ending)
    log, rounds = verified[0].log, many(verified[0].rounds, "round")
    entries = many(log.entries, "entry", "entries")
    print(f"restored and whole: {many(log.streams, 'stream')}, {entries}, {rounds}")
    print(f"on record as restored by {by or 'the command line'}")
    if lost:
        print(lost)
    if with_key and target is not None:
        copy_key(key_path(file), target)
        print(f"the key of sealed decks is in {target}")


def _lost(backup: Store, url: str) -> str:
    """Return what the head next to the target database shows that a backup lacks, if it shows more."""
    from houseway.store.store_url import POSTGRES  # noqa: PLC0415
    from houseway.store.tree_log import check_extends, head_path  # noqa: PLC0415

    place = None if url.startswith(POSTGRES) else head_path(Path(url.removeprefix(SQLITE)))
    if place is None or not place.exists():
        return ""
    try:
        check_extends(backup.tree, place.read_bytes(), None)
    except HousewayError as error:
        return f"{place} shows more than this backup: {error}; no start until it is taken away: keep it"
    return ""


def _beside(url: str) -> Path | None:
    """Return where the key of a database is kept if it is a file."""
    from houseway.store.safe import key_path  # noqa: PLC0415
    from houseway.store.store_url import POSTGRES  # noqa: PLC0415

    return None if url.startswith(POSTGRES) else key_path(Path(url.removeprefix(SQLITE)))
