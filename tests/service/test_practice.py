"""Practice: play money in no books, choices undone in the same stream, and a table for whoever wants one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest
from msgspec import structs
from starlette.testclient import TestClient

from houseway.chips import ChipCommand, chips_of
from houseway.chips.actions import BringChips
from houseway.errors import IllegalError, UnknownNameError
from houseway.floor import house
from houseway.floor.audit import RefoldError
from houseway.floor.bodies import entries_after, read_body
from houseway.floor.round_search import find_round
from houseway.floor.setup_events import SetupEvent, TableMade
from houseway.floor.streams import table_stream
from houseway.floor.table_events import Undone
from houseway.games import example_submission
from houseway.money import cents
from houseway.rounds.houseway import house_setting
from houseway.rounds.replay import verify_replay
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, Phase
from houseway.rounds.step import Actor, Proposal
from houseway.rounds.steps.hand import SetHand
from houseway.rounds.steps.players import Leave, Sit
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.runtime import BusyError
from houseway.service import practice_tables
from houseway.service.api.auth import COOKIE
from houseway.service.practice_rules import actor_at, practice_plan, practice_players, undo_choice
from houseway.service.table_plans import TablePlan
from houseway.store.protocol import Batch
from tests.floor.support import FLO, in_effect, make_table, new_floor
from tests.service.driving import GAMES, HERE, PAT, Person
from tests.service.practising import GUEST, PracticeWorld, practice_world, seated, to_setting
from tests.service.support import Person as Browser
from tests.service.support import served, step_of
from tests.store.practising import new_storage
from tests.store.support import KINDS, new_store

BRINGER = Actor("automatic dealer", Role.DEALER)
ZOE = Actor("Zoe", Role.PLAYER)
PLAY_MONEY = cents("$1,000")
SETTLING_IN, UNTOUCHED, ENDED = timedelta(minutes=1), timedelta(hours=1), timedelta(hours=24)
"""As the manual says them."""


def take_back(world: PracticeWorld, by: Actor = PAT) -> None:
    """Undo the last choice at the table."""
    undo_choice(world.floor, world.name, by, practice_plan(practice_players(world.name)))


def set_the_house_way(world: PracticeWorld) -> None:
    cards = world.table().round.hands[HERE].cards
    world.say(PAT, SetHand(HERE, house_setting(world.running().rules, cards)))


# --- play money ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_practice_table_plays_with_play_money_under_rules_of_the_licensed_floor(game: str) -> None:
    world = practice_world(game)
    before = world.store.heads()
    world.run(lambda: world.table().rounds >= 2, Person(world).act)
    ben = practice_players(world.name)[2].id
    assert {ben, "Pat"} >= set(world.running().tray.people)
    assert not [one for one in world.refusals if one.command.action.step != "wager"]
    found = world.verified()
    assert (found.rounds, found.total) == (0, 0), "play money is in no books"
    assert world.store.heads() == before, "the licensed log is as it was"


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
        ("x", {"meter": world.name}),
    ):
        with pytest.raises(IllegalError):
            make(name, **more)
    assert floor.house.meters.keys() == {world.name}


def test_house_players_practise_with_somebody_and_never_alone() -> None:
    world = practice_world("pa-575")
    while world.step():
        pass
    assert world.table().phase is Phase.BETTING and not world.table().round.hands
    world.run(lambda: world.table().rounds >= 1, Person(world).act)


def test_nobody_is_hurried_at_a_practice_table() -> None:
    world = seated(practice_world("pa-575"))
    world.run(lambda: bool(world.table().round.active()))
    began = next(at for at, _, step in reversed(world.done) if step == "wager")
    assert began - timedelta(seconds=1) <= world.now <= began
    driver, seconds = world.driver, timedelta(seconds=1)
    assert driver.waits_until(world.name, PAT.id, world.now) == began + 900 * seconds
    person = Person(world, sat=True)
    world.run(lambda: world.table().phase is Phase.SETTING, person.act)
    driver.note_seen(PAT.id, world.now)
    asked = world.now
    assert driver.waits_until(world.name, PAT.id, asked) == asked + 180 * seconds, "if they are not seen"
    driver.note_seen(PAT.id, asked + 1700 * seconds)
    assert driver.waits_until(world.name, PAT.id, asked) == asked + 1800 * seconds


def test_an_answer_at_a_practice_table_may_take_five_minutes() -> None:
    world = seated(practice_world("ca-fpgp"))
    driver, minutes, decided = world.driver, timedelta(minutes=1), (Phase.BETTING, Phase.SETTING)

    def asked() -> bool:
        return (
            world.table().phase not in decided
            and driver.waits_until(world.name, PAT.id, world.now) is not None
        )

    world.run(asked, Person(world, sat=True).act)
    began = world.now
    driver.note_seen(PAT.id, began + 4 * minutes)
    assert driver.waits_until(world.name, PAT.id, began) == began + 5 * minutes


def runs(world: PracticeWorld) -> bool:
    """Whether automated people do anything at the table."""
    world.driver.next_at(world.now)
    return world.name in world.driver.plans


@pytest.mark.parametrize(("late", "run"), [(-1, True), (0, False), (1, False)])
def test_a_table_runs_for_an_hour_after_somebody_took_it_and_after_they_were_seen(
    late: int, run: bool
) -> None:
    world = practice_world("pa-575")
    began = world.now
    world.now = began + UNTOUCHED + timedelta(seconds=late)
    assert runs(world) is run
    world.driver.note_seen(PAT.id, began + timedelta(minutes=30))
    world.now = began + timedelta(minutes=30) + UNTOUCHED + timedelta(seconds=late)
    assert runs(world) is run
    world.driver.note_seen("somebody else", world.now)
    assert runs(world) is run


# --- undoing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_setting_is_undone_and_made_otherwise_with_the_same_cards(kind: str) -> None:
    with new_storage(kind) as storage:
        world = to_setting(seated(practice_world(storage=storage)))
        cards = world.table().round.hands[HERE].cards
        set_the_house_way(world)
        version, streams = world.running().head.version, set(world.floor.store.heads())
        take_back(world)
        assert world.running().head.version == version + 1, "what was done stays in its stream"
        assert set(world.floor.store.heads()) == streams, "it goes on in the same one"
        hand = world.table().round.hands[HERE]
        assert hand.cards == cards and hand.setting is None
        world.restart()
        world.floor.table(world.name)
        assert world.table().round.hands[HERE].cards == cards
        world.run(lambda: world.table().rounds >= 1, Person(world, sat=True).act)
        last = world.table().last
        assert last is not None and last.hands[HERE].cards == cards
        world.verified()
        world.run(lambda: world.table().rounds >= 2, Person(world, sat=True).act)
        for number in (1, 2):
            found = find_round(world.floor.store, world.name, number)
            assert found.record is not None and not found.faults
            assert bool(found.undone) is (number == 1)
            verify_replay(found.record)
        world.close()


def test_undoing_again_and_again_goes_back_and_what_was_undone_is_not_undone_twice() -> None:
    world = to_setting(seated(practice_world()))
    set_the_house_way(world)
    take_back(world)
    take_back(world)
    assert world.table().phase is Phase.BETTING and HERE not in world.table().round.hands
    assert chips_of(world.running().tray, PAT.id) == PLAY_MONEY
    with pytest.raises(IllegalError, match="no choice to undo"):
        take_back(world)
    world.run(lambda: world.table().rounds >= 1, Person(world, sat=True).act)
    take_back(world)
    assert world.table().phase is Phase.SETTING, "the round that was over is set anew"
    world.run(lambda: world.table().rounds >= 2, Person(world, sat=True).act)
    take_back(world)
    take_back(world)
    with pytest.raises(IllegalError, match="no longer kept"):
        take_back(world)
    world.verified()


def test_so_far_back_nothing_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    world = to_setting(seated(practice_world()))
    behind = world.running().head.version
    for name in ("houseway.service.practice_rules.UNDO_WITHIN", "houseway.floor.undo.UNDO_WITHIN"):
        monkeypatch.setattr(name, 3)
    with pytest.raises(IllegalError, match="too far back"):
        take_back(world)
    with pytest.raises(IllegalError, match="too far back"):
        world.floor.undo(world.name, behind - 4, PAT)
    assert world.running().head.version == behind


def test_a_table_that_is_undone_all_the_time_is_written_down_as_often_as_any_other() -> None:
    world = seated(practice_world("pa-575"))
    while world.running().head.version < 420:
        world.say(PAT, PlaceWagers(HERE, {"main": cents("$10")}))
        take_back(world)
    stream = world.running().stream
    assert world.floor.store.snapshots([stream])[stream].version == 400
    world.verified()
    before = world.table()
    world.restart()
    assert world.floor.table(world.name).table == before


def test_only_who_plays_alone_at_a_practice_table_undoes() -> None:
    world = seated(practice_world())
    world.say(PAT, PlaceWagers(HERE, {"main": cents("$10")}))
    with pytest.raises(IllegalError, match="player at the table"):
        take_back(world, ZOE)
    with pytest.raises(IllegalError, match="player at the table"):
        take_back(world, Actor("Pat", Role.DEALER))
    world.say(ZOE, Sit(3))
    with pytest.raises(IllegalError, match="another person"):
        take_back(world)
    world.say(ZOE, Leave(3))
    take_back(world)


def test_nothing_is_undone_at_a_licensed_table() -> None:
    floor = new_floor(practice_world().store)
    make_table(floor, "t1", example_submission("pa-659a"))
    for attempt in (
        lambda: undo_choice(floor, "t1", PAT, TablePlan()),
        lambda: floor.undo("t1", 0, PAT),
        lambda: undo_choice(floor, "nowhere", PAT, TablePlan()),
    ):
        with pytest.raises(IllegalError):
            attempt()  # type: ignore[no-untyped-call]


def test_a_state_that_the_table_never_had_is_found() -> None:
    world = seated(practice_world())
    running = world.running()
    for state in ({"state": running.state(), "hash": "00" * 32}, {"state": running.state()}):
        forged = Undone(**{"version": 3, "hash": _hash_at(world, 3), "by": PAT, "at": world.now, **state})  # type: ignore[arg-type]
        store = world.floor.store
        store.append_batch(Batch(entries=entries_after(running.stream, running.head, [forged])))
        with pytest.raises(RefoldError, match="never had"):
            world.verified()
        world.floor.catch_up([world.name])
        running = world.running()


def _hash_at(world: PracticeWorld, version: int) -> str:
    (entry,) = [one for one in world.floor.store.tails({world.running().stream: 2}) if one.version == version]
    return entry.hash.hex()


# --- a table for whoever wants one --------------------------------------------------------------------


def test_everybody_gets_a_practice_table_of_their_own_and_a_free_one_is_used_again() -> None:
    world = PracticeWorld(plans={}, game="pa-575").take(GUEST)
    tables, first = world.practice.tables, world.name
    world.run(lambda: world.table().phase is Phase.BETTING)
    assert tables.take("pa-575", Actor("guest-2", Role.GUEST)) != first, "who took it may yet sit down"
    guest = actor_at(world.floor.house, first, GUEST)
    world.say(guest, Sit(HERE))
    assert tables.take("pa-575", GUEST) == first
    world.now += SETTLING_IN
    third = tables.take("pa-575", Actor("guest-3", Role.GUEST))
    assert third not in (first, *tables.tables_of("guest-2"))
    world.say(guest, Leave(HERE))
    world.now += SETTLING_IN
    assert tables.take("pa-575", Actor("guest-4", Role.GUEST)) == first
    assert tables.tables_of("guest-4") == [first] and tables.tables_of(GUEST.id) == []
    with pytest.raises(UnknownNameError):
        tables.take("pa-670a", GUEST)


def test_rules_that_are_not_in_effect_yet_are_not_practised() -> None:
    world = PracticeWorld(plans={}, game="pa-575")
    later = example_submission("pa-575").model_copy(update={"reference": "later"})
    floor = world.licensed
    eva, max_ = Actor("Eva", Role.MANAGER), Actor("Max", Role.MANAGER)
    floor.set_up(lambda found, now: [house.file_submission(found, later, max_, now)])
    name = next(rules for rules, filed in floor.house.filed.items() if filed.submission == later)
    tomorrow = world.now + timedelta(days=1)
    floor.set_up(lambda found, now: [house.approve_submission(found, name, eva, now, tomorrow)])
    assert world.take().running().rules.submission.reference != "later"
    first, world.now = world.name, tomorrow
    assert world.take().running().rules.submission.reference == "later" and world.name != first


def test_a_table_that_nobody_has_touched_for_an_hour_is_free_or_forgotten() -> None:
    world = seated(PracticeWorld(plans={}).take())
    first = world.name
    world.now += UNTOUCHED - timedelta(minutes=1)
    assert world.practice.tables.take(world.game, ZOE) != first, "somebody sits there"
    world.now += UNTOUCHED
    world.practice.tables.touch(first)
    world.practice.tables.take(world.game, Actor("Eve", Role.PLAYER))
    assert first in world.floor.house.tables, "somebody looks at it"
    world.now += UNTOUCHED
    world.practice.tables.take(world.game, Actor("Dan", Role.PLAYER))
    assert first not in world.floor.house.tables
    assert not [name for name in world.floor.store.heads() if first in name], "its streams are deleted"
    assert first not in world.practice.tables.take(world.game, PAT)
    world.verified()


def test_who_plays_on_another_server_or_before_a_restart_keeps_their_table() -> None:
    world = seated(PracticeWorld(plans={}).take())
    world.now += timedelta(hours=2)
    world.say(PAT, PlaceWagers(HERE, {"main": cents("$10")}))
    world.restart()
    first = world.name
    assert world.practice.tables.take(world.game, ZOE) != first
    assert world.practice.tables.take(world.game, PAT) == first


def test_a_table_of_a_long_stream_is_forgotten_when_somebody_else_would_take_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(practice_tables, "LONG", 3)
    world = PracticeWorld(plans={}).take()
    world.run(lambda: world.table().phase is Phase.BETTING)
    first = world.name
    assert world.practice.tables.take(world.game, PAT) == first, "it stays whose it is"
    world.now += 2 * SETTLING_IN
    assert world.practice.tables.take(world.game, ZOE) != first
    assert first not in world.floor.house.tables and table_stream(first) not in world.floor.store.heads()


def test_tables_of_yesterday_are_no_more_when_the_next_is_made() -> None:
    world = seated(PracticeWorld(plans={}).take())
    in_effect(world.licensed, example_submission("pa-575"))
    world.now += ENDED - timedelta(minutes=1)
    world.practice.tables.take("pa-575", ZOE)
    assert world.name in world.floor.house.tables
    world.now += timedelta(minutes=1)
    world.practice.tables.take("pa-575", GUEST)
    assert world.name not in world.floor.house.tables
    world.verified()


@pytest.mark.parametrize(("late", "free"), [(-1, False), (0, True), (1, True)])
@pytest.mark.parametrize("sits", [False, True])
def test_a_table_is_somebodys_for_a_minute_and_for_an_hour_if_they_sit(
    sits: bool, late: int, free: bool
) -> None:
    world = PracticeWorld(plans={}).take()
    first = world.name
    if sits:
        world.run(lambda: world.table().phase is Phase.BETTING)
        world.say(PAT, Sit(HERE))
    else:
        world.practice.tables.touch(first)
    world.now += (UNTOUCHED if sits else SETTLING_IN) + timedelta(seconds=late)
    second = world.practice.tables.take(world.game, ZOE)
    if sits:  # it is handed on to nobody: who sits there is gone
        assert (first not in world.floor.house.tables) is free and second != first
    else:
        assert (second == first) is free


@pytest.mark.parametrize(("late", "there"), [(-1, True), (0, False), (1, False)])
def test_a_table_that_nobody_touches_is_no_more_after_a_day(late: int, there: bool) -> None:
    world = PracticeWorld(plans={}).take()
    in_effect(world.licensed, example_submission("pa-575"))
    world.now += ENDED + timedelta(seconds=late)
    world.practice.tables.take("pa-575", ZOE)
    assert (world.name in world.floor.house.tables) is there


@pytest.mark.parametrize(("length", "handed_on"), [(1_999, True), (2_000, True), (2_001, False)])
def test_a_table_of_two_thousand_entries_is_handed_on_and_a_longer_one_is_not(
    length: int, handed_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = PracticeWorld(plans={}).take()
    first, running = world.name, world.running()
    long = replace(running, head=structs.replace(running.head, version=length))
    monkeypatch.setattr(world.practice.tables, "_open", lambda _: long)
    world.now += SETTLING_IN
    assert (world.practice.tables.take(world.game, ZOE) == first) is handed_on


@pytest.mark.parametrize(("number", "room"), [(498, True), (499, True), (500, False)])
def test_five_hundred_practise_at_once(number: int, room: bool) -> None:
    world = PracticeWorld(plans={}).take()
    floor, others = world.floor, [f"practice-x-{place}" for place in range(number - 1)]
    floor.house = structs.replace(
        floor.house,
        tables={**floor.house.tables, **dict.fromkeys(others, floor.house.tables[world.name])},
        taken={**floor.house.taken, **dict.fromkeys(others, floor.house.taken[world.name])},
    )
    if room:
        assert world.practice.tables.take(world.game, ZOE) not in (world.name, *others)
        return
    with pytest.raises(BusyError, match="tables are in use"):
        world.practice.tables.take(world.game, ZOE)


def test_a_table_that_another_server_has_given_away_meanwhile_is_given_to_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = PracticeWorld(plans={}).take()
    first, tables, set_up = world.name, world.practice.tables, world.floor.set_up
    world.now += SETTLING_IN

    def beaten(decide: Callable[[house.House, datetime], Iterable[SetupEvent]]) -> None:
        monkeypatch.undo()
        set_up(lambda found, now: [house.take_table(found, first, GUEST, now)])
        set_up(decide)

    monkeypatch.setattr(world.floor, "set_up", beaten)
    assert tables.take(world.game, ZOE) != first
    assert tables.tables_of(GUEST.id) == [first] and re.fullmatch("practice-pa-659a-[0-9a-f]{10}", first)


def test_a_table_that_cannot_be_opened_is_replaced() -> None:
    world = seated(PracticeWorld(plans={}).take())
    running = world.running()
    (entry,) = entries_after(running.stream, running.head, [read_body(next(iter(_made(world))))])
    world.floor.store.append_batch(Batch(entries=[entry]))
    world.restart()
    assert world.practice.tables.take(world.game, PAT) != world.name


def _made(world: PracticeWorld):  # type: ignore[no-untyped-def]
    return (one for one in world.floor.store.tails({"floor": 0}) if isinstance(read_body(one), TableMade))


def test_beyond_the_most_tables_somebody_is_asked_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice_tables, "MOST_TABLES", 2)
    world = PracticeWorld(plans={})
    with served(world.licensed, practice=world.practice) as (client, _):
        answers = [
            Browser(client, "", Role.GUEST).send("POST", "/api/v1/practice", {"game": world.game})
            for _ in range(3)
        ]
        assert [one.status_code for one in answers] == [200, 200, 503]
        assert answers[2].headers["retry-after"] == "1"
        world.now += UNTOUCHED
        again = Browser(client, "", Role.GUEST).send("POST", "/api/v1/practice", {"game": world.game})
        assert again.status_code == 200, "an hour later there is room"


def test_a_guest_plays_at_a_practice_table_and_nowhere_else() -> None:
    world = practice_world()
    assert actor_at(world.floor.house, world.name, GUEST).role is Role.PLAYER
    assert actor_at(world.floor.house, "no-such-table", GUEST) is GUEST
    make_table(world.licensed, "t9", example_submission("pa-575"))
    assert actor_at(world.licensed.house, "t9", GUEST) is GUEST
    assert actor_at(world.floor.house, world.name, FLO) is FLO


# --- over HTTP ----------------------------------------------------------------------------------------


def practise(client: TestClient, game: str = "pa-659a") -> tuple[Browser, str]:
    """Return a guest and the practice table that they are given."""
    guest = Browser(client, "", Role.GUEST)
    answer = guest.send("POST", "/api/v1/practice", {"game": game})
    assert answer.status_code == 200, answer.text
    return guest, answer.json()["table"]


def test_guests_play_and_undo_over_http() -> None:
    world = PracticeWorld(plans={})
    with served(world.licensed, practice=world.practice) as (client, _):
        guest, world.name = practise(client)
        other, another = practise(client)
        assert another != world.name
        assert other.look(another)["view"]["phase"] == "betting", "a new one is ready at once"
        assert guest.do(world.name, {"step": "sit", "position": HERE}).status_code == 200
        path = f"/api/v1/tables/{world.name}"
        given = {"step": "bring_chips", "person": guest.name, "amount": 100_000}
        chips = guest.send("POST", f"{path}/chips", {"id": "g", "action": given})
        assert chips.status_code == 409, "play money is the house's to give"
        count = {"id": "o", "action": {"step": "count_opener", "chips": {}}}
        opener = Browser(client, "Deb", Role.DEALER).send("POST", f"{path}/chips", count)
        assert opener.status_code == 409 and "two people" in opener.text
        bring = ChipCommand(id="bring", by=BRINGER, action=BringChips(guest.name, PLAY_MONEY))
        client.portal.call(world.practice.loop.command, world.name, bring)  # type: ignore[union-attr]
        assert guest.look(world.name)["chips"] == PLAY_MONEY
        wager = {"step": "wager", "position": HERE, "wagers": {"main": 500}}
        assert guest.do(world.name, wager).status_code == 200
        assert guest.look(world.name)["chips"] == PLAY_MONEY - 500
        cookie = {"cookie": f"{COOKIE}={guest.cookies[COOKIE]}"}
        with client.websocket_connect(f"{path}/live", headers=cookie) as live:
            live.receive_json()
            assert guest.send("POST", f"{path}/undo").json() == {"table": world.name}
            assert live.receive_json()["chips"] == PLAY_MONEY, "who watches is shown it"
        assert guest.look(world.name)["view"]["id"] == world.name
        (row,) = guest.send("GET", "/api/v1/tables").json()
        assert row["table"] == world.name and row["practice"] and HERE in row["seated"]
        assert other.send("GET", f"{path}/rules").json()["practice"]


def test_guests_add_nothing_to_the_licensed_log_however_much_they_play_and_undo() -> None:
    with new_store("sqlite") as store, new_storage("sqlite") as storage:
        world = PracticeWorld(plans={}, store=store, storage=storage, game="pa-575")
        make_table(world.licensed, "t1", example_submission("pa-575"))
        before = store.heads()
        with served(world.licensed, practice=world.practice) as (client, _):
            guest, world.name = practise(client, "pa-575")
            assert guest.do(world.name, {"step": "sit", "position": HERE}).status_code == 200
            world.go_on_served(client, lambda: guest.look(world.name)["chips"] == PLAY_MONEY)
            streams = set(world.floor.store.heads())
            wager = {"step": "wager", "position": HERE, "wagers": {"main": 500}}
            for _ in range(300):
                assert guest.do(world.name, wager).status_code == 200
                assert guest.send("POST", f"/api/v1/tables/{world.name}/undo").status_code == 200
            player = Actor(guest.name, Role.PLAYER, "Guest")
            for number in range(1, 101):
                world.driver.note_seen(guest.name, world.now)
                assert guest.do(world.name, wager).status_code == 200
                world.driver.note_ready(world.name, player.id)
                world.go_on_served(client, lambda: _to_decide(world))
                assert guest.do(world.name, {"step": "look", "position": HERE}).status_code == 200
                assert guest.do(world.name, _house_way(world, player)).status_code == 200
                world.go_on_served(client, partial(_has_played, world, number))
        assert store.heads() == before
        assert set(world.floor.store.heads()) == streams, "no stream comes with an undo"
        world.verified()
        world.close()


def _has_played(world: PracticeWorld, rounds: int) -> bool:
    return world.table().rounds == rounds and world.table().phase is Phase.BETTING


def _to_decide(world: PracticeWorld) -> bool:
    """Whether the person at the table has cards to look at."""
    return world.table().phase is Phase.SETTING


def _house_way(world: PracticeWorld, by: Actor) -> dict[str, object]:
    """Return the hand set the house way, as a client sends it."""
    cards = world.table().round.hands[HERE].cards
    return step_of(Proposal(by, SetHand(HERE, house_setting(world.running().rules, cards))))
