"""The demo floor: set up once, every game plays by itself, under a law that holds, and two tables share."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import partial

import pytest

from houseway.errors import IllegalError
from houseway.floor.house import meter_differences
from houseway.floor.rights import COMMAND_LINE
from houseway.games import example_submission, verify_submission
from houseway.rng import SeededEntropy
from houseway.rounds.auto import CLOSES_BETS
from houseway.rounds.deciding import verify
from houseway.rounds.live import due_moves
from houseway.rounds.roles import DEVICES, Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor, Proposal
from houseway.service.administrators import add_first_administrators
from houseway.service.demo import BY_HAND, GAMES, LINKED, demo_floor, demo_tables
from houseway.service.demo_people import DEMO_PEOPLE, add_demo_people, demo_password
from houseway.service.people import add_first_administrator, add_user
from houseway.service.register import Register
from houseway.service.sessions import Sessions
from houseway.service.sign_in_rules import prove
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Store
from tests.floor.support import NOON, new_floor, two_tables
from tests.service.crowd import passwords
from tests.service.driving import World


def demo_world() -> World:
    """Return the demo floor, with a driver for its tables."""
    world = World(plans={}, now=datetime(2026, 10, 1, 12, tzinfo=UTC))
    world.plans = demo_floor(world.floor)
    world.restart()
    return world


def test_every_game_has_a_table_and_two_share_a_progressive() -> None:
    world = demo_world()
    house = world.floor.house
    licensed = [*house.tables.values()]
    assert {made.submission.game for made in licensed} == set(GAMES)
    assert not any(made.practice for made in licensed), "whoever practises does so elsewhere"
    assert house.tables_on(f"{LINKED}-link") == [BY_HAND, LINKED, f"{LINKED}-second"]
    assert len(licensed) == len(demo_tables()) and set(world.plans) == set(house.tables)


def test_setting_it_up_again_changes_nothing() -> None:
    world = demo_world()
    before = world.store.heads()
    again = demo_floor(world.floor)
    assert world.store.heads() == before and again == world.plans


def test_all_its_tables_play_by_themselves_and_the_books_add_up() -> None:
    world = demo_world()
    names = [table.name for table in demo_tables() if table.name != BY_HAND]
    world.run(lambda: all(world.floor.table(name).table.rounds for name in names), most=4000)
    assert not world.refusals
    found = world.verified()
    assert found.rounds >= len(names) and found.total == 0
    open_seats = [7 - len(world.floor.table(name).table.seats) for name in names]
    assert min(open_seats) >= 2, "there is room for people"


def test_each_table_plays_under_its_law_as_of_a_day_on_which_it_held() -> None:
    for game in GAMES:
        assert not any(problem.blocks for problem in verify_submission(example_submission(game)))
    expired = example_submission("pa-575").model_copy(update={"law_as_of": date(2026, 1, 1)})
    assert any(problem.field == "law_as_of" for problem in verify_submission(expired))


def test_no_two_games_could_share_a_meter() -> None:
    """So the shared progressive is one of two tables of one game."""
    meters = demo_world().floor.house.meters
    terms = [one.terms for one in meters.values()]
    for one in terms:
        for other in terms:
            assert one is not None and other is not None
            assert (one is other) or meter_differences(one, other)


# --- the table that people deal at --------------------------------------------------------------------


def test_the_dealers_table_waits_for_its_dealer_who_plays_a_round_with_the_devices() -> None:
    world = demo_world()
    world.name = BY_HAND
    assert world.table().phase is Phase.BETTING and world.table().dealer == "deb"
    world.run(lambda: bool(world.table().round.active()))
    done = len(world.done)
    people = {"deb": 0, "flo": 0}
    while world.table().rounds < 2:
        move = next(by_hand(world), None)
        if move is not None:
            world.say(move.by, move.action)
            people[move.by.id] += 1
        else:
            assert world.step(), f"nothing is ever due: {world.table().phase}"
    assert people["deb"] > 20
    ours = {step for _, table, step in world.done[done:] if table == BY_HAND}
    assert {"wager", "set", "look"} <= ours, "the house player plays"
    assert not {"no_more_bets", "settle", "reveal", "close_round"} & ours, "the dealer deals"
    assert not world.refusals and world.verified().total == 0


def by_hand(world: World) -> Iterator[Proposal]:
    """Yield what the dealer and the floorperson may do at their table now."""
    running, moment = world.running(), world.floor.moment(BY_HAND)
    names = {Role.DEALER: "deb", Role.FLOORPERSON: "flo"}
    for one in due_moves(running.rules, running.table):
        name = names.get(one.by.role)
        if name is not None and (one.step not in CLOSES_BETS or running.table.round.active()):
            move = Proposal(Actor(name, one.by.role), one.action)
            if not any(problem.blocks for problem in verify(running.rules, running.table, move, moment)):
                yield move


# --- its people ---------------------------------------------------------------------------------------


def demo_register(store: Store) -> Register:
    return Register(store, Sessions(store, SeededEntropy("people")), lambda: NOON)


def test_its_people_have_every_role_that_a_person_has_and_passwords_that_stay() -> None:
    assert {one.role for one in DEMO_PEOPLE} == set(Role) - DEVICES - {Role.GUEST}
    floor = new_floor(MemoryStore())
    add_demo_people(demo_register(floor.store), floor.house)
    before = floor.store.heads()
    register = demo_register(floor.store)
    add_demo_people(register, floor.house)
    assert floor.store.heads() == before, "a second start adds nobody"
    for actor in DEMO_PEOPLE:
        proved = prove(register.people, passwords(), actor.shown, demo_password(actor))
        assert proved is not None and proved.user.roles == {actor.role} and not proved.user.temporary


def test_it_has_two_administrators_and_gets_the_second_where_it_began_with_one() -> None:
    floor = new_floor(MemoryStore())
    register = demo_register(floor.store)
    first, password = DEMO_PEOPLE[0], passwords().hash(demo_password(DEMO_PEOPLE[0]))
    register.record(lambda crowd, now: add_first_administrator(crowd, first.id, first.shown, password, now))
    assert len(register.people.administrators) == 1
    add_demo_people(register, floor.house)
    assert len(register.people.administrators) == 2


def test_who_has_an_id_or_a_name_of_the_demo_already_is_let_be() -> None:
    floor = new_floor(MemoryStore())
    register, (first, *_, named, known) = demo_register(floor.store), DEMO_PEOPLE
    password = passwords().hash(demo_password(first))
    register.record(lambda crowd, now: add_first_administrator(crowd, first.id, first.shown, password, now))
    for user, name, who in ((known.id, "Somebody Else", known), ("else", named.shown, named)):
        adding = partial(add_user, user=user, name=name, roles=frozenset({who.role}), by=COMMAND_LINE)
        register.record(lambda crowd, now, adding=adding: [adding(crowd, now=now)])  # type: ignore[misc]
    add_demo_people(register, floor.house)
    assert register.people.users.keys() == {one.id for one in DEMO_PEOPLE} - {named.id} | {"else"}
    assert register.people.user(known.id).name == "Somebody Else"


def test_a_floor_of_ones_own_is_never_made_a_demo() -> None:
    with_people, with_tables = new_floor(MemoryStore()), two_tables(new_floor(MemoryStore()))
    assert add_first_administrators(demo_register(with_people.store), SeededEntropy("founding"))
    for floor in (with_people, with_tables):
        before = floor.store.heads()
        with pytest.raises(IllegalError, match="empty database"):
            add_demo_people(demo_register(floor.store), floor.house)
        assert floor.store.heads() == before
