"""The players' part of a round: looking, asking, doubling and setting, clause by clause."""

from __future__ import annotations

import pytest

from houseway.cards import parse_cards
from houseway.money import cents
from houseway.rounds.state import CardOrigin, Phase
from tests.games.support import NOTHING
from tests.rounds.books import gained
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import dealt, house_way, looked, looks
from tests.rounds.table import DEALER, TestTable, by_chapter, player, setting

clause = pytest.mark.clause


@by_chapter(pa575="pa575.11.a", pa659a="pa659a.11.a", pa670a="pa670a.11.a.s1")
def test_nobody_looks_at_cards_before_the_deal_is_complete(game: str, law: str) -> None:
    floor = TestTable(game).starting(2, 4, main="$10").play_on(without=["deal"])
    whole = 7 * floor.table.rules.game.hand_cards
    for cards in (whole - 1, 1, 0):
        floor.do("deal", cards=cards) if cards else floor.do("count_stub")
        assert law in floor.hidden(player(2), 2)
        assert law in floor.refused("look", player(2), 2)
    floor.do("collect_empty")
    assert law in floor.do("look", player(2), 2)[0].clauses
    assert len(floor.sees(player(2), 2)) == floor.table.rules.game.hand_cards


@by_chapter(pa575="pa575.11.a.1.s1", pa659a="pa659a.11.a.1.s1", pa670a="pa670a.11.a.1.s1")
def test_a_hand_is_set_by_its_own_player_and_by_no_other(game: str, law: str) -> None:
    floor = looked(game, {3: "winner", 4: "loser"})
    three, four = house_way(floor, 3), house_way(floor, 4)
    assert law in floor.refused("set", player(4), 3, setting=three)
    floor.do("set", player(3), 3, setting=three)
    floor.do("ask_help", player(4), 4)
    floor.do("set", DEALER, 4, setting=four)
    hands = floor.table.round.hands
    assert hands[3].has("placed") and not hands[3].has("by_dealer")
    assert hands[4].has("placed") and hands[4].has("by_dealer")


@by_chapter(pa575="pa575.11.a.1.s1", pa659a="pa659a.11.a.1.s1", pa670a="pa670a.11.a.1.s1")
def test_the_dealer_sets_only_the_hand_of_a_player_who_asked_or_has_left(game: str, law: str) -> None:
    floor = looked(game, {2: "winner", 3: "loser", 4: "quads"})
    two, three, four = (house_way(floor, at) for at in (2, 3, 4))
    for at, wanted in ((2, two), (3, three), (4, four)):
        assert floor.refused("set", DEALER, at, setting=wanted) == (law,)
    floor.do("ask_help", player(3), 3)
    floor.do("leave", player(4), 4)
    assert floor.refused("set", DEALER, 2, setting=two) == (law,)
    floor.do("set", DEALER, 3, setting=three)
    floor.do("set", DEALER, 4, setting=four)
    floor.do("set", player(2), 2, setting=two)
    by_dealer = [at for at, hand in floor.table.round.hands.items() if hand.has("by_dealer")]
    assert by_dealer == [3, 4]


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_help_with_real_cards_is_asked_for_before_the_dealer_sets_the_hand(game: str) -> None:
    floor = TestTable(game, source=CardOrigin.TYPED).opened().seat((2,)).bet(2, main="$10")
    floor.play_on(without=["draw_number"]).do("draw_number", DEALER, number=1)
    floor.play_on(without=["count_stub"]).do("count_stub", left=floor.table.rules.game.stub)
    floor.play_on(without=["set"])
    floor.refused("set", DEALER, 2)
    (event,) = floor.do("ask_help", player(2), 2)
    assert value_of(event, "setting") is None and value_of(event, "way") == floor.rules.submission.house_way
    floor.do("set", DEALER, 2)


@by_chapter(pa575="pa575.11.a.1.s1", pa659a="pa659a.11.a.1.s1", pa670a="pa670a.11.a.1.s2")
def test_no_other_player_touches_or_sees_a_hand(game: str, law: str) -> None:
    floor = dealt(game, {2: "winner", 3: "loser"})
    assert law in floor.refused("look", player(2), 3)
    looks(looks(floor, 2), 3)
    assert law in floor.hidden(player(2), 3)
    assert law in floor.hidden(player(3), 2)
    assert floor.sees(player(3), 3) == floor.table.round.hands[3].cards


@pytest.mark.parametrize(
    ("game", "cards", "advice", "otherwise"),
    [
        pytest.param(
            "pa-575",
            "As Ah Jd Jh Kc 6h 5d",
            "AsAh6h5d / JdJh / Kc",
            "JdJh6h5d / AsKc / Ah",
            marks=clause("pa575.11.a.1.s2"),
        ),
        pytest.param(
            "pa-659a",
            "Qs Qh 8d 8h 7c 3d 2c",
            "QsQh3d2c / 8d8h / 7c",
            "QsQh8d8h / 7c3d / 2c",
            marks=clause("pa659a.11.a.1.s2"),
        ),
        pytest.param(
            "pa-670a",
            "Ks Kh 9d 9s 5h 5d",
            "Kh9d9s5h5d / Ks",
            "KsKh9d9s5h / 5d",
            marks=clause("pa670a.11.a.1.s3"),
        ),
    ],
)
def test_a_player_who_asks_is_told_the_house_way_and_stays_free(
    game: str, cards: str, advice: str, otherwise: str
) -> None:
    floor = TestTable(game).dealt({2: cards}, {2: {"main": "$10"}}).play_on(without=["set"])
    (event,) = floor.do("ask_help", player(2), 2)
    given = [sorted(card.rank for card in part) for part in value_of(event, "setting")]
    assert given == [sorted(card.rank for card in part) for part in setting(advice)]
    assert value_of(event, "way") == floor.table.rules.submission.house_way
    assert floor.table.round.hands[2].has("helped") and floor.table.round.hands[2].setting is None
    floor.do("set", player(2), 2, setting=setting(otherwise))
    assert floor.table.round.hands[2].setting == setting(otherwise)


def test_only_the_player_of_the_hand_asks_for_help_and_after_looking() -> None:
    floor = dealt("pa-670a", {2: "winner", 3: "loser"})
    floor.refused("ask_help", player(2), 2)
    looks(floor, 2)
    floor.refused("ask_help", player(3), 2)
    floor.do("ask_help", player(2), 2)


@by_chapter(pa575="pa575.11.a.3", pa659a="pa659a.11.a.3", pa670a="pa670a.11.a.3")
def test_a_hand_set_and_placed_is_not_touched_again(game: str, law: str) -> None:
    floor = looked(game, {2: "winner", 3: "loser"})
    first = house_way(floor, 2)
    floor.do("set", player(2), 2, setting=first)
    changed = ((*first[0][1:], first[-1][0]), *first[1:-1], (first[0][0],))
    for by in (player(2), DEALER):
        for again in (first, changed):
            assert law in floor.refused("set", by, 2, setting=again)
    assert floor.table.round.hands[2].setting == first
    floor.do("set", player(3), 3, setting=house_way(floor, 3))


@by_chapter(pa575="pa575.11.a.3", pa659a="pa659a.11.a.3", pa670a="pa670a.11.a.3")
def test_a_hand_set_and_placed_is_not_looked_at_again(game: str, law: str) -> None:
    floor = looked(game, {2: "winner", 3: "loser"})
    floor.do("look", player(2), 2)
    floor.do("set", player(2), 2, setting=house_way(floor, 2))
    assert floor.refused("look", player(2), 2) == (law,)
    floor.do("look", player(3), 3)


@by_chapter(pa575="pa575.11.a", pa659a="pa659a.11.a", pa670a="pa670a.11.a.s1")
def test_a_player_looks_at_the_cards_before_setting_them(game: str, law: str) -> None:
    floor = dealt(game, {2: "winner", 3: "loser"})
    looks(floor, 3)
    assert floor.refused("set", player(2), 2, setting=house_way(floor, 2)) == (law,)
    looks(floor, 2)
    if game == "pa-670a":
        floor.do("offer_double")
    floor.do("set", player(2), 2, setting=house_way(floor, 2))


@by_chapter(pa575="pa575.11.f.1.v", pa659a="pa659a.11.f.1.v")
def test_asia_wrong_numbers_of_cards_are_placed_and_lose_but_every_dealt_card_is_placed(
    game: str, law: str
) -> None:
    floor = looked(game, {2: "winner"})
    high, medium, low = house_way(floor, 2)
    for wrong in ((high[1:], medium, low), ((*high, *low), medium, low)):
        floor.refused("set", player(2), 2, setting=wrong)
    floor.do("set", player(2), 2, setting=((*high, medium[0]), medium[1:], low))
    floor.play_on(without=["close_round"])
    assert gained(floor, 2) == 0
    assert law in floor.last("settle").clauses


@clause("pa670a.11.b.s1")
def test_670a_exactly_one_of_the_six_cards_is_the_low_hand() -> None:
    floor = looked("pa-670a", {2: "winner"})
    cards = parse_cards("As Ah 9c 6h 3h Kd")
    for low in (0, 2):
        parts = (cards[: 6 - low], cards[6 - low :])
        assert "pa670a.11.b.s1" in floor.refused("set", player(2), 2, setting=parts)
    (event,) = floor.do("set", player(2), 2, setting=(cards[:5], cards[5:]))
    assert "pa670a.11.b.s1" in event.clauses


@clause("pa670a.11.c")
def test_670a_the_double_down_is_offered_once_and_after_every_player_has_looked() -> None:
    floor = dealt("pa-670a", {2: "winner", 5: "loser"}, {2: {"main": "$25"}, 5: {"main": "$25"}})
    looks(floor, 2)
    assert "pa670a.11.c" in floor.refused("offer_double")
    assert "pa670a.11.c" in floor.refused("double_down", player(2), 2, amount=cents("$25"))
    looks(floor, 5)
    assert "pa670a.11.c" in floor.refused("double_down", player(2), 2, amount=cents("$25"))
    assert "pa670a.11.c" in floor.do("offer_double")[0].clauses
    floor.refused("offer_double")
    for amount in ("$24.99", "$25.01", "$50"):
        floor.refused("double_down", player(2), 2, amount=cents(amount))
    floor.do("double_down", player(2), 2, amount=cents("$25"))
    floor.refused("double_down", player(2), 2, amount=cents("$25"))
    floor.refused("double_down", player(2), 5, amount=cents("$25"))
    assert floor.table.round.hands[2].amount("double_down") == cents("$25")


@clause("pa670a.11.c")
def test_670a_the_double_down_is_open_after_setting_until_the_dealers_cards_are_turned() -> None:
    floor = looked("pa-670a", {2: "winner", 5: "loser"}, {2: {"main": "$25"}, 5: {"main": "$25"}})
    for at in (2, 5):
        floor.do("set", player(at), at, setting=house_way(floor, at))
    floor.do("double_down", player(5), 5, amount=cents("$25"))
    floor.do("turn_over")
    assert "pa670a.11.c" in floor.refused("double_down", player(2), 2, amount=cents("$25"))
    floor.play_on(Phase.SETTLING)
    assert "pa670a.11.c" in floor.refused("double_down", player(2), 2, amount=cents("$25"))
    assert floor.table.round.hands[5].amount("double_down") == cents("$25")
    assert not floor.table.round.hands[2].amount("double_down")


def test_670a_no_double_down_is_offered_where_the_table_does_not_have_it() -> None:
    floor = looked("pa-670a", {2: "winner"}, changes={"wagers.double_down": NOTHING})
    floor.refused("offer_double")
    floor.refused("double_down", player(2), 2, amount=cents("$10"))


def test_670a_the_dealer_does_not_turn_over_before_the_double_down_is_offered() -> None:
    floor = dealt("pa-670a", {2: "winner"})
    looks(floor, 2).do("set", player(2), 2, setting=house_way(floor, 2))
    assert "pa670a.11.c" in floor.refused("turn_over")
