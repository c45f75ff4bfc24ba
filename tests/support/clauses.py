"""The pytest plugin that holds tests to the clauses they claim.

``@pytest.mark.clause("pa575.9.a.1")`` says which clause a test proves. The test then fails if
nothing that claims the clause ran during it. With ``--prove-clauses`` every marked test runs once
more for each of its clauses, with that clause switched off, and must fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.reports import TestReport
from _pytest.runner import runtestprotocol

from houseway.cli.tracing import Tree, scan
from houseway.law import all_clauses, watching

SOURCE = Path(__file__).parents[2] / "src"
TESTS = Path(__file__).parents[1]
_OFF = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--prove-clauses",
        action="store_true",
        help="switch each marked clause off in turn: its tests must fail",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "clause(*ids): the clauses of the law that a test proves")


def clauses_of(item: pytest.Item) -> list[str]:
    """Return the clauses a test is marked with."""
    return list(dict.fromkeys(id_ for mark in item.iter_markers("clause") for id_ in mark.args))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    marked = {clause for item in items for clause in clauses_of(item)}
    unknown = sorted(marked - set(all_clauses()))
    if unknown:
        raise pytest.UsageError(f"tests are marked with unknown clauses: {', '.join(unknown)}")
    config.stash[MARKED] = marked
    if config.getoption("--prove-clauses"):
        proven = [item for item in items if clauses_of(item)]
        config.hook.pytest_deselected(items=[item for item in items if not clauses_of(item)])
        items[:] = proven


MARKED = pytest.StashKey[set[str]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Watch what runs during a marked test."""
    wanted = clauses_of(item)
    if not wanted:
        return (yield)
    off = item.stash.get(_OFF, None)
    with watching(off=[off] if off else []) as watch:
        result = yield
    missing = [clause for clause in wanted if clause not in watch.ran]
    if missing and off is None:
        pytest.fail(f"nothing that claims {', '.join(missing)} ran during this test", pytrace=False)
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Under ``--prove-clauses``, run the item once per clause with the clause switched off."""
    if not item.config.getoption("--prove-clauses"):
        return None
    wanted = clauses_of(item)
    for index, clause in enumerate(wanted):
        last = index == len(wanted) - 1
        item.stash[_OFF] = clause
        item._initrequest()  # type: ignore[attr-defined]
        reports = runtestprotocol(item, nextitem=nextitem if last else item, log=False)
        _report(item, clause, reports)
    return True


def _report(item: pytest.Item, clause: str, reports: list[TestReport]) -> None:
    call = next((r for r in reports if r.when == "call"), reports[0])
    fell = call.when == "call" and call.failed
    report = TestReport(
        nodeid=f"{item.nodeid} without {clause}",
        location=item.location,
        keywords={},
        outcome="passed" if fell else "failed",
        longrepr=None if fell else f"still passes with {clause} switched off",
        when="call",
        duration=call.duration,
    )
    item.ihook.pytest_runtest_logreport(report=report)


def source_trees() -> tuple[Tree, Tree]:
    """Return what the source and the tests say of each clause."""
    return scan(SOURCE), scan(TESTS)
