"""Fees by the other readings: on each wager, on a seat together, and given back with the wager."""

from __future__ import annotations

import pytest

from houseway.ledger import COLLECTIONS, show_units, units
from houseway.money import Cents, cents
from houseway.rounds.steps.turns import turn
from tests.rounds.books import books_closed
from tests.rounds.california import (
    BANKER,
    LOSES,
    PUSHES,
    WINS,
    Cardroom,
    banked,
    fees,
    moved,
    on_schedule,
    person,
    results,
)
from tests.rounds.table import FLOOR, money

NO_FEE = "no_fee"
REFUND = "refund"


def played(room: Cardroom, hands: dict[int, str]) -> Cardroom:
    """Play a round to its end with these hands."""
    room.opened_up({6: BANKER} | hands).finished()
    return room


def taken(room: Cardroom) -> dict[str, str]:
    """Return who paid which fee in the round just over."""
    assert room.live.table.last is not None
    return fees(room.live.table.last)


def kept(room: Cardroom) -> str:
    """Return what the collection kept of the round just over."""
    last = room.live.table.last
    assert last is not None
    return moved(last.payments, COLLECTIONS)


# --- a spot without a rate ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("main", "fortune", "fee"),
    [("$60", "$20", "$0.50"), ("$20", "$60", "$0.50"), ("$60", "$70", None), ("$20", "$20", "$1")],
)
def test_only_the_spot_without_a_rate_is_free_of_its_fee(main: str, fortune: str, fee: str | None) -> None:
    changes = on_schedule(33, ca_spot_without_rate=NO_FEE)
    room = played(banked("$500", {2: {"main": main, "fortune": fortune}}, changes), {2: LOSES[0]})
    assert taken(room).get("Bob") == fee and books_closed(room)


def test_by_the_usual_reading_the_spot_without_a_rate_is_refused() -> None:
    room = Cardroom(on_schedule(33)).banks(6, "$500")
    law = room.refused("wager", person(2), 2, wagers=money(main="$60", fortune="$20"))
    assert "ca.fpgp.collection.33" in law


# --- one fee for a seat -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "of_seat", "of_bettor", "of_banker"),
    [("own_fee", "$1", "$1", "$1"), ("with_seat", "$1", None, "$1")],
)
def test_wagers_behind_a_seat_pay_one_fee_with_it_on_each_spot(
    reading: str, of_seat: str, of_bettor: str | None, of_banker: str
) -> None:
    room = banked("$500", {2: {"main": "$20", "fortune": "$10"}}, on_schedule(33, ca_backline_fee=reading))
    played(room.behind("Zoe", 2, main="$20", fortune="$10"), {2: LOSES[0]})
    paid = taken(room)
    assert (paid["Bob"], paid.get("Zoe"), paid["Finn"]) == (of_seat, of_bettor, of_banker)
    assert books_closed(room)


def test_with_the_seat_a_spot_needs_a_rate_for_what_lies_on_it_together() -> None:
    room = banked("$500", {2: {"main": "$30"}}, on_schedule(33, ca_backline_fee="with_seat"))
    (event,) = room.do("bet_behind", person(4), 2, wagers=money(main="$30"))
    assert ["ca.fpgp.collection.33" in alert.clauses for alert in event.alerts] == [True]
    assert "ca.fpgp.collection.33" in room.refused("no_more_bets")
    apart = banked("$500", {2: {"main": "$30"}}, on_schedule(33))
    apart.behind("Zoe", 2, main="$30")


# --- fees given back ----------------------------------------------------------------------------------


UNCOVERED = {"main": "$20", "fortune": "$10"}


@pytest.mark.parametrize(("reading", "left"), [("no_refund", "$2"), (REFUND, "$1.50")])
def test_the_fee_of_a_bonus_spot_that_the_bank_never_reached_is_given_back(reading: str, left: str) -> None:
    """The bank of $20 takes the game wager and is exhausted: the bonus goes back without action."""
    room = banked("$20", {2: UNCOVERED}, on_schedule(33, ca_fee_without_action=reading))
    played(room, {2: LOSES[0]})
    last = room.live.table.last
    assert last is not None and results(last, "fortune") == {"Bob": "$0"}
    assert kept(room) == left and books_closed(room)


def test_a_fee_on_the_sum_is_kept_as_long_as_one_of_its_wagers_got_action() -> None:
    for basis, left in (("sum_of_wagers", "$1"), ("each_wager", "$1")):
        changes = on_schedule(37, ca_fee_without_action=REFUND, ca_player_fee_basis=basis)
        room = played(banked("$20", {2: UNCOVERED}, changes), {2: LOSES[0]})
        assert kept(room) == left and books_closed(room)
    assert taken(room)["Bob"] == "$1"


def test_a_push_is_action_and_its_fee_is_kept() -> None:
    room = banked("$20", {2: {"main": "$20"}}, on_schedule(33, ca_fee_without_action=REFUND))
    assert kept(played(room, {2: PUSHES})) == "$1.50"


def test_the_fee_of_a_seat_goes_back_when_nobody_on_its_spot_got_action() -> None:
    readings = {"ca_fee_without_action": REFUND, "ca_backline_fee": "with_seat"}
    room = banked("$20", {1: {"main": "$20"}, 2: {"main": "$20"}}, on_schedule(33, **readings))
    room.behind("Zoe", 2, main="$20")
    played(room, {1: LOSES[0], 2: LOSES[1]})
    assert kept(room) == "$1.50" and books_closed(room)


@pytest.mark.parametrize("number", [20, 33, 37])
@pytest.mark.parametrize("settled", [0, 1, 2])
@pytest.mark.parametrize(("reading", "back"), [("no_refund", False), (REFUND, True)])
def test_every_fee_of_a_void_round_is_given_back_whatever_was_settled_before(
    number: int, settled: int, reading: str, *, back: bool
) -> None:
    changes = on_schedule(number, ca_fee_without_action=reading)
    room = banked("$200", {2: UNCOVERED, 4: UNCOVERED}, changes)
    room.opened_up({6: BANKER, 2: WINS[0], 4: LOSES[0]})
    for at in (2, 4)[:settled]:
        room.do("reveal", at=at)
        room.do("settle", at=at, wager="main")
    room.do("stop_round", FLOOR, reason="a card is missing")
    room.do("rule_round", FLOOR, ruling="void", reason="a card is missing")
    whole = show_units(units(Cents(sum(cents(fee) for fee in taken(room).values()))))
    assert kept(room) == ("$0" if back else whole) and books_closed(room)


OTHERWISE: tuple[dict[str, str], ...] = (
    {},
    {"ca_spot_without_rate": NO_FEE},
    {"ca_action_below_first_band": NO_FEE},
    {"ca_backline_fee": "with_seat"},
    {"ca_player_fee_basis": "each_wager"},
    {"ca_player_fee_several_seats": "per_seat"},
    {"ca_backline_fee": "with_seat", "ca_player_fee_several_seats": "per_seat"},
)
"""The readings that say what a fee is counted on, each taken otherwise than usual, and two together."""
PLAYER_DEALERS_ONLY = 32
"""Up to this schedule only the player-dealer pays."""
MOMENTS = ("taken", "dealt", "none settled", "first settled", "all settled")


def stopped_at(moment: str, room: Cardroom) -> Cardroom:
    """Play on to a moment of the round and let the floor void it."""
    if moment == "taken":
        room.closed()
    elif moment == "dealt":
        room.deals({6: BANKER})
    else:
        room.opened_up({6: BANKER, 2: WINS[0], 3: LOSES[1], 4: LOSES[0]})
        several = {"none settled": 0, "first settled": 1, "all settled": 3}[moment]
        for _ in range(several):
            hand = turn(room.rules, room.live.table)
            assert hand is not None
            room.do("reveal", at=hand.position)
            room.do("settle", at=hand.position, wager="main")
    room.do("stop_round", FLOOR, reason="a card is missing")
    room.do("rule_round", FLOOR, ruling="void", reason="a card is missing")
    return room


@pytest.mark.parametrize("number", [20, 33, 37])
@pytest.mark.parametrize("otherwise", OTHERWISE, ids=lambda taken: " and ".join(taken) or "usual")
def test_by_every_reading_of_the_fees_a_void_round_gives_all_of_them_back(
    number: int, otherwise: dict[str, str]
) -> None:
    """One player at two seats, another alone, a third behind a seat, and the player-dealer: four fees."""
    for moment in MOMENTS:
        changes = on_schedule(number, ca_fee_without_action=REFUND, **otherwise)
        room = Cardroom(changes, seats=(1, 2, 4, 6)).banks(6, "$200")
        room.do("sit", person(2), 3)
        room.bets(2, 3, 4, **UNCOVERED).behind("Zoe", 4, **UNCOVERED)
        stopped_at(moment, room)
        bettors = {"Bob", "Dan"} if "ca_backline_fee" in otherwise else {"Bob", "Dan", "Zoe"}
        assert set(taken(room)) == {"Finn"} | (bettors if number > PLAYER_DEALERS_ONLY else set())
        assert kept(room) == "$0" and books_closed(room), moment


# --- the banker's two rounds --------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "banks_again"), [("counts", False), ("does_not_count", True)])
def test_whether_a_void_round_is_one_of_the_bankers_two_is_a_reading(
    reading: str, *, banks_again: bool
) -> None:
    room = banked("$200", {2: {"main": "$20"}}, on_schedule(33, ca_void_round_of_bank=reading))
    played(room, {2: LOSES[0]})
    room.put_up(6, "$200").bets(2, main="$20").closed()
    room.do("stop_round", FLOOR, reason="a card is missing")
    room.do("rule_round", FLOOR, ruling="void", reason="a card is missing")
    room.put_up(6, "$200").bets(2, main="$20").ready()
    if banks_again:
        room.do("no_more_bets")
    else:
        assert "ca.fpgp.type.two_rounds" in room.refused("no_more_bets")
