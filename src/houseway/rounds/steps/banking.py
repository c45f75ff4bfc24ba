"""A game that players bank: the bank offered clockwise, put up, and its fees taken before any card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, get_args

from houseway.errors import HousewayError
from houseway.games.opening import Notice
from houseway.law.claims import rest_on
from houseway.law.problems import Problem
from houseway.money import Cents, cents
from houseway.rounds.state import Banking, Phase, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_PLAYER,
    FLOOR,
    Command,
    Event,
    Guard,
    Moment,
    Step,
    law_of,
    register,
)
from houseway.rounds.steps.common import (
    MOST_ROUNDS,
    always,
    dealer_of,
    not_the_house,
    offers_over,
    play_has_not,
    player_at,
    seats_at,
    sense,
)
from houseway.rounds.steps.money import paid, paying, round_of
from houseway.settlement import take_fees

USUAL_STAKE = cents("$200")
STATUSES = get_args(Notice.model_fields["status"].annotation)


def clockwise(table: Table) -> list[int]:
    """Return the occupied seats clockwise from the one after the player-dealer, his own last."""
    seats = seats_at(table)
    start = table.banking.seat or seats
    return sorted(table.seats, key=lambda seat: (seat - start - 1) % seats)


def next_offer(table: Table) -> int | None:
    """Return the seat to which the bank is offered next; after two rounds to nobody's who had them."""
    banking = table.banking
    asked = (banking.seat, *banking.declined)
    over = banking.person if banking.rounds >= MOST_ROUNDS else None
    return next((s for s in clockwise(table) if s not in asked and table.seats[s].person != over), None)


def _in_turn(table: Table, command: Command) -> bool:
    return command.position == next_offer(table)


def _offered_here(table: Table, command: Command) -> bool:
    return table.banking.offering is not None and table.banking.offering == command.position


def _own(table: Table, command: Command) -> bool:
    seat = table.seats.get(command.position or 0)
    return seat is not None and seat.person == command.by.name


def _no_wagers_of_his(table: Table, command: Command) -> bool:
    """Nobody banks against a wager of his own: at this seat, at another, or behind one."""
    name = command.by.name
    return command.position not in table.play.hands and not any(
        hand.person == name or any(bettor.person == name for bettor in hand.behind)
        for hand in table.play.hands.values()
    )


def _offer(table: Table, event: Event) -> Table:
    return changed(table, banking=changed(table.banking, offering=event.position))


def _accept(table: Table, event: Event) -> Table:
    person, last = table.seats[event.position or 0].person, table.banking
    rounds = last.rounds if last.person == person else 0
    table = changed(table, banking=Banking(event.position, person, rounds))
    return table.with_play(bank_seat=event.position, stake=Cents(0))


def _decline(table: Table, event: Event) -> Table:
    """When everybody else has declined, the same player may bank again (reading ca:C20)."""
    declined = (*table.banking.declined, event.position or 0)
    return offers_over(changed(table, banking=changed(table.banking, offering=None, declined=declined)))


def _another_player(table: Table, command: Command) -> bool:
    """After two rounds the bank goes on to somebody else, not to another seat of the same player."""
    return table.banking.rounds < MOST_ROUNDS or table.banking.person != command.by.name


def _is_banker(table: Table, command: Command) -> bool:
    return command.position is not None and command.position == table.banking.seat and _own(table, command)


def _put_up(table: Table, event: Event) -> Table:
    return table.with_play(stake=event.get("stake"), bank_seat=event.position)


# --- collection ---------------------------------------------------------------------------------------


GROUPS = {"s1_32": range(1, 33), "s33_36": range(33, 37), "s37_43": range(37, 44)}


def collected(group: str) -> Guard:
    """Ask for the fees of a group of schedules before any card."""

    def holds(table: Table, _: Command) -> bool:
        number = table.rules.submission.collection_schedule
        return number not in GROUPS[group] or table.play.has("fees")

    return Guard(group, "the collection is taken before any card", holds)


FEES_FIRST = (
    *(collected(group) for group in GROUPS),
    sense("the collection is taken before any card", lambda t, _: not t.banked or t.play.has("fees")),
)


def _fee_problems(table: Table, _: Command, __: datetime) -> Iterable[Problem]:
    """An amount without a posted rate stops the round before it begins."""
    try:
        take_fees(round_of(table))
    except HousewayError as error:
        yield Problem("collect_fees", error.cause, str(error.value), error.clauses)


def _fees(table: Table, _: Command, __: Moment) -> Mapping[str, Any]:
    return paying(list(take_fees(round_of(table))), table)


# --- papers --------------------------------------------------------------------------------------------


def _notice_law(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    key = "review" if command.get("status") in ("under_review", "cleared") else "unlawful"
    law = law_of(table, "record_notice", key)
    rest_on(*law)
    return {"clauses": law}


def _noted(table: Table, event: Event) -> Table:
    notice = Notice(status=event.get("status"), source=event.get("source"), dated=event.get("dated"))
    return changed(table, notices=(*table.notices, notice))


def _suggest_offer(table: Table) -> Iterable[Command]:
    banking = table.banking
    wanted = banking.seat is None or banking.seat not in table.seats or banking.rounds >= MOST_ROUNDS
    if wanted and banking.offering is None and next_offer(table) is not None:
        yield Command("offer_bank", dealer_of(table), next_offer(table))


def _suggest_accept(table: Table) -> Iterable[Command]:
    at = table.banking.offering
    if at is not None:
        yield Command("accept_bank", player_at(table, at), at)


def _suggest_stake(table: Table) -> Iterable[Command]:
    at = table.banking.seat
    if at in table.seats and at is not None and not table.play.stake:
        yield Command("put_up", player_at(table, at), at, {"stake": USUAL_STAKE})


def _suggest_fees(table: Table) -> Iterable[Command]:
    if not table.play.has("fees"):
        yield Command("collect_fees", dealer_of(table))


OFFERED = (
    sense("the bank is not offered there", _offered_here),
    sense("is for the player there", _own),
)

register(
    Step(
        "offer_bank",
        BY_DEALER,
        (Phase.BETTING,),
        (
            sense("nobody sits there", lambda t, c: c.position in t.seats),
            always("clockwise", "the bank is offered clockwise from the player-dealer", _in_turn),
            sense("another offer is open", lambda t, _: t.banking.offering is None),
        ),
        evolve=_offer,
        suggest=_suggest_offer,
    ),
    Step(
        "accept_bank",
        BY_PLAYER,
        (Phase.BETTING,),
        (
            *OFFERED,
            always("not_house", "the house does not play", not_the_house),
            sense("the same player has banked two rounds", _another_player),
            sense("take the wagers back first", _no_wagers_of_his),
        ),
        evolve=_accept,
        suggest=_suggest_accept,
    ),
    Step("decline_bank", BY_PLAYER, (Phase.BETTING,), OFFERED, evolve=_decline),
    Step(
        "put_up",
        BY_PLAYER,
        (Phase.BETTING,),
        (
            always("banker", "only the player-dealer puts up the bank", _is_banker),
            always("stake", "the player-dealer's wager is needed", lambda _, c: c.get("stake") > 0),
        ),
        takes={"stake": Cents},
        evolve=_put_up,
        suggest=_suggest_stake,
    ),
    Step(
        "collect_fees",
        BY_DEALER,
        (Phase.STARTING,),
        (sense("the collection is taken", play_has_not("fees")),),
        further=_fee_problems,
        outcome=_fees,
        evolve=lambda t, e: paid(t, e).mark_play("fees"),
        suggest=_suggest_fees,
    ),
    Step(
        "record_notice",
        FLOOR,
        tuple(Phase),
        (
            sense("no such status", lambda _, c: c.get("status") in STATUSES),
            always("source", "a notice has its source", lambda _, c: bool(c.get("source", "").strip())),
        ),
        takes={"status": str, "source": str, "dated": date},
        outcome=_notice_law,
        evolve=_noted,
    ),
    Step(
        "store_proof",
        FLOOR,
        tuple(Phase),
        (always("signed", "a proof form has its signer", lambda _, c: bool(c.get("signer", "").strip())),),
        takes={"signer": str, "dated": date, "width?": str, "height?": str, "verdict?": str},
        evolve=lambda t, _: changed(t, marks=t.marks | {"proof"}),
    ),
)
