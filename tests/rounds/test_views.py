"""What a view shows to everybody, and how it is written down."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from houseway.rounds.codec import plain
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.views import NOBODY, view
from tests.games.support import Changes
from tests.rounds.california import banked, person
from tests.rounds.pennsylvania import house_way
from tests.rounds.table import BY_HAND, DEALER, MANUAL, NOON, TestTable, player


def written(table: TestTable, viewer: Actor = NOBODY) -> Any:
    """Return the view of somebody, of whoever looks on from outside if nobody is named, as it is sent."""
    return plain(view(table.rules, table.live.table, viewer, table.live.moment))


def test_a_seat_shows_the_name_of_who_sits_there_and_the_id_of_who_has_none() -> None:
    table = TestTable("pa-659a").opened()
    table.do("sit", Actor("p-17", Role.PLAYER, "Ann"), 2)
    table.do("sit", Actor("p-18", Role.PLAYER), 3)
    assert written(table)["seats"] == [{"position": 2, "name": "Ann"}, {"position": 3, "name": "p-18"}]


def test_only_the_house_and_its_regulators_are_shown_who_somebody_is() -> None:
    table = TestTable("pa-659a").opened()
    table.do("sit", Actor("p-17", Role.PLAYER, "Ann"), 2)
    seats = {role: written(table, Actor("x", role))["seats"] for role in Role}
    told = {role for role, (seat,) in seats.items() if seat.get("person") == "p-17"}
    people = {Role.DEALER, Role.FLOORPERSON, Role.MANAGER, Role.KEY_HOLDER, Role.ADMINISTRATOR}
    assert told == people | {Role.SURVEILLANCE, Role.ACCOUNTING, Role.REGULATOR}


def test_a_dealer_who_holds_no_cards_is_written_without_a_number_of_them() -> None:
    table = TestTable("pa-659a").betting(2, main="$10")
    assert written(table)["dealer_hand"] == {"position": 1}
    assert written(table.setting(2, main="$10"))["dealer_hand"] == {"position": 1, "held": 7}


def test_a_player_who_holds_no_cards_is_written_without_a_number_of_them() -> None:
    table = TestTable("pa-659a").betting(2, main="$10")
    (hand,) = written(table)["hands"]
    assert hand["wagers"] == {"main": 1000} and "held" not in hand
    (hand,) = written(table.setting(2, main="$10"))["hands"]
    assert hand["held"] == 7 and "cards" not in hand


def test_the_table_waits_for_hands_that_are_not_set_for_a_choice_and_for_who_has_left() -> None:
    table = TestTable("pa-659a", MANUAL).setting(2, 3, main="$10").play_on(without=["set"])
    assert written(table)["awaited"] == [2, 3]
    table.do("set", player(2), 2, setting=house_way(table, 2))
    assert written(table)["awaited"] == [3]
    table.do("expose_card", DEALER, 2)
    assert written(table)["awaited"] == [2, 3]
    table.do("choose_hand", player(2), 2, choice="play")
    table.do("set", player(3), 3, setting=house_way(table, 3))
    assert "awaited" not in written(table)
    table.do("leave", player(3), 3)
    assert written(table)["awaited"] == [3]


@pytest.mark.parametrize(("changes", "hours"), [(BY_HAND, 4), (MANUAL, 8)])
def test_a_clock_runs_for_the_deck_at_the_table_and_for_none_that_was_taken_away(
    changes: Changes, hours: int
) -> None:
    table = TestTable("pa-659a", changes).opened().later(hours=1)
    table.do("remove_deck", deck="A", reason="worn")
    table.do("receive_deck", deck="new")
    (clock,) = view(table.rules, table.live.table, DEALER, table.live.moment).clocks
    assert (clock.what, clock.until) == ("deck new", NOON + timedelta(hours=1 + hours))


def test_a_payment_says_whether_it_is_of_somebody_who_bet_behind_the_hand() -> None:
    room = banked("$200", {2: {"main": "$20"}}).behind("Zoe", 2, main="$30").closed()
    room.play_on(without=["close_round"])
    shown = view(room.rules, room.live.table, NOBODY, room.live.moment).payments
    whose = {(one.person, told.behind) for one, told in zip(room.state.round.payments, shown, strict=True)}
    assert whose == {(person(2).id, False), (person(6).id, False), ("Zoe", True)}
