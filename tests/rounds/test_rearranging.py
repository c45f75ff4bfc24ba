"""Hands rearranged into their best for bonus wagers, and hands kept face up while others envy them."""

from __future__ import annotations

import pytest

from houseway.ledger import units
from houseway.money import cents
from houseway.rounds.live import SETTLING
from houseway.rounds.state import Phase
from tests.rounds.books import agrees_with_settlement, gained, net
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import BONUS, Bets, dealt, looks
from tests.rounds.table import DEALER, FLOOR, TestTable, by_chapter, player, setting

clause = pytest.mark.clause


def settling(game: str, hands: dict[int, str], bets: Bets | None = None) -> TestTable:
    """Play to the moment the first hand is to be opened."""
    return dealt(game, hands, bets).play_on(Phase.SETTLING)


def open_and_rearrange(table: TestTable, at: int) -> TestTable:
    """Open a hand, settle its main wager and rearrange it."""
    table.do("reveal", at=at)
    table.do("settle", at=at, wager="main")
    table.do("rearrange", at=at)
    return table


def rearranged(table: TestTable) -> list[int | None]:
    """Return the positions whose hands were rearranged, in order."""
    return [event.position for event in table.log if event.step == "rearrange"]


def announced(table: TestTable) -> dict[int | None, tuple[str, ...]]:
    """Return the hands that the dealer said others envy, and on which wagers."""
    said = {e.position: value_of(e, "announced") for e in table.log if e.step == "rearrange"}
    return {at: wagers for at, wagers in said.items() if wagers}


SET_BADLY = {
    "pa-575": ("KsKh5s4d / 9c9d / Kd", "9c9d5s4d / KsKh / Kd", "$30"),
    "pa-659a": ("KsKh5s4d / 9c9d / Kd", "9c9d5s4d / KsKh / Kd", "$30"),
    "pa-670a": ("7s7dKsKhKc / 2h", "KsKh7s7d2h / Kc", "$80"),
}


@by_chapter(pa575="pa575.11.h", pa659a="pa659a.11.h.s1", pa670a="pa670a.11.h.s1")
def test_a_bonus_is_settled_on_the_best_hand_of_all_the_cards_however_they_were_set(
    game: str, law: str
) -> None:
    wager = BONUS[game]
    well, badly, pays = SET_BADLY[game]
    for how in (well, badly):
        table = dealt(game, {2: "full_house"}, {2: {wager: "$5"}})
        looks(table, 2).do("set", player(2), 2, setting=setting(how))
        table.play_on(Phase.SETTLING)
        assert law in table.refused("rearrange", at=2)
        table.do("reveal", at=2)
        table.do("settle", at=2, wager="main")
        assert law in table.refused("settle", at=2, wager=wager)
        before = gained(table, 2)
        (event,) = table.do("rearrange", at=2)
        assert law in event.clauses and value_of(event, "made") == {wager: "full_house"}
        table.do("settle", at=2, wager=wager)
        assert gained(table, 2) - before == cents(pays)
        if game != "pa-670a":
            assert value_of(table.last("reveal"), "announced") == ("win" if how == well else "lose")
        assert agrees_with_settlement(table.play_on(rounds=1))


@by_chapter(pa575="pa575.11.h", pa659a="pa659a.11.h.s1", pa670a="pa670a.11.h.s1")
def test_a_bonus_waits_for_the_rearrangement_also_where_no_wager_is_named(game: str, law: str) -> None:
    table = settling(game, {2: "full_house"}, {2: {BONUS[game]: "$5"}})
    table.do("reveal", at=2)
    table.do("settle", at=2)
    assert [*table.state.round.hands[2].settled] == ["main"]
    assert law in table.refused("settle", at=2)
    table.do("rearrange", at=2)
    table.do("settle", at=2)
    assert {*table.state.round.hands[2].settled} == {"main", BONUS[game]}


@clause("pa575.11.h")
def test_575_the_cards_stay_on_the_table_until_they_are_rearranged() -> None:
    table = settling("pa-575", {2: "full_house"}, {2: {"bonus": "$5"}})
    table.do("reveal", at=2)
    table.do("settle", at=2, wager="main")
    assert "pa575.11.h" in table.refused("rack", at=2)
    table.do("rearrange", at=2)
    assert "pa575.11.h" not in table.refused("rack", at=2)
    table.do("settle", at=2, wager="bonus")
    table.do("rack", at=2)


@clause("pa659a.11.h.s2")
def test_659a_one_qualifying_wager_has_every_hand_rearranged() -> None:
    hands = {2: "loser", 4: "winner", 7: "full_house"}
    table = settling("pa-659a", hands, {2: {"fortune": "$5"}})
    assert rearranged(table.play_on(rounds=1)) == [2, 4, 7]
    table = settling("pa-659a", hands, {2: {"fortune": "$4"}})
    assert rearranged(table.play_on(rounds=1)) == [2]
    table = settling("pa-659a", hands, {4: {"insurance": "$5"}, 7: {"progressive": "$1"}})
    assert rearranged(table.play_on(rounds=1)) == [4, 7]


@clause("pa670a.11.h.s2")
def test_670a_one_fortune_or_progressive_wager_has_every_hand_rearranged() -> None:
    hands = {2: "loser", 4: "winner", 6: "full_house"}
    for wager in ({"fortune": "$1"}, {"progressive": "$1"}):
        table = settling("pa-670a", hands, {2: wager})
        assert rearranged(table.play_on(rounds=1)) == [2, 4, 6]
        assert agrees_with_settlement(table)
    table = settling("pa-670a", hands, {2: {"insurance": "$5"}, 4: {"insurance": "$5"}})
    assert rearranged(table.play_on(rounds=1)) == [2, 4]


@by_chapter(pa659a="pa659a.11.h.1.i.b.s2", pa670a="pa670a.11.h.1.i.b.s2")
def test_an_envied_hand_is_announced_and_stays_face_up_until_the_envy_is_paid(game: str, law: str) -> None:
    held = "quads" if game == "pa-659a" else "full_house"
    table = settling(game, {2: "loser", 4: held, 6: "winner"}, {2: {"fortune": "$5"}, 4: {"fortune": "$5"}})
    table.play_on(without=["pay_envy"])
    assert announced(table) == {4: ("fortune",)}
    assert table.state.round.hands[4].has("held") and not table.state.round.hands[4].has("racked")
    assert law in table.refused("rack", at=4)
    assert table.sees(player(6), 4) == table.state.round.hands[4].cards
    assert table.state.round.hands[6].has("racked")
    assert "envy is owed" in [problem.reason for problem in table.problems("close_round")]
    table.do("pay_envy", wager="fortune")
    assert "envy is owed" not in [problem.reason for problem in table.problems("close_round")]
    table.do("rack", at=4)
    paid = [(p.person, p.units) for p in value_of(table.last("pay_envy"), "payments")]
    assert paid == [("Ann", units(cents("$5" if game == "pa-659a" else "$25")))]
    assert agrees_with_settlement(table.play_on(rounds=1))


@by_chapter(pa659a="pa659a.11.h.1.i.c", pa670a="pa670a.11.h.1.i.c")
def test_a_hand_without_a_fortune_wager_is_envied_too(game: str, law: str) -> None:
    held, pays = ("straight_flush", "$20") if game == "pa-659a" else ("full_house", "$25")
    table = settling(
        game, {2: "winner" if game == "pa-670a" else "five_aces", 5: held}, {2: {"fortune": "$5"}}
    )
    table.play_on(without=["pay_envy"])
    alone = {2: ("fortune",)} if game == "pa-659a" else {}  # his five aces nobody else has a wager on
    assert announced(table) == {5: ("fortune",)} | alone
    table.refused("rack", at=5)
    assert table.sees(player(2), 5) == table.state.round.hands[5].cards
    table.play_on(rounds=1)
    (envy,) = value_of(table.last("pay_envy"), "payments")
    assert (envy.person, envy.units) == ("Ann", units(cents(pays)))
    assert gained(table, 5) == cents("$20" if game == "pa-659a" else "$10")  # the main wager alone
    assert agrees_with_settlement(table)


@by_chapter(pa659a="pa659a.11.h.1.i.b.s2", pa670a="pa670a.11.h.1.i.b.s2")
def test_an_envied_hand_of_the_only_bettor_stays_face_up_though_nobody_is_owed(game: str, law: str) -> None:
    table = settling(game, {2: "quads", 5: "loser"}, {2: {"fortune": "$5"}})
    open_and_rearrange(table, 2)
    assert announced(table) == {2: ("fortune",)} and law in table.last("rearrange").clauses
    table.do("settle", at=2, wager="fortune")
    assert law in table.refused("rack", at=2)
    table.do("reveal", at=5)
    table.do("settle", at=5, wager="main")
    assert law in table.refused("rack", at=2)
    assert table.sees(player(5), 2) == table.state.round.hands[2].cards
    table.do("rearrange", at=5)
    table.refused("pay_envy", wager="fortune")
    table.do("rack", at=2)
    assert "pay_envy" not in table.play_on(rounds=1).steps()
    assert agrees_with_settlement(table)


@by_chapter(pa659a="pa659a.11.h.1.i.b.s2", pa670a="pa670a.11.h.1.i.b.s2")
def test_an_envied_hand_stays_until_a_later_hand_has_earned_its_player_envy_too(game: str, law: str) -> None:
    held = "five_aces" if game == "pa-659a" else "full_house"
    table = settling(game, {2: "quads", 5: held}, {2: {"fortune": "$5"}})
    table.play_on(without=["pay_envy"])
    assert law in table.refused("rack", at=2)
    table.refused("rack", at=5)
    table.do("pay_envy", wager="fortune")
    table.do("rack", at=2)
    assert agrees_with_settlement(table.play_on(rounds=1))


@by_chapter(pa659a="pa659a.11.h.1.i.c", pa670a="pa670a.11.h.1.i.c")
def test_the_acknowledgement_cites_the_sentence_that_asks_for_it(game: str, law: str) -> None:
    table = settling(game, {2: "loser", 5: "quads"}, {2: {"fortune": "$5"}})
    table.play_on(without=["pay_envy"])
    cited = {event.position: law in event.clauses for event in table.log if event.step == "rearrange"}
    assert cited == {2: False, 5: True}


@pytest.mark.clause("pa670a.11.h.3.i.c")
def test_670a_a_hand_envied_for_the_progressive_alone_stays_until_that_is_settled() -> None:
    table = settling("pa-670a", {2: "quads", 5: "loser"}, {2: {"progressive": "$1"}})
    open_and_rearrange(table, 2)
    assert "pa670a.11.h.3.i.c" in table.last("rearrange").clauses
    for step, by, details in (
        ("verify_win", DEALER, {"hand": "four_of_a_kind"}),
        ("verify_light", DEALER, {"lit": True}),
        ("validate_win", FLOOR, {}),
        ("settle", DEALER, {"wager": "progressive"}),
    ):
        table.do(step, by, 2, **details)
    assert "pa670a.11.h.3.i.c" in table.refused("rack", at=2)
    assert agrees_with_settlement(table.play_on(rounds=1))


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_a_table_that_plays_by_itself_keeps_such_a_hand_and_ends_the_round(game: str) -> None:
    table = settling(game, {2: "quads", 5: "loser"}, {2: {"fortune": "$5"}}).force(automated=SETTLING)
    assert agrees_with_settlement(table.play_on(rounds=1))


@pytest.mark.parametrize(
    ("game", "held"), [("pa-659a", "full_house"), ("pa-670a", "trips")], ids=["659a", "670a"]
)
def test_a_hand_below_the_envied_ones_is_racked_at_once(game: str, held: str) -> None:
    table = settling(game, {2: "loser", 5: held}, {2: {"fortune": "$5"}, 5: {"fortune": "$5"}})
    table.play_on(rounds=1)
    assert announced(table) == {} and "pay_envy" not in table.steps()
    assert agrees_with_settlement(table)


@clause("pa659a.11.h.1.ii.s1")
def test_659a_envy_is_paid_after_the_last_fortune_wager_is_settled() -> None:
    hands = {2: "loser", 4: "quads", 7: "winner"}
    table = settling("pa-659a", hands, {2: {"fortune": "$5"}, 7: {"fortune": "$5", "insurance": "$5"}})
    open_and_rearrange(table, 2).do("settle", at=2, wager="fortune")
    table.do("rack", at=2)
    open_and_rearrange(table, 4)
    assert "pa659a.11.h.1.ii.s1" in table.refused("pay_envy", wager="fortune")
    open_and_rearrange(table, 7)
    assert "pa659a.11.h.1.ii.s1" in table.refused("pay_envy", wager="fortune")
    table.do("settle", at=7, wager="fortune")
    before = net(table.state.round.payments)
    table.do("pay_envy", wager="fortune")
    after = net(table.state.round.payments)
    for person in ("player:Ann", "player:Finn"):
        assert after[person] - before.get(person, 0) == units(cents("$5"))
    table.refused("pay_envy", wager="fortune")
    assert agrees_with_settlement(table.play_on(rounds=1))


def test_670a_a_full_house_held_by_two_players_is_envied_by_each_of_the_others() -> None:
    hands = {2: "full_house", 4: "quads", 6: "winner"}
    bets: Bets = {2: {"fortune": "$5", "progressive": "$1"}, 6: {"fortune": "$5", "progressive": "$1"}}
    table = settling("pa-670a", hands, bets)
    table.play_on(rounds=1)
    assert announced(table) == {2: ("fortune",), 4: ("fortune", "progressive")}
    envy = [p for e in table.log if e.step == "pay_envy" for p in value_of(e, "payments")]
    found = sorted((p.person, p.wager, p.units // units(cents("$1"))) for p in envy)
    assert found == [
        ("Ann", "fortune", 75),
        ("Ann", "progressive", 5),
        ("Eve", "fortune", 25),
        ("Eve", "fortune", 75),
        ("Eve", "progressive", 5),
    ]
    assert agrees_with_settlement(table)


# --- a royal flush by a reading -------------------------------------------------------------------


ROYAL = "pa670a.6.b.2.s3"


@clause(ROYAL)
def test_670a_the_floor_reviews_a_royal_flush_that_the_joker_completes_before_it_is_paid() -> None:
    bets: Bets = {4: {"fortune": "$5", "insurance": "$5", "progressive": "$1"}}
    table = open_and_rearrange(settling("pa-670a", {4: "joker_royal"}, bets), 4)
    assert ROYAL in table.refused("settle", at=4, wager="fortune")
    assert ROYAL in table.refused("settle", at=4)
    for by in (DEALER, player(4)):
        table.refused("review_royal", by, 4)
    (event,) = table.do("review_royal", FLOOR, 4)
    assert event.clauses == (ROYAL,)
    table.refused("review_royal", FLOOR, 4)
    (event,) = table.do("settle", at=4, wager="fortune")
    assert net(value_of(event, "payments"))["player:Cleo"] == units(cents("$1,255"))
    assert agrees_with_settlement(table.play_on(rounds=1))


def test_670a_a_table_that_settles_by_itself_waits_for_the_review_of_such_a_royal_flush() -> None:
    table = settling("pa-670a", {4: "joker_royal"}, {4: {"fortune": "$5"}}).force(automated=SETTLING)
    assert [event.step for event in table.do("reveal", at=4)] == ["reveal", "settle", "rearrange"]
    assert table.state.round.hands[4].settled == {"main"}
    table.do("review_royal", FLOOR, 4)
    table.do("settle", at=4, wager="fortune")
    assert agrees_with_settlement(table.play_on(rounds=1))


@clause(ROYAL)
def test_670a_the_envy_of_such_a_royal_flush_waits_for_the_review_too() -> None:
    table = settling("pa-670a", {2: "loser", 4: "joker_royal"}, {2: {"fortune": "$5"}})
    table.play_on(without=["review_royal"])
    assert ROYAL in table.refused("pay_envy", wager="fortune")
    table.do("review_royal", FLOOR, 4)
    table.do("pay_envy", wager="fortune")
    assert agrees_with_settlement(table.play_on(rounds=1))


@pytest.mark.parametrize("held", ["royal_flush", "listed_royal", "straight_flush"])
def test_670a_a_royal_flush_that_the_law_lists_is_not_reviewed(held: str) -> None:
    table = open_and_rearrange(settling("pa-670a", {4: held}, {4: {"fortune": "$5"}}), 4)
    table.refused("review_royal", FLOOR, 4)
    table.do("settle", at=4, wager="fortune")


def test_670a_by_the_strict_reading_there_is_nothing_to_review() -> None:
    strict = {"readings.six_joker_royal": "listed_only"}
    table = dealt("pa-670a", {4: "joker_royal"}, {4: {"fortune": "$5"}}, strict).play_on(Phase.SETTLING)
    open_and_rearrange(table, 4).refused("review_royal", FLOOR, 4)
    table.do("settle", at=4, wager="fortune")


# --- what comes before ----------------------------------------------------------------------------


@clause("pa670a.11.g.s1")
def test_670a_the_double_down_is_settled_before_the_cards_are_rearranged() -> None:
    table = dealt("pa-670a", {2: "winner"}, {2: {"fortune": "$5"}}).play_on(without=["set", "turn_over"])
    table.do("double_down", player(2), 2)
    table.play_on(Phase.SETTLING).do("reveal", at=2)
    table.do("settle", at=2, wager="main")
    assert "pa670a.11.g.s1" in table.refused("rearrange", at=2)
    table.do("settle", at=2, wager="double_down")
    table.do("rearrange", at=2)
    assert agrees_with_settlement(table.play_on(rounds=1))


# --- acknowledged whoever has bet -----------------------------------------------------------------


@clause("pa670a.11.h.1.i.b.s2")
def test_670a_an_envied_hand_with_a_fortune_wager_is_acknowledged_whatever_others_bet() -> None:
    for stake in ("$1", "$5"):
        table = settling("pa-670a", {2: "loser", 4: "full_house"}, {4: {"fortune": stake}})
        assert announced(table.play_on(rounds=1)) == {4: ("fortune",)}
        assert "pay_envy" not in table.steps() and agrees_with_settlement(table)


@clause("pa670a.11.h.1.i.c")
def test_670a_an_envied_hand_without_a_fortune_wager_is_acknowledged_though_nobody_qualifies() -> None:
    for wager in ({"fortune": "$1"}, {"progressive": "$1"}):
        table = settling("pa-670a", {2: "loser", 4: "full_house"}, {2: wager})
        assert announced(table.play_on(rounds=1)) == {4: ("fortune",)}
        assert "pay_envy" not in table.steps() and agrees_with_settlement(table)


def test_659a_an_envied_hand_is_acknowledged_only_if_somebody_placed_a_qualifying_wager() -> None:
    table = settling("pa-659a", {2: "loser", 4: "quads"}, {4: {"fortune": "$4"}})
    assert announced(table.play_on(rounds=1)) == {}
