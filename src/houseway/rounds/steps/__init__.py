"""The steps of play, by the part of a round they belong to; importing this package makes them known."""

from houseway.rounds.steps import (
    betting,
    cutting,
    deal,
    dealer,
    idle,
    irregular,
    loading,
    opening,
    people,
    racking,
    revealing,
    setting,
    settling,
    shuffling,
    starting,
    winning,
)

__all__ = [
    "betting",
    "cutting",
    "deal",
    "dealer",
    "idle",
    "irregular",
    "loading",
    "opening",
    "people",
    "racking",
    "revealing",
    "setting",
    "settling",
    "shuffling",
    "starting",
    "winning",
]
