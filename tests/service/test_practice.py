"""Practice: play money in no books, and choices undone by going on from where they were made."""

from __future__ import annotations

import pytest

from houseway.chips import chips_of
from houseway.errors import IllegalError
from houseway.floor import house
from houseway.floor.readmodels import ReadModels, lobby
from houseway.floor.rounds import round_of_table
from houseway.floor.verifying import RefoldError, verify_floor
from houseway.games import example_submission
from houseway.money import cents
from houseway.rounds.actions import Leave, Look, PlaceWagers, SetHand, Sit
from houseway.rounds.houseway import house_setting
from houseway.rounds.replay import verify_replay
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, Phase
from houseway.rounds.step import Actor
from houseway.service.plans import TablePlan
from houseway.service.practice import PLAY_MONEY, make_practice, practice_plan, undo
from tests.floor.support import FLO, command, in_effect
from tests.service.driving import GAMES, HERE, HOUSE_PLAYERS, PAT, Person, World
from tests.store.support import DATABASES, new_store

NAME = "practice-t"
PLAN = practice_plan(HOUSE_PLAYERS)


def practice_world(game: str = "pa-659a", world: World | None = None) -> World:
    """Return a floor of one practice table; no program is approved for it."""
    world = world or World(plans={NAME: PLAN}, name=NAME)
    make_practice(world.floor, "t", in_effect(world.floor, example_submission(game)), FLO)
    return world


def seated(world: World) -> World:
    """Let Pat sit down and get chips."""
    world.run(lambda: world.table().phase is Phase.BETTING)
    world.say(PAT, Sit(HERE))
    world.run(lambda: chips_of(world.running().tray, PAT.id) == PLAY_MONEY)
    return world


def to_setting(world: World) -> World:
    """Let Pat bet, and the hand come to be set."""
    person = Person(world, sat=True)
    world.run(lambda: world.table().phase is Phase.SETTING, person.act)
    world.driver.seen(PAT.id, world.now)
    world.say(PAT, Look(HERE))
    return world


# --- play money ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_practice_table_plays_with_play_money_and_needs_no_approved_program(game: str) -> None:
    world = practice_world(game)
    person = Person(world)
    world.run(lambda: world.table().rounds >= 2, person.act)
    assert world.floor.house.program is None
    tray = world.running().tray
    assert {"Ann", "Dan", "Pat"} >= set(tray.people)
    assert not [one for one in world.refusals if one.command.action.step != "wager"]
    found = world.verified()
    assert (found.rounds, found.total) == (0, 0), "play money is in no books"


def test_who_has_lost_everything_gets_chips_again() -> None:
    world = seated(practice_world("pa-575"))
    before = world.running().tray.total
    world.say(PAT, PlaceWagers(HERE, {"main": cents("$500")}))
    assert chips_of(world.running().tray, PAT.id) == PLAY_MONEY - cents("$500")
    assert world.running().tray.total == before


def test_practice_is_told_by_its_name_and_kept_apart() -> None:
    world = practice_world("pa-659a")
    floor = world.floor
    rules = in_effect(floor, example_submission("pa-659a"))

    def make(name: str, **more: object) -> None:
        floor.set_up(lambda found, now: house.make_table(found, name, rules, FLO, now, **more))  # type: ignore[arg-type]

    for name, more in (
        ("practice-x", {}),
        ("x", {"practice": True, "chips": True}),
        ("x~2", {}),
        ("practice-x", {"practice": True}),
        ("practice-x", {"practice": True, "chips": True, "origin": CardOrigin.TYPED}),
        ("practice-x", {"practice": True, "chips": True, "meter": "link"}),
        ("x", {"meter": NAME}),
    ):
        with pytest.raises(IllegalError):
            make(name, **more)
    assert floor.house.meters.keys() == {NAME}


def test_read_models_tell_of_no_practice_table() -> None:
    with new_store("sqlite") as store:
        world = practice_world("pa-659a", World(store=store, plans={NAME: PLAN}, name=NAME))
        world.run(lambda: world.table().rounds >= 1, Person(world).act)
        models = ReadModels(store)
        models.catch_up()
        with models.reading() as connection:
            found = lobby(connection)
        assert not found


def test_house_players_practise_with_somebody_and_never_alone() -> None:
    world = practice_world("pa-575")
    while world.step():
        pass
    assert world.table().phase is Phase.BETTING and not world.table().round.hands
    world.run(lambda: world.table().rounds >= 1, Person(world).act)


# --- undoing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", DATABASES)
def test_a_setting_is_undone_and_made_otherwise_with_the_same_cards(kind: str) -> None:
    with new_store(kind) as store:
        world = to_setting(
            seated(practice_world("pa-659a", World(store=store, plans={NAME: PLAN}, name=NAME)))
        )
        cards = world.table().round.hands[HERE].cards
        world.say(PAT, SetHand(HERE, house_setting(world.running().rules, cards)))
        first = world.floor.table(NAME)
        assert undo(world.floor, NAME, PAT, PLAN) == f"{NAME}~2"
        assert world.floor.table(NAME) == first, "what was done stays in its stream"
        hand = world.table().round.hands[HERE]
        assert hand.cards == cards and hand.setting is None
        world.restart()
        assert world.table().round.hands[HERE].cards == cards
        world.run(lambda: world.table().rounds >= 1, Person(world, sat=True).act)
        last = world.table().last
        assert last is not None and last.hands[HERE].cards == cards
        world.verified()
        world.run(lambda: world.table().rounds >= 2, Person(world, sat=True).act)
        found = round_of_table(store, f"{NAME}~2", 2)
        assert found.record is not None and not found.faults
        verify_replay(found.record)


def test_undoing_again_and_again_goes_back_through_the_branches() -> None:
    world = to_setting(seated(practice_world()))
    cards = world.table().round.hands[HERE].cards
    world.say(PAT, SetHand(HERE, house_setting(world.running().rules, cards)))
    undo(world.floor, NAME, PAT, PLAN)
    assert undo(world.floor, NAME, PAT, PLAN) == f"{NAME}~3"
    assert world.floor.house.branches[f"{NAME}~3"].of == NAME
    assert world.table().phase is Phase.BETTING and HERE not in world.table().round.hands
    assert chips_of(world.running().tray, PAT.id) == PLAY_MONEY
    with pytest.raises(IllegalError, match="nothing was chosen"):
        undo(world.floor, NAME, PAT, PLAN)
    world.run(lambda: world.table().rounds >= 1, Person(world, sat=True).act)
    undo(world.floor, NAME, PAT, PLAN)
    assert world.table().phase is Phase.SETTING, "the round that was over is set anew"
    world.run(lambda: world.table().rounds >= 2, Person(world, sat=True).act)
    world.verified()


def test_a_branch_that_was_left_takes_no_more_commands() -> None:
    world = seated(practice_world())
    world.say(PAT, PlaceWagers(HERE, {"main": cents("$10")}))
    undo(world.floor, NAME, PAT, PLAN)
    world.floor.submit(NAME, command(PAT, Leave(HERE)))
    (answer,) = world.floor.run()
    assert "undone" in answer.refused[0].reason


def test_only_who_plays_alone_at_a_practice_table_undoes() -> None:
    world = seated(practice_world())
    world.say(PAT, PlaceWagers(HERE, {"main": cents("$10")}))
    with pytest.raises(IllegalError, match="sits at the table"):
        undo(world.floor, NAME, Actor("Zoe", Role.PLAYER), PLAN)
    with pytest.raises(IllegalError, match="sits at the table"):
        undo(world.floor, NAME, Actor("Pat", Role.DEALER), PLAN)
    world.say(Actor("Zoe", Role.PLAYER), Sit(3))
    with pytest.raises(IllegalError, match="somebody else"):
        undo(world.floor, NAME, PAT, PLAN)
    world.say(Actor("Zoe", Role.PLAYER), Leave(3))
    undo(world.floor, NAME, PAT, PLAN)


def test_nothing_is_undone_at_a_licensed_table() -> None:
    world = practice_world()
    rules = in_effect(world.floor, example_submission("pa-659a"))
    world.floor.set_up(lambda found, now: house.make_table(found, "t1", rules, FLO, now))
    world.say(PAT, Sit(2), "t1")
    for attempt in (
        lambda: undo(world.floor, "t1", PAT, TablePlan()),
        lambda: world.floor.branch("t1", 1, PAT),
        lambda: undo(world.floor, "nowhere", PAT, TablePlan()),
    ):
        with pytest.raises(IllegalError):
            attempt()  # type: ignore[no-untyped-call]


def test_a_branch_that_begins_where_its_table_never_was_is_found() -> None:
    world = seated(practice_world())
    floor = world.floor
    wrong = house.branch_table(floor.house, NAME, 3, "00" * 32, PAT, world.now)
    floor.set_up(lambda _, __: [wrong])
    with pytest.raises(RefoldError, match="never was"), world.store.picture() as picture:
        verify_floor(picture)
