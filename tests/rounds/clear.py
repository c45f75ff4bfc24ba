"""Where random play keeps clear of what is not right yet; ``test_dead_ends.py`` tests each by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from houseway.rounds.state import Table
from houseway.rounds.step import Command


def _face_up_in_no_deck(table: Table, command: Command) -> bool:
    return command.step == "boxed_card" and table.deck is None


def _recut_after_face_up(table: Table, command: Command) -> bool:
    return command.step == "recut" and table.play.boxed > 0


def _shoe_fails_before_the_count(table: Table, command: Command) -> bool:
    uncounted = any(h.amount("progressive") for h in table.play.hands.values()) and not table.play.has(
        "counted"
    )
    return command.step == "shoe_fault" and uncounted and "keep" in table.rules.readings.values()


def _shuffler_fails_on_the_rounds_own_deck(table: Table, command: Command) -> bool:
    own = command.get("deck") is not None and command.get("deck") == table.play.deck
    return command.step == "shuffler_fault" and own


FAULTS: Final[dict[str, Callable[[Table, Command], bool]]] = {
    "card found face up while no deck is loaded": _face_up_in_no_deck,
    "shuffler fails on the deck of the round": _shuffler_fails_on_the_rounds_own_deck,
    "recut after a card was found face up": _recut_after_face_up,
    "shoe fails before the chips are counted, the meter keeping its part": _shoe_fails_before_the_count,
}


def kept_clear(table: Table, command: Command) -> bool:
    """Whether a command would run into something that is known not to be right yet."""
    return any(spoils(table, command) for spoils in FAULTS.values())
