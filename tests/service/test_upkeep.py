"""The law's clocks at a table that runs by itself: decks and dice are changed in time, idle cards spread."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from houseway.rounds.marks import DeckMark
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Leave, Sit
from houseway.service.table_plans import TablePlan
from tests.floor.support import make_table
from tests.games.support import submission
from tests.rounds.play.chance import WAYS
from tests.service.driving import GAMES, HERE, PAT, PLAN, Person, World

PENNSYLVANIA = tuple(game for game in GAMES if game.startswith("pa-"))
HOUR = timedelta(hours=1)
LAYOUTS = [
    {"table.dealing": dealing, "table.shuffler": shuffler, "table.decks": 2 if shuffler == "automated" else 1}
    for dealing, shuffler in WAYS
]


def world_of(game: str, changes: Mapping[str, Any] | None = None, plan: TablePlan = PLAN) -> World:
    """Return a floor of one table, laid out in some way."""
    world = World(plans={"t": plan})
    make_table(world.floor, "t", submission(game, dict(changes or {})))
    return world


def held(world: World) -> list[str]:
    """Return the decks that are at the table."""
    return [deck.name for deck in world.table().decks.values() if not deck.has(DeckMark.REMOVED)]


@pytest.mark.parametrize("game", PENNSYLVANIA)
def test_decks_are_changed_when_their_time_is_over_and_the_game_goes_on(game: str) -> None:
    world = world_of(game)
    for days in range(1, 4):
        rounds, decks = world.table().rounds, held(world)
        world.run(lambda done=rounds: world.table().rounds > done)  # type: ignore[misc]
        if days > 1:
            assert not set(decks) & set(held(world)), "yesterday's decks are gone"
        world.now += 24 * HOUR
    assert not world.refusals and world.verified().total == 0


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: "-".join(map(str, layout.values())))
def test_whichever_way_a_table_is_dealt_its_decks_and_dice_are_changed(layout: Mapping[str, Any]) -> None:
    world = world_of("pa-659a", {**layout, "table.start_methods": ["shaker"]})
    world.run(lambda: world.table().rounds >= 1)
    dice = world.table().dice_since
    world.now += 25 * HOUR
    world.run(lambda: world.table().rounds >= 3)
    assert world.table().dice_since != dice and len(held(world)) == layout["table.decks"]
    assert not world.refusals and world.verified().total == 0


def test_a_deck_that_comes_of_age_while_bets_lie_is_changed_before_they_are_closed() -> None:
    """Nothing happens at the table meanwhile: only the clock goes on."""
    world = world_of("pa-575")
    person = Person(world)
    world.run(lambda: HERE in world.table().round.hands, person.act)
    deck = world.table().in_play or next(iter(world.table().decks.values()))
    world.now = deck.received + 8 * HOUR
    world.driver.note_seen(PAT.id, world.now)
    world.run(lambda: world.table().rounds >= 1, person.act)
    assert deck.name not in held(world)
    removed = [one for one in world.done if one[2] == "remove_deck"]
    assert len(removed) == 1
    last = world.table().last
    assert last is not None and HERE in last.hands, "the bets stay"


def _looked_over(world: World) -> bool:
    """Whether the decks at a table have been looked over by who came first, where the law has that."""
    decks = world.table().decks.values()
    return bool(decks) and all(deck.has(DeckMark.VIEWED) for deck in decks)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("vacated", [False, True], ids=["never used", "left"])
def test_whoever_comes_to_an_idle_table_can_sit_down_and_play(game: str, vacated: bool) -> None:
    """Where nobody plays the cards are spread after a while, and made ready again for who comes first."""
    world = world_of(game, plan=TablePlan(rulings=True))
    visitor = Actor("Vera", Role.PLAYER)
    if game != "ca-fpgp":
        world.say(visitor, Sit(HERE))  # who comes first may look the cards over
    world.run(lambda: world.table().phase in (Phase.BETTING, Phase.OPENING) and _looked_over(world))
    if game != "ca-fpgp":
        world.say(visitor, Leave(HERE))
    world.run(lambda: world.table().phase is Phase.BETTING)
    if vacated:
        world.say(PAT, Sit(HERE))
        world.say(PAT, Leave(HERE))
    assert not world.driver.due(world.now), "nothing is to be done yet"
    world.now += 2 * HOUR
    while world.step():
        pass
    world.say(PAT, Sit(HERE))
    person = Person(world, sat=True)
    if game == "ca-fpgp":
        world.run(lambda: world.table().phase is Phase.BETTING, person.act)  # nobody plays alone there
    else:
        world.run(lambda: world.table().rounds >= 1, person.act)
    assert not world.refusals
