"""A store copied to an empty one, checked on the way: backups, and what is restored from them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from sqlalchemy import MetaData, create_engine, inspect

from houseway.store.entries import Entry, Heads
from houseway.store.log_check import LogCheck, LogVerification
from houseway.store.postgres import PostgresStore
from houseway.store.postgres_url import parts_of
from houseway.store.protocol import Batch, Check, NotEmptyError, Picture, Store, accept_all
from houseway.store.sql import OtherVersionError
from houseway.store.sqlite import SqliteStore

PART: Final = 1_000
"""How many entries are copied at a time."""
_FEW: Final = 50
"""How many snapshots, which are large, or sealed decks."""
_ENDINGS: Final = ("", "-journal", "-wal", "-shm", ".lock")
"""The suffixes of the files that SQLite and a store make: of the database first."""
T = TypeVar("T")
Look = Callable[[Entry], object]
"""Is called with every entry, once it is known to be the one that was chained."""


Ending = Callable[[Picture, Heads, Entry | None], Sequence[Entry]]
"""Returns what a copy gets after all entries, by how streams end in the original and its last entry."""


def _add_nothing(*_: object) -> Sequence[Entry]:
    """Add nothing."""
    return ()


def _ignore_entry(_: object) -> None:
    """Do nothing with an entry."""


def copy_store(
    source: Store,
    target: Store,
    check: Check = accept_all,
    look: Look = _ignore_entry,
    ending: Ending = _add_nothing,
) -> LogVerification:
    """Copy a consistent picture of everything to an empty store: whole, or nothing of it.

    Chains, checkpoints and snapshots are checked on the way, and sealed decks stay encrypted. ``check`` is
    shown the copy before it is kept, ``look`` every entry as it goes by; ``ending`` returns what the copy
    gets after all of them.
    """
    with source.picture() as picture:
        checked = LogCheck(picture.checkpoints(), snapshots=picture.every_snapshot())
        target.fill(_parts(picture, checked, look, ending), check)
        return checked.finish()


def _parts(picture: Picture, checked: LogCheck, look: Look, ending: Ending) -> Iterator[Batch]:
    last: Entry | None = None
    for entries in _in_parts((entry for _, entry in picture.everything()), PART):
        for entry in entries:
            look(checked.see(entry))
        last = entries[-1]
        yield Batch(entries=entries)
    checked.finish()
    yield Batch(entries=ending(picture, checked.heads, last))
    for snapshots in _in_parts(picture.every_snapshot(), _FEW):
        yield Batch(snapshots=snapshots)
    for sealed in _in_parts(picture.every_sealed(), _FEW):
        yield Batch(sealed=sealed)
    yield Batch(checkpoints=picture.checkpoints())
    for leaves in _in_parts((leaf for leaf, _ in picture.tree.leaves()), PART):
        yield Batch(leaves=leaves)
    for tiles in _in_parts(picture.tree.tiles(), _FEW):
        yield Batch(tiles=tiles)
    yield Batch(signed=[*picture.tree.signed_heads()])


def _in_parts(things: Iterable[T], size: int) -> Iterator[list[T]]:
    left = iter(things)
    while part := list(islice(left, size)):
        yield part


def copy_to_file(
    source: Store,
    path: Path,
    check: Check = accept_all,
    look: Look = _ignore_entry,
    ending: Ending = _add_nothing,
) -> LogVerification:
    """Copy everything into a new SQLite file, durably; it is there whole, or not at all."""
    if path.exists():
        raise NotEmptyError("there is a file of this name already", value=str(path))
    if not path.parent.is_dir():
        raise NotEmptyError("there is no such folder", value=str(path.parent))
    under_way = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        target = SqliteStore(under_way)
        try:
            target.without_wal()
            verified = copy_store(source, target, check, look, ending)
        finally:
            target.close()
        _sync(under_way)
        under_way.rename(path)
        _sync(path.parent)
    finally:
        for beside in _ENDINGS:
            under_way.with_name(under_way.name + beside).unlink(missing_ok=True)
    return verified


def copy_to_postgres(
    source: Store, url: str, check: Check = accept_all, ending: Ending = _add_nothing
) -> LogVerification:
    """Copy everything into an empty PostgreSQL database; where there were no tables, failing leaves none."""
    there = _has_tables(url)
    target = PostgresStore(url)
    try:
        return copy_store(source, target, check, ending=ending)
    except BaseException:
        if not there:
            with target.engine.connect() as connection:
                tables = MetaData()
                tables.reflect(connection)
                tables.drop_all(connection)
        raise
    finally:
        target.close()


@contextmanager
def open_backup(path: Path) -> Iterator[Store]:
    """Open a backup to read it; one of an older version is brought up to date in a copy of its own."""
    with TemporaryDirectory() as folder:
        try:
            store = SqliteStore(path, read_only=True)
        except OtherVersionError:
            copy = Path(folder) / path.name
            shutil.copyfile(path, copy)
            store = SqliteStore(copy)
        try:
            yield store
        finally:
            store.close()


def _has_tables(url: str) -> bool:
    engine = create_engine("postgresql+psycopg://", connect_args=parts_of(url))
    try:
        return bool(inspect(engine).get_table_names())
    finally:
        engine.dispose()


def _sync(path: Path) -> None:
    """Have a file, or the names in a folder, written to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
