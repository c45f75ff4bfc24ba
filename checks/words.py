"""Words that a good manual does not print: ``python -m checks.words`` lists them and fails.

Documents, the words of the pages and the help of the commands are looked at. Code in documents is not: what a
program prints is its own, and a name in backticks is a name.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
DOCUMENTS: Final = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/**/*.md",
    "tests/README.md",
    "tests/scenarios/README.md",
    "src/houseway/*/README.md",
)
TEXTS: Final = "src/houseway/web/data/texts/**/*.toml"
HELP: Final = "src/houseway/cli/*.py"
WORDS: Final[dict[str, str]] = {
    r"afresh": "again",
    r"anew": "again",
    r"anybody": "anyone, any user",
    r"comes? of it": "follows, the result",
    r"everybody": "everyone, all users",
    r"nobody": "no one, no player",
    r"so many(?!(?:\s+\w+){0,3}\s+that\b)": "this many, a number of",
    r"somebody": "a person, a user, a player",
    r"whoever": "the person who, anyone who",
}
"""What is refused, as a pattern, and what to write instead. "So many hands that …" is plain."""
KEPT: Final[dict[str, str]] = {
    "docs/roles.md:nobody": "reasons for which cards are hidden, as refusals have them",
}
"""Words that stay, by place, each with its reason."""
_CODE: Final = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)


class Word(NamedTuple):
    """A word that is refused, where it is, and what to write instead."""

    path: str
    line: int
    word: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.word} (write: {self.instead})"


def words_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, word and replacement of each refused word of a text."""
    for pattern, instead in WORDS.items():
        for match in re.finditer(rf"\b(?:{pattern})\b", text, re.IGNORECASE):
            yield text.count("\n", 0, match.start()) + 1, match[0].lower(), instead


def prose_of(document: str) -> str:
    """Return a document without its code, each line where it was."""
    return _CODE.sub(lambda code: "\n" * code[0].count("\n"), document)


def texts_in(data: dict[str, Any]) -> Iterator[str]:
    """Yield every text of a page's words, however deep."""
    for value in data.values():
        yield from texts_in(value) if isinstance(value, dict) else [str(value)]


def every_word(root: Path = ROOT) -> Iterator[Word]:
    """Yield each refused word of the documents, the pages and the help, those that stay included."""
    for path in sorted({path for pattern in DOCUMENTS for path in root.glob(pattern)}):
        for line, word, instead in words_in(prose_of(path.read_text(encoding="utf-8"))):
            yield Word(path.relative_to(root).as_posix(), line, word, instead)
    for path in sorted(root.glob(TEXTS)):
        source = path.read_text(encoding="utf-8")
        for text in texts_in(tomllib.loads(source)):
            for _, word, instead in words_in(text):
                line = source.count("\n", 0, source.find(text)) + 1
                yield Word(path.relative_to(root).as_posix(), line, word, instead)
    for path in sorted(root.glob(HELP)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for line, word, instead in words_in(node.value):
                    where = node.lineno + line - 1
                    yield Word(path.relative_to(root).as_posix(), where, word, instead)


def refused_words(root: Path = ROOT) -> list[Word]:
    """Return the words that do not stay."""
    return [word for word in every_word(root) if f"{word.path}:{word.word}" not in KEPT]


def main() -> int:
    """Print every refused word with its place."""
    words = refused_words()
    for word in words:
        print(word)
    return int(bool(words))


if __name__ == "__main__":
    sys.exit(main())
