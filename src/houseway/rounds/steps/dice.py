"""Dice that are shaken: how many, what they may show, and how they are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.law.problems import Problem
from houseway.rounds.action import Action
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import MUST, NOT_ASKED, Asks, FieldRule
from houseway.rounds.dealing import DICE, FACES, dice_in_words
from houseway.rounds.state import CardOrigin, Table
from houseway.rounds.step import Situation

DICE_CUP: Final = "dice_cup"


class ReadsDice(Action, frozen=True):
    """Something done with dice; on a physical table they are read."""

    dice: Annotated[tuple[int, ...] | None, Ask("Dice")] = None


# --- the dice cup and the green button ----------------------------------------------------------------


def dice_in_cup(rules: Rules) -> int:
    """Return how many dice the cup holds: three, or as many as the house's own procedure says."""
    return rules.submission.table.dice or DICE


def dice_problems(s: Situation, action: ReadsDice) -> Iterable[Problem]:
    """Yield what is wrong with the dice that were read, or not read where nothing else shows them."""
    faces, number = action.dice, dice_in_cup(s.rules)
    if faces is None and s.table.source is not CardOrigin.VIRTUAL_DECK:
        yield Problem("dice", "the dice must be read")
    if faces is not None and (len(faces) != number or not all(f in range(1, FACES + 1) for f in faces)):
        yield Problem("dice", f"{dice_in_words(number)}, each showing 1 to 6", str(faces))


# --- what its fields take -----------------------------------------------------------------------------


def asks_faces(rules: Rules, table: Table, _: int) -> Asks:
    """Ask for what each die shows, where nothing else tells it."""
    each = {str(die + 1): MUST for die in range(dice_in_cup(rules))}
    return {
        "dice": NOT_ASKED
        if table.source is CardOrigin.VIRTUAL_DECK
        else FieldRule(least=1, most=FACES, needed=True, each=each)
    }
