"""Where the deal starts: the shaker and its dice, a number, the button; the progressive is locked by then."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.rounds.state import CardOrigin, Phase
from houseway.rounds.steps.wagers import PlaceWagers
from tests.rounds.commands import value_of
from tests.rounds.table import (
    AUTOMATED,
    BUTTON,
    DEALER,
    FLOOR,
    GENERATOR,
    SHAKER,
    SHOE,
    TestTable,
    by_chapter,
    money,
    player,
)

clause = pytest.mark.clause
GAMES = ("pa-575", "pa-659a", "pa-670a")


def shaker(game: str, hours: float = 0) -> TestTable:
    """Return a table with bets closed whose dice, placed so long ago, are still to be shaken."""
    table = TestTable(game, SHAKER)
    table.do("place_dice")
    table.later(hours=hours).starting(2, main="$10")
    return table.play_on(without=["place_dice", "shake"])


# --- the shaker -----------------------------------------------------------------------------------


@by_chapter(pa575="pa575.5.g.1.i", pa659a="pa659a.5.g.1.i", pa670a="pa670a.5.i.1.i")
def test_the_shaker_is_shaken_at_least_three_times(game: str, law: str) -> None:
    for shakes, enough in (((2,), False), ((3,), True), ((4,), True), ((1, 1), False), ((2, 1), True)):
        table = shaker(game)
        table.refused("uncover")
        for times in shakes:
            (event,) = table.do("shake", times=times)
            assert event.clauses == (law,)
        if enough:
            table.do("uncover")
            assert len(table.state.round.dice) == 3
        else:
            assert table.refused("uncover") == (law,)
            assert table.state.round.dice == ()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("times", [0, -1])
def test_a_shaker_that_is_not_shaken_is_not_said_to_be(game: str, times: int) -> None:
    table = shaker(game)
    table.refused("shake", times=times)
    table.do("shake", times=3)
    table.refused("shake", times=times)
    assert table.state.round.shakes == 3


@by_chapter(pa575="pa575.5.g.1.ii.s1", pa659a="pa659a.5.g.1.ii.s1", pa670a="pa670a.5.i.1.ii.s1")
def test_the_shaker_is_uncovered_in_its_place_before_the_total(game: str, law: str) -> None:
    table = shaker(game)
    table.do("shake", times=3)
    assert law in table.refused("announce_total", total=11)
    (event,) = table.do("uncover", dice=(6, 3, 2))
    assert (event.clauses, value_of(event, "faces")) == ((law,), (6, 3, 2))
    table.refused("uncover", dice=(1, 1, 1))
    table.do("announce_total", total=11)
    assert table.state.round.start == 4


@by_chapter(pa575="pa575.5.g.1.ii.s2", pa659a="pa659a.5.g.1.ii.s2", pa670a="pa670a.5.i.1.ii.s2")
def test_the_dice_are_totalled_and_a_wrong_total_announced_gives_alarm(game: str, law: str) -> None:
    table = shaker(game)
    table.do("shake", times=3)
    table.do("uncover", dice=(6, 3, 2))
    for said in (10, 12):
        (event,) = table.do("announce_total", total=said)
        assert [problem.clauses for problem in event.alerts] == [(law,)]
        assert (value_of(event, "total"), value_of(event, "announced"), value_of(event, "due")) == (
            11,
            said,
            4,
        )
    (event,) = table.do("announce_total", total=11)
    assert (event.alerts, value_of(event, "total"), value_of(event, "announced")) == ((), 11, 11)
    assert table.state.round.dice == (6, 3, 2)
    table.do("deal", cards=1)
    assert table.state.round.start == 4


@by_chapter(pa575="pa575.13.a", pa659a="pa659a.13.a", pa670a="pa670a.13.a")
def test_a_die_that_does_not_lie_flat_is_no_roll(game: str, law: str) -> None:
    table = shaker(game)
    table.do("shake", times=3)
    (event,) = table.do("uncover", dice=(6, 3, 2), flat=False)
    assert law in event.clauses
    assert (value_of(event, "no_roll"), value_of(event, "faces")) == (True, ())
    reshaken(table)


@by_chapter(pa575="pa575.13.b", pa659a="pa659a.13.b", pa670a="pa670a.13.b")
@pytest.mark.parametrize("out", [1, 2, 3])
def test_a_die_that_falls_out_is_no_roll_even_if_the_others_lie_flat(game: str, law: str, out: int) -> None:
    table = shaker(game)
    table.do("shake", times=5)
    (event,) = table.do("uncover", out=out)
    assert law in event.clauses
    assert (value_of(event, "no_roll"), value_of(event, "faces")) == (True, ())
    reshaken(table)


def reshaken(table: TestTable) -> None:
    """See that a roll left nothing behind: three more shakes, and only the new dice count."""
    assert (table.state.round.dice, table.state.round.start) == ((), None)
    table.refused("announce_total", total=11)
    table.refused("deal")
    table.refused("uncover", dice=(4, 1, 3))
    table.do("shake", times=2)
    table.refused("uncover", dice=(4, 1, 3))
    table.do("shake", times=1)
    table.do("uncover", dice=(4, 1, 3))
    table.do("announce_total", total=8)
    assert (table.state.round.dice, table.state.round.start) == ((4, 1, 3), 1)


@pytest.mark.parametrize("game", GAMES)
def test_dice_read_by_a_person_are_three_and_show_one_to_six(game: str) -> None:
    table = shaker(game)
    table.force(source=CardOrigin.TYPED)
    table.do("shake", times=3)
    table.refused("uncover")
    for faces in ((6, 3), (6, 3, 2, 1), (6, 3, 0), (7, 3, 2)):
        table.refused("uncover", dice=faces)
    table.do("uncover", dice=(6, 3, 2))
    for total in (2, 19):
        table.refused("announce_total", total=total)
    table.do("announce_total", total=11)


@by_chapter(pa575="pa575.5.g.1.iv", pa659a="pa659a.5.g.1.iv", pa670a="pa670a.5.i.1.iv.s1")
def test_after_the_deal_the_shaker_is_covered_and_shaken_before_the_round_closes(game: str, law: str) -> None:
    table = shaker(game).play_on(without=["deal"])
    found = table.state.round.dice, table.state.round.announced, table.state.round.start
    covered = {"at_right": True, "times": 1}
    table.refused("cover_shaker", DEALER, None, **covered)
    table.do("deal", cards=41)
    table.refused("cover_shaker", DEALER, None, **covered)
    table.do("deal")
    for step in ("count_stub", "collect_empty"):
        assert table.refused("cover_shaker", DEALER, None, **covered) == (law,)
        table.do(step)
    assert table.problems("cover_shaker", DEALER, None, **covered) == ()
    table.play_on(without=["cover_shaker"])
    assert table.refused("close_round") == (law,)
    for times in (-1, 0, 2, 3):
        assert table.refused("cover_shaker", at_right=True, times=times) == (law,)
    (event,) = table.do("cover_shaker", DEALER, None, **covered)
    assert value_of(event, "times") == 1
    assert (event.clauses, event.alerts, event.outcome) == ((law,), (), None)
    assert found == (table.state.round.dice, table.state.round.announced, table.state.round.start)
    table.play_on(rounds=1)
    assert table.state.rounds == 1


@clause("pa670a.5.i.1.iv.s2")
def test_670a_the_covered_shaker_stands_at_the_dealers_right() -> None:
    for place in (False, None, True):
        table = shaker("pa-670a").play_on(without=["cover_shaker"])
        put = {} if place is None else {"at_right": place}
        (event,) = table.do("cover_shaker", DEALER, None, times=1, **put)
        alarms = [problem.clauses for problem in event.alerts]
        assert alarms == ([] if place else [("pa670a.5.i.1.iv.s2",)])
        assert table.play_on(rounds=1).state.rounds == 1


@by_chapter(pa575="pa575.2.c.1.i.s3", pa659a="pa659a.2.c.1.i.s3", pa670a="pa670a.2.d.1.i.s2")
def test_dice_are_not_rolled_after_24_hours_until_they_are_replaced(game: str, law: str) -> None:
    table = shaker(game, hours=24).later(minutes=-1)
    for _ in range(2):
        assert table.problems("shake", times=3) == ()
        table.later(minutes=1)
    assert table.refused("shake", times=3) == (law,)
    table.do("place_dice")
    table.do("shake", times=3)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_shaken_without_dice(game: str) -> None:
    table = shaker(game)
    table.force(dice_since=None)
    table.refused("shake", times=3)
    table.do("place_dice")
    table.do("shake", times=3)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_does_not_shake_the_dice_where_that_is_left_to_the_dealer(game: str) -> None:
    table = TestTable(game, SHAKER).starting(2, main="$10").play_on(without=["shake"])
    assert "shake" not in table.steps()


# --- a number, the button -------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_number_that_the_device_shows_names_the_starting_position(game: str) -> None:
    table = TestTable(game, source=CardOrigin.TYPED).starting(2, main="$10").play_on(without=["draw_number"])
    for number in (0, 8):
        table.refused("draw_number", GENERATOR, number=number)
    table.refused("draw_number", FLOOR, number=4)
    (event,) = table.do("draw_number", GENERATOR, number=7)
    assert (value_of(event, "number"), table.state.round.start, table.state.round.due) == (7, 7, 7)
    table.refused("draw_number", GENERATOR, number=6)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_finds_the_start_by_its_own_method_only(game: str) -> None:
    dice = shaker(game)
    dice.refused("draw_number", GENERATOR, number=4)
    number = TestTable(game).starting(2, main="$10").play_on(without=["draw_number"])
    number.refused("shake", times=3)
    number.refused("cover_shaker", at_right=True, times=1)
    for table in (dice, number):
        table.refused("read_button")


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_done_with_a_shaker_or_its_dice_where_the_table_has_none(game: str) -> None:
    table = TestTable(game).starting(2, main="$10").play_on(without=["draw_number"])
    done: dict[str, dict[str, Any]] = {
        "place_dice": {},
        "shake": {"times": 3},
        "uncover": {"dice": (4, 1, 3)},
        "announce_total": {"total": 8},
        "cover_shaker": {"at_right": True, "times": 1},
    }
    for step, details in done.items():
        reasons = [problem.reason for problem in table.problems(step, **details)]
        assert "the table does not use the shaker" in reasons
        table.refused(step, **details)


@clause("pa575.5.g.3.s2")
def test_575_the_button_moves_clockwise_by_one_position_each_round() -> None:
    table, starts = TestTable("pa-575", BUTTON).opened().seat((2,)), []
    for _ in range(8):
        table.bet(2, main="$10").play_on(Phase.DEALING)
        starts.append(table.state.round.start)
        table.play_on(rounds=1)
    assert starts == [1, 7, 6, 5, 4, 3, 2, 1]


# --- the lock-out ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "law"),
    [
        pytest.param("pa-659a", "pa659a.2.d.2", marks=clause("pa659a.2.d.2")),
        pytest.param("pa-670a", "pa670a.2.c.2.s2", marks=clause("pa670a.2.c.2.s2")),
    ],
)
def test_no_progressive_wager_is_taken_after_no_more_bets(game: str, law: str) -> None:
    more = money(main="$10", progressive="$1")
    table = TestTable(game).betting(2, 3, main="$10").play_on(without=["no_more_bets"])
    table.do("wager", player(2), 2, wagers=more)
    table.later(seconds=1).do("no_more_bets")
    table.later(seconds=1)
    for who in (player(3), DEALER):
        assert law in table.refused("wager", who, 3, wagers=more)
        before, wanted = table.state, PlaceWagers(3, more)
        assert any(law in problem.clauses for problem in table.live.verify(who, wanted))
        assert table.state is before
    table.do("lock_progressive")
    table.refused("count_progressive", chips=2)
    meter = table.state.meter
    table.do("count_progressive", chips=1)
    assert meter is not None and table.state.meter is not None
    assert table.state.meter.value > meter.value
    assert "progressive" not in table.state.round.hands[3].wagers
    assert table.state.round.hands[2].amount("progressive") == 100


def button_table() -> TestTable:
    """Return a table of ch. 575 with the flat button whose shoe jammed and is signed out of order."""
    table = TestTable("pa-575", BUTTON | AUTOMATED).dealing(2, main="$10", cards=10)
    table.do("shoe_fault", SHOE)
    table.do("sign_out_of_order", device="shoe", how="sign")
    return table


@clause("pa575.5.g.3.s1")
@pytest.mark.parametrize("start", ["rng", "shaker"])
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand"])
def test_575_without_the_automated_shoe_the_start_is_found_otherwise_than_by_the_button(
    dealing: str, start: str
) -> None:
    table = button_table()
    for by in (None, "button"):
        assert table.refused("change_dealing", FLOOR, dealing=dealing, start=by) == ("pa575.5.g.3.s1",)
    table.refused("change_dealing", FLOOR, dealing=dealing, start="coin")
    table.do("change_dealing", FLOOR, dealing=dealing, start=start)
    table.bet(2, main="$10").play_on(rounds=1)
    last = table.state.last
    assert last is not None and last.void is None and table.state.way == dealing
    assert ("draw_number" if start == "rng" else "announce_total") in table.steps()
    assert "read_button" not in table.steps()[table.steps().index("change_dealing") :]


APPROVED = [
    pytest.param("pa-575", "shaker", marks=clause("pa575.2.c.1.s1")),
    pytest.param("pa-575", "rng", marks=clause("pa575.2.c.2")),
    pytest.param("pa-575", "button", marks=clause("pa575.2.c.3")),
    pytest.param("pa-659a", "shaker", marks=clause("pa659a.2.c.1.s1")),
    pytest.param("pa-659a", "rng", marks=clause("pa659a.2.c.2")),
    pytest.param("pa-670a", "shaker", marks=clause("pa670a.2.d.1.s1")),
    pytest.param("pa-670a", "rng", marks=clause("pa670a.2.d.2")),
]


@pytest.mark.parametrize(("game", "start"), APPROVED)
def test_another_way_to_find_the_start_needs_its_approval_too(
    game: str, start: str, request: pytest.FixtureRequest
) -> None:
    other = "rng" if start == "shaker" else "shaker"
    unapproved = AUTOMATED | {"table.start_methods": [other], f"approvals.{start}": ""}
    law = next(request.node.iter_markers("clause")).args
    table = TestTable(game, unapproved).opened()
    assert table.refused("change_dealing", FLOOR, dealing="automated_shoe", start=start) == law
    approved = TestTable(game, unapproved | {f"approvals.{start}": "EX-1"}).opened()
    approved.do("change_dealing", FLOOR, dealing="automated_shoe", start=start)
    assert approved.rules.submission.table.start_methods == (start,)


@clause("pa575.5.g.3.s1")
def test_575_cards_shuffled_by_hand_are_not_dealt_from_the_place_of_the_button() -> None:
    table = TestTable("pa-575", BUTTON | AUTOMATED).betting(2, main="$10").play_on(without=["load"])
    table.do("shuffle", DEALER, deck="A", method="manual")
    table.play_on(without=["load"])
    assert table.refused("load", deck="A") == ("pa575.5.g.3.s1",)
    table.do("wager", player(2), 2, wagers=money())
    table.do("change_dealing", FLOOR, dealing="automated_shoe", start="rng")
    table.bet(2, main="$10").play_on(rounds=1)
    assert table.state.rounds == 1 and "draw_number" in table.steps()
