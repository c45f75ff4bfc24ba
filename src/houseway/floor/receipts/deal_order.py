"""Whether hands come off an opened deck as cards are dealt: each lies where the deal takes it from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from houseway.cards import Cards
from houseway.floor.receipts.shown_events import SeenEvent, cards_in
from houseway.games import Rules
from houseway.rounds.dealing import deal_singly, deal_stacks, dealing_order
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.stacks import DEALT_SINGLY, dealt_in_piles


def shown_hands(events: Iterable[SeenEvent]) -> Mapping[int, Cards]:
    """Return the cards of the hands in the rack that are shown, by position, in the order of the deal."""
    hands: dict[int, Cards] = {}
    for event in events:
        racked = event.outcome.get("racked") or {}
        for item in [racked] if "what" in racked else event.items_of("racked"):
            if item.get("what") in ("hand", "dealer") and item.get("cards"):
                hands[item["position"]] = cards_in(item["cards"])
    return hands


def is_dealt_in_order(rules: Rules, order: Cards, events: Sequence[SeenEvent]) -> bool | None:
    """Whether hands were dealt off a deck in its order; nothing where more than the order decides it."""
    dealt = [event.outcome for event in events if event.kind == "dealt"]
    odd = any(STEPS[event.step].exceptional for event in events if event.step in STEPS)
    if rules.banked or dealt_in_piles(rules) or not dealt or odd:
        return None
    number, start = sum(outcome["number"] for outcome in dealt), dealt[0].get("first")
    hands = shown_hands(events)
    if start is None or not hands:
        return None
    for cut in range(len(order)):
        cards = (order[cut:] + order[:cut])[:number]
        if rules.way in DEALT_SINGLY:
            places = deal_singly(rules.game, cards, start, rules.way)
        else:
            places = deal_stacks(rules.game, cards, dealing_order(start))
        if all(places.get(at) == hand for at, hand in hands.items()):
            return True
    return False
