"""Every room has a README whose files exist; the ways of data on the architecture page are in the code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest

from tests.docs.test_documents_run import ROOT

PACKAGE = ROOT / "src" / "houseway"
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
GAME = "pa-659a"
"""Stands for any game in the paths of a README."""
PATH = re.compile(r"[\w.<>*/-]+(?:\.\w+|/)")
STATION = re.compile(r"([\w/]+\.py)(?:: ((?:[\w.]+, )*[\w.]+))?")


def readme(room: str) -> str:
    return (PACKAGE / room / "README.md").read_text(encoding="utf-8")


def rows(text: str) -> Iterator[tuple[str, str]]:
    """Yield question and files of each row of a README's first table."""
    table = text.partition("| question | file |\n| --- | --- |\n")[2].partition("\n\n")[0]
    for row in table.splitlines():
        question, files = row.strip("| ").split(" | ")
        yield question, files


def files_in(room: str) -> list[str]:
    """Return the paths that the rows of a room's README name."""
    return [path for _, files in rows(readme(room)) for path in re.findall(r"`([^`]+)`", files)]


def is_there(path: str, room: str) -> bool:
    """Whether a path exists, from the room's folder or from the project's."""
    pattern = path.replace("<game>", GAME)
    return (
        any([*(PACKAGE / room).glob(pattern), *ROOT.glob(pattern)])
        if "*" in pattern
        else any((base / pattern).exists() for base in (PACKAGE / room, ROOT))
    )


def test_every_room_has_a_readme_with_its_name_and_its_questions() -> None:
    assert len(ROOMS) == 18
    for room in ROOMS:
        assert readme(room).startswith(f"# {room}\n"), room
        questions = [question for question, _ in rows(readme(room))]
        assert questions and all(question.endswith("?") for question in questions), room


@pytest.mark.parametrize("room", ROOMS)
def test_every_file_that_a_rooms_readme_names_exists(room: str) -> None:
    paths = files_in(room)
    assert [path for path in paths if not PATH.fullmatch(path)] == []
    assert [path for path in paths if not is_there(path, room)] == []


def test_the_readme_of_the_rounds_names_every_file_of_steps() -> None:
    listed = readme("rounds").partition("| part of a round | files in `steps/` |")[2].partition("\n\n")[0]
    files = {path.stem for path in (PACKAGE / "rounds" / "steps").glob("*.py")} - {"__init__"}
    assert set(re.findall(r"`(\w+)`", listed)) == files


def test_architecture_lists_the_rooms_in_the_order_of_their_imports() -> None:
    listed = re.findall(r"^\| \[(\w+)\]\(\.\./src/houseway/\1/README\.md\) \|", ARCHITECTURE, re.M)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = [re.findall(r"houseway\.(\w+)", layer) for layer in contracts["contracts"][0]["layers"]]
    assert listed == [name for layer in layers for name in layer if name in ROOMS]


def stations() -> list[tuple[str, str]]:
    """Return file and name of each station of the ways of data."""
    ways = re.findall(r"^```text\n(.*?)^```$", ARCHITECTURE.partition("## How data moves")[2], re.M | re.S)
    assert len(ways) == 6
    found = [match for way in ways for match in STATION.finditer(way)]
    return [(match[1], name) for match in found for name in (match[2] or "").split(", ")]


@pytest.mark.parametrize(("path", "name"), sorted(set(stations())))
def test_a_station_of_data_is_in_the_code(path: str, name: str) -> None:
    text = (PACKAGE / path).read_text(encoding="utf-8")
    for part in filter(None, name.split(".")):
        assert re.search(rf"\b(?:class|def) {part}\b", text), f"{path}: {part}"
