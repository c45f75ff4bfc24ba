"""Running tests in a process of their own, on the program with a mistake in it or as it is."""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import multiprocessing
import os
import resource
import signal
import sys
import time
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
HEAVY = ("hypothesis", "msgspec", "numpy", "pydantic", "rich.console", "typer")
"""What every process needs and no mutant touches: imported once, before any of them begins."""
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


class MutatedLoader(importlib.machinery.SourceFileLoader):
    """Loads a module's file with the code of another."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        """Return the other code."""
        return self._code


@contextlib.contextmanager
def mutated(module: str, code: CodeType) -> Iterator[None]:
    """Import a module with other code, as long as this lasts; it must not be imported yet."""
    finder = MutatedFinder(module, code)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class Chosen:
    """A pytest plugin that runs only some tests, in their order, and notes the first that fails."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.order = {test: place for place, test in enumerate(tests)}
        self.failed = ""

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


def fate_of(root: Path, module: str, code: CodeType, tests: Sequence[str]) -> tuple[Fate, str]:
    """Run tests on a mutant until one fails; return what became of it, and which test saw it."""
    picked = Chosen(tests)
    files = sorted({test.split("::", maxsplit=1)[0] for test in tests})
    with mutated(module, code):
        ended = run_tests(root, ["-x", *files], [picked])
    if ended == pytest.ExitCode.OK:
        return Fate.SURVIVED, ""
    return Fate.KILLED, picked.failed or "while the tests were collected"


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


def in_processes(jobs: Sequence[Job[T, R]], count: int) -> Iterator[tuple[T, R | TookTooLong | None]]:
    """Yield what comes of each job, as they end: ``TookTooLong`` if it did, nothing if its process died."""
    waiting, running = list(reversed(jobs)), dict[Connection, Running[T, R]]()
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
