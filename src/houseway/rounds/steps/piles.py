"""California's deal: the player-dealer's dice, piles or packs to every seat, and his own setting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from houseway.law.claims import rest_on
from houseway.law.problems import Problem
from houseway.ranking import verify_setting, verify_split
from houseway.rng import dice
from houseway.rounds.dealing import DICE, SEATS, dice_total, seat_by_dice
from houseway.rounds.state import Phase, Table
from houseway.rounds.step import BY_DEALER, BY_PLAYER, Command, Event, Guard, Moment, Step, law_of, register
from houseway.rounds.steps.banking import FEES_FIRST
from houseway.rounds.steps.betting import NOBODY
from houseway.rounds.steps.chips import lammers_placed
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    play_has,
    play_has_not,
    player_at,
    seats_in_play,
    sense,
)
from houseway.rounds.steps.deal import MANUAL, hands_out
from houseway.rounds.steps.money import round_of
from houseway.rounds.steps.pressing import dice_problems


def action_seat(table: Table, first: int) -> int:
    """Return the seat that gets the Action button: the diced one, or the one left of the player-dealer.

    It moves on clockwise to the first seat with a wager (reading ca:C7); seats rise clockwise.
    """
    seats = seats_in_play(table)
    turn = seats.index(first) or 1
    wagered = {hand.position for hand in table.play.active()}
    return next((seat for seat in (*seats[turn:], *seats[:turn]) if seat in wagered), seats[turn])


def _player_dealer(table: Table, command: Command) -> bool:
    seat = table.seats.get(table.play.bank_seat or 0)
    return seat is not None and seat.person == command.by.name


def _shaken(table: Table, command: Command, moment: Moment) -> Mapping[str, Any]:
    faces = command.get("dice") or dice(DICE, moment.entropy)
    total = dice_total(table.rules.game, faces)
    first = seat_by_dice(table.rules.game, total, table.play.bank_seat or 1, seats_in_play(table))
    of_dealer = first == table.play.bank_seat
    law = law_of(table, "shake_dice", "player_dealer_first") if of_dealer else ()
    rest_on(*law)
    action = action_seat(table, first)
    return {"faces": tuple(faces), "total": total, "first": first, "action": action, "clauses": law}


def _shake(table: Table, event: Event) -> Table:
    first = event.get("first")
    return table.with_play(
        dice=event.get("faces"),
        announced=event.get("total"),
        due=first,
        start=first,
        action=event.get("action"),
    )


def _piles_ready(table: Table, _: Command) -> bool:
    return table.way == MANUAL and not table.play.marks.isdisjoint(("stub", "stub_wrong"))


def _pile_chosen(table: Table, _: Command) -> bool:
    return table.play.pile is not None


def _distribute(table: Table, _: Event) -> Table:
    return hands_out(table).mark_play("distributed")


# --- the player-dealer's own setting --------------------------------------------------------------------


def _none_exposed(table: Table, _: Command) -> bool:
    return not any(hand.shown for hand in table.play.playing())


def _reset_problems(table: Table, command: Command, _: object) -> Iterable[Problem]:
    order, setting = table.rules.ranking(), command.get("setting")
    wrong = verify_split(order, table.play.dealer_cards, setting)
    return wrong or verify_setting(order, setting)


def _reset(table: Table, event: Event) -> Table:
    setting = tuple(tuple(part) for part in event.get("setting"))
    table = table.with_play(dealer_setting=setting, marks=table.play.marks | {"bank_reset"})
    return table.with_play(table=round_of(table))


def _suggest_dice(table: Table) -> Iterable[Command]:
    at = table.play.bank_seat
    if at in table.seats and at is not None and table.play.start is None:
        yield Command("shake_dice", player_at(table, at), at)


def _suggest_pile(table: Table) -> Iterable[Command]:
    at = table.play.bank_seat
    if at in table.seats and at is not None and _piles_ready(table, NOBODY) and table.play.pile is None:
        yield Command("choose_pile", player_at(table, at), at, {"pile": 4})


def _suggest_distribute(table: Table) -> Iterable[Command]:
    if table.play.pile is not None and not table.play.has("distributed"):
        yield Command("distribute", dealer_of(table))


register(
    Step(
        "shake_dice",
        BY_PLAYER,
        (Phase.STARTING,),
        (
            *FEES_FIRST,
            Guard("lammers", "the Envy buttons are given first", lammers_placed),
            sense("the player-dealer shakes the cup", _player_dealer),
            sense("the dice are shaken", lambda t, _: t.play.start is None),
        ),
        takes={"dice?": tuple},
        further=dice_problems,
        outcome=_shaken,
        evolve=_shake,
        suggest=_suggest_dice,
    ),
    Step(
        "choose_pile",
        BY_PLAYER,
        (Phase.DEALING,),
        (
            sense("the player-dealer chooses the pile", _player_dealer),
            sense("the piles are dealt and the rest counted first", _piles_ready),
            sense("a pile is chosen", lambda t, _: t.play.pile is None),
            always("pile", "a pile from 1 to 7", lambda _, c: 1 <= c.get("pile") <= SEATS),
        ),
        takes={"pile": int},
        evolve=lambda t, e: t.with_play(pile=e.get("pile")),
        suggest=_suggest_pile,
    ),
    Step(
        "distribute",
        BY_DEALER,
        (Phase.DEALING,),
        (
            always("pile", "the player-dealer chooses the first pile first", _pile_chosen),
            sense("the piles are handed out", play_has_not("distributed")),
        ),
        evolve=_distribute,
        suggest=_suggest_distribute,
    ),
    Step(
        "reset_bank",
        BY_PLAYER,
        (Phase.SETTLING,),
        (
            sense("only the player-dealer", _player_dealer),
            sense("the house way is set first", play_has("dealer_set")),
            always("window", "until the first player's hand is exposed", _none_exposed),
        ),
        takes={"setting": tuple},
        further=_reset_problems,
        evolve=_reset,
    ),
)
