"""The jackpot key: a recorded win waits for the key's turn back to Run, which moves the meter once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from houseway.games import Rules
from houseway.law.claims import rest_on
from houseway.ledger import Movement, player
from houseway.meters import Meter, award_share


@dataclass(frozen=True)
class RecordedWin:
    """A win that J-POT has recorded, and whether the meter has been adjusted for it."""

    person: str
    share_percent: int
    adjusted: bool = False


def turn_to_run(
    rules: Rules, meter: Meter, win: RecordedWin
) -> tuple[Meter, RecordedWin, tuple[Movement, ...]]:
    """Turn the key back to Run: adjust the meter for the recorded win, exactly once."""
    if win.adjusted:
        return meter, win, ()
    rest_on(*(rules.game.meter.adjusts if rules.game.meter else ()))
    after, moved = award_share(meter, Fraction(win.share_percent, 100), player(win.person))
    return after, replace(win, adjusted=True), moved
