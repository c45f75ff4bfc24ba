"""What California leaves unsaid: the round stops until the floor has ruled, and the ruling is on record."""

from __future__ import annotations

import pytest

from houseway.cards import parse_setting
from houseway.ledger import COLLECTIONS
from houseway.rounds.state import Phase, Round
from houseway.rounds.step import Proposal
from tests.games.support import Changes
from tests.rounds.california import (
    BANKER,
    LOSES,
    MANUAL,
    WINS,
    Cardroom,
    banked,
    moved,
    on_schedule,
    person,
    results,
    somebody,
)
from tests.rounds.commands import details_of
from tests.rounds.pennsylvania import house_way
from tests.rounds.play.california_watch import check_record
from tests.rounds.table import DEALER, FLOOR

TWO_BETS = {2: {"main": "$20"}, 4: {"main": "$30", "fortune": "$10"}}
HANDS = {2: WINS[0], 4: LOSES[0]}
NOTHING_WON = {"Bob": "$0", "Dan": "$0", "Finn": "$0"}
REFUND = on_schedule(40, ca_fee_without_action="refund")
SEVEN_EACH = dict.fromkeys(range(1, 8), 7)


def at_table(where: str, changes: Changes | None = None) -> Cardroom:
    """Return a table that has come so far in a round."""
    room = banked("$200", TWO_BETS, changes)
    if where == "bets closed":
        room.do("no_more_bets")
        return room
    room.closed()
    if where == "fees taken":
        return room
    room.diced()
    room.arranged({6: BANKER} | HANDS)
    if where == "diced":
        return room
    if where == "dealing":
        room.do("deal", cards=10)
        return room
    room.play_on(Phase.SETTING)
    if where == "setting":
        return room
    room.set_all(HANDS)
    room.play_on(Phase.SETTLING)
    if where == "settling":
        room.do("reveal", at=2)
        room.do("settle", at=2, wager="main")
    if where == "all settled":
        room.play_on(without=["close_round"])
    return room


def ruled(room: Cardroom, ruling: str) -> list[str]:
    """Let the floor rule; return what followed."""
    return [e.step for e in room.do("rule_round", FLOOR, ruling=ruling, reason="seen on camera")]


def void(room: Cardroom) -> Round:
    """Let the floor void the round; the record of it must replay."""
    assert ruled(room, "void") == ["rule_round", "void_round"]
    assert room.state.phase is Phase.BETTING and room.live.table.last is not None
    check_record(room.live, whole_text=False)
    return room.live.table.last


STOPPED = ["diced", "dealing", "setting", "settling", "all settled"]


@pytest.mark.parametrize("where", STOPPED)
def test_while_a_round_is_stopped_nothing_else_goes_on(where: str) -> None:
    room = at_table(where)
    before = suggested(room)
    assert before
    room.refused("stop_round", DEALER, reason=" ")
    room.do("stop_round", DEALER, reason="cards fell to the floor")
    for command in before:
        assert any(
            "stopped" in p.reason
            for p in room.problems(command.step, command.by, command.position, **details_of(command.action))
        )
    assert not suggested(room)
    for by in (DEALER, person(6)):
        room.refused("rule_round", by, ruling="void", reason="no floor")
    room.refused("rule_round", FLOOR, ruling="redeal", reason="no such ruling")
    room.refused("rule_round", FLOOR, ruling="void", reason="")
    assert ruled(room, "play on") == ["rule_round"]
    assert suggested(room) == before
    room.refused("rule_round", FLOOR, ruling="play on", reason="again")
    assert results(room.finished())["Bob"] == "$20"


def suggested(room: Cardroom) -> list[Proposal]:
    """Return what may be done next."""
    return list(room.live.moves())


@pytest.mark.parametrize("where", STOPPED)
@pytest.mark.parametrize("changes", [{}, REFUND], ids=["no refund", "refund"])
def test_a_void_round_gives_everything_back_but_the_fees(where: str, changes: Changes) -> None:
    room = at_table(where, changes or None)
    room.do("stop_round", FLOOR, reason="a card is missing")
    this_round = void(room)
    assert results(this_round) == NOTHING_WON
    assert this_round.void is not None and "seen on camera" in this_round.void.reason
    kept = "$1.50" if not changes else "$0"
    assert moved(this_round.payments, COLLECTIONS) == kept
    assert not room.state.round.hands and room.state.in_play is None
    room.put_up(6, "$200").bets(2, main="$20").refused("no_more_bets")
    room.ready().do("no_more_bets")


def test_by_the_other_reading_a_void_round_gives_every_fee_back() -> None:
    room = at_table("setting", REFUND)
    room.do("stop_round", FLOOR, reason="a card is missing")
    assert moved(void(room).payments, COLLECTIONS) == "$0"


@pytest.mark.parametrize("changes", [{}, REFUND], ids=["no refund", "refund"])
@pytest.mark.parametrize("where", ["bets closed", "fees taken"])
def test_a_round_may_be_voided_before_the_dice(where: str, changes: Changes) -> None:
    room = at_table(where, changes or None)
    room.do("stop_round", FLOOR, reason="the deck has 52 cards")
    assert results(void(room)) == NOTHING_WON


# --- misdeals and exposed cards -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "counts", [SEVEN_EACH | {3: 6}, SEVEN_EACH | {6: 8}], ids=["an empty seat", "the bank"]
)
@pytest.mark.parametrize("ruling", ["void", "play on"])
def test_a_hand_of_another_number_of_cards_stops_the_round(counts: dict[int, int], ruling: str) -> None:
    room = at_table("setting")
    assert [e.step for e in room.do("count_hands", counts=SEVEN_EACH)] == ["count_hands"]
    assert [e.step for e in room.do("count_hands", counts=counts)] == ["count_hands", "stop_round"]
    room.refused("look", person(2), 2)
    if ruling == "void":
        assert results(void(room)) == NOTHING_WON
    else:
        ruled(room, "play on")
        room.set_all(HANDS)
        assert results(room.finished())["Bob"] == "$20"


@pytest.mark.parametrize(("where", "at"), [("dealing", 6), ("dealing", 7), ("setting", 2), ("setting", 6)])
def test_an_exposed_card_stops_the_round(where: str, at: int) -> None:
    room = at_table(where)
    assert [e.step for e in room.do("expose_card", at=at)] == ["expose_card", "stop_round"]
    assert f"at {at}" in (room.state.round.stopped or "")
    assert results(void(room)) == NOTHING_WON


def test_no_card_is_exposed_at_an_eighth_seat_or_where_none_lies_yet() -> None:
    for at in (8, 1, 2):
        at_table("dealing").refused("expose_card", at=at)


@pytest.mark.parametrize("changes", [{}, MANUAL], ids=["shuffler", "manual"])
def test_a_deal_begun_at_another_seat_stops_the_round(changes: Changes) -> None:
    room = at_table("diced", changes or None)
    room.do("deal", first_to=3)
    assert room.state.round.stopped


@pytest.mark.parametrize("left", [3, 5])
def test_a_wrong_remainder_may_be_voided(left: int) -> None:
    room = at_table("diced", MANUAL)
    room.do("deal")
    room.do("count_stub", left=left)
    assert results(void(room)) == NOTHING_WON


def test_a_wrong_remainder_may_be_played_on() -> None:
    room = at_table("diced", MANUAL)
    room.do("deal")
    room.do("count_stub", left=3)
    ruled(room, "play on")
    room.do("choose_pile", person(6), 6, pile=4)


# --- leaving ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", STOPPED[:-1])
def test_a_player_who_leaves_his_cards_stops_the_round(where: str) -> None:
    room = at_table(where)
    assert [e.step for e in room.do("leave", person(4), 4)] == ["leave", "stop_round"]
    assert "at 4 left" in (room.state.round.stopped or "")
    assert results(void(room)) == NOTHING_WON
    assert 4 not in room.state.seats and 2 in room.state.seats


def test_who_has_no_wager_leaves_when_he_likes() -> None:
    room = at_table("setting")
    assert [e.step for e in room.do("leave", person(5), 5)] == ["leave"]
    assert not room.state.round.stopped


@pytest.mark.parametrize("where", ["setting", "settling"])
def test_the_hand_of_a_player_who_left_is_played_on(where: str) -> None:
    room = at_table(where)
    room.do("leave", person(4), 4)
    ruled(room, "play on")
    if where == "setting":
        room.do("set", person(2), 2, setting=parse_setting(HANDS[2]))
        room.refused("set", person(4), 4, setting=parse_setting(HANDS[4]))
        room.refused("set", DEALER, 4, setting=parse_setting(HANDS[4]))
        room.do("set", DEALER, 4, setting=house_way(room, 4))
    assert results(room.finished())["Dan"] == "-$40"


@pytest.mark.parametrize("where", ["fees taken", *STOPPED])
def test_a_player_dealer_who_leaves_stops_the_round(where: str) -> None:
    room = at_table(where)
    room.do("leave", person(6), 6)
    assert room.state.round.stopped
    assert results(void(room)) == NOTHING_WON


def test_nobody_inherits_the_bank_of_a_round() -> None:
    room = at_table("setting")
    room.do("leave", person(6), 6)
    if not room.state.round.stopped:
        room.do("sit", somebody("Zoe"), 6)
        room.set_all(HANDS)
        assert "Zoe" not in results(room.finished())


def test_no_round_begins_when_the_player_dealer_has_left() -> None:
    room = banked("$200", TWO_BETS)
    room.do("leave", person(6), 6)
    room.refused("no_more_bets")
