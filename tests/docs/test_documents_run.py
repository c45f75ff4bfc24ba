"""The documents are followed to the letter."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.M | re.S)


def fences(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield language, title and text of each fenced block."""
    for match in FENCE.finditer(text):
        yield match[1], match[2] or "", match[3]


def transcripts(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with what it should print."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield command, output.strip()


def run(command: str, folder: Path, source: Path) -> str:
    words = shlex.split(command)
    words[:1] = [sys.executable, "-m", "houseway"] if words[0] == "houseway" else [sys.executable]
    environment = os.environ | {"PYTHONPATH": f"{source}{os.pathsep}{folder}", "COLUMNS": "200"}
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    return (done.stdout + done.stderr).strip()


README = (ROOT / "README.md").read_text(encoding="utf-8")
README_RUNS = [t for kind, _, text in fences(README) if kind == "console" for t in transcripts(text)]


@pytest.mark.parametrize(("command", "output"), README_RUNS, ids=[c for c, _ in README_RUNS])
def test_the_readme_prints_what_it_says(command: str, output: str) -> None:
    assert run(command, ROOT, ROOT / "src") == output


@pytest.mark.parametrize("page", ["README.md", "docs/a-command.md"])
def test_the_python_of_a_page_prints_what_it_says(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert (failed, tried > 0) == (0, True)


def copy_of_the_source(folder: Path) -> None:
    """Copy what a new game is added to."""
    for name in ("src", "tests/support", "tests/games/support.py", "tests/__init__.py", "pyproject.toml"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, folder / name)
    (folder / "tests/games/__init__.py").touch()


def follow(section: str, folder: Path) -> int:
    """Write the files of a section, run its commands, and return how many there are.

    Only what is added to the source needs a copy of it, for which every kernel is compiled anew.
    """
    blocks = list(fences(section))
    adds = any(title.startswith("src/") for _, title, _ in blocks)
    if adds:
        copy_of_the_source(folder)
    ran = 0
    folder.mkdir(exist_ok=True)
    for kind, title, text in blocks:
        if title:
            (folder / title).parent.mkdir(parents=True, exist_ok=True)
            (folder / title).write_text(text, encoding="utf-8")
        elif kind == "console":
            for command, output in transcripts(text):
                printed = run(command, folder, folder / "src" if adds else ROOT / "src")
                assert output in printed, f"{command}\n{printed}"
                ran += 1
    return ran


def test_contributing_adds_a_sixth_game_a_house_way_and_a_paytable(tmp_path: Path) -> None:
    sections = re.split(r"^## ", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), flags=re.M)
    ran = [follow(section, tmp_path / str(number)) for number, section in enumerate(sections)]
    assert [some for some in ran if some] == [3, 2, 1]


def test_the_generated_parts_of_the_documents_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "docs" / "generate.py"), "--check"], check=False)
    assert done.returncode == 0, "make docs writes them anew"


def test_the_notebook_runs_at_reduced_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSEWAY_REDUCED", "1")
    notebook = json.loads((ROOT / "docs" / "headline.ipynb").read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        exec(compile(cell, "headline.ipynb", "exec"), names)
    assert len(cells) > 5
    assert names["REDUCED"] is True
