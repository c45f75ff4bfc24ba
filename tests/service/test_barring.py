"""Who has excluded themselves, or is in a time-out, plays no more: nor is anything put up for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houseway.chips import ChipCommand
from houseway.chips.actions import BringChips, BuyIn, CashOut, ChipAction, CountOpener
from houseway.floor.batches import Answer
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.exclusion_rule import seats_to_leave
from houseway.games import example_submission
from houseway.money import Cents
from houseway.rounds.action import Action
from houseway.rounds.choices import Ruling
from houseway.rounds.options import options
from houseway.rounds.record import Turn
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor, AnEvent
from houseway.rounds.steps.bank import AcceptBank, DeclineBank, OfferBank, PutUp
from houseway.rounds.steps.bet_behind import BetBehind
from houseway.rounds.steps.dealers import LogOn
from houseway.rounds.steps.double_down import DoubleDown
from houseway.rounds.steps.players import Leave, RuleAbandoned, Sit
from houseway.rounds.steps.ruling import RuleRound
from houseway.rounds.steps.wagers import CorrectWagers, PlaceWagers
from houseway.service.api.auth import COOKIE
from houseway.store.memory import MemoryStore
from tests.chips.support import FLOAT
from tests.floor.support import FLO, command, make_table, new_floor, next_move, say, seat_two
from tests.service.doors import Guarded, Visitor, guarded
from tests.service.driving import GAMES, HERE, Person, new_world

API = "/api/v1"
ANN, DAN = Actor("Ann", Role.PLAYER), Actor("Dan", Role.PLAYER)
DEALER = Actor("a-dealer", Role.DEALER)
MAIN = {"main": Cents(100_00)}


def bar(floor: Floor, *people: str) -> None:
    """Bar people from play from now on."""
    floor.barred = lambda person, _: "is not to play any more" if person in people else None


def betting(game: str = "pa-659a") -> Floor:
    """Return a floor with a table where Ann and Dan sit and bets are open."""
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission(game), chips=False)
    say(floor, "t1", DEALER, LogOn("on file"))
    seat_two(floor, "t1")
    until(floor, lambda: floor.table("t1").table.phase is Phase.BETTING)
    return floor


def until(floor: Floor, wanted: Callable[[], bool]) -> None:
    for _ in range(200):
        if wanted():
            return
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
    raise AssertionError("it never comes to that")


def ask(floor: Floor, by: Actor, action: Action, table: str = "t1") -> Answer:
    floor.submit(table, command(by, action))
    (answer,) = floor.run()
    return answer


def is_barred(answer: Answer) -> bool:
    """Whether the house refuses it, and says by which rule."""
    return any("house rule on self-exclusion" in problem.reason for problem in answer.refused)


# --- on a floor ---------------------------------------------------------------------------------------


def test_a_dealer_enters_no_wager_for_who_is_barred_and_the_others_play_on() -> None:
    floor = betting()
    bar(floor, "Ann")
    for by in (DEALER, ANN):
        answer = ask(floor, by, PlaceWagers(2, MAIN))
        assert is_barred(answer), answer
        assert answer.refused[0].value == "Ann"
    assert ask(floor, DEALER, PlaceWagers(5, MAIN)).done
    assert is_barred(ask(floor, ANN, BetBehind(5, MAIN)))
    assert not is_barred(ask(floor, DAN, BetBehind(5, MAIN)))
    assert set(floor.table("t1").table.round.hands) == {5}


def test_who_is_barred_takes_no_seat_but_leaves_the_one_they_have() -> None:
    floor = betting()
    bar(floor, "Ann")
    assert is_barred(ask(floor, ANN, Sit(3)))
    assert ask(floor, ANN, Leave(2)).done
    assert is_barred(ask(floor, ANN, Sit(2)))
    assert 2 not in floor.table("t1").table.seats


def test_what_lies_there_is_left_or_taken_back_and_never_more() -> None:
    floor = betting()
    say(floor, "t1", DEALER, PlaceWagers(2, MAIN))
    bar(floor, "Ann")
    assert is_barred(ask(floor, DEALER, CorrectWagers(2, {"main": Cents(150_00)}, "a chip was hidden")))
    assert is_barred(ask(floor, ANN, PlaceWagers(2, {**MAIN, "progressive": Cents(5_00)})))
    assert ask(floor, DEALER, CorrectWagers(2, {"main": Cents(50_00)}, "a chip too many")).done
    assert ask(floor, ANN, PlaceWagers(2, {"main": Cents(0)})).done
    assert not floor.table("t1").table.round.hands


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_already_in_play_is_played_out(game: str) -> None:
    floor = betting(game)
    until(floor, lambda: floor.table("t1").table.phase is Phase.SETTING)
    bar(floor, "Ann", "Dan")
    rounds = floor.table("t1").table.rounds
    until(floor, lambda: floor.table("t1").table.rounds > rounds)


def test_nobody_doubles_down_for_who_is_barred() -> None:
    floor = betting("pa-670a")
    until(floor, lambda: floor.table("t1").table.phase is Phase.SETTING)
    bar(floor, "Ann")
    for by in (DEALER, ANN):
        assert is_barred(ask(floor, by, DoubleDown(2)))
    assert not is_barred(ask(floor, DAN, DoubleDown(5)))


def test_who_is_barred_takes_no_bank_and_may_decline_it() -> None:
    floor = betting("ca-fpgp")
    bar(floor, "Ann", "Dan")
    offered = floor.table("t1").table.banking.offering
    if offered is None:
        say(floor, "t1", DEALER, OfferBank(2))
        offered = 2
    who = Actor(floor.table("t1").table.seats[offered].person, Role.PLAYER)
    assert is_barred(ask(floor, who, AcceptBank(offered)))
    assert is_barred(ask(floor, who, PutUp(offered, Cents(200_00))))
    assert ask(floor, who, DeclineBank(offered)).done


def test_who_is_barred_buys_no_chips_and_is_paid_for_those_they_have() -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission("pa-659a"), chips=True)

    def chips(action: ChipAction, second: Actor | None = None) -> Answer:
        floor.submit(
            "t1",
            ChipCommand(
                id=f"c-{floor.table('t1').head.version}-{action.step}",
                by=DEALER,
                second=second,
                action=action,
            ),
        )
        (answer,) = floor.run()
        return answer

    assert chips(CountOpener(FLOAT), FLO).done and chips(BringChips("Ann", Cents(50_00))).done
    bar(floor, "Ann")
    assert is_barred(chips(BringChips("Ann", Cents(60_00))))
    assert is_barred(chips(BuyIn("Ann", Cents(100_00), {2500: 4})))
    assert chips(CashOut("Ann", Cents(50_00))).done


def test_nothing_is_barred_once_the_time_out_is_over() -> None:
    floor = betting()
    ends = floor.clock()
    floor.barred = lambda person, now: "is not to play for a while" if now < ends else None
    assert ask(floor, DEALER, PlaceWagers(2, MAIN)).done


# --- who gets up, and who records it -------------------------------------------------------------------

MAY_PLAY = "Ann may play, and gets up by themselves"


@pytest.mark.parametrize("by", [DEALER, FLO, Actor("Max", Role.MANAGER)])
@pytest.mark.parametrize("game", GAMES)
def test_that_somebody_barred_got_up_is_recorded_by_the_dealer_and_the_floor(game: str, by: Actor) -> None:
    floor = betting(game)
    before = floor.table("t1").head
    answer = ask(floor, by, Leave(2))
    assert [problem.reason.partition(": ")[2] for problem in answer.refused] == [MAY_PLAY]
    assert floor.table("t1").head == before
    bar(floor, "Ann")
    assert ask(floor, by, Leave(2)).done
    assert {seat.person for seat in floor.table("t1").table.seats.values()} == {"Dan"}
    assert ask(floor, by, Leave(2)).refused, "nobody sits there"
    (event,) = last_events(floor)
    assert (event.by, event.step, event.alerts) == (by, "leave", ())


def last_events(floor: Floor) -> tuple[AnEvent, ...]:
    """Return what came of the last command at the table."""
    *_, entry = floor.store.tails({"table/t1": 0})
    turn = read_body(entry)
    assert isinstance(turn, Turn)
    return turn.events


@pytest.mark.parametrize("role", sorted(set(Role) - {Role.DEALER, Role.FLOORPERSON, Role.MANAGER}))
def test_nobody_else_records_it(role: Role) -> None:
    floor = betting()
    bar(floor, "Ann")
    assert ask(floor, Actor("somebody", role), Leave(2)).refused
    assert ask(floor, Actor("another", Role.DEALER), Leave(2)).refused, "only the dealer at the table"


def test_their_wagers_go_back_to_them_when_they_get_up_before_the_round() -> None:
    floor = betting()
    say(floor, "t1", DEALER, PlaceWagers(2, MAIN))
    bar(floor, "Ann")
    assert ask(floor, DEALER, Leave(2)).done
    (event,) = last_events(floor)
    (stake,) = event.outcome.stakes
    assert str(stake).startswith("2 main: stake $100, pending:2/Ann/main to player:Ann")
    assert not floor.table("t1").table.round.hands


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_in_the_middle_of_a_round_the_floor_rules_on_their_hand_and_the_round_goes_on(game: str) -> None:
    floor = betting(game)
    until(floor, lambda: floor.table("t1").table.phase is Phase.SETTING)
    bar(floor, "Ann")
    rounds = floor.table("t1").table.rounds
    assert ask(floor, DEALER, Leave(2)).done
    event, *_ = last_events(floor)
    assert [problem.reason for problem in event.alerts] == [
        "a player with cards stays until the round ends: the floor is called"
    ]
    assert 2 in floor.table("t1").table.round.hands, "the hand stays"
    assert not seats_to_leave(floor.table("t1").table, floor.barred, floor.clock()), "they have got up"
    assert ask(floor, DEALER, Leave(2)).refused, "nobody gets up twice"
    say(floor, "t1", FLO, RuleAbandoned(2, lost=False, reason="excluded themselves"))
    until(floor, lambda: floor.table("t1").table.rounds > rounds)
    assert 2 not in floor.table("t1").table.seats


@pytest.mark.parametrize("game", ["wa-fap", "ca-fpgp"])
def test_where_the_law_is_silent_the_round_stops_until_the_floor_has_ruled(game: str) -> None:
    floor = betting(game)
    until(floor, lambda: floor.table("t1").table.phase is Phase.SETTING)
    play = floor.table("t1").table.round
    at = next(at for at in play.hands if at != play.bank_seat)
    bar(floor, floor.table("t1").table.seats[at].person)
    rounds = floor.table("t1").table.rounds
    assert ask(floor, FLO, Leave(at)).done
    assert floor.table("t1").table.round.stopped == f"the player at {at} left during the round"
    say(floor, "t1", FLO, RuleRound(Ruling.PLAY_ON, "excluded themselves"))
    until(floor, lambda: floor.table("t1").table.rounds > rounds)
    assert at not in floor.table("t1").table.seats


def test_no_table_offers_it_to_who_does_not_play() -> None:
    floor = betting()
    running, moment = floor.table("t1"), floor.moment("t1")
    for by, offered in ((DEALER, 0), (FLO, 0), (ANN, 1)):
        shown = [one.step for one in options(running.rules, running.table, by, moment)]
        assert shown.count("leave") == offered, by


# --- at tables that run by themselves -----------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_table_that_runs_by_itself_gets_them_up_when_the_round_is_over(game: str) -> None:
    world = new_world(game)
    person = Person(world)
    world.run(lambda: world.table().phase is Phase.SETTING and HERE in world.table().round.hands, person.act)
    bar(world.floor, "Pat")
    rounds, began = world.table().rounds, world.now
    world.run(lambda: world.table().rounds > rounds, person.act)
    world.run(lambda: HERE not in world.table().seats, lambda: world.driver.note_seen("Pat", world.now))
    assert world.table().rounds == rounds + 1, "no later round is begun with them"
    assert not world.refusals and world.verified().total == 0
    assert world.now > began


# --- over the network ---------------------------------------------------------------------------------


def shown(found: Guarded, role: Role) -> dict[str, Any]:
    told: dict[str, Any] = found.somebody(role).send("GET", f"{API}/tables/t1").json()
    return told


@pytest.mark.parametrize(
    ("path", "body"), [("exclusion", {}), ("time-out", {"until": "2027-01-01T00:00:00Z"})]
)
def test_an_exclusion_reaches_the_seat_at_once(path: str, body: dict[str, str]) -> None:
    with guarded(betting()) as found:
        dealer, ann = found.somebody(Role.DEALER), found.somebody(Role.PLAYER, "Ann")
        wager = {"step": "wager", "position": 2, "wagers": {"main": 100_00}}
        assert "to_get_up" not in shown(found, Role.DEALER)
        headers = {"cookie": f"{COOKIE}={dealer.token}"}
        with found.client.websocket_connect(f"{API}/tables/t1/live", headers=headers) as socket:
            assert "to_get_up" not in socket.receive_json()
            assert ann.send("POST", f"{API}/me/{path}", body).status_code == 200
            (up,) = socket.receive_json()["to_get_up"]
        assert (up["position"], up["person"]) == (2, "Ann") and "house rule" in up["reason"]
        assert _sent(dealer, {**wager, "position": 5}).status_code == 200
        answer = _sent(dealer, wager)
        assert answer.status_code == 409, answer.text
        (problem,) = answer.json()["problems"]
        assert "house rule on self-exclusion and time-outs: Ann is not to play" in problem["reason"]
        for role in (Role.DEALER, Role.FLOORPERSON, Role.MANAGER):
            assert shown(found, role)["to_get_up"] == [up]
        for role in (Role.PLAYER, Role.SURVEILLANCE, Role.GUEST, Role.DISPLAY):
            assert "to_get_up" not in shown(found, role)
        rows = found.somebody(Role.FLOORPERSON).send("GET", f"{API}/waiting").json()["tables"]
        assert rows[0]["to_get_up"] == [up]
        assert _sent(dealer, {"step": "leave", "position": 5}).status_code == 409, "Dan may play"
        assert _sent(dealer, {"step": "leave", "position": 2}).status_code == 200
        assert "to_get_up" not in shown(found, Role.DEALER)
        assert _sent(ann, {"step": "leave", "position": 2}).status_code == 401, "they are signed out"


def _sent(who: Visitor, action: dict[str, Any]) -> Any:
    body = {"id": f"c-{action['step']}-{action['position']}", "action": action}
    return who.send("POST", f"{API}/tables/t1/commands", body)
