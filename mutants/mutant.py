"""Mutants: the program with one mistake in it, named so that it can be made again in another process."""

from __future__ import annotations

import ast
import hashlib
import tomllib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import CodeType

from mutants.operators import Function, Members, members_of, sites

PARTS: Mapping[str, tuple[str, ...]] = {
    "rules": ("settlement", "meters", "ledger", "rounds", "games", "ranking"),
    "floor": ("chips", "floor", "store", "service"),
}
"""The rooms that are mutated together, by what they are about: the law at a table, or the floor around it."""
EQUIVALENT = Path(__file__).parent / "equivalent.toml"
Told = tuple[str, str, str, str, str]
"""A mutant by its file, its function, the text of its line, what stood there and what stands there."""


@dataclass(frozen=True)
class Mutant:
    """One mistake: where, of which kind, what stood there and what stands there now."""

    file: str
    """The module's path under the source folder."""
    number: int
    line: int
    operator: str
    within: str
    """The function it is in, or nothing at the top of a module."""
    text: str
    """The line of the source."""
    before: str
    after: str
    functions: tuple[tuple[int, str], ...]
    """The functions that run it, by first line and name; if it stands outside of any, those that it names,
    or else those that the call around it names: what a step consists of runs when the step is tried."""

    @property
    def module(self) -> str:
        """The name that the module is imported by."""
        return self.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")

    @property
    def name(self) -> str:
        """What names it in one tree, and no other mutant there."""
        return f"{self.file}:{self.number}"

    @property
    def told(self) -> Told:
        """What names it wherever its line stands."""
        return self.file, self.within, self.text, self.before, self.after


def first_line(function: Function) -> int:
    """Return the line that Python counts as a function's first: that of a decorator, if it has one."""
    decorators: list[ast.expr] = getattr(function, "decorator_list", [])
    return min([function.lineno, *(one.lineno for one in decorators)])


def key_of(function: Function) -> tuple[int, str]:
    """Return how a running function is known: its first line and its name."""
    return first_line(function), getattr(function, "name", "<lambda>")


def all_members(source: Path) -> Members:
    """Return the enumerations of every module below a folder."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(source.rglob("*.py")):
        found |= members_of(ast.parse(path.read_text(encoding="utf-8")))
    return found


def mutants_of(source: Path, path: Path, members: Members) -> list[Mutant]:
    """Return every mutant of a module."""
    source_text = path.read_text(encoding="utf-8")
    tree, lines = ast.parse(source_text), source_text.splitlines()
    named = {key_of(node)[1]: node for node in ast.walk(tree) if isinstance(node, Function)}
    found = []
    for number, site in enumerate(sites(tree, members)):
        about = (_functions_of(node, named) for node in (site.node, *reversed(site.around)))
        running = {key_of(site.within[-1])} if site.within else next(filter(None, about), set())
        line: int = getattr(site.node, "lineno", 1)
        found.append(
            Mutant(
                file=path.relative_to(source).as_posix(),
                number=number,
                line=line,
                operator=site.operator,
                within=".".join(key_of(one)[1] for one in site.within),
                text=lines[line - 1].strip(),
                before=site.before,
                after=site.after,
                functions=tuple(sorted(running)),
            )
        )
    return found


def _functions_of(node: ast.AST, named: Mapping[str, Function]) -> set[tuple[int, str]]:
    """Return the functions that a node holds or names, with those that they hold."""
    mentioned = [named[one.id] for one in ast.walk(node) if isinstance(one, ast.Name) and one.id in named]
    return {key_of(one) for part in (node, *mentioned) for one in ast.walk(part) if isinstance(one, Function)}


def every_mutant(source: Path, package: str, rooms: Sequence[str], members: Members) -> list[Mutant]:
    """Return every mutant of some rooms of a package."""
    paths = [path for room in rooms for path in sorted((source / package / room).rglob("*.py"))]
    return [mutant for path in paths for mutant in mutants_of(source, path, members)]


def sample(
    mutants: Iterable[Mutant], count: int, seed: str, apart: Container[Told] = ()
) -> tuple[list[Mutant], list[Mutant]]:
    """Return so many mutants, and those drawn on the way that are to be set apart.

    Each is drawn by what it says, so that a change of the source elsewhere leaves it in the sample.
    """
    drawn = sorted(mutants, key=lambda one: hashlib.sha256(repr((seed, *one.told)).encode()).digest())
    taken: list[Mutant] = []
    left: list[Mutant] = []
    for mutant in drawn:
        if len(taken) == count:
            break
        (left if mutant.told in apart else taken).append(mutant)
    return taken, left


def compiled(source: Path, mutant: Mutant, members: Members) -> CodeType:
    """Return the code of a module with the mistake in it."""
    path = source / mutant.file
    tree = ast.parse(path.read_text(encoding="utf-8"))
    site = next(islice(sites(tree, members), mutant.number, None))
    site.apply()
    return compile(tree, str(path), "exec")


# --- judged equivalent --------------------------------------------------------------------------------


def judged(path: Path = EQUIVALENT) -> dict[Told, str]:
    """Return the mutants that somebody judged to be no mistake, with the reason for each."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", [])
    found = {
        (row["file"], row["within"], row["line"], row["before"], row["after"]): row["why"].strip()
        for row in rows
    }
    if len(found) < len(rows) or not all(found.values()):
        raise ValueError("each equivalent mutant is listed once, with its reason")
    return found


def out_of_date(known: Iterable[Told], mutants: Iterable[Mutant]) -> list[str]:
    """Return the listed mutants that the source no longer has."""
    told = {mutant.told for mutant in mutants}
    return [" | ".join(one) for one in known if one not in told]
