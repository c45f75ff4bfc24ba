"""The steps of play, by the part of a round they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from houseway.errors import UnknownNameError
from houseway.rounds.actions import Action
from houseway.rounds.step import AnyStep
from houseway.rounds.steps import (
    adjusting,
    adopting,
    banking,
    betting,
    chips,
    cutting,
    deal,
    dealer,
    ending,
    idle,
    irregular,
    keypad,
    loading,
    opening,
    people,
    piles,
    pressing,
    racking,
    revealing,
    setting,
    settling,
    shuffling,
    starting,
    winning,
)

ALL_STEPS: Final[tuple[AnyStep, ...]] = (
    *banking.STEPS,
    *betting.STEPS,
    *chips.STEPS,
    *cutting.STEPS,
    *deal.STEPS,
    *dealer.STEPS,
    *idle.STEPS,
    *irregular.STEPS,
    *ending.STEPS,
    *keypad.STEPS,
    *adjusting.STEPS,
    *loading.STEPS,
    *opening.STEPS,
    *people.STEPS,
    *adopting.STEPS,
    *piles.STEPS,
    *pressing.STEPS,
    *racking.STEPS,
    *revealing.STEPS,
    *setting.STEPS,
    *settling.STEPS,
    *shuffling.STEPS,
    *starting.STEPS,
    *winning.STEPS,
)
"""Every step that is written."""
STEPS: Final[Mapping[str, AnyStep]] = MappingProxyType({step.name: step for step in ALL_STEPS})
"""Every step by its name."""
TAKEN_BY: Final[Mapping[type[Action], tuple[str, AnyStep]]] = MappingProxyType(
    {step.action: (name, step) for name, step in STEPS.items()}
)
"""Every step, with its name, by the kind of action that takes it."""


def step_named(name: str) -> AnyStep:
    """Return a step by its name."""
    try:
        return STEPS[name]
    except KeyError:
        raise UnknownNameError("no such step", value=name) from None


__all__ = ["ALL_STEPS", "STEPS", "TAKEN_BY", "step_named"]
