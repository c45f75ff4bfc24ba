"""``houseway rules``: everything the law fixes about a game, and what an operator may choose."""

from __future__ import annotations

from typing import Any

from houseway.cli.output import AsJson, GameArgument, console, emit, table
from houseway.games import EnvyTable, Game, Paytable, game
from houseway.games.hands import spoken
from houseway.money import dollars


def rules_command(game_id: GameArgument, as_json: AsJson = False) -> None:
    """Show a game's rules: parts, wagers, paytables, choices and conditions, with clauses."""
    document = game(game_id)
    if as_json:
        emit(_plain(document))
        return
    out = console()
    out.print(f"[bold]{document.name}[/] ({document.id})\n{document.about}\n")
    if document.law:
        out.print(f"{document.law.law}. {document.law.note}\n")
    table("Hands", ["part", "cards"], [(p.name, p.cards) for p in document.parts])
    table("Wagers", ["id", "name", "clauses"], [(w.id, w.name, " ".join(w.clauses)) for w in document.wager])
    bonus_bets = ", ".join(document.wager_terms(name).name for name in document.bonus_bet_list())
    out.print(f"Bonus bets of the base game: {bonus_bets or 'none'}")
    _print_paytables(document)
    may = [
        (p.field, "any" if p.any_value else ", ".join(map(str, p.values)), " ".join(p.clauses))
        for p in document.permit
    ]
    table("An operator may choose", ["field", "values", "clauses"], may)
    must = [(r.severity, r.say, " ".join(r.clauses)) for r in document.require]
    table("Conditions", ["weight", "rule", "clauses"], must)


def _print_paytables(document: Game) -> None:
    for terms in document.wager:
        tables = document.paytables_of(terms.id)
        if not tables:
            continue
        hands = list(dict.fromkeys(line.hand for t in tables for line in t.shown_lines()))
        rows = []
        for hand in hands:
            lines = [t.line(hand) for t in tables]
            clauses = dict.fromkeys(c for line in lines for c in line.clauses)
            rows.append([spoken(hand), *(str(line.pays) for line in lines), " ".join(clauses)])
        label = [t.id + (" (example, ours)" if t.example else "") for t in tables]
        table(f"{terms.name}: paytables", ["hand", *label, "clauses"], rows)
    for envy in document.envy:
        of = f"paytable {envy.paytable}" if envy.paytable else f"a wager of {dollars(envy.stake or 0)}"
        rows = [[spoken(x.hand), dollars(x.pays), " ".join(x.clauses)] for x in envy.shown_lines()]
        table(f"Envy Bonus, {envy.wager}, {of}", ["hand", "pays", "clause"], rows)


def _plain(document: Game) -> dict[str, Any]:
    data: dict[str, Any] = document.model_dump(mode="python")
    data["bonus_bets"] = list(document.bonus_bet_list())
    data["paytable"] = [
        {
            **{"id": t.id, "wager": t.wager, "example": t.example, "lines": [_line(x) for x in t.lines]},
            "otherwise": _otherwise(t),
        }
        for t in document.paytable
    ]
    for table_data, envy in zip(data["envy"], document.envy, strict=True):
        table_data["otherwise"] = _otherwise(envy)
    return data


def _otherwise(paytable: Paytable | EnvyTable) -> list[str]:
    """Return the clauses by which a hand without a line loses, or earns nothing."""
    return list(paytable.otherwise.cites) if paytable.otherwise else []


def _line(line: Any) -> dict[str, Any]:  # noqa: ANN401 - a line of either table
    return {"hand": line.hand, "pays": str(line.pays), "clauses": list(line.clauses)}
