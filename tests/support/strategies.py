"""Strategies that are learnt in seconds."""

from __future__ import annotations

import pytest


def look_at_few_choices(patch: pytest.MonkeyPatch) -> None:
    """Have rules ask for few things, chosen by few hands."""
    patch.setattr("houseway.odds.strategies.learning._LOOKED_THROUGH", 300)
    patch.setattr("houseway.odds.strategies.learning._EACH", 4)


def begin_with_few_lines(patch: pytest.MonkeyPatch) -> None:
    """Have cards of points begin with few lines, and look at each for a short time."""
    few = {"_LONG": (2, 12), "_SHORT": (2, 12), "_BESIDE": (2,), "_ROUNDS": 1, "_FIT": (30, 60.0, 0.006)}
    for name, value in few.items():
        patch.setattr(f"houseway.odds.strategies.pointfits.{name}", value)
