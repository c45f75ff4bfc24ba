"""A submission is closed: what it names exists for its game, and what it chooses can be played and paid."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import tomli_w

import houseway as hw
from houseway.floor import house
from houseway.houseways.document import HOUSE_WAY_FILES
from houseway.law.problems import RefusedError
from houseway.rounds.roles import Role
from houseway.store.memory import MemoryStore
from tests.cli.test_commands import run
from tests.floor.support import MAX, new_floor
from tests.games.support import NOTHING, Changes, accepted, problems, refused, rules, submission
from tests.service.support import Person, served

clause = pytest.mark.clause
WA, CA = "wa-fap", "ca-fpgp"
FOUR_TWO_ONE = ("pa-575", "pa-659a", "wa-fap")


def own(wager: str, *lines: tuple[str, str], **more: Any) -> Changes:
    """Return the changes that post an operator's own paytable: lines of a hand and what it pays."""
    table = {
        "name": "ours",
        "wager": wager,
        "version": "1",
        "effective": datetime(2016, 1, 1),
        "lines": [{"hand": hand, "pays": pays} for hand, pays in lines],
    }
    return {f"wagers.{wager}.paytable": NOTHING, f"wagers.{wager}.own_paytable": table | more}


WHOLE_METER_FOR_LESS: Changes = own(
    "progressive",
    ("seven_card_straight_flush", "100% of meter"),
    ("royal_flush_royal_match", "1,000 for 1"),
    ("seven_card_straight_flush_joker", "500 for 1"),
)
LED_BY_CUP: Changes = {"table.procedure": "led", "table.start_methods": ["dice_cup"]}
REFUSED: dict[str, tuple[str, Changes, str]] = {
    # house ways
    "no such way": ("pa-575", {"house_way": "nope"}, "house_way"),
    "a file of the server": ("pa-659a", {"house_way": "/etc/passwd"}, "house_way"),
    "a path": ("pa-575", {"house_way": "../../x.toml"}, "house_way"),
    "a way as a file": ("wa-fap", {"house_way": str(HOUSE_WAY_FILES / "houseway-421.toml")}, "house_way"),
    "another game's way": ("pa-659a", {"house_way": "pa-670a"}, "house_way"),
    "a way of another split": ("wa-fap", {"house_way": "ca-fpgp"}, "house_way"),
    "a published way": ("pa-575", {"house_way": "foxwoods"}, "house_way"),
    "another than the printed": (CA, {"house_way": "foxwoods"}, "house_way"),
    "three parts for two": (CA, {"house_way": "houseway-421"}, "house_way"),
    "none where one is printed": (CA, {"house_way": NOTHING}, "house_way"),
    # posted lines
    "lines the Progressive has not": (WA, WHOLE_METER_FOR_LESS, "wagers.progressive.own_paytable.lines"),
    "out of order": (
        WA,
        own("progressive", ("straight_flush", "100 for 1"), ("royal_flush", "10% of meter")),
        "wagers.progressive.own_paytable.lines",
    ),
    "the whole meter for a lesser hand": (
        WA,
        own("progressive", ("royal_flush", "500 for 1"), ("straight_flush", "100% of meter")),
        "wagers.progressive.own_paytable.lines",
    ),
    "a share of no meter": (
        WA,
        own("fortune", ("straight_flush", "10% of meter")),
        "wagers.fortune.own_paytable.lines",
    ),
    "an Insurance hand on the Fortune": (
        WA,
        own("fortune", ("nine_high", "10 to 1")),
        "wagers.fortune.own_paytable.lines",
    ),
    "part of a cent": (
        WA,
        own("progressive", ("straight_flush", "1 for 3")),
        "wagers.progressive.own_paytable.lines",
    ),
    "a wild joker on the Fortune": (
        WA,
        own("fortune", ("flush", "4 to 1"), joker="full"),
        "wagers.fortune.own_paytable.joker",
    ),
    "a seed without a meter": (
        WA,
        own("fortune", ("flush", "4 to 1"), seed="$500"),
        "wagers.fortune.own_paytable.seed",
    ),
    "envy for a hand that gives none": (
        WA,
        own("fortune", ("flush", "4 to 1"), envy=[{"hand": "flush", "pays": "$5"}]),
        "wagers.fortune.own_paytable.envy",
    ),
    "nothing pays": (WA, own("fortune", ("flush", "lose")), "wagers.fortune.own_paytable.lines"),
    # choices against one another
    "shuffled by hand": (WA, {"table.shuffler": "manual"}, "table.shuffler"),
    "dealt from the hand": (WA, {"table.dealing": "hand"}, "table.dealing"),
    "a cup beside the LED": (WA, LED_BY_CUP, "table.start_methods"),
    "a number beside the cup": (WA, {"table.procedure": "dice_cup", "table.dice": 3}, "table.start_methods"),
    "a cap without citation": (WA, {"caps.wac_230_15_040.citation": ""}, "caps.wac_230_15_040.citation"),
    "a blank citation": (WA, {"caps.wac_230_15_140.citation": " "}, "caps.wac_230_15_140.citation"),
    "above the schedule": (CA, {"wagers.main.max": "$600"}, "wagers.main.max"),
    "below the schedule": (CA, {"wagers.main.min": "$1"}, "wagers.main.min"),
    "a meter without a Progressive": (CA, {"progressive.initial": "$500"}, "progressive"),
    "a meter of a wager not offered": (WA, {"wagers.progressive": NOTHING}, "progressive"),
    "a position map in Pennsylvania": (
        "pa-575",
        {"table.position_map": {"1": "dealer"}},
        "table.position_map",
    ),
    # names of nothing
    "an approval nobody asks for": ("pa-575", {"approvals.shakker": "G-1"}, "approvals.shakker"),
    "a cap of another law": (
        WA,
        {"caps.wac_1": {"amount": "$1", "citation": "x", "dated": datetime(2016, 1, 1).date()}},
        "caps.wac_1",
    ),
    "a component of nothing": (WA, {"components.i_dea": "9"}, "components.i_dea"),
    "a clause of no law": (CA, {"acknowledged": ["pa575.2.a.s1"]}, "acknowledged"),
    # tables that could not open
    "a main wager of nothing": ("pa-659a", {"wagers.main.min": "$0"}, "wagers.main.min"),
    "five positions": ("pa-575", {"table.positions": 5}, "table.positions"),
    "five positions, 659a": ("pa-659a", {"table.positions": 5}, "table.positions"),
    "into a shoe that is none": (
        "pa-575",
        {"table.direct_to_shoe": True, "table.dealing": "hand"},
        "table.dealing",
    ),
    "into the shoe by hand": (
        "pa-670a",
        {"table.direct_to_shoe": True, "table.shuffler": "manual"},
        "table.shuffler",
    ),
    "nobody beside the player-dealer": (CA, {"table.positions": 1}, "table.positions"),
    "two jokers in Washington": (WA, {"table.pack_jokers": 2}, "table.pack_jokers"),
    "a reserve beside the one rate": ("pa-670a", {"progressive.reserve": "5%"}, "progressive.reserve"),
}


@pytest.mark.parametrize(("game", "changes", "field"), REFUSED.values(), ids=[*REFUSED])
def test_what_cannot_be_played_is_refused_with_its_reason(game: str, changes: Changes, field: str) -> None:
    blocking = [problem for problem in problems(game, changes) if problem.blocks]
    assert any(problem.field.startswith(field) for problem in blocking), blocking
    with pytest.raises(RefusedError, match=field.replace(".", r"\.")):
        hw.game(submission(game, changes))


@pytest.mark.parametrize("why", ["a path", "another than the printed", "lines the Progressive has not"])
def test_every_door_refuses_alike(why: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game, changes, field = REFUSED[why]
    wrong = submission(game, changes)
    path = tmp_path / "filed.toml"
    path.write_text(tomli_w.dumps(wrong.document()), encoding="utf-8")
    code, out, _ = run(capsys, "submission", "check", str(path), "--json")
    told = json.loads(out)
    assert code == 1 and not told["lawful"]
    assert any(problem["field"].startswith(field) for problem in told["problems"])
    floor = new_floor(MemoryStore())
    with pytest.raises(RefusedError):
        floor.set_up(lambda found, now: [house.file_submission(found, wrong, MAX, now)])
    with served(floor) as (client, _):
        sent = {"toml": path.read_text(encoding="utf-8")}
        answer = Person(client, "Max", Role.MANAGER).send("POST", "/api/v1/submissions", sent)
        assert answer.status_code == 409
        assert any(problem["field"].startswith(field) for problem in answer.json()["problems"])


def test_contradictions_are_refused_together() -> None:
    changes: Changes = {"table.shuffler": "manual", "table.dealing": "hand", **LED_BY_CUP, "house_way": "x"}
    fields = {problem.field for problem in problems(WA, changes) if problem.blocks}
    assert fields >= {"table.shuffler", "table.dealing", "table.start_methods", "house_way"}


# --- what stays lawful ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", FOUR_TWO_ONE)
def test_a_way_that_is_proven_for_the_game_is_lawful_under_every_choice(game: str) -> None:
    assert accepted(game, {"house_way": "houseway-421"})
    for option in ("options.a234_sf_low", "options.a234_straight_low"):
        assert accepted(game, {option: True}) is (game == "pa-575")


@clause("ca.fpgp.set.pd_set", "ca.fpgp.set.house_way_request")
def test_californias_printed_way_is_the_way() -> None:
    for name in ("foxwoods", "houseway-421", NOTHING):
        assert refused(CA, {"house_way": name}, "ca.fpgp.set.pd_set")
        assert refused(CA, {"house_way": name}, "ca.fpgp.set.house_way_request")


@pytest.mark.parametrize(
    ("game", "law"),
    [
        pytest.param("pa-575", "pa575.5.a.s5", marks=clause("pa575.5.a.s5")),
        pytest.param("pa-659a", "pa659a.5.a.s5", marks=clause("pa659a.5.a.s5")),
        pytest.param("pa-670a", "pa670a.5.a.s6", marks=clause("pa670a.5.a.s6")),
    ],
)
def test_only_an_automated_shuffler_loads_a_shoe(game: str, law: str) -> None:
    direct: Changes = {"table.direct_to_shoe": True}
    assert accepted(game, direct)
    assert refused(game, direct | {"table.shuffler": "manual", "table.dealing": "manual_shoe"}, law)
    assert refused(game, direct | {"table.dealing": "hand"}, law)


@clause("pa670a.12.d.2.rate")
def test_670a_sets_nothing_aside_beside_the_printed_rate_unless_read_so() -> None:
    law = "pa670a.12.d.2.rate"
    set_aside: Changes = {"readings.six_meter_reserve": "set_aside"}
    for reserve, lawful in (("0%", True), ("0.01%", False), ("5%", False)):
        assert refused("pa-670a", {"progressive.reserve": reserve}, law) is not lawful
        assert accepted("pa-670a", {"progressive.reserve": reserve} | set_aside)


@pytest.mark.parametrize("given", ["1.3", "1.3.0", "1.3.0.0"])
def test_a_version_may_leave_out_its_last_noughts(given: str) -> None:
    assert accepted(WA, {"components.game_manager": given})
    assert accepted(WA, {"components.table_controller": given.replace("1.3", "2.0")})
    assert not accepted(WA, {"components.game_manager": "1.2.9"})


@clause("wa.fap.req.limit_040", "wa.fap.req.limit_140")
def test_a_cap_needs_its_citation() -> None:
    for cap, law in (("wac_230_15_040", "wa.fap.req.limit_040"), ("wac_230_15_140", "wa.fap.req.limit_140")):
        for empty in ("", "  "):
            assert refused(WA, {f"caps.{cap}.citation": empty}, law)


@pytest.mark.parametrize(
    ("procedure", "law"),
    [
        pytest.param("iverify_hwv", "wa.fap.iverify.3.random", marks=clause("wa.fap.iverify.3.random")),
        pytest.param(
            "iverify", "wa.fap.iverify_nohwv.3.random", marks=clause("wa.fap.iverify_nohwv.3.random")
        ),
        pytest.param("led", "wa.fap.led.3.random", marks=clause("wa.fap.led.3.random")),
    ],
)
def test_the_device_of_the_procedure_shows_the_number(procedure: str, law: str) -> None:
    assert accepted(WA, {"table.procedure": procedure})
    for methods in (["dice_cup"], ["dice_cup", "device_number"], []):
        changes = {"table.procedure": procedure, "table.start_methods": methods}
        assert not accepted(WA, changes)
    assert refused(WA, {"table.procedure": procedure, "table.start_methods": ["dice_cup"]}, law)


def test_a_dear_line_is_posted_where_the_best_paying_one_is_paid() -> None:
    dear = own("fortune", ("straight", "4 to 1"), ("three_of_a_kind", "3 to 1"))
    usual = own("fortune", ("three_of_a_kind", "3 to 1"), ("straight", "4 to 1"))
    poker = {"readings.wa_trips_and_straight": "poker_order"}
    assert accepted(WA, dear) and accepted(WA, usual) and accepted(WA, dear | poker)
    assert not accepted(WA, usual | poker)
    assert not accepted(WA, own("fortune", ("straight", "2 to 1"), ("three_of_a_kind", "3 to 1")))


def test_a_line_for_the_joker_may_be_posted_below_the_natural_one() -> None:
    lines = (
        ("seven_card_straight_flush", "100% of meter"),
        ("seven_card_straight_flush_joker", "500 for 1"),
        ("five_aces", "10% of meter"),
    )
    assert accepted(WA, own("progressive", *lines))
    posted = rules(WA, own("progressive", *lines))
    assert posted.listed_hands("progressive") == tuple(hand for hand, _ in (lines[0], lines[2], lines[1]))
