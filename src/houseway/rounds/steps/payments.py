"""The wagers of one hand, settled by themselves: the same functions that settle a whole round."""

from __future__ import annotations

from houseway.money import Basis
from houseway.ranking import Race
from houseway.settlement import Area, Payment, Round, Status
from houseway.settlement.house import dealer_qualifies, hold_to_limit, settle_double_down, settle_main
from houseway.settlement.model import DOUBLE_DOWN, MAIN, PROGRESSIVE
from houseway.settlement.sides import line_for, settle_side

_PLAYED, _LOSE = Status.PLAYED, Basis.LOSE


def pay_wager(
    made: Round, area: Area, wager: str, race: Race | None, before: list[Payment]
) -> tuple[list[Payment], Race | None]:
    """Return the payments of one wager, and how the race ended.

    What the hand was paid before counts against its payout limit, so it is passed in.
    """
    if wager == MAIN:
        new, race = settle_main(made, area, race)
    elif wager == DOUBLE_DOWN:
        new = settle_double_down(made, area, race)
    else:
        new = settle_side(made, area, wager, foul=fouled(race))
    if made.rules.submission.payout_limit is None:
        return new, race
    return hold_to_limit(made, [*before, *new])[len(before) :], race


def plain_end(made: Round, area: Area, wagers: list[str], race: Race | None) -> tuple[object, ...] | None:
    """Return all that decides the payments of a plainly played hand, or nothing where there is more.

    Somebody behind the player, a foul, a payout limit and a progressive win are settled wager by wager.
    """
    rules, bettor = made.rules, area.bettor
    if race is None or race.fouls or area.behind or area.status is not _PLAYED:
        return None
    if rules.submission.payout_limit is not None:
        return None
    stakes = bettor.wagers
    ends: list[object] = [area.position, bettor.person, race.result]
    for wager in wagers:
        if wager == MAIN:
            ends += (wager, stakes[wager], "".join(race.parts), race.clauses)
        elif wager == DOUBLE_DOWN:
            ends += (wager, stakes[wager], dealer_qualifies(made))
        else:
            line = line_for(rules, wager, area)
            if wager == PROGRESSIVE and line.pays.basis is not _LOSE:
                return None
            ends += (wager, stakes[wager], line.hand)
    return tuple(ends)


def fouled(race: Race | None) -> bool:
    """Whether the hand was set out of order."""
    return race is not None and bool(race.fouls)
