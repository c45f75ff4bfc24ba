"""Read models: rounds, search and accounting, made from the log, and made again at any time."""

from houseway.floor.readmodels.accounting import (
    Accounting,
    GamingDay,
    days_of_meters,
    days_of_tables,
    days_of_wagers,
    readings_of_meters,
)
from houseway.floor.readmodels.parked_entry import ParkedEntries, ParkedEntry, parked_by_model
from houseway.floor.readmodels.read_model import ReadModel
from houseway.floor.readmodels.round_rows import OwnRound, RoundRow, Rounds, history, round_of
from houseway.floor.readmodels.row_check import ReadModelError, check_read_models
from houseway.floor.readmodels.runner import ReadModels, every_model
from houseway.floor.readmodels.search import Search, StepInRound, find_rounds, steps_in_rounds
from houseway.floor.readmodels.table_fold import RoundEnding

__all__ = [
    "Accounting",
    "GamingDay",
    "OwnRound",
    "ParkedEntries",
    "ParkedEntry",
    "ReadModel",
    "ReadModelError",
    "ReadModels",
    "RoundEnding",
    "RoundRow",
    "Rounds",
    "Search",
    "StepInRound",
    "check_read_models",
    "days_of_meters",
    "days_of_tables",
    "days_of_wagers",
    "every_model",
    "find_rounds",
    "history",
    "parked_by_model",
    "readings_of_meters",
    "round_of",
    "steps_in_rounds",
]
