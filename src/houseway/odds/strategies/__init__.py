"""Short strategies for players: rules and cards of points, learnt from exact values and judged exactly."""

from houseway.odds.strategies.strategy import (
    Judged,
    Strategy,
    as_points_way,
    as_way,
    compiled,
    judge,
    learn_point_cards,
    learn_strategies,
    sentences,
    without_idle_rules,
)

__all__ = [
    "Judged",
    "Strategy",
    "as_points_way",
    "as_way",
    "compiled",
    "judge",
    "learn_point_cards",
    "learn_strategies",
    "sentences",
    "without_idle_rules",
]
