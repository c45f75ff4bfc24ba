"""Documents with one thing wrong: refused as they stand, and sound once that one thing is mended."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import pytest

from houseway.errors import DataError


class Bad(NamedTuple):
    """A file, the text that is wrong in it, the text that would be right, and what the refusal names.

    ``place`` follows the file's name at the head of the refusal: a line ``:6`` or a field ``: table``.
    It is empty only where the file is no TOML. ``value`` is what the refusal ends with.
    """

    file: str
    wrong: str
    right: str
    place: str
    value: str


def each(cases: Iterable[Bad]) -> pytest.MarkDecorator:
    """Run a test once for each bad document."""
    return pytest.mark.parametrize("bad", list(cases), ids=attrgetter("file"))


def check_refused(bad: Bad, folder: Path, read: Callable[[Path], object]) -> None:
    """The file is refused by its name, the place and the value."""
    with pytest.raises(DataError) as refusal:
        read(folder / bad.file)
    check_names(refusal.value, f"{bad.file}{bad.place}", bad.value)
    assert refusal.value.cause.startswith("not TOML: ") == (bad.place == "")


def check_names(refusal: DataError, where: str, value: str) -> None:
    """The refusal is ``file: field.path: cause: value``, the file and the field being exactly these."""
    assert refusal.where == where
    assert str(refusal).startswith(f"{where}: {refusal.cause}")
    assert str(refusal).endswith(value)


def mended(bad: Bad, folder: Path, tmp_path: Path) -> Path:
    """Return the file with its one fault mended."""
    text = (folder / bad.file).read_text(encoding="utf-8")
    assert text.count(bad.wrong) == 1
    path = tmp_path / bad.file
    path.write_text(text.replace(bad.wrong, bad.right), encoding="utf-8", newline="")
    return path


def names_in(folder: Path) -> set[str]:
    """Return the names of the files in a folder."""
    return {path.name for path in folder.iterdir()}
