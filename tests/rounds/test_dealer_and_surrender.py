"""The dealer's hand turned over, set and, if wrong, set again; and surrender, clause by clause."""

from __future__ import annotations

import pytest

from houseway.law import Severity
from houseway.ledger import units
from houseway.money import cents
from houseway.rounds.state import Phase, Round
from houseway.settlement import PaymentKind, Status
from tests.games.support import Changes
from tests.rounds.books import agrees_with_settlement, gained, net, recorded
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import BONUS, Bets, dealt, house_way, looked, rebuilt
from tests.rounds.table import DEALER, FLOOR, NAMES, TestTable, by_chapter, player, setting

clause = pytest.mark.clause


def dealer_set(game: str, hands: dict[int, str], bets: Bets | None = None) -> TestTable:
    """Play to the moment the dealer's hand is set, the players' set the house way."""
    return dealt(game, hands, bets).play_on(Phase.SETTLING)


@by_chapter(pa575="pa575.11.c.s1", pa659a="pa659a.11.c.s1", pa670a="pa670a.11.d.s1")
def test_the_dealer_turns_over_when_every_player_has_set_and_placed(game: str, law: str) -> None:
    table = looked(game, {2: "winner", 5: "loser"})
    assert law in table.refused("turn_over")
    table.do("set", player(2), 2, setting=house_way(table, 2))
    assert law in table.refused("turn_over", DEALER)
    table.hidden(player(2), 1)
    table.do("set", player(5), 5, setting=house_way(table, 5))
    assert law in table.do("turn_over")[0].clauses
    assert len(table.sees(player(2), 1)) == table.state.rules.game.hand_cards


@clause("pa670a.11.d.s1")
def test_670a_nobody_sees_the_dealers_cards_while_a_hand_is_still_to_be_set() -> None:
    table = looked("pa-670a", {2: "winner", 6: "loser"})
    table.do("set", player(2), 2, setting=house_way(table, 2))
    for viewer in (player(2), DEALER, FLOOR):
        assert "pa670a.11.d.s1" in table.hidden(viewer, 1)
    table.do("set", player(6), 6, setting=house_way(table, 6))
    table.do("turn_over")
    assert table.sees(player(2), 1) == table.state.round.dealer_cards


@by_chapter(pa575="pa575.11.c.s3", pa659a="pa659a.11.c.s3")
def test_the_dealers_three_hands_lie_open_to_everybody(game: str, law: str) -> None:
    table = dealt(game, {2: "winner", 5: "loser"}).play_on(Phase.DEALER)
    (event,) = table.do("set_dealer")
    assert law in event.clauses
    assert value_of(event, "setting") == table.state.round.dealer_setting == setting("QsQh3d2c / 8h8d / 7c")
    for viewer in (player(2), player(5), player(7), DEALER, FLOOR):
        assert set(table.sees(viewer, 1)) == {c for part in value_of(event, "setting") for c in part}


# --- surrender -------------------------------------------------------------------------------------


@by_chapter(pa575="pa575.11.d.s1", pa659a="pa659a.11.d.s1")
def test_surrender_is_open_once_the_dealers_hands_are_set(game: str, law: str) -> None:
    table = looked(game, {2: "loser", 3: "winner"})
    assert law in table.refused("surrender", player(2), 2)
    table.play_on(Phase.DEALER)
    assert law in table.refused("surrender", player(2), 2)
    table.do("set_dealer")
    table.refused("surrender", player(3), 2)
    table.do("surrender", player(2), 2)
    table.refused("surrender", player(2), 2)
    assert net(table.state.round.payments)["inventory"] == units(cents("$10"))


OPTIONAL = [
    pytest.param("pa-575", {"bonus": "$5"}, "pa575.11.d.s1", marks=clause("pa575.11.d.s1")),
    *(
        pytest.param("pa-659a", wager, "pa659a.11.d.s1", marks=clause("pa659a.11.d.s1"))
        for wager in ({"fortune": "$1"}, {"insurance": "$1"}, {"progressive": "$1"})
    ),
]


@pytest.mark.parametrize(("game", "wager", "law"), OPTIONAL)
def test_a_player_with_an_optional_wager_may_not_surrender(
    game: str, wager: dict[str, str], law: str
) -> None:
    table = dealer_set(game, {2: "loser", 3: "winner"}, {2: wager})
    assert law in table.refused("surrender", player(2), 2)
    table.do("surrender", player(3), 3)
    assert agrees_with_settlement(table.play_on(rounds=1))


@by_chapter(pa575="pa575.11.d.s2", pa659a="pa659a.11.d.s2")
@pytest.mark.parametrize("part", ["high", "medium", "low"])
def test_surrender_closes_when_any_of_the_players_hands_is_exposed(game: str, law: str, part: str) -> None:
    table = dealer_set(game, {3: "loser", 5: "winner"})
    table.do("reveal", at=3, parts=(part,))
    assert law in table.refused("surrender", player(3), 3)
    table.do("surrender", player(5), 5)
    assert table.state.round.hands[5].status is Status.SURRENDERED


@by_chapter(pa575="pa575.11.d.s4", pa659a="pa659a.11.d.s4")
def test_surrendered_cards_are_shown_to_nobody(game: str, law: str) -> None:
    table = dealer_set(game, {3: "quads", 5: "winner"})
    table.do("surrender", player(3), 3)
    for viewer in (player(3), player(5), DEALER, FLOOR):
        assert law in table.hidden(viewer, 3)
    table.do("count_surrendered", at=3, cards=7)
    table.do("rack", at=3)
    for viewer in (player(3), player(5), DEALER, FLOOR):
        assert law in table.hidden(viewer, 3)
    racked = next(one for one in table.state.rack if one.position == 3)
    assert (racked.what, racked.cards, racked.count, racked.setting) == ("surrendered", (), 7, None)
    assert rebuilt(table, 3) is None
    table.play_on(rounds=1)
    assert gained(table, 3) == 0 and agrees_with_settlement(table)


@by_chapter(pa575="pa575.11.d.s4", pa659a="pa659a.11.d.s4")
def test_surrendered_cards_are_collected_before_any_other_hand_goes_on(game: str, law: str) -> None:
    table = dealer_set(game, {3: "quads", 5: "winner", 6: "loser"})
    table.do("surrender", player(6), 6)
    table.do("surrender", player(5), 5)
    assert table.refused("reveal", at=3) == (law,)
    for at in (6, 5):
        table.do("count_surrendered", at=at, cards=7)
    table.do("rack", at=5)
    assert table.refused("reveal", at=3) == (law,)
    table.do("rack", at=6)
    table.do("reveal", at=3)
    assert agrees_with_settlement(table.play_on(rounds=1))


@by_chapter(pa575="pa575.11.d.s4", pa659a="pa659a.11.d.s4")
@pytest.mark.parametrize("step", ["settle", "rearrange", "rack"])
def test_a_hand_that_is_open_waits_for_surrendered_cards(game: str, law: str, step: str) -> None:
    bonus = {BONUS[game]: "$5" if game == "pa-575" else "$1"} if step == "rearrange" else {}
    table = dealer_set(game, {3: "quads", 5: "winner"}, {3: bonus})
    table.do("reveal", at=3)
    if step != "settle":
        table.do("settle", at=3, wager="main")
    table.do("surrender", player(5), 5)
    assert table.refused(step, at=3) == (law,)
    table.do("count_surrendered", at=5, cards=7)
    table.do("rack", at=5)
    table.do(step, at=3)
    assert agrees_with_settlement(table.play_on(rounds=1))


@clause("pa659a.11.d.s5")
def test_659a_surrendered_cards_that_stay_for_a_qualifying_wager_stop_no_other_hand() -> None:
    table = dealer_set("pa-659a", {3: "winner", 5: "quads"}, {3: {"fortune": "$5"}})
    table.do("surrender", player(5), 5)
    table.do("reveal", at=3)
    table.do("settle", at=3, wager="main")
    assert agrees_with_settlement(table.play_on(rounds=1))


@clause("pa659a.11.d.s5")
def test_659a_a_surrendered_hand_stays_for_the_envy_of_others() -> None:
    table = dealer_set("pa-659a", {3: "quads", 5: "winner"}, {5: {"fortune": "$5"}})
    table.do("surrender", player(3), 3)
    table.do("count_surrendered", at=3, cards=7)
    table.refused("rack", at=3)
    table.play_on(without=["pay_envy"])
    assert table.state.round.hands[3].has("rearranged")
    table.refused("rack", at=3)
    assert table.sees(player(5), 3) == table.state.round.hands[3].cards
    table.play_on(rounds=1)
    (envy,) = value_of(table.last("pay_envy"), "payments")
    assert (envy.person, envy.units) == ("Dan", units(cents("$5")))
    assert gained(table, 3) == 0
    assert agrees_with_settlement(table)


def test_659a_a_fortune_wager_that_earns_no_envy_keeps_no_surrendered_cards() -> None:
    table = dealer_set("pa-659a", {3: "quads", 5: "winner"}, {5: {"fortune": "$4"}})
    table.do("surrender", player(3), 3)
    table.do("count_surrendered", at=3, cards=7)
    table.do("rack", at=3)
    table.play_on(rounds=1)
    assert "pay_envy" not in table.steps() and agrees_with_settlement(table)


@by_chapter(pa575="pa575.11.d.s6", pa659a="pa659a.11.d.s6")
def test_surrendered_cards_are_counted_to_seven_before_they_are_racked(game: str, law: str) -> None:
    table = dealer_set(game, {3: "loser", 5: "winner"})
    table.refused("count_surrendered", at=3, cards=7)
    table.do("surrender", player(3), 3)
    assert law in table.refused("rack", at=3)
    for count in (6, 8):
        assert law in table.refused("count_surrendered", at=3, cards=count)
    assert law in table.refused("rack", at=3)
    assert law in table.do("count_surrendered", at=3, cards=7)[0].clauses
    table.do("rack", at=3)
    assert agrees_with_settlement(table.play_on(rounds=1))


def test_670a_has_no_surrender() -> None:
    table = dealer_set("pa-670a", {2: "loser"})
    assert "no such step" in table.problems("surrender", player(2), 2)[0].reason


# --- the dealer's hand set wrongly --------------------------------------------------------------------


RESET = by_chapter(pa575="pa575.13.i", pa659a="pa659a.13.i", pa670a="pa670a.13.i")
WRONG = {
    "pa-575": "QsQh8d8h / 7c3d / 2c",
    "pa-659a": "QsQh8d8h / 7c3d / 2c",
    "pa-670a": "QsJd8h6s4c / Qh",
}
EARLIER_STANDS: Changes = {"readings.missed_dealer_setting": "resettle_unsettled_only"}
SEATED = {
    "pa-575": {2: "loser", 4: "quads", 5: "winner", 7: "full_house"},
    "pa-659a": {2: "loser", 4: "quads", 5: "winner", 7: "full_house"},
    "pa-670a": {2: "tie", 4: "ace_queen", 5: "loser", 7: "full_house"},
}
WAGERS: dict[str, Bets] = {
    "pa-575": {2: {"bonus": "$5"}, 4: {"bonus": "$5"}},
    "pa-659a": {2: {"insurance": "$5", "fortune": "$5"}, 4: {"fortune": "$5", "progressive": "$1"}},
    "pa-670a": {2: {"insurance": "$5"}, 4: {"fortune": "$5", "progressive": "$1"}},
}


def doubled(game: str, changes: Changes | None = None) -> TestTable:
    """Deal the round in which hands win or lose by how the dealer sets; the first two double if they can."""
    table = looked(game, SEATED[game], WAGERS[game], changes)
    if table.state.rules.offers("double_down"):
        for at in (2, 4):
            table.do("double_down", player(at), at)
    return table.play_on(Phase.DEALER)


@RESET
def test_a_dealers_hand_set_wrongly_is_noticed_and_the_round_does_not_close_on_it(
    game: str, law: str
) -> None:
    table = doubled(game)
    table.do("set_dealer", setting=setting(WRONG[game]))
    (alert,) = table.last("set_dealer").alerts
    assert law in alert.clauses and alert.severity is Severity.WARNING
    table.play_on(without=["reset_dealer"])
    assert all(hand.has("racked") for hand in table.state.round.playing())
    table.refused("close_round")
    table.do("reset_dealer", FLOOR)
    assert table.state.round.dealer_setting == house_way(table, 1)
    table.do("close_round")
    assert table.state.rounds == 1 and agrees_with_settlement(table)


@pytest.mark.parametrize("game", sorted(WRONG))
def test_a_table_that_opens_hands_by_itself_opens_none_on_a_wrong_dealers_hand(game: str) -> None:
    right, wrong = (doubled(game).force(automated=frozenset({"reveal"})) for _ in range(2))
    opened = [event.step for event in right.do("set_dealer", setting=house_way(right, 1))]
    assert opened == ["set_dealer", "reveal"]
    assert [event.step for event in wrong.do("set_dealer", setting=setting(WRONG[game]))] == ["set_dealer"]


@RESET
@pytest.mark.parametrize("after", ["nothing", "reveal", "settle", "rearrange", "rack", "third hand", "all"])
def test_what_was_settled_on_a_wrong_dealers_hand_is_settled_again(game: str, law: str, after: str) -> None:
    right = doubled(game).play_on(rounds=1)
    table = doubled(game)
    table.do("set_dealer", setting=setting(WRONG[game]))
    _play_until(table, after)
    before = net(table.state.round.payments)
    (event,) = table.do("reset_dealer")
    assert event.clauses == (law,)
    assert table.state.round.void is None
    assert (net(table.state.round.payments) != before) == (after not in ("nothing", "reveal"))
    table.play_on(rounds=1)
    assert right.state.last is not None and table.state.last is not None
    assert net(table.state.last.payments) == net(right.state.last.payments)
    assert table.state.meter == right.state.meter
    assert table.state.last.dealer_setting == right.state.last.dealer_setting
    ended = {at: hand.race and hand.race.result for at, hand in table.state.last.hands.items()}
    assert ended == {at: hand.race and hand.race.result for at, hand in right.state.last.hands.items()}
    assert agrees_with_settlement(table)


@by_chapter(pa575="pa575.13.i", pa659a="pa659a.13.i")
@pytest.mark.parametrize("after", ["nothing", "reveal", "settle", "rearrange", "rack", "third hand", "all"])
def test_what_was_settled_on_a_wrong_dealers_hand_stands_by_the_other_reading(
    game: str, law: str, after: str
) -> None:
    right = doubled(game).play_on(rounds=1)
    wrong, table = doubled(game, EARLIER_STANDS), doubled(game, EARLIER_STANDS)
    for one in (wrong, table):
        one.do("set_dealer", setting=setting(WRONG[game]))
    wrong.play_on(without=["reset_dealer"])
    _play_until(table, after)
    settled = {at for at, hand in table.state.round.hands.items() if "main" in hand.settled}
    (event,) = table.do("reset_dealer")
    assert event.clauses == (law,) and value_of(event, "payments") == ()
    table.play_on(rounds=1)
    assert table.state.last is not None and right.state.last is not None
    for at in SEATED[game]:
        as_paid = wrong.state.round if at in settled else right.state.last
        assert won(table.state.last, at) == won(as_paid, at)
    assert won(table.state.last, 2) == (-cents("$10") if after in ("nothing", "reveal") else cents("$10"))
    assert table.state.meter == right.state.meter
    assert table.live.record is not None
    recorded(table.live.record)


def won(this_round: Round, at: int) -> int:
    """Return what the main wager of $10 at a position won or lost."""
    account = f"player:{NAMES[at]}"
    main = [p for p in this_round.payments if p.wager == "main" and p.kind is not PaymentKind.STAKE]
    return net(main).get(account, 0) // 10_000 - cents("$10")


def _play_until(table: TestTable, after: str) -> None:
    """Play on with the wrong hand until something has been done to the first hand, the third, or all."""
    if after == "nothing":
        return
    if after == "all":
        table.play_on(without=["reset_dealer"])
    elif after == "third hand":
        while not table.state.round.hands[5].shown:
            table.play_on(without=["reset_dealer", "reveal"])
            table.do("reveal", at=next(h.position for h in table.state.round.playing() if not h.shown))
    else:
        table.do("reveal", at=2)
        if after != "reveal":
            table.do("settle", at=2, wager="main")
        if after == "rearrange":
            if "double_down" in table.state.round.hands[2].wagers:
                table.do("settle", at=2, wager="double_down")
            table.do("rearrange", at=2)
        if after == "rack":
            table.play_on(without=["reset_dealer", "reveal"])


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_a_dealers_hand_set_the_house_way_in_another_order_of_cards_is_not_wrong(game: str) -> None:
    table = doubled(game)
    backwards = tuple(part[::-1] for part in house_way(table, 1))
    (event,) = table.do("set_dealer", setting=backwards)
    assert event.alerts == () and value_of(event, "right")
    table.refused("reset_dealer")


def test_575_the_payout_limit_counts_only_what_stands_after_a_reset() -> None:
    changes = {"payout_limit": "$50,000", "wagers.main.max": "$40,000", "wagers.bonus.max": "$10,000"}
    bets = {2: {"main": "$40,000", "bonus": "$10,000"}}
    table = dealt("pa-575", {2: "full_house"}, bets, changes).play_on(Phase.DEALER)
    table.do("set_dealer", setting=setting(WRONG["pa-575"]))
    table.do("reveal", at=2)
    table.do("settle", at=2, wager="main")
    table.do("reset_dealer")
    table.play_on(rounds=1)
    assert agrees_with_settlement(table)
