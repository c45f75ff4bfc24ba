"""The chips and cash of a table: buy-ins, colour-ups, fills, credits, the drop and counts. Pure functions."""

from houseway.chips.actions import AnyChipAction, ChipAction, ChipCommand, Chips, ChipTurn, value_of
from houseway.chips.config import ChipConfig, read_config, standard_config
from houseway.chips.decisions import chip_problems, decide_chips, evolve_chips, post_chips
from houseway.chips.reports import award_reports, reports_due
from houseway.chips.tray import NO_CHIPS, Tray, apply_movements, chips_of, covers, movements_of, stakes_of

__all__ = [
    "NO_CHIPS",
    "AnyChipAction",
    "ChipAction",
    "ChipCommand",
    "ChipConfig",
    "ChipTurn",
    "Chips",
    "Tray",
    "apply_movements",
    "award_reports",
    "chip_problems",
    "chips_of",
    "covers",
    "decide_chips",
    "evolve_chips",
    "movements_of",
    "post_chips",
    "read_config",
    "reports_due",
    "stakes_of",
    "standard_config",
    "value_of",
]
