"""On which line of a TOML file a key or a value stands, so that a refusal can name it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

Path = tuple[str | int, ...]
_PIECES: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}]|\n', re.S
)
"""What decides where a statement ends: texts and comments as a whole, brackets, ends of lines."""
_HEADER: Final = re.compile(r"(\[\[?)([^\[\]]+)\]")
_KEY: Final = re.compile(
    r"((?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')(?:\s*\.\s*(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*'))*)\s*="
)


@dataclass
class TomlLines:
    """The statements of a TOML text: the path each gives a value to, its first line and its text.

    >>> lines = TomlLines('id = "x"\\n[[rule]]\\nid = "a"\\nwhen = { shape = [\\n  "pear",\\n] }\\n')
    >>> lines.line_of(("rule", 0, "when", "shape", 0), "pear"), lines.line_of(("rule", 0, "say"))
    (5, 2)
    """

    text: str
    starts: list[tuple[Path, int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        table: Path = ()
        seen: dict[Path, int] = {}
        for line, statement in statements(self.text):
            header = _HEADER.match(statement)
            if header:
                table = _place(_keys(header[2]), seen, is_new=header[1] == "[[")
                self.starts.append((table, line, statement))
            elif key := _KEY.match(statement):
                self.starts.append(((*table, *_keys(key[1])), line, statement))

    def line_of(self, path: Sequence[str | int], value: object = None) -> int:
        """Return the line of the nearest statement to a path, and within it of the value or its key."""
        best: tuple[Path, int, str] = ((), 1, "")
        for start in self.starts:
            if len(start[0]) >= len(best[0]) and tuple(path[: len(start[0])]) == start[0]:
                best = start
        prefix, line, statement = best
        keys = [str(step) for step in path[len(prefix) :] if isinstance(step, str)]
        sought = [f'"{value}"' if isinstance(value, str) else None, *reversed(keys)]
        for word in (word for word in sought if word):
            at = statement.find(word)
            if at >= 0:
                return line + statement.count("\n", 0, at)
        return line


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield each statement, which may go over several lines, with the number of its first line."""
    first, line, start, depth = 1, 1, 0, 0
    for piece in _PIECES.finditer(text):
        token = piece[0]
        depth += (token in ("[", "{")) - (token in ("]", "}"))
        line += token.count("\n")
        if token == "\n" and depth <= 0:
            yield first, text[start : piece.start()].strip()
            first, start, depth = line, piece.end(), 0
    yield first, text[start:].strip()


def _keys(text: str) -> tuple[str, ...]:
    """Read a dotted key."""
    keys: list[str] = []
    try:
        table = tomllib.loads(f"{text} = 0")
    except tomllib.TOMLDecodeError:
        return (text.strip(),)
    while isinstance(table, dict):
        ((key, table),) = table.items()
        keys.append(key)
    return tuple(keys)


def _place(keys: tuple[str, ...], seen: dict[Path, int], *, is_new: bool) -> Path:
    """Return the path of a header, with the number of each table that is one of several."""
    path: Path = ()
    for place, key in enumerate(keys):
        path = (*path, key)
        if is_new and place == len(keys) - 1:
            seen[path] = seen.get(path, -1) + 1
        if path in seen:
            path = (*path, seen[path])
    return path
