"""Reads a copy of a log: its files are compared with its manifest, its lines put into a store of their own.

The store is a SQLite file that lasts as long as it is read, so a copy is verified by the very functions that
verify a database. A manifest shows what was damaged or lost on the way; a forger of a copy
can change it too, and is found out by the chains, the tree and the decisions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from sqlite3 import IntegrityError
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy.exc import DatabaseError

from houseway.build import this_build
from houseway.errors import HousewayError, InvalidInputError
from houseway.floor.copies.files import (
    CHECKPOINTS,
    COPY_FORMAT,
    ENTRIES,
    LEAVES,
    MANIFEST,
    PARTS,
    SEALED_DECKS,
    SIGNED_BY,
    SIGNED_HEADS,
    TILES,
    CopyError,
    LinesFile,
    Manifest,
    documents,
    list_file,
    order_of,
)
from houseway.store.protocol import Batch
from houseway.store.signed_notes import read_verifier
from houseway.store.sqlite import SqliteStore
from houseway.store.store_copy import PART


class Copy(Struct, frozen=True):
    """A copy that is open: the store that it was brought into, and the public key that came with it."""

    store: SqliteStore
    signed_by: str
    """Nothing where no key is in the copy."""


@contextmanager
def open_copy(folder: Path) -> Iterator[Copy]:
    """Open a copy to read it; raise which file or line is not as it was written."""
    manifest = _check_files(folder)
    names = {file.name for file in manifest.files}
    signed_by = _public_key(folder) if SIGNED_BY in names else ""
    with TemporaryDirectory() as place:
        store = SqliteStore(Path(place) / "copy.db")
        try:
            _fill(store, folder, manifest)
            yield Copy(store, signed_by)
        finally:
            store.close()


# --- files --------------------------------------------------------------------------------------------


def _check_files(folder: Path) -> Manifest:
    """Return the manifest of a copy whose files are those that it lists."""
    manifest = _manifest(folder)
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    names = [file.name for file in manifest.files]
    for name in sorted(name for name, times in Counter(names).items() if times > 1):
        raise CopyError("the manifest lists a file twice", value=name)
    for name in sorted(({*names} | {part.name for part in PARTS}) - there):
        raise CopyError("a file of the copy is missing", value=name)
    for name in sorted(there - {*names, MANIFEST}):
        raise CopyError("a file lies in the copy that its manifest does not list", value=name)
    for file in manifest.files:
        if list_file(folder, folder / file.name) != file:
            raise CopyError("the file is not the one that was written", value=file.name)
    if manifest.made_by.build == this_build():
        _check_documents(folder, {name for name in names if name.startswith(_DOCUMENTS)})
    return manifest


def _manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    if not path.is_file():
        raise CopyError("a file of the copy is missing", value=MANIFEST)
    data = path.read_bytes()
    try:
        form = msgspec.json.decode(data, type=_Form).format
        if form == COPY_FORMAT:
            return msgspec.json.decode(data, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CopyError(f"the manifest cannot be read: {error}", where=MANIFEST) from None
    raise InvalidInputError(f"a copy of format {COPY_FORMAT} is read here", value=form, where=MANIFEST)


class _Form(Struct):
    """A manifest of any format, as far as that is asked."""

    format: int


_DOCUMENTS: Final = "program/"


def _check_documents(folder: Path, names: set[str]) -> None:
    """Refuse documents that are not those of this build; those of another build cannot be checked here."""
    own = dict(documents())
    for name in sorted(names ^ own.keys()):
        raise CopyError("the copy has other documents than the build that wrote it", value=name)
    for name, data in own.items():
        if (folder / name).read_bytes() != data:
            raise CopyError("this is not the document of the build that wrote the copy", value=name)


def _public_key(folder: Path) -> str:
    try:
        return str(read_verifier((folder / SIGNED_BY).read_text(encoding="utf-8").strip()))
    except (HousewayError, UnicodeDecodeError) as error:
        raise CopyError(f"it holds no public key: {error}", where=SIGNED_BY) from None


_FIELDS: Final = {
    CHECKPOINTS: "checkpoints",
    LEAVES: "leaves",
    TILES: "tiles",
    SIGNED_HEADS: "signed",
    SEALED_DECKS: "sealed",
}
"""What of a batch each part is, but for entries."""
# --- lines --------------------------------------------------------------------------------------------


def _fill(store: SqliteStore, folder: Path, manifest: Manifest) -> None:
    try:
        store.fill(_batches(folder, manifest))
    except (IntegrityError, DatabaseError, OverflowError) as error:
        raise CopyError(f"no store holds what the copy holds: {getattr(error, 'orig', error)}") from None


def _batches(folder: Path, manifest: Manifest) -> Iterator[Batch]:
    """Yield all that a copy holds, in the order in which a store is filled."""
    entries = _entries(folder, manifest)
    while several := [*islice(entries, PART)]:
        yield Batch(entries=several)
    for part, field in _FIELDS.items():
        rows = _in_order(folder, part)
        while several := [*islice(rows, PART)]:
            yield Batch(**{field: several})


def _entries(folder: Path, manifest: Manifest) -> Iterator[Any]:
    """Yield every entry; a line doubled, left out or put elsewhere is named."""
    number, last = 0, dict[str, int]()
    for number, (line, entry) in enumerate(_rows(folder, ENTRIES), start=1):
        where = f"{ENTRIES.name} line {line}"
        if entry.number != number:
            raise CopyError(f"entry number {number} comes next", value=entry.number, where=where)
        version = last.get(entry.stream, 0) + 1
        if entry.version != version:
            cause = f"version {version} of {entry.stream} comes next"
            raise CopyError(cause, value=entry.version, where=where)
        last[entry.stream] = version
        yield entry
    if number != manifest.entries:
        raise CopyError(f"the manifest counts {manifest.entries:,} entries", value=number, where=ENTRIES.name)


def _in_order(folder: Path, part: LinesFile) -> Iterator[Any]:
    """Yield every row of a part; one that is there twice, or elsewhere than it was written, is named."""
    last: Any = None
    for line, row in _rows(folder, part):
        key = order_of(part, row)
        if last is not None and key <= last:
            raise CopyError(f"it does not come after {last}", value=key, where=f"{part.name} line {line}")
        last = key
        yield row


def _rows(folder: Path, part: LinesFile) -> Iterator[tuple[int, Any]]:
    """Yield every row of a part, with the number of its line."""
    with (folder / part.name).open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield number, part.decode(line)
            except (ValueError, RecursionError) as error:
                raise CopyError(f"it cannot be read: {error}", where=f"{part.name} line {number}") from None
