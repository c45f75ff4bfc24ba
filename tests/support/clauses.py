"""The pytest plugin that holds tests to the clauses they are marked with.

``@pytest.mark.clause("pa575.9.a.1")`` says which clause a test proves. With ``--prove-clauses`` the items are
pairs of a marked test and one of its clauses: the test runs in a process of its own in which every document
is read with that clause struck, so that tables, floors and servers are made by a law with one clause less,
and it must fail.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[2] / "src"
TESTS = Path(__file__).parents[1]
MARKED = pytest.StashKey[set[str]]()
_ENDS = pytest.StashKey[dict[str, dict[str, str]]]()
"""How the tests of a clause ended with it struck, by clause."""
FELL = "fell"
BREAKS = (AttributeError, TypeError, NameError, ImportError, RecursionError)
"""What is raised by a program that has a fault, and not by one that refuses."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--prove-clauses",
        action="store_true",
        help="strike each marked clause in turn: its tests must fail",
    )
    parser.addoption(
        "--prove-every",
        type=int,
        metavar="N",
        help="beside the tests, strike every N-th marked clause in turn: its tests must fail",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "clause(*ids): the clauses of the law that a test proves")
    config.addinivalue_line("markers", "xdist_group(name): tests of one clause are proven by one process")


def strike_everywhere(clause: str) -> None:
    """Let every document that is read from now on be one in which a clause is not in force."""
    from houseway.law import documents, strike  # noqa: PLC0415 - a process that proves imports it anew

    read = documents.document_or_faults

    def read_struck(*args: Any, **options: Any) -> Any:
        return strike(read(*args, **options), (clause,))

    documents.document_or_faults = read_struck


def clauses_of(item: pytest.Item) -> list[str]:
    """Return the clauses a test is marked with."""
    return list(dict.fromkeys(id_ for mark in item.iter_markers("clause") for id_ in mark.args))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    from houseway.law import all_clauses  # noqa: PLC0415 - a process that proves imports it anew

    marked = {clause for item in items for clause in clauses_of(item)}
    unknown = sorted(marked - set(all_clauses()))
    if unknown:
        raise pytest.UsageError(f"tests are marked with unknown clauses: {', '.join(unknown)}")
    config.stash[MARKED] = marked
    config.stash[_ENDS] = {}
    step = config.getoption("--prove-every")
    if config.getoption("--prove-clauses"):
        config.hook.pytest_deselected(items=[item for item in items if not clauses_of(item)])
        items[:] = pairs_of(items, marked)
    elif step:
        items += pairs_of([item for item in items if not is_exhaustive(item)], {*sorted(marked)[::step]})


def is_exhaustive(item: pytest.Item) -> bool:
    """Whether a test is left out but for ``make prove``."""
    return item.get_closest_marker("exhaustive") is not None


def pairs_of(items: list[pytest.Item], among: set[str]) -> list[pytest.Item]:
    """Return a pair for each test and each of these clauses that it is marked with."""
    return [without(item, clause) for item in items for clause in clauses_of(item) if clause in among]


def without(item: pytest.Item, clause: str) -> pytest.Item:
    """Return a test as an item of its own that runs with a clause struck."""
    assert item.parent is not None
    pair: Pair = Pair.from_parent(item.parent, name=f"{item.name} without {clause}", of=item, clause=clause)
    pair.add_marker(pytest.mark.xdist_group(clause))
    return pair


class Pair(pytest.Item):
    """A test and one of its clauses: passes where the test falls without it."""

    def __init__(self, *, of: pytest.Item, clause: str, **options: Any) -> None:
        super().__init__(**options)
        self.of, self.clause = of, clause

    def runtest(self) -> None:
        """Run all tests of the clause by a law without it, once for all of them."""
        ends = self.session.config.stash[_ENDS]
        if self.clause not in ends:
            pairs = [item for item in self.session.items if isinstance(item, Pair)]
            tests = [pair.of for pair in pairs if pair.clause == self.clause]
            ends[self.clause] = ends_without(self.clause, tests, self.session.config)
        end = ends[self.clause].get(self.of.nodeid, "was not run")
        if end != FELL:
            pytest.fail(f"{end} with {self.clause} struck", pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the test stands."""
        path, line, _ = self.of.reportinfo()
        return Path(path), line or 0, self.name


def ends_without(clause: str, tests: list[pytest.Item], config: pytest.Config) -> dict[str, str]:
    """Return how each test ends in a process whose law has a clause less."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        _run_struck(clause, tests, config, writer)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as report:
        text = report.read()
    os.waitpid(child, 0)
    if not text:
        pytest.fail(f"the run without {clause} did not end", pytrace=False)
    ends: dict[str, str] = json.loads(text)
    return ends


def _run_struck(clause: str, tests: list[pytest.Item], config: pytest.Config, writer: int) -> None:
    """Run tests in this process, which has just begun, and report how they end; the process ends here."""
    try:
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        for name in [*sys.modules]:
            if name.partition(".")[0] in ("houseway", "tests", "conftest") or name.startswith("test_"):
                del sys.modules[name]
        for name in [*os.environ]:
            if name.startswith("PYTEST_"):
                del os.environ[name]
        os.chdir(config.rootpath)
        strike_everywhere(clause)
        gc.freeze()  # what came with the fork is not this process's to clear away
        chosen = Chosen(frozenset(test.nodeid for test in tests))
        settings = ["-c", str(config.inipath), "--rootdir", str(config.rootpath), "-m", ""]
        apart = ["-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:unraisableexception"]
        pytest.main([*settings, *apart, *dict.fromkeys(map(function_of, tests))], [chosen])
        with os.fdopen(writer, "w", encoding="utf-8") as report:
            json.dump(chosen.ends, report)
    finally:
        os._exit(0)


def function_of(test: pytest.Item) -> str:
    """Return how the function of a test is named to pytest, whatever it is given."""
    return "::".join([str(test.path), *test.nodeid.partition("[")[0].split("::")[1:]])


class Chosen:
    """Runs some tests of the files that are read, and keeps how each of them ends."""

    def __init__(self, tests: frozenset[str]) -> None:
        self.tests = tests
        self.ends: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what is not to be run."""
        items[:] = [item for item in items if item.nodeid in self.tests]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Keep how a test ends: a program that breaks down proves nothing."""
        report = yield
        if call.excinfo is not None and report.failed:
            broken = call.excinfo.errisinstance(BREAKS)
            self.ends[item.nodeid] = f"breaks down ({call.excinfo.typename})" if broken else FELL
        elif report.when == "call" and report.passed:
            self.ends[item.nodeid] = "still passes"
        return report


def source_trees() -> tuple[Any, Any]:
    """Return what the source and the tests say of each clause."""
    from houseway.law.tracing import scan  # noqa: PLC0415 - a process that proves imports it anew

    return scan(SOURCE), scan(TESTS)
