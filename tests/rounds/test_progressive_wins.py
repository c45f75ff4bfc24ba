"""A progressive win verified, lit, validated, paid from the right place and documented, clause by clause."""

from __future__ import annotations

import pytest

from houseway.ledger import INVENTORY, units
from houseway.money import Cents, cents
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from tests.rounds.books import agrees_with_settlement, net
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import Bets, dealt, rebuilt
from tests.rounds.table import DEALER, FLOOR, SENSOR, TestTable, by_chapter, player

clause = pytest.mark.clause
MANAGER = Actor("Mae", Role.MANAGER)
CHECKS = ("verify_win", "verify_light", "validate_win")
WINS = {
    "pa-659a": {"full_house": "$4", "quads": "$75", "straight_flush": "$100"},
    "pa-670a": {"straight": "$3", "full_house": "$15", "quads": "$150", "straight_flush": "$300"},
}
SHARES = {
    "pa-659a": {"five_aces": 10, "seven_card_straight_flush": 100},
    "pa-670a": {"royal_flush": 10, "five_aces": 100},
}
TOGETHER = {
    "pa-659a": ("seven_card_straight_flush", "five_aces"),
    "pa-670a": ("five_aces", "straight_flush"),
}
CALLED = {"quads": "four_of_a_kind"}


def due(game: str, held: str, more: Bets | None = None) -> TestTable:
    """Play until only the progressive wager of a hand at 4 is left to settle on it."""
    table = dealt(game, {4: held}, {4: {"progressive": "$1"}} | (more or {})).play_on(Phase.SETTLING)
    table.do("reveal", at=4)
    table.do("settle", at=4, wager="main")
    table.do("rearrange", at=4)
    return table


def checked(table: TestTable, held: str, *, without: str = "") -> TestTable:
    """Verify the hand, the light and the payout, as far as one of them that is left out."""
    for step in CHECKS[: CHECKS.index(without) if without else 2]:
        details = {"hand": CALLED.get(held, held)} if step == "verify_win" else {"lit": True}
        table.do(step, at=4, **details)
    if not without:
        table.do("validate_win", FLOOR, 4)
    return table


def every_win(game: str) -> list[str]:
    """Return every winning hand that the tests deal."""
    return [*WINS[game], *SHARES[game]]


@by_chapter(pa659a="pa659a.11.h.3.ii.a", pa670a="pa670a.11.h.3.i.b.i")
def test_the_dealer_verifies_the_winning_hand_before_it_is_paid(game: str, law: str) -> None:
    for held in every_win(game):
        table = due(game, held)
        assert law in table.refused("settle", at=4, wager="progressive")
        for by in (DEALER, SENSOR):
            assert table.refused("verify_light", by, 4, lit=True) == (law,)
        assert law in table.refused("validate_win", FLOOR, 4)
        checked(table, held).do("settle", at=4, wager="progressive")


@by_chapter(pa659a="pa659a.11.h.3.ii.a", pa670a="pa670a.11.h.3.i.b.i")
def test_a_hand_that_is_not_what_the_dealer_says_is_not_paid(game: str, law: str) -> None:
    table = due(game, "full_house")
    for said in ("none", "flush", "four_of_a_kind", "five_aces"):
        assert law in table.refused("verify_win", at=4, hand=said)
    assert law in table.refused("verify_light", at=4, lit=True)
    assert law in table.refused("validate_win", FLOOR, 4)
    assert law in table.refused("settle", at=4, wager="progressive")
    loses = due(game, "loser")
    assert law in loses.refused("verify_win", at=4, hand="full_house")
    loses.refused("validate_win", FLOOR, 4)
    loses.do("settle", at=4, wager="progressive")
    assert value_of(loses.last("settle"), "payments") == ()


@by_chapter(pa659a="pa659a.11.h.3.ii.b", pa670a="pa670a.11.h.3.i.b.ii")
def test_a_win_is_not_paid_before_its_light_is_verified(game: str, law: str) -> None:
    for held in every_win(game):
        table = checked(due(game, held), held, without="verify_light")
        assert law in table.refused("settle", at=4, wager="progressive")
        assert table.refused("validate_win", FLOOR, 4) == (law,)
        table.do("verify_light", SENSOR, 4, lit=True)
        table.do("validate_win", FLOOR, 4)
        table.do("settle", at=4, wager="progressive")


@by_chapter(pa659a="pa659a.11.h.3.ii.c", pa670a="pa670a.11.h.3.i.b.iii")
def test_a_floorperson_or_above_validates_every_payout(game: str, law: str) -> None:
    for held in every_win(game):
        table = checked(due(game, held), held, without="validate_win")
        for by in (DEALER, SENSOR, player(4)):
            assert law in table.refused("validate_win", by, 4)
        assert law in table.refused("settle", at=4, wager="progressive")
        table.do("validate_win", MANAGER if held == "full_house" else FLOOR, 4)
        table.do("settle", at=4, wager="progressive")
        assert table.last("validate_win").by.role in (Role.MANAGER, Role.FLOORPERSON)


@by_chapter(pa659a="pa659a.11.h.3.ii.d.s2", pa670a="pa670a.11.h.3.i.b.iv.s2")
def test_a_share_of_the_meter_never_comes_from_the_tables_inventory(game: str, law: str) -> None:
    for held, percent in SHARES[game].items():
        table = checked(due(game, held), held)
        assert table.state.meter is not None
        showing = table.state.meter.showing
        assert law in table.refused("settle", at=4, wager="progressive", source="inventory")
        (event,) = table.do("settle", at=4, wager="progressive", source="cage")
        moved = net(value_of(event, "payments"))
        assert str(INVENTORY) not in moved
        assert moved["player:Cleo"] == units(Cents(showing * percent // 100))
        (document,) = table.do("document_win", FLOOR, 4, reference="HP-1")
        assert value_of(document, "reference") == "HP-1"
        assert agrees_with_settlement(table.play_on(rounds=1))


@by_chapter(pa659a="pa659a.11.h.3.ii.d.s2", pa670a="pa670a.11.h.3.i.b.iv.s2")
def test_a_fixed_award_may_come_from_the_tables_inventory_and_a_share_may_not(game: str, law: str) -> None:
    for held, pays in WINS[game].items():
        table = checked(due(game, held), held)
        (event,) = table.do("settle", at=4, wager="progressive", source="inventory")
        assert net(value_of(event, "payments")) == {
            "player:Cleo": units(cents(pays)),
            "inventory": -units(cents(pays)),
        }
        table.refused("document_win", FLOOR, 4, reference="HP-1")
        assert agrees_with_settlement(table.play_on(rounds=1))
    share = checked(due(game, "five_aces"), "five_aces")
    assert law in share.refused("settle", at=4, wager="progressive", source="inventory")


@by_chapter(pa659a="pa659a.11.h.3.ii.d.s3", pa670a="pa670a.11.h.3.i.b.iv.s3")
def test_the_winners_cards_stay_on_the_table_until_the_papers_are_complete(game: str, law: str) -> None:
    for held in SHARES[game]:
        table = checked(due(game, held), held)
        table.refused("document_win", FLOOR, 4, reference="too early")
        table.do("settle", at=4, wager="progressive")
        assert law in table.refused("rack", at=4)
        table.refused("close_round")
        table.refused("document_win", DEALER, 4, reference="HP-1")
        assert law in table.do("document_win", FLOOR, 4, reference="HP-1")[0].clauses
        table.do("rack", at=4)
    fixed = checked(due(game, "quads"), "quads")
    fixed.do("settle", at=4, wager="progressive")
    fixed.do("rack", at=4)


@by_chapter(pa659a="pa659a.11.h.3.ii.d.s3", pa670a="pa670a.11.h.3.i.b.iv.s3")
@pytest.mark.parametrize("source", ["cage", "hand pay"])
def test_a_fixed_award_paid_away_from_the_table_leaves_the_inventory_alone_and_waits_for_its_papers(
    game: str, law: str, source: str
) -> None:
    for held, pays in WINS[game].items():
        table = checked(due(game, held), held)
        (event,) = table.do("settle", at=4, wager="progressive", source=source)
        assert net(value_of(event, "payments")) == {
            "player:Cleo": units(cents(pays)),
            "cage": -units(cents(pays)),
        }
        assert law in table.refused("rack", at=4)
        table.do("document_win", FLOOR, 4, reference="HP-1")
        table.refused("document_win", FLOOR, 4, reference="HP-1")
        table.do("rack", at=4)
        table.play_on(rounds=1)
        assert table.state.rounds == 1
    lost = due(game, "loser")
    lost.do("settle", at=4, wager="progressive", source=source)
    lost.do("rack", at=4)


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_a_fixed_award_is_not_said_to_come_from_the_meter(game: str) -> None:
    table = checked(due(game, "full_house"), "full_house")
    table.refused("settle", at=4, wager="progressive", source="meter")
    share = checked(due(game, "five_aces"), "five_aces")
    share.do("settle", at=4, wager="progressive", source="meter")


@by_chapter(pa659a="pa659a.11.h.3.ii.d.s3", pa670a="pa670a.11.h.3.i.b.iv.s3")
def test_papers_that_are_not_complete_keep_only_the_winners_cards(game: str, law: str) -> None:
    table = dealt(game, {4: "five_aces", 6: "loser"}, {4: {"progressive": "$1"}}).play_on(Phase.SETTLING)
    table.play_on(without=["document_win"])
    hands = table.state.round.hands
    assert hands[6].has("racked") and not hands[4].has("racked")
    assert law in table.refused("rack", at=4)
    table.refused("close_round")
    assert agrees_with_settlement(table.play_on(rounds=1))


@clause("pa670a.11.h.3.i.a")
def test_670a_below_a_straight_nothing_is_paid_and_the_cards_are_racked() -> None:
    table = due("pa-670a", "trips")
    for step, details in ((CHECKS[0], {"hand": "three_of_a_kind"}), (CHECKS[1], {"lit": True})):
        assert any("no progressive win" in p.reason for p in table.problems(step, DEALER, 4, **details))
    (event,) = table.do("settle", at=4, wager="progressive")
    assert value_of(event, "payments") == ()
    assert "pa670a.11.h.3.i.a" in table.do("rack", at=4)[0].clauses
    found = rebuilt(table, 4)
    assert found is not None and found.cards == table.state.round.hands[4].cards
    table.play_on(rounds=1)
    assert table.state.last is not None
    taken = [p for p in table.state.last.payments if p.wager == "progressive"]
    assert net(taken)["pending:4/Cleo/progressive"] == -units(cents("$1"))
    assert "player:Cleo" not in net(taken)
    straight = due("pa-670a", "straight")
    straight.refused("settle", at=4, wager="progressive")
    checked(straight, "straight").do("settle", at=4, wager="progressive")
    assert net(value_of(straight.last("settle"), "payments"))["player:Cleo"] == units(cents("$3"))


@clause("pa670a.11.h.3.i.c")
def test_670a_four_of_a_kind_or_better_is_announced_to_the_progressive_bettors() -> None:
    law = "pa670a.11.h.3.i.c"
    below = dealt("pa-670a", {2: "loser", 6: "full_house"}, {2: {"progressive": "$1"}}).play_on(rounds=1)
    assert all("progressive" not in value_of(e, "announced") for e in below.log if e.step == "rearrange")
    assert "pay_envy" not in below.steps()
    for held, pays in (("quads", "$5"), ("straight_flush", "$10"), ("five_aces", "$100")):
        table = dealt("pa-670a", {2: "full_house", 6: held}, {2: {"progressive": "$1"}})
        table.play_on(without=["pay_envy"])
        event = next(e for e in table.log if e.step == "rearrange" and e.position == 6)
        assert value_of(event, "announced") == ("fortune", "progressive")
        assert law in table.refused("rack", at=6)
        assert table.sees(player(2), 6) == table.state.round.hands[6].cards
        table.do("pay_envy", wager="progressive")
        assert net(value_of(table.last("pay_envy"), "payments"))["player:Ann"] == units(cents(pays))
        table.do("rack", at=6)
        assert agrees_with_settlement(table.play_on(rounds=1))


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_two_winners_are_paid_from_the_dealers_far_right(game: str) -> None:
    first, second = TOGETHER[game]
    hands = {2: first, 5: second}
    table = dealt(game, hands, {at: {"progressive": "$1"} for at in hands}).play_on(rounds=1)
    paid = [e.position for e in table.log if e.step == "settle" and "progressive" in value_of(e, "wagers")]
    assert paid == [2, 5]
    assert agrees_with_settlement(table)


@pytest.mark.parametrize(("game", "pays"), [("pa-659a", "$2,005"), ("pa-670a", "$5,005")])
def test_the_bonus_beside_a_share_of_the_meter_does_come_from_the_inventory(game: str, pays: str) -> None:
    table = due(game, "five_aces", {4: {"fortune": "$5", "progressive": "$1"}})
    (event,) = table.do("settle", at=4, wager="fortune", source="inventory")
    assert net(value_of(event, "payments"))["player:Cleo"] == units(cents(pays))


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_a_win_settled_together_with_the_other_wagers_waits_for_all_its_checks(game: str) -> None:
    for without in CHECKS:
        table = due(game, "full_house", {4: {"fortune": "$5", "insurance": "$5", "progressive": "$1"}})
        checked(table, "full_house", without=without)
        table.refused("settle", at=4, wager="all")
        table.do("settle", at=4, wager="fortune")
        table.refused("settle", at=4, wager="all")
        assert agrees_with_settlement(table.play_on(rounds=1))
