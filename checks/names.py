"""Names that say nothing: ``python -m checks.names`` lists them and fails.

A binding that is called ``found`` or ``told`` says that something was done, and not what the thing is. So are
public classes that share a name with another: a reader has to look twice.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "src" / "houseway"
EMPTY: Final = frozenset({"asked", "found", "held", "kept", "made", "one", "said", "told"})
"""Names of values and functions that say nothing."""
STORED: Final = "what is stored, or sent, has a field of this name"
KEPT: Final[dict[str, str]] = {
    "floor/packets/model.py:asked": STORED,
    "floor/packets/model.py:made": STORED,
    "houseways/document.py:made": "a word of the language in which house ways are written",
    "rounds/state.py:made": STORED,
    "rounds/steps/idle.py:asked": STORED,
    "rounds/steps/rearrange.py:made": STORED,
    "rounds/views.py:held": STORED,
    "rounds/views.py:made": STORED,
    "service/hand_answers.py:asked": STORED,
    "service/hand_answers.py:made": STORED,
    "settlement/model.py:made": STORED,
    "training/history.py:asked": STORED,
}
"""Names that stay, by place, each with its reason."""


class Name(NamedTuple):
    """A name that is given at a place."""

    path: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name}"


def names_in(path: Path, package: Path = PACKAGE) -> Iterator[Name]:
    """Yield every name that a module gives a value or a function."""
    place = path.relative_to(package).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield Name(place, node.lineno, name)
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield Name(place, node.lineno, name)


def empty_names(package: Path = PACKAGE) -> list[Name]:
    """Return the names that say nothing, in the rooms that were brought to it."""
    paths = sorted(package.rglob("*.py"))
    return [
        name
        for path in paths
        for name in names_in(path, package)
        if name.name.strip("_") in EMPTY and f"{name.path}:{name.name}" not in KEPT
    ]


def shared_classes(package: Path = PACKAGE) -> dict[str, list[str]]:
    """Return the public classes whose name another has, too, with their modules."""
    places = defaultdict[str, list[str]](list)
    for path in sorted(package.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(package).as_posix())
    return {name: where for name, where in places.items() if len(where) > 1}


def main() -> int:
    """Print every name that says nothing, and every class that shares its own."""
    empty, shared = empty_names(), shared_classes()
    for name in empty:
        print(f"says nothing: {name}")
    for shared_name, where in shared.items():
        print(f"{shared_name} is a class in {', '.join(where)}")
    return int(bool(empty or shared))


if __name__ == "__main__":
    sys.exit(main())
