"""A table opens: approvals, signs and the room, then every deck inspected, spread, washed and stacked."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.law.checklist import checklist
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Place
from houseway.rounds.step import Actor
from tests.games.support import NOTHING, Changes, submission
from tests.rounds.commands import value_of
from tests.rounds.table import (
    BY_HAND,
    DEALER,
    FLOOR,
    MANUAL,
    SHAKER,
    TWO_DECKS,
    TestTable,
    by_chapter,
    player,
)

clause = pytest.mark.clause
GAMES = ("pa-575", "pa-659a", "pa-670a")
BUTTON: Changes = {"table.start_methods": ["button"]}
TWO_JOKERS: Changes = {"table.pack_jokers": 2}
EACH_DECK = {"pa-575": "pa575.4.d", "pa-659a": "pa659a.4.d", "pa-670a": "pa670a.4.d"}


def attested(game: str, *, without: str = "") -> tuple[str, ...]:
    """Return every item of a game's checklist, but one."""
    return tuple(item.clause for item in checklist(game) if item.clause != without)


def papers(table: TestTable, **changes: Any) -> dict[str, Any]:
    """Return what a floorperson says when the table is to open, with some of it changed."""
    given = {"checklist": attested(table.state.rules.game.id), "odds_shown": "sign"}
    if table.rules.submission.payout_limit is not None:
        given["limit_shown"] = "sign"
    return {name: value for name, value in (given | changes).items() if value is not None}


def ready(game: str, changes: Changes | None = None) -> TestTable:
    """Return a table whose decks are ready, waiting to be opened."""
    return TestTable(game, changes).play_on(without=["open_table"])


def opens(table: TestTable, **changes: Any) -> bool:
    """Whether the table opens with these papers; if so, it is open."""
    table.do("open_table", FLOOR, **papers(table, **changes))
    return table.state.phase is Phase.BETTING


def until(step: str, game: str, changes: Changes | None = None) -> TestTable:
    """Open a table up to a step, which is still to be done."""
    return TestTable(game, changes).play_on(without=[step])


# --- the room -------------------------------------------------------------------------------------


ALL_TABLES: dict[str, str] = {
    "pa-575": "2.a.s2 2.b.1 2.b.2 2.b.3 2.b.4 2.d.s1 2.e 11.a.2",
    "pa-659a": "2.a.s2 2.b.1 2.b.2 2.b.3 2.b.4 2.e.s1 2.f 11.a.2",
    "pa-670a": "2.a.s2 2.b.1 2.b.2 2.b.3 2.b.4 2.e.s1 2.f 11.a.2",
}
"""The physical things that every table of a chapter has, by their paragraphs."""
SOME_TABLES: dict[str, dict[str, str]] = {
    "pa-575": {
        "bonus": "2.b.5",
        "shaker": "2.c.1.i.s1 2.c.1.i.s2 2.c.1.ii 2.c.1.iii",
        "two decks": "3.b.1.s1 3.b.1.s2",
        "manual shoe": "8.a.s1 8.c.s2",
        "hand": "9.a.2.s1 9.a.2.s2",
    },
    "pa-659a": {
        "fortune": "2.b.5",
        "insurance": "2.b.6",
        "progressive": "2.b.7 2.d.1",
        "shaker": "2.c.1.i.s1 2.c.1.i.s2 2.c.1.ii 2.c.1.iii",
        "two decks": "3.b.1.s1 3.b.1.s2",
        "manual shoe": "8.a.s1 8.c.s2",
        "hand": "9.a.2.s1 9.a.2.s2",
        "never": "9.a.3.x1.deleted",
    },
    "pa-670a": {
        "double_down": "2.b.5",
        "fortune": "2.b.6",
        "insurance": "2.b.7",
        "progressive": "2.b.8 2.c.1 2.c.2.s1",
        "odds on the layout": "2.b.9.s1",
        "odds on a sign": "2.b.9.s2",
        "shaker": "2.d.1.i.s1 2.d.1.ii 2.d.1.iii",
        "two decks": "3.b.1",
        "manual shoe": "8.a.s1 8.d.s3",
        "hand": "9.a.2.s3 9.b.s1",
    },
}
"""What only some tables have, by what they have it for."""
WITH: dict[str, Changes] = {"shaker": SHAKER, "two decks": TWO_DECKS, "manual shoe": MANUAL, "hand": BY_HAND}


def physical(game: str, *things: str) -> tuple[str, ...]:
    """Return the items asked of a table that has these things, in the order of the text."""
    prefix = game.replace("-", "")
    said = " ".join([ALL_TABLES[game], *(SOME_TABLES[game][one] for one in things)])
    wanted = {f"{prefix}.{one}" for one in said.split()}
    return tuple(item for item in attested(game) if item in wanted)


def offered(game: str) -> list[str]:
    """Return the optional wagers of the example table whose areas are on the checklist, and its sign."""
    wagers = ("bonus", "double_down", "fortune", "insurance", "progressive", "odds on a sign")
    return [one for one in wagers if one in SOME_TABLES[game]]


@pytest.mark.parametrize("game", GAMES)
def test_every_physical_item_is_asked_of_some_table_or_of_none_ever(game: str) -> None:
    things = physical(game, *SOME_TABLES[game])
    assert things == attested(game)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("thing", [None, *WITH])
def test_the_table_opens_when_every_physical_thing_it_has_is_attested_and_not_before(
    game: str, thing: str | None
) -> None:
    table = ready(game, WITH[thing] if thing else {})
    items = physical(game, *offered(game), *([thing] if thing else []))
    assert table.refused("open_table", FLOOR, **papers(table, checklist=None)) == items
    for item in items:
        left = papers(table, checklist=tuple(one for one in items if one != item))
        assert table.refused("open_table", FLOOR, **left) == (item,)
    table.refused("open_table", FLOOR, **papers(table, checklist=(*items, "a dog under the table")))
    assert opens(table, checklist=items)
    assert value_of(table.last("open_table"), "checklist") == items


@pytest.mark.parametrize("game", GAMES)
def test_the_area_of_a_wager_that_is_not_offered_is_not_asked_about(game: str) -> None:
    for wager in offered(game):
        if wager == "odds on a sign":
            continue
        gone = {"progressive": NOTHING} if wager == "progressive" else {}
        table = ready(game, {f"wagers.{wager}": NOTHING, **gone})
        others = [one for one in offered(game) if one != wager]
        assert opens(table, checklist=physical(game, *others))


def test_670a_odds_on_the_layout_need_no_sign_and_odds_on_a_sign_no_layout() -> None:
    for shown, thing in (("layout", "odds on the layout"), ("sign", "odds on a sign")):
        wagers = [one for one in offered("pa-670a") if one != "odds on a sign"]
        table = ready("pa-670a")
        without = papers(table, checklist=physical("pa-670a", *wagers), odds_shown=shown)
        assert len(table.refused("open_table", FLOOR, **without)) == 1
        assert opens(table, checklist=physical("pa-670a", *wagers, thing), odds_shown=shown)


@pytest.mark.parametrize("game", GAMES)
def test_only_the_floor_opens_a_table_and_only_with_a_dealer_at_it(game: str) -> None:
    table = ready(game)
    table.refused("open_table", DEALER, **papers(table))
    table.do("log_off", DEALER)
    table.refused("open_table", FLOOR, **papers(table))
    table.do("log_on", training="on file")
    assert opens(table)


APPROVALS: list[tuple[str, str, Changes, str]] = [
    ("pa-575", "layout", {}, "pa575.2.b"),
    ("pa-575", "shaker", SHAKER, "pa575.2.c.1.s1"),
    ("pa-575", "rng", {}, "pa575.2.c.2"),
    ("pa-575", "button", BUTTON, "pa575.2.c.3"),
    ("pa-659a", "layout", {}, "pa659a.2.b"),
    ("pa-659a", "shaker", SHAKER, "pa659a.2.c.1.s1"),
    ("pa-659a", "rng", {}, "pa659a.2.c.2"),
    ("pa-670a", "layout", {}, "pa670a.2.b.s1"),
    ("pa-670a", "shaker", SHAKER, "pa670a.2.d.1.s1"),
    ("pa-670a", "rng", {}, "pa670a.2.d.2"),
]


@pytest.mark.parametrize(
    ("game", "what", "changes", "law"), [pytest.param(*row, marks=clause(row[3])) for row in APPROVALS]
)
def test_what_the_table_uses_has_its_approval_on_file(
    game: str, what: str, changes: Changes, law: str
) -> None:
    for missing in (NOTHING, ""):
        table = ready(game, changes | {f"approvals.{what}": missing})
        assert table.refused("open_table", FLOOR, **papers(table)) == (law,)
    assert opens(ready(game, changes | {f"approvals.{what}": "EX-7"}))


@pytest.mark.parametrize("game", GAMES)
def test_what_the_table_does_not_use_needs_no_approval(game: str) -> None:
    assert opens(ready(game, {"approvals.shaker": NOTHING}))
    assert opens(ready(game, SHAKER | {"approvals.rng": NOTHING}))


@pytest.mark.parametrize("game", GAMES)
def test_an_open_table_does_not_change_over_to_an_unapproved_shaker(game: str) -> None:
    table = TestTable(game).opened()
    unapproved = submission(game, SHAKER | {"approvals.shaker": NOTHING})
    table.refused("adopt_rules", FLOOR, submission=unapproved)


@by_chapter(pa575="pa575.2.b.6", pa659a="pa659a.2.b.8")
def test_the_odds_stand_on_the_layout_or_on_a_sign(game: str, law: str) -> None:
    for shown in (None, "", "on request"):
        table = ready(game)
        assert table.refused("open_table", FLOOR, **papers(table, odds_shown=shown)) == (law,)
    for shown in ("layout", "sign"):
        table = ready(game)
        assert opens(table, odds_shown=shown)
        assert value_of(table.last("open_table"), "odds_shown") == shown


@clause("pa575.2.b.7")
def test_575_the_amount_of_the_payout_limit_stands_on_the_layout_or_on_a_sign() -> None:
    limit: Changes = {"payout_limit": "$50,000"}
    for shown in (None, "generic"):
        table = ready("pa-575", limit)
        assert table.refused("open_table", FLOOR, **papers(table, limit_shown=shown)) == ("pa575.2.b.7",)
    for shown in ("layout", "sign"):
        table = ready("pa-575", limit)
        assert opens(table, limit_shown=shown)
        assert value_of(table.last("open_table"), "limit_shown") == shown
    assert opens(ready("pa-575"), limit_shown=None)


@clause("pa659a.2.b.7.deleted")
def test_659a_asks_for_no_inscription_of_a_payout_limit_and_puts_one_on_record() -> None:
    table = ready("pa-659a")
    assert opens(table, limit_shown=None) and not table.last("open_table").alerts
    table = ready("pa-659a")
    assert opens(table, limit_shown="sign")
    alerts = [(alert.field, alert.clauses) for alert in table.last("open_table").alerts]
    assert alerts == [("limit_shown", ("pa659a.2.b.7.deleted",))]


@by_chapter(pa575="pa575.2.d.s2", pa659a="pa659a.2.e.s2", pa670a="pa670a.2.e.s2")
def test_another_place_for_the_tip_box_has_its_approval_and_names_what_is_in_the_way(
    game: str, law: str
) -> None:
    table = ready(game)
    for place in ({"place": "left"}, {"equipment": "shuffler"}, {"approval": "EX-TIP-1"}, {"approval": ""}):
        assert table.refused("open_table", FLOOR, **papers(table, tip_box=place)) == (law,)
    assert opens(table, tip_box={"approval": "EX-TIP-1", "equipment": "shuffler"})


# --- a deck comes to the table --------------------------------------------------------------------


@by_chapter(pa575="pa575.4.a.s1", pa659a="pa659a.4.a.s1", pa670a="pa670a.4.a.s1")
def test_the_dealer_inspects_a_deck_before_anything_is_done_with_it(game: str, law: str) -> None:
    table = until("inspect_deck", game)
    assert law in table.refused("spread_deck", deck="A")
    assert law in table.refused("verify_inspection", FLOOR, deck="A")
    assert EACH_DECK[game] in table.refused("open_table", FLOOR, **papers(table))
    table.refused("inspect_deck", player(2), deck="A")
    (event,) = table.do("inspect_deck", deck="A")
    assert (event.by, event.at, event.clauses) == (DEALER, table.now, (law,))
    assert opens(table.play_on(without=["open_table"]))


@pytest.mark.parametrize("game", GAMES)
def test_a_deck_with_a_defect_is_taken_away_and_another_comes(game: str) -> None:
    table = until("inspect_deck", game)
    table.do("inspect_deck", deck="A", defects="a bent corner")
    assert table.state.decks["A"].place is Place.REMOVED
    table.refused("spread_deck", deck="A")
    table.refused("open_table", FLOOR, **papers(table))
    assert opens(table.play_on(without=["open_table"]))
    assert [deck.place for deck in table.state.decks.values()].count(Place.REMOVED) == 1


@pytest.mark.parametrize("game", GAMES)
def test_another_deck_comes_under_a_name_of_its_own_however_many_are_taken_away(game: str) -> None:
    table = until("inspect_deck", game)
    for deck in ("A", "B", "A1", "B1"):
        table.do("inspect_deck", deck=deck, defects="a bent corner")
        table.play_on(without=["inspect_deck"])
    held = [name for name, deck in table.state.decks.items() if deck.place is not Place.REMOVED]
    assert held == ["A2"]


@by_chapter(pa575="pa575.4.a.s2", pa659a="pa659a.4.a.s2", pa670a="pa670a.4.a.s2")
def test_a_floorperson_other_than_the_dealer_verifies_the_inspection(game: str, law: str) -> None:
    table = until("inspect_deck", game)
    table.do("inspect_deck", deck="A")
    assert law in table.refused("spread_deck", deck="A")
    assert law in table.refused("verify_inspection", DEALER, deck="A")
    assert law in table.refused("verify_inspection", Actor(DEALER.id, Role.FLOORPERSON), deck="A")
    table.do("verify_inspection", FLOOR, deck="A")
    table.do("spread_deck", deck="A")
    assert table.last("verify_inspection").by == FLOOR


@by_chapter(pa575="pa575.4.b.s1", pa659a="pa659a.4.b.s1")
def test_dealer_and_floorperson_both_make_sure_of_one_joker(game: str, law: str) -> None:
    for first, second in ((DEALER, FLOOR), (FLOOR, DEALER)):
        table = until("attest_joker", game, TWO_JOKERS)
        assert law in table.refused("spread_deck", deck="A")
        table.do("attest_joker", first, deck="A")
        assert law in table.refused("spread_deck", deck="A")
        table.do("attest_joker", second, deck="A")
        assert law not in table.refused("spread_deck", deck="A")
        assert table.last("attest_joker").clauses == (law,)
        assert opens(table.play_on(without=["open_table"]))


@pytest.mark.parametrize(
    ("attests", "law"),
    [
        pytest.param(FLOOR, "pa670a.4.b.s1", marks=clause("pa670a.4.b.s1")),
        pytest.param(DEALER, "pa670a.4.b.s2", marks=clause("pa670a.4.b.s2")),
    ],
)
def test_670a_dealer_and_floorperson_each_make_sure_of_one_joker(attests: Actor, law: str) -> None:
    table = until("attest_joker", "pa-670a", TWO_JOKERS)
    jokers = {"pa670a.4.b.s1", "pa670a.4.b.s2"}
    assert jokers <= set(table.refused("spread_deck", deck="A"))
    table.do("attest_joker", attests, deck="A")
    assert jokers & set(table.refused("spread_deck", deck="A")) == {law}
    table.do("attest_joker", DEALER if attests is FLOOR else FLOOR, deck="A")
    assert not jokers & set(table.refused("spread_deck", deck="A"))
    assert opens(table.play_on(without=["open_table"]))


@by_chapter(pa575="pa575.4.b.s2", pa659a="pa659a.4.b.s2", pa670a="pa670a.4.b.s3")
def test_the_second_joker_is_torn_and_put_back_into_its_box(game: str, law: str) -> None:
    table = until("tear_joker", game, TWO_JOKERS)
    assert law in table.refused("spread_deck", deck="A")
    assert table.refused("tear_joker", deck="A") == (law,)
    assert table.refused("tear_joker", deck="A", container="  ") == (law,)
    (event,) = table.do("tear_joker", deck="A", container="box 12")
    assert (event.clauses, value_of(event, "container")) == ((law,), "box 12")
    (again,) = table.problems("tear_joker", deck="A", container="box 12")
    assert again.reason == "a joker is torn already"
    assert opens(table.play_on(without=["open_table"]))


@by_chapter(pa575="pa575.4.b.s2", pa659a="pa659a.4.b.s2", pa670a="pa670a.4.b.s3")
def test_the_decks_own_container_may_be_named_in_any_words(game: str, law: str) -> None:
    for container in (
        "kept at the table",
        "the discard rack",
        "Dora has it",
        "the trash container",
        "box of B",
    ):
        table = until("tear_joker", game, TWO_JOKERS)
        assert table.refused("tear_joker", deck="A", container=container) == (law,)
    for container in (
        "envelope",
        "container of A",
        "Box 12",
        "the deck's own box",
        "tuck box of deck A",
        "Its Envelope",
        "the carton it came from",
        "B-17",
        " 12 ",
    ):
        until("tear_joker", game, TWO_JOKERS).do("tear_joker", deck="A", container=container)


@pytest.mark.parametrize("game", GAMES)
def test_a_pack_with_one_joker_has_nothing_to_attest_or_to_tear(game: str) -> None:
    table = until("spread_deck", game)
    table.refused("attest_joker", deck="A")
    table.refused("tear_joker", deck="A", container="box 12")
    table.do("spread_deck", deck="A")


# --- spread, looked over, washed, stacked ---------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_deck_is_spread_once(game: str) -> None:
    table = until("spread_deck", game)
    table.do("spread_deck", deck="A")
    reasons = [problem.reason for problem in table.problems("spread_deck", deck="A")]
    assert reasons == ["the deck is spread already"]


@by_chapter(pa575="pa575.4.b.s3", pa659a="pa659a.4.b.s3", pa670a="pa670a.4.b.s4")
def test_inspected_cards_are_spread_face_up_before_they_are_washed(game: str, law: str) -> None:
    table = until("spread_deck", game)
    assert law in table.refused("wash", deck="A")
    (event,) = table.do("spread_deck", deck="A")
    assert law in event.clauses
    assert law not in table.refused("wash", deck="A")
    assert "wash" in table.play_on(without=["open_table"]).steps()


@by_chapter(pa575="pa575.4.b.s4", pa659a="pa659a.4.b.s4", pa670a="pa670a.4.b.s5")
@pytest.mark.parametrize("jokers", [1, 2])
def test_all_53_cards_with_the_one_joker_lie_in_the_spread(game: str, law: str, jokers: int) -> None:
    table = until("spread_deck", game, {"table.pack_jokers": jokers})
    for seen in (52, 54):
        assert table.refused("spread_deck", deck="A", seen=seen) == (law,)
    table.do("spread_deck", deck="A", seen=53)


@by_chapter(pa575="pa575.4.b.s4", pa659a="pa659a.4.b.s4", pa670a="pa670a.4.b.s5")
def test_a_deck_that_came_one_card_short_cannot_be_spread(game: str, law: str) -> None:
    for cards, whole in ((52, False), (53, True), (54, False)):
        table = TestTable(game)
        table.do("receive_deck", deck="A", cards=cards)
        table.play_on(without=["spread_deck"])
        if whole:
            table.do("spread_deck", deck="A")
        else:
            assert law in table.refused("spread_deck", deck="A")


@by_chapter(pa575="pa575.4.c.s1", pa659a="pa659a.4.c.s1", pa670a="pa670a.4.c.s1")
def test_the_first_player_may_look_the_cards_over_before_they_are_turned_down(game: str, law: str) -> None:
    table = until("view_spread", game)
    assert law in table.refused("turn_down", deck="A")
    assert law in table.refused("wash", deck="A")
    table.seat((3,))
    (event,) = table.do("view_spread", player(3), deck="A")
    assert (event.by, event.at) == (player(3), table.now)
    table.do("turn_down", deck="A")
    table.do("wash", deck="A")


@by_chapter(pa575="pa575.4.c.s2", pa659a="pa659a.4.c.s2", pa670a="pa670a.4.c.s1")
def test_cards_are_turned_down_then_washed_then_stacked(game: str, law: str) -> None:
    table = until("turn_down", game)
    assert law in table.refused("wash", deck="A")
    assert law in table.refused("stack", deck="A")
    for step in ("turn_down", "wash", "stack"):
        if step == "wash":
            assert law in table.refused("stack", deck="A")
        (event,) = table.do(step, deck="A")
        assert event.clauses == (law,)


@by_chapter(pa575="pa575.4.c.s3", pa659a="pa659a.4.c.s3", pa670a="pa670a.4.c.s2")
def test_stacked_cards_are_shuffled_before_any_deal(game: str, law: str) -> None:
    table = until("shuffle", game)
    assert table.state.decks["A"].has("stacked")
    assert law in table.refused("deal")
    table.refused("open_table", FLOOR, **papers(table))
    table.betting(2, main="$10").play_on(Phase.DEALING)
    assert table.steps().index("stack") < table.steps().index("shuffle") < table.steps().index("deal")


@by_chapter(pa575="pa575.4.d", pa659a="pa659a.4.d", pa670a="pa670a.4.d")
def test_each_of_two_decks_is_made_ready_by_itself(game: str, law: str) -> None:
    table = until("view_spread", game, TWO_DECKS).seat((3,))
    assert sorted(table.state.decks) == ["A", "B"]
    for step in ("view_spread", "turn_down", "wash", "stack"):
        table.do(step, deck="A")
    table.do("shuffle", deck="A", method="automated", device="S-1")
    assert table.refused("open_table", FLOOR, **papers(table)) == (law,)
    assert opens(table.play_on(without=["open_table"]))


@pytest.mark.parametrize(
    ("game", "section"),
    [
        pytest.param("pa-575", "§ 523.16", marks=clause("pa575.4.e")),
        pytest.param("pa-659a", "§ 603a.16", marks=clause("pa659a.4.e")),
        pytest.param("pa-670a", "§ 603a.16", marks=clause("pa670a.4.e")),
    ],
)
def test_a_deck_that_comes_inspected_and_shuffled_skips_all_this_but_is_still_cut(
    game: str, section: str
) -> None:
    for reference in ("(u)", "(v)"):
        table = TestTable(game, MANUAL)
        table.do("receive_deck", deck="A", preshuffled=reference)
        assert opens(table)
        assert value_of(table.last("receive_deck"), "preshuffled") == reference
        table.refused("load", deck="A")
        table.betting(2, main="$10").play_on(Phase.DEALING)
        assert not {"inspect_deck", "spread_deck", "wash", "stack", "shuffle"} & set(table.steps())
        assert "cut" in table.steps()
    for reference in ("(w)", f"{section}(w)", section, ""):
        table = TestTable(game, MANUAL)
        table.refused("receive_deck", deck="A", preshuffled=reference)
        table.do("receive_deck", deck="A")
        table.refused("open_table", FLOOR, **papers(table))
        assert opens(table.play_on(without=["open_table"]))
        assert {"inspect_deck", "spread_deck", "wash", "stack", "shuffle"} <= set(table.steps())


@by_chapter(pa575="pa575.3.a.s2", pa659a="pa659a.3.a.s2", pa670a="pa670a.3.a.s2")
@pytest.mark.parametrize(
    ("cards", "jokers", "whole"),
    [(53, 1, True), (52, 0, False), (52, 1, False), (53, 0, False), (54, 1, False), (54, 2, False)],
)
def test_no_table_opens_with_a_deck_of_other_than_53_cards_with_one_joker(
    game: str, law: str, cards: int, jokers: int, *, whole: bool
) -> None:
    table = TestTable(game, MANUAL)
    table.do("receive_deck", deck="A", preshuffled="(u)", cards=cards, jokers=jokers)
    if whole:
        assert opens(table)
    else:
        assert law in table.refused("open_table", FLOOR, **papers(table))


@pytest.mark.parametrize("changes", [MANUAL, BY_HAND, TWO_DECKS])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_takes_as_many_decks_as_it_was_filed_with(game: str, changes: Changes) -> None:
    table = ready(game, changes)
    table.refused("receive_deck", deck="C")
    table.refused("receive_deck", deck="A")
    assert len(table.state.decks) == changes.get("table.decks", 1)
