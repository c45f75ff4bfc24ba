"""What tables took and kept, compared with their theoretical hold."""

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
from houseway.games.decided import decided_by
from houseway.ledger import Units
from houseway.ranking.memo import once
from houseway.settlement import meter_terms
from houseway.settlement.model import PROGRESSIVE


class CountedHold(Struct, frozen=True, forbid_unknown_fields=True):
    """The counted theoretical hold of a wager, by a paytable or a house way."""

    key: str
    """The hash of everything that decides it: ``decided_by`` of the rules it was counted under."""
    game: str
    wager: str
    by: str
    hold: str
    readings: dict[str, str] = {}
    """The readings it was counted under, where they are not the usual ones."""


class WagerBook(Struct, frozen=True, kw_only=True):
    """What a wager took and kept at a table, and its theoretical hold and win."""

    wager: str
    name: str
    handle: Units
    win: Units
    hold: float | None
    """The share of the handle that was kept."""
    theoretical_hold: float | None
    """None if it was not counted: an operator's own paytable, or a wager placed after the cards are seen."""
    theoretical_win: Units | None


class TableBook(Struct, frozen=True, kw_only=True):
    """What a table took and kept over some days, in ten-thousandths of a cent."""

    table: TableId
    game: str
    rounds: int
    voids: int
    drop: Units
    cashed: Units
    filled: Units
    credited: Units
    variance: Units
    """The sum by which counts of the tray exceeded what was expected."""
    handle: Units
    win: Units
    fees: Units
    hold: float | None
    theoretical_win: Units | None
    """The sum over the wagers for which it is known."""
    wagers: tuple[WagerBook, ...]


@cache
def counted_holds() -> Mapping[str, CountedHold]:
    """Return the counted holds by their keys."""
    text = (files("houseway.service") / "data" / "holds.toml").read_text(encoding="utf-8")
    return {row.key: row for row in convert(tomllib.loads(text)["hold"], tuple[CountedHold, ...])}


def hold_of(rules: Rules, wager: str) -> Fraction | None:
    """Return the theoretical hold of a wager at a table, or None if it was not counted.

    It must have been counted under the very options and readings of the table. What a progressive wager puts
    into its meter and reserve is not held; where players bank, there is no hold.
    """
    if rules.banked or not rules.offers(wager):
        return None
    row = counted_holds().get(_key_of(rules, wager))
    if row is None:
        return None
    if wager != PROGRESSIVE:
        return Fraction(row.hold)
    terms = meter_terms(rules)
    return Fraction(row.hold) - terms.contribution - terms.reserve


def _key_of(rules: Rules, wager: str) -> str:
    """Return the key under which a hold is stored; "" for a wager placed after the cards are seen."""
    if wager in rules.later_wagers:
        return ""
    return once(rules.memo.decided, wager, decided_by, rules, wager)


def table_book(
    table: TableId, rules: Rules, days: Iterable[Mapping[str, Any]], wagers: Iterable[Mapping[str, Any]]
) -> TableBook:
    """Return what a table took and kept, from the rows of its gaming days."""
    rows = list(days)
    total = {name: sum(day[name] for day in rows) for name in (*_COUNTS, *_AMOUNTS)}
    books = _wagers(rules, wagers)
    known = [book.theoretical_win for book in books if book.theoretical_win is not None]
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
    books_of_wagers = []
    for wager in sorted(
        handle, key=lambda name: (name not in names, list(names).index(name) if name in names else 0)
    ):
        hold = hold_of(rules, wager) if wager in names else None
        books_of_wagers.append(
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
    return tuple(books_of_wagers)


def _share(win: Units, handle: Units) -> float | None:
    return win / handle if handle else None
