"""Which rules are filed, approved and adopted under which reference: in every game, clause or not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from houseway.floor import house
from houseway.floor.core import Floor
from houseway.floor.setup_events import SubmissionApproved, SubmissionFiled
from houseway.games import Submission, game, games, rules_for
from houseway.law.problems import RefusedError
from houseway.money import cents
from houseway.rounds.choices import Device, SignedHow
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.adoption import AdoptRules, ChangeDealing
from houseway.rounds.steps.deal import Deal
from houseway.rounds.steps.devices import Repair, SignOutOfOrder
from houseway.rounds.steps.mishaps import ShoeFault
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.store.memory import MemoryStore
from tests.floor.support import (
    EVA,
    FLO,
    MAX,
    NOON,
    command,
    in_effect,
    make_table,
    new_floor,
    next_move,
    play,
    say,
    seat_two,
)
from tests.games.support import submission

LICENSED = [document.id for document in games() if document.licensed]
PAPERWORK = {"pa-575": "pa575.preamble.paperwork", "pa-659a": "pa659a.preamble.paperwork"}
WAGERS = {"pa-575": "bonus", "pa-659a": "fortune"}
each_chapter = pytest.mark.parametrize(
    "game_id", [pytest.param(name, marks=pytest.mark.clause(law)) for name, law in PAPERWORK.items()]
)


@pytest.fixture
def floor() -> Floor:
    return new_floor(MemoryStore())


def with_table(game_id: str, letter: str, reference: str | None = None) -> Submission:
    """Return rules with paytable A or B, under the usual reference or another."""
    named = {"reference": reference} if reference else {}
    return submission(game_id, {f"wagers.{WAGERS[game_id]}.paytable": letter, **named})


def refusal(floor: Floor, rules: Submission) -> tuple[tuple[str, str], tuple[str, ...]]:
    """Return why rules may not be filed: the field and the reason, and the clauses."""
    with pytest.raises(RefusedError) as error:
        floor.set_up(lambda now_house, now: [house.file_submission(now_house, rules, MAX, now)])
    (problem,) = error.value.problems
    return (problem.field, problem.reason), problem.clauses


def adopted(floor: Floor, rules: Submission) -> str:
    """Have a table adopt rules; return every reason against it."""
    floor.submit("t1", command(FLO, AdoptRules(rules)))
    (answer,) = floor.run()
    return "; ".join(str(problem) for problem in answer.refused) or answer.fault


@each_chapter
def test_another_paytable_is_not_filed_under_the_same_reference(floor: Floor, game_id: str) -> None:
    in_effect(floor, with_table(game_id, "A"))
    said, clauses = refusal(floor, with_table(game_id, "B"))
    field = f"wagers.{WAGERS[game_id]}.paytable"
    assert (said, clauses) == (
        ("reference", f"{field} changed without a new reference"),
        (PAPERWORK[game_id],),
    )
    assert len(floor.house.filed) == 1


@each_chapter
def test_another_paytable_filed_before_under_the_same_reference_is_not_approved(
    floor: Floor, game_id: str
) -> None:
    in_effect(floor, with_table(game_id, "A"))
    second = with_table(game_id, "B")
    floor.set_up(lambda _, now: [SubmissionFiled(submission=second, by=MAX, at=now)])
    name = rules_for(second).fingerprint
    with pytest.raises(RefusedError, match=PAPERWORK[game_id]):
        floor.set_up(lambda now_house, now: [house.approve_submission(now_house, name, EVA, now)])


@each_chapter
def test_another_paytable_under_the_same_reference_is_not_adopted(floor: Floor, game_id: str) -> None:
    make_table(floor, "t1", with_table(game_id, "A"))
    second = with_table(game_id, "B")
    name = rules_for(second).fingerprint
    floor.set_up(
        lambda _, now: [
            SubmissionFiled(submission=second, by=MAX, at=now),
            SubmissionApproved(submission=name, effective=now, by=EVA, at=now),
        ]
    )
    reasons = adopted(floor, second)
    assert "changed without a new reference" in reasons and PAPERWORK[game_id] in reasons


@each_chapter
def test_another_paytable_under_a_new_reference_holds_for_later_rounds_only(
    floor: Floor, game_id: str
) -> None:
    make_table(floor, "t1", with_table(game_id, "A"))
    seat_two(floor, "t1")
    play(floor, "t1", 1)
    refusal(floor, with_table(game_id, "B"))
    second = with_table(game_id, "B", "RS-2")
    noon = NOON + timedelta(hours=1)
    floor.set_up(lambda now_house, now: [house.file_submission(now_house, second, MAX, now)])
    name = rules_for(second).fingerprint
    floor.set_up(lambda now_house, now: [house.approve_submission(now_house, name, EVA, now, noon)])
    assert "in effect later" in adopted(floor, second)
    floor.clock = lambda: noon
    say(floor, "t1", Actor("Ann", Role.PLAYER), PlaceWagers(2, {"main": cents("$10")}))
    assert "limits change between rounds" in adopted(floor, second)
    play(floor, "t1", 1)
    assert floor.table("t1").rules.submission.reference != "RS-2"
    assert adopted(floor, second) == "" and floor.table("t1").rules.submission == second
    play(floor, "t1", 1)


@pytest.mark.parametrize("game_id", LICENSED)
def test_nothing_changes_under_the_same_reference_in_any_game(floor: Floor, game_id: str) -> None:
    in_effect(floor, submission(game_id))
    said, clauses = refusal(floor, submission(game_id, {"holder": "Another Hall"}))
    assert said == ("reference", "holder changed without a new reference")
    assert clauses == game(game_id).change_clauses
    in_effect(floor, submission(game_id, {"holder": "Another Hall", "reference": "RS-2"}))
    in_effect(floor, submission(game_id, {"reference": "RS-3"}))


def test_two_games_may_bear_the_same_reference(floor: Floor) -> None:
    for game_id in LICENSED:
        in_effect(floor, submission(game_id, {"reference": "RS-1"}))
    assert len(floor.house.effective) == len(LICENSED)


def test_a_table_whose_shoe_failed_deals_another_way_at_once_and_goes_back_when_it_is_repaired(
    floor: Floor,
) -> None:
    shoe = {"table.shuffler": "automated", "table.dealing": "automated_shoe"}
    make_table(floor, "t1", submission("pa-659a", shoe))
    seat_two(floor, "t1")
    while not isinstance((move := next_move(floor, "t1")).action, Deal):
        say(floor, "t1", move.by, move.action)
    say(floor, "t1", move.by, Deal(cards=1))
    say(floor, "t1", Actor("shoe", Role.SHOE), ShoeFault())
    dealer = Actor(str(floor.table("t1").table.dealer), Role.DEALER)
    say(floor, "t1", dealer, SignOutOfOrder(Device.SHOE, SignedHow.SIGN))
    say(floor, "t1", FLO, ChangeDealing("manual_shoe"))
    play(floor, "t1", 1)
    assert new_floor(floor.store).table("t1").rules.way == "manual_shoe"
    say(floor, "t1", FLO, Repair(Device.SHOE))
    say(floor, "t1", FLO, ChangeDealing("automated_shoe"))
    play(floor, "t1", 1)
    assert floor.table("t1").rules.fingerprint in floor.house.effective
