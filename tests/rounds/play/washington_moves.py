"""What people do at a Washington table besides what is due: the display, the keypad, the key, rulings."""

from __future__ import annotations

from typing import Any

from houseway.money import Cents
from houseway.rounds.houseway import house_setting
from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND, Hand, Phase
from houseway.rounds.step import Actor
from tests.rounds.commands import NamedStep
from tests.rounds.play.chance import Chance, pick, rarely
from tests.rounds.play.moves import BETWEEN, dealer, move, person, some_setting, some_wagers
from tests.rounds.table import Snapshot

SAM = Actor("Sam", Role.FLOORPERSON)
SUE = Actor("Sue", Role.MANAGER)
SUPERVISORS = (SAM, SUE)
FACES = 6
LINES = ("seven_card_straight_flush", "five_aces", "straight_flush", "full_house", "banana")
"""Hand buttons; the last one no keypad has."""


def booked(table: Snapshot) -> list[int]:
    """Return the positions with a progressive wager."""
    return [hand.position for hand in table.round.active() if hand.amount("progressive")]


# --- before the deal ----------------------------------------------------------------------------------


@move(Phase.BETTING, step="coin_in")
def keys_before_the_deal(table: Snapshot, chance: Chance) -> NamedStep | None:
    there = len(booked(table))
    details = {"chips": pick(chance, [there, there, there - 1, there + 1])}
    removed = NamedStep("remove_progressive", dealer(table), details=details)
    key = NamedStep("turn_key", pick(chance, SUPERVISORS), details={"to": pick(chance, ["JPH", "RUN"])})
    return pick(chance, [NamedStep("coin_in", dealer(table)), removed, key])


@move(Phase.BETTING, Phase.STARTING, step="remove_progressive")
def chip_not_there(table: Snapshot, chance: Chance) -> NamedStep | None:
    if not booked(table):
        return None
    details = {"without": (pick(chance, booked(table)),), "reason": "no chip lies there"}
    return NamedStep("rule_count", pick(chance, SUPERVISORS), details=details)


@move(Phase.BETTING, step="coin_in")
def chip_beside_the_sensor(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Put a progressive chip beside its sensor."""
    if not table.seats:
        return None
    at = pick(chance, sorted(table.seats))
    details = {"wagers": some_wagers(table, chance), "off_sensor": True}
    return NamedStep("wager", person(table, at), at, details)


@move(Phase.BETTING, Phase.STARTING, step="press_start")
def start(table: Snapshot, chance: Chance) -> NamedStep | None:
    if chance.below(2):
        return NamedStep("press_start", dealer(table), details={"number": 1 + chance.below(7)})
    dice = tuple(1 + chance.below(FACES) for _ in range(3))
    return NamedStep("shake_cup", dealer(table), details={"dice": dice})


@move(Phase.STARTING, step="place_lammers")
def lammers_anywhere(table: Snapshot, chance: Chance) -> NamedStep | None:
    positions = tuple(at for at in table.round.hands if chance.below(2))
    return NamedStep("place_lammers", dealer(table), details={"positions": positions})


@move(Phase.CLOSED, *BETWEEN, step="set_shuffler")
def set_shuffler(table: Snapshot, chance: Chance) -> NamedStep | None:
    game = pick(chance, ["Fortune Asia Poker", "Fortune Pai Gow Poker", "Three Card Poker"])
    return NamedStep("set_shuffler", pick(chance, [dealer(table), SAM]), details={"game": game})


# --- the display --------------------------------------------------------------------------------------


@move(Phase.SETTING, step="show_player_way")
def at_the_display(table: Snapshot, chance: Chance) -> NamedStep | None:
    hands = table.round.playing()
    if not hands:
        return None
    hand = pick(chance, hands)
    own = Actor(hand.person, Role.PLAYER)
    return pick(
        chance,
        [
            NamedStep("look", own, hand.position),
            NamedStep("ask_help", own, hand.position),
            NamedStep("show_player_way", dealer(table), hand.position),
            NamedStep("exit_display", dealer(table)),
            NamedStep("turn_over", dealer(table)),
            NamedStep("set", dealer(table), hand.position, {"setting": some_setting(table, hand, chance)}),
        ],
    )


def set_for_who_asked(table: Snapshot) -> list[NamedStep]:
    """Return how the dealer sets the hands of players who asked and cannot be shown the house way."""
    return [
        NamedStep("set", dealer(table), hand.position, {"setting": house_way(table, hand)})
        for hand in table.round.playing()
        if hand.has("asked") and not hand.has("placed")
    ]


def house_way(table: Snapshot, hand: Hand) -> tuple[Any, ...]:
    """Return how the house would set a hand."""
    return house_setting(table.rules, hand.cards)


# --- the keypad and the key ---------------------------------------------------------------------------


@move(Phase.SETTLING, step="press_hand")
def dealers_keys(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Press a hand button or another of the dealer's."""
    hands = table.round.playing()
    if not hands:
        return None
    at = pick(chance, hands).position
    line = table.round.hands[at].made.get("progressive") or pick(chance, LINES)
    press = NamedStep("press_hand", dealer(table), at, {"hand": pick(chance, [line, line, *LINES])})
    over = NamedStep("game_over", dealer(table))
    return pick(chance, [press, press, over, NamedStep("clear_lammers", dealer(table))])


@move(Phase.SETTLING, step="press_jpot")
def supervisors_keys(table: Snapshot, chance: Chance) -> NamedStep | None:
    claimed = [hand for hand in table.round.playing() if hand.claim]
    if not claimed and chance.below(4):
        return None
    at = pick(chance, claimed or table.round.playing() or [Hand(2, "nobody")]).position
    by = pick(chance, SUPERVISORS)
    step = pick(
        chance, ["acknowledge_claim", "verify_jackpot", "press_jpot", "press_jpot", "print_win", "pay"]
    )
    if step == "pay":
        return NamedStep("pay_jackpot", by, at, {"reference": f"HP-{chance.below(100)}"})
    return NamedStep(step, by, at)


@move(Phase.SETTLING, step="turn_key")
def the_key(table: Snapshot, chance: Chance) -> NamedStep | None:
    if not booked(table) and chance.below(4):
        return None
    return NamedStep("turn_key", pick(chance, SUPERVISORS), details={"to": pick(chance, ["JPH", "RUN"])})


@move(step="adjust_meter")
def adjust_meter(table: Snapshot, chance: Chance) -> NamedStep | None:
    if table.meter is None or not rarely(chance, 2):
        return None
    amount = pick(chance, [Cents(1), Cents(100_000), Cents(-1), Cents(-50_000)])
    details: dict[str, Any] = {"amount": amount, "reason": "a drop was missed", "second": "Sue"}
    if not chance.below(3):
        details |= {"win": 1 + chance.below(7), "reason": "misread"}
    return NamedStep("adjust_meter", pick(chance, SUPERVISORS), details=details)


@move(step="adjust_meter")
def back_out(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Back out the award of a recorded win, of this round or the last, or most of it, or once more."""
    wins = [win for this_round in (table.round, table.last) if this_round for win in this_round.wins]
    if not wins or not rarely(chance, 2):
        return None
    win = pick(chance, wins)
    amount = pick(chance, [win.amount, win.amount, Cents(win.amount - 1)])
    details = {"amount": amount, "reason": "misread", "second": "Max", "win": win.position}
    return NamedStep("adjust_meter", pick(chance, SUPERVISORS), details=details)


# --- the floor ----------------------------------------------------------------------------------------


@move(Phase.BETTING, *IN_ROUND, step="stop_round")
def stop_round(table: Snapshot, chance: Chance) -> NamedStep | None:
    if not rarely(chance, 4) or not table.round.hands:
        return None
    return NamedStep(
        "stop_round", pick(chance, [dealer(table), SUE]), details={"reason": "something is wrong"}
    )


@move(Phase.BETTING, *IN_ROUND, step="rule_round")
def rule_round(table: Snapshot, chance: Chance) -> NamedStep | None:
    ruling = pick(chance, ["void", "play on", "play on"])
    details = {"ruling": ruling, "reason": "as seen"}
    return NamedStep("rule_round", pick(chance, SUPERVISORS), details=details)
