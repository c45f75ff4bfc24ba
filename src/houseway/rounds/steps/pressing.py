"""Washington's start of a round: the green button, or the dice cup before it; and the house-way display."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from houseway.errors import IllegalError
from houseway.law.claims import rest_on
from houseway.law.problems import Problem
from houseway.rng import below, dice
from houseway.rounds.dealing import (
    DICE,
    FACES,
    SEATS,
    dice_total,
    position_by_dice,
    position_by_number,
    verify_number,
)
from houseway.rounds.display import shown_on_display
from houseway.rounds.state import Hand, Phase, Source, Table
from houseway.rounds.step import (
    BY_DEALER,
    BY_DEALER_OR_DEVICE,
    Command,
    Event,
    Moment,
    Step,
    law_of,
    register,
)
from houseway.rounds.steps.betting import bets_closed, deck_ready, not_ordered, rack_clear
from houseway.rounds.steps.chips import accepted
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    hand_has,
    hand_has_not,
    hand_of,
    play_has,
    play_has_not,
    sense,
)
from houseway.settlement import Status

DICE_CUP = "dice_cup"
DEALER_SCREEN = "DEALER HOUSE WAY"
PLAYER_SCREEN = "PLAYER HOUSE WAY"


def position_of(table: Table, number: int) -> int:
    """Return the position that a starting number means, by the table's own map of spots."""
    if not table.rules.submission.table.position_map:
        return number
    named = table.rules.position_for(number)
    if named == "dealer":
        return 1
    try:
        spot = int(named.removeprefix("spot "))
    except ValueError:
        raise IllegalError("a spot is written spot 1 to spot 6, or dealer", value=named) from None
    return SEATS + 1 - spot


def _by_dice(table: Table) -> bool:
    return table.way == DICE_CUP


def _shaken(table: Table, command: Command, moment: Moment) -> Mapping[str, Any]:
    faces = command.get("dice") or dice(DICE, moment.entropy)
    total = dice_total(table.rules.game, faces)
    position = position_of(table, position_by_dice(table.rules.game, total))
    return {"faces": tuple(faces), "total": total, "start": position}


def dice_problems(table: Table, command: Command, _: datetime) -> Iterable[Problem]:
    """Yield what is wrong with the dice that were read, or not read where nothing else shows them."""
    faces = command.get("dice")
    if faces is None and table.source is not Source.VIRTUAL_DECK:
        yield Problem("dice", "the dice must be read")
    if faces is not None and (len(faces) != DICE or not all(f in range(1, FACES + 1) for f in faces)):
        yield Problem("dice", "three dice, each showing 1 to 6", str(faces))


def _shake(table: Table, event: Event) -> Table:
    table = bets_closed(table)
    start = event.get("start")
    return table.with_play(dice=event.get("faces"), announced=event.get("total"), due=start, start=start)


def _numbered(table: Table, command: Command, moment: Moment) -> Mapping[str, Any]:
    """The device shows a number from 1 to 7; with the dice cup the start is known already."""
    if _by_dice(table):
        return {"start": table.play.start}
    drawn = command.get("number") or below(SEATS, moment.entropy) + 1
    return {"number": drawn, "start": position_of(table, position_by_number(table.rules.game, drawn))}


def _press(table: Table, event: Event) -> Table:
    if not _by_dice(table):
        table = bets_closed(table)
    start = event.get("start")
    return table.with_play(start=start, due=start, marks=table.play.marks | {"started"})


def _number_known(table: Table, command: Command, _: datetime) -> Iterable[Problem]:
    given = command.get("number")
    if given is not None:
        yield from verify_number(table.rules.game, given)
    if given is None and table.source is not Source.VIRTUAL_DECK and not _by_dice(table):
        yield Problem("number", "the number that the display shows must be given")


def _dice_first(table: Table, _: Command) -> bool:
    return not _by_dice(table) or bool(table.play.dice)


def _coin_in_done(table: Table, _: Command) -> bool:
    return not accepted(table) or table.play.has("coin_in")


def _bets_removed(table: Table, _: Command) -> bool:
    return not accepted(table) or table.play.has("removed")


def _right_moment(table: Table, _: Command) -> bool:
    return table.phase is (Phase.STARTING if _by_dice(table) else Phase.BETTING)


# --- the display -------------------------------------------------------------------------------------


def _decided(table: Table, hand: Hand) -> bool:
    """Whether a seat no longer chooses: set, or waiting on a request it cannot take back (reading wa:W11)."""
    waiting = table.rules.readings.get("wa_house_way_requests") == "request_counts_as_set"
    return hand.has("placed") or hand.status is not Status.PLAYED or (waiting and hand.has("asked"))


def _others_set(table: Table, command: Command) -> bool:
    others = [hand for hand in table.play.playing() if hand.position != command.position]
    return all(_decided(table, hand) for hand in others)


def _has_display(table: Table, _: Command) -> bool:
    return table.way == "iverify_hwv"


def _shown(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    cards = hand_of(table, command).cards
    return {"setting": tuple(part[::-1] for part in shown_on_display(table.rules, cards))}


def _show(table: Table, event: Event) -> Table:
    at = event.position or 0
    table = table.with_hand(at, setting=event.get("setting"))
    return table.with_play(screen=f"{PLAYER_SCREEN} {at}")


def _showing(table: Table, _: Command) -> bool:
    return table.play.screen.startswith(PLAYER_SCREEN)


def _exit(table: Table, _: Event) -> Table:
    at = int(table.play.screen.removeprefix(PLAYER_SCREEN))
    return table.mark_hand(at, "placed", "by_display").with_play(screen=DEALER_SCREEN)


def screen(table: Table) -> str:
    """Return what the display shows: the dealer's house way once the unused hands are gone."""
    if table.play.screen:
        return table.play.screen
    if not table.play.has("collected"):
        return ""
    rest_on(*law_of(table, "show_player_way", "screen"))
    return DEALER_SCREEN


def _suggest_cup(table: Table) -> Iterable[Command]:
    if _by_dice(table) and table.play.active() and deck_ready(table):
        yield Command("shake_cup", dealer_of(table))


def _suggest_press(table: Table) -> Iterable[Command]:
    if table.play.active() and deck_ready(table) and not table.play.has("started"):
        yield Command("press_start", dealer_of(table))


def _suggest_show(table: Table) -> Iterable[Command]:
    for hand in table.play.playing():
        if hand.has("asked") and not hand.has("placed"):
            yield Command("show_player_way", dealer_of(table), hand.position)


def _suggest_exit(table: Table) -> Iterable[Command]:
    if table.play.screen.startswith(PLAYER_SCREEN):
        yield Command("exit_display", dealer_of(table))


READY = (
    sense("nobody has wagered", lambda t, _: bool(t.play.active())),
    sense("a shuffled and loaded deck is needed first", lambda t, _: deck_ready(t)),
    sense("the cards in the rack go to the shuffler first", lambda t, _: rack_clear(t)),
    sense("a floorperson has ordered a shuffle", lambda t, _: not_ordered(t)),
    always("coin_in", "COIN IN is pressed first", _coin_in_done),
    always("removed", "the progressive bets are removed first", _bets_removed),
    always("key", "the key stands at RUN first", lambda t, _: not t.has("key_jph")),
)

register(
    Step(
        "shake_cup",
        BY_DEALER,
        (Phase.BETTING,),
        (sense("the table does not start by the dice cup", lambda t, _: _by_dice(t)), *READY),
        takes={"dice?": tuple},
        further=dice_problems,
        outcome=_shaken,
        evolve=_shake,
        suggest=_suggest_cup,
    ),
    Step(
        "press_start",
        BY_DEALER,
        (Phase.BETTING, Phase.STARTING),
        (
            always("dice", "the dice are shaken first", _dice_first),
            sense("not at this moment", _right_moment),
            sense("the button is pressed", play_has_not("started")),
            *READY,
        ),
        takes={"number?": int},
        further=_number_known,
        outcome=_numbered,
        evolve=_press,
        suggest=_suggest_press,
    ),
    Step(
        "show_player_way",
        BY_DEALER,
        (Phase.SETTING,),
        (
            sense("the table has no house-way display", _has_display),
            sense("the player has not asked", hand_has("asked")),
            sense("the hand is set", hand_has_not("placed")),
            sense("another hand is on the display", lambda t, c: not _showing(t, c)),
            always("others_set", "every other player has set his hand first", _others_set),
            sense("the unused hands are put away first", play_has("collected")),
        ),
        needs="hand",
        outcome=_shown,
        evolve=_show,
        suggest=_suggest_show,
    ),
    Step(
        "exit_display",
        BY_DEALER_OR_DEVICE,
        (Phase.SETTING,),
        (sense("no player's hand is on the display", _showing),),
        evolve=_exit,
        suggest=_suggest_exit,
    ),
)
