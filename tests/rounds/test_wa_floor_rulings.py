"""Where Washington's documents are silent: the round stops, and the floor rules to void it or to play on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from msgspec import inspect

from houseway.games import Submission
from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, changed
from houseway.rounds.step import Actor, AnyStep
from houseway.rounds.steps import STEPS
from tests.games.support import submission
from tests.rounds.books import agrees_with_settlement, void_event
from tests.rounds.commands import value_of
from tests.rounds.table import DEALER, FLOOR, KEYPAD, TestTable, player
from tests.rounds.washington import SAM, SUE, WAYS, arrange, claim, opened_up, ready, record, start, whole

EVERY_WAGER = {"main": "$10", "fortune": "$5", "insurance": "$5", "progressive": "$1"}
HANDS = {1: "dealer", 2: "loser", 4: "five_aces", 6: "two_pair"}
BETS = dict.fromkeys((2, 4, 6), EVERY_WAGER)
SEVEN_EACH = dict.fromkeys(range(1, 8), 7)
MEANWHILE = ("rule_round", "leave", "relieve")
"""What may still be done: the ruling itself; people are free to go and a dealer to be relieved."""
Until = Callable[[TestTable], object]
Cause = Callable[[TestTable], object]


# --- how far the round has come, and what goes wrong --------------------------------------------------


def started(floor: TestTable) -> None:
    """Leave the round with its start known and no card dealt."""


def half_dealt(floor: TestTable) -> None:
    floor.play_on(without=["deal"]).do("deal", cards=30)


def dealt_out(floor: TestTable) -> None:
    floor.play_on(without=["collect_empty"])


def choosing(floor: TestTable) -> None:
    floor.play_on(Phase.SETTING).do("look", player(2), 2)


def turned_over(floor: TestTable) -> None:
    floor.play_on(Phase.DEALER)


def compared(floor: TestTable) -> None:
    floor.play_on(Phase.SETTLING)


def one_settled(floor: TestTable) -> None:
    floor.play_on(Phase.SETTLING).play_on(without=["reveal"])
    opened_up(floor, 2).play_on(without=["reveal"])


def jackpot_recorded(floor: TestTable) -> None:
    claim(floor.play_on(without=["press_hand"]))
    record(floor)


def jackpot_paid(floor: TestTable) -> None:
    jackpot_recorded(floor)
    floor.do("turn_key", SAM, to="RUN")


MOMENTS: list[Until] = [
    started,
    half_dealt,
    dealt_out,
    choosing,
    turned_over,
    compared,
    one_settled,
    jackpot_recorded,
    jackpot_paid,
]


def called(floor: TestTable) -> None:
    floor.do("stop_round", DEALER, reason="something is wrong")


def misdealt(floor: TestTable) -> None:
    floor.do("count_hands", counts={**SEVEN_EACH, 5: 8, 6: 6})


def players_card_exposed(floor: TestTable) -> None:
    floor.do("expose_card", DEALER, 4)


def dealers_card_exposed(floor: TestTable) -> None:
    floor.do("expose_card", FLOOR, 1)


def unused_card_exposed(floor: TestTable) -> None:
    floor.do("expose_card", DEALER, 7)


def left(floor: TestTable) -> None:
    floor.do("leave", player(4), 4)


CAUSES: list[tuple[Until, Cause]] = [
    *((moment, called) for moment in MOMENTS),
    *((moment, misdealt) for moment in MOMENTS[2:]),
    *((moment, players_card_exposed) for moment in (half_dealt, dealt_out, choosing, turned_over)),
    *((moment, dealers_card_exposed) for moment in (half_dealt, dealt_out, choosing)),
    *((moment, unused_card_exposed) for moment in (half_dealt, dealt_out)),
]
LEAVING: list[tuple[Until, Cause]] = [(moment, left) for moment in MOMENTS]


def each(cases: list[tuple[Until, Cause]]) -> Any:
    """Run a test once for each cause at each moment."""
    return pytest.mark.parametrize(
        ("until", "cause"), [pytest.param(*case, id="-".join(f.__name__ for f in case)) for case in cases]
    )


def table_at(until: Until, way: str = "iverify_hwv") -> TestTable:
    """Play a round with every wager on the layout, five aces at 4, as far as told."""
    floor = arrange(start(ready(BETS, way)), HANDS)
    until(floor)
    return floor


def stopped(until: Until, cause: Cause, way: str = "iverify_hwv") -> TestTable:
    """Let something go wrong; the round must have stopped for a reason on record."""
    floor = table_at(until, way)
    cause(floor)
    assert floor.log[-1].step == "stop_round"
    assert floor.table.round.stopped == value_of(floor.log[-1], "reason") != ""
    return floor


# --- the ruling ---------------------------------------------------------------------------------------


@each([*CAUSES, *LEAVING])
def test_a_round_that_stopped_and_is_void_gives_every_wager_and_the_meters_part_back(
    until: Until, cause: Cause
) -> None:
    floor = stopped(until, cause)
    events = floor.do("rule_round", SUE, ruling="void", reason="nothing else is fair")
    assert [event.step for event in events] == ["rule_round", "void_round"]
    assert (events[0].by, value_of(events[0], "ruling")) == (SUE, "void")
    assert "nothing else is fair" in value_of(void_event(floor), "why").reason
    assert set(floor.table.seats) == {2, 4, 6} - ({4} if cause is left else set())
    floor.bet(2, **EVERY_WAGER).refused("press_start", number=1)
    floor.play_on(rounds=1)
    assert floor.table.rounds == 2 and agrees_with_settlement(floor) and whole(floor)


@each(CAUSES)
def test_a_round_that_stopped_and_is_played_on_goes_on_where_it_was(until: Until, cause: Cause) -> None:
    before = table_at(until).table
    floor = stopped(until, cause)
    (event,) = floor.do("rule_round", FLOOR, ruling="play on", reason="nobody was hurt by it")
    assert (event.by, value_of(event, "reason")) == (FLOOR, "nobody was hurt by it")
    assert changed(floor.live.table, seq=before.seq) == before.state  # but for the number of events
    assert floor.table.meter == before.meter
    floor.play_on(rounds=1)
    assert floor.table.rounds == 1 and agrees_with_settlement(floor) and whole(floor)
    assert floor.table.last is not None and floor.table.last.void is None


@pytest.mark.parametrize("way", WAYS)
def test_in_all_four_procedures_a_stopped_round_waits_for_a_ruling(way: str) -> None:
    for cause in (called, misdealt, players_card_exposed, dealers_card_exposed, left):
        floor = stopped(dealt_out, cause, way)
        before = floor.table
        assert floor.play_on().table is before
        floor.do("rule_round", FLOOR, ruling="void", reason="nothing else is fair")
        void_event(floor)


@pytest.mark.parametrize("until", MOMENTS)
def test_while_a_round_is_stopped_nothing_else_can_be_done(until: Until) -> None:
    floor = stopped(until, called)
    assert floor.live.due() is None
    game = floor.table.rules.game
    tried = [name for name in game.procedure if STEPS[name].by and name not in MEANWHILE]
    assert {"deal", "set", "turn_key", "press_jpot", "adjust_meter", "stop_round"} <= set(tried)
    for name in tried:
        step = STEPS[name]
        by = Actor({Role.DEALER: "Dora", Role.PLAYER: "Ann"}.get(role := min(step.by), "Flo"), role)
        details = {one.name: some(one.type) for one in taken(step) if one.name != "position"}
        found = floor.problems(name, by, 2, **details)
        assert any("stopped for a ruling" in problem.reason for problem in found), name
    floor.do("relieve", Actor("Dirk", Role.DEALER), training="on file")
    floor.do("leave", player(6), 6)
    assert floor.table.round.stopped is not None


def taken(step: AnyStep) -> tuple[inspect.Field, ...]:
    """Return what is said of a step when it is taken, whether it must be said or may be."""
    found = inspect.type_info(step.action)
    assert isinstance(found, inspect.StructType)
    return found.fields


def some(kind: inspect.Type) -> Any:
    """Return a value of a kind, as a command's detail."""
    if isinstance(kind, inspect.UnionType):
        return some(next(one for one in kind.types if not isinstance(one, inspect.NoneType)))
    if isinstance(kind, inspect.EnumType):
        return next(iter(kind.cls))
    if isinstance(kind, inspect.CustomType):
        return {Submission: submission("wa-fap"), Cents: Cents(1)}[kind.cls]
    known = {
        inspect.StrType: "A",
        inspect.IntType: 1,
        inspect.BoolType: True,
        inspect.DateType: date(2026, 1, 4),
        inspect.VarTupleType: (),
        inspect.DictType: {},
        inspect.StructType: {},
    }
    return known[type(kind)]


def test_only_the_floor_rules_and_says_why_and_how() -> None:
    floor = stopped(choosing, players_card_exposed)
    for by in (DEALER, KEYPAD, player(4)):
        floor.refused("rule_round", by, ruling="void", reason="exposed")
    for ruling, reason in (("void", " "), ("play on", ""), ("redeal", "exposed"), ("", "exposed")):
        floor.refused("rule_round", FLOOR, ruling=ruling, reason=reason)
    floor.do("rule_round", SUE, ruling="play on", reason="it is his own card")
    floor.refused("rule_round", SUE, ruling="void", reason="second thoughts")
    floor.refused("stop_round", FLOOR, reason="  ")
    floor.refused("stop_round", player(2), reason="I do not like my cards")
    floor.do("stop_round", FLOOR, reason="another card")
    floor.do("rule_round", SUE, ruling="void", reason="twice is too much")
    void_event(floor)


def test_a_card_that_lies_open_by_the_rules_is_not_exposed() -> None:
    floor = table_at(turned_over)
    floor.refused("expose_card", DEALER, 1)
    floor.play_on(Phase.SETTLING).refused("expose_card", DEALER, 2)
    opened_up(floor, 2).refused("expose_card", DEALER, 2)
    table_at(started).refused("expose_card", DEALER, 4)
    table_at(half_dealt).refused("expose_card", DEALER, 3)


def test_a_card_exposed_before_its_hand_is_opened_stops_the_round() -> None:
    floor = table_at(turned_over).play_on(Phase.SETTLING)
    assert [event.step for event in floor.do("expose_card", DEALER, 4)] == ["expose_card", "stop_round"]


def test_a_player_may_leave_between_rounds_without_a_ruling() -> None:
    floor = table_at(compared).play_on(rounds=1)
    assert len(floor.do("leave", player(4), 4)) == 1 and 4 not in floor.table.seats


@each(LEAVING)
def test_a_round_that_a_player_left_is_played_on_to_its_end(until: Until, cause: Cause) -> None:
    floor = stopped(until, cause)
    floor.do("rule_round", FLOOR, ruling="play on", reason="the dealer sets his hand")
    floor.play_on(rounds=1)
    assert floor.table.rounds == 1


@pytest.mark.parametrize("way", WAYS)
def test_a_first_pack_to_another_spot_than_the_one_shown_stops_the_round(way: str) -> None:
    floor = start(ready(BETS, way), number=4).play_on(without=["deal"])
    floor.do("deal", cards=7, first_to=3)
    assert floor.table.round.stopped
