"""Nothing in the package is there for tests alone, and whatever were is named."""

from __future__ import annotations

from pathlib import Path

from checks.unused import unused

ENTRANCE = """
from houseway.room import Worker, constant, used

def main():
    work = Worker()
    work.begin()
    return used(constant)
"""
ROOM = """
import threading
from houseway.elsewhere import helper

constant = 3
idle_constant = 4

def used(number):
    return helper(number)

def idle():
    return idle_too()

def idle_too():
    return 1

class Worker(threading.Thread):
    def run(self):
        return called_back()

    def begin(self):
        self.start()

    def never(self):
        return 2

class Idle:
    def method(self):
        return 3

def called_back():
    return 5
"""
ELSEWHERE = """
def helper(number):
    return number
"""


def names(package: Path) -> set[str]:
    """Return the names of what is unused in a package."""
    return {definition.key[1] for definition in unused(package, package)}


def test_nothing_in_the_package_is_used_by_tests_alone() -> None:
    assert [str(definition) for definition in unused()] == []


def test_what_nothing_leads_to_is_named_and_what_others_call_is_not(tmp_path: Path) -> None:
    (tmp_path / "cli").mkdir()
    (tmp_path / "cli" / "__init__.py").write_text(ENTRANCE)
    (tmp_path / "room.py").write_text(ROOM)
    (tmp_path / "elsewhere.py").write_text(ELSEWHERE)
    assert names(tmp_path) == {"idle_constant", "idle", "idle_too", "Worker.never", "Idle"}


def test_what_a_document_or_a_script_uses_is_used(tmp_path: Path) -> None:
    (tmp_path / "cli.py").write_text("def main():\n    return 0\n")
    (tmp_path / "room.py").write_text("def shown():\n    return 1\n\ndef run():\n    return 2\n")
    assert names(tmp_path) == {"shown", "run"}
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text(">>> from houseway.room import shown\n")
    (tmp_path / "docs" / "make.py").write_text("from houseway import room\nroom.run()\n")
    assert names(tmp_path) == set()
