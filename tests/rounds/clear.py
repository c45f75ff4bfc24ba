"""Where random play keeps clear of what is not right yet; each is tested by itself in test_known_faults.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from houseway.rounds.state import Table
from houseway.rounds.step import Command


def _leaves_after_rack(table: Table, command: Command) -> bool:
    hand = table.play.hands.get(command.position or 0)
    return command.step == "leave" and hand is not None and hand.has("racked")


def _exposed_after_leaving(table: Table, command: Command) -> bool:
    hand = table.play.hands.get(command.position or 0)
    return command.step == "expose_card" and hand is not None and hand.has("ruled")


def _shoe_fails_before_the_count(table: Table, command: Command) -> bool:
    wagered = any(hand.amount("progressive") for hand in table.play.hands.values())
    return command.step == "shoe_fault" and wagered and not table.play.has("counted")


def _loads_before_the_cover_is_moved(table: Table, command: Command) -> bool:
    deck = table.decks.get(command.get("deck", ""))
    covers = "move_cover" in table.rules.game.procedure
    return command.step == "load" and covers and deck is not None and deck.has("cut") and not deck.has("moved")


def _leaves_with_the_cut_offered(table: Table, command: Command) -> bool:
    offered = {deck.offered for deck in table.decks.values()}
    return command.step == "leave" and command.position in offered


FAULTS: Final[dict[str, Callable[[Table, Command], bool]]] = {
    "leave after the hand is racked": _leaves_after_rack,
    "card exposed of a player who left": _exposed_after_leaving,
    "shoe fails before the progressive chips are counted": _shoe_fails_before_the_count,
    "player leaves who was offered the cut": _leaves_with_the_cut_offered,
    "deck loaded before the cover card is moved": _loads_before_the_cover_is_moved,
}


def kept_clear(table: Table, command: Command) -> bool:
    """Whether a command would run into something that is known not to be right yet."""
    return any(spoils(table, command) for spoils in FAULTS.values())
