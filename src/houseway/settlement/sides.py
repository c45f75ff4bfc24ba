"""Side wagers: which line of the posted paytable all the dealt cards are paid by."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.games import Rules
from houseway.games.paytables import Line
from houseway.law.citations import UNCITED, Cites, join_cites
from houseway.money import Basis
from houseway.ranking import NONE, Race
from houseway.ranking.picture import Glance, glance
from houseway.settlement.model import HOUSE, Area, Payment, Showdown, Spot, Status, spots

_ABANDONED, _LOSE = Status.ABANDONED, Basis.LOSE


def line_for(rules: Rules, wager: str, area: Area) -> Line:
    """Return the paytable line that decides a side wager on a hand: by what it was found to make."""
    return rules.line(wager, area.made.get(wager) or hand_made(rules, wager, glance(area.cards)))


def hand_made(rules: Rules, wager: str, hand: Glance) -> str:
    """Return the name of what cards make for a side wager."""
    joker, among = rules.side(wager)
    return rules.ranking().category_made(wager, hand, joker, among)


def stands_after_foul(rules: Rules, wager: str, *, foul: bool) -> bool:
    """Whether a side wager stays in action; a foul touches it only where the law or a reading says so."""
    if not foul:
        return True
    option = rules.game.foul_option
    if option and rules.readings.get(option) == "forfeits":
        return False
    if wager == "insurance" and rules.readings.get("wa_foul_insurance") == "loses":
        return False
    return rules.terms(wager).stands.stands


def abandonment(rules: Rules) -> Cites:
    """Return the clauses by which the wagers of a player who left may be held lost."""
    return rules.game.law_of("rule_abandoned", "law", rules.way)


def settle_side(table: Showdown, area: Area, wager: str, race: Race | None) -> list[Payment]:
    """Settle one side wager of an area, whose main wager's race ended so, against the house."""
    rules, group = table.rules, spots(area, wager)
    if not group:
        return []
    if area.status is _ABANDONED:
        return _collect(group, "abandoned by decision of the floor", abandonment(rules))
    foul = race is not None and bool(race.fouls)
    if race is not None and foul and not stands_after_foul(rules, wager, foul=foul):
        return _collect(group, "forfeited by the foul", race.clauses)
    line = line_for(rules, wager, area)
    payments: list[Payment] = []
    terms = rules.terms(wager)
    for spot in group:
        payments += house_pays(spot, line, terms.wins, terms.loses, extra=terms.stands if foul else UNCITED)
    return payments


def _collect(group: list[Spot], why: str, law: Iterable[str]) -> list[Payment]:
    return [payment for spot in group for payment in spot.collect(spot.stake, HOUSE, why, law)]


def tell_line(line: Line) -> str:
    """Return which hand a line of a paytable is for."""
    return "no hand of the paytable" if line.hand == NONE else line.hand.replace("_", " ")


def house_pays(spot: Spot, line: Line, wins: Cites, loses: Cites, extra: Cites = UNCITED) -> list[Payment]:
    """Pay or collect a wager by its line, from and to the table's inventory."""
    text = tell_line(line)
    if line.pays.basis is _LOSE:
        return spot.collect(spot.stake, HOUSE, f"{text}: loses", join_cites(loses, line.clauses, extra))
    law = join_cites(wins, line.clauses, extra)
    won = line.pays.won(spot.stake)
    back = spot.give_back(spot.stake, f"{text}: stake back", law)
    return back + spot.pay(won, HOUSE, f"{text} pays {line.pays}", law)
