"""The documents are followed to the letter."""

from __future__ import annotations

import ast
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


PAGES = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/tour.md")]
CONSOLES = [text for page in PAGES for kind, _, text in fences(page) if kind == "console"]
RUNS = list(dict.fromkeys(run for text in CONSOLES for run in transcripts(text)))


@pytest.mark.parametrize(("command", "output"), RUNS, ids=[command for command, _ in RUNS])
def test_the_readme_and_the_tour_print_what_they_say(command: str, output: str) -> None:
    assert run(command, ROOT, ROOT / "src") == output


@pytest.mark.parametrize("page", ["README.md", "docs/tour.md", "docs/a-command.md"])
def test_the_python_of_a_page_prints_what_it_says(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert (failed, tried > 0) == (0, True)


PAGES_WITH_LINKS = [
    "README.md",
    "CONTRIBUTING.md",
    "tests/README.md",
    "tests/scenarios/README.md",
    *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
    *(path.relative_to(ROOT).as_posix() for path in (ROOT / "src" / "houseway").glob("*/README.md")),
]


@pytest.mark.parametrize("name", sorted(PAGES_WITH_LINKS))
def test_the_links_of_a_page_lead_somewhere(name: str) -> None:
    page = ROOT / name
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
    assert links or name not in ("README.md", "docs/tour.md", "docs/architecture.md")


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


@pytest.mark.parametrize("more", [(), ("--prove-clauses",)], ids=["runs", "proves"])
def test_the_page_about_tests_shows_a_test_that_passes_and_proves_its_clause(
    more: tuple[str, ...], tmp_path: Path
) -> None:
    page = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    ((name, text),) = ((title, text) for kind, title, text in fences(page) if kind == "python")
    (tmp_path / name).write_text(text, encoding="utf-8")
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        "pyproject.toml",
        "--rootdir",
        ".",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        [*words, str(tmp_path / name), *more],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_the_page_about_tests_names_every_folder_and_helper_module_of_rounds() -> None:
    page = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/__init__.py")}
    assert folders - set(re.findall(r"`(\w+)`", page)) == set()
    rounds = ROOT / "tests" / "rounds"
    helpers = {path.name for path in rounds.glob("[a-z]*.py") if not path.name.startswith("test_")}
    helpers |= {f"{path.parent.name}/" for path in rounds.glob("*/__init__.py")}
    section = page.partition("## What helps in `rounds`")[2].partition("\nElsewhere")[0]
    assert set(re.findall(r"^\| `([^`]+)`", section, flags=re.M)) == helpers


def test_the_generated_parts_of_the_documents_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "docs" / "generate.py"), "--check"], check=False)
    assert done.returncode == 0, "make docs writes them anew"


@pytest.mark.parametrize("name", ["library.ipynb", "headline.ipynb"])
def test_a_notebook_runs_at_reduced_size(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every cell and ask the last value of each to draw itself, as a notebook does."""
    monkeypatch.setenv("HOUSEWAY_REDUCED", "1")
    notebook = json.loads((ROOT / "docs" / name).read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    drawn = 0
    for cell in cells:
        tree = ast.parse(cell)
        last = tree.body[-1]
        if isinstance(last, ast.Expr):
            tree.body.pop()
        exec(compile(tree, name, "exec"), names)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), name, "eval"), names)
            drawn += hasattr(shown, "_repr_html_") and "houseway" in shown._repr_html_()
    assert len(cells) > 5
    assert drawn > 3
