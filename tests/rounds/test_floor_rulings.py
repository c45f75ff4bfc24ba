"""What the floor puts right: missing progressive chips, a hand keyed in wrongly, a player who left."""

from __future__ import annotations

import pytest

from houseway.cards import parse_cards
from tests.games.support import Changes
from tests.rounds.books import agrees_with_settlement, dollars, net_of_rounds
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import by_way, entered_at_the_table
from tests.rounds.table import DEALER, FLOOR, GENERATOR, TestTable, player, setting

MISSING = "two chips fell off the layout"


def short_of_chips(game: str, changes: Changes) -> TestTable:
    """Play until four progressive wagers are locked and only two chips are there."""
    table = TestTable(game, changes).starting(2, 3, 4, 5, main="$10", progressive="$1")
    return table.play_on(without=["count_progressive"])


@by_way(
    manual_shoe=["pa659a.8.b.2.s2", "pa670a.8.b.2.s2"],
    hand=["pa659a.9.a.3.ii.s2", "pa670a.9.a.3.ii.s2"],
    automated_shoe=["pa659a.10.a.2.s2", "pa670a.10.a.2.ii.s2"],
)
def test_the_floor_takes_out_progressive_wagers_whose_chips_are_missing(
    game: str, changes: Changes, law: str
) -> None:
    table = short_of_chips(game, changes)
    assert law in table.refused("count_progressive", chips=2)
    for by in (DEALER, player(3)):
        table.refused("rule_count", by, without=(3, 5), reason=MISSING)
    table.refused("rule_count", FLOOR, without=(3, 5), reason=" ")
    for nobody in ((6,), (3, 7)):
        table.refused("rule_count", FLOOR, without=nobody, reason=MISSING)
    (event,) = table.do("rule_count", FLOOR, without=(3, 5), reason=MISSING)
    assert law in event.clauses
    assert (event.by, value_of(event, "without"), value_of(event, "reason")) == (FLOOR, (3, 5), MISSING)
    table.refused("rule_count", FLOOR, without=(3,), reason="twice")
    assert net_of_rounds(table) == {}
    for chips in (1, 3, 4):
        assert law in table.refused("count_progressive", chips=chips)
    table.do("count_progressive", chips=2)
    after = net_of_rounds(table)
    assert sum(after.get(account, 0) for account in ("inventory", "meter:progressive")) == dollars("$2")
    table.refused("rule_count", FLOOR, without=(2,), reason="too late")
    last = table.play_on(rounds=1).state.last
    assert last is not None
    assert [at for at, hand in last.hands.items() if hand.amount("progressive")] == [2, 4]
    assert {p.position for p in last.payments if p.wager == "progressive"} <= {2, 4}
    assert agrees_with_settlement(table)


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_when_every_progressive_chip_is_missing_the_round_is_played_without(game: str) -> None:
    table = short_of_chips(game, {})
    table.refused("draw_number", GENERATOR, number=1)
    table.do("rule_count", FLOOR, without=(2, 3, 4, 5), reason=MISSING)
    table.play_on(rounds=1)
    assert table.state.rounds == 1 and "count_progressive" not in table.steps()
    assert table.state.last is not None and table.state.meter is not None
    assert table.state.meter.state == table.state.last.meter_before


SEVEN = {1: "QsQh3d2c / 8h8d / 7c", 2: "Jc4h3s2h / 9s6c / 8c", 4: "AsAh6h5d / JdJh / Kc"}
SIX = {1: "QsQh8h6s4c / Jd", 2: "Th7c4h3d2s / 9d", 4: "AsAh9c6h3h / Kd"}


@pytest.mark.parametrize(("game", "hands"), [("pa-575", SEVEN), ("pa-659a", SEVEN), ("pa-670a", SIX)])
def test_the_floor_reopens_a_hand_keyed_in_wrongly_before_it_is_opened_and_afterwards(
    game: str, hands: dict[int, str]
) -> None:
    table = entered_at_the_table(game, {2: {}, 4: {}})
    for at in (1, 2, 3):
        table.refused("reopen_entry", FLOOR, at, reason="nothing is keyed in")
    table.do("enter_hand", at=1, setting=setting(hands[1]))
    table.do("confirm_entry", at=1)
    table.play_on()
    right, king = setting(hands[2]), parse_cards("Kh")[0]
    wrong = ((king, *right[0][1:]), *right[1:])
    table.do("enter_hand", at=2, setting=wrong)
    table.refused("reopen_entry", FLOOR, 2, reason="not confirmed: it is simply corrected")
    table.do("confirm_entry", at=2)
    for by in (DEALER, player(2)):
        table.refused("reopen_entry", by, 2, reason="a king for a lower card")
    table.refused("reopen_entry", FLOOR, 2, reason="")
    (event,) = table.do("reopen_entry", FLOOR, 2, reason="a king for a lower card")
    assert (event.by, value_of(event, "reason")) == (FLOOR, "a king for a lower card")
    assert (table.state.round.hands[2].cards, table.state.round.hands[2].setting) == ((), None)
    table.refused("reveal", at=2)
    table.do("enter_hand", at=2, setting=right)
    table.do("confirm_entry", at=2)
    entered = [value_of(e, "setting") for e in table.log if e.step == "enter_hand" and e.position == 2]
    assert entered == [wrong, right]
    table.do("reveal", at=2)
    table.do("reopen_entry", FLOOR, 2, reason="the card beside it too")
    table.refused("reveal", at=2)
    table.do("enter_hand", at=2, setting=right)
    table.do("confirm_entry", at=2)
    table.do("reveal", at=2)
    table.play_on()
    table.do("enter_hand", at=4, setting=setting(hands[4]))
    table.do("confirm_entry", at=4)
    table.play_on(rounds=1)
    assert table.state.rounds == 1 and agrees_with_settlement(table)


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_a_hand_that_the_program_dealt_itself_is_never_reopened(game: str) -> None:
    TestTable(game).settling(2, main="$10").refused(
        "reopen_entry", FLOOR, 2, reason="a king for a lower card"
    )


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_a_card_exposed_of_a_player_who_left_does_not_keep_the_round_waiting(game: str) -> None:
    table = TestTable(game).setting(2, 4, main="$10")
    table.do("leave", player(4), 4)
    table.do("rule_abandoned", FLOOR, 4, lost=False, reason="taken ill")
    table.do("expose_card", at=4)
    table.play_on(rounds=1)
    assert table.state.rounds == 1
