"""California's wagers: game and bonus while the bets are open, by others than the player-dealer."""

from __future__ import annotations

import pytest

from houseway.ledger import Ledger, open_wagers, player, units
from houseway.money import cents
from houseway.rounds.books import posted
from houseway.rounds.wording import happened
from tests.games.support import NOTHING, Changes
from tests.rounds.california import (
    FIVE,
    MANUAL,
    STRAIGHT,
    Cardroom,
    banked,
    on_schedule,
    person,
    results,
    somebody,
)
from tests.rounds.commands import value_of
from tests.rounds.table import DEALER, money

clause = pytest.mark.clause


@clause("ca.fpgp.object.bonus_optional")
def test_the_fortune_bonus_need_not_be_bet() -> None:
    room = Cardroom().banks(6)
    event = room.do("wager", person(2), 2, wagers=money(main="$10"))[0]
    assert "ca.fpgp.object.bonus_optional" in event.clauses
    room.bets(3, main="$10", fortune="$10")
    room.finished()
    assert set(results(room.state.last or room.state.round)) == {"Bob", "Cleo", "Finn"}


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
    assert [b.person for b in room.state.round.hands[2].behind] == ["Zoe"]


@pytest.mark.parametrize("how", ["bets nothing", "corrected to nothing", "gets up"])
def test_those_behind_have_their_wagers_back_on_record_when_nobody_plays_the_hand(how: str) -> None:
    room = banked("$200", {2: {"main": "$20"}, 3: {"main": "$20"}})
    room.behind("Zoe", 2, main="$30").behind("Yan", 2, main="$40", fortune="$10").behind("Zoe", 3, main="$10")
    nothing = money(main="$0")
    if how == "bets nothing":
        (event,) = room.do("wager", person(2), 2, wagers=nothing)
    elif how == "corrected to nothing":
        (event,) = room.do("correct_wager", DEALER, 2, wagers=nothing, reason="not meant")
    else:
        (event,) = room.do("leave", person(2), 2)
    assert value_of(event, "returned") == {"Zoe": money(main="$30"), "Yan": money(main="$40", fortune="$10")}
    back = {
        (p.person, p.wager): p.units for p in value_of(event, "stakes") if p.reason.startswith("wager back")
    }
    assert back == {
        ("Zoe", "main"): units(cents("$30")),
        ("Yan", "main"): units(cents("$40")),
        ("Yan", "fortune"): units(cents("$10")),
    }
    assert "returned Zoe main $30, Yan main $40, fortune $10" in happened(event)
    ledger = Ledger()
    for one in room.log:
        ledger = posted(ledger, room.live.table.id, one)
    ledger.verify()
    assert ledger.balance(player("Yan")) == 0 and ledger.balance(player("Zoe")) == -units(cents("$10"))
    assert {account.name for account in open_wagers(ledger)} == {"Cleo", "Zoe"}
    assert room.finished().void is None


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


FLAT = ["ca.fpgp.collect.s1_32.flat_rates", "ca.fpgp.collect.s33_36.flat_rates"]
FLAT += ["ca.fpgp.collect.s37_43.flat_rates"]
BETWEEN_DOLLARS = [
    (20, {"main": "$5.50"}, FLAT[0]),
    (20, {"main": "$10.50", "fortune": "$10.50"}, FLAT[0]),  # though the sum is whole
    (20, {"main": "$10", "fortune": "$10.01"}, FLAT[0]),
    (33, {"main": "$10.50"}, FLAT[1]),
    (33, {"main": "$10", "fortune": "$10.99"}, FLAT[1]),
    (40, {"main": "$10.50"}, FLAT[2]),
    (40, {"main": "$10.50", "fortune": "$10.50"}, FLAT[2]),
]


@pytest.mark.parametrize("reading", ["refuse", "no_fee"])
@pytest.mark.parametrize(
    ("schedule", "wagers", "law"), [pytest.param(*row, marks=clause(row[-1])) for row in BETWEEN_DOLLARS]
)
def test_wagers_are_whole_dollars_when_they_are_placed(
    schedule: int, wagers: dict[str, str], law: str, reading: str
) -> None:
    room = Cardroom(on_schedule(schedule, ca_spot_without_rate=reading)).banks(6)
    found = {law, f"ca.fpgp.collection.{schedule}"}
    assert found <= set(room.refused("wager", person(2), 2, wagers=money(**wagers)))
    room.bets(2, main="$10")
    assert found <= set(room.refused("bet_behind", somebody("Zoe"), 2, wagers=money(**wagers)))


def test_by_the_other_reading_each_wager_has_a_posted_rate_when_it_is_placed() -> None:
    wagers, law = money(main="$650", fortune="$350"), "ca.fpgp.collection.43"
    assert not Cardroom(on_schedule(43)).banks(6).problems("wager", person(2), 2, wagers=wagers)
    room = Cardroom(on_schedule(43, ca_player_fee_basis="each_wager")).banks(6)
    assert law in room.refused("wager", person(2), 2, wagers=wagers)


@pytest.mark.parametrize("whose", ["at two seats", "behind a seat"])
def test_what_is_added_up_has_a_posted_rate_before_the_bets_close(whose: str) -> None:
    law, both = "ca.fpgp.collection.43", whose == "at two seats"
    room = Cardroom(on_schedule(43, ca_backline_fee="own_fee" if both else "with_seat"), seats=(2, 6)).banks(
        6
    )
    room.bets(2, main="$500")
    if both:
        room.do("sit", person(2), 3)
    step, by, at = ("wager", person(2), 3) if both else ("bet_behind", somebody("Zoe"), 2)
    for amount in ("$200", "$499"):
        (problem,) = room.problems(step, by, at, wagers=money(main=amount))
        where = "at seats 2 and 3" if both else "at seat 2"
        assert problem.reason.startswith(f"{where} no fee is posted") and "Bob" in problem.reason
        (event,) = room.do(step, by, at, wagers=money(main=amount))
        assert [alert.clauses for alert in event.alerts] == [(law,)]
        assert law in room.ready().refused("no_more_bets")
    room.do(step, by, at, wagers=money(main="$500"))
    assert not room.problems("no_more_bets")
    room.do(step, by, at, wagers=money(main="$0"))


@clause("ca.fpgp.collection.43")
def test_what_has_a_posted_rate_in_the_end_is_placed_in_any_order() -> None:
    room = Cardroom(on_schedule(43), seats=(2, 6)).banks(6)
    for at, amount in ((2, "$400"), (3, "$400"), (4, "$300")):
        if at != 2:
            room.do("sit", person(2), at)
        room.do("wager", person(2), at, wagers=money(main=amount))
    assert not room.ready().problems("no_more_bets")
    room.do("wager", person(2), 4, wagers=money(main="$0"))
    assert room.refused("no_more_bets") == ("ca.fpgp.collection.43",)


def test_a_round_without_a_posted_rate_does_not_begin_and_its_seat_and_clause_are_named() -> None:
    room = Cardroom(on_schedule(43, ca_backline_fee="with_seat")).banks(6).bets(2, main="$400").ready()
    room.behind("Zoe", 2, main="$200").behind("Yan", 2, main="$400")
    assert not room.problems("no_more_bets")
    room.do("bet_behind", somebody("Zoe"), 2, wagers=money(main="$0"))  # what is taken back needs no rate
    assert room.refused("no_more_bets") == ("ca.fpgp.collection.43",)
    (problem,) = room.problems("no_more_bets")
    assert problem.reason == "at seat 2 no fee is posted for the $800 of Bob"
    below = Cardroom(on_schedule(2)).banks(6).bets(2, main="$4").ready()
    assert below.refused("no_more_bets") == ("ca.fpgp.collection.2",)


def test_a_wager_is_not_refused_for_what_somebody_behind_it_has_at_other_seats() -> None:
    room = Cardroom(on_schedule(43)).banks(6).bets(2, 3, 4, main="$100").ready()
    for at, amount in ((2, "$200"), (3, "$200"), (4, "$600"), (3, "$500"), (4, "$0")):
        room.behind("Zoe", at, main=amount)
    (problem,) = room.problems("no_more_bets")
    assert problem.reason == "at seats 2 and 3 no fee is posted for the $700 of Zoe"
    room.bets(2, main="$150")


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


@clause("ca.fpgp.table.larger")
def test_at_a_larger_table_no_more_than_seven_play_and_the_eighth_seat_is_told_at_once() -> None:
    room, law = larger(7), "ca.fpgp.table.larger"
    late = somebody("P3")
    room.do("sit", late, 3)
    (problem,) = room.problems("wager", late, 3, wagers=money(main="$20"))
    assert (problem.field, problem.clauses) == ("seat 3", (law,))
    assert room.refused("wager", late, 3, wagers=money(main="$20")) == (law,)
    room.do("wager", room.at(9), 9, wagers=money(main="$40"))  # who is in may bet more
    room.do("wager", room.at(9), 9, wagers=money(main="$0"))
    room.do("wager", late, 3, wagers=money(main="$20"))


@pytest.mark.parametrize("changes", [{}, MANUAL], ids=["shuffler", "manual"])
@pytest.mark.parametrize(("positions", "seats"), [(8, 8), (8, 9), (7, 9), (9, None), (3, 7), (2, None)])
def test_at_a_table_of_any_size_the_first_and_the_last_seat_play(
    positions: int, seats: int | None, changes: Changes
) -> None:
    size = {"table.larger": True, "table.positions": positions, "table.seats": seats or NOTHING}
    room = Cardroom(changes | size, seats=(1,)).banks(1)
    room.do("sit", somebody("Zoe"), positions)
    assert room.bets(positions, main="$20").finished().void is None
