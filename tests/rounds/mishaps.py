"""What happens in a round besides what is due: cards exposed or miscounted, hands set anyhow or given up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houseway.cards import Card
from houseway.ranking import Setting, legal_settings
from houseway.rounds.dealing import expected_stub
from houseway.rounds.houseway import house_setting
from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND, WITH_CARDS, Hand, Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.stacks import dealt_so_far, whole_deal
from houseway.rounds.steps.turns import due, turn
from houseway.settlement import Status
from tests.rounds.moves import FLOOR, Chance, dealer, mixed, move, pick, rarely
from tests.rounds.said import Said
from tests.rounds.seen import Seen


def parted(cards: Sequence[Card], sizes: Sequence[int]) -> Setting:
    """Part cards into hands of some sizes."""
    parts, taken = [], 0
    for size in sizes:
        parts.append(tuple(cards[taken : taken + size]))
        taken += size
    return tuple(parts)


def some_setting(table: Seen, hand: Hand, chance: Chance) -> Setting:
    """Return a setting of a hand: the house way, another legal one, any order at all, or wrong sizes."""
    split = table.rules.game.split
    how = chance.below(8)
    if how < 4:
        return house_setting(table.rules, hand.cards)
    if how == 4:
        return pick(chance, list(legal_settings(table.rules.ranking(), hand.cards)))
    order = mixed(chance, hand.cards)
    if how == 7 and table.rules.ranking().document.split.wrong == "foul":
        return parted(order, (3, 3, 1))
    return parted(order, split)


@move(*WITH_CARDS, step="expose_card")
def expose_card(table: Seen, chance: Chance) -> Said | None:
    if chance.below(2):
        return None
    at = pick(chance, [*table.round.hands, 1 + chance.below(7)])
    return Said("expose_card", dealer(table), at)


@move(*IN_ROUND, step="choose_hand")
def choose_hand(table: Seen, chance: Chance) -> Said | None:
    choosing = [h for h in table.round.hands.values() if h.has("choosing")]
    if not choosing:
        return None
    hand = pick(chance, choosing)
    choice = pick(chance, ["void", "void", "play"])
    return Said("choose_hand", Actor(hand.person, Role.PLAYER), hand.position, {"choice": choice})


@move(Phase.STARTING, step="count_progressive")
def miscount(table: Seen, chance: Chance) -> Said | None:
    placed = [hand.position for hand in table.round.hands.values() if hand.amount("progressive")]
    if not placed:
        return None
    if chance.below(2):
        return Said("count_progressive", dealer(table), details={"chips": len(placed) - 1})
    details = {"without": (pick(chance, placed),), "reason": "no chip lies there"}
    return Said("rule_count", FLOOR, details=details)


@move(Phase.STARTING, step="uncover")
def spoiled_roll(table: Seen, chance: Chance) -> Said | None:
    if not table.round.has("shaken"):
        return Said("shake", dealer(table), details={"times": 1 + chance.below(4)})
    spoiled: list[dict[str, Any]] = [{"flat": False}, {"out": 1}, {"flat": False, "out": 2}]
    return Said("uncover", dealer(table), details=pick(chance, spoiled))


@move(Phase.STARTING, step="announce_total")
def announce_wrongly(table: Seen, chance: Chance) -> Said | None:
    return Said("announce_total", dealer(table), details={"total": 3 + chance.below(16)})


@move(Phase.STARTING, Phase.DEALING, step="deal")
def deal_some(table: Seen, chance: Chance) -> Said | None:
    left = whole_deal(table.rules) - table.round.dealt
    if left < 1:
        return None
    details = {"cards": 1 + chance.below(left)}
    if not table.round.dealt and rarely(chance, 6):
        details |= {"first_to": 1 + chance.below(7)}
    return Said("deal", dealer(table), details=details)


@move(Phase.SETTLING, step="settle")
def settle_one(table: Seen, chance: Chance) -> Said | None:
    """Settle the next open wager of the hand whose turn it is, and leave the others for later."""
    hand = turn(table.rules, table.state)
    left = due(table.rules, hand) if hand else []
    if hand is None or not left:
        return None
    return Said("settle", dealer(table), hand.position, {"wager": left[0]})


@move(Phase.STARTING, Phase.DEALING, step="boxed_card")
def face_up_or_early(table: Seen, chance: Chance) -> Said | None:
    return Said(pick(chance, ["boxed_card", "draw_early"]), dealer(table))


@move(*WITH_CARDS, step="count_hands")
def count_hands(table: Seen, chance: Chance) -> Said | None:
    """Count every hand, rightly or one off."""
    counts = dict.fromkeys(range(1, 8), table.rules.game.hand_cards)
    if not table.round.has("dealt_out"):
        counts = dict(dealt_so_far(table.rules, table.state))
    if rarely(chance, 4):
        counts[1 + chance.below(7)] += pick(chance, [-1, 1])
    return Said("count_hands", dealer(table), details={"counts": counts})


@move(Phase.DEALING, step="count_stub")
def count_stub(table: Seen, chance: Chance) -> Said | None:
    """Count the remaining cards, rightly or one off; never so that a wrong remainder looks right."""
    there, off = (
        len(table.rules.game.cards()) - table.round.boxed - table.round.dealt,
        pick(chance, [0, 0, 0, -1, 1]),
    )
    if off and there + off == expected_stub(table.rules, table.round.boxed):
        return None
    return Said("count_stub", dealer(table), details={"left": there + off})


@move(Phase.SETTING, step="set")
def handle_cards(table: Seen, chance: Chance) -> Said | None:
    hands = table.round.playing()
    if not hands:
        return None
    hand = pick(chance, hands)
    by = Actor(hand.person, Role.PLAYER)
    how = chance.below(6)
    if how == 1:
        return Said("ask_help", by, hand.position)
    details = {"setting": some_setting(table, hand, chance)}
    return Said("set", dealer(table) if how == 2 else by, hand.position, details)


@move(Phase.SETTING, step="double_down")
def double_down(table: Seen, chance: Chance) -> Said | None:
    hands = table.round.playing()
    if not hands or not table.rules.offers("double_down"):
        return None
    hand = pick(chance, hands)
    by = pick(chance, [Actor(hand.person, Role.PLAYER), dealer(table)])
    return Said("double_down", by, hand.position)


@move(Phase.DEALER, step="set_dealer")
def set_dealer_any_way(table: Seen, chance: Chance) -> Said | None:
    order = mixed(chance, table.round.dealer_cards)
    details = {"setting": parted(order, table.rules.game.split)}
    return Said("set_dealer", dealer(table), details=details)


@move(Phase.DEALER, Phase.SETTLING, step="surrender")
def surrender(table: Seen, chance: Chance) -> Said | None:
    hands = [hand for hand in table.round.playing() if hand.status is Status.PLAYED]
    if not hands or "surrender" not in table.rules.game.procedure:
        return None
    hand = pick(chance, hands)
    return Said("surrender", Actor(hand.person, Role.PLAYER), hand.position)


@move(Phase.SETTLING, step="reveal")
def reveal_one_part(table: Seen, chance: Chance) -> Said | None:
    hands = table.round.playing()
    if not hands:
        return None
    part = pick(chance, table.rules.game.parts).name
    return Said("reveal", dealer(table), pick(chance, hands).position, {"parts": (part,)})
