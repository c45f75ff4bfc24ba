"""Wagers until "no more bets"; then lammers, the lock-out, and the progressive chips counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from houseway.errors import HousewayError, UnknownNameError
from houseway.games.wagers import verify_active, verify_areas, verify_bettors, verify_wagers
from houseway.law.problems import Problem
from houseway.money import Cents, dollars
from houseway.rounds.lives import verify_deck_age
from houseway.rounds.state import Hand, Phase, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_DEALER_OR_DEVICE,
    BY_PLAYER,
    BY_PLAYER_OR_DEALER,
    Command,
    Event,
    Guard,
    Moment,
    Role,
    Step,
    in_law,
    register,
)
from houseway.rounds.steps.common import FLOORPERSON, MOST_ROUNDS, always, dealer_of, not_the_house, sense
from houseway.rounds.steps.cutting import is_cut
from houseway.rounds.steps.money import round_of
from houseway.settlement import Bettor, take_fees

NOBODY = Command("", FLOORPERSON)
_BETTING = Phase.BETTING
LAYOUT = ("chip", "plaque")
"""What may be put on a betting area; cash and words are no wager."""


def _seated(table: Table, command: Command) -> bool:
    seat = table.seats.get(command.position or 0)
    return seat is not None and (seat.person == command.by.name or command.by.role is Role.DEALER)


def _not_left(table: Table, command: Command) -> bool:
    hand = table.play.hands.get(command.position or 0)
    return hand is None or "left" not in hand.marks


def _on_the_layout(table: Table, command: Command) -> bool:
    instrument = command.details.get("instrument", "chip")
    allowed = instrument in LAYOUT or (instrument == "approved" and in_law(table, "wager", "approved"))
    return command.position is not None and allowed


def _not_verbal(_: Table, command: Command) -> bool:
    return bool(command.details.get("instrument") != "verbal")


def _open_or_placed(table: Table, command: Command) -> bool:
    if table.phase is _BETTING:
        return True
    hand = table.play.hands.get(command.position or 0)
    return hand is not None and set(command.get("wagers")) <= set(hand.wagers)


def _open_or_absent(table: Table, command: Command) -> bool:
    return table.phase is _BETTING or command.position not in table.play.hands


def _not_the_banker(table: Table, command: Command) -> bool:
    """The player-dealer bets neither at his seat nor at another, nor behind somebody."""
    banker = table.seats.get(table.play.bank_seat or 0)
    seat = table.seats.get(command.position or 0)
    names = {command.by.name, *([seat.person] if seat and command.step != "bet_behind" else [])}
    return banker is None or banker.person not in names


def _bank_put_up(table: Table, _: Command) -> bool:
    return not table.banked or (table.play.bank_seat is not None and table.play.stake > 0)


def _one_banker(table: Table, _: Command) -> bool:
    return not table.banked or table.play.bank_seat is not None


def _not_a_third_round(table: Table, _: Command) -> bool:
    return not table.banked or table.banking.rounds < MOST_ROUNDS


def _standing_behind(table: Table, command: Command) -> bool:
    hand = table.play.hands.get(command.position or 0)
    return hand is not None and hand.person != command.by.name


def _behind_problems(table: Table, command: Command, _: datetime) -> Iterable[Problem]:
    hand = table.play.hands[command.position or 0]
    for name, amount in command.get("wagers").items():
        if name not in table.rules.wager_order or not isinstance(amount, Cents) or amount < 0:
            yield Problem(f"wager.{name}", "no such wager, or no amount of money", repr(amount))
            return
    yield from verify_bettors(table.rules, len(hand.behind) + 1)
    yield from verify_wagers(table.rules, command.get("wagers"))


def _behind(table: Table, event: Event) -> Table:
    hand = table.play.hands[event.position or 0]
    wagers = {name: amount for name, amount in event.get("wagers").items() if amount}
    others = tuple(b for b in hand.behind if b.person != event.by.name)
    bettor = (Bettor(event.by.name, wagers, backline=True),) if wagers else ()
    return table.with_hand(hand.position, behind=(*others, *bettor))


def _main_beside(_: Table, command: Command) -> bool:
    wagers = command.details["wagers"]
    return bool(wagers.get("main")) or not any(wagers.values())


def _not_locked(table: Table, command: Command) -> bool:
    wagers = command.details["wagers"]
    if table.phase is not _BETTING:
        return "progressive" not in wagers
    if "coin_in" not in table.play.marks:
        return True
    hand = table.play.hands.get(command.position or 0)
    booked = hand.amount("progressive") if hand else 0
    return bool(wagers.get("progressive", 0) == booked)


def _on_the_sensor(_: Table, command: Command) -> bool:
    return not (command.details.get("off_sensor") and "progressive" in command.details["wagers"])


def _taken_up(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    """A progressive chip off its sensor is no wager."""
    wagers = command.details["wagers"]
    placed = {wager: amount for wager, amount in wagers.items() if amount}
    unseen = not _on_the_sensor(table, command) and not table.play.has("coin_in")
    if unseen and in_law(table, "wager", "sensor"):
        placed.pop("progressive", None)
    return {"placed": placed}


def _before_cards(table: Table, command: Command) -> bool:
    """Only what is bet before the cards; the Double Down has a moment of its own."""
    later, wagers = table.rules.later_wagers, command.details["wagers"]
    return later.isdisjoint(wagers) or not any(wagers[name] for name in later.intersection(wagers))


def _wager_problems(table: Table, command: Command, _: datetime) -> Iterable[Problem]:
    wagers: dict[str, Cents] = command.details["wagers"]
    for name, amount in wagers.items():
        if not isinstance(amount, Cents) or amount < 0:
            given = dollars(amount) if isinstance(amount, Cents) else repr(amount)
            yield Problem(f"wager.{name}", "an amount of money is needed", given)
            return
        if name in table.rules.wager_order:
            continue
        try:
            table.rules.game.wager_terms(name)
        except UnknownNameError as error:
            yield Problem(f"wager.{name}", error.cause, str(error.value), error.clauses)
            return
    yield from verify_wagers(table.rules, wagers)
    seat = table.seats.get(command.position or 0)
    if seat is not None and not table.rules.banked and any(wagers.values()):
        held = [at for at, hand in table.play.hands.items() if hand.person == seat.person]
        if held and held != [command.position]:
            yield from verify_areas(table.rules, sorted({*held, command.position or 0}))


_NO_HAND = Hand(0, "")


def _wager(table: Table, event: Event) -> Table:
    at = event.position or 0
    wagers = event.outcome["placed"]
    hands = dict(table.play.hands)
    before = hands.pop(at, _NO_HAND)
    if wagers:
        in_order = not hands or at > max(hands)
        person, instrument = table.seats[at].person, event.details.get("instrument", "chip")
        hands[at] = Hand(at, person, wagers, instrument=instrument, behind=before.behind)
        hands = hands if in_order else dict(sorted(hands.items()))
    return table.with_play(hands=hands)


def deck_ready(table: Table) -> bool:
    """Whether a shuffled deck, cut where that is due, is loaded."""
    deck = table.in_play
    return deck is not None and deck.has("loaded") and is_cut(table, deck)


def not_ordered(table: Table) -> bool:
    """Whether no shuffle is ordered that the deck in play has not had."""
    return table.in_play is None or not table.in_play.has("ordered")


def rack_clear(table: Table) -> bool:
    """Whether the rack was emptied before another deck is dealt than the one that lies in it."""
    return table.rack_deck in (None, table.deck)


def _age_problems(table: Table, _: Command, now: datetime) -> Iterable[Problem]:
    deck = table.in_play
    if deck is not None:
        yield from verify_deck_age(table.rules, deck.received, now)
    if table.banked and table.play.active() and _bank_put_up(table, NOBODY):
        yield from verify_active(table.rules, len(table.play.active()) + 1)
        try:
            take_fees(round_of(table))
        except HousewayError as error:
            yield Problem("collection", error.cause, str(error.value), error.clauses)


def bets_closed(table: Table) -> Table:
    """Return the table with its bets closed and the deck to be dealt noted."""
    deck = table.in_play
    if table.banked:  # until the dice say otherwise the first wager is where settlement would begin
        table = table.with_play(action=table.play.active()[0].position)
    return changed(
        table,
        phase=Phase.STARTING,
        play=changed(
            table.play,
            marks=table.play.marks | {"no_more_bets"},
            deck=table.deck,
            sealed=deck.sealed if deck else None,
            order=deck.order if deck else (),
            meter_before=table.play.meter_before or table.meter,
        ),
    )


def _suggest_close(table: Table) -> Iterable[Command]:
    if table.play.active() and deck_ready(table):
        yield Command("no_more_bets", dealer_of(table))


OPEN_FOR_NEW = Guard("open", "every wager is placed before no more bets", _open_or_placed)


OPEN_FOR_CHANGE = Guard(
    "unchanged", "after no more bets nothing is made, increased or withdrawn", _open_or_absent
)


WAGER_GUARDS = (
    Guard("layout", "wagers are chips or plaques on their own area of the layout", _on_the_layout),
    sense("not a wager on the layout", _on_the_layout),
    Guard("no_cash", "verbal wagers with cash are not accepted", _not_verbal),
    Guard("seated", "only a player seated there may wager", _seated),
    sense("only a player seated there may wager", _seated),
    sense("the player has left: his wagers stand, or as the floor rules", _not_left),
    OPEN_FOR_NEW,
    OPEN_FOR_CHANGE,
    Guard("main", "a main wager is needed to take part", _main_beside),
    Guard("sensor", "off the sensor a progressive chip is no wager", _on_the_sensor, warns=True),
    Guard("lock_out", "the progressive is locked after no more bets", _not_locked),
    Guard("not_house", "the house does not play", not_the_house),
    Guard("not_banker", "the player-dealer places no wager against himself", _not_the_banker),
    sense("this wager has its own moment, after the cards are seen", _before_cards),
)


register(
    Step(
        "wager",
        BY_PLAYER_OR_DEALER,
        (Phase.BETTING,),
        WAGER_GUARDS,
        takes={"wagers": dict, "instrument?": str, "off_sensor?": bool},
        further=_wager_problems,
        outcome=_taken_up,
        evolve=_wager,
    ),
    Step(
        "bet_behind",
        BY_PLAYER,
        (Phase.BETTING,),
        (
            sense("no other player's hand is there to bet behind", _standing_behind),
            Guard("not_house", "the house does not play", not_the_house),
            sense("the player-dealer places no wager against himself", _not_the_banker),
            Guard("open", "wagers are placed before the deal", lambda t, _: t.phase is Phase.BETTING),
        ),
        takes={"wagers": dict},
        needs="hand",
        further=_behind_problems,
        evolve=_behind,
    ),
    Step(
        "correct_wager",
        BY_DEALER,
        (Phase.BETTING,),
        (
            *WAGER_GUARDS,
            sense("nothing was entered there", lambda t, c: c.position in t.play.hands),
        ),
        takes={"wagers": dict, "instrument?": str, "reason": str},
        further=_wager_problems,
        outcome=_taken_up,
        evolve=_wager,
    ),
    Step(
        "no_more_bets",
        BY_DEALER_OR_DEVICE,
        (Phase.BETTING,),
        (
            sense("nobody has wagered", lambda t, _: bool(t.play.active())),
            always("banker", "one player banks the round", _one_banker),
            always("stake", "the player-dealer puts up his wager first", _bank_put_up),
            always("offered", "after two rounds the bank is offered on first", _not_a_third_round),
            sense("a shuffled, cut and loaded deck is needed first", lambda t, _: deck_ready(t)),
            sense("the cards in the rack go to the shuffler first", lambda t, _: rack_clear(t)),
            sense("a floorperson has ordered a shuffle", lambda t, _: not_ordered(t)),
        ),
        further=_age_problems,
        evolve=lambda t, _: bets_closed(t),
        suggest=_suggest_close,
    ),
)
