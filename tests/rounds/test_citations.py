"""What steps and refusals cite: the narrowest sentence that decides, and none that does not."""

from __future__ import annotations

import pytest

from houseway.cli.terminal_view import citations
from houseway.law import cite
from houseway.rounds.explain import explain
from houseway.rounds.state import Phase
from houseway.rounds.steps.rack import Rack
from tests.games.support import Changes
from tests.rounds.cardroom import MANUAL as PILES
from tests.rounds.cardroom import banked, person
from tests.rounds.support import AUTOMATED, BUTTON, BY_HAND, DEALER, GENERATOR, MANUAL, SHAKER, Floor, player
from tests.rounds.washington import WAYS, claim, jackpot
from tests.rounds.washington import dealt as dealt_in_washington
from tests.rounds.worked import dealt

TWO_BETS = {2: {"main": "$25"}, 3: {"main": "$25"}}
GAMES = ("pa-575", "pa-659a", "pa-670a")
CHAPTER = {game: game.replace("-", "") for game in GAMES}


def laws(*ids: str) -> list[str]:
    """Return ids that begin with the chapter, for each chapter: ``laws("7.b.s3")``."""
    return [f"{CHAPTER[game]}.{one}" for game, one in zip(GAMES, ids, strict=True)]


# --- the starting position ----------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "law"), [*zip(GAMES, laws("5.g.2", "5.g.2", "5.i.2"), strict=True)])
def test_a_number_drawn_cites_the_generator_and_the_count(game: str, law: str) -> None:
    floor = Floor(game, {"table.start_methods": ["rng"]}).starting(2, main="$10")
    (event,) = floor.play_on(without=["draw_number"]).do("draw_number", GENERATOR)
    assert event.clauses == (f"{law}.s1", f"{law}.s2")


@pytest.mark.parametrize(("game", "law"), [*zip(GAMES, laws("5.g.1", "5.g.1", "5.i.1"), strict=True)])
def test_the_dealer_shakes_and_totals_the_dice_by_the_procedure_of_the_shaker(game: str, law: str) -> None:
    floor = Floor(game, SHAKER).starting(2, main="$10").play_on(without=["shake"])
    assert floor.refused("shake", player(2), times=3) == (f"{law}.i",)
    floor.play_on(Phase.DEALING)
    assert floor.last("announce_total").clauses == (f"{law}.ii.s2",)


def test_a_start_read_off_the_button_cites_the_sentence_on_where_it_stands() -> None:
    floor = Floor("pa-575", AUTOMATED | BUTTON).starting(2, main="$10")
    (event,) = floor.play_on(without=["read_button"]).do("read_button")
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
    floor = Floor(game, changes).starting(2, main="$10")
    assert floor.last("load").clauses == law
    assert ("cut" in floor.steps()) is (changes is MANUAL)


@pytest.mark.parametrize("game", GAMES)
def test_a_deck_that_is_not_cut_is_refused_by_the_sentence_that_has_it_cut(game: str) -> None:
    floor = Floor(game, MANUAL).opened(without=["offer_cut", "cut"]).play_on(without=["offer_cut", "cut"])
    problems = [p for p in floor.problems("load", deck="A") if "cut first" in p.reason]
    (problem,) = problems
    assert problem.clauses[0] == f"{CHAPTER[game]}.5.b.2"


# --- the dealer's hand --------------------------------------------------------------------------------


def test_the_dealers_six_cards_are_set_by_the_paragraph_that_decides_them() -> None:
    floor = dealt("pa-670a", {2: "loser"}).play_on(Phase.SETTLING)
    wanted = ("pa670a.11.d.s2", "pa670a.11.d.1.s1", "pa670a.11.d.1.s2")
    assert floor.last("set_dealer").clauses == wanted


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_the_dealers_seven_cards_lie_face_up_by_the_chapter_and_are_set_by_the_operators_way(
    game: str,
) -> None:
    floor = dealt(game, {2: "loser"}).play_on(Phase.SETTLING)
    assert floor.last("set_dealer").clauses == (f"{CHAPTER[game]}.11.c.s3",)


def test_a_dealers_hand_that_is_set_wrongly_cites_no_rule_of_the_way() -> None:
    floor = dealt("pa-670a", {2: "loser"}).play_on(without=["set_dealer"])
    cards = sorted(floor.live.table.round.dealer_cards)
    wrong = ((*cards[1:],), (cards[0],))
    (event,) = floor.do("set_dealer", setting=wrong)
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
    floor = dealt_in_washington({4: "loser"}, {}, way).play_on(Phase.SETTLING)
    assert floor.last("set_dealer").clauses == law


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
    players = Floor(game).setting(2, 3, main="$10").do("expose_card", at=2)[0]
    assert players.clauses == (f"{chapter}.13.d.s1",)
    dealers, void = Floor(game).setting(2, 3, main="$10").do("expose_card", at=1)[:2]
    assert dealers.clauses == (f"{chapter}.13.e",) and set(dealers.clauses) <= set(void.clauses)
    nobodys = Floor(game).dealing(2, 3, cards=49 if game != "pa-670a" else 42, main="$10")
    (event,) = nobodys.do("expose_card", at=5)
    assert event.clauses == ()


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
    floor = dealt(game, {2: "loser"}, {2: wagers}).play_on(rounds=1)
    assert floor.last("rack").clauses == law


def test_a_winning_progressive_is_not_racked_by_the_sentence_on_losing_ones() -> None:
    floor = dealt("pa-670a", {2: "quads"}, {2: {"progressive": "$1"}}).play_on(rounds=1)
    assert floor.last("rack").clauses == ("pa670a.11.j",)


def test_surrendered_cards_are_put_away_by_no_sentence_on_hands_without_a_bonus_wager() -> None:
    floor = dealt("pa-659a", {2: "loser", 4: "winner"}).play_on(Phase.SETTLING)
    floor.do("surrender", player(2), 2)
    floor.play_on(rounds=1)
    racked = {event.action.position: event.clauses for event in floor.log if isinstance(event.action, Rack)}
    assert racked == {2: ("pa659a.11.j",), 4: ("pa659a.11.j", "pa659a.11.g")}


def test_a_surrendered_hand_stays_for_the_envy_bonus_by_the_sentence_on_surrender() -> None:
    bets = {4: {"fortune": "$5"}}
    floor = dealt("pa-659a", {2: "quads", 4: "loser"}, bets).play_on(Phase.SETTLING)
    floor.do("surrender", player(2), 2)
    assert [p.clauses for p in floor.problems("rack", at=2) if "Envy" in p.reason] == [("pa659a.11.d.s5",)]
    assert "pa659a.11.g" not in floor.refused("rack", at=2)


@pytest.mark.parametrize(
    ("game", "wagers", "law"),
    [
        ("pa-659a", {"fortune": "$5"}, "pa659a.11.h.1.i.b.s2"),
        ("pa-659a", {}, "pa659a.11.h.1.i.c"),
        ("pa-670a", {"fortune": "$5"}, "pa670a.11.h.1.i.b.s2"),
        ("pa-670a", {}, "pa670a.11.h.1.i.c"),
    ],
)
def test_an_envied_hand_stays_by_the_sentence_on_players_with_or_without_the_wager(
    game: str, wagers: dict[str, str], law: str
) -> None:
    bets = {2: wagers, 4: {"fortune": "$5"}}
    floor = dealt(game, {2: "quads", 4: "loser"}, bets).play_on(without=["rack", "pay_envy"])
    assert floor.refused("rack", at=2) == (law,)


def test_a_hand_envied_for_the_progressive_alone_cites_only_that() -> None:
    bets = {4: {"progressive": "$1"}}
    floor = dealt("pa-670a", {2: "quads", 4: "loser"}, bets).play_on(without=["rack", "pay_envy"])
    assert floor.refused("rack", at=2) == ("pa670a.11.h.3.i.c",)


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
    floor = claim(jackpot())
    for step, at, details in (("turn_key", None, {"to": "JPH"}), ("press_jpot", 4, {})):
        refused = [p for p in floor.problems(step, DEALER, at, **details) if p.reason.startswith("is for")]
        assert [p.clauses for p in refused] == [("wa.prog.8.f.key",)]
    floor.play_on(rounds=1)
    there, back = [event for event in floor.log if event.step == "turn_key"]
    assert there.clauses == ("wa.prog.8.f.key",)
    assert back.clauses[:2] == ("wa.prog.8.g.run", "wa.prog.8.g.meter")


# --- sections that the amendment carries over ---------------------------------------------------------


def test_a_section_that_is_carried_over_is_cited_as_such() -> None:
    assert cite("pa659a.5.b.2").cited == "58 Pa. Code § 659a.5(b)(2), carried over"
    assert cite("pa659a.5.f").cited == "58 Pa. Code § 659a.5(f)"


def test_a_terminal_says_that_a_section_is_carried_over() -> None:
    assert citations(["pa659a.13.e", "pa659a.11.j"]) == "§ 659a.13(e), carried over and 1 more"


def test_an_explanation_says_that_a_section_is_carried_over() -> None:
    floor = Floor("pa-659a").setting(2, main="$10")
    floor.do("expose_card", at=1)
    record = floor.play_on(rounds=1).live.record
    assert record is not None
    assert any(line.endswith("(58 Pa. Code § 659a.13(e), carried over)") for line in explain(record))
