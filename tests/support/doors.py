"""The pytest plugin that notes by which door each marked test comes in.

A clause is proven from a door when a test that is marked with it goes through a table, a floor, the served
interface, the command line or the library, as people do, and not straight to a function of a room. A game
that the library opens is asked by its own questions, or refuses to be opened; its ranking is a room's. While
marked tests run, what they enter is noted; ``doors.json`` keeps the doors of each clause, and a whole run
that comes to anything else fails. ``--record-doors`` writes down what a run has come to.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.clauses import TESTS, clauses_of

RECORD: Final = Path(__file__).with_name("doors.json")
LIBRARY: Final = ("set", "rank", "bonus", "compare", "settle", "odds", "way", "rows")
DOORS: Final[Mapping[str, tuple[str, ...]]] = {
    "table": ("houseway.rounds.live:LiveTable.carry_out", "houseway.rounds.live:LiveTable.verify"),
    "floor": tuple(f"houseway.floor.core:Floor.{name}" for name in ("submit", "set_up", "on_meter", "undo")),
    "http": ("houseway.service.api.app:_answer", "houseway.service.api.live_socket:_watch"),
    "command line": ("houseway.cli.entry:_run",),
    "library": (
        "houseway.library.played_game:PlayedGame.warnings",
        *(f"houseway.library.played_game:PlayedGame.{name}" for name in LIBRARY),
        *(f"houseway.library.house_way:OpenWay.{name}" for name in ("set", "check", "rows")),
    ),
}
"""What is called by whoever comes in by each door: a module, and the function or method there."""
REFUSING: Final[Mapping[str, tuple[str, ...]]] = {"library": ("houseway.library.played_game:rules_for",)}
"""What opens a game and asks it nothing yet: only who is refused there has come in by the door."""
ENTERED: Final[set[str]] = set()
"""The doors that the test that runs now has come in by."""
_NOTED: Final[dict[str, set[str]]] = {}
"""The doors of each clause, as far as this process has run its tests."""
_UNDONE: Final[set[str]] = set()
"""The clauses that a test of was left out, skipped or failed in this run: nothing is known of them."""
_WATCHED: Final[set[str]] = set()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record-doors", action="store_true", help="write down by which doors tests came in")


def watch_doors() -> None:
    """Note from now on who comes in by the doors of the modules that are loaded."""
    for of, noting in ((DOORS, _noting), (REFUSING, _noting_refusals)):
        for door, places in of.items():
            for place in places:
                module, _, path = place.partition(":")
                if place in _WATCHED or module not in sys.modules:
                    continue
                _WATCHED.add(place)
                owner: Any = sys.modules[module]
                *above, name = path.split(".")
                for part in above:
                    owner = getattr(owner, part)
                _watch(owner, name, partial(noting, door=door))


def _watch(owner: Any, name: str, noting: Callable[[Callable[..., Any]], Any]) -> None:
    """Put a note of a door before a function or a property."""
    member = vars(owner)[name]
    if callable(member):
        setattr(owner, name, noting(member))
    else:  # a property, or one that is worked out once
        inner = "func" if hasattr(member, "func") else "fget"
        if inner == "func":
            member.func = noting(member.func)
        else:
            setattr(owner, name, property(noting(member.fget)))


def _noting(call: Callable[..., Any], door: str) -> Callable[..., Any]:
    @wraps(call)
    def entered(*args: Any, **options: Any) -> Any:
        ENTERED.add(door)
        return call(*args, **options)

    return entered


def _noting_refusals(call: Callable[..., Any], door: str) -> Callable[..., Any]:
    @wraps(call)
    def opened(*args: Any, **options: Any) -> Any:
        try:
            return call(*args, **options)
        except Exception:
            ENTERED.add(door)
            raise

    return opened


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Note what a marked test enters, from its first fixture on."""
    ENTERED.clear()
    if isinstance(item, pytest.Function) and clauses_of(item):
        watch_doors()
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the doors of a test that passed; of a clause whose test did not, nothing is known."""
    clauses = dict(report.user_properties).get("clauses")
    if not clauses:
        return
    if not report.passed:
        _UNDONE.update(str(clauses).split())
    elif report.when == "call":
        doors = str(dict(report.user_properties).get("doors") or "")
        for clause in str(clauses).split():
            _NOTED.setdefault(clause, set()).update(filter(None, doors.split(",")))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[Any]:
    """Send what a marked test has entered with its report, also from another process."""
    result = yield
    if isinstance(item, pytest.Function) and clauses_of(item):
        item.user_properties.append(("clauses", " ".join(clauses_of(item))))
        item.user_properties.append(("doors", ",".join(sorted(ENTERED))))
    return result


def pytest_deselected(items: Iterable[pytest.Item]) -> None:
    """Know nothing of the clauses of tests that are left out."""
    for item in items:
        _UNDONE.update(clauses_of(item))


def read_doors() -> dict[str, list[str]]:
    """Return the doors of each clause, as they are written down."""
    doors: dict[str, list[str]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return doors


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Write down by which doors a run has come in, or hold it against what is written."""
    config = session.config
    if hasattr(config, "workerinput") or config.getoption("--prove-clauses") or not _NOTED:
        return
    noted = {clause: sorted(doors) for clause, doors in _NOTED.items()}
    if config.getoption("--record-doors"):
        known = read_doors() if RECORD.exists() else {}
        write_doors(noted if is_whole(config) else _joined(known, noted))
        return
    if exitstatus == 0 and is_whole(config):
        known = read_doors()
        wrong = sorted(
            clause
            for clause in known.keys() | noted.keys()
            if clause not in _UNDONE and known.get(clause) != noted.get(clause)
        )
        if wrong:
            print(f"\n\nby other doors than doors.json says (pytest --record-doors): {', '.join(wrong)}")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def is_whole(config: pytest.Config) -> bool:
    """Whether all tests are run, and not only some files."""
    return any(TESTS.resolve() == Path(place).resolve() for place in config.args)


def _joined(known: Mapping[str, list[str]], noted: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return what is known of doors with what some tests have come to."""
    return {
        clause: sorted({*known.get(clause, ()), *noted.get(clause, ())})
        for clause in known.keys() | noted.keys()
    }


def write_doors(doors: Mapping[str, list[str]]) -> None:
    """Write the doors of each clause down, a line each."""
    lines = [f"{json.dumps(clause)}: {json.dumps(doors[clause])}" for clause in sorted(doors)]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
