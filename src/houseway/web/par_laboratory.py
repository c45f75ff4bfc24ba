"""The parts of a PAR sheet for a laboratory, as page data.

Best play and risk, confidence ranges, the other permitted paytables, fees, the meter, the effects of other
readings, and the cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from houseway.games import Rules
from houseway.money import Basis, dollars
from houseway.odds.fees import FeeEdge, fee_edges, schedule_edges
from houseway.odds.par import Par, WagerSheet
from houseway.odds.permitted import NOT_COUNTED, other_choices
from houseway.odds.ranges import CONFIDENCE, ranges, volatility_index
from houseway.odds.sides import OTHERS, percent

MOST_OTHERS: Final = OTHERS[-1]
NO_RATE: Final = "no posted rate"
JOKERS: Final = {
    "semi": "The joker is an ace, or completes a straight or a flush.",
    "full": "The joker is any card, up to four of a kind.",
}
Row = dict[str, Any]


def best_data(par: Par) -> Row:
    """Return the house edge under best play and the element of risk, or that they are not counted."""
    best, edge, risk = par.best, par.edge, par.risk
    return {
        "edge": percent(best.edge) if best else NOT_COUNTED,
        "gives_up": percent(best.gives_up) if best else NOT_COUNTED,
        "house_way": percent(edge) if edge is not None else NOT_COUNTED,
        "risk": percent(risk) if risk is not None else NOT_COUNTED,
        "doubles": par.doubled is not None or bool(best and best.doubling),
    }


def ranges_data(hold: Fraction, variance: Fraction) -> Row:
    """Return how far the win strays from the hold after each number of hands."""
    return {
        "heads": [
            {"confidence": span, "index": f"{volatility_index(variance, span):.4f}"} for span in CONFIDENCE
        ],
        "rows": [
            {
                "hands": f"{row[0].hands:,}",
                "cells": [f"{100 * span.least:.2f}% to {100 * span.most:.2f}%" for span in row],
            }
            for row in ranges(hold, variance)
        ],
    }


def permitted_data(sheet: WagerSheet) -> list[Row]:
    """Return every permitted paytable, side by side; empty if there is only one."""
    if len(sheet.permitted) == 1:
        return []
    return [
        {
            "paytable": table.paytable,
            "in_use": table.in_use,
            "hold": percent(table.odds.hold),
            "hit": percent(table.odds.hit_frequency),
            "deviation": f"{float(table.odds.variance) ** 0.5:.4f}",
            "envy": percent(table.envy[0].each / table.envy[0].stake) if table.envy else "",
        }
        for table in sheet.permitted
    ]


def meter_data(sheet: WagerSheet) -> list[Row]:
    """Return the return of the next wager at each amount of the meter, alone and with envy."""
    odds = sheet.progressive
    if odds is None:
        return []
    beside = sheet.envy[0].each / sheet.envy[0].stake if sheet.envy else None
    return [
        {
            "meter": dollars(level),
            "returns": percent(odds.at_meter(level)),
            "envy": "" if beside is None else percent(odds.at_meter(level) + MOST_OTHERS * beside),
            "variance": f"{float(odds.variance_at(level)):,.4f}",
            "deviation": f"{float(odds.variance_at(level)) ** 0.5:,.4f}",
        }
        for level in odds.levels()
    ]


# --- fees ---------------------------------------------------------------------------------------------


def fees_data(par: Par) -> Row | None:
    """Return the edges of players and player-dealer with the fees of each schedule; None without one.

    A fee is a part of its wager; edges are of game wagers, set the house way.
    """
    rules, main = par.rules, par.main
    if rules.submission.collection_schedule is None:
        return None
    edge = main.edge(par.commission) if main else None
    return {
        "schedule": rules.submission.collection_schedule,
        "edge": percent(edge) if edge is not None else NOT_COUNTED,
        "banker": percent(main.banker_edge()) if main else NOT_COUNTED,
        "bands": [_band(band, edge) for band in fee_edges(rules)],
        "schedules": [
            {
                "number": schedule.number,
                "limits": f"{dollars(schedule.least)} to {dollars(schedule.most)}",
                "in_use": schedule.in_force,
                "player": [_with_fee(edge, fee, 1) for fee in schedule.player],
                "banker": [_with_fee(edge, fee, -1) for fee in schedule.banker],
            }
            for schedule in schedule_edges(rules)
        ],
    }


def _band(band: FeeEdge, edge: Fraction | None) -> Row:
    sign = 1 if band.by_players else -1
    return {
        "who": "a player loses" if band.by_players else "the player-dealer gains",
        "wagers": f"{dollars(band.low)} to {dollars(band.high)}"
        if band.high
        else f"from {dollars(band.low)}",
        "fee": dollars(band.fee),
        "low": _with_fee(edge, band.at_low, sign),
        "high": "" if band.at_high is None else _with_fee(edge, band.at_high, sign),
    }


def _with_fee(edge: Fraction | None, fee: Fraction | None, sign: int) -> str:
    """Return an edge with a fee: a player loses both, a player-dealer gains the edge and pays the fee."""
    if fee is None:
        return NO_RATE
    return NOT_COUNTED if edge is None else percent(edge + sign * fee)


# --- readings, cards, the submission ------------------------------------------------------------------


def effects_data(par: Par) -> Row:
    """Return what other readings would change, and the readings that change nothing."""
    changed = {(effect.reading.id, effect.choice) for effect in par.effects}
    still = [
        reading.title for reading, _, words in other_choices(par.rules) if (reading.id, words) not in changed
    ]
    rows: dict[tuple[str, str], Row] = {}
    for effect in par.effects:
        row = rows.setdefault(
            (effect.reading.title, effect.choice),
            {"point": effect.reading.title, "choice": effect.choice, "figures": []},
        )
        row["figures"].append({"figure": effect.figure, "here": effect.here, "there": effect.there})
    return {"rows": [*rows.values()], "none": [*dict.fromkeys(still)]}


def cards_data(rules: Rules) -> Row:
    """Return the deck, and what the joker is for each wager."""
    cards = rules.game.cards().cards
    jokers = sum(card.is_joker for card in cards)
    wagers = [wager for wager in rules.side_wagers if rules.offers(wager)]
    return {
        "deck": f"{len(cards) - jokers} cards and {'one joker' if jokers == 1 else f'{jokers} jokers'}",
        "decks": rules.submission.table.decks,
        "dealt": rules.game.hand_cards,
        "main": JOKERS["semi"],
        "wagers": [
            {"name": rules.terms(wager).name, "joker": JOKERS[rules.joker_mode(wager)]} for wager in wagers
        ],
    }


def limit_data(rules: Rules) -> list[Row]:
    """Return from which wager on the payout limit cuts an award; the holds are of smaller wagers."""
    limit = rules.submission.payout_limit
    if limit is None or not rules.permit_clauses("payout_limit"):
        return []
    whole = rules.readings.get("payout_cap_scope") != "bonus_only"
    main = (rules.stakes("main")[1] or 0) if whole else 0
    rows = []
    for wager in rules.side_wagers:
        paid = [line.pays for line in rules.shown_lines(wager)] if rules.offers(wager) else []
        most = max(
            (pays.ratio - (pays.basis is Basis.FOR) for pays in paid if pays.basis is not Basis.METER),
            default=0,
        )
        if most:
            rows.append({"name": rules.terms(wager).name, "from": dollars(int((limit - main) / most))})
    return rows


def submission_rows(rules: Rules) -> list[tuple[str, str]]:
    """Return every field of the submission by its path, as the document writes it."""
    return [*_leaves(rules.submission.document(), "")]


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - plain data
    if value == {}:
        yield path, "offered"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for number, item in enumerate(value, start=1):
            yield from _leaves(item, f"{path}.{number}")
    else:
        yield path, ", ".join(map(str, value)) if isinstance(value, list) else str(value)
