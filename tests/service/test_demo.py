"""The demo floor: set up once, every game plays by itself, under a law that holds, and two tables share."""

from __future__ import annotations

from datetime import UTC, date, datetime

from houseway.floor.house import unlike
from houseway.floor.streams import is_practice
from houseway.games import example_submission, verify_submission
from houseway.rounds.roles import Role
from houseway.service.demo import GAMES, LINKED, demo_floor, demo_tables
from tests.service.driving import World


def demo_world() -> World:
    """Return the demo floor, with a driver for its tables."""
    world = World(plans={}, now=datetime(2026, 10, 1, 12, tzinfo=UTC))
    world.plans = demo_floor(world.floor).plans
    world.restart()
    return world


def test_every_game_has_a_table_and_a_practice_table_and_two_share_a_progressive() -> None:
    world = demo_world()
    house = world.floor.house
    licensed = [made for name, made in house.tables.items() if not is_practice(name)]
    practice = [made for name, made in house.tables.items() if is_practice(name)]
    assert {made.submission.game for made in licensed} == set(GAMES) == {p.submission.game for p in practice}
    assert all(made.practice and made.chips for made in practice)
    assert house.tables_on(f"{LINKED}-link") == [LINKED, f"{LINKED}-second"]
    assert len(licensed) == len(demo_tables()) and set(world.plans) == set(house.tables)


def test_setting_it_up_again_changes_nothing() -> None:
    world = demo_world()
    before = world.store.heads()
    again = demo_floor(world.floor)
    assert world.store.heads() == before and again.plans == world.plans


def test_all_its_tables_play_by_themselves_and_the_books_add_up() -> None:
    world = demo_world()
    names = [table.name for table in demo_tables()]
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
    terms = [meters[name].terms for name in meters if not is_practice(name)]
    for one in terms:
        for other in terms:
            assert one is not None and other is not None
            assert (one is other) or unlike(one, other)


def test_its_people_have_every_role_that_a_person_has() -> None:
    members = demo_floor(demo_world().floor).members
    devices = {Role.SHUFFLER, Role.SHOE, Role.GENERATOR, Role.KEYPAD, Role.SENSOR, Role.DISPLAY}
    assert {one.role for one in members} == set(Role) - devices - {Role.ADMINISTRATOR}
    assert len({one.id for one in members}) == len(members)
