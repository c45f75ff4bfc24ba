"""What a view shows to some roles only: typed cards, advice that was asked for, the house-way display."""

from __future__ import annotations

from houseway.rounds.options import awaited_from_others, offers
from houseway.rounds.roles import SEEN_BY, Role, Sees
from houseway.rounds.step import Actor
from houseway.rounds.views import view
from tests.rounds.pennsylvania import entered_at_the_table, house_way
from tests.rounds.table import DEALER, FLOOR, MANUAL, TestTable, player, setting
from tests.rounds.washington import looked, set_own, spot

TYPED = "QsQh3d2c / 8h8d / 7c"


def shown(table: TestTable, field: str, what: Sees) -> object:
    """Return what those see in a field who may; to everybody else the view must not have it."""
    state, moment = table.live.table, table.live.moment
    nothing = getattr(view(table.rules, state, Actor("nobody", Role.GUEST), moment), field)
    assert not nothing
    found = []
    for role in Role:
        who = DEALER if role is Role.DEALER else Actor("somebody", role)
        seen = getattr(view(table.rules, state, who, moment), field)
        assert seen == nothing or role in SEEN_BY[what]
        found += [seen] if role in SEEN_BY[what] else []
    assert all(one == found[0] for one in found)
    return found[0]


def test_cards_that_are_typed_and_not_confirmed_are_shown_to_the_dealer() -> None:
    table = entered_at_the_table("pa-659a", {2: {}})
    table.do("enter_hand", at=1, setting=setting(TYPED))
    assert shown(table, "typed", Sees.TYPED) == {1: setting(TYPED)}
    table.do("confirm_entry", at=1)
    assert shown(table, "typed", Sees.TYPED) == {}


def test_the_house_way_of_a_player_who_asked_is_shown_to_the_dealer_until_the_hand_is_set() -> None:
    table = TestTable("pa-659a", MANUAL).setting(2, 3, main="$10")
    for at in (2, 3):
        table.do("look", player(at), at)
    assert shown(table, "advice", Sees.ADVICE) == {}
    table.do("ask_help", player(2), 2)
    advised = house_way(table, 2)
    assert shown(table, "advice", Sees.ADVICE) == {2: advised}
    table.do("set", player(2), 2, setting=advised)
    assert shown(table, "advice", Sees.ADVICE) == {}


def test_the_display_is_mirrored_to_whoever_may_watch_it() -> None:
    first, second = spot(1), spot(2)
    table = looked({first: "winner", second: "loser"})
    table.do("ask_help", Actor(table.state.seats[first].person, Role.PLAYER), first)
    set_own(table, second)
    table.do("show_player_way", at=first)
    assert shown(table, "on_display", Sees.DISPLAY) == house_way(table, first)
    table.do("exit_display")
    assert shown(table, "on_display", Sees.DISPLAY) is None


def test_a_dealer_is_told_for_whom_the_table_waits() -> None:
    table = TestTable("pa-659a", MANUAL).setting(2, 3, main="$10")
    every = offers(table.rules, table.live.table, table.live.moment)
    for_dealer = [(one.step, one.position, one.roles) for one in awaited_from_others(every, DEALER)]
    assert for_dealer == [("look", 2, (Role.PLAYER,)), ("look", 3, (Role.PLAYER,))]
    assert [one.position for one in awaited_from_others(every, player(2))] == [3]


def test_what_only_the_floor_may_do_is_awaited_from_the_floor() -> None:
    table = TestTable("pa-659a", MANUAL)
    table.play_on(without=["verify_inspection"])
    every = offers(table.rules, table.live.table, table.live.moment)
    (awaited,) = awaited_from_others(every, DEALER)
    assert awaited.step == "verify_inspection" and FLOOR.role in awaited.roles
    assert not awaited_from_others(every, FLOOR)
