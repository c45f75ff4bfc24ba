"""Who gets which card, and how many each position has been dealt by now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.cards import Cards
from houseway.games import Rules
from houseway.rounds.dealing import SEATS, deal_singly, deal_stacks, deal_zigzag, dealing_order
from houseway.rounds.marks import RoundMark
from houseway.rounds.state import Table, changed
from houseway.rounds.step import Situation
from houseway.rounds.steps.common import seats_in_play

MANUAL: Final = "manual"
DEALT_SINGLY: Final = ("manual_shoe", "hand")


# --- who gets which card ------------------------------------------------------------------------------


def whole_deal(rules: Rules) -> int:
    """Return how many cards a deal takes: seven hands."""
    return SEATS * rules.game.hand_cards


def places(rules: Rules, table: Table) -> tuple[int, ...]:
    """Return the positions that get cards, whether or not anyone bets there."""
    return seats_in_play(rules, table) if rules.banked else tuple(range(1, SEATS + 1))


def hands_of(rules: Rules, table: Table, cards: Cards, start: int | None) -> Mapping[int, Cards]:
    """Return the hands that dealt cards make: of every wager, and the one that the others race."""
    if not cards or start is None:
        return {}
    if rules.banked:
        stacks = _seats_clockwise(rules, table, cards, start)
    elif rules.way in DEALT_SINGLY:
        stacks = deal_singly(rules.game, cards, start, rules.way)
    else:
        stacks = deal_stacks(rules.game, cards, dealing_order(start))
    return {at: stacks[at] for at in sorted({*table.round.hands, table.dealer_at})}


def _seats_clockwise(rules: Rules, table: Table, cards: Cards, start: int) -> Mapping[int, Cards]:
    """Hands to seats clockwise from the diced one: packs from the shuffler, or piles from the marked one."""
    seats = _from_the_start(rules, table, start)
    if rules.way != MANUAL:
        return deal_stacks(rules.game, cards, seats)
    piles = deal_zigzag(rules.game, cards)
    first = table.round.pile or 1
    return {seat: piles[(first - 1 + turn) % SEATS] for turn, seat in enumerate(seats)}


def _from_the_start(rules: Rules, table: Table, start: int) -> tuple[int, ...]:
    """Return the seats that get cards, clockwise from the one that gets the first hand."""
    seats = seats_in_play(rules, table)
    turn = seats.index(start)
    return (*seats[turn:], *seats[:turn])


def dealt_in_piles(rules: Rules) -> bool:
    """Whether the cards are dealt to piles first, which are handed out when the start is known."""
    return "distribute" in rules.game.procedure and rules.way == MANUAL


def in_piles(rules: Rules, table: Table) -> bool:
    """Whether the cards lie in piles that are no one's yet."""
    return dealt_in_piles(rules) and not table.round.has(RoundMark.DISTRIBUTED)


def dealt_so_far(rules: Rules, table: Table) -> Mapping[int, int]:
    """Return how many cards each position has been dealt by now."""
    dealt, size, start = table.round.dealt, rules.game.hand_cards, table.round.start
    if start is None:
        return dict.fromkeys(places(rules, table), 0)
    order = _from_the_start(rules, table, start) if rules.banked else dealing_order(start)
    if rules.way in DEALT_SINGLY:
        rounds, more = divmod(dealt, SEATS)
        return {at: rounds + (turn < more) for turn, at in enumerate(order)}
    return {at: min(max(dealt - turn * size, 0), size) for turn, at in enumerate(order)}


def due_by_now(rules: Rules, table: Table) -> Mapping[int, int] | None:
    """Return how many cards each position must have while they are dealt; nothing when they all are."""
    return None if table.round.has(RoundMark.DEALT_OUT) else dealt_so_far(rules, table)


def with_hands(table: Table, hands: Mapping[int, Cards]) -> Table:
    """Return the table with the cards lying where they were dealt."""
    if not hands:
        return table
    dealt = {at: changed(hand, cards=hands[at]) for at, hand in table.round.hands.items()}
    return table.with_round(hands=dealt, dealer_cards=hands[table.dealer_at])


def next_cards(s: Situation, count: int) -> Cards:
    """Return the next cards of the sealed deck; none where cards are real."""
    this_round = s.round
    if this_round.commitment is None:
        return ()
    return s.moment.cards.draw(
        this_round.commitment, this_round.cut_at + this_round.dealt + this_round.boxed, count
    )
