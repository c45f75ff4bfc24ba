"""The steps of a game as screens arrange them: by stage and by panel, in the order of the procedure."""

from __future__ import annotations

from msgspec import Struct

from houseway.games import Rules
from houseway.rounds.stage import Stage
from houseway.rounds.state import Phase
from houseway.rounds.step import Panel
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


def panels_of(rules: Rules) -> dict[Panel, tuple[str, ...]]:
    """Return the steps of a game that screens offer in each panel."""
    return {panel: tuple(name for name in rules.procedure if panel in STEPS[name].panels) for panel in Panel}
