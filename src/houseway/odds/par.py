"""The figures of a PAR sheet: every wager of a rules submission as counts, shares and returns, with a hash.

Counts are integers and holds are fractions until they are printed; the hash is over the figures alone, so
that two machines that print the same sheet have the same hash.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.games import Rules
from houseway.games.paytables import Line, Paytable
from houseway.money import Basis, dollars
from houseway.odds.doubling import DoublingOdds, double_down
from houseway.odds.maingame import MainGame, Told, main_game
from houseway.odds.progressive import ProgressiveOdds, meter_odds
from houseway.odds.sides import EnvyOdds, SideOdds, envy_odds, side_odds
from houseway.rounds.houseway import dealer_program
from houseway.settlement.model import DOUBLE_DOWN


@dataclass(frozen=True)
class WagerSheet:
    """One side wager: its paytable, the counts of every hand, and what they come to."""

    wager: str
    name: str
    table: Paytable
    lines: dict[str, Line]
    """Each hand that can be made, and the line that it is paid by."""
    odds: SideOdds
    envy: tuple[EnvyOdds, ...]
    progressive: ProgressiveOdds | None


@dataclass(frozen=True)
class Par:
    """Everything on a PAR sheet that was computed."""

    rules: Rules
    wagers: tuple[WagerSheet, ...]
    main: MainGame | None
    doubled: DoublingOdds | None

    @property
    def commission(self) -> Fraction:
        """What the house takes of a main wager that wins."""
        return self.rules.game.commission or Fraction(0)

    def figures(self) -> dict[str, Any]:
        """Return every figure as plain data, fractions written exactly."""
        return {
            "game": self.rules.game.id,
            "submission": self.rules.submission.fingerprint(),
            "wagers": [_wager_figures(sheet) for sheet in self.wagers],
            "main": _main_figures(self.main, self.commission),
            "double_down": _double_figures(self.doubled),
        }

    def fingerprint(self) -> str:
        """Return the hash that stands for exactly these figures."""
        canonical = json.dumps(self.figures(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


def par(rules: Rules, *, main: bool = True, tell: Told | None = None) -> Par:
    """Compute the figures of a rules submission; the main game only if asked for."""
    sheets = tuple(
        _sheet(rules, terms.id, terms.name)
        for terms in rules.game.wager
        if terms.family in ("bonus", "progressive") and rules.offers(terms.id)
    )
    if not main:
        return Par(rules, sheets, None, None)
    way = dealer_program(rules)
    doubled = double_down(way, way) if rules.offers(DOUBLE_DOWN) else None
    return Par(rules, sheets, main_game(way, way, tell=tell), doubled)


def _sheet(rules: Rules, wager: str, name: str) -> WagerSheet:
    odds = side_odds(rules, wager)
    lines = {hand: rules.line(wager, hand) for hand in odds.counts}
    envy, meter = tuple(envy_odds(rules, wager)), meter_odds(rules, wager, odds)
    return WagerSheet(wager, name, rules.paytable(wager), lines, odds, envy, meter)


def lines_of(sheet: WagerSheet) -> list[dict[str, Any]]:
    """Return the lines of a wager: hand, count, chance, odds, what it returns, and its clauses."""
    rows = []
    for hand, count in sheet.odds.counts.items():
        line = sheet.lines[hand]
        back = sheet.odds.returns.get(hand, Fraction(0)) * Fraction(count, sheet.odds.total)
        rows.append(
            {
                "hand": hand,
                "count": count,
                "chance": Fraction(count, sheet.odds.total),
                "pays": str(line.pays),
                "returns": back,
                "of_meter": line.pays.basis is Basis.METER,
                "clauses": list(line.clauses),
            }
        )
    return rows


def _wager_figures(sheet: WagerSheet) -> dict[str, Any]:
    odds, meter = sheet.odds, sheet.progressive
    return {
        "wager": sheet.wager,
        "paytable": sheet.table.id,
        "counts": odds.counts,
        "hold": str(odds.hold),
        "hit_frequency": str(odds.hit_frequency),
        "variance": str(odds.variance),
        "envy": {dollars(one.stake): str(one.each) for one in sheet.envy},
        "progressive_hold": str(meter.hold) if meter else None,
    }


def _main_figures(main: MainGame | None, commission: Fraction) -> dict[str, Any] | None:
    if main is None:
        return None
    return {
        "wins": main.wins,
        "pushes": main.pushes,
        "losses": main.losses,
        "edge": str(main.edge(commission)),
        "variance": str(main.variance(commission)),
    }


def _double_figures(found: DoublingOdds | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"gain": found.gain, "doubled": found.doubled, "always": found.always, "worth": str(found.worth)}
