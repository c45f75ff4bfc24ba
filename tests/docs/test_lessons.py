"""The lessons in the tour go as they are printed there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from houseway.cli import main
from tests.docs.test_documents_run import ROOT, fences

LESSONS = {
    title: text
    for _, title, text in fences((ROOT / "docs" / "tour.md").read_text(encoding="utf-8"))
    if title.endswith("lesson")
}


class Typed:
    """Types what a transcript has after its prompts, and shows it as a terminal does."""

    def __init__(self, transcript: str) -> None:
        self._left = re.findall(r"^Your (?:setting|answer): (.*)$", transcript, re.M)

    def readline(self) -> str:
        """Type the next line."""
        print(self._left[0])
        return f"{self._left.pop(0)}\n"


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize(
    "title",
    ["a dealer's lesson", pytest.param("a player's lesson", marks=pytest.mark.exhaustive)],  # needs the table
)
def test_a_lesson_of_the_tour_goes_as_it_is_printed(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, _, printed = LESSONS[title].removeprefix("$ ").partition("\n")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.stdin", Typed(printed))
    with pytest.raises(SystemExit) as stop:
        main(shlex.split(command)[1:])
    assert (stop.value.code, lines(capsys.readouterr().out)) == (0, lines(printed))
