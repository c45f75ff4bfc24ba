"""The stages that a table has, each with the steps of its game, in the order of the game's procedure."""

from __future__ import annotations

from msgspec import Struct

from houseway.games import Rules
from houseway.rounds.stage import Stage
from houseway.rounds.state import Phase
from houseway.rounds.steps import STEPS


class StageSteps(Struct, frozen=True):
    """A stage as a dealer works through it: what it is called, and the steps that belong to it."""

    id: str
    name: str
    steps: tuple[str, ...]
    phase: Phase | None = None
    """The phase of a table that is at this stage while nothing is due."""
    day: bool = False
    """Whether it comes once a day, before the first round."""


def stages_of(rules: Rules) -> tuple[StageSteps, ...]:
    """Return the stages of which a game has a step, in order."""
    steps: dict[Stage, list[str]] = {stage: [] for stage in Stage}
    for name in rules.procedure:
        stage = STEPS[name].stage
        if stage is not None:
            steps[stage].append(name)
    return tuple(
        StageSteps(stage.id, stage.title, tuple(names), stage.phase, stage.day)
        for stage, names in steps.items()
        if names
    )
