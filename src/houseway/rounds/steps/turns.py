"""Whose turn it is when hands are settled, and what is still to be done with each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from houseway.games import Rules
from houseway.rounds.action import OnHand
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.state import Hand, Phase, Table
from houseway.rounds.step import AnEvent, Guard, Next, Situation, in_law
from houseway.rounds.steps.money import showdown_of
from houseway.settlement import Status
from houseway.settlement.envy import owed
from houseway.settlement.model import DOUBLE_DOWN, PROGRESSIVE

SETTLING: Final = (Phase.SETTLING,)


# --- surrendered --------------------------------------------------------------------------------------


def _collected(s: Situation, action: OnHand) -> bool:
    """Whether no surrendered cards are to be collected at once, unless it is they that are."""
    waiting = {hand.position for hand in uncollected(s.rules, s.table)}
    return not waiting or action.position in waiting


COLLECTED: Final[Guard[OnHand]] = Guard("collected", "surrendered cards are collected first", _collected)
_SURRENDERED, _ABANDONED, _PLAYED = Status.SURRENDERED, Status.ABANDONED, Status.PLAYED
_REARRANGED, _HELD, _RACKED = HandMark.REARRANGED, HandMark.HELD, HandMark.RACKED
_NEEDS_PEOPLE: Final = frozenset({HandMark.PROGRESSIVE_WIN, HandMark.JOKER_ROYAL, HandMark.HELD})
"""A hand so marked stays until a person has verified or reviewed the win, or the envy is paid."""
_PAID_AWAY: Final = frozenset({HandMark.PROGRESSIVE_SHARE, HandMark.PAID_AWAY})
"""What is won by a hand so marked is not paid at the table."""


def optional(rules: Rules, hand: Hand) -> list[str]:
    """Return the bonus and progressive wagers on a hand, in the order they are settled."""
    if not hand.behind:
        return [wager for wager in rules.side_wagers if wager in hand.wagers]
    return [wager for wager in rules.side_wagers if has_wager(hand, wager)]


def has_wager(hand: Hand, wager: str) -> bool:
    """Whether anyone has a wager on a hand: its player, or a person behind them."""
    return wager in hand.wagers or (bool(hand.behind) and any(wager in b.wagers for b in hand.behind))


def due(rules: Rules, hand: Hand) -> list[str]:
    """Return the wagers of a hand still to be settled, in order."""
    if not hand.behind:
        return [w for w in rules.wager_order if w in hand.wagers and w not in hand.settled]
    return [w for w in rules.wager_order if w not in hand.settled and has_wager(hand, w)]


def to_rearrange(rules: Rules, table: Table, hand: Hand) -> bool:
    """Whether a hand is rearranged into its best: for its own wagers, or for other players' envy."""
    if hand.status is _SURRENDERED:
        return bool(table.round.lammers) and in_law(rules, "surrender", "stays")
    if optional(rules, hand) and hand.status is not _ABANDONED:
        return True
    if table.round.lammers and in_law(rules, "rearrange", "everyone_lammer"):
        return True
    return in_law(rules, "rearrange", "everyone_wager") and any(
        terms.envy is not None and other.amount(terms.id)
        for other in table.round.playing()
        for terms in rules.game.wager
    )


def finished(rules: Rules, table: Table, hand: Hand) -> bool:
    """Whether nothing is left to do with a hand but to rack it."""
    if due(rules, hand):
        return False
    return hand.has(_REARRANGED) or not to_rearrange(rules, table, hand)


def papers_due(hand: Hand) -> bool:
    """Whether a progressive award was paid away from the table, and its papers are not complete."""
    if hand.marks.isdisjoint(_PAID_AWAY):
        return False
    return PROGRESSIVE in hand.settled and not hand.has(HandMark.DOCUMENTED)


def uncollected(rules: Rules, table: Table) -> list[Hand]:
    """Return the surrendered hands that are to be collected at once: no wager keeps their cards."""
    given_up = [hand for hand in table.round.hands.values() if hand.status is _SURRENDERED]
    return [h for h in given_up if not h.has(_RACKED) and not to_rearrange(rules, table, h)]


def _waits(rules: Rules, table: Table, hand: Hand) -> bool:
    """Whether a hand lies there for nothing but its envy or its papers: the next one's turn has come."""
    stays = hand.has(_HELD) or ("document_win" in rules.game.procedure and papers_due(hand))
    return stays and finished(rules, table, hand)


def in_turn(rules: Rules, table: Table) -> list[Hand]:
    """Return the hands in the order they are settled, or as approved controls order it."""
    hands = table.round.playing()
    if rules.banked:
        start = table.round.action or 1
        before = [hand for hand in hands if hand.position < start]
        return hands[len(before) :] + before
    return hands if rules.internal_controls() is None else hands[::-1]


def by_keypad(rules: Rules, hand: Hand) -> bool:
    """Whether a share of the meter is recorded and paid by the keypad and its key, not by the dealer."""
    return "press_jpot" in rules.game.procedure and hand.has(HandMark.PROGRESSIVE_SHARE)


def by_passes(rules: Rules) -> bool:
    """Whether all game wagers are settled before the first bonus (reading ca:C3)."""
    return rules.banked and rules.readings.get("ca_settlement_order") != "seat_by_seat"


def turn(rules: Rules, table: Table) -> Hand | None:
    """Return the hand whose turn it is, from the dealer's far right."""
    hands = in_turn(rules, table)
    if by_passes(rules):
        for hand in hands:
            if "main" not in hand.settled:
                return hand
    for hand in hands:
        if not hand.has(_RACKED) and not _waits(rules, table, hand):
            return hand
    return None


def next_open(rules: Rules, table: Table) -> Hand | None:
    """Return the first hand with something left to do but to rack it: its cards may wait for the rack."""
    for hand in in_turn(rules, table):
        if not hand.has(_RACKED) and not finished(rules, table, hand):
            return hand
    return None


def is_next_open(rules: Rules, table: Table, position: int) -> bool:
    """Whether nothing but racking is left to do with the hands before the one at a position."""
    hand = turn(rules, table) if rules.banked else next_open(rules, table)
    return hand is not None and hand.position == position


def envy_wagers(rules: Rules, table: Table) -> list[str]:
    """Return the wagers on which Envy Bonuses are still to be paid, if any are owed."""
    if not any(hand.has(_HELD) for hand in table.round.hands.values()):
        return []  # no hand is envied
    unpaid = (terms.id for terms in rules.envied if terms.id not in table.round.envy_paid)
    return [wager for wager in unpaid if _is_owed(rules, table, wager)]


def _is_owed(rules: Rules, table: Table, wager: str) -> bool:
    """Whether anyone is owed an Envy Bonus by a hand that lies rearranged and is known to give it."""
    holders = {hand.position for hand in table.round.hands.values() if wager in hand.envied}
    if not holders:
        return False
    whole = showdown_of(rules, table, table.round.active())
    return any(bonus.holder in holders for bonus in owed(whole, wager))


def envy_is_open(rules: Rules, table: Table, wager: str) -> bool:
    """Whether Envy Bonuses on a wager are owed, or may be until every hand is rearranged and settled."""
    if wager in table.round.envy_paid:
        return False
    hands = table.round.playing()
    if not all_settled(hands, wager) or not all_rearranged(rules, table):
        return True
    return wager in envy_wagers(rules, table)


def all_settled(hands: Iterable[Hand], wager: str) -> bool:
    """Whether every wager of a kind is settled on these hands."""
    return all(wager in hand.settled or not has_wager(hand, wager) for hand in hands)


def all_rearranged(rules: Rules, table: Table) -> bool:
    """Whether every hand lies rearranged that is to be, or is racked."""
    return all(
        hand.has(_REARRANGED) or hand.has(_RACKED) or not to_rearrange(rules, table, hand)
        for hand in table.round.playing()
    )


def next_of_hand(rules: Rules, table: Table, event: AnEvent) -> Next | None:
    """Return what a table that settles by itself does next with a hand, until it is done or needs people."""
    at = event.action.position
    hand = table.round.hands[at]
    if not hand.has(HandMark.ANNOUNCED):
        return None
    if "main" not in hand.settled or DOUBLE_DOWN in due(rules, hand):
        return Next("settle", at)
    if by_passes(rules):
        return None  # the bonuses have a pass of their own, from the Action seat
    if not hand.has(_REARRANGED) and to_rearrange(rules, table, hand):
        return Next("rearrange", at)
    if not hand.marks.isdisjoint(_NEEDS_PEOPLE):
        return None
    return Next("settle" if due(rules, hand) else "rack", at)


def next_hand(rules: Rules, table: Table, _: AnEvent) -> Next | None:
    """Return the hand that a table which settles by itself opens next, if it is one to be opened."""
    hand, this_round = turn(rules, table), table.round
    if hand is None or this_round.stopped or this_round.has(RoundMark.DEALER_WRONG):
        return None
    if uncollected(rules, table):
        return None
    if not hand.cards or hand.shown or hand.status is not _PLAYED or hand.has(HandMark.CHOOSING):
        return None
    return Next("reveal", hand.position)
