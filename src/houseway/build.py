"""Which build of the program runs: a hash over its code, its law and its games."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

LENGTH: Final = 16
"""The hexadecimal digits that name a build."""
_DECIDES: Final = (".py", ".toml", ".csv")
"""What a decision may depend on: code, law and games; how a page looks it does not."""


@cache
def this_build() -> str:
    """Return the name of the build that runs here: two of the same name decide everything alike."""
    return build_in(files("houseway"))


def build_in(package: Traversable) -> str:
    """Return the name of the build whose package lies in a folder; nothing of it is run."""
    digest = hashlib.sha256()
    for name, file in sorted(_shipped_files("", package)):
        digest.update(f"{name}\n{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:LENGTH]


def _shipped_files(path: str, folder: Traversable) -> list[tuple[str, Traversable]]:
    shipped = list[tuple[str, Traversable]]()
    for entry in folder.iterdir():
        name = f"{path}{entry.name}"
        if entry.is_dir():
            shipped += [] if entry.name == "__pycache__" else _shipped_files(f"{name}/", entry)
        elif entry.name.endswith(_DECIDES):
            shipped.append((name, entry))
    return shipped
