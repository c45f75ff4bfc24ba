"""The spread of an idle table and how play goes on from it; shufflers and shoes that fail."""

from __future__ import annotations

import pytest

from houseway.rounds.live import due_moves
from houseway.rounds.options import options
from houseway.rounds.state import Phase, Place
from tests.games.support import Changes, submission
from tests.rounds.commands import value_of
from tests.rounds.table import (
    AUTOMATED,
    BY_HAND,
    DEALER,
    FLOOR,
    MANUAL,
    SHOE,
    SHUFFLER,
    TWO_DECKS,
    TestTable,
    by_chapter,
    money,
    order_of,
    player,
)

clause = pytest.mark.clause
GAMES = ("pa-575", "pa-659a", "pa-670a")
CONTINUOUS: Changes = {
    "table.reshuffle_device": True,
    "approvals.reshuffle_device": "EX-DEVICE-1",
    "approvals.reshuffle_procedures": "EX-DEVICE-2",
}
REMADE = ("turn_down", "wash", "stack")


def after_a_round(game: str, changes: Changes | None = None) -> TestTable:
    """Play one round, after which the cards lie in the rack."""
    return TestTable(game, changes).betting(2, main="$10").play_on(rounds=1)


def again(table: TestTable) -> TestTable:
    """Bet again and go on until no more bets."""
    return table.bet(2, main="$10").play_on(Phase.STARTING)


# --- nobody plays ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_are_due_to_be_spread_when_the_last_player_has_got_up_and_not_before(game: str) -> None:
    table = after_a_round(game)
    assert "idle_spread" not in {move.step for move in table.live.moves()}
    table.do("leave", player(2), 2)
    assert "idle_spread" in {move.step for move in table.live.moves()}


@by_chapter(pa575="pa575.5.e.s1", pa659a="pa659a.5.e.s1", pa670a="pa670a.5.g.s1")
@pytest.mark.parametrize("changes", [MANUAL, BY_HAND, AUTOMATED])
def test_at_an_idle_table_the_cards_leave_shoe_and_rack_and_lie_face_down(
    game: str, law: str, changes: Changes
) -> None:
    table = after_a_round(game, changes)
    assert table.state.rack
    (event,) = table.do("idle_spread")
    assert event.clauses == (law,)
    assert (table.state.phase, table.state.rack, table.state.deck) == (Phase.IDLE, (), None)
    assert table.state.decks["A"].place is Place.TABLE
    assert table.state.spread == "down"
    loaded = TestTable(game, changes).opened().play_on()
    assert loaded.state.decks["A"].place is Place.PLAY
    loaded.do("idle_spread")
    assert (loaded.state.decks["A"].place, order_of(loaded, "A")) == (Place.TABLE, ())


@by_chapter(pa575="pa575.5.e.s1", pa659a="pa659a.5.e.s1", pa670a="pa670a.5.g.s2")
def test_an_idle_spread_is_face_up_only_if_a_player_asks(game: str, law: str) -> None:
    table = after_a_round(game)
    for nobody in ("", "  ", "?"):
        assert table.refused("idle_spread", face="up", asked_by=nobody) == (law,)
    for no_player in ("Dora", " dora", "Bob", "somebody", FLOOR.id):
        assert table.refused("idle_spread", face="up", asked_by=no_player) == (law,)
        table.refused("idle_spread", asked_by=no_player)
    (event,) = table.do("idle_spread", face="up", asked_by="Ann")
    assert value_of(event, "asked_by") == "Ann"
    assert table.state.spread == "up"


@pytest.mark.parametrize("game", GAMES)
def test_whoever_has_just_got_up_may_ask_and_whoever_comes_first_sits_down_and_asks(game: str) -> None:
    table = after_a_round(game)
    table.do("leave", player(2), 2)
    assert asked_of(table) == ("Ann",)
    table.refused("idle_spread", face="up", asked_by="Bob")
    table.do("idle_spread")
    table.do("sit", player(3), 3)
    assert asked_of(table) == ("Bob", "Ann")
    table.do("idle_spread", face="up", asked_by="bob")
    assert table.state.spread == "up"


@pytest.mark.parametrize("game", GAMES)
def test_where_nobody_has_played_nobody_is_named(game: str) -> None:
    table = TestTable(game).opened()
    assert asked_of(table) == ()
    table.refused("idle_spread", face="up", asked_by="Ann")
    table.seat((2,))
    table.do("idle_spread", face="up", asked_by="Ann")


def asked_of(table: TestTable) -> tuple[str, ...]:
    """Return who, by the dealer's form, may have asked for the cards of an idle table face up."""
    live = table.live
    offered = options(live.rules, live.table, DEALER, live.moment)
    fields = [field for one in offered if one.step == "idle_spread" for field in one.fields]
    return next((tuple(field.choices) for field in fields if field.name == "asked_by"), ())


@pytest.mark.parametrize("game", GAMES)
def test_an_idle_spread_is_turned_face_up_until_the_cards_are_washed(game: str) -> None:
    table = after_a_round(game, MANUAL)
    table.do("idle_spread")
    assert not table.problems("idle_spread", face="up", asked_by="Ann")
    for step in ("view_spread", "turn_down", "wash"):
        table.do(step, deck="A")
    table.refused("idle_spread", face="up", asked_by="Ann")


@pytest.mark.parametrize("game", GAMES)
def test_cards_are_not_spread_while_there_are_wagers(game: str) -> None:
    table = after_a_round(game).bet(2, main="$10")
    table.refused("idle_spread")
    table.do("wager", player(2), 2, wagers=money())
    table.do("idle_spread")


@by_chapter(pa575="pa575.5.e.s2", pa659a="pa659a.5.e.s2", pa670a="pa670a.5.g.s3")
@pytest.mark.parametrize("changes", [MANUAL, BY_HAND, AUTOMATED])
def test_an_idle_table_goes_on_when_a_player_has_looked_the_cards_over(
    game: str, law: str, changes: Changes
) -> None:
    table = after_a_round(game, changes)
    table.do("idle_spread")
    assert table.refused("resume") == (law,)
    table.do("view_spread", player(2), deck="A")
    (event,) = table.do("resume")
    assert event.clauses == (law,)
    table.bet(2, main="$10").play_on(Phase.DEALING)
    since = table.steps()[table.steps().index("resume") :]
    assert [step for step in since if step in (*REMADE, "shuffle")] == [*REMADE, "shuffle"]
    assert ("cut" in since) == (changes is MANUAL)


@by_chapter(pa575="pa575.5.e.s2", pa659a="pa659a.5.e.s2")
def test_nothing_is_dealt_from_an_idle_spread_until_washed_stacked_and_shuffled(game: str, law: str) -> None:
    table = after_a_round(game)
    table.do("idle_spread")
    assert law in table.refused("deal")
    table.do("view_spread", player(2), deck="A")
    table.do("resume")
    for step in REMADE:
        assert law in table.refused("deal")
        table.refused("shuffle", SHUFFLER, deck="A", method="automated", device="S-1")
        table.do(step, deck="A")
    assert law in table.refused("deal")
    again(table).play_on(Phase.DEALING)


@by_chapter(pa575="pa575.5.e.s1", pa659a="pa659a.5.e.s1", pa670a="pa670a.5.g.s1")
@pytest.mark.parametrize("gone", ["between rounds", "during a round"])
def test_when_the_last_player_has_left_the_cards_are_spread_before_the_next_one_sits(
    game: str, law: str, gone: str
) -> None:
    table = TestTable(game).betting(2, main="$10")
    if gone == "during a round":
        table.play_on(Phase.SETTLING).do("leave", player(2), 2)
        table.do("rule_abandoned", FLOOR, 2, lost=True, reason="walked away")
        table.play_on(rounds=1)
    else:
        table.play_on(rounds=1).do("leave", player(2), 2)
    assert table.refused("sit", player(3), 3) == (law,)
    assert "idle_spread" in {due.step for due in due_moves(table.rules, table.live.table)}
    table.do("idle_spread")
    table.do("sit", player(3), 3)
    table.do("view_spread", player(3), deck="A")
    table.do("resume")
    table.bet(3, main="$10").play_on(Phase.DEALING)
    since = table.steps()[table.steps().index("resume") :]
    assert [step for step in since if step in (*REMADE, "shuffle")] == [*REMADE, "shuffle"]


@by_chapter(pa575="pa575.5.e.s1", pa659a="pa659a.5.e.s1", pa670a="pa670a.5.g.s1")
def test_cards_that_nobody_came_to_are_spread_after_an_hour(game: str, law: str) -> None:
    table = TestTable(game, MANUAL).opened().later(minutes=59)
    assert table.problems("sit", player(3), 3) == ()
    table.later(minutes=1)
    assert table.refused("sit", player(3), 3) == (law,)
    table.do("idle_spread")
    table.do("sit", player(3), 3)
    table.do("view_spread", player(3), deck="A")
    table.do("resume")
    table.do("sit", player(2), 2)


@pytest.mark.parametrize("game", GAMES)
def test_a_player_at_the_table_keeps_it_from_being_idle(game: str) -> None:
    table = TestTable(game).opened().seat((2, 3)).later(hours=3)
    table.do("leave", player(2), 2)
    table.do("sit", player(4), 4)


@pytest.mark.parametrize("game", GAMES)
def test_a_device_that_reshuffles_holds_the_cards_of_an_empty_table(game: str) -> None:
    table = TestTable(game, AUTOMATED | CONTINUOUS).opened().seat((2,))
    table.do("leave", player(2), 2)
    table.later(hours=3).do("sit", player(3), 3)


@clause("pa670a.5.g.1")
def test_670a_without_a_shuffler_idle_cards_are_washed_stacked_shuffled_and_cut() -> None:
    table = after_a_round("pa-670a", MANUAL)
    table.do("idle_spread")
    table.do("view_spread", player(2), deck="A")
    table.do("resume")
    table.bet(2, main="$10").play_on(without=["cut"])
    since = table.steps()[table.steps().index("resume") + 2 :]
    assert since == [*REMADE, "shuffle", "square", "place_cover", "offer_cut"]
    assert "pa670a.5.g.1" in table.refused("deal")
    table.refused("load", deck="A")
    table.play_on(Phase.DEALING)


def idle_with_two_decks() -> TestTable:
    """Return an idle table of ch. 670a with deck A stacked and deck B in the shuffler."""
    table = after_a_round("pa-670a", TWO_DECKS)
    table.do("idle_spread")
    table.do("view_spread", player(2), deck="A")
    for step in REMADE:
        table.do(step, deck="A")
    return table


@clause("pa670a.5.g.2.s1")
def test_670a_the_idle_deck_goes_into_the_shuffler_and_the_other_comes_out() -> None:
    table = idle_with_two_decks()
    assert table.state.decks["B"].place is Place.SHUFFLER
    (event,) = table.do("swap_decks", deck="A", secure=True)
    assert event.clauses == ("pa670a.5.g.2.s1",)
    assert table.state.decks["A"].place is Place.SHUFFLER
    table.refused("load", deck="A")
    assert again(table).state.round.deck == "B"


@clause("pa670a.5.g.2.s2")
def test_670a_a_deck_from_the_device_is_spread_unless_kept_safe_and_nobody_asks() -> None:
    law = "pa670a.5.g.2.s2"
    for secure, asked in ((True, True), (False, False), (False, True)):
        table = idle_with_two_decks()
        assert table.refused("swap_decks", deck="A", secure=secure, asked=asked) == (law,)
        table.do("swap_decks", deck="A", secure=secure, asked=asked, spread=True)
        table.refused("load", deck="B")
        table.refused("turn_down", deck="B")
        shuffles = [value_of(e, "deck") for e in again(table).log if e.step == "shuffle"]
        assert table.state.round.deck == "B" and shuffles.count("B") == 2
    table = idle_with_two_decks()
    table.do("swap_decks", deck="A", secure=True, asked=False)
    shuffles = [value_of(e, "deck") for e in again(table).log if e.step == "shuffle"]
    assert table.state.round.deck == "B" and shuffles.count("B") == 1


def test_670a_cards_that_go_into_the_shuffler_are_stacked_without_a_wash() -> None:
    table = after_a_round("pa-670a", TWO_DECKS)
    table.do("idle_spread")
    table.do("view_spread", player(2), deck="A")
    table.do("stack", deck="A")
    table.refused("idle_spread", face="up", asked_by="Ann")


@clause("pa670a.5.h.s2")
@pytest.mark.parametrize("changes", [MANUAL, AUTOMATED])
def test_670a_a_device_that_reshuffles_leaves_no_cut_and_no_spread_but_a_start(changes: Changes) -> None:
    law = "pa670a.5.h.s2"
    table = TestTable("pa-670a", changes | CONTINUOUS).opened().seat((2,)).play_on()
    assert law in table.refused("place_cover", deck="A")
    assert law in table.refused("offer_cut", at=2, deck="A")
    assert law in table.refused("cut", deck="A", depth=20)
    assert law in table.refused("recut", FLOOR, deck="A", reason="cards exposed")
    assert table.refused("idle_spread") == (law,)
    again(table).play_on(without=["draw_number"])
    assert law in table.refused("deal")
    table.play_on(rounds=1)
    assert "cut" not in table.steps() and table.state.rounds == 1


@by_chapter(pa575="pa575.5.f", pa659a="pa659a.5.f")
@pytest.mark.parametrize("changes", [MANUAL, AUTOMATED], ids=["manual_shoe", "automated_shoe"])
def test_with_an_approved_reshuffling_device_nothing_is_cut_or_spread_but_a_start_is_found(
    game: str, law: str, changes: Changes
) -> None:
    table = TestTable(game, changes | CONTINUOUS).opened().seat((2,)).play_on()
    assert "load" in table.steps() and "cut" not in table.steps()
    assert law in table.refused("cut", deck="A", depth=20)
    assert law in table.refused("recut", FLOOR, deck="A", reason="cards exposed")
    assert table.refused("idle_spread") == (law,)
    again(table).play_on(without=["draw_number"])
    table.refused("deal")
    table.play_on(rounds=1)
    assert "cut" not in table.steps() and table.state.rounds == 1


# --- a device fails -------------------------------------------------------------------------------


def jammed_shuffler(game: str, changes: Changes | None = None) -> TestTable:
    """Return a table with bets placed whose shuffler stopped in the middle of its work."""
    table = TestTable(game, changes).betting(2, main="$10").play_on(without=["square"])
    table.do("shuffler_fault", SHUFFLER, deck="A")
    return table


def jammed_shoe(game: str, cards: int) -> TestTable:
    """Return a table whose automated shoe jammed after so many cards, the round void."""
    table = TestTable(game, AUTOMATED).dealing(2, 3, main="$10", cards=cards)
    table.do("shoe_fault", SHOE)
    assert table.state.phase is Phase.BETTING and table.paid_to(2) == table.paid_to(3) == 1000
    return table


@by_chapter(pa575="pa575.13.l", pa659a="pa659a.13.l", pa670a="pa670a.13.l")
@pytest.mark.parametrize("changes", [BY_HAND, AUTOMATED])
def test_when_the_shuffler_does_not_finish_the_cards_are_shuffled_again(
    game: str, law: str, changes: Changes
) -> None:
    table = jammed_shuffler(game, changes)
    assert table.last("shuffler_fault").clauses == (law,)
    assert law in table.refused("deal")
    assert order_of(table, "A") == ()
    table.refused("load", deck="A", hand="left")
    table.refused("no_more_bets")
    table.do("shuffle", SHUFFLER, deck="A", method="automated", device="S-1")
    assert not table.state.failed
    table.refused("repair", FLOOR, device="shuffler")
    table.refused("sign_out_of_order", device="shuffler", how="sign")
    table.play_on(without=["square"])
    assert table.steps().count("shuffle") == 2
    assert law not in table.refused("deal")
    table.play_on(Phase.DEALING)


@pytest.mark.parametrize("game", GAMES)
def test_the_other_deck_jamming_does_not_disturb_the_round_in_play(game: str) -> None:
    table = TestTable(game, TWO_DECKS).dealing(2, main="$10")
    table.refused("shuffler_fault", SHUFFLER, deck="A")
    table.do("shuffler_fault", SHUFFLER, deck="B")
    table.play_on(rounds=1)
    assert table.state.rounds == 1
    table.play_on()
    table.refused("load", deck="B")


@pytest.mark.parametrize("game", GAMES)
def test_the_shuffler_does_not_fail_on_a_deck_that_was_taken_off_the_table(game: str) -> None:
    table = TestTable(game, TWO_DECKS).opened().seat((2,))
    table.do("remove_deck", FLOOR, deck="B")
    (problem,) = table.problems("shuffler_fault", SHUFFLER, deck="B")
    assert problem.reason == "the deck is off the table"
    table.refused("shuffler_fault", SHUFFLER, deck="B")
    assert table.state.decks["B"].place is Place.REMOVED


@by_chapter(pa575="pa575.13.n", pa659a="pa659a.13.n", pa670a="pa670a.13.n")
@pytest.mark.parametrize("how", ["sign", "covered"])
def test_a_failed_shuffler_is_covered_or_signed_before_cards_are_shuffled_by_hand(
    game: str, law: str, how: str
) -> None:
    table = jammed_shuffler(game)
    assert table.refused("shuffle", deck="A", method="manual") == (law,)
    for nothing in (None, "", "left as it is"):
        assert table.refused("sign_out_of_order", device="shuffler", how=nothing) == (law,)
    table.refused("sign_out_of_order", device="shoe", how=how)
    (event,) = table.do("sign_out_of_order", device="shuffler", how=how)
    assert (event.clauses, value_of(event, "how")) == ((law,), how)
    table.do("shuffle", deck="A", method="manual")
    table.play_on(Phase.DEALING)
    assert "cut" in table.steps()


@by_chapter(pa575="pa575.13.n", pa659a="pa659a.13.n", pa670a="pa670a.13.n")
@pytest.mark.parametrize("how", ["sign", "covered"])
def test_a_failed_shoe_is_covered_or_signed_before_cards_are_dealt_another_way(
    game: str, law: str, how: str
) -> None:
    table = jammed_shoe(game, cards=10).play_on(without=["load"])
    assert table.refused("change_dealing", FLOOR, dealing="manual_shoe") == (law,)
    table.do("sign_out_of_order", FLOOR, device="shoe", how=how)
    assert table.refused("load", deck="A") == (law,)
    table.refused("change_dealing", DEALER, dealing="manual_shoe")
    table.do("change_dealing", FLOOR, dealing="manual_shoe")
    again(table).play_on(Phase.DEALING)
    assert table.state.way == "manual_shoe"


@pytest.mark.parametrize("game", GAMES)
def test_a_shoe_that_jammed_is_loaded_again_without_a_repair(game: str) -> None:
    table = jammed_shoe(game, cards=10).play_on(without=["load"])
    assert table.state.failed == {"shoe"}
    table.do("load", deck="A")
    assert not table.state.failed
    again(table).play_on(Phase.DEALING)
    assert table.state.way == "automated_shoe"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_a_device_signed_out_of_order_is_used_again_once_it_is_repaired(game: str, device: str) -> None:
    if device == "shoe":
        table = jammed_shoe(game, cards=10)
        use: Changes = {"step": "load", "by": DEALER, "deck": "A"}
    else:
        table = jammed_shuffler(game, AUTOMATED)
        use = {"step": "shuffle", "by": SHUFFLER, "deck": "A", "method": "automated", "device": "S-1"}
    table.do("sign_out_of_order", device=device, how="sign")
    table.play_on(without=["load", "shuffle"] if device == "shuffler" else ["load"])
    table.refused(**use)
    table.refused("repair", FLOOR, device="shuffler" if device == "shoe" else "shoe")
    table.do("repair", FLOOR, device=device)
    table.do(**use)
    again(table).play_on(Phase.DEALING)
    assert table.state.way == "automated_shoe" and not table.state.failed


@pytest.mark.parametrize("game", GAMES)
def test_a_failed_device_is_signed_before_other_rules_are_adopted_in_its_place(game: str) -> None:
    by_hand = submission(game, {"table.dealing": "manual_shoe", "reference": "RS-2"})
    jammed_shoe(game, cards=10).refused("adopt_rules", FLOOR, submission=by_hand)


@pytest.mark.parametrize("game", GAMES)
def test_a_shuffler_does_not_load_a_shoe_that_is_out_of_order(game: str) -> None:
    table = TestTable(game, AUTOMATED | {"table.direct_to_shoe": True}).dealing(2, main="$10")
    table.do("shoe_fault", SHOE)
    table.do("sign_out_of_order", device="shoe", how="sign")
    table.refused("shuffle", SHUFFLER, deck="A", method="automated", device="S-1", into="shoe")
    table.do("repair", FLOOR, device="shoe")
    table.do("shuffle", SHUFFLER, deck="A", method="automated", device="S-1", into="shoe")


@pytest.mark.parametrize("game", GAMES)
def test_a_shuffler_may_load_a_shoe_that_jammed(game: str) -> None:
    table = TestTable(game, AUTOMATED | {"table.direct_to_shoe": True}).dealing(2, main="$10")
    table.do("shoe_fault", SHOE)
    table.do("shuffle", SHUFFLER, deck="A", method="automated", device="S-1", into="shoe")
    assert not table.state.failed


@pytest.mark.parametrize("game", GAMES)
def test_cards_shuffled_by_hand_are_not_dealt_from_the_hand(game: str) -> None:
    table = jammed_shuffler(game, BY_HAND)
    table.do("sign_out_of_order", device="shuffler", how="sign")
    table.play_on(Phase.DEALING)
    assert table.state.phase is not Phase.DEALING


DEVICES: dict[str, Changes] = {
    "shoe": {"table.dealing": "manual_shoe"},
    "shuffler": {"table.shuffler": "manual", "table.dealing": "manual_shoe"},
}
"""What rules say that do without a device, dealing from an automated shoe and from a manual one before."""


@by_chapter(pa575="pa575.13.n", pa659a="pa659a.13.n", pa670a="pa670a.13.n")
@pytest.mark.parametrize("device", DEVICES)
def test_a_device_that_failed_has_still_failed_when_the_table_closes_and_opens_again(
    game: str, law: str, device: str
) -> None:
    if device == "shoe":
        table = jammed_shoe(game, cards=10)
    else:
        table = jammed_shuffler(game, {"table.dealing": "manual_shoe"})
        table.do("wager", player(2), 2, wagers=money())
    table.do("close_table", FLOOR)
    without = submission(game, {**DEVICES[device], "reference": "RS-2"})
    assert table.state.failed == {device} and table.refused("adopt_rules", FLOOR, submission=without) == (
        law,
    )
    table.do("sign_out_of_order", device=device, how="sign")
    table.do("adopt_rules", FLOOR, submission=without)
    table.opened()
    assert (table.state.failed, table.state.signed) == ({device}, {device})


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("device", DEVICES)
def test_a_device_signed_out_of_order_stays_so_when_the_table_closes_and_opens_again(
    game: str, device: str
) -> None:
    table = jammed_shoe(game, cards=10) if device == "shoe" else jammed_shuffler(game, AUTOMATED)
    if device == "shuffler":
        table.do("wager", player(2), 2, wagers=money())
    table.do("sign_out_of_order", device=device, how="sign")
    table.do("close_table", FLOOR)
    table.play_on(without=["load", "shuffle"])
    deck = next(iter(table.state.decks))
    automated = {"method": "automated", "device": "S-1"}
    if device == "shuffler":
        table.refused("shuffle", SHUFFLER, None, deck=deck, **automated)
    else:
        table.do("shuffle", SHUFFLER, None, deck=deck, **automated)
        table.play_on(without=["load"])
        assert f"{game.replace('-', '')}.13.n" in table.refused("load", deck=deck)


@clause("pa670a.13.m.s2")
def test_670a_after_a_jam_all_53_cards_are_shuffled_together() -> None:
    table, device = jammed_shoe("pa-670a", cards=24), {"method": "automated", "device": "S-1"}
    for cards in (24, 29, 52, 54):
        assert table.refused("shuffle", SHUFFLER, None, deck="A", cards=cards, **device) == (
            "pa670a.13.m.s2",
        )
    table.do("shuffle", SHUFFLER, None, deck="A", cards=24 + 29, **device)
    assert len(set(order_of(table, "A"))) == 53


@clause("pa670a.5.g.s3")
def test_670a_cards_for_the_shuffler_are_not_stacked_before_the_first_player_could_look() -> None:
    table = after_a_round("pa-670a", TWO_DECKS)
    table.do("leave", player(2), 2)
    table.do("idle_spread")
    assert "pa670a.5.g.s3" in table.refused("stack", deck="A")
    table.do("sit", player(3), 3)
    assert "pa670a.5.g.s3" in table.refused("stack", deck="A")
    table.do("view_spread", player(3), deck="A")
    table.do("stack", deck="A")
    table.do("swap_decks", deck="A", secure=True)
    assert table.state.phase is Phase.BETTING
