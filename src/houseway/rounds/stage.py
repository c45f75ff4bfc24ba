"""The stages of a table's day and of a round, in the order in which a dealer comes to them.

A step says to which stage it belongs; what belongs to none is done when a person wishes it, or when it
happens.
"""

from __future__ import annotations

from enum import Enum

from houseway.rounds.state import Phase


class Stage(Enum):
    """A part of a round, or of a table's day: its id, its name, and the phase that it names."""

    DEALER_COMES = ("dealer_comes", "Dealer logged on", Phase.CLOSED)
    INSPECTION = ("inspection", "Deck received and inspected", None)
    SPREAD = ("spread", "Spread and looked over", None)
    WASH = ("wash", "Washed and stacked", None)
    OPENING = ("opening", "Table opened", Phase.OPENING)
    SHUFFLE = ("shuffle", "Shuffle and cut", Phase.IDLE)
    BANK = ("bank", "Bank", None)
    BETS = ("bets", "Bets", Phase.BETTING)
    CLOSING = ("closing", "No more bets", None)
    START = ("start", "Starting position", Phase.STARTING)
    DEAL = ("deal", "Deal", Phase.DEALING)
    PLAYERS = ("players", "Players set", Phase.SETTING)
    DEALER = ("dealer", "Dealer's hand", Phase.DEALER)
    SETTLE = ("settle", "Hands opened and settled", Phase.SETTLING)
    ENVY = ("envy", "Envy Bonuses", None)
    END = ("end", "Round closed", None)

    def __init__(self, id_: str, title: str, phase: Phase | None) -> None:
        self.id, self.title, self.phase = id_, title, phase

    @property
    def day(self) -> bool:
        """Whether it comes once a day, before the first round."""
        return self in _ONCE_A_DAY


_ONCE_A_DAY = frozenset({Stage.DEALER_COMES, Stage.INSPECTION, Stage.SPREAD, Stage.WASH, Stage.OPENING})
