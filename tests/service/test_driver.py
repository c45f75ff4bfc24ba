"""Tables run by themselves: whole rounds, at a pace, nothing twice, and lawfully on when people vanish."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.floor import house
from houseway.games import example_submission
from houseway.intake import AUTO
from houseway.money import cents
from houseway.rounds.marks import HandMark
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Table
from houseway.rounds.step import Actor
from houseway.rounds.steps.dealers import CloseTable, LogOn
from houseway.rounds.steps.players import Sit
from houseway.service import driver
from houseway.service.driver import queue
from houseway.service.moves import TableMoves, moves_at
from houseway.service.table_plans import AUTOMATED, HousePlayer, Pace, Patience, TablePlan
from houseway.settlement import Status
from tests.floor.support import FLO, in_effect, make_table
from tests.service.driving import GAMES, HERE, PAT, PLAN, Person, World, new_world

DEALT_BY_PEOPLE: dict[Role, str] = {role: name for role, name in AUTOMATED.items() if role is not Role.DEALER}


def steps(world: World) -> list[str]:
    """Return the automatic steps that were taken."""
    return [step for _, _, step in world.done]


# --- by itself ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_house_players_opens_and_plays_by_itself(game: str) -> None:
    world = new_world(game, replace(PLAN, rulings=False))
    world.run(lambda: world.table().rounds >= 2)
    assert not world.refusals
    assert world.verified().rounds == 2
    last = world.table().last
    assert last is not None and {hand.person for hand in last.active()} <= {"Ann", "Dan"}


@pytest.mark.parametrize("game", GAMES)
def test_a_person_bets_and_sets_among_house_players(game: str) -> None:
    world = new_world(game)
    person = Person(world)
    world.run(lambda: world.table().rounds >= 3, person.act)
    assert not {"leave", "rule_abandoned", "rule_round"} & set(steps(world))
    assert HERE in world.table().seats and not world.refusals
    assert world.verified().rounds == 3


def test_no_two_automatic_steps_are_closer_than_the_pace() -> None:
    world = new_world("pa-670a")
    world.run(lambda: world.table().rounds >= 1, Person(world).act)
    opened = steps(world).index("open_table") + 1
    playing = world.done[opened:]
    gaps = [(after - before, step) for (before, _, _), (after, _, step) in pairwise(playing)]
    assert all(gap >= timedelta(seconds=Pace().step) for gap, _ in gaps)
    assert all(gap >= timedelta(seconds=Pace().followed) for gap, step in gaps if step == "reveal")
    assert any(step == "reveal" for _, step in gaps)


def test_a_house_player_doubles_down_wherever_it_is_offered_and_another_never_does() -> None:
    world = new_world("pa-670a")
    for rounds in (1, 2, 3):
        world.run(lambda rounds=rounds: world.table().rounds >= rounds)  # type: ignore[misc]
        last = world.table().last
        assert last is not None
        assert {hand.person: "double_down" in hand.wagers for hand in last.active()} == {
            "Ann": False,
            "Dan": True,
        }
    assert not world.refusals


def test_a_house_player_of_a_position_that_a_table_has_not_is_not_there() -> None:
    world = new_world("pa-670a", replace(PLAN, players={**PLAN.players, 9: HousePlayer("Eve", doubles=True)}))
    world.run(lambda: world.table().rounds >= 1)
    assert {seat.person for seat in world.table().seats.values()} == {"Ann", "Dan"} and not world.refusals


def test_a_house_player_is_given_no_chips_unless_the_plan_says_how_many() -> None:
    for plan in (PLAN, replace(PLAN, balance=cents("$500"))):
        world = World(plans={"t": plan})
        make_table(world.floor, "t", example_submission("pa-575"), chips=True)
        world.run(lambda world=world: world.table().phase is Phase.BETTING)  # type: ignore[misc]
        while world.step() and "wager" not in steps(world) and len(world.done) < 60:
            pass
        assert ("bring_chips" in steps(world)) is bool(plan.balance)


def test_a_table_that_nobody_touches_is_looked_at_anew_every_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The law's clocks go on meanwhile: a deck grows old."""
    world, looks = new_world("pa-575", TablePlan()), list[str]()
    while world.step():
        pass

    def counted(*given: Any) -> TableMoves:
        looks.append("look")
        return moves_at(*given)

    monkeypatch.setattr(driver, "moves_at", counted)
    world.driver.due(world.now)
    looks.clear()
    looked = world.driver._watched["t"].looked_at
    for seconds, expected in ((59, 0), (60, 1), (61, 1), (119, 1), (120, 2)):
        world.driver.due(looked + timedelta(seconds=seconds))
        assert len(looks) == expected, seconds


def test_what_is_due_twice_is_done_once() -> None:
    world = new_world("pa-575")
    for _ in range(60):
        first, again = world.driver.due(world.now), world.driver.due(world.now)
        assert first == again
        queue(world.floor, [*first, *again])
        before = world.floor.table("t").head.version
        answers = world.floor.run()
        assert len({answer.version for answer in answers}) <= 1 and not any(one.refused for one in answers)
        assert world.floor.table("t").head.version == before + len(first)
        world.now = world.driver.next_at(world.now) or world.now
    assert world.verified().log.entries > 30


def test_two_drivers_of_one_floor_do_nothing_twice() -> None:
    """Two server processes name a command alike, so the second gets the answer of the first."""
    world = new_world("pa-575")
    other = World(store=world.store, plans=world.plans, now=world.now)
    for _ in range(40):
        assert world.driver.due(world.now) == other.driver.due(other.now)
        queue(other.floor, world.driver.due(world.now))
        queue(other.floor, other.driver.due(other.now))
        other.floor.run()
        world.floor.catch_up(["t"])
        assert world.driver.next_at(world.now) == other.driver.next_at(other.now)
        world.now = other.now = world.driver.next_at(world.now) or world.now
    assert other.floor.table("t").head == world.floor.table("t").head
    assert world.verified().log.entries > 20


def test_a_restart_in_the_middle_of_a_round_goes_on_where_the_table_stands() -> None:
    world = new_world("pa-659a")
    for phase in (Phase.OPENING, Phase.BETTING, Phase.DEALING, Phase.SETTING, Phase.SETTLING):
        world.run(lambda phase=phase: world.table().phase is phase)  # type: ignore[misc]
        version = world.floor.table("t").head.version
        world.restart()
        assert world.floor.table("t").head.version == version
        assert not world.driver.due(world.now), "a driver that starts anew keeps the pace"
    world.run(lambda: world.table().rounds >= 2)
    assert not world.refusals and world.verified().rounds == 2


def test_what_is_refused_is_reported_and_not_tried_again_until_something_changes() -> None:
    world = World()
    floor = world.floor
    rules = in_effect(floor, example_submission("pa-575"))
    floor.set_up(lambda found, now: house.make_table(found, "t", rules, FLO, now))
    while world.step():
        pass  # what else there is to do changes the table
    assert world.refusals and not world.driver.due(world.now + timedelta(hours=1))
    for refusal in world.refusals:
        assert refusal.command.action.step == "open_table" and "approved" in refusal.problems[0].reason
    assert len({refusal.command.id for refusal in world.refusals}) == (many := len(world.refusals))
    two = Actor("Max", Role.MANAGER), Actor("Eva", Role.MANAGER)
    floor.set_up(lambda _, now: [house.approve_program(house.this_program(), *two, now)])
    world.run(lambda: world.table().rounds >= 1)
    assert len(world.refusals) == many


def test_a_house_player_leaves_out_what_the_floor_refuses() -> None:
    """The link to the meter is down: the progressive is left out, the game goes on."""
    world = new_world("pa-659a")
    down = {"up": False, "reason": "cable"}
    world.floor.set_up(lambda found, now: [house.change_link(found, "t", "t", FLO, now, **down)])  # type: ignore[arg-type]
    world.run(lambda: world.table().rounds >= 1)
    assert {refusal.command.action.step for refusal in world.refusals} == {"wager"}
    last = world.table().last
    assert last is not None and all("progressive" not in hand.wagers for hand in last.active())


# --- what is left to people ---------------------------------------------------------------------------


def test_nothing_is_done_for_a_dealer_who_is_a_person() -> None:
    world = new_world("pa-575", TablePlan(duties=DEALT_BY_PEOPLE, players={2: HousePlayer("Ann")}))
    while world.step():
        pass
    assert steps(world) == ["sit"]
    world.say(Actor("Deb", Role.DEALER), LogOn("on file"))
    while world.step():
        pass
    assert steps(world) == ["sit"]


def test_the_automatic_dealer_does_not_act_for_a_dealer_who_came_first() -> None:
    world = new_world("pa-575", TablePlan(players={2: HousePlayer("Ann")}))
    world.say(Actor("Deb", Role.DEALER), LogOn("on file"))
    while world.step():
        pass
    assert steps(world) == ["sit"]


def test_a_table_that_people_close_stays_closed_until_the_driver_is_told() -> None:
    world = new_world("pa-575")
    world.run(lambda: world.table().rounds >= 1)
    assert not world.table().round.hands
    world.say(FLO, CloseTable())
    assert not world.step()
    world.restart()
    assert not world.step()
    world.driver.open("t")
    world.run(lambda: world.table().rounds >= 1)
    assert not world.refusals


def test_house_players_rest_when_nobody_has_been_on_the_floor_for_long() -> None:
    world = new_world("pa-575", replace(PLAN, patience=Patience(resting=60)))
    while world.step():
        pass
    rounds = world.table().rounds
    assert rounds == 2 and not world.table().round.hands
    world.now += timedelta(hours=1)
    assert world.driver.next_at(world.now) is None
    world.driver.note_seen("somebody who looks on", world.now)
    world.run(lambda: world.table().rounds > rounds)


def test_a_house_player_never_takes_a_seat_from_anybody() -> None:
    world = new_world("pa-575", TablePlan(players={HERE: HousePlayer("Ann"), 6: HousePlayer("Dan")}))
    world.say(PAT, Sit(HERE))
    world.run(lambda: world.table().phase is Phase.BETTING)
    assert {at: seat.person for at, seat in world.table().seats.items()} == {HERE: "Pat", 6: "Dan"}


def test_a_hand_that_was_left_waits_for_a_floorperson_where_no_rulings_are_automatic() -> None:
    """Reading P14: whether a hand is abandoned is a decision of the floor, never automatic."""
    world = new_world("pa-659a", replace(PLAN, rulings=False))
    person = Person(world, lambda table: table.phase is not Phase.SETTING)
    world.run(lambda: _left(world.table()), person.act)
    while world.step():
        pass
    hand = world.table().round.hands[HERE]
    assert hand.status is Status.PLAYED and not hand.has(HandMark.RULED)
    assert world.table().phase is Phase.SETTING


def _left(table: Table) -> bool:
    hand = table.round.hands.get(HERE)
    return hand is not None and hand.has(HandMark.LEFT)


# --- how long anybody is waited for -------------------------------------------------------------------


def test_bets_close_when_everybody_is_ready_or_the_time_is_over() -> None:
    for ready, least, most in ((True, 0.0, 5.0), (False, 25.0, 30.0)):
        world = new_world("pa-575")
        person = Person(world)
        world.run(lambda w=world: w.table().phase is Phase.BETTING)  # type: ignore[misc]
        world.say(PAT, Sit(HERE))
        world.run(lambda w=world: bool(w.table().round.active()))  # type: ignore[misc]
        began = world.now
        person.sat = True
        while world.table().phase is Phase.BETTING:
            world.driver.note_seen(PAT.id, world.now)
            if ready:
                person.act()
            world.step()
        assert least <= (world.now - began).total_seconds() <= most


def test_who_is_there_and_does_not_set_has_the_setting_time_and_no_more() -> None:
    world = new_world("pa-575")
    person = Person(world)
    world.run(lambda: world.table().phase is Phase.SETTING, person.act)
    began = world.now
    world.run(lambda: _left(world.table()), lambda: world.driver.note_seen(PAT.id, world.now))
    assert 90 <= (world.now - began).total_seconds() <= 95
    world.run(lambda: world.table().rounds >= 1)
    assert world.verified().rounds == 1


def test_somebody_who_is_seen_again_in_time_stays() -> None:
    world = new_world("pa-575")
    person = Person(world)
    world.run(lambda: world.table().phase is Phase.SETTING, person.act)
    world.now += timedelta(seconds=29)
    world.driver.note_seen(PAT.id, world.now)
    world.run(lambda: world.table().rounds >= 2, person.act)
    assert "leave" not in steps(world)


# --- people who vanish --------------------------------------------------------------------------------

BANKER: dict[str, Callable[[Table], bool]] = {
    f"as banker, {phase}": lambda table, phase=phase: table.phase is phase and table.round.bank_seat == HERE  # type: ignore[misc]
    for phase in (Phase.BETTING, Phase.STARTING, Phase.SETTLING)
}
MOMENTS: dict[str, Callable[[Table], bool]] = {
    "before betting": lambda table: table.phase is Phase.BETTING,
    "after betting": lambda table: table.phase is Phase.BETTING and HERE in table.round.hands,
    **{
        phase: lambda table, phase=phase: table.phase is phase and HERE in table.round.hands  # type: ignore[misc]
        for phase in (Phase.STARTING, Phase.DEALING, Phase.SETTING, Phase.DEALER, Phase.SETTLING)
    },
    "after looking": lambda table: (
        HERE in table.round.hands
        and table.phase is Phase.SETTING
        and table.round.hands[HERE].has(HandMark.LOOKED)
    ),
}


@pytest.mark.parametrize(
    ("game", "moment"),
    [(game, moment) for game in GAMES for moment in MOMENTS] + [("ca-fpgp", moment) for moment in BANKER],
)
def test_when_somebody_vanishes_the_round_ends_lawfully_and_the_money_is_conserved(
    game: str, moment: str
) -> None:
    world = new_world(game)
    vanishes = {**MOMENTS, **BANKER}[moment]
    person = Person(world, lambda table: not (HERE in table.seats and vanishes(table)))
    world.run(lambda: person.gone, person.act)
    rounds = world.table().rounds
    world.run(lambda: world.table().rounds > rounds)
    last = world.table().last
    assert last is not None
    hand = last.hands.get(HERE)
    assert hand is None or hand.status is not Status.ABANDONED, "nothing is lost without a floorperson"
    world.run(lambda: HERE not in world.table().seats)
    world.run(lambda: world.table().rounds >= rounds + 2)
    assert not world.refusals
    assert world.verified().total == 0


def test_names_of_automatic_commands_are_told_from_those_of_people() -> None:
    world = new_world("pa-575")
    world.run(lambda: bool(world.driver.due(world.now)))
    ((_, command),) = world.driver.due(world.now)
    assert command.id == f"{AUTO}table/t/1"


def test_people_have_the_time_that_the_house_gives_them_and_no_second_less() -> None:
    world, second = new_world("pa-575"), timedelta(seconds=1)
    world.run(lambda: world.table().phase is Phase.BETTING)
    world.say(PAT, Sit(HERE))
    world.run(lambda: bool(world.table().round.active()))
    world.driver.due(world.now)
    assert world.driver.waits_until("t", PAT.id, world.now) == world.now + 25 * second, "for their bets"
    person = Person(world, sat=True)
    world.run(lambda: world.table().phase is Phase.SETTING, person.act)
    asked = world.now
    assert world.driver.waits_until("t", PAT.id, asked) == asked + 30 * second, "if they are not seen"
    world.driver.note_seen(PAT.id, asked + 80 * second)
    assert world.driver.waits_until("t", PAT.id, asked) == asked + 90 * second, "for their hand"


def test_people_have_twenty_seconds_for_an_answer() -> None:
    world, decided = new_world("ca-fpgp"), (Phase.BETTING, Phase.SETTING)

    def asked() -> bool:
        return (
            world.table().phase not in decided
            and world.driver.waits_until("t", PAT.id, world.now) is not None
        )

    world.run(asked, Person(world).act)
    began = world.now
    world.driver.note_seen(PAT.id, began)
    assert world.driver.waits_until("t", PAT.id, began) == began + timedelta(seconds=20)


def test_a_person_is_told_until_when_the_table_waits_for_them() -> None:
    world = new_world("pa-659a")
    world.run(lambda: world.table().phase is Phase.BETTING)
    world.say(PAT, Sit(HERE))
    world.driver.note_seen(PAT.id, world.now)
    world.run(lambda: any(step == "wager" for step in steps(world)), lambda: None)
    bets = world.driver.waits_until("t", PAT.id, world.now)
    assert bets is not None and bets <= world.now + timedelta(seconds=Patience().betting)
    assert world.driver.waits_until("t", "Nobody", world.now) is None
    assert world.driver.waits_until("elsewhere", PAT.id, world.now) is None
    person = Person(world, sat=True)
    world.run(lambda: world.table().phase is Phase.SETTING, person.act)
    world.driver.note_seen(PAT.id, world.now)
    hand = world.driver.waits_until("t", PAT.id, world.now)
    assert hand is not None and world.now < hand <= world.now + timedelta(seconds=Patience().vanished)
    assert world.driver.waits_until("t", "Ann", world.now) is None, "nobody waits for a house player"
