"""The pytest plugin that holds tests to the clauses they claim.

``@pytest.mark.clause("pa575.9.a.1")`` says which clause a test proves. The test then fails if
nothing that claims the clause ran during it. With ``--prove-clauses`` the items are pairs of a marked
test and one of its clauses: the test runs with that clause switched off, and must fail.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from houseway.law import all_clauses, watching
from houseway.law.tracing import Tree, scan

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
        config.hook.pytest_deselected(items=[item for item in items if not clauses_of(item)])
        items[:] = [without(item, clause) for item in items for clause in clauses_of(item)]


def without(item: pytest.Item, clause: str) -> pytest.Item:
    """Return a test as an item of its own that runs with a clause switched off."""
    assert isinstance(item, pytest.Function)
    pair: pytest.Function = pytest.Function.from_parent(
        item.parent,
        name=f"{item.name} without {clause}",
        callspec=getattr(item, "callspec", None),
        callobj=item.obj,
        keywords=dict(item.keywords),
        fixtureinfo=item._fixtureinfo,
        originalname=f"{item.originalname} without {clause}",
    )
    pair.stash[_OFF] = clause
    return pair


MARKED = pytest.StashKey[set[str]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Watch what runs during a marked test; with a clause switched off it must fall."""
    wanted, off = clauses_of(item), item.stash.get(_OFF, None)
    if not wanted:
        return (yield)
    if off is not None:
        return (yield from _falls(off))
    with watching() as watch:
        result = yield
    missing = [clause for clause in wanted if clause not in watch.ran]
    if missing:
        pytest.fail(f"nothing that claims {', '.join(missing)} ran during this test", pytrace=False)
    return result


def _falls(clause: str) -> Generator[None, object, None]:
    try:
        with watching(off=[clause]):
            yield
    except (Exception, pytest.fail.Exception):
        return
    pytest.fail(f"still passes with {clause} switched off", pytrace=False)


def source_trees() -> tuple[Tree, Tree]:
    """Return what the source and the tests say of each clause."""
    return scan(SOURCE), scan(TESTS)
