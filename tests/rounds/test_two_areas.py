"""One player on two adjacent areas: when that is allowed, whose they are, and which hand is set first."""

from __future__ import annotations

import pytest

from houseway.ledger import units
from houseway.money import cents
from houseway.ranking import Setting
from houseway.rounds.options import options
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from tests.games.support import Changes
from tests.rounds.commands import value_of
from tests.rounds.table import DEALER, FLOOR, MANUAL, TestTable, by_chapter, money, player

clause = pytest.mark.clause
GAMES = ("pa-575", "pa-659a", "pa-670a")
TWO_AREAS: Changes = {"table.adjacent_areas": True}


# --- whose the areas are --------------------------------------------------------------------------------


@by_chapter(pa575="pa575.7.f.s1", pa659a="pa659a.7.f.s1", pa670a="pa670a.7.f.s1")
def test_a_seated_player_bets_on_the_next_area_without_another_seat_if_the_rules_allow_it(
    game: str, law: str
) -> None:
    bet = money(main="$10")
    one_area = TestTable(game).opened().seat((3,))
    assert one_area.refused("wager", player(3), 4, wagers=bet) == (law,)
    table = TestTable(game, TWO_AREAS).opened().seat((3, 5))
    table.do("wager", player(3), 3, wagers=bet)
    for at in (2, 4):
        table.do("wager", player(3), at, wagers=bet)
        table.refused("sit", player(4), at)
        table.refused("wager", player(5), at, wagers=bet)
        table.do("correct_wager", DEALER, at, wagers=money(main="$15"), reason="miscounted")
        table.do("wager", player(3), at, wagers=money())
        assert at not in table.state.seats
    assert law in table.refused("wager", player(3), 6, wagers=bet)
    table.do("wager", player(3), 4, wagers=bet)
    assert law in table.refused("wager", player(3), 2, wagers=bet)
    table.refused("wager", player(3), 8, wagers=bet)
    table.play_on(rounds=1)
    assert table.state.last is not None and set(table.state.last.hands) == {3, 4}
    assert set(table.state.seats) == {3, 5}
    table.do("sit", player(4), 4)


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_without_a_wager_is_no_betting_area(game: str) -> None:
    bet = money(main="$10")
    table = TestTable(game, TWO_AREAS).opened().seat((3,))
    table.do("sit", player(3), 6)  # a second seat, on which nothing is bet
    table.do("wager", player(3), 3, wagers=bet)
    table.do("wager", player(3), 4, wagers=bet)
    table.refused("wager", player(3), 6, wagers=bet)
    table.refused("wager", player(3), 2, wagers=bet)
    apart = TestTable(game, TWO_AREAS).opened().seat((3,))
    apart.refused("wager", player(3), 6, wagers=bet)  # an area lies beside the seat
    apart.do("wager", player(3), 4, wagers=bet)
    assert set(apart.state.round.hands) == {4}


@pytest.mark.parametrize("game", GAMES)
def test_a_free_area_is_offered_to_those_who_sit_beside_it(game: str) -> None:
    table = TestTable(game, TWO_AREAS).opened().seat((3, 5))

    def may_bet(by: Actor) -> list[int | None]:
        found = options(table.rules, table.live.table, by, table.live.moment)
        return [one.position for one in found if one.step == "wager" and not one.reasons]

    assert (may_bet(player(3)), may_bet(player(5))) == ([2, 3, 4], [4, 5, 6])
    table.do("wager", player(3), 4, wagers=money(main="$10"))
    assert (may_bet(player(3)), may_bet(player(5))) == ([3, 4], [5, 6])


@pytest.mark.parametrize("game", GAMES)
def test_who_leaves_takes_the_wagers_of_both_areas_along_before_the_cards(game: str) -> None:
    table = TestTable(game, TWO_AREAS).opened().seat((3, 5))
    for at in (3, 4):
        table.do("wager", player(3), at, wagers=money(main="$10"))
    (event,) = table.do("leave", player(3), 3)
    assert sum(payment.units for payment in value_of(event, "stakes")) == units(cents("$20"))
    assert set(table.state.seats) == {5} and not table.state.round.hands


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bets", [(3, 4), (4,)])
def test_who_leaves_during_the_round_has_left_both_hands(game: str, bets: tuple[int, ...]) -> None:
    table = TestTable(game, TWO_AREAS).opened().seat((3, 5))
    for at in bets:
        table.do("wager", player(3), at, wagers=money(main="$10"))
    (event,) = table.play_on(Phase.SETTING).do("leave", player(3), 3)
    assert event.alerts
    for at in bets:
        table.do("rule_abandoned", FLOOR, at, lost=True, reason="walked away")
    table.play_on(rounds=1)
    assert table.state.rounds == 1 and set(table.state.seats) == {5}


@clause("pa670a.5.d.2.s2")
def test_670a_the_cut_is_offered_to_a_player_not_to_a_second_area() -> None:
    table = TestTable("pa-670a", TWO_AREAS | MANUAL).opened(without=["offer_cut"]).seat((3,))
    table.do("wager", player(3), 4, wagers=money(main="$10"))
    table.play_on(without=["offer_cut", "cut"])
    table.do("offer_cut", DEALER, 3, deck="A")
    table.do("decline_cut", player(3), 3, deck="A")
    assert "pa670a.5.d.2.s2" in table.refused("offer_cut", DEALER, 4, deck="A")
    table.do("cut", DEALER, deck="A", depth=20)


# --- the two hands ------------------------------------------------------------------------------------


def two_areas(game: str, at_3: str, at_4: str) -> TestTable:
    """Play until one player, who bets on two areas, has looked at the cards of both."""
    table = TestTable(game, TWO_AREAS).opened()
    for at, amount in ((3, at_3), (4, at_4)):
        table.do("sit", player(3), at)
        table.do("wager", player(3), at, wagers=money(main=amount))
    return table.play_on(without=["set"])


def advice(table: TestTable, at: int) -> Setting:
    """Return how the house way would set the hand."""
    found: Setting = value_of(table.do("ask_help", player(3), at)[0], "setting")
    return found


@by_chapter(pa575="pa575.7.f.s2", pa659a="pa659a.7.f.s2", pa670a="pa670a.7.f.s2")
def test_the_cards_of_two_areas_are_played_separately(game: str, law: str) -> None:
    table = two_areas(game, "$25", "$10")
    own, other = advice(table, 3), advice(table, 4)
    for part in range(len(own)):
        exchanged = tuple((other[i][0], *own[i][1:]) if i == part else own[i] for i in range(len(own)))
        assert law in table.refused("set", player(3), 3, setting=exchanged)
    table.do("set", player(3), 3, setting=own)
    table.do("set", player(3), 4, setting=other)
    table.play_on(rounds=1)
    assert table.state.last is not None
    hands = table.state.last.hands
    assert not set(hands[3].cards) & set(hands[4].cards)
    assert {p.position for p in table.state.last.payments if p.wager == "main"} == {3, 4}


@by_chapter(pa575="pa575.7.f.s3", pa659a="pa659a.7.f.s3", pa670a="pa670a.7.f.s3")
def test_the_hand_with_the_larger_wager_is_set_first(game: str, law: str) -> None:
    for at_3, at_4, first, second in (
        ("$10", "$25", 4, 3),
        ("$25", "$25.01", 4, 3),
        ("$25.01", "$25", 3, 4),
    ):
        table = two_areas(game, at_3, at_4)
        assert law in table.refused("set", player(3), second, setting=advice(table, second))
        table.do("set", player(3), first, setting=advice(table, first))
        table.do("set", player(3), second, setting=advice(table, second))


@by_chapter(pa575="pa575.7.f.s4", pa659a="pa659a.7.f.s4", pa670a="pa670a.7.f.s4")
def test_with_equal_wagers_the_hands_are_set_counterclockwise(game: str, law: str) -> None:
    table = two_areas(game, "$25", "$25")
    assert law in table.refused("set", player(3), 4, setting=advice(table, 4))
    table.do("set", player(3), 3, setting=advice(table, 3))
    table.do("set", player(3), 4, setting=advice(table, 4))
    apart = two_areas(game, "$25", "$25.01")
    assert law not in apart.refused("set", player(3), 3, setting=advice(apart, 3))


@by_chapter(pa575="pa575.7.f.s5", pa659a="pa659a.7.f.s5", pa670a="pa670a.7.f.s5")
def test_a_hand_set_and_placed_is_not_changed(game: str, law: str) -> None:
    table = two_areas(game, "$25", "$10")
    setting = advice(table, 3)
    table.do("set", player(3), 3, setting=setting)
    turned = ((setting[-1][0], *setting[0][1:]), *setting[1:-1], (setting[0][0],))
    for again in (setting, turned):
        assert law in table.refused("set", player(3), 3, setting=again)
        assert law in table.refused("set", DEALER, 3, setting=again)
    assert table.state.round.hands[3].setting == setting
