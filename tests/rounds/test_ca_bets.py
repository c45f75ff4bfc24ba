"""California's wagers: game and bonus while the bets are open, by others than the player-dealer."""

from __future__ import annotations

import pytest

from tests.games.support import Changes
from tests.rounds.cardroom import FIVE, STRAIGHT, Cardroom, banked, on_schedule, person, results, somebody
from tests.rounds.support import DEALER, money

clause = pytest.mark.clause


@clause("ca.fpgp.object.bonus_optional")
def test_the_fortune_bonus_need_not_be_bet() -> None:
    room = Cardroom().banks(6)
    event = room.do("wager", person(2), 2, wagers=money(main="$10"))[0]
    assert "ca.fpgp.object.bonus_optional" in event.clauses
    room.bets(3, main="$10", fortune="$10")
    room.finished()
    assert set(results(room.table.last or room.table.round)) == {"Bob", "Cleo", "Finn"}


@clause("ca.fpgp.bonus.needs_game")
def test_a_bonus_stands_only_beside_a_game_wager() -> None:
    law = "ca.fpgp.bonus.needs_game"
    room = Cardroom(FIVE).banks(6)
    assert law in room.refused("wager", person(2), 2, wagers=money(fortune="$5"))
    assert law in room.refused("wager", person(2), 2, wagers=money(main="$0", fortune="$5"))
    room.bets(2, main="$5", fortune="$5")
    room.refused("correct_wager", DEALER, 2, wagers=money(fortune="$5"), reason="moved")
    room.refused("bet_behind", somebody("Zoe"), 2, wagers=money(fortune="$5"))
    room.behind("Zoe", 2, main="$5", fortune="$5")


@clause("ca.fpgp.deal.bets.bonus")
@pytest.mark.parametrize("when", ["no more bets", "first card", "all cards"])
def test_a_bonus_is_bet_while_the_bets_are_open_and_not_after(when: str) -> None:
    law = "ca.fpgp.deal.bets.bonus"
    room = banked("$200", {2: {"main": "$20"}, 3: {"main": "$20", "fortune": "$10"}})
    assert not room.problems("wager", person(2), 2, wagers=money(main="$20", fortune="$10"))
    room.closed()
    if when != "no more bets":
        room.diced()
        room.do("deal", cards=1 if when == "first card" else 49)
    more = money(main="$20", fortune="$10")
    assert law in room.refused("wager", person(2), 2, wagers=more)
    assert law in room.refused("wager", person(4), 4, wagers=more)
    assert law in room.refused("wager", person(3), 3, wagers=money(main="$20"))
    assert law in room.refused("bet_behind", somebody("Zoe"), 2, wagers=more)
    assert law in room.refused("correct_wager", DEALER, 2, wagers=more, reason="late")


@pytest.mark.parametrize("how", ["behind another", "from a second seat"])
def test_the_player_dealer_does_not_bet_against_himself(how: str) -> None:
    room = Cardroom(seats=(2, 6)).banks(6).bets(2, main="$20")
    if how == "behind another":
        room.refused("bet_behind", person(6), 2, wagers=money(main="$20"))
    else:
        room.do("sit", person(6), 7)
        room.refused("wager", person(6), 7, wagers=money(main="$20"))


def test_those_behind_keep_their_wagers_when_the_seated_player_changes_his() -> None:
    room = banked("$200", {2: {"main": "$20"}}).behind("Zoe", 2, main="$20")
    room.bets(2, main="$30")
    assert [b.person for b in room.table.round.hands[2].behind] == ["Zoe"]


def test_a_bonus_behind_a_seat_without_one_is_settled_too() -> None:
    room = banked("$200", {2: {"main": "$20"}}, FIVE).behind("Zoe", 2, main="$20", fortune="$5")
    this_round = room.opened_up({2: STRAIGHT}).finished()
    assert results(this_round, "fortune") == {"Bob": "$0", "Zoe": "$10"}


def test_a_wager_behind_is_an_amount_of_money() -> None:
    room = banked("$200", {2: {"main": "$20"}})
    room.refused("bet_behind", somebody("Zoe"), 2, wagers={"main": "$20"})


def test_the_bank_covers_the_bonus_as_well() -> None:
    room = banked("$25", {2: {"main": "$20", "fortune": "$5"}}, FIVE)
    this_round = room.opened_up({2: STRAIGHT}).finished()
    assert (results(this_round, "main"), results(this_round, "fortune")) == ({"Bob": "$20"}, {"Bob": "$5"})
    assert results(this_round) == {"Bob": "$25", "Finn": "-$25"}


# --- amounts without a posted rate ------------------------------------------------------------------


@pytest.mark.parametrize(("schedule", "wager"), [(33, "$51"), (34, "$102"), (35, "$301"), (43, "$700")])
def test_a_wager_without_a_posted_rate_is_refused(schedule: int, wager: str) -> None:
    room = Cardroom(on_schedule(schedule)).banks(6)
    assert f"ca.fpgp.collection.{schedule}" in room.refused("wager", person(2), 2, wagers=money(main=wager))


def test_by_the_other_reading_a_wager_without_a_posted_rate_is_taken_without_a_fee() -> None:
    room = Cardroom(on_schedule(33, ca_spot_without_rate="no_fee")).banks(6)
    room.bets(2, main="$51").closed()


UNPOSTED = [
    pytest.param(on_schedule(2), {"main": "$4"}, id="below the first band"),
    pytest.param(FIVE, {"main": "$5.50"}, id="not whole dollars"),
    pytest.param(
        on_schedule(43, ca_player_fee_basis="each_wager"),
        {"main": "$650", "fortune": "$350"},
        id="each wager",
    ),
]


@pytest.mark.parametrize(("changes", "wagers"), UNPOSTED)
def test_a_round_whose_fee_is_not_posted_does_not_begin(changes: Changes, wagers: dict[str, str]) -> None:
    room = Cardroom(changes).banks(6)
    if not room.problems("wager", person(2), 2, wagers=money(**wagers)):
        room.bets(2, **wagers).refused("no_more_bets")


# --- a larger table ------------------------------------------------------------------------------------

LARGER: Changes = {"table.larger": True, "table.positions": 9, "table.seats": 9}


def larger(active: int) -> Cardroom:
    """A table of nine seats at which so many play, the player-dealer at seat 1 included."""
    room = Cardroom(LARGER, seats=(1,)).banks(1)
    for at in range(9, 10 - active, -1):
        room.do("sit", somebody(f"P{at}"), at)
        room.bets(at, main="$20")
    return room


@pytest.mark.parametrize("active", [3, 7])
def test_at_a_larger_table_any_seven_seats_play(active: int) -> None:
    assert len(larger(active).finished().active()) == active - 1


def test_at_a_larger_table_no_more_than_seven_play() -> None:
    assert "ca.fpgp.table.larger" in larger(8).refused("no_more_bets")
