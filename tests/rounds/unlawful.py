"""Commands that are unlawful in themselves, whatever the table: of the wrong person, time, place or shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from houseway.games import Submission
from houseway.money import Cents
from houseway.rounds.deciding import suggestions
from houseway.rounds.state import Table
from houseway.rounds.step import Actor, Command, Role, Step, all_steps
from tests.rounds.moves import Chance, pick

STRANGER = "Nobody"
OWN = ("look", "choose_hand", "surrender", "ask_help", "leave", "decline_cut")
"""Steps that only one certain player may take."""
PLACED = ("sit", "wager", "correct_wager", "leave", "offer_cut", "expose_card")
"""Steps at a position, whether or not a hand is played there."""
NO_POSITION = (None, 0, -1, 8, 10**9)
HUGE = 10**9


FLOOR = "floorperson manager"
CARDS = "dealing setting dealer settling"
CORE: Mapping[str, tuple[str, str]] = {
    "verify_inspection": (FLOOR, "closed opening idle betting"),
    "open_table": (FLOOR, "opening"),
    "close_table": (FLOOR, "opening idle betting"),
    "direct_shuffle": (FLOOR, "opening betting"),
    "wager": ("player dealer", "betting"),
    "no_more_bets": ("dealer device", "betting"),
    "count_progressive": ("dealer", "starting"),
    "deal": ("dealer device", "starting dealing"),
    "boxed_card": ("dealer", "starting dealing"),
    "shoe_fault": ("dealer device", "starting dealing"),
    "count_stub": ("dealer device", "dealing"),
    "collect_empty": ("dealer", "dealing"),
    "choose_hand": ("player", CARDS),
    "rule_abandoned": (FLOOR, f"starting {CARDS}"),
    "look": ("player", "setting"),
    "set": ("player dealer", "setting"),
    "double_down": ("player dealer", "setting"),
    "turn_over": ("dealer device", "setting"),
    "set_dealer": ("dealer device", "dealer"),
    "reset_dealer": (f"dealer {FLOOR}", "settling"),
    "surrender": ("player", "settling"),
    "reveal": ("dealer device", "settling"),
    "rearrange": ("dealer device", "settling"),
    "settle": ("dealer device", "settling"),
    "validate_win": (FLOOR, "settling"),
    "pay_envy": ("dealer device", "settling"),
    "rack": ("dealer", "settling"),
    "close_round": ("dealer device", "settling"),
    "coin_in": ("dealer", "betting"),
    "remove_progressive": ("dealer", "betting"),
    "shake_cup": ("dealer", "betting"),
    "press_start": ("dealer", "betting starting"),
    "show_player_way": ("dealer", "setting"),
    "exit_display": ("dealer device", "setting"),
    "press_hand": ("dealer", "settling"),
    "acknowledge_claim": (FLOOR, "settling"),
    "verify_jackpot": (FLOOR, "settling"),
    "turn_key": (FLOOR, "betting settling"),
    "press_jpot": (FLOOR, "settling"),
    "pay_jackpot": (FLOOR, "settling"),
    "print_win": (FLOOR, "settling"),
    "game_over": ("dealer", "settling"),
    "clear_lammers": ("dealer", "settling"),
    "rule_round": (FLOOR, f"betting starting {CARDS}"),
}
"""Who may do what when, written out: what moves cards and money."""


def some_deck(table: Table, chance: Chance) -> str:
    return pick(chance, sorted(table.decks) or ["A"])


def plausible(table: Table, name: str, kind: Any, chance: Chance) -> Any:
    """Return a value of the right kind for a detail."""
    if name == "deck":
        return some_deck(table, chance)
    values: dict[Any, Any] = {
        str: "sign",
        int: 1,
        bool: True,
        dict: {},
        tuple: (),
        Cents: Cents(500),
        Submission: table.rules.submission,
    }
    return values[kind]


def shaped(table: Table, step: Step, chance: Chance) -> Command:
    """Return a command of the right shape: a person who may, every detail that must be given."""
    role = pick(chance, sorted(step.by)) if step.by else Role.DEALER
    details = {n: plausible(table, n, k, chance) for n, k in step.takes.items() if not n.endswith("?")}
    at = pick(chance, sorted(table.play.hands) or [3])
    return Command(step.name, Actor("Somebody", role), at, details)


def steps_of(table: Table) -> list[str]:
    """Return the steps of the game."""
    return sorted(table.rules.game.procedure)


def any_step(table: Table, chance: Chance) -> Step:
    return all_steps()[pick(chance, steps_of(table))]


Unlawful = Callable[[Table, Chance], "Command | None"]


def wrong_role(table: Table, chance: Chance) -> Command | None:
    step = any_step(table, chance)
    others = sorted(set(Role) - step.by)
    if not others:
        return None
    command = shaped(table, step, chance)
    return Command(step.name, Actor("Somebody", pick(chance, others)), command.position, command.details)


def out_of_role(table: Table, chance: Chance) -> Command | None:
    """Have what is due done by somebody whose part it is not."""
    due = [command for command in suggestions(table) if command.step in CORE]
    if not due:
        return None
    command = pick(chance, due)
    others = sorted(set(Role) - set(CORE[command.step][0].split()))
    by = Actor(command.by.name, pick(chance, others))
    return Command(command.step, by, command.position, command.details)


def out_of_time(table: Table, chance: Chance) -> Command | None:
    """Have something done by the right person at another time."""
    known = steps_of(table)
    late = [name for name, (_, when) in CORE.items() if name in known and table.phase not in when.split()]
    command = shaped(table, all_steps()[pick(chance, late)], chance)
    hand = table.play.hands.get(command.position or 0)
    if command.by.role is not Role.PLAYER or hand is None:
        return command
    return Command(command.step, Actor(hand.person, Role.PLAYER), command.position, command.details)


def wrong_step(table: Table, chance: Chance) -> Command | None:
    foreign = sorted(set(all_steps()) - set(table.rules.game.procedure))
    name = pick(chance, [*foreign, "deal_twice", "", "void_round", "end_round"])
    return Command(name, Actor("Flo", Role.MANAGER), 3)


def wrong_phase(table: Table, chance: Chance) -> Command | None:
    late = [name for name in steps_of(table) if table.phase not in all_steps()[name].phases]
    return shaped(table, all_steps()[pick(chance, late)], chance) if late else None


def wrong_person(table: Table, chance: Chance) -> Command | None:
    step = all_steps()[pick(chance, OWN)]
    command = shaped(table, step, chance)
    return Command(step.name, Actor(STRANGER, Role.PLAYER), command.position, command.details)


def wrong_position(table: Table, chance: Chance) -> Command | None:
    needy = [name for name in steps_of(table) if all_steps()[name].needs == "hand"]
    command = shaped(table, all_steps()[pick(chance, [*needy, *PLACED[:-1]])], chance)
    return Command(command.step, command.by, pick(chance, NO_POSITION), command.details)


def detail_missing(table: Table, chance: Chance) -> Command | None:
    command = shaped(table, any_step(table, chance), chance)
    if not command.details:
        return None
    gone = pick(chance, sorted(command.details))
    details = {name: value for name, value in command.details.items() if name != gone}
    return Command(command.step, command.by, command.position, details)


def detail_extra(table: Table, chance: Chance) -> Command | None:
    command = shaped(table, any_step(table, chance), chance)
    return Command(command.step, command.by, command.position, {**command.details, "colour": "red"})


ODD: tuple[Any, ...] = (None, 3.5, b"x", frozenset(), float("nan"))
"""Of no kind that any detail has, and fit to be looked up."""


def detail_of_another_kind(table: Table, chance: Chance) -> Command | None:
    step = any_step(table, chance)
    if not step.takes:
        return None
    command = shaped(table, step, chance)
    name = pick(chance, sorted(step.takes)).rstrip("?")
    return Command(command.step, command.by, command.position, {**command.details, name: pick(chance, ODD)})


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
        {"main": 500},
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


def wrong_number(table: Table, chance: Chance) -> Command | None:
    name, detail = pick(chance, [key for key in NUMBERS if key[0] in steps_of(table)])
    command = shaped(table, all_steps()[name], chance)
    value = pick(chance, NUMBERS[name, detail])
    at, by = command.position or 0, command.by
    if name == "wager" and at in table.seats:
        by = Actor(table.seats[at].person, Role.PLAYER)
    return Command(name, by, at, {**command.details, detail: value})


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
