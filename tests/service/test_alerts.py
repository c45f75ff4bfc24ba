"""Alerts: what was done too often, and wins that nobody resolves, each at its threshold."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

import pytest

from houseway.errors import HousewayError
from houseway.floor.bookmarks import LONGEST_NOTE, MOST, Bookmark, bookmark
from houseway.floor.duties import ask, confirm
from houseway.floor.filings import setup_events
from houseway.floor.readmodels import StepInRound
from houseway.floor.shared_meters import Win
from houseway.floor.tasks import MeterAdjustment
from houseway.games import Rules, example_submission, games, rules_for
from houseway.games.decided import decided_by
from houseway.odds.sides import listed_tables, percent
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.alerts import (
    OpenWin,
    RepeatLimit,
    StepDone,
    UnresolvedLimit,
    find_alerts,
    longest_window,
    open_wins,
    steps_by_two,
    steps_of_rounds,
    thresholds,
    wins_of_floor,
)
from houseway.service.theoretical_holds import counted_holds, hold_of
from houseway.store.memory import MemoryStore
from tests.floor.support import MAX, NOON, new_floor, two_tables

LIMITS = thresholds()
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


def done(step: str, ago: timedelta, **about: str) -> StepDone:
    return StepDone(step=step, at=NOON - ago, **about)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", LIMITS.repeated, ids=lambda limit: limit.id)
def test_so_many_times_in_so_many_hours_is_alarming_and_once_less_is_not(limit: RepeatLimit) -> None:
    step, per, least, hours = limit.steps[0], limit.per, limit.least, limit.hours
    often = [done(step, n * MINUTE, **{per: "x"}) for n in range(least)]
    (alert,) = find_alerts(often, (), LIMITS, NOON)
    assert (alert.alert, alert.count, alert.about) == (limit.id, least, f"{per} x")
    assert alert.since == NOON - (least - 1) * MINUTE and alert.last == NOON
    assert not find_alerts(often[1:], (), LIMITS, NOON), "once less"
    others = [*often[1:], done(step, MINUTE, **{per: "y"})]
    assert not find_alerts(others, (), LIMITS, NOON), "not all of one and the same"
    old = [*often[1:], done(step, hours * HOUR, **{per: "x"})]
    assert not find_alerts(old, (), LIMITS, NOON), "too long ago"
    late = [*often[1:], done(step, hours * HOUR - MINUTE, **{per: "x"})]
    assert find_alerts(late, (), LIMITS, NOON)
    assert not find_alerts(often, (), LIMITS, NOON - MINUTE), "what comes later is not known before"


@pytest.mark.parametrize("limit", LIMITS.unresolved, ids=lambda limit: limit.id)
def test_a_win_that_waits_so_long_is_alarming_and_a_minute_earlier_is_not(limit: UnresolvedLimit) -> None:
    kind, minutes = limit.id, limit.minutes
    won = OpenWin(kind=kind, since=NOON, table="t1", round=1, about="position 2")
    assert not find_alerts((), [won], LIMITS, NOON + (minutes - 1) * MINUTE)
    (alert,) = find_alerts((), [won], LIMITS, NOON + minutes * MINUTE)
    assert (alert.alert, alert.about) == (kind, "position 2")


def test_every_step_that_alerts_count_is_a_step_or_a_duty_of_two() -> None:
    known = {step for found in games() for step in found.procedure} | {"void_slip", "void_round"}
    assert {step for limit in LIMITS.repeated for step in limit.steps} <= known
    assert longest_window(LIMITS) == 24 * HOUR


def test_what_two_people_did_is_counted_once_it_is_done() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    ask(floor, MeterAdjustment("link", 1, "audit"), MAX, "a")
    assert list(steps_by_two(setup_events(floor.store))) == []
    confirm(floor, "a", Actor("Ace", Role.ACCOUNTING))
    (one,) = steps_by_two(setup_events(floor.store))
    assert (one.step, one.meter, one.by) == ("adjust_meter", "link", ("Max", "Ace"))


def test_what_was_done_in_a_round_concerns_its_table_its_dealer_and_its_meter() -> None:
    row = StepInRound("correct_wager", "t1", 4, "Deb", NOON)
    (one,) = steps_of_rounds([row], {"t1": "link"})
    assert (one.table, one.round, one.dealer, one.meter, one.at) == ("t1", 4, "Deb", "link", NOON)


def test_a_win_is_open_until_its_slip_is_printed_or_void() -> None:
    floor = two_tables(new_floor(MemoryStore()))
    now = floor.meter("link")
    wins = tuple(
        Win(serial=f"link-{n}", person="Ann", amount=1, table="t1", round=n, at=NOON, printed=p, voided=v)
        for n, (p, v) in enumerate([(0, ""), (1, ""), (0, "misread")])
    )
    changed = type(now)(**{name: getattr(now, name) for name in now.__struct_fields__} | {"wins": wins})
    assert [one.about for one in open_wins(changed)] == ["meter link, slip link-0"]
    assert list(wins_of_floor(floor)) == []


# --- what tables keep in the long run -----------------------------------------------------------------


def test_every_listed_paytable_and_every_house_way_in_use_has_its_hold() -> None:
    for found in games():
        if not found.licensed:
            continue
        rules = rules_for(example_submission(found.id))
        assert counted_holds()[decided_by(rules, "main")].wager == "main"
        for wager in rules.side_wagers:
            for table, posted in listed_tables(rules, wager):
                hold = counted_holds()[decided_by(posted, wager)]
                assert 0 < Fraction(hold.hold) < 1, (found.id, wager, table.id)


def test_a_progressive_wager_keeps_what_its_lines_and_its_meter_leave_and_a_players_bank_keeps_nothing() -> (
    None
):
    rules = rules_for(example_submission("pa-659a"))
    terms = rules.submission.progressive
    assert terms is not None and terms.contribution is not None
    fixed = Fraction(10352271, 19267885)
    assert hold_of(rules, "progressive") == fixed - terms.contribution - (terms.reserve or 0)
    assert hold_of(rules_for(example_submission("ca-fpgp")), "main") is None
    assert hold_of(rules, "nothing") is None


def otherwise(game: str, **readings: str) -> Rules:
    """Return the rules of a table that takes some readings otherwise."""
    return rules_for(example_submission(game).model_copy(update={"readings": readings}))


def test_a_hold_counted_under_other_readings_is_not_taken_for_this_tables() -> None:
    """A bonus that wins less often keeps more; nobody counted the main game under the other tie break."""
    usual = rules_for(example_submission("pa-575"))
    rarely = otherwise("pa-575", bonus_win_condition="nine_high_or_better")
    found, less = hold_of(rarely, "bonus"), hold_of(usual, "bonus")
    assert (found and percent(found), less and percent(less)) == ("83.4934%", "5.7891%")
    assert hold_of(rarely, "main") == hold_of(usual, "main") is not None
    assert hold_of(otherwise("pa-659a", tie_break="top_card_only"), "main") is None
    assert hold_of(otherwise("pa-659a", tie_break="top_card_only"), "fortune") is not None


@pytest.mark.exhaustive
def test_holds_are_what_counting_every_hand_comes_to() -> None:
    from tests.service.holds import every_hold  # noqa: PLC0415 - counts over every hand

    assert list(every_hold()) == list(counted_holds().values())


def test_the_main_game_keeps_what_was_counted() -> None:
    wins, losses = 3_922_101_295_321_944, 4_328_357_735_892_456
    rules = rules_for(example_submission("pa-659a"))
    assert hold_of(rules, "main") == Fraction(losses - wins, losses + wins)


# --- bookmarks ----------------------------------------------------------------------------------------


def test_notes_are_short_and_bookmarks_are_not_without_end() -> None:
    marks = {("t1", n): Bookmark("t1", n, "", NOON) for n in range(MOST)}
    assert bookmark(marks, "t1", 5, "x" * LONGEST_NOTE, MAX, NOON).round == 5
    for wrong in ("x" * (LONGEST_NOTE + 1), "\x1b[2J"):
        with pytest.raises(HousewayError):
            bookmark(marks, "t1", 5, wrong, MAX, NOON)
    with pytest.raises(HousewayError):
        bookmark(marks, "t1", MOST, "", MAX, NOON)
