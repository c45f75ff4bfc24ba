"""Definitions that nothing but tests uses: ``python -m checks.unused`` names them and fails.

Functions, classes, constants and methods are followed from where the house is entered: the command line, what
the library opens, what stands at the top of a module and is not given a name, scripts beside the package and
examples in the documents. A name is resolved through the imports of its module; a method is used where an
attribute of its name is read by something that is used. Fields are not followed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "src" / "houseway"
SCRIPTS: Final = ("docs", "examples", "benchmarks", "mutants")
"""What people run or read beside the package: what it uses is used."""
APART: Final = ("store.migrations",)
"""Modules that another program loads."""
GATHERED: Final = frozenset({"STEPS"})
"""Names that are read of every module of a folder."""
HOOKS: Final = frozenset({"_repr_html_", "_repr_svg_", "_repr_mimebundle_"})
"""Methods that a notebook calls."""
OPENED: Final = ("library",)
"""Rooms whose public names and methods are for people."""
ENTRANCES: Final = ("cli.main", "library.game", "library.games", "library.way", "library.ways")
NAMED: Final = re.compile(r"^([a-z_]+):([a-z_]+)$")
"""A command is named by its module and its function."""
QUIET: Final = frozenset(
    {
        *(
            "abstractmethod",
            "asynccontextmanager",
            "cache",
            "cached_property",
            "classmethod",
            "contextmanager",
        ),
        *("dataclass", "final", "lru_cache", "njit", "overload", "override", "property", "setter"),
        *("runtime_checkable", "staticmethod", "total_ordering", "wraps"),
    }
)
"""Decorators that do not put what they decorate to use."""


Imports = dict[str, tuple[str, str]]
"""What names come from: a module, and the name there; a module that is imported whole has no name there."""


@dataclass
class Definition:
    """Something with a name, and what it refers to."""

    module: str
    name: str
    line: int
    owner: str = ""
    """The class that it belongs to."""
    names: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    dotted: set[tuple[str, str]] = field(default_factory=set)
    bases: tuple[str, ...] = ()
    registered: bool = False
    """Whether a decorator puts it to use."""

    @property
    def key(self) -> tuple[str, str]:
        """Where it is found: its module, and its name there."""
        return self.module, f"{self.owner}.{self.name}" if self.owner else self.name

    def __str__(self) -> str:
        return f"{self.module or 'houseway'}, line {self.line}: {self.key[1]}"


@dataclass
class Module:
    """A module: what it defines, what it imports, and what stands in it without a name."""

    name: str
    imports: Imports = field(default_factory=dict)
    """What comes from the house."""
    foreign: Imports = field(default_factory=dict)
    """What comes from elsewhere."""
    top: Definition = field(default_factory=lambda: Definition("", "", 0))


class Reader:
    """Reads modules into definitions."""

    def __init__(self, package: Path) -> None:
        self.package = package
        self.modules: dict[str, Module] = {}
        self.definitions: dict[tuple[str, str], Definition] = {}

    def read(self, path: Path) -> None:
        """Read a module of the package."""
        parts = path.relative_to(self.package).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        module = Module(name, *imports_of(tree, package), Definition(name, "", 0))
        self.modules[name] = module
        for node in tree.body:
            self._statement(module, node)

    def _statement(self, module: Module, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._add(refer(Definition(module.name, node.name, node.lineno), node))
        elif isinstance(node, ast.ClassDef):
            self._class(module.name, node)
        elif names := assigned(node):
            for name in set(names) - {"__all__"}:
                self._add(refer(Definition(module.name, name, node.lineno), node))
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            refer(module.top, node)

    def _class(self, module: str, node: ast.ClassDef) -> None:
        found = Definition(module, node.name, node.lineno)
        found.bases = tuple(ast.unparse(base).split("[")[0] for base in node.bases)
        found.registered = registers(node)
        for part in (*node.bases, *node.keywords, *node.decorator_list):
            refer(found, part)
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                method = Definition(module, statement.name, statement.lineno, node.name)
                self._add(refer(method, statement))
            else:
                refer(found, statement)
        self._add(found)

    def _add(self, found: Definition) -> None:
        known = self.definitions.setdefault(found.key, found)
        if known is not found:  # defined twice, as a property and its setter are
            known.names |= found.names
            known.attributes |= found.attributes
            known.dotted |= found.dotted
            known.registered |= found.registered


def imports_of(tree: ast.AST, package: str) -> tuple[Imports, Imports]:
    """Return what the names that a module imports come from: those of the house, and others."""
    ours, others = Imports(), Imports()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            places = {alias.asname or alias.name: (alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                source = ".".join(["houseway", *above, *([source] if source else [])])
            places = {alias.asname or alias.name: (source, alias.name) for alias in node.names}
        else:
            continue
        for name, (source, what) in places.items():
            if source.partition(".")[0] == "houseway":
                ours[name] = (source.removeprefix("houseway").lstrip("."), what)
            else:
                others[name] = (source, what)
    return ours, others


def assigned(node: ast.stmt) -> list[str]:
    """Return the names that a statement at the top of a module gives a value."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    each = [
        part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])
    ]
    return [part.id for part in each if isinstance(part, ast.Name)]


def refer(to: Definition, node: ast.AST) -> Definition:
    """Note everything that a part of the source refers to."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        to.registered |= registers(node)
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            to.names.add(part.id)
        elif isinstance(part, ast.Attribute):
            to.attributes.add(part.attr)
            if isinstance(part.value, ast.Name):
                to.dotted.add((part.value.id, part.attr))
        elif isinstance(part, ast.MatchClass):
            to.attributes.update(part.kwd_attrs)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            _refer_to_text(to, part.value)
    return to


def _refer_to_text(to: Definition, text: str) -> None:
    """Note what a text names: a command by its module and function, or a type that is written as text."""
    command = NAMED.match(text)
    if command:
        to.dotted.add(command.groups())  # type: ignore[arg-type]
    elif text.isidentifier() and text[:1].isupper():
        to.names.add(text)


def registers(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Whether a decorator puts what it decorates to use."""
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if ast.unparse(called).split(".")[-1] not in QUIET:
            return True
    return False


class Search:
    """Follows what is used from where the house is entered."""

    def __init__(self, reader: Reader) -> None:
        self.modules, self.definitions = reader.modules, reader.definitions
        self.used: set[tuple[str, str]] = set()
        self.attributes: set[str] = set()
        self._waiting: list[Definition] = []

    def use(self, found: Definition) -> None:
        """Use a definition: what it refers to is used too."""
        if found.key not in self.used or not found.name:
            self.used.add(found.key)
            self._waiting.append(found)

    def place(self, module: str, name: str) -> Definition | None:
        """Return what a name means in a module, through the imports of other modules."""
        known = set[tuple[str, str]]()
        while (module, name) not in self.definitions:
            if module not in self.modules or (module, name) in known:
                return None
            known.add((module, name))
            module, name = self.modules[module].imports.get(name, ("", ""))
        return self.definitions[module, name]

    def follow(self) -> None:
        """Follow everything that waits, and what it uses."""
        while self._waiting:
            while self._waiting:
                found = self._waiting.pop()
                self.attributes |= found.attributes
                for name in found.names:
                    self.use_name(found.module, name)
                for owner, name in found.dotted:
                    self._use_dotted(found.module, owner, name)
            self._use_methods()

    def use_name(self, module: str, name: str) -> None:
        """Use what a name means in a module."""
        found = self.place(module, name)
        if found is not None:
            self.use(found)

    def _use_dotted(self, module: str, owner: str, name: str) -> None:
        """Use what is read of a module that was imported whole, or named by a command."""
        known = self.modules.get(module)
        source = known.imports.get(owner) if known else None
        for place in [".".join(filter(None, source))] if source else [f"cli.{owner}"]:
            if place in self.modules:
                self.use_name(place, name)

    def _use_methods(self) -> None:
        """Use the methods whose names are read, and those that Python calls by itself, of classes in use."""
        for found in self.definitions.values():
            if found.key in self.used or (found.owner and (found.module, found.owner) not in self.used):
                continue
            special = found.name.startswith("__") and found.name.endswith("__")
            called = special or found.name in HOOKS or found.registered
            if found.owner and (called or found.name in self.attributes or self._overrides(found)):
                self.use(found)

    def _overrides(self, method: Definition) -> bool:
        """Whether a method stands in for one of a class that is not ours, which calls it."""
        waiting, known = [(method.module, method.owner)], set[tuple[str, str]]()
        while waiting:
            module, name = waiting.pop()
            owner = self.place(module, name)
            if owner is not None and owner.key not in known:
                known.add(owner.key)
                waiting += [(owner.module, base) for base in owner.bases]
            elif module in self.modules and hasattr(self._outside(module, name), method.name):
                return True
        return False

    def _outside(self, module: str, name: str) -> object:
        """Return a class that a module takes from elsewhere."""
        first, _, rest = name.partition(".")
        source, what = self.modules[module].foreign.get(first, ("builtins", first))
        found: object = import_module(source)
        for part in (*filter(None, [what]), *filter(None, rest.split("."))):
            found = getattr(found, part, None)
        return found


def examples_in(folder: Path) -> Iterator[ast.AST]:
    """Yield the programs beside the package, and the examples in documents."""
    for path in sorted(folder.rglob("*.py")):
        yield ast.parse(path.read_text(encoding="utf-8"))
    for path in (*sorted(folder.rglob("*.md")), *sorted(folder.rglob("*.ipynb"))):
        lines = re.findall(r"(?:>>>|\.\.\.) ?(.*)", path.read_text(encoding="utf-8"))
        for line in lines:
            try:
                yield ast.parse(line.strip())
            except SyntaxError:
                continue


def unused(package: Path = PACKAGE, beside: Path = ROOT) -> list[Definition]:
    """Return what nothing but tests uses, in a package and the scripts and documents beside it."""
    reader = Reader(package)
    for path in sorted(package.rglob("*.py")):
        reader.read(path)
    search = Search(reader)
    _enter(search, beside)
    search.follow()
    reported = (one for one in reader.definitions.values() if one.key not in search.used)
    return [one for one in reported if not _excused(one, search)]


def _enter(search: Search, beside: Path) -> None:
    """Use whatever the house is entered by."""
    for module in search.modules.values():
        if not module.name.startswith(APART):
            search.use(module.top)
    for entrance in ENTRANCES:
        room, _, name = entrance.rpartition(".")
        search.use_name(room, name)
    for found in search.definitions.values():
        public = found.module.startswith(OPENED) and not found.name.startswith("_")
        if (found.registered and not found.owner) or found.name in GATHERED or public:
            search.use(found)
    for folder in SCRIPTS:
        for tree in examples_in(beside / folder):
            _use_outside(search, tree)


def _use_outside(search: Search, tree: ast.AST) -> None:
    """Use what a program beside the package, or an example, takes from it."""
    refers, (ours, _) = refer(Definition("", "", 0), tree), imports_of(tree, "")
    search.attributes |= refers.attributes
    for module, name in ours.values():
        search.use_name(module, name)
    for owner, name in refers.dotted:
        if owner in ours:
            search.use_name(".".join(filter(None, ours[owner])), name)


def _excused(one: Definition, search: Search) -> bool:
    """Whether something is not to be reported: Python calls it, or its class is reported."""
    owned = one.owner and (one.module, one.owner) not in search.used
    return bool(owned) or one.module.startswith(APART) or one.name.startswith("__")


def report(definitions: Iterable[Definition]) -> int:
    """Print what is unused; return how much it is."""
    lines = [str(definition) for definition in definitions]
    for line in lines:
        print(line)
    if lines:
        print(f"{len(lines)} definitions are used by nothing but tests")
    return len(lines)


if __name__ == "__main__":
    sys.exit(1 if report(unused()) else 0)
