"""The stages of a round as a dealer works through them: which steps belong to each, and in which order."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Final

from msgspec import Struct, convert
from msgspec.structs import replace

from houseway.games import Rules
from houseway.rounds.state import Phase


class Stage(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a round, or of a table's day: what it is called, and the steps that belong to it."""

    id: str
    name: str
    steps: tuple[str, ...]
    phase: Phase | None = None
    """The phase of a table that is at this stage while nothing is due."""
    day: bool = False
    """Whether it comes once a day, before the first round."""


def _read() -> tuple[Stage, ...]:
    text = (files(__package__) / "data" / "stages.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text)["stage"], tuple[Stage, ...])


STAGES: Final = _read()
"""Every stage there is, in order."""


def stages_of(rules: Rules) -> tuple[Stage, ...]:
    """Return the stages that a table has, each with the steps that its game has."""
    found = []
    for stage in STAGES:
        steps = tuple(step for step in stage.steps if step in rules.procedure)
        if steps:
            found.append(replace(stage, steps=steps))
    return tuple(found)
