"""A progressive win whose light is not lit: put on record as it is, and ruled on by the floor."""

from __future__ import annotations

import pytest

from houseway.law.problems import Severity
from houseway.ledger import AccountKind, units
from houseway.money import cents
from houseway.rounds.options import options
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from tests.rounds.books import agrees_with_settlement, books_balance, books_closed, net
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import dealt
from tests.rounds.table import DEALER, FLOOR, SENSOR, TestTable, by_chapter, player

MANAGER = Actor("Mae", Role.MANAGER)
PAYS = {"pa-659a": ("full_house", "$4"), "pa-670a": ("full_house", "$15")}
SHARE = {"pa-659a": "five_aces", "pa-670a": "royal_flush"}
GAMES = tuple(PAYS)
BULB = "the bulb has failed"
OFF = "the chip lay beside the sensor"
by_light = by_chapter(pa659a="pa659a.11.h.3.ii.b", pa670a="pa670a.11.h.3.i.b.ii")


def unlit(game: str, reading: str = "floor_rules", held: str = "full_house", **more: str) -> TestTable:
    """Play to a winning hand at 4 whose light the dealer finds dark."""
    changes = {"readings": {"progressive_light": reading}}
    bets = {4: {"progressive": "$1"} | more, 6: {"fortune": "$5"}}
    table = dealt(game, {4: held, 6: "loser"}, bets, changes).play_on(Phase.SETTLING)
    table.do("reveal", at=4)
    table.do("settle", at=4, wager="main")
    table.do("rearrange", at=4)
    if "fortune" in more:
        table.do("settle", at=4, wager="fortune")
    table.do("verify_win", at=4, hand=held)
    table.do("verify_light", at=4, lit=False)
    return table


def meter(table: TestTable) -> int:
    """Return what the meter and its reserve hold."""
    state = table.live.meters["progressive"]
    return state.value + state.reserve


@by_light
@pytest.mark.parametrize("by", [DEALER, SENSOR])
def test_a_light_that_is_not_lit_is_put_on_record_and_nothing_is_paid_until_the_floor_rules(
    game: str, law: str, by: Actor
) -> None:
    table = dealt(game, {4: "full_house"}, {4: {"progressive": "$1"}}).play_on(Phase.SETTLING)
    table.do("reveal", at=4)
    table.do("settle", at=4, wager="main")
    table.do("rearrange", at=4)
    table.do("verify_win", at=4, hand="full_house")
    (event,) = table.do("verify_light", by, 4, lit=False)
    assert value_of(event, "lit") is False
    (alert,) = event.alerts
    assert alert.severity is Severity.WARNING and law in alert.clauses and "not lit" in alert.reason
    assert law in table.refused("settle", at=4, wager="progressive")
    assert table.refused("validate_win", FLOOR, 4) == (law,)
    table.refused("verify_light", by, 4, lit=True)  # the first statement stands
    table.refused("rack", at=4)
    table.refused("close_round")


@by_light
def test_the_floor_alone_rules_with_a_reason_and_once(game: str, law: str) -> None:
    table = unlit(game)
    for by in (DEALER, SENSOR, player(4)):
        table.refused("rule_light", by, 4, placed=True, reason=BULB)
    table.refused("rule_light", FLOOR, 4, placed=True, reason=" ")
    (event,) = table.do("rule_light", MANAGER, 4, placed=True, reason=BULB)
    assert law in event.clauses and (value_of(event, "placed"), value_of(event, "reason")) == (True, BULB)
    table.refused("rule_light", FLOOR, 4, placed=False, reason=OFF)
    lit = dealt(game, {4: "full_house"}, {4: {"progressive": "$1"}}).play_on(Phase.SETTLING)
    lit.refused("rule_light", FLOOR, 4, placed=False, reason=OFF)


@pytest.mark.parametrize("game", GAMES)
def test_a_wager_that_was_placed_is_validated_and_paid_like_any_other(game: str) -> None:
    table = unlit(game)
    table.do("rule_light", FLOOR, 4, placed=True, reason=BULB)
    table.refused("settle", at=4, wager="progressive")
    table.do("validate_win", FLOOR, 4)
    (event,) = table.do("settle", at=4, wager="progressive")
    assert net(value_of(event, "payments"))["player:Cleo"] == units(cents(PAYS[game][1]))
    table.play_on(rounds=1)
    assert agrees_with_settlement(table) and books_closed(table)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("share", [False, True])
def test_a_wager_that_was_not_placed_goes_back_and_out_of_the_meter(game: str, *, share: bool) -> None:
    table = unlit(game, held=SHARE[game] if share else "full_house", fortune="$5")
    before = table.state.round.meter_before
    assert before is not None and meter(table) > before.value + before.reserve
    (event,) = table.do("rule_light", FLOOR, 4, placed=False, reason=OFF)
    assert table.live.meters["progressive"] == before
    stake = net((*value_of(event, "stakes"), *value_of(event, "payments")))
    assert stake["player:Cleo"] == units(cents("$1"))
    assert {account for account in stake if account.startswith("pending")} == set()
    assert stake["inventory"] + stake["player:Cleo"] == -stake["meter:progressive"]
    assert books_balance(table)
    for step, by in (("settle", DEALER), ("validate_win", FLOOR)):
        table.refused(step, by, 4)
    last = table.play_on(rounds=1).state.last
    assert last is not None and "progressive" not in last.hands[4].wagers
    assert table.live.meters["progressive"] == before
    assert not any(p.source.kind is AccountKind.METER and p.to.name == "Cleo" for p in last.payments)
    assert agrees_with_settlement(table) and books_closed(table)


@pytest.mark.parametrize("game", GAMES)
def test_the_wager_of_another_light_stays_in_the_meter(game: str) -> None:
    bets = {2: {"progressive": "$1"}, 4: {"progressive": "$1"}}
    table = dealt(game, {2: "loser", 4: "full_house"}, bets).play_on(Phase.SETTLING)
    before = table.state.round.meter_before
    assert before is not None
    both = meter(table) - before.value - before.reserve
    table.play_on(without=["verify_light"])
    table.do("verify_light", at=4, lit=False)
    table.do("rule_light", FLOOR, 4, placed=False, reason=OFF)
    assert meter(table) - before.value - before.reserve == both // 2
    table.play_on(rounds=1)
    assert agrees_with_settlement(table) and books_closed(table)


@by_light
@pytest.mark.parametrize(
    ("reading", "placed"), [("counted_wager_stands", False), ("no_light_no_wager", True)]
)
def test_a_submission_may_read_it_so_that_one_ruling_alone_is_left(
    game: str, law: str, reading: str, *, placed: bool
) -> None:
    table = unlit(game, reading)
    assert law in table.refused("rule_light", FLOOR, 4, placed=placed, reason=BULB)
    table.do("rule_light", FLOOR, 4, placed=not placed, reason=BULB)
    table.play_on(rounds=1)
    assert books_closed(table)
    assert table.state.last is not None
    moved = net(p for p in table.state.last.payments if p.wager == "progressive")
    won = cents(PAYS[game][1]) if reading == "counted_wager_stands" else 0
    assert moved.get("player:Cleo", 0) == units(won)


@pytest.mark.parametrize("game", GAMES)
def test_the_ruling_is_offered_to_the_floor_and_asks_for_both_its_fields(game: str) -> None:
    table = unlit(game)
    live = table.live
    offered = {one.step: one for one in options(live.rules, live.table, FLOOR, live.moment)}
    assert offered["rule_light"].open and offered["rule_light"].position == 4
    assert {field.name for field in offered["rule_light"].fields} == {"placed", "reason"}
    assert "verify_light" not in {one.step for one in options(live.rules, live.table, DEALER, live.moment)}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("again", [True, False])
def test_a_light_that_was_ruled_on_is_not_ruled_on_again(game: str, again: bool) -> None:
    table = unlit(game, fortune="$5")
    table.do("rule_light", FLOOR, 4, placed=False, reason=OFF)
    table.refused("rule_light", FLOOR, 4, placed=again, reason=BULB)
    table.play_on(rounds=1)
    assert table.state.rounds == 1 and books_balance(table)
