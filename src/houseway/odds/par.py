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
from houseway.odds.best_edges import BestEdge, best_edge
from houseway.odds.doubling import DoublingOdds, double_down
from houseway.odds.fees import fee_edges
from houseway.odds.maingame import MainGame, Told, main_game
from houseway.odds.permitted import NOT_COUNTED, Effect, PermittedTable, effects, permitted_tables
from houseway.odds.progressive import ProgressiveOdds, meter_odds
from houseway.odds.sides import EnvyOdds, SideOdds, envy_odds, side_odds
from houseway.rounds.houseway import dealer_program
from houseway.settlement.model import DOUBLE_DOWN


@dataclass(frozen=True)
class WagerSheet:
    """A side wager: its paytable, the counts of every hand, and its odds."""

    wager: str
    name: str
    table: Paytable
    lines: dict[str, Line]
    """Each hand, and the line that pays it."""
    odds: SideOdds
    envy: tuple[EnvyOdds, ...]
    progressive: ProgressiveOdds | None
    permitted: tuple[PermittedTable, ...]
    """Every paytable that might be posted, side by side."""


@dataclass(frozen=True)
class Par:
    """The computed figures of a PAR sheet."""

    rules: Rules
    wagers: tuple[WagerSheet, ...]
    main: MainGame | None
    doubled: DoublingOdds | None
    best: BestEdge | None
    """Best play, where it was counted for these rules."""
    effects: tuple[Effect, ...]
    """What other choices of the readings would change."""

    @property
    def commission(self) -> Fraction:
        """The house's part of a main wager that wins."""
        return self.rules.game.commission or Fraction(0)

    @property
    def edge(self) -> Fraction | None:
        """The house's edge of a main wager, both sides set the house way, doubled where that pays."""
        if self.main is None:
            return None
        return self.main.edge(self.commission) - (self.doubled.worth if self.doubled else 0)

    @property
    def risk(self) -> Fraction | None:
        """The element of risk: the edge as a part of all that is wagered on average, Double Downs too."""
        if self.edge is None:
            return None
        return self.edge / (1 + (self.doubled.share_doubled if self.doubled else 0))

    def figures(self) -> dict[str, Any]:
        """Return every figure as plain data, fractions written exactly."""
        return {
            "game": self.rules.game.id,
            "submission": self.rules.submission.fingerprint(),
            "wagers": [_wager_figures(sheet) for sheet in self.wagers],
            "main": _main_figures(self.main, self.commission),
            "double_down": _double_figures(self.doubled),
            "best_play": _best_figures(self),
            "readings": [[effect.figure, effect.choice, effect.there] for effect in self.effects],
            "fees": [[band.basis, band.low, band.high, band.fee] for band in fee_edges(self.rules)],
        }

    def fingerprint(self) -> str:
        """Return the hash of exactly these figures."""
        canonical = json.dumps(self.figures(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


def par(rules: Rules, *, main: bool = True, tell: Told | None = None) -> Par:
    """Compute the figures of a rules submission; the main game only with ``main``."""
    sheets = tuple(
        _sheet(rules, terms.id, terms.name)
        for terms in rules.game.wager
        if terms.family in ("bonus", "progressive") and rules.offers(terms.id)
    )
    best, changed = best_edge(rules), tuple(effects(rules))
    if not main:
        return Par(rules, sheets, None, None, best, changed)
    way = dealer_program(rules)
    doubled = double_down(way, way) if rules.offers(DOUBLE_DOWN) else None
    return Par(rules, sheets, main_game(way, way, tell=tell), doubled, best, changed)


def _sheet(rules: Rules, wager: str, name: str) -> WagerSheet:
    odds = side_odds(rules, wager)
    lines = {hand: rules.line(wager, hand) for hand in odds.counts}
    envy, meter = tuple(envy_odds(rules, wager)), meter_odds(rules, wager, odds)
    permitted = tuple(permitted_tables(rules, wager))
    return WagerSheet(wager, name, rules.paytable(wager), lines, odds, envy, meter, permitted)


def lines_of(sheet: WagerSheet) -> list[dict[str, Any]]:
    """Return the lines of a wager: hand, count, chance, odds, return and clauses."""
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
        "envy": {dollars(envy.stake): str(envy.each) for envy in sheet.envy},
        "progressive_hold": str(meter.hold) if meter else None,
        "progressive_least_hold": str(meter.least_hold) if meter else None,
        "permitted": {table.paytable: str(table.odds.hold) for table in sheet.permitted},
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


def _best_figures(par: Par) -> dict[str, Any]:
    best, risk = par.best, par.risk
    return {
        "edge": str(best.edge) if best else NOT_COUNTED,
        "gives_up": str(best.gives_up) if best else NOT_COUNTED,
        "element_of_risk": str(risk) if risk is not None else NOT_COUNTED,
    }


def _double_figures(odds: DoublingOdds | None) -> dict[str, Any] | None:
    if odds is None:
        return None
    return {"gain": odds.gain, "doubled": odds.doubled, "always": odds.always, "worth": str(odds.worth)}
