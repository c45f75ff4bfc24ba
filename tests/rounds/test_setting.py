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
    table = TestTable(game).starting(2, 4, main="$10").play_on(without=["deal"])
    whole = 7 * table.state.rules.game.hand_cards
    for cards in (whole - 1, 1, 0):
        table.do("deal", cards=cards) if cards else table.do("count_stub")
        assert law in table.hidden(player(2), 2)
        assert law in table.refused("look", player(2), 2)
    table.do("collect_empty")
    assert law in table.do("look", player(2), 2)[0].clauses
    assert len(table.sees(player(2), 2)) == table.state.rules.game.hand_cards


@by_chapter(pa575="pa575.11.a.1.s1", pa659a="pa659a.11.a.1.s1", pa670a="pa670a.11.a.1.s1")
def test_a_hand_is_set_by_its_own_player_and_by_no_other(game: str, law: str) -> None:
    table = looked(game, {3: "winner", 4: "loser"})
    three, four = house_way(table, 3), house_way(table, 4)
    assert law in table.refused("set", player(4), 3, setting=three)
    table.do("set", player(3), 3, setting=three)
    table.do("ask_help", player(4), 4)
    table.do("set", DEALER, 4, setting=four)
    hands = table.state.round.hands
    assert hands[3].has("placed") and not hands[3].has("by_dealer")
    assert hands[4].has("placed") and hands[4].has("by_dealer")


@by_chapter(pa575="pa575.11.a.1.s1", pa659a="pa659a.11.a.1.s1", pa670a="pa670a.11.a.1.s1")
def test_the_dealer_sets_only_the_hand_of_a_player_who_asked_or_has_left(game: str, law: str) -> None:
    table = looked(game, {2: "winner", 3: "loser", 4: "quads"})
    two, three, four = (house_way(table, at) for at in (2, 3, 4))
    for at, wanted in ((2, two), (3, three), (4, four)):
        assert table.refused("set", DEALER, at, setting=wanted) == (law,)
    table.do("ask_help", player(3), 3)
    table.do("leave", player(4), 4)
    assert table.refused("set", DEALER, 2, setting=two) == (law,)
    table.do("set", DEALER, 3, setting=three)
    table.do("set", DEALER, 4, setting=four)
    table.do("set", player(2), 2, setting=two)
    by_dealer = [at for at, hand in table.state.round.hands.items() if hand.has("by_dealer")]
    assert by_dealer == [3, 4]


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_help_with_real_cards_is_asked_for_before_the_dealer_sets_the_hand(game: str) -> None:
    table = TestTable(game, source=CardOrigin.TYPED).opened().seat((2,)).bet(2, main="$10")
    table.play_on(without=["draw_number"]).do("draw_number", DEALER, number=1)
    table.play_on(without=["count_stub"]).do("count_stub", left=table.state.rules.game.stub)
    table.play_on(without=["set"])
    table.refused("set", DEALER, 2)
    (event,) = table.do("ask_help", player(2), 2)
    assert value_of(event, "setting") is None and value_of(event, "way") == table.rules.submission.house_way
    table.do("set", DEALER, 2)


@by_chapter(pa575="pa575.11.a.1.s1", pa659a="pa659a.11.a.1.s1", pa670a="pa670a.11.a.1.s2")
def test_no_other_player_touches_or_sees_a_hand(game: str, law: str) -> None:
    table = dealt(game, {2: "winner", 3: "loser"})
    assert law in table.refused("look", player(2), 3)
    looks(looks(table, 2), 3)
    assert law in table.hidden(player(2), 3)
    assert law in table.hidden(player(3), 2)
    assert table.sees(player(3), 3) == table.state.round.hands[3].cards


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
    table = TestTable(game).dealt({2: cards}, {2: {"main": "$10"}}).play_on(without=["set"])
    (event,) = table.do("ask_help", player(2), 2)
    given = [sorted(card.rank for card in part) for part in value_of(event, "setting")]
    assert given == [sorted(card.rank for card in part) for part in setting(advice)]
    assert value_of(event, "way") == table.state.rules.submission.house_way
    assert table.state.round.hands[2].has("helped") and table.state.round.hands[2].setting is None
    table.do("set", player(2), 2, setting=setting(otherwise))
    assert table.state.round.hands[2].setting == setting(otherwise)


def test_only_the_player_of_the_hand_asks_for_help_and_after_looking() -> None:
    table = dealt("pa-670a", {2: "winner", 3: "loser"})
    table.refused("ask_help", player(2), 2)
    looks(table, 2)
    table.refused("ask_help", player(3), 2)
    table.do("ask_help", player(2), 2)


@by_chapter(pa575="pa575.11.a.3", pa659a="pa659a.11.a.3", pa670a="pa670a.11.a.3")
def test_a_hand_set_and_placed_is_not_touched_again(game: str, law: str) -> None:
    table = looked(game, {2: "winner", 3: "loser"})
    first = house_way(table, 2)
    table.do("set", player(2), 2, setting=first)
    changed = ((*first[0][1:], first[-1][0]), *first[1:-1], (first[0][0],))
    for by in (player(2), DEALER):
        for again in (first, changed):
            assert law in table.refused("set", by, 2, setting=again)
    assert table.state.round.hands[2].setting == first
    table.do("set", player(3), 3, setting=house_way(table, 3))


@by_chapter(pa575="pa575.11.a.3", pa659a="pa659a.11.a.3", pa670a="pa670a.11.a.3")
def test_a_hand_set_and_placed_is_not_looked_at_again(game: str, law: str) -> None:
    table = looked(game, {2: "winner", 3: "loser"})
    table.do("look", player(2), 2)
    table.do("set", player(2), 2, setting=house_way(table, 2))
    assert table.refused("look", player(2), 2) == (law,)
    table.do("look", player(3), 3)


@by_chapter(pa575="pa575.11.a", pa659a="pa659a.11.a", pa670a="pa670a.11.a.s1")
def test_a_player_looks_at_the_cards_before_setting_them(game: str, law: str) -> None:
    table = dealt(game, {2: "winner", 3: "loser"})
    looks(table, 3)
    assert table.refused("set", player(2), 2, setting=house_way(table, 2)) == (law,)
    looks(table, 2)
    if game == "pa-670a":
        table.do("offer_double")
    table.do("set", player(2), 2, setting=house_way(table, 2))


@by_chapter(pa575="pa575.11.f.1.v", pa659a="pa659a.11.f.1.v")
def test_asia_wrong_numbers_of_cards_are_placed_and_lose_but_every_dealt_card_is_placed(
    game: str, law: str
) -> None:
    table = looked(game, {2: "winner"})
    high, medium, low = house_way(table, 2)
    for wrong in ((high[1:], medium, low), ((*high, *low), medium, low)):
        table.refused("set", player(2), 2, setting=wrong)
    table.do("set", player(2), 2, setting=((*high, medium[0]), medium[1:], low))
    table.play_on(without=["close_round"])
    assert gained(table, 2) == 0
    assert law in table.last("settle").clauses


@clause("pa670a.11.b.s1")
def test_670a_exactly_one_of_the_six_cards_is_the_low_hand() -> None:
    table = looked("pa-670a", {2: "winner"})
    cards = parse_cards("As Ah 9c 6h 3h Kd")
    for low in (0, 2):
        parts = (cards[: 6 - low], cards[6 - low :])
        assert "pa670a.11.b.s1" in table.refused("set", player(2), 2, setting=parts)
    (event,) = table.do("set", player(2), 2, setting=(cards[:5], cards[5:]))
    assert "pa670a.11.b.s1" in event.clauses


@clause("pa670a.11.c")
def test_670a_the_double_down_is_offered_once_and_after_every_player_has_looked() -> None:
    table = dealt("pa-670a", {2: "winner", 5: "loser"}, {2: {"main": "$25"}, 5: {"main": "$25"}})
    looks(table, 2)
    assert "pa670a.11.c" in table.refused("offer_double")
    assert "pa670a.11.c" in table.refused("double_down", player(2), 2, amount=cents("$25"))
    looks(table, 5)
    assert "pa670a.11.c" in table.refused("double_down", player(2), 2, amount=cents("$25"))
    assert "pa670a.11.c" in table.do("offer_double")[0].clauses
    table.refused("offer_double")
    for amount in ("$24.99", "$25.01", "$50"):
        table.refused("double_down", player(2), 2, amount=cents(amount))
    table.do("double_down", player(2), 2, amount=cents("$25"))
    table.refused("double_down", player(2), 2, amount=cents("$25"))
    table.refused("double_down", player(2), 5, amount=cents("$25"))
    assert table.state.round.hands[2].amount("double_down") == cents("$25")


@clause("pa670a.11.c")
def test_670a_the_double_down_is_open_after_setting_until_the_dealers_cards_are_turned() -> None:
    table = looked("pa-670a", {2: "winner", 5: "loser"}, {2: {"main": "$25"}, 5: {"main": "$25"}})
    for at in (2, 5):
        table.do("set", player(at), at, setting=house_way(table, at))
    table.do("double_down", player(5), 5, amount=cents("$25"))
    table.do("turn_over")
    assert "pa670a.11.c" in table.refused("double_down", player(2), 2, amount=cents("$25"))
    table.play_on(Phase.SETTLING)
    assert "pa670a.11.c" in table.refused("double_down", player(2), 2, amount=cents("$25"))
    assert table.state.round.hands[5].amount("double_down") == cents("$25")
    assert not table.state.round.hands[2].amount("double_down")


def test_670a_no_double_down_is_offered_where_the_table_does_not_have_it() -> None:
    table = looked("pa-670a", {2: "winner"}, changes={"wagers.double_down": NOTHING})
    table.refused("offer_double")
    table.refused("double_down", player(2), 2, amount=cents("$10"))


def test_670a_the_dealer_does_not_turn_over_before_the_double_down_is_offered() -> None:
    table = dealt("pa-670a", {2: "winner"})
    looks(table, 2).do("set", player(2), 2, setting=house_way(table, 2))
    assert "pa670a.11.c" in table.refused("turn_over")
