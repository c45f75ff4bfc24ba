"""Writes a copy of a log: everything that a verifier needs, and nothing that follows from it.

Snapshots, what is searched and what is booked are left out, since all of it is folded from the entries. The
floor's own key is never in a copy, only its public half.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import BinaryIO, Final

from msgspec.structs import asdict

from houseway.build import this_build
from houseway.errors import DataError, IllegalError, InvalidInputError
from houseway.floor.copies.files import (
    CHECKPOINTS,
    COPY_FORMAT,
    ENTRIES,
    LEAVES,
    MANIFEST,
    SEALED_DECKS,
    SIGNED_BY,
    SIGNED_HEADS,
    TILES,
    LinesFile,
    Maker,
    Manifest,
    NumberedEntry,
    Row,
    documents,
    list_file,
    order_of,
)
from houseway.floor.house import this_program
from houseway.store.protocol import Picture
from houseway.store.signed_notes import Verifier, check_note, read_note

_FOLDER: Final = 0o700
_FILE: Final = 0o600
"""A copy holds what people prove themselves by, hashed: it is its owner's alone, like the database."""


def write_copy(
    picture: Picture,
    folder: Path,
    verifier: Verifier | None = None,
    on_entry: Callable[[], object] = lambda: None,
) -> tuple[Manifest, str]:
    """Write a copy of a log to a new folder, whole or not at all; return its manifest, and that one's hash.

    ``verifier`` is the floor's public key, which is refused if the log is signed by another. ``on_entry`` is
    called for every entry.
    """
    last = picture.tree.last_signed()
    if verifier is not None and last is not None:
        check_note(read_note(last.note), [verifier])
    folder = folder.absolute()
    under_way = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise IllegalError("a copy is written to a new folder", value=str(folder))
        folder.parent.mkdir(parents=True, exist_ok=True)
        under_way.mkdir(_FOLDER)
        manifest = _write(picture, under_way, verifier, on_entry)
        under_way.rename(folder)
    except OSError as error:
        raise InvalidInputError(f"cannot be written: {error.strerror}", value=str(folder)) from None
    finally:
        rmtree(under_way, ignore_errors=True)
    return manifest, hashlib.sha256(manifest.encode()).hexdigest()


def _write(
    picture: Picture, folder: Path, verifier: Verifier | None, on_entry: Callable[[], object]
) -> Manifest:
    """Write every file of a copy, its manifest last."""
    entries = 0
    for part, rows in _rows(picture).items():
        with _new_file(folder / part.name) as file:
            for number, row in enumerate(rows, start=1):
                try:
                    file.write(part.encode(row))
                except UnicodeDecodeError:
                    raise DataError("it is no text", where=f"{part.name} line {number}") from None
                if part is ENTRIES:
                    entries = number
                    on_entry()
    others = {SIGNED_BY: f"{verifier}\n".encode()} if verifier is not None else {}
    for name, data in {**others, **dict(documents())}.items():
        (folder / name).parent.mkdir(_FOLDER, parents=True, exist_ok=True)
        with _new_file(folder / name) as file:
            file.write(data)
    program = this_program()
    manifest = Manifest(
        format=COPY_FORMAT,
        made_by=Maker(build=this_build(), version=program.version, law=program.law),
        entries=entries,
        files=tuple(list_file(folder, path) for path in sorted(folder.rglob("*")) if path.is_file()),
    )
    with _new_file(folder / MANIFEST) as file:
        file.write(manifest.encode())
    return manifest


def _rows(picture: Picture) -> dict[LinesFile, Iterable[Row]]:
    """Return the rows of every part; decks are put in order, since databases order texts differently."""
    tree = picture.tree
    return {
        ENTRIES: _entries(picture),
        CHECKPOINTS: picture.checkpoints(),
        LEAVES: (leaf for leaf, _ in tree.leaves()),
        TILES: tree.tiles(),
        SIGNED_HEADS: tree.signed_heads(),
        SEALED_DECKS: sorted(picture.every_sealed(), key=partial(order_of, SEALED_DECKS)),
    }


def _entries(picture: Picture) -> Iterator[NumberedEntry]:
    for number, (_, entry) in zip(count(1), picture.everything(), strict=False):
        yield NumberedEntry(number=number, **asdict(entry))


def _new_file(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE), "wb")
