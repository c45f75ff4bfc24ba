"""The PAR sheet: one self-contained page that a mathematician signs and a regulator files."""

from __future__ import annotations

import os
import sys
from fractions import Fraction
from typing import Any, Final

from houseway import __version__
from houseway.games import Rules, Submission, rules_for
from houseway.games.hands import spoken
from houseway.houseways import house_way
from houseway.law.clauses import cite_together
from houseway.law.readings import readings_of
from houseway.money import dollars
from houseway.odds.hourly import HANDS_PER_HOUR, HourlyCost, hourly_costs
from houseway.odds.maingame import MainGame
from houseway.odds.par import Par, WagerSheet, lines_of
from houseway.odds.par import par as count_par
from houseway.odds.sides import percent
from houseway.ranking import NONE
from houseway.rounds.codec import decode
from houseway.web.cards import TEMPLATES
from houseway.web.par_laboratory import (
    best_data,
    cards_data,
    effects_data,
    fees_data,
    limit_data,
    meter_data,
    permitted_data,
    ranges_data,
    submission_rows,
)
from houseway.web.plots import bars_plot, results_plot, sums_of_hands, sums_plot

SESSION: Final = 100
"""The number of hands that the second plot of the main game adds up."""
POLITE: Final = 10
"""The niceness of a counting process: it must not slow the floor down."""


def par_page(par: Par) -> str:
    """Return the PAR sheet as one self-contained HTML page; a browser prints it to PDF."""
    return TEMPLATES.get_template("par_sheet.html").render(par=par_data(par))


def par_data(par: Par, *, drawn: bool = True) -> dict[str, Any]:
    """Return what the PAR sheet says, as plain data; with its plots, unless they are not to be drawn.

    Where each field comes from is in ``tests/odds/test_par_trace.py``.
    """
    rules = par.rules
    submission, game = rules.submission, rules.game
    return {
        "game": game.name,
        "holder": submission.holder,
        "reference": submission.reference,
        "submission": submission.fingerprint(),
        "law": game.law.law if game.law else "",
        "law_as_of": submission.law_as_of.isoformat(),
        "house_way": house_way(submission.house_way).title if submission.house_way else "none",
        "program": f"houseway {__version__}",
        "hash": par.fingerprint(),
        "wagers": [_wager(sheet, drawn=drawn) for sheet in par.wagers],
        "main": _main(par, drawn=drawn),
        "double": _double(par),
        "copies": "bank" if rules.banked else "dealer",
        "hourly": _hourly(par),
        "best": best_data(par),
        "fees": fees_data(par),
        "limits": limit_data(rules),
        "readings": _readings(rules),
        "effects": effects_data(par),
        "cards": cards_data(rules),
        "filed": submission_rows(rules),
    }


def _readings(rules: Rules) -> list[dict[str, Any]]:
    """Return the points on which the law leaves a choice, with the reading chosen here, in words."""
    rows = []
    for reading in readings_of(rules.game.rule_set or ""):
        if reading.option is None or reading.option.name not in rules.readings:
            continue
        choice = rules.readings[reading.option.name]
        rows.append(
            {
                "point": reading.title,
                "says": reading.option.choices[choice],
                "chosen": choice != reading.option.default,
                "confirm": reading.confirm,
            }
        )
    return rows


def _wager(sheet: WagerSheet, *, drawn: bool) -> dict[str, Any]:
    odds = sheet.odds
    rows = lines_of(sheet)
    return {
        "id": sheet.wager,
        "name": sheet.name,
        "paytable": "" if sheet.table.id == sheet.wager else sheet.table.id,
        "total": f"{odds.total:,}",
        "hold": percent(odds.hold),
        "hit": percent(odds.hit_frequency),
        "variance": f"{float(odds.variance):.4f}",
        "deviation": f"{float(odds.variance) ** 0.5:.4f}",
        "law": cite_together(clause for row in rows for clause in row["clauses"]),
        "lines": [
            {
                "hand": _hand(row["hand"]),
                "count": f"{row['count']:,}",
                "chance": f"{float(row['chance']):.10f}",
                "pays": row["pays"],
                "returns": "by the meter" if row["of_meter"] else percent(row["returns"]),
            }
            for row in rows
        ],
        "plots": _wager_plots(sheet.wager, sheet.name, rows) if drawn else [],
        "envy": [
            {"stake": dollars(envy.stake), "others": list(envy.gains().values())} for envy in sheet.envy
        ],
        "ranges": None if sheet.progressive else ranges_data(odds.hold, odds.variance),
        "permitted": permitted_data(sheet),
        "meter": _meter(sheet),
        "at_meter": meter_data(sheet),
    }


def _hand(name: str) -> str:
    return "Any other hand" if name == NONE else spoken(name)


def _wager_plots(wager: str, name: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return two plots of a wager: how often each hand comes, and how much it returns."""
    dealt = [row for row in rows if row["count"]]
    chances = [(_hand(row["hand"]), float(row["chance"])) for row in dealt]
    paid = [(_hand(row["hand"]), 100 * float(row["returns"])) for row in dealt if row["returns"]]
    often, back = f"{name}: how often each hand comes", f"{name}: what each hand returns"
    return [
        {"says": often, "svg": bars_plot(f"{wager}-chance", often, chances, scale="log")},
        {"says": back, "svg": bars_plot(f"{wager}-return", back, paid, axis="% of the wager")},
    ]


def _meter(sheet: WagerSheet) -> list[tuple[str, str]]:
    odds = sheet.progressive
    if odds is None:
        return []
    return [("wager", dollars(odds.amount)), ("seed", dollars(odds.seed)), *odds.text_rows()]


def _main(par: Par, *, drawn: bool) -> dict[str, Any] | None:
    main = par.main
    if main is None:
        return None
    results = {"win": main.wins, "push": main.pushes, "lose": main.losses}
    shares = {name: Fraction(n, main.deals) for name, n in results.items()}
    variance = main.variance(par.commission)
    named = {name: float(share) for name, share in shares.items()}
    return {
        "deals": f"{main.deals:,}",
        "edge": percent(main.edge(par.commission)),
        "variance": f"{float(variance):.6f}",
        "deviation": f"{float(variance) ** 0.5:.6f}",
        "commission": percent(par.commission) if par.commission else "",
        "results": [
            {"name": name, "count": f"{results[name]:,}", "share": percent(share)}
            for name, share in shares.items()
        ],
        "ranges": ranges_data(main.edge(par.commission), variance),
        "plots": _main_plots(main, par.commission, named) if drawn else [],
    }


def _main_plots(main: MainGame, commission: Fraction, shares: dict[str, float]) -> list[dict[str, Any]]:
    """Return two plots of the main game: one hand, and the sum of a hundred."""
    mean = -SESSION * float(main.edge(commission))
    deviation = (SESSION * float(main.variance(commission))) ** 0.5
    single = "How one hand ends"
    many = f"The result of {SESSION} hands: the mean, and one standard deviation about it"
    sums = sums_of_hands(SESSION, 1 - commission, shares)
    ends = {name: share for name, share in shares.items() if share}
    return [
        {"says": single, "svg": results_plot("main-results", single, ends)},
        {"says": many, "svg": sums_plot("main-sums", many, sums, mean, deviation)},
    ]


def _hourly(par: Par) -> dict[str, Any]:
    """Return the average cost of an hour, wager by wager, at the assumed paces."""
    costs = hourly_costs(par)
    return {
        "paces": [{"hands": hands, "says": says} for hands, says in HANDS_PER_HOUR.items()],
        "fees": any(cost.fee for cost in costs),
        "rows": [
            {
                "name": cost.name,
                "stake": dollars(cost.stake),
                "fee": dollars(cost.fee),
                "cells": [_cost(cost, hands) for hands in HANDS_PER_HOUR],
            }
            for cost in costs
        ],
    }


def _cost(cost: HourlyCost, hands: int) -> dict[str, str]:
    spread = cost.spread(hands)
    return {
        "loss": f"${float(cost.loss(hands)) / 100:,.2f}",
        "spread": f"±${spread / 100:,.0f}" if spread is not None else "",
    }


def _double(par: Par) -> dict[str, Any] | None:
    doubling = par.doubled
    if doubling is None:
        return None
    return {
        "worth": percent(doubling.worth),
        "share": percent(doubling.share_doubled),
        "rows": [
            {"hand": spoken(name), "hands": f"{hands:,}", "doubled": percent(Fraction(doubled, hands))}
            for name, (hands, doubled) in reversed(doubling.by_category.items())
            if hands
        ],
    }


def main() -> None:
    """Write the PAR sheet of the submission on standard input (JSON): the server's counting process."""
    os.nice(POLITE)
    sys.stdout.write(par_page(count_par(rules_for(decode(Submission, sys.stdin.buffer.read())))))


if __name__ == "__main__":
    main()
