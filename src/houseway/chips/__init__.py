"""The chips of a table: bought, changed, filled, credited, dropped, counted. All pure."""

from houseway.chips.actions import AnyChipAction, ChipAction, ChipCommand, Chips, ChipTurn, value_of
from houseway.chips.deciding import chip_problems, decide_chips, evolve_chips, posted_chips
from houseway.chips.reports import award_reports, reports_due
from houseway.chips.settings import ChipConfig, read_config, standard_config
from houseway.chips.tray import NO_CHIPS, Tray, after_round, chips_of, covers, moved_by, staked_by

__all__ = [
    "NO_CHIPS",
    "AnyChipAction",
    "ChipAction",
    "ChipCommand",
    "ChipConfig",
    "ChipTurn",
    "Chips",
    "Tray",
    "after_round",
    "award_reports",
    "chip_problems",
    "chips_of",
    "covers",
    "decide_chips",
    "evolve_chips",
    "moved_by",
    "posted_chips",
    "read_config",
    "reports_due",
    "staked_by",
    "standard_config",
    "value_of",
]
