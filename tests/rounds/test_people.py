"""The people: trained dealers who answer for the shaker, seated players who stay, a floor that decides."""

from __future__ import annotations

import pytest

from houseway.ledger import units
from houseway.money import cents
from houseway.rounds.houseway import house_setting
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from houseway.settlement import PaymentKind, Status
from tests.games.support import NOTHING, Changes, submission
from tests.rounds.commands import value_of
from tests.rounds.table import DEALER, FLOOR, MANUAL, SHAKER, TWO_DECKS, TestTable, by_chapter, money, player

clause = pytest.mark.clause
GAMES = ("pa-575", "pa-659a", "pa-670a")
MAX = Actor("Max", Role.DEALER)
STRANGER = Actor("Sam", Role.PLAYER)
PLAIN: Changes = {
    "wagers.fortune": NOTHING,
    "wagers.insurance": NOTHING,
    "wagers.progressive": NOTHING,
    "progressive": NOTHING,
}
SIDE = {"pa-575": "bonus", "pa-659a": "fortune", "pa-670a": "fortune"}
BEST = {"pa-575": "AsAhAdAcKsKhQd", "pa-659a": "AsAhAdAcKsKhQd", "pa-670a": "AsAhAdAcKsKh"}
WORST = {"pa-575": "2c3d5h7s8c9dJh", "pa-659a": "2c3d5h7s8c9dJh", "pa-670a": "2c3d5h7s8c9d"}


# --- dealers --------------------------------------------------------------------------------------


@clause("pa659a.preamble.training")
def test_659a_a_dealer_logs_on_only_if_trained_in_the_side_wagers_offered() -> None:
    law = "pa659a.preamble.training"
    for wager in ("fortune", "insurance", "progressive"):
        others = {path: value for path, value in PLAIN.items() if wager not in path}
        table = TestTable("pa-659a", others, dealer=False)
        assert table.refused("log_on") == (law,)
        assert table.refused("log_on", training="") == (law,)
        table.do("log_on", training="2016-01-05")
        assert (table.state.dealer, value_of(table.last("log_on"), "training")) == ("Dora", "2016-01-05")
        assert law in table.refused("relieve", MAX)
        table.do("relieve", MAX, training="2016-01-06")
    TestTable("pa-659a", PLAIN, dealer=False).do("log_on")


@pytest.mark.parametrize("game", GAMES)
def test_one_dealer_relieves_another_at_any_time(game: str) -> None:
    for phase in (Phase.BETTING, Phase.STARTING, Phase.DEALING, Phase.SETTING, Phase.SETTLING):
        table = TestTable(game).betting(2, main="$10").play_on(phase)
        table.refused("log_on", MAX, training="on file")
        table.refused("relieve", FLOOR, training="on file")
        table.do("relieve", MAX, training="on file")
        assert (table.state.dealer, table.state.phase) == ("Max", phase)
        table.play_on(rounds=1)
        assert table.last("close_round").by == MAX
        table.refused("log_off", DEALER)
        table.do("log_off", MAX)
        table.refused("relieve", DEALER, training="on file")
        table.do("log_on", DEALER, training="on file")


@pytest.mark.parametrize("game", GAMES)
def test_a_dealer_does_not_leave_in_the_middle_of_a_round_without_relief(game: str) -> None:
    table = TestTable(game).dealing(2, main="$10")
    table.refused("log_off", DEALER)
    table.play_on(rounds=1).do("log_off", DEALER)


@pytest.mark.parametrize("game", GAMES)
def test_only_the_dealer_who_is_logged_on_deals(game: str) -> None:
    table = TestTable(game).betting(2, main="$10").play_on(without=["no_more_bets"])
    table.refused("no_more_bets", MAX)
    table.do("log_off", DEALER)
    for dealer in (MAX, DEALER):
        table.refused("no_more_bets", dealer)
    table.do("log_on", MAX, training="on file")
    table.refused("no_more_bets", DEALER)
    table.do("no_more_bets", MAX)


@by_chapter(pa575="pa575.2.c.1.s2", pa659a="pa659a.2.c.1.s2", pa670a="pa670a.2.d.1.s2")
def test_the_shaker_is_never_without_a_dealer_who_answers_for_it(game: str, law: str) -> None:
    table = TestTable(game, SHAKER).opened()
    for words in ({}, {"shaker": "on the table"}):
        assert table.refused("log_off", DEALER, None, **words) == (law,)
    for shaker in ({}, {"shaker": False}):
        assert table.refused("relieve", MAX, None, training="on file", **shaker) == (law,)
        assert table.refused("close_table", FLOOR, None, **shaker) == (law,)
    table.do("relieve", MAX, training="on file", shaker=True)
    assert value_of(table.last("relieve"), "shaker") is True
    table.do("log_off", MAX, shaker="locked away")
    table.do("log_on", training="on file")
    table.do("close_table", FLOOR, shaker=True)
    table.do("log_off", DEALER)


def in_phase(game: str, phase: Phase) -> TestTable:
    """Return a table with a shaker that is being made ready, lies idle, or is open."""
    if phase is Phase.OPENING:
        return TestTable(game, SHAKER).play_on(without=["open_table"])
    table = TestTable(game, SHAKER).opened()
    if phase is Phase.IDLE:
        table.do("idle_spread")
    return table


UNATTENDED = (Phase.OPENING, Phase.IDLE, Phase.BETTING)


@by_chapter(pa575="pa575.2.c.1.s2", pa659a="pa659a.2.c.1.s2", pa670a="pa670a.2.d.1.s2")
@pytest.mark.parametrize("phase", UNATTENDED)
def test_the_shaker_is_not_left_alone_while_the_table_is_made_ready_or_lies_idle(
    game: str, law: str, phase: Phase
) -> None:
    table = in_phase(game, phase)
    assert table.state.phase is phase
    assert table.refused("log_off", DEALER) == (law,)
    assert table.refused("log_off", DEALER, shaker="on the table") == (law,)
    assert table.refused("relieve", MAX, training="on file") == (law,)
    assert table.refused("close_table", FLOOR) == (law,)
    table.do("log_off", DEALER, shaker="locked away")


@pytest.mark.parametrize("game", GAMES)
def test_a_table_without_a_shaker_asks_nobody_about_it(game: str) -> None:
    table = TestTable(game).opened()
    (event,) = table.do("relieve", MAX, training="on file")
    assert event.alerts == ()
    table.do("log_off", MAX)
    table.do("close_table", FLOOR)


# --- closing, and other rules ---------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{}, MANUAL, TWO_DECKS])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_closes_between_rounds_and_opens_again_from_the_beginning(
    game: str, changes: Changes
) -> None:
    table = TestTable(game, changes).betting(2, main="$10")
    table.refused("close_table", FLOOR)
    table.play_on(Phase.SETTING).refused("close_table", FLOOR)
    table.play_on(rounds=1)
    table.refused("close_table", DEALER)
    table.do("close_table", FLOOR)
    assert (table.state.phase, len(table.state.decks), len(table.state.seats)) == (Phase.CLOSED, 0, 0)
    assert (table.state.rounds, table.state.dealer) == (0, "Dora")
    table.do("sit", player(2), 2)
    table.refused("wager", player(2), 2, wagers=money(main="$10"))
    inspected = table.steps().count("inspect_deck")
    table.opened().bet(2, main="$10").play_on(rounds=1)
    assert (table.steps().count("inspect_deck"), table.state.rounds) == (2 * inspected, 1)


@pytest.mark.parametrize("game", GAMES)
def test_limits_change_between_rounds_and_only_then(game: str) -> None:
    dearer = submission(game, {"wagers.main.min": "$25", "reference": "RS-2"})
    table = TestTable(game).opened().seat((2,))
    table.refused("adopt_rules", DEALER, submission=dearer)
    table.bet(2, main="$10")
    for phase in (Phase.BETTING, Phase.STARTING, Phase.DEALING, Phase.SETTING, Phase.SETTLING):
        table.play_on(phase)
        table.refused("adopt_rules", FLOOR, submission=dearer)
    table.play_on(rounds=1).do("adopt_rules", FLOOR, submission=dearer)
    assert table.state.rules.submission.reference == "RS-2"
    table.refused("wager", player(2), 2, wagers=money(main="$24"))
    table.bet(2, main="$25").play_on(rounds=1)
    assert table.state.rounds == 2


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_not_adopted_if_unlawful_or_of_another_game(game: str) -> None:
    table = TestTable(game).opened()
    table.refused("adopt_rules", FLOOR, submission=submission(game, {"table.positions": 7}))
    other = "pa-575" if game != "pa-575" else "pa-659a"
    table.refused("adopt_rules", FLOOR, submission=submission(other))
    table.do("adopt_rules", FLOOR, submission=submission(game))


@pytest.mark.parametrize("changes", [MANUAL, SHAKER, TWO_DECKS])
@pytest.mark.parametrize("game", GAMES)
def test_equipment_changes_only_while_the_table_is_closed(game: str, changes: Changes) -> None:
    other = submission(game, {**changes, "reference": "RS-2"})
    table = TestTable(game).play_on(Phase.OPENING)
    assert other.table != table.state.rules.submission.table
    for phase in (Phase.OPENING, Phase.BETTING):
        table.play_on(phase).refused("adopt_rules", FLOOR, submission=other)
    table.do("close_table", FLOOR)
    table.do("adopt_rules", FLOOR, submission=other)
    table.betting(2, main="$10").play_on(rounds=1)
    assert (table.state.rules.submission, table.state.rounds) == (other, 1)


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_a_progressive_adopted_between_rounds_has_its_meter(game: str) -> None:
    table = TestTable(game, {"wagers.progressive": NOTHING, "progressive": NOTHING}).opened().seat((2,))
    table.do("adopt_rules", FLOOR, submission=submission(game, {"reference": "RS-2"}))
    table.bet(2, main="$10", progressive="$1")
    assert table.state.meter is not None


# --- players --------------------------------------------------------------------------------------


@by_chapter(pa575="pa575.7.a.s1", pa659a="pa659a.7.a.s1", pa670a="pa670a.7.a.s1")
def test_wagers_are_chips_or_plaques_on_their_own_area(game: str, law: str) -> None:
    table = TestTable(game).opened().seat((3,))
    wagers = money(main="$25")
    table.refused("wager", player(3), None, wagers=wagers)
    for instrument in ("cash", "verbal", "voucher"):
        assert law in table.refused("wager", player(3), 3, wagers=wagers, instrument=instrument)
        assert law in table.refused("wager", DEALER, 3, wagers=wagers, instrument=instrument)
    for instrument in ("chip", "plaque"):
        table.do("wager", player(3), 3, wagers=wagers, instrument=instrument)
        hand = table.state.round.hands[3]
        assert (hand.amount("main"), hand.instrument) == (cents("$25"), instrument)
    table.refused("correct_wager", DEALER, 3, wagers=wagers, instrument="cash", reason="misread")


@clause("pa670a.7.a.s1")
def test_670a_other_instruments_are_taken_if_the_board_approved_them() -> None:
    table = TestTable("pa-670a").opened().seat((3,))
    assert "pa670a.7.a.s1" in table.refused(
        "wager", player(3), 3, wagers=money(main="$25"), instrument="voucher"
    )
    table.do("wager", player(3), 3, wagers=money(main="$25"), instrument="approved")


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_before_670a_nothing_but_chips_and_plaques_is_taken(game: str) -> None:
    table = TestTable(game).opened().seat((3,))
    table.refused("wager", player(3), 3, wagers=money(main="$25"), instrument="approved")


@by_chapter(pa575="pa575.7.a.s2", pa659a="pa659a.7.a.s2", pa670a="pa670a.7.a.s2")
def test_words_and_cash_are_no_wager(game: str, law: str) -> None:
    table = TestTable(game).opened().seat((3,))
    for who in (player(3), DEALER):
        assert law in table.refused("wager", who, 3, wagers=money(main="$50"), instrument="verbal")
    assert not table.state.round.hands
    table.bet(3, main="$50")


@by_chapter(pa575="pa575.7.b.s1", pa659a="pa659a.7.b.s1", pa670a="pa670a.7.b.s1")
def test_only_seated_players_wager(game: str, law: str) -> None:
    table = TestTable(game).opened().seat((3,))
    for who, at in ((STRANGER, 4), (STRANGER, 3), (DEALER, 4), (player(2), 2)):
        assert law in table.refused("wager", who, at, wagers=money(main="$10"))
    table.do("sit", STRANGER, 4)
    table.do("wager", STRANGER, 4, wagers=money(main="$10"))
    table.refused("sit", STRANGER, 3)
    for at in (1, 8):
        table.refused("sit", STRANGER, at)


@by_chapter(pa575="pa575.7.b.s2", pa659a="pa659a.7.b.s2", pa670a="pa670a.7.b.s2")
@pytest.mark.parametrize("phase", [Phase.DEALING, Phase.SETTING, Phase.SETTLING])
def test_a_player_with_cards_who_leaves_before_the_round_ends_is_put_on_record(
    game: str, law: str, phase: Phase
) -> None:
    table = TestTable(game).betting(2, 4, main="$10").play_on(phase)
    table.refused("leave", player(2), 4)
    (event,) = table.do("leave", player(4), 4)
    assert value_of(event, "during_round") is True
    assert [problem.clauses for problem in event.alerts] == [(law,)]
    assert 4 in table.state.seats and table.state.round.hands[4].has("left")
    table.do("rule_abandoned", FLOOR, 4, lost=True, reason="walked away")
    table.play_on(rounds=1)
    assert sorted(table.state.seats) == [2]


@by_chapter(pa575="pa575.7.b.s3", pa659a="pa659a.7.b.s3", pa670a="pa670a.7.b.s3")
def test_a_player_who_leaves_a_wager_behind_before_the_cards_is_put_on_record(game: str, law: str) -> None:
    table = TestTable(game).starting(2, 4, main="$10")
    (event,) = table.do("leave", player(4), 4)
    assert value_of(event, "during_round") is True
    ((alert),) = event.alerts
    assert alert.clauses == (law,) and "cards" not in alert.reason
    table.do("rule_abandoned", FLOOR, 4, lost=True, reason="walked away")
    table.play_on(rounds=1)
    assert sorted(table.state.seats) == [2]


@pytest.mark.parametrize("game", GAMES)
def test_a_player_without_cards_leaves_as_he_likes(game: str) -> None:
    table = TestTable(game).betting(2, 4, main="$10").seat((5,))
    for at in (2, 5):
        (event,) = table.do("leave", player(at), at)
        assert (value_of(event, "during_round"), event.alerts) == (False, ())
    assert sorted(table.state.seats) == sorted(table.state.round.hands) == [4]
    table.play_on(rounds=1).do("leave", player(4), 4)
    assert not table.state.seats


@pytest.mark.parametrize("game", GAMES)
def test_a_player_stays_until_the_round_ends_even_if_his_own_hand_is_racked(game: str) -> None:
    table = TestTable(game).settling(2, 4, main="$10")
    table.play_on(without=["rack"]).do("rack", at=2)
    (event,) = table.do("leave", player(2), 2)
    assert value_of(event, "during_round") is True
    assert sorted(table.state.round.hands) == [2, 4]


# --- what becomes of a hand left behind -----------------------------------------------------------


def winner_leaves(game: str, phase: Phase) -> TestTable:
    """Return a table at which a player leaves a hand behind that beats the dealer's."""
    bets = {2: {"main": "$10"}, 4: {"main": "$25", SIDE[game]: "$5"}}
    table = TestTable(game).dealt({4: BEST[game], 1: WORST[game]}, bets).play_on(phase)
    table.refused("rule_abandoned", FLOOR, 4, lost=True, reason="has not left")
    table.do("leave", player(4), 4)
    return table


@by_chapter(pa575="pa575.7.b.s2", pa659a="pa659a.7.b.s2", pa670a="pa670a.7.b.s2")
@pytest.mark.parametrize("ruled", [False, True])
def test_who_has_left_the_table_looks_at_asks_about_and_sets_nothing(
    game: str, law: str, ruled: bool
) -> None:
    unseen = winner_leaves(game, Phase.SETTING)
    assert unseen.refused("look", player(4), 4) == (law,)
    table = TestTable(game).setting(2, 4, main="$10").play_on(without=["set", "turn_over"])
    table.do("leave", player(4), 4)
    if ruled:
        table.do("rule_abandoned", FLOOR, 4, lost=False, reason="taken ill")
    right = house_setting(table.rules, table.state.round.hands[4].cards)
    assert table.refused("ask_help", player(4), 4) == (law,)
    assert table.refused("set", player(4), 4, setting=right) == (law,)
    table.do("set", DEALER, 4, setting=right)


@by_chapter(pa575="pa575.7.b.s2", pa659a="pa659a.7.b.s2")
def test_who_has_left_the_table_surrenders_nothing(game: str, law: str) -> None:
    table = TestTable(game).settling(2, 4, main="$10")
    table.do("leave", player(4), 4)
    assert table.refused("surrender", player(4), 4) == (law,)
    table.do("surrender", player(2), 2)


@clause("pa670a.7.b.s1")
def test_670a_nobody_doubles_the_wager_of_a_player_who_has_left() -> None:
    table = TestTable("pa-670a").setting(2, 4, main="$10").play_on(without=["set", "turn_over"])
    table.do("leave", player(4), 4)
    for by in (player(4), DEALER):
        assert table.refused("double_down", by, 4) == ("pa670a.7.b.s1",)
    table.do("rule_abandoned", FLOOR, 4, lost=True, reason="walked away")
    table.refused("double_down", player(4), 4)
    table.do("double_down", player(2), 2)


def all_lost(table: TestTable) -> bool:
    """Whether the house took both wagers of the player who left, and paid nothing."""
    last = table.play_on(rounds=1).state.last
    assert last is not None and last.hands[4].status is Status.ABANDONED
    taken = [p for p in last.payments if p.position == 4]
    both = sum(p.units for p in taken) == units(cents("$30"))
    assert {p.clauses for p in taken} == {(f"{table.rules.game.id.replace('-', '')}.7.b.s3",)}
    return both and {p.kind for p in taken} == {PaymentKind.COLLECT} and table.paid_to(4) == 0


@by_chapter(pa575="pa575.7.b.s3", pa659a="pa659a.7.b.s3", pa670a="pa670a.7.b.s3")
def test_the_floor_may_hold_the_wagers_of_a_player_who_left_lost(game: str, law: str) -> None:
    table = winner_leaves(game, Phase.SETTING)
    assert law in table.refused("rule_abandoned", DEALER, 4, lost=True, reason="walked away")
    table.refused("rule_abandoned", FLOOR, 4, lost=True, reason=" ")
    (event,) = table.do("rule_abandoned", FLOOR, 4, lost=True, reason="walked away")
    assert (event.by, event.clauses, value_of(event, "reason")) == (FLOOR, (law,), "walked away")
    table.refused("rule_abandoned", FLOOR, 4, lost=False, reason="second thoughts")
    assert all_lost(table)


@pytest.mark.parametrize("game", GAMES)
def test_wagers_held_lost_after_the_dealers_hand_is_set_are_lost_too(game: str) -> None:
    table = winner_leaves(game, Phase.SETTLING)
    table.do("rule_abandoned", FLOOR, 4, lost=True, reason="walked away")
    assert all_lost(table)


@by_chapter(pa575="pa575.7.b.s3", pa659a="pa659a.7.b.s3", pa670a="pa670a.7.b.s3")
def test_the_floor_may_let_the_hand_of_a_player_who_left_be_played_out(game: str, law: str) -> None:
    table = winner_leaves(game, Phase.SETTING)
    table.do("rule_abandoned", FLOOR, 4, lost=False, reason="taken ill")
    table.play_on(rounds=1)
    assert law in table.last("rule_abandoned").clauses
    assert table.paid_to(4) > cents("$50")
    assert 4 not in table.state.seats


@by_chapter(pa575="pa575.7.b.s3", pa659a="pa659a.7.b.s3", pa670a="pa670a.7.b.s3")
@pytest.mark.parametrize("phase", [Phase.SETTING, Phase.SETTLING])
def test_without_a_decision_the_round_waits(game: str, law: str, phase: Phase) -> None:
    table = TestTable(game).betting(2, 4, main="$10").play_on(phase)
    table.do("leave", player(4), 4)
    table.play_on()
    assert table.state.rounds == 0
    assert law in table.refused("close_round")
    table.do("rule_abandoned", FLOOR, 4, lost=False, reason="came back")
    table.play_on(rounds=1)
    assert table.state.rounds == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_that_is_opened_is_played_out_and_no_longer_held_lost(game: str) -> None:
    table = TestTable(game).settling(2, 4, main="$10")
    table.do("reveal", at=2)
    for at in (2, 4):
        table.do("leave", player(at), at)
    (problem,) = table.problems("rule_abandoned", FLOOR, 2, lost=True, reason="walked away")
    assert problem.reason == "a hand already opened is played out"
    table.do("rule_abandoned", FLOOR, 2, lost=False, reason="played out")
    table.do("rule_abandoned", FLOOR, 4, lost=True, reason="walked away")


@pytest.mark.parametrize("game", GAMES)
def test_the_dealer_does_not_turn_over_before_the_floor_has_ruled_about_who_left(game: str) -> None:
    table = TestTable(game).setting(2, 4, main="$10").play_on(without=["turn_over"])
    assert table.problems("turn_over") == ()
    table.do("leave", player(4), 4)
    (problem,) = table.problems("turn_over")
    assert problem.reason == "the floor has still to rule about a player who left"
    table.do("rule_abandoned", FLOOR, 4, lost=False, reason="taken ill")
    table.do("turn_over")


@pytest.mark.clause("pa575.12.b")
def test_the_paytable_does_not_change_within_a_round() -> None:
    law, other = "pa575.12.b", {"wagers.bonus.paytable": "B", "reference": "RS-2"}
    table = TestTable("pa-575").betting(2, main="$10", bonus="$5")
    assert law in table.refused("adopt_rules", FLOOR, submission=submission("pa-575", other))
    table.play_on(Phase.SETTING)
    assert law in table.refused("adopt_rules", FLOOR, submission=submission("pa-575", other))
    table.play_on(rounds=1).do("adopt_rules", FLOOR, submission=submission("pa-575", other))


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_not_changed_at_a_table_under_the_reference_they_have(game: str) -> None:
    table = TestTable(game).opened()
    silent = submission(game, {"wagers.main.min": "$25"})
    problems = table.problems("adopt_rules", FLOOR, submission=silent)
    assert [problem.reason for problem in problems] == ["wagers.main.min changed without a new reference"]
    table.do(
        "adopt_rules", FLOOR, submission=submission(game, {"wagers.main.min": "$25", "reference": "RS-2"})
    )
