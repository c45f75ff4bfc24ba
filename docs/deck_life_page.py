"""What ``docs/deck-life.md`` draws and lists: what is done to a deck, in order, and what undoes it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from houseway.rounds.deck_life import LIFE, PATH, Passage
from houseway.rounds.marks import DeckMark


def drawing() -> str:
    """Return the path as a diagram: what leads on stands on whole lines, what takes back on dotted ones."""
    lines = ["```mermaid", "flowchart LR", f"  received((received)) -->|receive_deck| {_name(PATH[0])}"]
    doing = {passage.leaves: step for step, passage in LIFE.items() if passage.leaves in PATH}
    for before, after in pairwise(PATH):
        lines.append(f"  {_name(before)} -->|{doing.get(after, 'the round ends')}| {_name(after)}")
    lines += (f"  {_name(last)} -.->|{step}| {_name(back)}" for step, last, back in _taking_back())
    return "\n".join([*lines, "```"])


def table() -> str:
    """Return what each step leaves, until when it is done, and what it undoes."""
    lines = ["| step | leaves | until the deck is | undoes |", "| --- | --- | --- | --- |"]
    for step, passage in LIFE.items():
        cells = (f"`{step}`", _mark(passage.leaves), _mark(passage.before), _undone(passage))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _taking_back() -> Iterator[tuple[str, DeckMark, DeckMark]]:
    """Yield each step that takes a deck back: from how far on its path, and to what is left of it."""
    for step, passage in LIFE.items():
        undone = [place for place, mark in enumerate(PATH) if mark in passage.undoes]
        if undone and passage.leaves not in PATH:
            yield step, PATH[undone[-1]], PATH[undone[0] - 1]


def _name(mark: DeckMark) -> str:
    return mark.value


def _mark(mark: DeckMark | None) -> str:
    return "" if mark is None else mark.value.replace("_", " ")


def _undone(passage: Passage) -> str:
    known = [mark for mark in PATH if mark in passage.undoes]
    return ", ".join(map(_mark, known))
