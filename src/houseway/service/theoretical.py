"""What tables took and kept, held against what they keep in the long run."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct, convert

from houseway.floor.streams import TableId
from houseway.games import Rules
from houseway.ledger import Units
from houseway.settlement import meter_terms
from houseway.settlement.model import MAIN, PROGRESSIVE


class Hold(Struct, frozen=True, forbid_unknown_fields=True):
    """What the house keeps of a wager in the long run, by a paytable or by a house way."""

    game: str
    wager: str
    by: str
    hold: str


class WagerBook(Struct, frozen=True, kw_only=True):
    """What a wager took and kept at a table, and what it keeps in the long run."""

    wager: str
    name: str
    handle: Units
    win: Units
    hold: float | None
    """What was kept of what was wagered."""
    theoretical_hold: float | None
    """None where nobody has counted: an operator's own paytable, or a wager that follows the cards."""
    theoretical_win: Units | None


class TableBook(Struct, frozen=True, kw_only=True):
    """What a table took and kept, all days together; amounts are ten-thousandths of a cent."""

    table: TableId
    game: str
    rounds: int
    voids: int
    drop: Units
    cashed: Units
    filled: Units
    credited: Units
    variance: Units
    """What counts of the tray found over what was expected."""
    handle: Units
    win: Units
    fees: Units
    hold: float | None
    theoretical_win: Units | None
    """Of those wagers of which it is known."""
    wagers: tuple[WagerBook, ...]


@cache
def holds() -> Mapping[tuple[str, str, str], Fraction]:
    """Return what the house keeps in the long run, by game, wager, and paytable or house way."""
    text = (files("houseway.service") / "data" / "holds.toml").read_text(encoding="utf-8")
    rows = convert(tomllib.loads(text)["hold"], tuple[Hold, ...])
    return {(row.game, row.wager, row.by): Fraction(row.hold) for row in rows}


def hold_of(rules: Rules, wager: str) -> Fraction | None:
    """Return what the house keeps of a wager at a table in the long run, if anybody has counted it.

    What a progressive wager puts into its meter and reserve is not kept; where players bank, nothing is.
    """
    if rules.banked:
        return None
    if wager == MAIN:
        return holds().get((rules.game.id, wager, rules.submission.house_way or ""))
    if not rules.offers(wager):
        return None
    table = rules.paytable(wager)
    if table not in rules.game.paytables_of(wager):
        return None
    found = holds().get((rules.game.id, wager, table.id))
    if found is None or wager != PROGRESSIVE:
        return found
    terms = meter_terms(rules)
    return found - terms.contribution - terms.reserve


def book_of(
    table: TableId, rules: Rules, days: Iterable[Mapping[str, Any]], wagers: Iterable[Mapping[str, Any]]
) -> TableBook:
    """Return what a table took and kept, from the rows of its gaming days."""
    every = list(days)
    total = {name: sum(day[name] for day in every) for name in (*_COUNTS, *_AMOUNTS)}
    books = _wagers(rules, wagers)
    known = [one.theoretical_win for one in books if one.theoretical_win is not None]
    return TableBook(
        table=table,
        game=rules.game.id,
        rounds=total["rounds"],
        voids=total["voids"],
        drop=total["dropped"],
        cashed=total["cashed"],
        filled=total["filled"],
        credited=total["credited"],
        variance=total["variance"],
        handle=total["handle"],
        win=total["win"],
        fees=total["fees"],
        hold=_share(total["win"], total["handle"]),
        theoretical_win=sum(known) if known else None,
        wagers=books,
    )


_COUNTS = ("rounds", "voids")
_AMOUNTS = ("dropped", "cashed", "filled", "credited", "variance", "handle", "win", "fees")


def _wagers(rules: Rules, rows: Iterable[Mapping[str, Any]]) -> tuple[WagerBook, ...]:
    handle: dict[str, int] = {}
    win: dict[str, int] = {}
    for row in rows:
        handle[row["wager"]] = handle.get(row["wager"], 0) + row["handle"]
        win[row["wager"]] = win.get(row["wager"], 0) + row["win"]
    names = {terms.id: terms.name for terms in rules.game.wager}
    found = []
    for wager in sorted(
        handle, key=lambda one: (one not in names, list(names).index(one) if one in names else 0)
    ):
        hold = hold_of(rules, wager) if wager in names else None
        found.append(
            WagerBook(
                wager=wager,
                name=names.get(wager, wager),
                handle=handle[wager],
                win=win[wager],
                hold=_share(win[wager], handle[wager]),
                theoretical_hold=None if hold is None else float(hold),
                theoretical_win=None if hold is None else round(hold * handle[wager]),
            )
        )
    return tuple(found)


def _share(win: Units, handle: Units) -> float | None:
    return win / handle if handle else None
