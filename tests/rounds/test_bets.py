"""Wagers until "no more bets", and what is done with them before the first card."""

from __future__ import annotations

import pytest

from houseway.ledger import AccountKind, Ledger
from houseway.rounds.books import posted
from houseway.rounds.state import Phase
from tests.games.support import Changes
from tests.rounds.books import dollars, net_of_rounds
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import EVERY_WAGER, by_way
from tests.rounds.table import (
    AUTOMATED,
    BY_HAND,
    DEALER,
    FLOOR,
    GENERATOR,
    KEYPAD,
    MANUAL,
    TestTable,
    by_chapter,
    money,
    player,
)

WITH_PROGRESSIVE = ("pa-659a", "pa-670a")


# --- until "no more bets" ---------------------------------------------------------------------------


@by_chapter(pa575="pa575.7.c.s1", pa659a="pa659a.7.c.s1", pa670a="pa670a.7.c.s1")
def test_every_wager_is_placed_before_no_more_bets(game: str, law: str) -> None:
    table = TestTable(game).opened().seat((2, 3))
    table.bet(2, **EVERY_WAGER[game]).later(seconds=1)
    table.play_on(Phase.STARTING).later(seconds=1)
    late = money(**EVERY_WAGER[game])
    assert law in table.refused("wager", player(3), 3, wagers=late)
    assert law in table.refused("wager", DEALER, 3, wagers=late)
    assert law in table.refused("wager", player(3), 3, wagers=money(main="$10"))
    assert set(table.state.round.hands) == {2}
    table.play_on(rounds=1).bet(3, **EVERY_WAGER[game])
    assert set(table.state.round.hands) == {3}


@by_chapter(pa575="pa575.7.c.s2", pa659a="pa659a.7.c.s2", pa670a="pa670a.7.c.s2")
@pytest.mark.parametrize("phase", [Phase.STARTING, Phase.SETTING])
def test_after_no_more_bets_nothing_is_raised_lowered_or_withdrawn(game: str, law: str, phase: Phase) -> None:
    table = TestTable(game).betting(2, main="$25")
    table.bet(2, main="$20").bet(2, **{**EVERY_WAGER[game], "main": "$10"})
    table.play_on(phase)
    placed = table.state.round.hands[2].wagers
    assert placed["main"] == 1000
    for wagers in (
        {**placed, "main": 2000},
        {**placed, "main": 500},
        {**placed, "main": 1001},
        {"main": 1000},
        {},
    ):
        assert law in table.refused("wager", player(2), 2, wagers=wagers)
        assert law in table.refused("correct_wager", DEALER, 2, wagers=wagers, reason="misread")
    table.do("leave", player(2), 2)
    assert table.state.round.hands[2].wagers == placed


def test_six_card_the_double_down_alone_comes_after_no_more_bets() -> None:
    table = TestTable("pa-670a").setting(2, main="$25").play_on(without=["set"])
    assert "pa670a.7.c.s2" in table.refused("wager", player(2), 2, wagers=money(main="$25", fortune="$5"))
    table.do("double_down", player(2), 2)
    assert table.state.round.hands[2].wagers == money(main="$25", double_down="$25")


def test_a_wager_entered_wrongly_is_corrected_while_bets_are_open() -> None:
    table = TestTable("pa-659a").betting(2, main="$10")
    table.do("correct_wager", DEALER, 2, wagers=money(main="$15"), reason="misread")
    assert table.state.round.hands[2].wagers == money(main="$15")
    table.refused("correct_wager", DEALER, 3, wagers=money(main="$15"), reason="nothing there")


@by_chapter(pa575="pa575.7.d", pa659a="pa659a.7.d", pa670a="pa670a.7.d")
def test_nobody_takes_part_without_a_main_wager(game: str, law: str) -> None:
    table = TestTable(game).opened().seat((2,))
    bonus = {name: amount for name, amount in money(**EVERY_WAGER[game]).items() if name != "main"}
    for name, amount in bonus.items():
        assert law in table.refused("wager", player(2), 2, wagers={name: amount})
        assert law in table.refused("wager", player(2), 2, wagers={name: amount, **money(main="$0")})
    assert not table.state.round.active()
    table.do("wager", player(2), 2, wagers={**bonus, **money(main="$10")})
    assert [hand.position for hand in table.state.round.active()] == [2]


# --- "no more bets", and what comes before the start ---------------------------------------------------


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_bets_are_not_closed_before_anybody_has_bet(game: str) -> None:
    table = TestTable(game).opened().seat((2,)).play_on()
    (problem,) = table.problems("no_more_bets")
    assert problem.reason == "nobody has wagered"
    table.bet(2, main="$10").do("no_more_bets")


@by_way(
    manual_shoe=["pa575.8.b", "pa659a.8.b", "pa670a.8.b.s1"],
    hand=["pa575.9.a.3.s1", "pa659a.9.a.3", "pa670a.9.a.3.s1"],
    automated_shoe=["pa575.10.a.2", "pa659a.10.a.s2", "pa670a.10.a.2.s1"],
)
def test_no_more_bets_is_announced_before_any_card(game: str, changes: Changes, law: str) -> None:
    table = TestTable(game, changes).betting(2, **EVERY_WAGER[game]).play_on(without=["no_more_bets"])
    assert table.state.in_play is not None and table.state.in_play.has("loaded")
    assert law in table.refused("deal")
    table.refused("draw_number", GENERATOR, number=4)
    assert law in table.do("no_more_bets")[0].clauses
    table.play_on(Phase.DEALING)
    assert table.state.round.dealt


FINDS: dict[str, tuple[str, Changes]] = {
    "rng": ("draw_number", {"number": 4}),
    "shaker": ("shake", {"times": 3}),
    "button": ("read_button", {}),
}
PREPARES: tuple[tuple[str, Changes], ...] = (
    ("place_lammers", {}),
    ("lock_progressive", {}),
    ("count_progressive", {"chips": 2}),
)


@by_way(manual_shoe=["pa575.8.b"], hand=["pa575.9.a.3.s1"], automated_shoe=["pa575.10.a.2"])
def test_asia_the_start_is_found_after_no_more_bets(game: str, changes: Changes, law: str) -> None:
    button = ["button"] if changes == AUTOMATED else []
    for start in ("rng", "shaker", *button):
        approved = {**changes, "table.start_methods": [start], "approvals.button": "EX-BUTTON-1"}
        table = TestTable(game, approved).betting(2, main="$10").play_on(without=["no_more_bets"])
        step, details = FINDS[start]
        if start == "shaker":
            table.do("place_dice")
        assert law in table.refused(step, **details)
        table.play_on(Phase.STARTING)
        assert law in table.refused("deal")
        table.do(step, **details)


@by_way(manual_shoe=["pa659a.8.b"], hand=["pa659a.9.a.3"], automated_shoe=["pa659a.10.a.s2"])
def test_fortune_asia_lammers_lock_and_count_come_before_start_and_deal(
    game: str, changes: Changes, law: str
) -> None:
    table = TestTable(game, changes).starting(2, 3, **EVERY_WAGER[game])
    for step, details in PREPARES:
        assert law in table.refused("draw_number", GENERATOR, number=1)
        assert law in table.refused("deal")
        table.do(step, **details)
    table.do("draw_number", GENERATOR, number=1)
    table.do("deal")


@by_way(
    manual_shoe=["pa659a.8.b.1", "pa670a.8.b.1"],
    hand=["pa659a.9.a.3.i", "pa670a.9.a.3.i"],
    automated_shoe=["pa659a.10.a.1", "pa670a.10.a.2.i"],
)
def test_a_lammer_lies_at_each_qualifying_wager_and_at_no_other(
    game: str, changes: Changes, law: str
) -> None:
    fortunes = {2: "$5", 3: "$4", 4: "$10", 5: "$4.99", 6: "$25", 7: "$5.01"}
    table = TestTable(game, changes).opened().seat(fortunes)
    for at, amount in fortunes.items():
        table.bet(at, main="$10", fortune=amount)
    table.play_on(Phase.STARTING).play_on(without=["place_lammers"])
    table.refused("draw_number", GENERATOR, number=1)
    for wrong in ((2, 3, 4, 6, 7), (2, 4, 6), ()):
        assert law in table.refused("place_lammers", positions=wrong)
    assert not table.state.round.lammers
    assert law in table.do("place_lammers", positions=(2, 4, 6, 7))[0].clauses
    assert table.state.round.lammers == {2, 4, 6, 7}
    table.do("draw_number", GENERATOR, number=1)


@pytest.mark.parametrize("game", WITH_PROGRESSIVE)
def test_without_a_qualifying_wager_no_lammer_is_waited_for(game: str) -> None:
    table = TestTable(game).starting(2, main="$10", fortune="$4.99")
    table.play_on(Phase.DEALING, without=["place_lammers"])
    assert not table.state.round.lammers and table.state.round.dealt


# --- the progressive -----------------------------------------------------------------------------------


@by_chapter(pa659a="pa659a.2.d.2", pa670a="pa670a.2.c.2.s2")
def test_the_progressive_is_locked_out_after_no_more_bets(game: str, law: str) -> None:
    table = TestTable(game).betting(2, 3, main="$10")
    table.bet(2, main="$10", progressive="$1").later(seconds=1).play_on(Phase.STARTING).later(seconds=1)
    before, meter = table.state, table.state.meter
    late = money(main="$10", progressive="$1")
    assert law in table.refused("wager", player(3), 3, wagers=late)
    assert table.state is before and meter is not None
    assert table.live.meters["progressive"] == meter.state
    assert value_of(table.play_on(without=["draw_number"]).last("count_progressive"), "chips") == 1


@by_way(
    manual_shoe=["pa659a.8.b.2.s1", "pa670a.8.b.2.s1"],
    hand=["pa659a.9.a.3.ii.s1", "pa670a.9.a.3.ii.s1"],
    automated_shoe=["pa659a.10.a.2.s1", "pa670a.10.a.2.ii.s1"],
)
@pytest.mark.parametrize("wagers", [{"main": "$10"}, {"main": "$10", "progressive": "$1"}])
def test_the_dealer_locks_the_progressive_before_the_start_and_the_deal(
    game: str, changes: Changes, law: str, wagers: dict[str, str]
) -> None:
    table = TestTable(game, changes).seat((6,)).starting(2, **wagers)
    assert law in table.refused("draw_number", GENERATOR, number=1)
    assert law in table.refused("deal")
    table.refused("count_progressive", chips=1)
    assert law in table.do("lock_progressive")[0].clauses
    table.refused("wager", player(6), 6, wagers=money(main="$10", progressive="$1"))
    table.play_on(Phase.DEALING)
    assert set(table.state.round.hands) == {2}


def four_wagers(game: str, changes: Changes) -> TestTable:
    """Play until four progressive wagers are locked, and a fifth player has none."""
    table = TestTable(game, changes).betting(2, 3, 4, 5, main="$10", progressive="$1").seat((6,))
    return table.bet(6, main="$10").play_on(Phase.STARTING).play_on(without=["count_progressive"])


@by_way(
    manual_shoe=["pa659a.8.b.2.s2", "pa670a.8.b.2.s2"],
    hand=["pa659a.9.a.3.ii.s2", "pa670a.9.a.3.ii.s2"],
    automated_shoe=["pa659a.10.a.2.s2", "pa670a.10.a.2.ii.s2"],
)
def test_as_many_progressive_chips_are_counted_as_the_system_accepted(
    game: str, changes: Changes, law: str
) -> None:
    table = four_wagers(game, changes)
    for chips in (3, 5):
        assert law in table.refused("count_progressive", chips=chips)
        table.refused("draw_number", GENERATOR, number=1)
        table.refused("deal")
    assert table.state.meter is not None
    assert table.state.meter.state == table.state.round.meter_before
    assert value_of(table.do("count_progressive", chips=4)[0], "chips") == 4
    table.play_on(Phase.DEALING)
    assert table.state.round.dealt


@by_way(
    manual_shoe=["pa659a.8.b.2.s3", "pa670a.8.b.2.s3"],
    hand=["pa659a.9.a.3.ii.s3", "pa670a.9.a.3.ii.s3"],
    automated_shoe=["pa659a.10.a.2.s3", "pa670a.10.a.2.ii.s3"],
)
def test_the_counted_progressive_chips_go_into_the_inventory(game: str, changes: Changes, law: str) -> None:
    table = four_wagers(game, changes)
    assert net_of_rounds(table) == {}
    event = table.do("count_progressive", chips=4)[0]
    taken = [p for p in value_of(event, "payments") if law in p.clauses]
    assert sum(p.units for p in taken) == dollars("$4") and {str(p.to) for p in taken} == {"inventory"}
    after = net_of_rounds(table)
    assert [after[f"pending:{at}/{player(at).id}/progressive"] for at in (2, 3, 4, 5)] == [-dollars("$1")] * 4
    assert sum(after.get(account, 0) for account in ("inventory", "meter:progressive")) == dollars("$4")
    table.play_on(Phase.SETTING).do("expose_card", DEALER, 1)
    returned = [p for p in value_of(table.last("void_round"), "payments") if p.wager == "progressive"]
    back = [p for p in returned if str(p.to).startswith("player:")]
    assert sum(p.units for p in back) == dollars("$4") and {str(p.source) for p in back} == {"inventory"}
    assert "inventory" not in net_of_rounds(table)


@pytest.mark.parametrize("changes", [MANUAL, BY_HAND, AUTOMATED], ids=["manual_shoe", "hand", "automated"])
@pytest.mark.parametrize("game", WITH_PROGRESSIVE)
def test_nobody_but_the_dealer_counts_and_only_once(game: str, changes: Changes) -> None:
    table = four_wagers(game, changes)
    for actor in (player(2), FLOOR, KEYPAD):
        table.refused("count_progressive", actor, chips=4)
    table.do("count_progressive", chips=4)
    table.refused("count_progressive", chips=4)


# --- in the books -----------------------------------------------------------------------------------


def test_the_wagers_of_each_round_have_accounts_of_their_own_and_the_tables_chips_have_one() -> None:
    table, ledger = TestTable("pa-659a").betting(2, main="$10").play_on(rounds=1), Ledger()
    table.bet(2, main="$10").play_on(rounds=1)
    for event in table.log:
        ledger = posted(ledger, "t1", event)
    where: dict[AccountKind, set[str]] = {}
    for account in ledger.balances:
        where.setdefault(account.kind, set()).add(account.where)
    assert where[AccountKind.PENDING] == {"t1/1", "t1/2"}
    assert (where[AccountKind.INVENTORY], where[AccountKind.PLAYER]) == ({"t1"}, {""})
