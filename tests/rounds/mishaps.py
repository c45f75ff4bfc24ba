"""What happens in a round besides what is due: cards exposed or miscounted, hands set anyhow or given up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houseway.cards import Card
from houseway.ranking import Setting, legal_settings
from houseway.rounds.record import set_dealer
from houseway.rounds.state import IN_ROUND, WITH_CARDS, Hand, Phase, Table
from houseway.rounds.step import Actor, Command, Role
from houseway.rounds.steps.deal import expected_stub, whole_deal
from houseway.rounds.steps.turns import due, turn
from houseway.settlement import Status
from tests.rounds.moves import FLOOR, Chance, dealer, mixed, move, pick, rarely


def parted(cards: Sequence[Card], sizes: Sequence[int]) -> Setting:
    """Part cards into hands of some sizes."""
    parts, taken = [], 0
    for size in sizes:
        parts.append(tuple(cards[taken : taken + size]))
        taken += size
    return tuple(parts)


def some_setting(table: Table, hand: Hand, chance: Chance) -> Setting:
    """Return a setting of a hand: the house way, another legal one, any order at all, or wrong sizes."""
    split = table.rules.game.split
    how = chance.below(8)
    if how < 4:
        return tuple(part[::-1] for part in set_dealer(table.rules, hand.cards)[1].setting)
    if how == 4:
        return pick(chance, list(legal_settings(table.rules.ranking(), hand.cards)))
    order = mixed(chance, hand.cards)
    if how == 7 and table.rules.ranking().document.split.wrong == "foul":
        return parted(order, (3, 3, 1))
    return parted(order, split)


@move(*WITH_CARDS, step="expose_card")
def expose_card(table: Table, chance: Chance) -> Command | None:
    if chance.below(2):
        return None
    at = pick(chance, [*table.play.hands, 1 + chance.below(7)])
    return Command("expose_card", dealer(table), at)


@move(*IN_ROUND, step="choose_hand")
def choose_hand(table: Table, chance: Chance) -> Command | None:
    choosing = [h for h in table.play.hands.values() if h.has("choosing")]
    if not choosing:
        return None
    hand = pick(chance, choosing)
    choice = pick(chance, ["void", "void", "play"])
    return Command("choose_hand", Actor(hand.person, Role.PLAYER), hand.position, {"choice": choice})


@move(Phase.STARTING, step="count_progressive")
def miscount(table: Table, chance: Chance) -> Command | None:
    placed = [hand.position for hand in table.play.hands.values() if hand.amount("progressive")]
    if not placed:
        return None
    if chance.below(2):
        return Command("count_progressive", dealer(table), details={"chips": len(placed) - 1})
    details = {"without": (pick(chance, placed),), "reason": "no chip lies there"}
    return Command("rule_count", FLOOR, details=details)


@move(Phase.STARTING, step="uncover")
def spoiled_roll(table: Table, chance: Chance) -> Command | None:
    if not table.play.has("shaken"):
        return Command("shake", dealer(table), details={"times": 1 + chance.below(4)})
    spoiled: list[dict[str, Any]] = [{"flat": False}, {"out": 1}, {"flat": False, "out": 2}]
    return Command("uncover", dealer(table), details=pick(chance, spoiled))


@move(Phase.STARTING, step="announce_total")
def announce_wrongly(table: Table, chance: Chance) -> Command | None:
    return Command("announce_total", dealer(table), details={"total": 3 + chance.below(16)})


@move(Phase.STARTING, Phase.DEALING, step="deal")
def deal_some(table: Table, chance: Chance) -> Command | None:
    left = whole_deal(table) - table.play.dealt
    if left < 1:
        return None
    details = {"cards": 1 + chance.below(left)}
    if not table.play.dealt and rarely(chance, 6):
        details |= {"first_to": 1 + chance.below(7)}
    return Command("deal", dealer(table), details=details)


@move(Phase.SETTLING, step="settle")
def settle_one(table: Table, chance: Chance) -> Command | None:
    """Settle the next open wager of the hand whose turn it is, and leave the others for later."""
    hand = turn(table)
    left = due(table, hand) if hand else []
    if hand is None or not left:
        return None
    return Command("settle", dealer(table), hand.position, {"wager": left[0]})


@move(Phase.STARTING, Phase.DEALING, step="boxed_card")
def face_up_or_early(table: Table, chance: Chance) -> Command | None:
    return Command(pick(chance, ["boxed_card", "draw_early"]), dealer(table))


@move(*WITH_CARDS, step="count_hands")
def count_hands(table: Table, chance: Chance) -> Command | None:
    """Count every hand, rightly or one off."""
    counts = dict.fromkeys(range(1, 8), table.rules.game.hand_cards)
    if rarely(chance, 4):
        counts[1 + chance.below(7)] += pick(chance, [-1, 1])
    return Command("count_hands", dealer(table), details={"counts": counts})


@move(Phase.DEALING, step="count_stub")
def count_stub(table: Table, chance: Chance) -> Command | None:
    """Count the remaining cards, rightly or one off; never so that a wrong remainder looks right."""
    there, off = len(table.play.order) - table.play.dealt, pick(chance, [0, 0, 0, -1, 1])
    if off and there + off == expected_stub(table):
        return None
    return Command("count_stub", dealer(table), details={"left": there + off})


@move(Phase.SETTING, step="set")
def handle_cards(table: Table, chance: Chance) -> Command | None:
    hands = table.play.playing()
    if not hands:
        return None
    hand = pick(chance, hands)
    by = Actor(hand.person, Role.PLAYER)
    how = chance.below(6)
    if how == 1:
        return Command("ask_help", by, hand.position)
    details = {"setting": some_setting(table, hand, chance)}
    return Command("set", dealer(table) if how == 2 else by, hand.position, details)


@move(Phase.SETTING, step="double_down")
def double_down(table: Table, chance: Chance) -> Command | None:
    hands = table.play.playing()
    if not hands or not table.rules.offers("double_down"):
        return None
    hand = pick(chance, hands)
    by = pick(chance, [Actor(hand.person, Role.PLAYER), dealer(table)])
    return Command("double_down", by, hand.position)


@move(Phase.DEALER, step="set_dealer")
def set_dealer_any_way(table: Table, chance: Chance) -> Command | None:
    order = mixed(chance, table.play.dealer_cards)
    details = {"setting": parted(order, table.rules.game.split)}
    return Command("set_dealer", dealer(table), details=details)


@move(Phase.DEALER, Phase.SETTLING, step="surrender")
def surrender(table: Table, chance: Chance) -> Command | None:
    hands = [hand for hand in table.play.playing() if hand.status is Status.PLAYED]
    if not hands or "surrender" not in table.rules.game.procedure:
        return None
    hand = pick(chance, hands)
    return Command("surrender", Actor(hand.person, Role.PLAYER), hand.position)


@move(Phase.SETTLING, step="reveal")
def reveal_one_part(table: Table, chance: Chance) -> Command | None:
    hands = table.play.playing()
    if not hands:
        return None
    part = pick(chance, table.rules.game.parts).name
    return Command("reveal", dealer(table), pick(chance, hands).position, {"parts": (part,)})
