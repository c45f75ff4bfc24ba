"""Envy Bonuses: a fixed sum for each other player's hand that qualifies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from houseway.cards import Cards
from houseway.games import Rules
from houseway.games.game import Envy
from houseway.law.citations import UNCITED, Cites, join_cites
from houseway.money import Cents
from houseway.ranking import Ranking
from houseway.settlement.model import DEALER, Area, Bettor, Showdown, Spot, Status


@dataclass(frozen=True)
class Owed:
    """An Envy Bonus that is due: to whom, how much, for which hand, by which clauses."""

    spot: Spot
    amount: Cents
    hand: str
    holder: int
    clauses: Cites


def owed(table: Showdown, wager: str) -> list[Owed]:
    """Return every Envy Bonus due on a wager, in the order the holders are met."""
    envy = table.rules.terms(wager).envy
    if envy is None:
        return []
    hands = dict(_qualifying_hands(table, wager, envy))
    bonuses: list[Owed] = []
    seen: set[tuple[str, int]] = set()
    for area in table.areas:
        for bettor in area.bettors():
            bonuses += _owed_to(table, wager, envy, area, bettor, hands, seen)
    return bonuses


def _qualifying_hands(
    table: Showdown, wager: str, envy: Envy
) -> Iterator[tuple[int, tuple[str, str | None]]]:
    """Yield the hands that give envy: by position, the category and who holds it."""
    order = table.rules.ranking()
    for area in table.areas:
        if not area.cards or not _gives(table, area, wager, envy):
            continue  # no one has seen the cards yet, or the hand counts for no one
        category = _envied_hand(order, area.cards, envy)
        if category:
            yield area.position, (category, area.person)
    if not envy.not_dealer.stands:
        category = _envied_hand(order, table.dealer_cards, envy)
        if category:
            yield DEALER, (category, None)


def _envied_hand(order: Ranking, cards: Cards, envy: Envy) -> str | None:
    """Return the hand that gives envy, if these cards make one."""
    if not order.qualifies(envy.qualifier, cards):
        return None
    return order.bonus(order.qualifier(envy.qualifier).listing, cards)


def _gives(table: Showdown, area: Area, wager: str, envy: Envy) -> bool:
    """Whether an area's hand may give envy to others."""
    readings = table.rules.readings
    if area.status is Status.VOID:
        return False
    if area.status is Status.SURRENDERED and readings.get("surrendered_hand_gives_envy") == "does_not_count":
        return False
    if area.status is Status.ABANDONED and readings.get("six_abandoned_hand_gives_envy") == "does_not_count":
        return False
    if envy.trigger_needs_wager and readings.get(envy.trigger_option or "") != "any_player":
        return area.bettor.amount(wager) > 0
    return True


def _owed_to(
    table: Showdown,
    wager: str,
    envy: Envy,
    area: Area,
    bettor: Bettor,
    hands: dict[int, tuple[str, str | None]],
    seen: set[tuple[str, int]],
) -> Iterator[Owed]:
    """Yield what one bettor is owed: for each other player's qualifying hand, by their own wager's table."""
    rules, stake = table.rules, bettor.amount(wager)
    if area.status in (Status.VOID, Status.ABANDONED) or not _holds_button(table, bettor):
        return
    prices = rules.envy_table(wager, stake)
    if prices is None:
        return
    per_person = rules.readings.get(envy.two_areas_option or "") == "per_person"
    paid = 0
    for holder, (hand, person) in hands.items():
        same_seat_only = rules.readings.get(envy.two_areas_option or "") == "same_seat_excluded"
        own = holder == area.position or (person == bettor.person and not same_seat_only)
        if own and envy.not_own.stands:
            continue
        if (per_person and (bettor.person, holder) in seen) or (paid and not envy.several.stands):
            continue
        line = prices.line(hand)
        amount = envy_amount(rules, line.pays, prices.stake, stake)
        if amount:
            law = join_cites(envy.pays, line.clauses, envy.several if paid else UNCITED)
            seen.add((bettor.person, holder))
            paid += 1
            yield Owed(Spot(area.position, bettor.person, wager, stake), amount, hand, holder, law)


def envy_amount(rules: Rules, fixed: Cents, of_stake: Cents | None, stake: Cents) -> Cents:
    """Return the fixed sum; in proportion to the wager only where that reading is chosen."""
    if of_stake and rules.readings.get("six_envy_other_amounts") == "proportional":
        return Cents(fixed * stake // of_stake)
    return fixed


def _holds_button(table: Showdown, bettor: Bettor) -> bool:
    bank = table.rules.game.bank
    return not (bettor.backline and bank and bank.seated_only.stands)
