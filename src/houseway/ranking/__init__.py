"""Hands to strength: what beats what, which settings are legal, who wins, and the side wagers' hands."""

from houseway.ranking.held import PartCards
from houseway.ranking.listing import NONE, Listing
from houseway.ranking.order import Ranked, describe
from houseway.ranking.race import Race, race, tell_race
from houseway.ranking.ranking import RaceResult, Ranking, ranking
from houseway.ranking.settings import (
    Setting,
    all_settings,
    dealer_valued,
    legal_settings,
    verify_setting,
    verify_split,
)

__all__ = [
    "NONE",
    "Listing",
    "PartCards",
    "Race",
    "RaceResult",
    "Ranked",
    "Ranking",
    "Setting",
    "all_settings",
    "dealer_valued",
    "describe",
    "legal_settings",
    "race",
    "ranking",
    "tell_race",
    "verify_setting",
    "verify_split",
]
