"""``docs/add-a-step.md`` is followed to the letter: one file and a section, and the step is everywhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from houseway.rounds.steps import STEPS
from tests.docs.test_documents_run import ROOT, fences

PAGE = ROOT / "docs" / "add-a-step.md"
STEP = "hear_cards"
AT_THE_END = "at the end of "
LOOK = """
import json, sys

import catalogue, roles_page
from houseway.games import example_submission, rules_for
from houseway.rounds import codec
from houseway.rounds.fields import FORMS
from houseway.rounds.live import EVERYTHING
from houseway.rounds.redaction import FIELDS
from houseway.rounds.stages import panels_of, stages_of
from houseway.service.api.openapi import describe
from houseway.service.api.routes import ROUTES

step, rules = sys.argv[1], rules_for(example_submission("pa-659a"))
print(json.dumps({
    "schema": codec.schema()["$defs"],
    "openapi": describe(ROUTES)["components"]["schemas"],
    "form": [field.name for field in FORMS[step]],
    "stages": {stage.id: stage.steps for stage in stages_of(rules)},
    "panels": {panel: steps for panel, steps in panels_of(rules).items()},
    "roles": roles_page.step_roles().splitlines(),
    "readers": {kind.__name__: {name: one.name for name, one in of.items()} for kind, of in FIELDS.items()},
    "words": catalogue.words(),
    "everything": sorted(EVERYTHING),
}))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the source and what generates the documents, and add what the page says."""
    folder = tmp_path_factory.mktemp("added")
    for name in ("src", "docs"):
        ignored = shutil.ignore_patterns("__pycache__", "screens", "static")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for _, title, text in fences(PAGE.read_text(encoding="utf-8")):
        path = folder / title.removeprefix(AT_THE_END)
        if title.startswith(AT_THE_END):
            path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
        elif title:
            assert not path.exists()
            path.write_text(text, encoding="utf-8")
    return folder


def run(copy: Path, *words: str) -> str:
    environment = os.environ | {"PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy / 'docs'}"}
    done = subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def derived(copy: Path) -> dict[str, Any]:
    """Return what is derived from the steps where the toy is one of them."""
    found: dict[str, Any] = json.loads(run(copy, "-c", LOOK, STEP))
    return found


def test_the_step_is_no_part_of_this_source() -> None:
    assert STEP not in STEPS


def test_it_is_offered_taken_refused_hidden_and_replayed_as_the_page_prints(copy: Path) -> None:
    """The prompts of the page are typed where the files are: a form, options, a refusal, events, a replay."""
    run(copy, "-m", "doctest", str(copy / "docs" / PAGE.name))
    assert PAGE.read_text(encoding="utf-8").count(">>> ") > 30


def test_it_is_in_the_schema_and_in_the_description_of_the_interface(derived: dict[str, Any]) -> None:
    for schemas in (derived["schema"], derived["openapi"]):
        assert schemas["HearCards"]["properties"]["step"] == {"enum": [STEP]}
        assert schemas["HearCards"]["required"] == ["step", "position", "language", "pause"]
    assert derived["schema"]["CardsHeard"]["properties"]["kind"] == {"enum": ["cards_heard"]}


def test_it_has_a_form_and_a_place_on_screens(derived: dict[str, Any]) -> None:
    assert derived["form"] == ["position", "language", "pause"]
    assert [stage for stage, steps in derived["stages"].items() if STEP in steps] == ["players"]
    assert [panel for panel, steps in derived["panels"].items() if STEP in steps] == []
    assert STEP in derived["everything"]


def test_it_is_on_the_roles_page_with_its_law_and_its_readers(derived: dict[str, Any]) -> None:
    roles = derived["roles"]
    row = next(number for number, line in enumerate(roles) if line.startswith(f"| `{STEP}`"))
    assert roles[row] == f"| `{STEP}` | ● | `pa659a.11.a` |"
    assert roles[row - 4 : row - 1] == ["### Cards heard", "", "| step | player | law |"]
    assert derived["readers"]["CardsHeard"] == {"cards": "OWNER"}


def test_its_words_are_in_the_catalogue(derived: dict[str, Any]) -> None:
    for context, word in (
        ("button", "Hear the cards"),
        ("says", "Put on the earpiece, please."),
        ("done", "Heard"),
        ("field.language", "Language"),
        ("field.pause", "Seconds between cards"),
        ("guard.owner", "only the player of the hand hears its cards"),
    ):
        entry = f'#: houseway/rounds/steps/hear.py\nmsgctxt "{STEP}.{context}"\nmsgid "{word}"\n'
        assert entry in derived["words"]
