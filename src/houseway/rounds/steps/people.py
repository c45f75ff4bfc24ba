"""The people: dealers come and go, players sit and leave, a floorperson rules, limits change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from houseway.games import Rules, Submission, rules_for
from houseway.games.verify import verify_submission
from houseway.law.problems import Problem
from houseway.meters import Meter, opened
from houseway.rounds.state import IN_ROUND, NO_MONEY, Banking, Phase, Play, Seat, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_PLAYER,
    FLOOR,
    Actor,
    Command,
    Consequence,
    Event,
    Guard,
    Moment,
    Role,
    Step,
    register,
)
from houseway.rounds.steps.common import hand_of, offers_over, sense
from houseway.rounds.steps.money import round_of
from houseway.settlement import Status, meter_terms

ANY = tuple(Phase)


BETWEEN_ROUNDS = (Phase.CLOSED, Phase.OPENING, Phase.IDLE, Phase.BETTING)


def shaker_in_use(table: Table) -> bool:
    """Whether the table keeps a shaker, for which its dealer answers."""
    return "shaker" in table.rules.submission.table.start_methods


def _trained(table: Table, command: Command) -> bool:
    newer = {"fortune", "insurance", "progressive"} & set(table.rules.submission.wagers)
    return not newer or bool(command.get("training"))


def _handed_over(table: Table, command: Command) -> bool:
    return not shaker_in_use(table) or bool(command.get("shaker"))


def _shaker_kept(table: Table, command: Command) -> bool:
    put_away = table.phase is Phase.CLOSED or command.get("shaker") == "locked away"
    return not shaker_in_use(table) or put_away


def _free(table: Table, command: Command) -> bool:
    return command.position not in table.seats


def _is_position(table: Table, command: Command) -> bool:
    first = 1 if table.banked else 2
    return (
        command.position is not None
        and first <= command.position < first + table.rules.submission.table.positions
    )


def _sit(table: Table, event: Event) -> Table:
    seat = Seat(event.by.name, table.arrivals)
    return changed(table, arrivals=table.arrivals + 1, seats={**table.seats, event.position or 0: seat})


def _in_hand(table: Table, event: Command | Event) -> bool:
    if event.position is not None and event.position == table.play.bank_seat:
        return table.phase in IN_ROUND
    hand = table.play.hands.get(event.position or 0)
    if hand is None or not hand.amount("main"):
        return False
    booked = table.play.has("coin_in") and bool(hand.amount("progressive"))
    return table.phase in IN_ROUND or booked


def _leaving(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    return {"left_during_round": _in_hand(table, command)}


def _leave(table: Table, event: Event) -> Table:
    if event.get("left_during_round") and event.position == table.play.bank_seat:
        return table.mark_play("banker_left")
    if event.get("left_during_round"):
        over = hand_of(table, event).has("racked")
        return table.mark_hand(event.position or 0, "left", *(["ruled"] if over else []))
    at = event.position or 0
    hands = {p: h for p, h in table.play.hands.items() if p != at}
    seats = {p: s for p, s in table.seats.items() if p != at}
    decks = {
        name: changed(deck, offered=None) if deck.offered == at else deck
        for name, deck in table.decks.items()
    }
    banking = table.banking
    if banking.offering == at:
        banking = changed(banking, offering=None)
    table = table.with_play(hands=hands)
    if banking.seat == at:  # the bank is a person's, not a seat's
        banking = Banking(None, banking.person, banking.rounds, banking.offering, banking.declined)
        table = table.with_play(bank_seat=None, stake=NO_MONEY)
    return offers_over(changed(table, seats=seats, decks=decks, banking=banking))


def _stops(table: Table, event: Event) -> Sequence[Consequence]:
    """Where no clause says what follows when a player leaves his cards, the floor rules."""
    silent = "stop_round" in table.rules.game.procedure and "rule_abandoned" not in table.rules.game.procedure
    if silent and event.get("left_during_round"):
        return [("stop_round", {"reason": f"the player at {event.position} left during the round"})]
    return ()


def _own_seat(table: Table, command: Command) -> bool:
    seat = table.seats.get(command.position or 0)
    return seat is not None and seat.person == command.by.name


def _ruled(table: Table, event: Event) -> Table:
    hand = hand_of(table, event)
    marks = (hand.marks - {"choosing"}) | {"ruled"}  # who has left chooses nothing: the hand is played
    if not event.get("lost"):
        return table.with_hand(hand.position, marks=marks)
    table = table.with_hand(hand.position, marks=marks | {"placed"}, status=Status.ABANDONED)
    return table.with_play(table=round_of(table)) if table.play.table else table


def _adoption_problems(_: Table, command: Command, __: datetime) -> Iterable[Problem]:
    return verify_submission(command.get("submission"))


def _adopted(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    rules = rules_for(command.get("submission"))
    return {"rules": rules, "meter": _meter_under(rules, table.meter)}


def _meter_under(rules: Rules, meter: Meter | None) -> Meter | None:
    """Return the meter as new rules keep it: opened if they bring one, its value kept if it was there."""
    if not rules.offers("progressive"):
        return meter
    terms = meter_terms(rules)
    return opened(terms)[0] if meter is None else changed(meter, terms=terms)


def _same_equipment(table: Table, command: Command) -> bool:
    """Limits and paytables change between rounds; the table's equipment only while it is closed."""
    return table.phase is Phase.CLOSED or command.get("submission").table == table.rules.submission.table


def _same_game(table: Table, command: Command) -> bool:
    return bool(command.get("submission").game == table.rules.game.id)


def _dealing_changed(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    old = table.rules.submission
    changed_table = old.table.model_copy(update={"dealing": command.get("dealing")})
    return {"rules": rules_for(old.model_copy(update={"table": changed_table}))}


def _dealing_problems(table: Table, command: Command, _: datetime) -> Iterable[Problem]:
    old = table.rules.submission
    new = old.table.model_copy(update={"dealing": command.get("dealing")})
    return verify_submission(old.model_copy(update={"table": new}))


def _dealing_signed(table: Table, command: Command) -> bool:
    return not table.has("shoe_failed") or table.has("shoe_signed")


def _take_rules(table: Table, event: Event) -> Table:
    rules: Rules = event.get("rules")
    meter = event.outcome.get("meter", table.meter)
    if event.step != "change_dealing":
        return changed(table, rules=rules, meter=meter)
    decks = {name: changed(deck, marks=deck.marks - {"loaded"}) for name, deck in table.decks.items()}
    return changed(table, rules=rules, decks=decks, deck=None)


def _closed(table: Table, _: Event) -> Table:
    """Everything goes off the table; what has failed has still failed, and the meter stands."""
    failed = frozenset(mark for mark in table.marks if mark.endswith(("_failed", "_signed")))
    play = Play(number=table.play.number)
    return Table(
        table.rules,
        table.source,
        dealer=table.dealer,
        marks=failed,
        meter=table.meter,
        play=play,
        notices=table.notices,
    )


def _suggest_log_on(table: Table) -> Iterable[Command]:
    if table.dealer is None:
        yield Command("log_on", Actor("dealer", Role.DEALER), details={"training": "on file"})


register(
    Step(
        "log_on",
        BY_DEALER,
        ANY,
        (
            sense("a dealer is at the table; relieve him", lambda t, _: t.dealer is None),
            Guard("trained", "the dealer has no training record for this game", _trained),
        ),
        takes={"training?": str},
        takes_over=True,
        evolve=lambda t, e: changed(t, dealer=e.by.name),
        suggest=_suggest_log_on,
    ),
    Step(
        "relieve",
        BY_DEALER,
        ANY,
        (
            sense("no dealer is at the table; log on", lambda t, _: t.dealer is not None),
            Guard("trained", "the dealer has no training record for this game", _trained),
            Guard("custody", "the shaker is handed over to whoever relieves the dealer", _handed_over),
            Guard("custody_noted", "the shaker's handover is not ticked", _handed_over, warns=True),
        ),
        takes={"training?": str, "shaker?": bool},
        while_stopped=True,
        takes_over=True,
        evolve=lambda t, e: changed(t, dealer=e.by.name),
    ),
    Step(
        "log_off",
        BY_DEALER,
        BETWEEN_ROUNDS,
        (
            sense("another dealer is at the table", lambda t, c: t.dealer == c.by.name),
            Guard(
                "custody", "the shaker may not be left unattended: hand it over or lock it away", _shaker_kept
            ),
            Guard(
                "custody_noted",
                "the shaker is left without anybody answering for it",
                _shaker_kept,
                warns=True,
            ),
        ),
        takes={"shaker?": str},
        takes_over=True,
        evolve=lambda t, _: changed(t, dealer=None),
    ),
    Step(
        "sit",
        BY_PLAYER,
        ANY,
        (
            sense("the table has no such position", _is_position),
            sense("somebody sits there", _free),
        ),
        evolve=_sit,
    ),
    Step(
        "leave",
        BY_PLAYER,
        ANY,
        (
            sense("the player does not sit there", _own_seat),
            Guard(
                "stays",
                "a player with cards stays until the round ends: the floor is called",
                lambda t, c: not _in_hand(t, c),
                warns=True,
            ),
        ),
        outcome=_leaving,
        evolve=_leave,
        then=_stops,
        while_stopped=True,
    ),
    Step(
        "rule_abandoned",
        FLOOR,
        IN_ROUND,
        (
            sense(
                "the player has not left during the round",
                lambda t, c: hand_of(t, c).has("left") and not hand_of(t, c).has("ruled"),
            ),
            sense(
                "a hand already opened is played out",
                lambda t, c: not (c.get("lost") and hand_of(t, c).shown),
            ),
            sense("the reason is put on record", lambda _, c: bool(c.get("reason", "").strip())),
        ),
        takes={"lost": bool, "reason": str},
        needs="hand",
        evolve=_ruled,
    ),
    Step(
        "adopt_rules",
        FLOOR,
        BETWEEN_ROUNDS,
        (
            sense("wagers are on the layout: limits change between rounds", lambda t, _: not t.play.hands),
            sense("the submission is for another game", _same_game),
            sense("the equipment changes only while the table is closed", _same_equipment),
        ),
        takes={"submission": Submission},
        further=_adoption_problems,
        outcome=_adopted,
        evolve=_take_rules,
    ),
    Step(
        "change_dealing",
        FLOOR,
        BETWEEN_ROUNDS,
        (
            sense("wagers are on the layout", lambda t, _: not t.play.hands),
            Guard("signed", "the failed shoe is covered or signed out of order first", _dealing_signed),
        ),
        takes={"dealing": str},
        further=_dealing_problems,
        outcome=_dealing_changed,
        evolve=_take_rules,
    ),
    Step(
        "close_table",
        FLOOR,
        (Phase.OPENING, Phase.IDLE, Phase.BETTING),
        (
            sense("wagers are on the layout", lambda t, _: not t.play.hands),
            Guard("custody", "the shaker is locked away", _handed_over),
        ),
        takes={"shaker?": bool},
        evolve=_closed,
    ),
)
