"""Conditions that nothing else fails beside: each the only reason of a refusal, where its clause is cited."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.rounds.state import changed
from houseway.rounds.step import Actor
from tests.games.support import Changes
from tests.rounds.california import Cardroom
from tests.rounds.pennsylvania import dealt
from tests.rounds.table import BY_HAND, DEALER, SHUFFLER, TWO_DECKS, TestTable, by_chapter, money
from tests.rounds.washington import WAYS

clause = pytest.mark.clause
FROM_THE_DEVICE: Changes = TWO_DECKS | {"table.direct_to_shoe": True}
INTO_THE_SHOE: dict[str, Any] = {"method": "automated", "device": "S-1", "into": "shoe"}
MISREAD: dict[str, Any] = {"reason": "misread"}


def only(table: TestTable, step: str, by: Actor = DEALER, at: int | None = None, **details: Any) -> Any:
    """Return the clauses of the one thing that stands against a command; it must be refused by it."""
    (problem,) = table.problems(step, by, at, **details)
    assert table.refused(step, by, at, **details) == problem.clauses
    return problem.clauses


# --- decks --------------------------------------------------------------------------------------------


@by_chapter(pa575="pa575.3.b.2", pa659a="pa659a.3.b.2", pa670a="pa670a.3.b.2")
def test_a_device_loads_the_shoe_only_while_the_other_deck_is_in_the_shuffler(game: str, law: str) -> None:
    table = TestTable(game, FROM_THE_DEVICE).play_on(without=["shuffle"])
    assert only(table, "shuffle", SHUFFLER, deck="A", **INTO_THE_SHOE) == (law,)
    table.do("shuffle", SHUFFLER, deck="B", method="automated", device="S-1")
    table.do("shuffle", SHUFFLER, deck="A", **INTO_THE_SHOE)


@by_chapter(pa575="pa575.9.a.1", pa659a="pa659a.9.a.1", pa670a="pa670a.9.a.1")
def test_a_deck_that_was_shuffled_by_hand_is_not_dealt_from_the_hand(game: str, law: str) -> None:
    table = TestTable(game, BY_HAND).play_on(without=["shuffle"])
    table.do("shuffler_fault", deck="A")
    table.do("sign_out_of_order", device="shuffler", how="sign")
    table.do("shuffle", deck="A", method="manual")
    table.play_on(without=["load"])
    assert only(table, "load", deck="A", hand="left") == (law,)


# --- what the dealer corrects is a wager like any other -------------------------------------------------


def keyed_in(game: str, changes: Changes | None = None) -> TestTable:
    """Return a table where $25 and what goes beside it lie at 3, keyed in and not yet closed."""
    if game == "ca-fpgp":
        return Cardroom(changes).banks(6).bets(3, main="$25", fortune="$10")
    return TestTable(game, changes).betting(3, main="$25")


SIDE = {
    "pa-575": "bonus",
    "pa-659a": "fortune",
    "pa-670a": "fortune",
    "wa-fap": "fortune",
    "ca-fpgp": "fortune",
}


@by_chapter(pa575="pa575.7.a.s2", pa659a="pa659a.7.a.s2", pa670a="pa670a.7.a.s2")
def test_a_wager_is_not_corrected_to_words_with_cash(game: str, law: str) -> None:
    table = keyed_in(game)
    details: dict[str, Any] = {"wagers": money(main="$25"), "instrument": "verbal", **MISREAD}
    assert law in table.refused("correct_wager", at=3, **details)
    assert law not in table.refused("correct_wager", at=3, **details | {"instrument": "voucher"})
    table.do("correct_wager", at=3, **details | {"instrument": "chip"})


NEEDS_MAIN = [
    ("pa-575", {}, "pa575.7.d"),
    ("pa-659a", {}, "pa659a.7.d"),
    ("pa-670a", {}, "pa670a.7.d"),
    ("ca-fpgp", {}, "ca.fpgp.bonus.needs_game"),
    ("wa-fap", {}, "wa.prog.4.main_first"),
    *(
        ("wa-fap", WAYS[way], f"wa.fap.{said}.2.main")
        for way, said in (
            ("iverify_hwv", "iverify"),
            ("iverify", "iverify_nohwv"),
            ("led", "led"),
            ("dice_cup", "dice"),
        )
    ),
]


@pytest.mark.parametrize(
    ("game", "changes", "law"), [pytest.param(*row, marks=clause(row[-1]), id=row[-1]) for row in NEEDS_MAIN]
)
def test_a_correction_leaves_no_side_wager_without_the_main_one(
    game: str, changes: Changes, law: str
) -> None:
    table = keyed_in(game, changes)
    alone = money(**{SIDE[game]: "$10"})
    assert law in table.refused("correct_wager", at=3, wagers=alone, **MISREAD)
    table.do("correct_wager", at=3, wagers=alone | money(main="$25"), **MISREAD)


@by_chapter(pa575="pa575.7.c.s1", pa659a="pa659a.7.c.s1", pa670a="pa670a.7.c.s1")
def test_a_correction_adds_no_wager_after_no_more_bets(game: str, law: str) -> None:
    table = keyed_in(game).play_on(without=["no_more_bets"])
    more = money(main="$25", **{SIDE[game]: "$10"})
    assert not any(
        problem.blocks for problem in table.problems("correct_wager", at=3, wagers=more, **MISREAD)
    )
    table.do("no_more_bets")
    assert law in table.refused("correct_wager", at=3, wagers=more, **MISREAD)
    assert law not in table.refused("correct_wager", at=3, wagers=money(main="$25"), **MISREAD)


@clause("wa.prog.4.sensor")
def test_a_progressive_chip_off_its_sensor_is_no_wager_when_it_is_corrected_either() -> None:
    table, both = keyed_in("wa-fap"), money(main="$25", progressive="$1")
    (event,) = table.do("correct_wager", at=3, wagers=both, off_sensor=True, **MISREAD)
    assert [problem.clauses for problem in event.alerts] == [("wa.prog.4.sensor",)]
    assert table.state.round.hands[3].wagers == money(main="$25")
    (event,) = table.do("correct_wager", at=3, wagers=both, **MISREAD)
    assert event.alerts == () and table.state.round.hands[3].wagers == both


@clause("ca.fpgp.type.house_not_player")
def test_nothing_is_corrected_to_be_the_houses_wager() -> None:
    room = keyed_in("ca-fpgp")
    details: dict[str, Any] = {"wagers": money(main="$25"), **MISREAD}
    seats = dict(room.live.table.seats)
    room.force(seats=seats | {3: changed(seats[3], person="The House")})
    assert only(room, "correct_wager", at=3, **details) == ("ca.fpgp.type.house_not_player",)
    room.force(seats=seats)
    room.do("correct_wager", at=3, **details)


# --- envy ----------------------------------------------------------------------------------------------


@by_chapter(pa659a="pa659a.11.h.1.ii.s1", pa670a="pa670a.11.h.1.ii.s1")
def test_envy_is_paid_when_every_fortune_wager_is_settled(game: str, law: str) -> None:
    held = "quads" if game == "pa-659a" else "full_house"
    bets = {2: {"fortune": "$5"}, 4: {"fortune": "$5"}, 6: {"fortune": "$5"}}
    table = dealt(game, {2: "loser", 4: held, 6: "winner"}, bets)
    for _ in table.live.proceed():
        if table.state.round.hands[6].has("rearranged"):
            break
    assert table.state.round.hands[6].settled == {"main"}
    assert only(table, "pay_envy", wager="fortune") == (law,)
    table.play_on(without=["pay_envy"])
    assert table.problems("pay_envy", wager="fortune") == ()
