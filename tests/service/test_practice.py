"""Practice: play money in no books, and choices undone by going on from where they were made."""

from __future__ import annotations

import pytest

from houseway.chips import ChipCommand, chips_of
from houseway.chips.actions import BringChips
from houseway.errors import IllegalError, UnknownNameError
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
from houseway.service.api.gate import COOKIE
from houseway.service.plans import TablePlan
from houseway.service.practice import (
    PLAY_MONEY,
    PRACTICE_MAKER,
    company,
    make_practice,
    player_at,
    practice_plan,
    practice_table,
    undo,
)
from tests.floor.support import FLO, command, in_effect, make_table
from tests.service.driving import GAMES, HERE, HOUSE_PLAYERS, PAT, Person, World
from tests.service.support import Person as Browser
from tests.service.support import served
from tests.store.support import DATABASES, new_store

NAME = "practice-t"
BRINGER = Actor("automatic dealer", Role.DEALER)
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


# --- a table for whoever wants one --------------------------------------------------------------------


def test_everybody_gets_a_practice_table_of_their_own_and_a_free_one_is_used_again() -> None:
    world = World(plans={})
    in_effect(world.floor, example_submission("pa-575"))
    first = practice_table(world.floor, "pa-575", "guest-1", PRACTICE_MAKER)
    world.name = first
    world.run(lambda: world.table().phase is Phase.BETTING)
    guest = player_at(world.floor.house, first, Actor("guest-1", Role.GUEST))
    world.say(guest, Sit(HERE))
    assert practice_table(world.floor, "pa-575", "guest-1", PRACTICE_MAKER) == first
    second = practice_table(world.floor, "pa-575", "guest-2", PRACTICE_MAKER)
    assert second != first
    world.say(guest, Leave(HERE))
    assert practice_table(world.floor, "pa-575", "guest-3", PRACTICE_MAKER) == first
    with pytest.raises(UnknownNameError):
        practice_table(world.floor, "pa-670a", "guest-1", PRACTICE_MAKER)


def test_a_guest_plays_at_a_practice_table_and_nowhere_else() -> None:
    world = practice_world()
    guest = Actor("guest-1", Role.GUEST)
    assert player_at(world.floor.house, NAME, guest).role is Role.PLAYER
    assert player_at(world.floor.house, "no-such-table", guest) is guest
    make_table(world.floor, "t9", example_submission("pa-575"))
    assert player_at(world.floor.house, "t9", guest) is guest
    assert player_at(world.floor.house, NAME, FLO) is FLO


def test_guests_play_undo_and_see_where_the_table_goes_on_over_http() -> None:
    plans = {NAME: practice_plan(company(NAME))}
    world = practice_world(world=World(plans=plans, name=NAME))
    world.run(lambda: world.table().phase is Phase.BETTING)
    with served(world.floor) as (client, server):
        server.driver = world.driver
        guest = Browser(client, "", Role.GUEST)
        found = guest.send("POST", "/api/v1/practice", {"game": "pa-659a"})
        assert found.json() == {"table": NAME}
        other = Browser(client, "", Role.GUEST)
        assert guest.do(NAME, {"step": "sit", "position": 7}).status_code == 200
        made = other.send("POST", "/api/v1/practice", {"game": "pa-659a"}).json()["table"]
        assert other.look(made)["view"]["phase"] == "betting", "a new one is ready at once"
        assert guest.do(NAME, {"step": "leave", "position": 7}).status_code == 200
        assert guest.do(NAME, {"step": "sit", "position": HERE}).status_code == 200
        given = {"step": "bring_chips", "person": guest.name, "amount": 100_000}
        chips = guest.send("POST", f"/api/v1/tables/{NAME}/chips", {"id": "g", "action": given})
        assert chips.status_code == 409, "play money is the house's to give"
        bring = ChipCommand(id="bring", by=BRINGER, action=BringChips(guest.name, PLAY_MONEY))
        world.floor.submit(NAME, bring)
        world.floor.run()
        assert guest.look(NAME)["chips"] == PLAY_MONEY
        assert guest.do(NAME, {"step": "wager", "position": HERE, "wagers": {"main": 500}}).status_code == 200
        assert guest.look(NAME)["chips"] == PLAY_MONEY - 500
        with client.websocket_connect(
            f"/api/v1/tables/{NAME}/live", headers={"cookie": f"{COOKIE}={guest.cookies[COOKIE]}"}
        ) as live:
            live.receive_json()
            assert guest.send("POST", f"/api/v1/tables/{NAME}/undo").json() == {"table": NAME}
            assert live.receive_json()["chips"] == PLAY_MONEY, "who watches is shown the branch"
        assert guest.look(NAME)["view"]["id"] == f"{NAME}~2"
        rows = {one["table"]: one for one in guest.send("GET", "/api/v1/tables").json() if one["practice"]}
        row = rows[NAME]
        assert set(rows) == {NAME, made} and row["seated"] == sorted(world.table().seats)
