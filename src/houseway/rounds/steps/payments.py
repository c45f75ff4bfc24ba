"""The wagers of one hand, settled by themselves: the same functions that settle a whole round."""

from __future__ import annotations

from houseway.ranking import Race
from houseway.settlement import Area, Payment, Showdown
from houseway.settlement.house import hold_to_limit, settle_double_down, settle_main
from houseway.settlement.model import DOUBLE_DOWN, MAIN
from houseway.settlement.sides import settle_side


def pay_wager(
    showdown: Showdown, area: Area, wager: str, race: Race | None, before: list[Payment]
) -> tuple[list[Payment], Race | None]:
    """Return the payments of one wager, and how the race ended.

    What the hand was paid before counts against its payout limit, so it is passed in.
    """
    if wager == MAIN:
        new, race = settle_main(showdown, area, race)
    elif wager == DOUBLE_DOWN:
        new = settle_double_down(showdown, area, race)
    else:
        new = settle_side(showdown, area, wager, race)
    if showdown.rules.submission.payout_limit is None:
        return new, race
    return hold_to_limit(showdown, [*before, *new])[len(before) :], race


def fouled(race: Race | None) -> bool:
    """Whether the hand was set out of order."""
    return race is not None and bool(race.fouls)
