"""Which test runs which function, and how long it takes: found once, kept until its test file changes.

Functions are enough: what stands at the top of a module runs when it is imported, whatever the test, and a
mutant there goes to the tests of the functions it names, or of its whole module.
"""

from __future__ import annotations

import hashlib
import json
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import pytest

from mutants.mutant import Mutant
from mutants.running import file_of

FunctionKey = tuple[str, int, str]
"""A function by its file, its first line and its name."""
FEW = 8
"""So few tests may miss what the others of a module would notice."""
KEPT = (".py", ".toml", ".csv", ".json", ".md")


@dataclass
class Reach:
    """The tests in the order they ran, their seconds of computing, and the tests that run each function."""

    tests: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    runs: dict[FunctionKey, set[int]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    """The test files that were run, each with its fingerprint."""

    def add(self, other: Reach) -> None:
        """Take in what was found in another process."""
        start = len(self.tests)
        self.tests += other.tests
        self.seconds += other.seconds
        for function, tests in other.runs.items():
            self.runs.setdefault(function, set()).update(start + test for test in tests)
        self.files |= other.files

    def still_true(self, files: Mapping[str, str]) -> Reach:
        """Return what is known of those test files that are as they were."""
        same = {file: mark for file, mark in files.items() if self.files.get(file) == mark}
        kept = [number for number, test in enumerate(self.tests) if file_of(test) in same]
        places = {number: place for place, number in enumerate(kept)}
        runs = {
            function: {places[test] for test in tests if test in places}
            for function, tests in self.runs.items()
        }
        return Reach([self.tests[one] for one in kept], [self.seconds[one] for one in kept], runs, same)

    def write(self, path: Path) -> None:
        """Write it down."""
        runs = [[*function, sorted(tests)] for function, tests in self.runs.items()]
        found = {"tests": self.tests, "seconds": self.seconds, "runs": runs, "files": self.files}
        path.write_text(json.dumps(found))

    @classmethod
    def read(cls, path: Path) -> Reach:
        """Read it."""
        data = json.loads(path.read_text())
        runs = {(file, line, name): set(tests) for file, line, name, tests in data["runs"]}
        return cls(data["tests"], data["seconds"], runs, data["files"])


def chosen(reach: Reach, mutant: Mutant, budget: float) -> tuple[list[str], int]:
    """Return the tests that run a mutant, the quickest first, for so many seconds; and how many are left.

    What is made at import, or made once and remembered, runs in few tests though many would notice it: where
    few run a mutant, the other tests of its module come after them.
    """
    running: set[int] = set()
    for line, name in mutant.functions:
        running |= reach.runs.get((mutant.file, line, name), set())
    near: set[int] = set()
    if len(running) < FEW:
        near = {test for (file, *_), tests in reach.runs.items() if file == mutant.file for test in tests}
    order = [
        *sorted(running, key=lambda test: (reach.seconds[test], test)),
        *sorted(near - running, key=lambda test: (reach.seconds[test], test)),
    ]
    taken: list[str] = []
    spent = 0.0
    for test in order:
        spent += reach.seconds[test]
        if taken and spent > budget:
            break
        taken.append(reach.tests[test])
    return taken, len(order) - len(taken)


class Tracer:
    """A pytest plugin that notes which functions of a source folder each test calls."""

    def __init__(self, source: Path) -> None:
        self.source = f"{source.resolve()}/"
        self.reach = Reach()
        self.failed: list[str] = []
        self._keys: dict[CodeType, FunctionKey | None] = {}
        self._seen: set[CodeType] = set()

    def _key(self, code: CodeType) -> FunctionKey | None:
        if code not in self._keys:
            inside = code.co_filename.startswith(self.source)
            file = code.co_filename.removeprefix(self.source)
            self._keys[code] = (file, code.co_firstlineno, code.co_name) if inside else None
        return self._keys[code]

    def _called(self, frame: FrameType, event: str, arg: object) -> None:
        self._seen.add(frame.f_code)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Watch one test from its set-up to its end; threads that it begins are watched for good."""
        self._seen, started = set(), time.process_time()
        threading.settrace(self._called)
        sys.settrace(self._called)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            if item.nodeid not in self.failed:
                self._note(item.nodeid, time.process_time() - started)

    def _note(self, name: str, seconds: float) -> None:
        test = len(self.reach.tests)
        self.reach.tests.append(name)
        self.reach.seconds.append(round(seconds, 4))
        for code in self._seen:
            key = self._key(code)
            if key is not None:
                self.reach.runs.setdefault(key, set()).add(test)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the tests that fail on the program as it is: they can tell nothing."""
        if report.failed:
            self.failed.append(report.nodeid)


def fingerprint(paths: Iterable[Path], *words: str) -> str:
    """Return what stands for some words and some files."""
    found = hashlib.sha256("\0".join(words).encode())
    for path in paths:
        found.update(f"{path}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def texts(*folders: Path) -> list[Path]:
    """Return every text file below some folders, in order."""
    found = [path for folder in folders for path in sorted(folder.rglob("*"))]
    return [path for path in found if path.suffix in KEPT and "__pycache__" not in path.parts]


def files_with_tests(place: Path) -> list[Path]:
    """Return the files with tests at a place: test modules, and what has examples in its words."""
    if place.is_file():
        return [place]
    modules = place.rglob("*.py")
    return [path for path in modules if path.name.startswith("test_") or ">>> " in path.read_text("utf-8")]


def shares(paths: Sequence[Path], count: int) -> list[list[Path]]:
    """Deal test files out, the largest first, into so many shares of about one size."""
    dealt: list[list[Path]] = [[] for _ in range(count)]
    sizes = [0] * count
    for path in sorted(paths, key=lambda one: (-one.stat().st_size, one)):
        least = sizes.index(min(sizes))
        dealt[least].append(path)
        sizes[least] += path.stat().st_size
    return [share for share in dealt if share]
