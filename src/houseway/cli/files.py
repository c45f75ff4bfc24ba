"""The files that commands write: a path that cannot be written is refused, if possible before any work."""

from __future__ import annotations

import os
from pathlib import Path

from houseway.errors import IllegalError, InvalidInputError


def write_file(path: Path, text: str) -> None:
    """Write a file, or refuse a path that cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None


def write_new_file(path: Path, data: bytes) -> None:
    """Write a file, or refuse a path that exists or cannot be written."""
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise already_there(path) from None
    except OSError as error:
        raise InvalidInputError(f"cannot write the file: {error.strerror}", value=str(path)) from None


def make_folder(path: Path) -> None:
    """Make a folder that files can be written to, or refuse its path."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None
    if not os.access(path, os.W_OK):
        raise InvalidInputError("cannot be written: Permission denied", value=str(path))


def verify_file(path: Path | None) -> None:
    """Refuse a path that no file can be written to."""
    if path is None:
        return
    there = _nearest(path)
    if path.is_dir():
        raise InvalidInputError("cannot be written: it is a folder", value=str(path))
    if not path.absolute().parent.is_dir():
        raise InvalidInputError("cannot be written: there is no such folder", value=str(path))
    if not os.access(there, os.W_OK):
        raise InvalidInputError("cannot be written: Permission denied", value=str(path))


def verify_folder(path: Path) -> None:
    """Refuse a path at which no folder can be made or written to."""
    there = _nearest(path)
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise InvalidInputError("cannot be written: no folder can be made there", value=str(path))


def already_there(path: Path) -> IllegalError:
    """Return the refusal to write over a file."""
    return IllegalError("there is a file of this name already, which is not written over", value=str(path))


def unwritable(path: Path, error: OSError | ValueError) -> InvalidInputError:
    """Return the refusal of a path; a ``ValueError`` is a name that no file can have."""
    why = error.strerror if isinstance(error, OSError) else str(error)
    return InvalidInputError(f"cannot be written: {why}", value=str(path))


def _nearest(path: Path) -> Path:
    """Return the nearest of a path and its parents that exists."""
    try:
        path = path.absolute()
        os.fsencode(path)
        if "\0" in str(path):
            raise ValueError("embedded null byte")
        return next(place for place in (path, *path.parents) if place.exists())
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None
