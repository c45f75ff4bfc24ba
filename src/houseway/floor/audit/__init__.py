"""The log of a floor walked from its beginning: everything folded, and everything decided again."""

from houseway.floor.audit.entry_judge import LieError, RefoldError
from houseway.floor.audit.persons import ANYBODY, Persons
from houseway.floor.audit.result import DecksOf, FloorVerification, no_decks
from houseway.floor.audit.snapshots_and_decks import MISSING, MissingDeckError
from houseway.floor.audit.walk import Audit

__all__ = [
    "ANYBODY",
    "MISSING",
    "Audit",
    "DecksOf",
    "FloorVerification",
    "LieError",
    "MissingDeckError",
    "Persons",
    "RefoldError",
    "no_decks",
]
