"""The errors that a store raises: a closed set, the same for every database.

No other error of a database reaches a floor. ``StaleError`` and ``UnstorableError`` are about what was
to be stored; ``OutcomeUnknownError`` and ``StoreGoneError`` are about the database, and pass.
"""

from __future__ import annotations

from houseway.errors import HousewayError


class StoreError(HousewayError):
    """A store could not do what it was asked for."""


class StaleError(StoreError):
    """Another process has added to a stream, or has carried out the command: nothing was stored."""


class UnstorableError(StoreError):
    """The database takes everything but this: nothing was stored, nor will be if it is tried again."""


class OutcomeUnknownError(StoreError):
    """The connection was lost on the way: it may be stored or not, and is found out by asking again."""


class StoreGoneError(StoreError):
    """The database cannot be reached, or takes nothing now: nothing was stored."""
