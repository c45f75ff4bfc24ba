"""The steps of play: a module for each step or small family, found by itself.

A module of this folder that has ``STEPS`` adds to the game's vocabulary; the others hold what several of them
share. From the steps follow the registry, what may be decoded, forms, roles, stages and redaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Final, Union

from houseway.rounds import outcomes
from houseway.rounds.action import Action
from houseway.rounds.outcomes import Outcome
from houseway.rounds.step import AnyStep


def _modules() -> tuple[ModuleType, ...]:
    return tuple(import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__))


def _outcomes(module: ModuleType) -> Iterator[type[Outcome]]:
    """Yield the kinds of outcome that a module defines; one without a tag is only a base of others."""
    for kind in vars(module).values():
        ours = isinstance(kind, type) and issubclass(kind, Outcome) and kind.__module__ == module.__name__
        if ours and kind.__struct_config__.tag != kind.__name__:
            yield kind


_MODULES: Final = _modules()
ALL_STEPS: Final[tuple[AnyStep, ...]] = tuple(
    step for module in _MODULES for step in getattr(module, "STEPS", ())
)
"""Every step there is."""
STEPS: Final[Mapping[str, AnyStep]] = MappingProxyType({step.name: step for step in ALL_STEPS})
"""Every step by its name."""
TAKEN_BY: Final[Mapping[type[Action], tuple[str, AnyStep]]] = MappingProxyType(
    {step.action: (name, step) for name, step in STEPS.items()}
)
"""Every step, with its name, by the kind of action that takes it."""
ACTIONS: Final[tuple[type[Action], ...]] = tuple(step.action for step in ALL_STEPS)
"""Every kind of action there is."""
AnyAction = Union[ACTIONS]  # type: ignore[valid-type]  # noqa: UP007 - made of the tuple above
"""Any of them, as a decoder reads it."""
OUTCOMES: Final[tuple[type[Outcome], ...]] = tuple(
    kind for module in (outcomes, *_MODULES) for kind in _outcomes(module)
)
"""Every kind of outcome there is."""
AnyOutcome = Union[OUTCOMES]  # type: ignore[valid-type]  # noqa: UP007 - made of the tuple above
"""Any of them, as a decoder reads it."""


__all__ = ["ACTIONS", "ALL_STEPS", "OUTCOMES", "STEPS", "TAKEN_BY", "AnyAction", "AnyOutcome"]
