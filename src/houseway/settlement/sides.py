"""Side wagers: which line of the posted paytable all the dealt cards are paid by."""

from __future__ import annotations

from functools import partial

from houseway.games import Rules
from houseway.games.paytables import Line
from houseway.law.claims import all_standing, rest_on
from houseway.money import Basis, Odds
from houseway.ranking.picture import picture
from houseway.settlement.model import HOUSE, Area, Payment, Showdown, Spot, Status, spots

LOSE = Odds.parse(Basis.LOSE)
_ABANDONED = Status.ABANDONED


def line_for(rules: Rules, wager: str, area: Area) -> Line:
    """Return the paytable line that decides a side wager on these cards."""
    seen = picture(area.cards)
    asked = (wager, area.cards if seen is None else seen)
    line: Line = rules.lines.recall(asked, partial(_line_for, rules, wager, area))
    return line


def _line_for(rules: Rules, wager: str, area: Area) -> Line:
    mode, among, paytable = rules.memory.recall(
        ("side", wager), lambda: (rules.joker_mode(wager), rules.listed_hands(wager), rules.paytable(wager))
    )
    line: Line = paytable.line(rules.ranking().bonus(wager, area.cards, mode, among))
    if line.pays.basis is Basis.PUSH and rules.readings.get("three_pair_paytable_c") == "lose":
        return line.model_copy(update={"pays": LOSE})
    return line


def stands_after_foul(rules: Rules, wager: str, *, foul: bool) -> bool:
    """Whether a side wager stays in action; a foul touches it only where the law or a reading says so."""
    if not foul:
        return True
    option = rules.game.foul_option
    if option and rules.readings.get(option) == "forfeits":
        return False
    if wager == "insurance" and rules.readings.get("wa_foul_insurance") == "loses":
        return False
    return all_standing(rules.game.wager_terms(wager).stands)


def settle_side(table: Showdown, area: Area, wager: str, *, foul: bool) -> list[Payment]:
    """Settle one side wager of an area against the house."""
    rules, found = table.rules, spots(area, wager)
    if not found:
        return []
    if area.status is _ABANDONED:
        return _collected(found, "abandoned by decision of the floor")
    if foul and not stands_after_foul(rules, wager, foul=foul):
        return _collected(found, "forfeited by the foul")
    line = line_for(rules, wager, area)
    payments: list[Payment] = []
    for spot in found:
        payments += rules.payments.recall(
            (spot, line.hand, foul), partial(_ended, rules, spot, line, foul=foul)
        )
    return payments


def _collected(found: list[Spot], why: str) -> list[Payment]:
    return [payment for spot in found for payment in spot.collect(spot.stake, HOUSE, why, ())]


def _ended(rules: Rules, spot: Spot, line: Line, *, foul: bool) -> list[Payment]:
    terms = rules.game.wager_terms(spot.wager)
    return house_pays(spot, line, terms.wins, terms.loses, extra=terms.stands if foul else ())


def house_pays(
    spot: Spot, line: Line, wins: tuple[str, ...], loses: tuple[str, ...], extra: tuple[str, ...] = ()
) -> list[Payment]:
    """Pay or collect a wager by its line, from and to the table's inventory."""
    said = line.hand.replace("_", " ")
    if line.pays.basis is Basis.LOSE:
        rest_on(*loses)
        return spot.collect(spot.stake, HOUSE, f"{said}: loses", (*loses, *line.clauses, *extra))
    rest_on(*wins)
    law = (*wins, *line.clauses, *extra)
    won = line.pays.won(spot.stake)
    back = spot.give_back(spot.stake, f"{said}: stake back", law)
    return back + spot.pay(won, HOUSE, f"{said} pays {line.pays}", law)
