"""The files of a copy of a log: a file of lines for each part of it, documents, a key, and a manifest.

Every line is a JSON object of one row as the database keeps it. What was hashed or signed is text, exactly
as it lies there, so that a reader of a line can hash it; what is bytes only is in hexadecimal digits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from houseway.errors import IllegalError
from houseway.store.entries import Entry
from houseway.store.protocol import Checkpoint, Leaf, LockedDeck, SignedHead, Tile

COPY_FORMAT: Final = 1
"""Goes up when programs that read earlier copies could not read the new ones."""
MANIFEST: Final = "manifest.json"
SIGNED_BY: Final = "signed-by.txt"
"""The public key by which the log is signed, as the floor prints it at its start."""
_DOCUMENTS: Final = {"law": "law/data", "games": "games/data"}
"""Where the program has the documents that go into a copy."""
Row = Entry | Checkpoint | Leaf | Tile | SignedHead | LockedDeck


class CopyError(IllegalError):
    """A copy that is not the one that was written."""


class NumberedEntry(Entry, frozen=True, kw_only=True):
    """An entry, and its number among all in the order in which they are read."""

    number: int


class LinesFile(Struct, frozen=True):
    """A file of lines: what each of them is, and which of its fields are text or digits for bytes."""

    name: str
    row: type[Row]
    texts: frozenset[str] = frozenset()
    digits: frozenset[str] = frozenset()

    def encode(self, row: Row) -> bytes:
        """Return the line that a row becomes, with its end; a ``ValueError`` is bytes that are no text."""
        fields = asdict(row)
        for name in self.texts:
            fields[name] = fields[name].decode()
        for name in self.digits:
            fields[name] = fields[name].hex()
        return msgspec.json.encode(fields) + b"\n"

    def decode(self, line: bytes) -> Any:  # noqa: ANN401 - a row of the part's own type
        """Return the row that a line holds; a ``ValueError`` says why it holds none."""
        fields = msgspec.json.decode(line)
        names = self.row.__struct_fields__
        if not isinstance(fields, dict) or fields.keys() != {*names}:
            raise ValueError(f"a line has {', '.join(names)}")
        for name in (*self.texts, *self.digits):
            if not isinstance(fields[name], str):
                raise ValueError(f"{name} is a text")
            fields[name] = fields[name].encode() if name in self.texts else bytes.fromhex(fields[name])
        return msgspec.convert(fields, type=self.row)


def _part(name: str, row: type[Row], *, texts: Iterable[str] = (), digits: Iterable[str] = ()) -> LinesFile:
    return LinesFile(name, row, frozenset(texts), frozenset(digits))


ENTRIES: Final = _part("entries.jsonl", NumberedEntry, texts=["body", "answer"], digits=["hash"])
CHECKPOINTS: Final = _part("checkpoints.jsonl", Checkpoint, texts=["body"], digits=["hash"])
LEAVES: Final = _part("leaves.jsonl", Leaf, digits=["salt", "parts"])
TILES: Final = _part("tiles.jsonl", Tile, digits=["hashes"])
SIGNED_HEADS: Final = _part("signed-heads.jsonl", SignedHead, texts=["note"])
SEALED_DECKS: Final = _part("sealed-decks.jsonl", LockedDeck, digits=["sealed"])
PARTS: Final = (ENTRIES, CHECKPOINTS, LEAVES, TILES, SIGNED_HEADS, SEALED_DECKS)
_ORDER: Final = {
    CHECKPOINTS: ("number",),
    LEAVES: ("number",),
    TILES: ("level", "number"),
    SIGNED_HEADS: ("size",),
    SEALED_DECKS: ("stream", "commitment"),
}


def order_of(part: LinesFile, row: Row) -> tuple[Any, ...]:
    """Return what the rows of a part are in order by; no two have the same."""
    return tuple(getattr(row, name) for name in _ORDER[part])


# --- the manifest -------------------------------------------------------------------------------------


class Maker(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The program that wrote a copy: its build, its version, and the fingerprint of all its law."""

    build: str
    version: str
    law: str


class ListedFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of a copy, by its path within it."""

    name: str
    sha256: str
    bytes: int


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is in a copy, and who wrote it."""

    format: int
    made_by: Maker
    entries: int
    files: tuple[ListedFile, ...]

    def encode(self) -> bytes:
        """Return the manifest as it is written, to be read by people too."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


def list_file(folder: Path, path: Path) -> ListedFile:
    """Return a file of a copy as its manifest lists it."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return ListedFile(name=path.relative_to(folder).as_posix(), sha256=digest, bytes=path.stat().st_size)


def documents() -> Iterator[tuple[str, bytes]]:
    """Yield the documents of the law and of the games that this program has, by their path in a copy."""
    for room, place in _DOCUMENTS.items():
        yield from _documents_in(f"program/{room}/", files("houseway").joinpath(place))


def _documents_in(path: str, folder: Traversable) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _documents_in(f"{path}{entry.name}/", entry)
        else:
            yield f"{path}{entry.name}", entry.read_bytes()
