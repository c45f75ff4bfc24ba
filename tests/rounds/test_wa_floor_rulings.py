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


def started(table: TestTable) -> None:
    """Leave the round with its start known and no card dealt."""


def half_dealt(table: TestTable) -> None:
    table.play_on(without=["deal"]).do("deal", cards=30)


def dealt_out(table: TestTable) -> None:
    table.play_on(without=["collect_empty"])


def choosing(table: TestTable) -> None:
    table.play_on(Phase.SETTING).do("look", player(2), 2)


def turned_over(table: TestTable) -> None:
    table.play_on(Phase.DEALER)


def compared(table: TestTable) -> None:
    table.play_on(Phase.SETTLING)


def one_settled(table: TestTable) -> None:
    table.play_on(Phase.SETTLING).play_on(without=["reveal"])
    opened_up(table, 2).play_on(without=["reveal"])


def jackpot_recorded(table: TestTable) -> None:
    claim(table.play_on(without=["press_hand"]))
    record(table)


def jackpot_paid(table: TestTable) -> None:
    jackpot_recorded(table)
    table.do("turn_key", SAM, to="RUN")


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


def called(table: TestTable) -> None:
    table.do("stop_round", DEALER, reason="something is wrong")


def misdealt(table: TestTable) -> None:
    table.do("count_hands", counts={**SEVEN_EACH, 5: 8, 6: 6})


def players_card_exposed(table: TestTable) -> None:
    table.do("expose_card", DEALER, 4)


def dealers_card_exposed(table: TestTable) -> None:
    table.do("expose_card", FLOOR, 1)


def unused_card_exposed(table: TestTable) -> None:
    table.do("expose_card", DEALER, 7)


def left(table: TestTable) -> None:
    table.do("leave", player(4), 4)


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
    table = arrange(start(ready(BETS, way)), HANDS)
    until(table)
    return table


def stopped(until: Until, cause: Cause, way: str = "iverify_hwv") -> TestTable:
    """Let something go wrong; the round must have stopped for a reason on record."""
    table = table_at(until, way)
    cause(table)
    assert table.log[-1].step == "stop_round"
    assert table.state.round.stopped == value_of(table.log[-1], "reason") != ""
    return table


# --- the ruling ---------------------------------------------------------------------------------------


@each([*CAUSES, *LEAVING])
def test_a_round_that_stopped_and_is_void_gives_every_wager_and_the_meters_part_back(
    until: Until, cause: Cause
) -> None:
    table = stopped(until, cause)
    events = table.do("rule_round", SUE, ruling="void", reason="nothing else is fair")
    assert [event.step for event in events] == ["rule_round", "void_round"]
    assert (events[0].by, value_of(events[0], "ruling")) == (SUE, "void")
    assert "nothing else is fair" in value_of(void_event(table), "why").reason
    assert set(table.state.seats) == {2, 4, 6} - ({4} if cause is left else set())
    table.bet(2, **EVERY_WAGER).refused("press_start", number=1)
    table.play_on(rounds=1)
    assert table.state.rounds == 2 and agrees_with_settlement(table) and whole(table)


@each(CAUSES)
def test_a_round_that_stopped_and_is_played_on_goes_on_where_it_was(until: Until, cause: Cause) -> None:
    before = table_at(until).state
    table = stopped(until, cause)
    (event,) = table.do("rule_round", FLOOR, ruling="play on", reason="nobody was hurt by it")
    assert (event.by, value_of(event, "reason")) == (FLOOR, "nobody was hurt by it")
    assert changed(table.live.table, seq=before.seq) == before.state  # but for the number of events
    assert table.state.meter == before.meter
    table.play_on(rounds=1)
    assert table.state.rounds == 1 and agrees_with_settlement(table) and whole(table)
    assert table.state.last is not None and table.state.last.void is None


@pytest.mark.parametrize("way", WAYS)
def test_in_all_four_procedures_a_stopped_round_waits_for_a_ruling(way: str) -> None:
    for cause in (called, misdealt, players_card_exposed, dealers_card_exposed, left):
        table = stopped(dealt_out, cause, way)
        before = table.state
        assert table.play_on().state is before
        table.do("rule_round", FLOOR, ruling="void", reason="nothing else is fair")
        void_event(table)


@pytest.mark.parametrize("until", MOMENTS)
def test_while_a_round_is_stopped_nothing_else_can_be_done(until: Until) -> None:
    table = stopped(until, called)
    assert table.live.due() is None
    game = table.state.rules.game
    tried = [name for name in game.procedure if STEPS[name].by and name not in MEANWHILE]
    assert {"deal", "set", "turn_key", "press_jpot", "adjust_meter", "stop_round"} <= set(tried)
    for name in tried:
        step = STEPS[name]
        by = Actor({Role.DEALER: "Dora", Role.PLAYER: "Ann"}.get(role := min(step.by), "Flo"), role)
        details = {one.name: some(one.type) for one in taken(step) if one.name != "position"}
        found = table.problems(name, by, 2, **details)
        assert any("stopped for a ruling" in problem.reason for problem in found), name
    table.do("relieve", Actor("Dirk", Role.DEALER), training="on file")
    table.do("leave", player(6), 6)
    assert table.state.round.stopped is not None


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
    table = stopped(choosing, players_card_exposed)
    for by in (DEALER, KEYPAD, player(4)):
        table.refused("rule_round", by, ruling="void", reason="exposed")
    for ruling, reason in (("void", " "), ("play on", ""), ("redeal", "exposed"), ("", "exposed")):
        table.refused("rule_round", FLOOR, ruling=ruling, reason=reason)
    table.do("rule_round", SUE, ruling="play on", reason="it is his own card")
    table.refused("rule_round", SUE, ruling="void", reason="second thoughts")
    table.refused("stop_round", FLOOR, reason="  ")
    table.refused("stop_round", player(2), reason="I do not like my cards")
    table.do("stop_round", FLOOR, reason="another card")
    table.do("rule_round", SUE, ruling="void", reason="twice is too much")
    void_event(table)


def test_a_card_that_lies_open_by_the_rules_is_not_exposed() -> None:
    table = table_at(turned_over)
    table.refused("expose_card", DEALER, 1)
    table.play_on(Phase.SETTLING).refused("expose_card", DEALER, 2)
    opened_up(table, 2).refused("expose_card", DEALER, 2)
    table_at(started).refused("expose_card", DEALER, 4)
    table_at(half_dealt).refused("expose_card", DEALER, 3)


def test_a_card_exposed_before_its_hand_is_opened_stops_the_round() -> None:
    table = table_at(turned_over).play_on(Phase.SETTLING)
    assert [event.step for event in table.do("expose_card", DEALER, 4)] == ["expose_card", "stop_round"]


def test_a_player_may_leave_between_rounds_without_a_ruling() -> None:
    table = table_at(compared).play_on(rounds=1)
    assert len(table.do("leave", player(4), 4)) == 1 and 4 not in table.state.seats


@each(LEAVING)
def test_a_round_that_a_player_left_is_played_on_to_its_end(until: Until, cause: Cause) -> None:
    table = stopped(until, cause)
    table.do("rule_round", FLOOR, ruling="play on", reason="the dealer sets his hand")
    table.play_on(rounds=1)
    assert table.state.rounds == 1


@pytest.mark.parametrize("way", WAYS)
def test_a_first_pack_to_another_spot_than_the_one_shown_stops_the_round(way: str) -> None:
    table = start(ready(BETS, way), number=4).play_on(without=["deal"])
    table.do("deal", cards=7, first_to=3)
    assert table.state.round.stopped
