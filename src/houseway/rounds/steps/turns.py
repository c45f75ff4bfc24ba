"""Whose turn it is when hands are settled, and what is still to be done with each."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from houseway.rounds.state import Hand, Table
from houseway.rounds.step import Command, Event, in_law
from houseway.rounds.steps.common import hand_of, seats_at
from houseway.settlement import Status

ALL: Final = "all"
"""Every wager of a hand that can be settled now: main and Double Down, then, rearranged, the rest."""
_SURRENDERED, _ABANDONED, _PLAYED = Status.SURRENDERED, Status.ABANDONED, Status.PLAYED
_SETTLE_ALL: Final = MappingProxyType({"wager": ALL})
_NEEDS_PEOPLE: Final = frozenset({"progressive_win", "held"})
"""A hand so marked stays until somebody has verified the win, or the envy is paid."""


def optional(table: Table, hand: Hand) -> list[str]:
    """Return the bonus and progressive wagers on a hand, in the order they are settled."""
    if not hand.behind:
        return [wager for wager in table.rules.side_wagers if wager in hand.wagers]
    return [wager for wager in table.rules.side_wagers if has_wager(hand, wager)]


def has_wager(hand: Hand, wager: str) -> bool:
    """Whether anybody has a wager on a hand: its player, or somebody behind him."""
    return wager in hand.wagers or (bool(hand.behind) and any(wager in b.wagers for b in hand.behind))


def due(table: Table, hand: Hand) -> list[str]:
    """Return the wagers of a hand still to be settled, in order."""
    if not hand.behind:
        return [w for w in table.rules.wager_order if w in hand.wagers and w not in hand.settled]
    return [w for w in table.rules.wager_order if w not in hand.settled and has_wager(hand, w)]


def to_rearrange(table: Table, hand: Hand) -> bool:
    """Whether a hand is rearranged into its best: for its own wagers, or for other players' envy."""
    if hand.status is _SURRENDERED:
        return bool(table.play.lammers) and in_law(table, "surrender", "stays")
    if optional(table, hand) and hand.status is not _ABANDONED:
        return True
    if table.play.lammers and in_law(table, "rearrange", "everyone_lammer"):
        return True
    return in_law(table, "rearrange", "everyone_wager") and any(
        terms.envy is not None and other.amount(terms.id)
        for other in table.play.playing()
        for terms in table.rules.game.wager
    )


def finished(table: Table, hand: Hand) -> bool:
    """Whether nothing is left to do with a hand but to rack it."""
    if due(table, hand):
        return False
    return hand.has("rearranged") or not to_rearrange(table, hand)


def in_turn(table: Table) -> list[Hand]:
    """Return the hands in the order they are settled, or as approved controls order it."""
    hands = table.play.playing()
    if table.rules.banked:
        start, seats = table.play.action or 1, seats_at(table)
        return sorted(hands, key=lambda hand: (hand.position - start) % seats)
    submission = table.rules.submission
    policy = submission.progressive.order_policy if submission.progressive else None
    other = policy == "clockwise" and table.rules.permit_clauses("progressive.order_policy")
    return hands[::-1] if other else hands


def by_keypad(table: Table, hand: Hand) -> bool:
    """Whether a share of the meter is recorded and paid by the keypad and its key, not by the dealer."""
    return "press_jpot" in table.rules.game.procedure and hand.has("progressive_share")


def by_passes(table: Table) -> bool:
    """Whether all game wagers are settled before the first bonus (reading ca:C3)."""
    return table.banked and table.rules.readings.get("ca_settlement_order") != "seat_by_seat"


def turn(table: Table) -> Hand | None:
    """Return the hand whose turn it is, from the dealer's far right."""
    if by_passes(table):
        open_game = next((h for h in in_turn(table) if "main" not in h.settled), None)
        if open_game is not None:
            return open_game
    for hand in in_turn(table):
        if "racked" not in hand.marks and not ("held" in hand.marks and finished(table, hand)):
            return hand
    return None


def envy_wagers(table: Table) -> list[str]:
    """Return the wagers on which Envy Bonuses are still to be paid, if any are owed."""
    if not any("held" in hand.marks for hand in table.play.hands.values()):
        return []  # no hand is envied
    return [
        terms.id
        for terms in table.rules.envied
        if f"envy:{terms.id}" not in table.play.marks
        and any(hand.has(f"envies:{terms.id}") for hand in table.play.hands.values())
    ]


def next_of_hand(table: Table, event: Event) -> Command | None:
    """Return what a table that settles by itself does next with a hand, until it is done or needs people."""
    hand, by, at = hand_of(table, event), event.by, event.position
    if "announced" not in hand.marks:
        return None
    if "main" not in hand.settled:
        return Command("settle", by, at, _SETTLE_ALL)
    if by_passes(table):
        return None  # the bonuses have a pass of their own, from the Action seat
    if "rearranged" not in hand.marks and to_rearrange(table, hand):
        return Command("rearrange", by, at)
    if not hand.marks.isdisjoint(_NEEDS_PEOPLE):
        return None
    return Command("settle", by, at, _SETTLE_ALL) if due(table, hand) else Command("rack", by, at)


def next_hand(table: Table, event: Event) -> Command | None:
    """Return the hand that a table which settles by itself opens next, if it is one to be opened."""
    hand, play = turn(table), table.play
    if hand is None or play.stopped or "dealer_wrong" in play.marks:
        return None
    if not hand.cards or hand.shown or hand.status is not _PLAYED:
        return None
    return Command("reveal", event.by, hand.position)
