"""The PAR sheet: one self-contained page that a mathematician signs and a regulator files."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from houseway import __version__
from houseway.games.hands import spoken
from houseway.law.clauses import cite
from houseway.law.readings import options_of
from houseway.money import dollars
from houseway.odds.par import Par, WagerSheet, lines_of
from houseway.odds.sides import percent
from houseway.web.cards import TEMPLATES


def par_page(par: Par) -> str:
    """Return the PAR sheet as one self-contained HTML page; a browser prints it to PDF."""
    return TEMPLATES.get_template("par_sheet.html").render(par=par_data(par))


def par_data(par: Par) -> dict[str, Any]:
    """Return what the PAR sheet says, as plain data."""
    rules = par.rules
    submission, game = rules.submission, rules.game
    known = options_of(game.rule_set or "")
    return {
        "game": game.name,
        "holder": submission.holder,
        "reference": submission.reference,
        "submission": submission.fingerprint(),
        "law": game.law.law if game.law else "",
        "law_as_of": submission.law_as_of.isoformat(),
        "house_way": submission.house_way,
        "program": f"houseway {__version__}",
        "hash": par.fingerprint(),
        "wagers": [_wager(sheet) for sheet in par.wagers],
        "main": _main(par),
        "double": _double(par),
        "readings": [
            {"name": name, "choice": choice, "says": known[name].choices[choice]}
            for name, choice in sorted(rules.readings.items())
            if name in known
        ],
    }


def _wager(sheet: WagerSheet) -> dict[str, Any]:
    odds = sheet.odds
    rows = lines_of(sheet)
    most = max((float(row["returns"]) for row in rows), default=0) or 1.0
    return {
        "name": sheet.name,
        "paytable": sheet.table.id,
        "total": f"{odds.total:,}",
        "hold": percent(odds.hold),
        "hit": percent(odds.hit_frequency),
        "variance": f"{float(odds.variance):.4f}",
        "deviation": f"{float(odds.variance) ** 0.5:.4f}",
        "lines": [
            {
                "hand": spoken(row["hand"]),
                "count": f"{row['count']:,}",
                "chance": f"{float(row['chance']):.10f}",
                "pays": row["pays"],
                "returns": "by the meter" if row["of_meter"] else percent(row["returns"]),
                "bar": round(100 * float(row["returns"]) / most, 2),
                "cites": "; ".join(dict.fromkeys(cite(c).cited for c in row["clauses"])),
            }
            for row in rows
        ],
        "envy": [{"stake": name, "others": list(one.gains().values())} for name, one in sheet.envy.items()],
        "meter": _meter(sheet),
    }


def _meter(sheet: WagerSheet) -> list[tuple[str, str]]:
    odds = sheet.progressive
    if odds is None:
        return []
    return [("wager", dollars(odds.amount)), ("seed", dollars(odds.seed)), *odds.told()]


def _main(par: Par) -> dict[str, Any] | None:
    main = par.main
    if main is None:
        return None
    results = {"win": main.wins, "push": main.pushes, "lose": main.losses}
    return {
        "deals": f"{main.deals:,}",
        "edge": percent(main.edge(par.rules.game.commission or Fraction(0))),
        "results": [
            {
                "name": name,
                "count": f"{n:,}",
                "share": percent(Fraction(n, main.deals)),
                "bar": 100 * n / main.deals,
            }
            for name, n in results.items()
        ],
    }


def _double(par: Par) -> dict[str, Any] | None:
    found = par.doubled
    if found is None:
        return None
    return {
        "worth": percent(found.worth),
        "share": percent(found.share_doubled),
        "rows": [
            {"hand": spoken(name), "hands": f"{hands:,}", "doubled": percent(Fraction(doubled, hands))}
            for name, (hands, doubled) in found.by_category.items()
            if hands
        ],
    }
