"""Commands that are unlawful in themselves, whatever the table: of the wrong person, time, place or shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from msgspec.structs import fields

from houseway.money import Cents
from houseway.rounds.action import OnHand
from houseway.rounds.live import due_moves
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, AnyStep
from houseway.rounds.steps import STEPS
from tests.rounds.moves import Chance, pick
from tests.rounds.said import Said, details_of
from tests.rounds.seen import Seen
from tests.rounds.who_when import row, taken_by

STRANGER = "Nobody"
OWN = ("look", "choose_hand", "surrender", "ask_help", "leave", "decline_cut")
"""Steps that only one certain player may take."""
PLACED = ("sit", "wager", "correct_wager", "leave", "offer_cut", "expose_card")
"""Steps at a position, whether or not a hand is played there."""
NO_POSITION = (None, 0, -1, 8, 10**9)
HUGE = 10**9


def some_deck(table: Seen, chance: Chance) -> str:
    return pick(chance, sorted(table.state.decks) or ["A"])


SOMETHING: Mapping[str, Any] = {
    "wagers": {},
    "setting": (),
    "without": (),
    "counts": {},
    "lost": True,
    "lit": True,
    "method": "manual",
    "device": "shuffler",
    "spare": "rack",
    "choice": "void",
    "ruling": "void",
    "placed": True,
    "to": "RUN",
    "status": "cease",
    "dated": date(2026, 1, 4),
    "stake": Cents(500),
    "amount": Cents(500),
}
"""A value of the right kind for details that are neither words nor numbers."""
NUMBERED = ("depth", "chips", "times", "pile", "cards")


def plausible(table: Seen, name: str, chance: Chance) -> Any:
    """Return a value of the right kind for a detail."""
    if name == "deck":
        return some_deck(table, chance)
    if name == "submission":
        return table.rules.submission
    return 1 if name in NUMBERED else SOMETHING.get(name, "sign")


def details_taken(step: AnyStep, *, needed: bool = False) -> list[str]:
    """Return the names of a step's details, or of those that must be given; a position is none."""
    taken = [one for one in fields(step.action) if one.name != "position"]
    return sorted(one.name for one in taken if one.required or not needed)


def shaped(table: Seen, step: AnyStep, chance: Chance) -> Said:
    """Return a command of the right shape: a person who may, every detail that must be given."""
    role = pick(chance, sorted(step.by)) if step.by else Role.DEALER
    details = {name: plausible(table, name, chance) for name in details_taken(step, needed=True)}
    at = pick(chance, sorted(table.round.hands) or [3])
    return Said(step.name, Actor("Somebody", role), at, details)


def steps_of(table: Seen) -> list[str]:
    """Return the steps of the game."""
    return sorted(table.rules.game.procedure)


def any_step(table: Seen, chance: Chance) -> AnyStep:
    return STEPS[pick(chance, steps_of(table))]


Unlawful = Callable[[Seen, Chance], "Said | None"]


def wrong_role(table: Seen, chance: Chance) -> Said | None:
    step = any_step(table, chance)
    others = sorted(set(Role) - step.roles)
    if not others:
        return None
    command = shaped(table, step, chance)
    return Said(step.name, Actor("Somebody", pick(chance, others)), command.position, command.details)


def out_of_role(table: Seen, chance: Chance) -> Said | None:
    """Have what is due done by somebody whose part it is not."""
    due = list(due_moves(table.rules, table.state))
    if not due:
        return None
    command = pick(chance, due)
    others = sorted(set(Role) - taken_by(table.rules.game.id, command.step))
    by = Actor(command.by.id, pick(chance, others))
    return Said(command.step, by, command.position, details_of(command.action))


def out_of_time(table: Seen, chance: Chance) -> Said | None:
    """Have something done by the right person at another time."""
    game = table.rules.game.id
    late = [name for name in steps_of(table) if table.phase not in row(game, name).phases.split()]
    command = shaped(table, STEPS[pick(chance, late)], chance)
    hand = table.round.hands.get(command.position or 0)
    if command.by.role is not Role.PLAYER or hand is None:
        return command
    return Said(command.step, Actor(hand.person, Role.PLAYER), command.position, command.details)


def wrong_step(table: Seen, chance: Chance) -> Said | None:
    foreign = sorted(set(STEPS) - set(table.rules.game.procedure))
    name = pick(chance, [*foreign, "deal_twice", "", "void_round", "end_round"])
    return Said(name, Actor("Flo", Role.MANAGER), 3)


def wrong_phase(table: Seen, chance: Chance) -> Said | None:
    late = [name for name in steps_of(table) if table.phase not in STEPS[name].phases]
    return shaped(table, STEPS[pick(chance, late)], chance) if late else None


def wrong_person(table: Seen, chance: Chance) -> Said | None:
    step = STEPS[pick(chance, OWN)]
    command = shaped(table, step, chance)
    return Said(step.name, Actor(STRANGER, Role.PLAYER), command.position, command.details)


def wrong_position(table: Seen, chance: Chance) -> Said | None:
    needy = [name for name in steps_of(table) if issubclass(STEPS[name].action, OnHand)]
    command = shaped(table, STEPS[pick(chance, [*needy, *PLACED[:-1]])], chance)
    return Said(command.step, command.by, pick(chance, NO_POSITION), command.details)


def detail_missing(table: Seen, chance: Chance) -> Said | None:
    command = shaped(table, any_step(table, chance), chance)
    if not command.details:
        return None
    gone = pick(chance, sorted(command.details))
    details = {name: value for name, value in command.details.items() if name != gone}
    return Said(command.step, command.by, command.position, details)


def detail_extra(table: Seen, chance: Chance) -> Said | None:
    command = shaped(table, any_step(table, chance), chance)
    return Said(command.step, command.by, command.position, {**command.details, "colour": "red"})


ODD: tuple[Any, ...] = (3.5, b"x", object(), float("nan"))
"""Of no kind that any detail has."""


def detail_of_another_kind(table: Seen, chance: Chance) -> Said | None:
    step = any_step(table, chance)
    taken = details_taken(step)
    if not taken:
        return None
    command = shaped(table, step, chance)
    name = pick(chance, taken)
    return Said(command.step, command.by, command.position, {**command.details, name: pick(chance, ODD)})


NUMBERS: Mapping[tuple[str, str], tuple[Any, ...]] = {
    ("deal", "cards"): (0, -1, 50, HUGE),
    ("deal", "first_to"): (0, 8, -1, HUGE),
    ("cut", "depth"): (0, 9, 53, -10, HUGE),
    ("draw_number", "number"): (0, 8, -1, HUGE),
    ("announce_total", "total"): (2, 19, -11, HUGE),
    ("uncover", "dice"): ((0, 1, 2), (7, 1, 1), (1, 1), (1, 1, 1, 1)),
    ("count_progressive", "chips"): (-1, 7, HUGE),
    ("count_surrendered", "cards"): (0, -7, 8, HUGE),
    ("shuffle", "cards"): (52, 54, -53, HUGE),
    ("spread_deck", "seen"): (0, 52, 54, HUGE),
    ("double_down", "amount"): (Cents(1), Cents(-500), Cents(10**12)),
    ("wager", "wagers"): (
        {"main": Cents(1)},
        {"main": Cents(-500)},
        {"main": Cents(10**12)},
        {"main": 5.0},
        {"main": "500"},
    ),
    ("count_hands", "counts"): ({}, {1: 7}, dict.fromkeys(range(8), 7)),
    ("press_start", "number"): (0, 8, -1, HUGE),
    ("shake_cup", "dice"): ((0, 1, 2), (7, 1, 1), (1, 1), (1, 1, 1, 1)),
    ("remove_progressive", "chips"): (-1, 7, HUGE),
    ("rule_count", "without"): ((), (1,), (8,), (2, HUGE)),
    ("turn_key", "to"): ("", "OFF", "run"),
    ("adjust_meter", "amount"): (Cents(-(10**12)),),
    ("adjust_meter", "second"): ("", "Somebody", " somebody "),
    ("adjust_meter", "win"): (0, 1, 8, HUGE),
    ("rule_round", "ruling"): ("", "redeal", "VOID"),
    ("stop_round", "reason"): ("", "  "),
}
"""Numbers that no table accepts."""


def wrong_number(table: Seen, chance: Chance) -> Said | None:
    name, detail = pick(chance, [key for key in NUMBERS if key[0] in steps_of(table)])
    command = shaped(table, STEPS[name], chance)
    value = pick(chance, NUMBERS[name, detail])
    at, by = command.position or 0, command.by
    if name == "wager" and at in table.seats:
        by = Actor(table.seats[at].person, Role.PLAYER)
    return Said(name, by, at, {**command.details, detail: value})


UNLAWFUL: tuple[Unlawful, ...] = (
    wrong_role,
    out_of_role,
    out_of_time,
    wrong_step,
    wrong_phase,
    wrong_person,
    wrong_position,
    detail_missing,
    detail_extra,
    detail_of_another_kind,
    wrong_number,
)
