"""The words of the site, by key: a folder for each language, with the same keys in the same files.

A gap in braces is filled by the caller, a page or a script.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from houseway.errors import InvalidInputError, UnknownNameError

LANGUAGE: Final = "en"


def _flat(tree: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", str(value)


def _read(language: str) -> Mapping[str, str]:
    texts: dict[str, str] = {}
    folder = files("houseway.web") / "data" / "texts" / language
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        for key, words in _flat(tomllib.loads(file.read_text(encoding="utf-8"))):
            if key in texts:
                raise InvalidInputError("a text that is there twice", value=key, where=file.name)
            texts[key] = words
    return MappingProxyType(texts)


TEXTS: Final = _read(LANGUAGE)
"""Every text of the site by its key."""


def text(key: str, **values: object) -> str:
    """Return a text with its gaps filled.

    >>> text("site.name")
    'houseway'
    """
    words = TEXTS.get(key)
    if words is None:
        raise UnknownNameError("no such text", value=key)
    for name, value in values.items():
        words = words.replace(f"{{{name}}}", str(value))
    return words


def texts_under(*parts: str) -> dict[str, str]:
    """Return the texts that a page's scripts use: those under some parts of the catalogue."""
    return {key: words for key, words in TEXTS.items() if key.partition(".")[0] in parts}
