"""What steps and refusals cite: the narrowest sentence that decides, and none that does not."""

from __future__ import annotations

import pytest

from houseway.cards import parse_cards
from houseway.cli.terminal_view import citations
from houseway.law import cite
from houseway.rounds.explain import explain
from houseway.rounds.houseway import by_house_way
from houseway.rounds.state import Phase, Place
from houseway.rounds.step import AnEvent
from houseway.rounds.steps.rack import Rack
from tests.games.support import Changes, rules
from tests.rounds.california import FIVE, STRAIGHT, WINS, banked, person
from tests.rounds.california import MANUAL as PILES
from tests.rounds.pennsylvania import dealt
from tests.rounds.table import (
    AUTOMATED,
    BUTTON,
    BY_HAND,
    DEALER,
    GENERATOR,
    MANUAL,
    SHAKER,
    TWO_DECKS,
    TestTable,
    money,
    player,
)
from tests.rounds.washington import WAYS, claim, jackpot
from tests.rounds.washington import dealt as dealt_in_washington

WITH_BONUS = {"main": "$20", "fortune": "$5"}
TWO_BETS = {2: {"main": "$25"}, 3: {"main": "$25"}}
GAMES = ("pa-575", "pa-659a", "pa-670a")
CHAPTER = {game: game.replace("-", "") for game in GAMES}


def laws(*ids: str) -> list[str]:
    """Return ids that begin with the chapter, for each chapter: ``laws("7.b.s3")``."""
    return [f"{CHAPTER[game]}.{one}" for game, one in zip(GAMES, ids, strict=True)]


# --- the starting position ----------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "law"), [*zip(GAMES, laws("5.g.2", "5.g.2", "5.i.2"), strict=True)])
def test_a_number_drawn_cites_the_generator_and_the_count(game: str, law: str) -> None:
    table = TestTable(game, {"table.start_methods": ["rng"]}).starting(2, main="$10")
    (event,) = table.play_on(without=["draw_number"]).do("draw_number", GENERATOR)
    assert event.clauses == (f"{law}.s1", f"{law}.s2")


@pytest.mark.parametrize(("game", "law"), [*zip(GAMES, laws("5.g.1", "5.g.1", "5.i.1"), strict=True)])
def test_the_dealer_shakes_and_totals_the_dice_by_the_procedure_of_the_shaker(game: str, law: str) -> None:
    table = TestTable(game, SHAKER).starting(2, main="$10").play_on(without=["shake"])
    assert table.refused("shake", player(2), times=3) == (f"{law}.i",)
    table.play_on(Phase.DEALING)
    assert table.last("announce_total").clauses == (f"{law}.ii.s2",)


def test_a_start_read_off_the_button_cites_the_sentence_on_where_it_stands() -> None:
    table = TestTable("pa-575", AUTOMATED | BUTTON).starting(2, main="$10")
    (event,) = table.play_on(without=["read_button"]).do("read_button")
    assert event.clauses == ("pa575.5.g.3.s2",)


# --- the deck in its place ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "changes", "law"),
    [
        ("pa-575", MANUAL, ("pa575.8.a.s2", "pa575.5.c.s3")),
        ("pa-575", BY_HAND, ("pa575.9.a.2.s1",)),
        ("pa-575", AUTOMATED, ("pa575.10.a.1",)),
        ("pa-659a", MANUAL, ("pa659a.8.a.s2", "pa659a.5.c.s3")),
        ("pa-659a", BY_HAND, ("pa659a.9.a.2.s1",)),
        ("pa-659a", AUTOMATED, ("pa659a.10.a.s1",)),
        ("pa-670a", MANUAL, ("pa670a.8.a.s2",)),
        ("pa-670a", BY_HAND, ("pa670a.9.a.2.s1",)),
        ("pa-670a", AUTOMATED, ("pa670a.10.a.1",)),
    ],
)
def test_a_deck_goes_into_place_by_the_rule_on_cut_stacks_only_if_it_was_cut(
    game: str, changes: Changes, law: tuple[str, ...]
) -> None:
    table = TestTable(game, changes).starting(2, main="$10")
    assert table.last("load").clauses == law
    assert ("cut" in table.steps()) is (changes is MANUAL)


@pytest.mark.parametrize("game", GAMES)
def test_a_deck_that_is_not_cut_is_refused_by_the_sentence_that_has_it_cut(game: str) -> None:
    table = TestTable(game, MANUAL).opened(without=["offer_cut", "cut"]).play_on(without=["offer_cut", "cut"])
    problems = [p for p in table.problems("load", deck="A") if "cut first" in p.reason]
    (problem,) = problems
    assert problem.clauses[0] == f"{CHAPTER[game]}.5.b.2"


# --- the dealer's hand --------------------------------------------------------------------------------


def test_the_dealers_six_cards_are_set_by_the_paragraph_that_decides_them() -> None:
    table = dealt("pa-670a", {2: "loser"}).play_on(Phase.SETTLING)
    wanted = ("pa670a.11.d.s2", "pa670a.11.d.1.s1", "pa670a.11.d.1.s2")
    assert table.last("set_dealer").clauses == wanted


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_the_dealers_seven_cards_lie_face_up_by_the_chapter_and_are_set_by_the_operators_way(
    game: str,
) -> None:
    table = dealt(game, {2: "loser"}).play_on(Phase.SETTLING)
    assert table.last("set_dealer").clauses == (f"{CHAPTER[game]}.11.c.s3",)


def test_a_dealers_hand_that_is_set_wrongly_cites_no_rule_of_the_way() -> None:
    table = dealt("pa-670a", {2: "loser"}).play_on(without=["set_dealer"])
    cards = sorted(table.live.table.round.dealer_cards)
    wrong = ((*cards[1:],), (cards[0],))
    (event,) = table.do("set_dealer", setting=wrong)
    assert event.clauses == ("pa670a.11.d.s2",)
    assert [alert.clauses for alert in event.alerts] == [("pa670a.13.i",)]


@pytest.mark.parametrize(
    ("way", "law"),
    [
        ("iverify_hwv", ("wa.fap.iverify.8.press", "wa.fap.iverify.8.show")),
        ("iverify", ("wa.fap.iverify_nohwv.x1.reveal",)),
        ("led", ("wa.fap.led.7",)),
        ("dice_cup", ("wa.fap.dice.7",)),
    ],
)
def test_washingtons_dealer_sets_by_the_step_of_the_procedure(way: str, law: tuple[str, ...]) -> None:
    assert sorted(WAYS) == ["dice_cup", "iverify", "iverify_hwv", "led"]
    table = dealt_in_washington({4: "loser"}, {}, way).play_on(Phase.SETTLING)
    assert table.last("set_dealer").clauses == law


def test_californias_banker_is_set_by_the_row_of_the_house_way() -> None:
    room = banked("$200", TWO_BETS)
    room.finished()
    general, *row = room.last("set_dealer").clauses
    assert general == "ca.fpgp.set.pd_set" and row
    assert all(law.startswith("ca.fpgp.houseway.") for law in row)


# --- cards exposed ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_an_exposed_card_cites_what_comes_of_it(game: str) -> None:
    chapter = CHAPTER[game]
    players = TestTable(game).setting(2, 3, main="$10").do("expose_card", at=2)[0]
    assert players.clauses == (f"{chapter}.13.d.s1",)
    dealers, void = TestTable(game).setting(2, 3, main="$10").do("expose_card", at=1)[:2]
    assert dealers.clauses == (f"{chapter}.13.e",) and set(dealers.clauses) <= set(void.clauses)
    nobodys = TestTable(game).dealing(2, 3, cards=49 if game != "pa-670a" else 42, main="$10")
    (event,) = nobodys.do("expose_card", at=5)
    unseen = {"pa-575": "pa575.10.e", "pa-659a": "pa659a.10.e", "pa-670a": "pa670a.10.f"}
    assert event.clauses == (unseen[game],), "cards that nobody plays are put away unseen"


# --- hands put away -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "wagers", "law"),
    [
        ("pa-575", {}, ("pa575.11.i", "pa575.11.g")),
        ("pa-575", {"bonus": "$5"}, ("pa575.11.i",)),
        ("pa-659a", {}, ("pa659a.11.j", "pa659a.11.g")),
        ("pa-659a", {"fortune": "$5"}, ("pa659a.11.j",)),
        ("pa-670a", {}, ("pa670a.11.j",)),
        ("pa-670a", {"fortune": "$5"}, ("pa670a.11.j",)),
        ("pa-670a", {"progressive": "$1"}, ("pa670a.11.j", "pa670a.11.h.3.i.a")),
    ],
)
def test_a_hand_is_racked_by_the_sentence_on_its_wagers(
    game: str, wagers: dict[str, str], law: tuple[str, ...]
) -> None:
    table = dealt(game, {2: "loser"}, {2: wagers}).play_on(rounds=1)
    assert table.last("rack").clauses == law


def test_a_winning_progressive_is_not_racked_by_the_sentence_on_losing_ones() -> None:
    table = dealt("pa-670a", {2: "quads"}, {2: {"progressive": "$1"}}).play_on(rounds=1)
    assert table.last("rack").clauses == ("pa670a.11.j",)


def test_surrendered_cards_are_put_away_by_no_sentence_on_hands_without_a_bonus_wager() -> None:
    table = dealt("pa-659a", {2: "loser", 4: "winner"}).play_on(Phase.SETTLING)
    table.do("surrender", player(2), 2)
    table.play_on(rounds=1)
    racked = {event.action.position: event.clauses for event in table.log if isinstance(event.action, Rack)}
    assert racked == {2: ("pa659a.11.j",), 4: ("pa659a.11.j", "pa659a.11.g")}


def test_a_surrendered_hand_stays_for_the_envy_bonus_by_the_sentence_on_surrender() -> None:
    bets = {4: {"fortune": "$5"}}
    table = dealt("pa-659a", {2: "quads", 4: "loser"}, bets).play_on(Phase.SETTLING)
    table.do("surrender", player(2), 2)
    assert [p.clauses for p in table.problems("rack", at=2) if "Envy" in p.reason] == [("pa659a.11.d.s5",)]
    assert "pa659a.11.g" not in table.refused("rack", at=2)


with_or_without_the_wager = pytest.mark.parametrize(
    ("game", "wagers", "law"),
    [
        ("pa-659a", {"fortune": "$5"}, "pa659a.11.h.1.i.b.s2"),
        ("pa-659a", {}, "pa659a.11.h.1.i.c"),
        ("pa-670a", {"fortune": "$5"}, "pa670a.11.h.1.i.b.s2"),
        ("pa-670a", {}, "pa670a.11.h.1.i.c"),
    ],
)


@with_or_without_the_wager
def test_an_envied_hand_stays_by_the_sentence_on_players_with_or_without_the_wager(
    game: str, wagers: dict[str, str], law: str
) -> None:
    bets = {2: wagers, 4: {"fortune": "$5"}}
    table = dealt(game, {2: "quads", 4: "loser"}, bets).play_on(without=["rack", "pay_envy"])
    assert table.refused("rack", at=2) == (law,)


def test_a_hand_envied_for_the_progressive_alone_cites_only_that() -> None:
    bets = {4: {"progressive": "$1"}}
    table = dealt("pa-670a", {2: "quads", 4: "loser"}, bets).play_on(without=["rack", "pay_envy"])
    assert table.refused("rack", at=2) == ("pa670a.11.h.3.i.c",)


# --- who does it --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "law"), [({}, "ca.fpgp.deal.shuffler.dice"), (PILES, "ca.fpgp.deal.dice.three")]
)
def test_nobody_but_the_player_dealer_shakes_by_the_sentence_that_names_them(
    changes: Changes, law: str
) -> None:
    room = banked("$200", TWO_BETS, changes=changes).closed().play_on(without=["shake_dice"])
    for by, at in ((person(2), 2), (DEALER, 6)):
        assert law in room.refused("shake_dice", by, at)


def test_nobody_but_the_player_dealer_chooses_the_pile() -> None:
    room = banked("$200", TWO_BETS, changes=PILES).closed().play_on(without=["choose_pile"])
    for by in (person(2), DEALER):
        assert room.refused("choose_pile", by, pile=3) == ("ca.fpgp.deal.pile.select",)


def test_the_supervisor_turns_the_key_and_presses_j_pot() -> None:
    table = claim(jackpot())
    for step, at, details in (("turn_key", None, {"to": "JPH"}), ("press_jpot", 4, {})):
        refused = [p for p in table.problems(step, DEALER, at, **details) if p.reason.startswith("is for")]
        assert [p.clauses for p in refused] == [("wa.prog.8.f.key",)]
    table.play_on(rounds=1)
    there, back = [event for event in table.log if event.step == "turn_key"]
    assert there.clauses == ("wa.prog.8.f.key",)
    assert back.clauses[:2] == ("wa.prog.8.g.run", "wa.prog.8.g.meter")


# --- sections that the amendment carries over ---------------------------------------------------------


def test_a_section_that_is_carried_over_is_cited_as_such() -> None:
    assert cite("pa659a.5.b.2").cited == "58 Pa. Code § 659a.5(b)(2), carried over"
    assert cite("pa659a.5.f").cited == "58 Pa. Code § 659a.5(f)"


def test_a_terminal_says_that_a_section_is_carried_over() -> None:
    assert citations(["pa659a.13.e", "pa659a.11.j"]) == "§ 659a.13(e), carried over and 1 more"


def test_an_explanation_says_that_a_section_is_carried_over() -> None:
    table = TestTable("pa-659a").setting(2, main="$10")
    table.do("expose_card", at=1)
    record = table.play_on(rounds=1).live.record
    assert record is not None
    assert any(line.endswith("(58 Pa. Code § 659a.13(e), carried over)") for line in explain(record))


# --- the idle table -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "changes", "looked_over", "stacked"),
    [
        ("pa-575", MANUAL, ("pa575.4.c.s1", "pa575.5.e.s2"), ("pa575.4.c.s2", "pa575.5.e.s2")),
        ("pa-659a", BY_HAND, ("pa659a.4.c.s1", "pa659a.5.e.s2"), ("pa659a.4.c.s2", "pa659a.5.e.s2")),
        ("pa-670a", MANUAL, ("pa670a.5.g.s3",), ("pa670a.5.g.1",)),
        ("pa-670a", TWO_DECKS, ("pa670a.5.g.s3",), ("pa670a.5.g.2.s1",)),
    ],
)
def test_what_is_done_again_at_an_idle_table_cites_the_sentence_on_idle_tables(
    game: str, changes: Changes, looked_over: tuple[str, ...], stacked: tuple[str, ...]
) -> None:
    table = TestTable(game, changes).opened().play_on(without=["no_more_bets"])
    first = {event.step: event.clauses for event in table.log}
    opening = "pa670a.4.c.s1" if game == "pa-670a" else f"{CHAPTER[game]}.4.c.s2"
    assert first["stack"] == (opening,)
    table.seat((2,)).do("leave", player(2), 2)
    table.do("idle_spread")
    table.seat((2,))
    deck = next(name for name, deck in table.state.decks.items() if deck.place is Place.TABLE)
    assert table.do("view_spread", player(2), deck=deck)[0].clauses == looked_over
    if changes is not TWO_DECKS:
        table.do("turn_down", deck=deck)
        table.do("wash", deck=deck)
    assert table.do("stack", deck=deck)[0].clauses == stacked


# --- a bonus, and what is not one ---------------------------------------------------------------------


def test_california_a_game_wager_is_settled_by_no_sentence_on_the_bonus_and_a_bonus_by_its_own() -> None:
    room = banked("$200", {2: WITH_BONUS, 3: WITH_BONUS}, FIVE).opened_up({2: WINS[0], 3: STRAIGHT})
    room.finished()
    main, lost, won = (
        [e.clauses for e in room.log if e.step == "settle" and wagers(e) == names and e.position == at]
        for names, at in ((("main",), 2), (("fortune",), 2), (("fortune",), 3))
    )
    assert main and lost and won
    assert not any("bonus" in clause for clauses in main for clause in clauses)
    assert {"ca.fpgp.type.pd_collects", "ca.fpgp.type.pd_pays"} <= set(main[0])
    assert "ca.fpgp.settle.bonus_collected" in lost[0] and "ca.fpgp.settle.bonus_paid" not in lost[0]
    assert "ca.fpgp.settle.bonus_paid" in won[0] and "ca.fpgp.settle.bonus_collected" not in won[0]


def test_washington_a_main_wager_is_settled_by_no_sentence_on_the_fortune_bonus() -> None:
    bonus = {"fortune": "$5"}
    table = dealt_in_washington({4: "quads", 5: "loser"}, {4: bonus, 5: bonus})
    table.play_on(rounds=1)
    settled = {(e.position, wagers(e)): e.clauses for e in table.log if e.step == "settle"}
    mains = [clauses for (_, names), clauses in settled.items() if names == ("main",)]
    assert len(mains) == 2 and not any("fortune" in clause for clauses in mains for clause in clauses)
    assert (
        "wa.fap.fortune.a" in settled[4, ("fortune",)] and "wa.fap.fortune.b" not in settled[4, ("fortune",)]
    )
    assert (
        "wa.fap.fortune.b" in settled[5, ("fortune",)] and "wa.fap.fortune.a" not in settled[5, ("fortune",)]
    )


def wagers(event: AnEvent) -> tuple[str, ...]:
    """Return which wagers an event settled."""
    named: tuple[str, ...] = event.outcome.wagers
    return named


def test_california_a_wager_behind_a_hand_cites_that_it_is_allowed() -> None:
    room = banked("$200", {2: {"main": "$20"}}, FIVE)
    room.behind("Zoe", 2, main="$20")
    assert room.last("bet_behind").clauses == ("ca.fpgp.table.backline",)


def test_washington_the_round_waits_for_game_over_by_its_sentence() -> None:
    table = dealt_in_washington({4: "loser"}, {4: {"progressive": "$1"}})
    table.play_on(without=["game_over"])
    (problem,) = (p for p in table.problems("close_round") if "Game Over" in p.reason)
    assert problem.clauses == ("wa.prog.8.h",)


@with_or_without_the_wager
def test_a_hand_that_is_announced_cites_the_sentence_that_has_it_said(
    game: str, wagers: dict[str, str], law: str
) -> None:
    bets = {2: wagers, 4: {"fortune": "$5"}}
    table = dealt(game, {2: "quads", 4: "loser"}, bets).play_on(rounds=1)
    said = {e.position: e.clauses for e in table.log if e.step == "rearrange"}
    begins = f"{CHAPTER[game]}.11.h.s1"
    assert said[2] == (begins, law) and said[4] == (begins,)


# --- what is not taken --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [*GAMES, "wa-fap"])
def test_cash_is_refused_once_and_by_a_clause_where_there_is_one(game: str) -> None:
    table = TestTable(game).opened().seat((3,))
    (problem,) = table.problems("wager", player(3), 3, wagers=money(main="$25"), instrument="cash")
    assert problem.clauses == ((f"{CHAPTER[game]}.7.a.s1",) if game in GAMES else ())
    assert ("instruments that the Board approved" in problem.reason) == (game == "pa-670a")


# --- California's house way ---------------------------------------------------------------------------


GOLDEN = ("ca.fpgp.houseway.golden", "ca.fpgp.houseway.golden.complete")
FULL = "ca.fpgp.houseway.full_house"
TRIPS = "ca.fpgp.houseway.sf.trips"


@pytest.mark.parametrize(
    ("cards", "front", "law"),
    [
        ("5h 5d 5s Kc Kd 9h 9c", "KK", (FULL,)),  # the row itself leaves a full house behind
        ("5h 5d 5s As Jk 9h 9c", "AJk", (FULL,)),
        ("Kh Kd Ks 9c 9d 5h 5c", "99", (FULL, *GOLDEN)),  # the row would put kings in front
        ("2s 2d 2c 3s 4s As Jk", "22", (FULL, *GOLDEN)),  # and here the ace with the joker
        ("9s 9h 9d 4c 4h Kd 2s", "44", (FULL,)),  # no complete hand behind any pair
        ("As Ah Jk Ks Qs 9s 4d", "A4", (TRIPS, "ca.fpgp.houseway.sf.one_pair")),
        ("9s 9h 9d 8s 7s 6s 5s", "99", (TRIPS,)),
    ],
)
def test_the_golden_rule_is_cited_only_where_the_row_alone_would_set_otherwise(
    cards: str, front: str, law: tuple[str, ...]
) -> None:
    decision = by_house_way(rules("ca-fpgp"), parse_cards(cards))
    behind, before = decision.setting
    assert sorted(str(card)[0] for card in before) == sorted(front.replace("Jk", "J"))
    assert decision.clauses == law and len(behind) == 5
