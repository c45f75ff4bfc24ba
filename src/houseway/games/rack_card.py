"""What a rack card says: what a table offers and pays, as plain data made from the rules in force."""

from __future__ import annotations

from typing import Any, Final

from houseway.games.collection import FeeBasis
from houseway.games.hands import spoken
from houseway.games.paytables import EnvyTable
from houseway.games.rules import Rules
from houseway.law.citations import join_cites
from houseway.money import dollars


def card_data(rules: Rules) -> dict[str, Any]:
    """Return what the rack card says, as plain data."""
    submission, game = rules.submission, rules.game
    return {
        "game": game.name,
        "holder": submission.holder,
        "reference": submission.reference,
        "fingerprint": submission.fingerprint(),
        "law": game.law.law if game.law else "",
        "law_as_of": submission.law_as_of.isoformat(),
        "about": game.about,
        "parts": [{"name": p.name, "cards": p.cards} for p in game.parts],
        "wagers": [_wager(rules, w.id, w.name) for w in game.wager if rules.offers(w.id)],
        "collection": _collection(rules),
        "inscriptions": list(rules.inscriptions()),
    }


def _wager(rules: Rules, wager: str, name: str) -> dict[str, Any]:
    choice, table = rules.submission.wagers[wager], rules.paytable(wager)
    return {
        "id": wager,
        "name": name,
        "limits": _limits(*rules.limits[wager].span),
        "paytable": table.id,
        "chosen": len(rules.game.paytables_of(wager)) > 1 or choice.own_paytable is not None,
        "label": table.name,
        "lines": [
            {"hand": spoken(x.hand), "pays": str(x.pays), "clauses": list(x.clauses)}
            for x in rules.shown_lines(wager)
        ],
        "envy": [_envy(envied) for _, envied in rules.envy_tables(wager)],
    }


def _envy(table: EnvyTable) -> dict[str, Any]:
    return {
        "for": dollars(table.stake) if table.stake else "",
        "lines": [
            {"hand": spoken(x.hand), "pays": dollars(x.pays), "clauses": list(x.clauses)}
            for x in table.shown_lines()
        ],
    }


CHARGED: Final = {
    FeeBasis.PLAYER_PER_SPOT: ("Each player, for each wager", "game or bonus wager"),
    FeeBasis.PLAYER_SUM: ("Each player", "game and bonus wager together"),
    FeeBasis.PLAYER_DEALER: ("The player-dealer, for each hand", "all wagers on the table together"),
}
"""Who pays a fee, and what it is counted on."""


def _collection(rules: Rules) -> dict[str, Any] | None:
    """Return the fees that are posted at the table, where a cardroom takes them."""
    schedule = rules.schedule()
    if schedule is None or not schedule.group.posted.stands:
        return None
    by_basis = {basis: schedule.bands_of(basis) for basis in CHARGED}
    free = not (by_basis[FeeBasis.PLAYER_PER_SPOT] or by_basis[FeeBasis.PLAYER_SUM])
    return {
        "schedule": schedule.number,
        "limits": _limits(schedule.table_min, schedule.table_max),
        "players_pay": not free,
        "clauses": join_cites(schedule.clause, schedule.group.posted),
        "columns": [
            {
                **_charge(rules, basis),
                "lines": [{"wagers": _limits(b.low, b.high), "fee": dollars(b.fee)} for b in bands],
            }
            for basis, bands in by_basis.items()
            if bands
        ],
    }


def _charge(rules: Rules, basis: FeeBasis) -> dict[str, str]:
    """Return who pays a fee, and on what; by one reading a sum is charged wager by wager (ca:S5)."""
    apart = basis is FeeBasis.PLAYER_SUM and rules.readings.get("ca_player_fee_basis") == "each_wager"
    who, on = CHARGED[FeeBasis.PLAYER_PER_SPOT if apart else basis]
    return {"who": who, "on": on}


def _limits(least: int | None, most: int | None) -> str:
    if least is None and most is None:
        return ""
    if least == most:
        return dollars(least or 0)
    return f"{dollars(least or 0)} to {dollars(most)}" if most is not None else f"from {dollars(least or 0)}"
