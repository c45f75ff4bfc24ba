"""California's settlement: hands opened clockwise from the Action seat, then three passes round the table."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from houseway.ledger import INVENTORY, Account, AccountKind, units
from houseway.money import cents, dollars
from houseway.rounds.codec import plain
from houseway.rounds.explain import explain, shortfalls
from houseway.rounds.record import Record, Turn, digest_of
from houseway.rounds.replay import difference
from houseway.rounds.state import Phase, changed
from houseway.rounds.step import AnEvent
from houseway.settlement import PaymentKind
from tests.games.support import Changes
from tests.rounds.california import (
    FIVE,
    FULL_HOUSE,
    LOSES,
    QUADS,
    STRAIGHT,
    THREE,
    WINS,
    Cardroom,
    banked,
    fees,
    moved,
    on_schedule,
    paying,
    person,
    results,
    somebody,
)
from tests.rounds.commands import value_of
from tests.rounds.play.california_watch import check_record
from tests.rounds.table import money

clause = pytest.mark.clause
BANK_OF_FINN = Account(AccountKind.BANK, "Finn")
PLAIN = WINS[2]  # wins the game wager; nothing for the bonus
SEAT_BY_SEAT = on_schedule(20, ca_settlement_order="seat_by_seat")
WITH_BONUS = {"main": "$20", "fortune": "$5"}
FROM_ACTION = [4, 5, 7, 1, 2, 3]
FROM_FOUR = 13  # with the player-dealer at seat 6 this total gives seat 4 the Action


def everybody(changes: Changes | None = None, **amounts: str) -> Cardroom:
    """Six players bet alike against seat 6, set the house way, and the Action is at seat 4."""
    room = Cardroom(changes or FIVE).banks(6, "$2,000").bets(*FROM_ACTION, **amounts).closed()
    room.diced(FROM_FOUR)
    room.play_on(Phase.SETTLING)
    assert room.state.round.action == 4
    return room


def games_settled(room: Cardroom) -> Cardroom:
    """Open every hand and settle its game wager."""
    room.play_on(without=["rearrange", "rack"])
    return room


# --- the order --------------------------------------------------------------------------------------


@clause("ca.fpgp.pd_set.expose_players")
def test_hands_are_turned_up_one_by_one_from_the_action_seat() -> None:
    law = "ca.fpgp.pd_set.expose_players"
    room = everybody(main="$20")
    for at in FROM_ACTION:
        for other in set(FROM_ACTION) - {at}:
            assert law in room.refused("reveal", at=other)
        event = room.do("reveal", at=at)[0]
        assert law in event.clauses
        assert value_of(event, "announced") in ("win", "lose", "tie")
        room.do("settle", at=at, wager="main")
    assert [e.position for e in room.log if e.step == "reveal"] == FROM_ACTION


@clause("ca.fpgp.deal.settle.clockwise")
def test_wagers_are_settled_clockwise_from_the_action_seat() -> None:
    law = "ca.fpgp.deal.settle.clockwise"
    room = everybody(main="$20", fortune="$5")
    room.do("reveal", at=4)
    assert law in room.refused("settle", at=5, wager="main")
    games_settled(room)
    for at in FROM_ACTION:
        room.do("rearrange", at=at)
    for at, after in pairwise(FROM_ACTION):
        assert law in room.refused("settle", at=after, wager="fortune")
        room.do("settle", at=at, wager="fortune")
        room.play_on(without=["settle"])
    room.finished()
    settled = [(e.position, w) for e in room.log if e.step == "settle" for w in value_of(e, "wagers")]
    assert settled == [(at, wager) for wager in ("main", "fortune") for at in FROM_ACTION]


@clause("ca.fpgp.settle.bonus_after_game")
def test_no_bonus_is_settled_while_a_game_wager_is_open() -> None:
    law = "ca.fpgp.settle.bonus_after_game"
    room = everybody(main="$20", fortune="$5")
    for at in FROM_ACTION:
        room.do("reveal", at=at)
        room.do("settle", at=at, wager="main")
        if at == 4:
            room.do("rearrange", at=4)
        if at != 3:
            assert law in room.refused("settle", at=4, wager="fortune")
    room.do("settle", at=4, wager="fortune")


def a_full_house_and_a_bigger_winner(changes: Changes) -> Cardroom:
    """Seat 2 wins $20 and has a $5 full house, then seat 4 wins $90; the bank is $100."""
    room = banked("$100", {2: WITH_BONUS, 4: {"main": "$90"}}, changes)
    return room.opened_up({2: FULL_HOUSE, 4: WINS[0]})


@clause("ca.fpgp.deal.settle.kind_order")
def test_game_wagers_then_fortune_bonuses_then_envy() -> None:
    law = "ca.fpgp.deal.settle.kind_order"
    room = a_full_house_and_a_bigger_winner(FIVE)
    room.do("reveal", at=2)
    assert law in room.refused("settle", at=2, wager="fortune")
    room.do("settle", at=2, wager="main")
    room.do("rearrange", at=2)
    assert law in room.refused("settle", at=2, wager="fortune")
    this_round = room.finished()
    assert results(this_round, "main") == {"Bob": "$20", "Dan": "$80"}
    assert results(this_round, "fortune") == {"Bob": "$0", "Dan": "$0"}
    assert results(this_round)["Finn"] == "-$100"


@clause("ca.fpgp.deal.settle.kind_order")
def test_by_the_other_reading_each_seats_bonus_follows_its_game_wager() -> None:
    room = a_full_house_and_a_bigger_winner(SEAT_BY_SEAT)
    room.do("reveal", at=2)
    assert "ca.fpgp.deal.settle.kind_order" in room.refused("settle", at=2, wager="fortune")
    room.refused("reveal", at=4)
    this_round = room.finished()
    settled = [(e.position, w) for e in room.log if e.step == "settle" for w in value_of(e, "wagers")]
    assert settled == [(2, "main"), (2, "fortune"), (4, "main")]
    assert (results(this_round, "main"), results(this_round, "fortune")["Bob"]) == (
        {"Bob": "$20", "Dan": "$55"},
        "$25",
    )


# --- the Fortune Bonus --------------------------------------------------------------------------------


@clause("ca.fpgp.settle.bonus_paid")
def test_a_bonus_that_qualifies_is_paid_by_the_posted_table() -> None:
    room = games_settled(banked("$200", {2: WITH_BONUS}, FIVE).opened_up({2: QUADS}))
    room.do("rearrange", at=2)
    event = room.do("settle", at=2, wager="fortune")[0]
    assert "ca.fpgp.settle.bonus_paid" in event.clauses
    assert paying(event) == [("return", "Bob", "fortune", "$5"), ("pay", "Bob", "fortune", "$125")]


@clause("ca.fpgp.settle.bonus_paid")
@pytest.mark.parametrize(("stake", "paid"), [("$144", "$124"), ("$145", "$125"), ("$146", "$125")])
def test_and_only_as_far_as_the_bank_reaches(stake: str, paid: str) -> None:
    this_round = banked(stake, {2: WITH_BONUS}, FIVE).opened_up({2: QUADS}).finished()
    assert (results(this_round, "main"), results(this_round, "fortune")) == ({"Bob": "$20"}, {"Bob": paid})


@pytest.mark.parametrize(("stake", "short"), [("$144", ("$125", "$124")), ("$145", None)])
def test_what_the_bank_could_not_pay_is_on_record(stake: str, short: tuple[str, str] | None) -> None:
    room = banked(stake, {2: WITH_BONUS}, FIVE).opened_up({2: QUADS})
    this_round = room.finished()
    found = [
        (s.person, s.wager, dollars(s.owed), dollars(s.paid)) for s in shortfalls(room.rules, this_round)
    ]
    assert found == ([("Bob", "fortune", *short)] if short else [])
    record = room.live.record
    assert record is not None
    assert any("the bank could pay" in line for line in explain(record)) == bool(short)
    check_record(room.live, whole_text=True)
    if short:
        assert "settle: event 1, outcome.payments" in (
            difference(paid_whole(record, units(cents(short[0])))) or ""
        )


def paid_whole(record: Record, owed: int) -> Record:
    """Return a record that claims the bank to have paid a bonus in full, its digest made to fit."""

    def claimed(turn: Turn) -> Turn:
        return changed(turn, events=tuple(map(paid_in_full, turn.events)))

    def paid_in_full(event: AnEvent) -> AnEvent:
        if event.step != "settle" or value_of(event, "wagers") != ("fortune",):
            return event
        paid = [changed(p, units=owed) if p.kind is PaymentKind.PAY else p for p in event.outcome.payments]
        return changed(event, outcome=changed(event.outcome, payments=tuple(paid)))

    false = changed(record, turns=tuple(map(claimed, record.turns)))
    return changed(false, digest=digest_of(plain(false)))


@clause("ca.fpgp.settle.bonus_collected")
@pytest.mark.parametrize(("stake", "taken"), [("$24", "$4"), ("$25", "$5"), ("$70", "$5")])
def test_a_bonus_that_does_not_qualify_is_collected(stake: str, taken: str) -> None:
    room = games_settled(banked(stake, {2: WITH_BONUS}, FIVE).opened_up({2: LOSES[0]}))
    room.do("rearrange", at=2)
    event = room.do("settle", at=2, wager="fortune")[0]
    assert "ca.fpgp.settle.bonus_collected" in event.clauses
    assert moved(event.outcome.payments, BANK_OF_FINN) == taken
    assert results(room.finished(), "fortune") == {"Bob": f"-{taken}"}


@clause("ca.fpgp.settle.pd_bonus", "ca.fpgp.bonus.pd_settles")
def test_the_player_dealer_collects_and_pays_the_bonuses() -> None:
    bets = {2: WITH_BONUS, 3: WITH_BONUS}
    room = games_settled(banked("$100", bets, FIVE).opened_up({2: LOSES[2], 3: STRAIGHT}))
    room.play_on(without=["close_round"])
    lost, won = (e for e in room.log if e.step == "settle" and value_of(e, "wagers") == ("fortune",))
    for event in (lost, won):
        assert {"ca.fpgp.settle.pd_bonus", "ca.fpgp.bonus.pd_settles"} <= set(event.clauses)
    assert moved(lost.outcome.payments, BANK_OF_FINN) == "$5"
    assert moved(won.outcome.payments, BANK_OF_FINN) == "-$10"
    this_round = room.finished()
    assert results(this_round, "fortune") == {"Bob": "-$5", "Cleo": "$10"}
    assert moved(this_round.payments, INVENTORY) == "$0"


@clause("ca.fpgp.bonus.pd_settles")
def test_a_straight_costs_the_player_dealer_two_to_one() -> None:
    this_round = banked("$100", {2: WITH_BONUS}, FIVE).opened_up({2: STRAIGHT}).finished()
    paid = [p for p in this_round.payments if p.wager == "fortune"]
    assert moved(paid, BANK_OF_FINN) == "-$10"


# --- Envy ---------------------------------------------------------------------------------------------


@clause("ca.fpgp.envy.button")
@pytest.mark.parametrize(("bonus", "buttons"), [("$4", ()), ("$5", (2,)), ("$6", (2,))])
def test_a_bonus_of_five_dollars_earns_a_button(bonus: str, buttons: tuple[int, ...]) -> None:
    law = "ca.fpgp.envy.button"
    room = Cardroom(THREE).banks(6).bets(2, main="$10", fortune=bonus).bets(4, main="$10")
    room.do("no_more_bets")
    for wrong in {(), (2,), (4,), (2, 4)} - {buttons}:
        assert law in room.refused("place_lammers", positions=wrong)
    event = room.do("place_lammers", positions=buttons)[0]
    assert law in event.clauses
    assert room.state.round.lammers == set(buttons) == set(event.outcome.positions)


@clause("ca.fpgp.envy.one_per_wager")
def test_one_button_for_each_such_wager_whatever_its_size() -> None:
    law = "ca.fpgp.envy.one_per_wager"
    room = Cardroom(FIVE).banks(6).bets(2, 3, main="$10", fortune="$5").bets(4, main="$10", fortune="$10")
    room.do("no_more_bets")
    assert law in room.refused("place_lammers", positions=(2, 3, 4, 4))
    assert law in room.refused("place_lammers", positions=(2, 3))
    assert law in room.do("place_lammers", positions=(2, 3, 4))[0].clauses
    assert len(room.state.round.lammers) == 3


def test_a_player_at_two_seats_has_a_button_for_each_wager() -> None:
    room = Cardroom(FIVE, seats=(2, 6)).banks(6)
    room.do("sit", somebody("Bob"), 3)
    room.bets(2, 3, main="$10", fortune="$5").closed()
    assert room.state.round.lammers == {2, 3}


def test_no_dice_before_the_buttons_are_given() -> None:
    room = banked("$200", {2: WITH_BONUS}, FIVE)
    room.do("no_more_bets")
    room.do("collect_fees")
    room.refused("shake_dice", person(6), 6)


def envied(two: str = PLAIN, changes: Changes = FIVE, **bonus: str) -> Cardroom:
    """Seat 4 has four of a kind, seat 2 another hand, both with a bonus; the game wagers are settled."""
    bets = {2: {"main": "$20", "fortune": bonus.get("two", "$5")}, 4: WITH_BONUS}
    return games_settled(banked("$2,000", bets, changes).opened_up({2: two, 4: QUADS}))


STAYS = ("ca.fpgp.settle.bonus_paid.envy_stays", "ca.fpgp.settle.bonus_collected.envy_stays")


@pytest.mark.parametrize("two", [PLAIN, STRAIGHT], ids=["lost", "paid"])
@pytest.mark.parametrize("law", [pytest.param(law, marks=clause(law)) for law in STAYS])
def test_the_buttons_stay_until_every_wager_is_reconciled(law: str, two: str) -> None:
    room = envied(two)
    for step, at in (("rearrange", 2), ("settle", 2), ("rack", 2), ("rearrange", 4), ("settle", 4)):
        assert law in room.refused("clear_lammers")
        more: dict[str, Any] = {"wager": "fortune"} if step == "settle" else {}
        room.do(step, at=at, **more)
    assert law in room.refused("clear_lammers")
    room.do("pay_envy", wager="fortune")
    room.refused("close_round")
    room.play_on(without=["clear_lammers"])
    room.refused("close_round")
    room.do("clear_lammers")
    room.do("close_round")


@clause("ca.fpgp.settle.bonus_collected.envy_stays")
def test_a_lost_bonus_still_earns_envy() -> None:
    room = envied()
    room.do("rearrange", at=2)
    room.do("settle", at=2, wager="fortune")
    assert "ca.fpgp.settle.bonus_collected.envy_stays" in room.refused("clear_lammers")
    this_round = room.finished()
    assert results(this_round, "fortune") == {"Bob": "$0", "Dan": "$125"}
    envy = [(p.person, p.units // 1_000_000) for p in this_round.payments if p.kind is PaymentKind.ENVY]
    assert envy == [("Bob", 5)]


@clause("ca.fpgp.settle.envy_end")
def test_envy_is_paid_when_the_last_bonus_is_settled() -> None:
    law = "ca.fpgp.settle.envy_end"
    bets = {2: WITH_BONUS, 4: WITH_BONUS}
    room = games_settled(banked("$2,000", bets, FIVE).opened_up({2: QUADS, 4: PLAIN}))
    room.do("rearrange", at=2)
    assert law in room.refused("pay_envy", wager="fortune")
    room.do("settle", at=2, wager="fortune")
    room.do("rearrange", at=4)
    assert law in room.refused("pay_envy", wager="fortune")
    room.do("settle", at=4, wager="fortune")
    assert paying(room.do("pay_envy", wager="fortune")[0]) == [("envy", "Dan", "fortune", "$5")]
    room.refused("pay_envy", wager="fortune")


@clause("ca.fpgp.envy.pd_settles")
def test_the_player_dealer_pays_envy_and_the_buttons_come_back() -> None:
    law = "ca.fpgp.envy.pd_settles"
    room = envied()
    room.play_on(without=["pay_envy"])
    event = room.do("pay_envy", wager="fortune")[0]
    assert law in event.clauses and moved(event.outcome.payments, BANK_OF_FINN) == "-$5"
    room.play_on(without=["clear_lammers"])
    assert law in room.do("clear_lammers")[0].clauses
    assert moved(room.finished().payments, INVENTORY) == "$0"


@clause("ca.fpgp.envy.pd_settles")
def test_where_nobody_is_envied_the_buttons_only_come_back() -> None:
    bets = {2: WITH_BONUS, 4: WITH_BONUS}
    room = banked("$200", bets, FIVE).opened_up({2: PLAIN, 4: LOSES[1]})
    room.play_on(without=["clear_lammers"])
    room.refused("pay_envy", wager="fortune")
    assert "ca.fpgp.envy.pd_settles" in room.do("clear_lammers")[0].clauses
    assert not [p for p in room.finished().payments if p.kind is PaymentKind.ENVY]


# --- those behind ---------------------------------------------------------------------------------------


def test_those_behind_win_and_lose_with_the_hand_and_pay_their_own_fee() -> None:
    room = banked("$200", {2: {"main": "$20"}}).behind("Zoe", 2, main="$30").behind("Yan", 2, main="$10")
    this_round = room.opened_up({2: WINS[0]}).finished()
    assert results(this_round) == {"Bob": "$20", "Finn": "-$60", "Yan": "$10", "Zoe": "$30"}
    assert fees(this_round) == {"Bob": "$0.50", "Zoe": "$0.50", "Yan": "$0.50", "Finn": "$0.50"}
    together = banked("$200", {2: {"main": "$20"}}, on_schedule(40, ca_backline_fee="with_seat"))
    assert fees(together.behind("Zoe", 2, main="$30").closed().state.round) == {"Bob": "$1", "Finn": "$0.50"}


@pytest.mark.parametrize(
    ("reading", "paid"),
    [("seated_first", {"Bob": "$20", "Zoe": "$10"}), ("pro_rata", {"Bob": "$12", "Zoe": "$18"})],
)
def test_how_a_seats_cover_is_divided_is_a_reading(reading: str, paid: dict[str, str]) -> None:
    for hand, sign in ((WINS[0], ""), (LOSES[0], "-")):
        room = banked("$30", {2: {"main": "$20"}}, on_schedule(40, ca_backline_coverage=reading))
        this_round = room.behind("Zoe", 2, main="$30").opened_up({2: hand}).finished()
        assert results(this_round, "main") == {name: f"{sign}{amount}" for name, amount in paid.items()}


def test_those_behind_have_no_button_and_no_say() -> None:
    bets = {2: WITH_BONUS, 4: WITH_BONUS}
    room = banked("$2,000", bets, FIVE).behind("Zoe", 2, main="$20", fortune="$25")
    room.refused("bet_behind", person(2), 2, wagers=money(main="$20"))
    room.refused("bet_behind", somebody("Zoe"), 5, wagers=money(main="$20"))
    room.deals({2: PLAIN, 4: QUADS})
    assert room.state.round.lammers == {2, 4}
    room.refused("look", somebody("Zoe"), 2)
    room.set_all({2: PLAIN, 4: QUADS})
    assert results(room.finished(), "fortune") == {"Bob": "$0", "Dan": "$125", "Zoe": "-$25"}
