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


def fences(document: str) -> Iterator[tuple[str, str, str]]:
    """Yield language, title and text of each fenced block."""
    for match in FENCE.finditer((ROOT / document).read_text(encoding="utf-8")):
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


README_RUNS = [t for kind, _, text in fences("README.md") if kind == "console" for t in transcripts(text)]


@pytest.mark.parametrize(("command", "output"), README_RUNS, ids=[c for c, _ in README_RUNS])
def test_the_readme_prints_what_it_says(command: str, output: str) -> None:
    assert run(command, ROOT, ROOT / "src") == output


@pytest.mark.parametrize("page", ["README.md", "docs/a-command.md"])
def test_the_python_of_a_page_prints_what_it_says(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert (failed, tried > 0) == (0, True)


def test_contributing_adds_a_sixth_game_and_a_paytable(tmp_path: Path) -> None:
    for name in ("src", "tests/support", "tests/games/support.py", "tests/__init__.py", "pyproject.toml"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, tmp_path / name)
    (tmp_path / "tests/games/__init__.py").touch()
    ran = 0
    for kind, title, text in fences("CONTRIBUTING.md"):
        if title:
            (tmp_path / title).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / title).write_text(text, encoding="utf-8")
        elif kind == "console":
            for command, output in transcripts(text):
                printed = run(command, tmp_path, tmp_path / "src")
                assert output in printed, f"{command}\n{printed}"
                ran += 1
    assert ran == 6


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
