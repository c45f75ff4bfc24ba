"""California's hands: set by the players, the player-dealer's by the house way and then as he likes."""

from __future__ import annotations

import pytest

from houseway.cards import parse_cards, parse_setting
from houseway.rounds.replay import verify_replay
from houseway.rounds.state import CardOrigin, Phase
from houseway.settlement import Status
from tests.rounds.california import BANKER, LOSES, WINS, Cardroom, banked, person, results
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import house_way
from tests.rounds.play.california_watch import check_record
from tests.rounds.table import DEALER, FLOOR, setting

clause = pytest.mark.clause
TWO_BETS = {2: {"main": "$20"}, 4: {"main": "$30"}}
HANDS = {2: WINS[0], 4: LOSES[0]}
TWO_PAIRS = "8h 8d Qd Jh 3c / 4s 4c"  # as the house way sets it
ANOTHER = "8h 8d 4s 4c 3c / Qd Jh"
FOUL = "4s 4c Qd Jh 3c / 8h 8d"


def parts(text: str) -> list[set[int]]:
    """Return the cards of each part, in no order."""
    return [set(part) for part in parse_setting(text)]


# --- the players ------------------------------------------------------------------------------------


@clause("ca.fpgp.set.house_way_request")
def test_a_player_may_have_his_hand_set_the_house_way() -> None:
    room = banked("$200", TWO_BETS).deals({2: "Jh Jd 5s 5c Ad 8h 3c"})
    room.refused("ask_help", person(4), 2)
    event = room.do("ask_help", person(2), 2)[0]
    assert "ca.fpgp.set.house_way_request" in event.clauses
    assert [set(part) for part in value_of(event, "setting")] == parts("Jh Jd 5s 5c 3c / Ad 8h")
    room.do("set", DEALER, 2, setting=value_of(event, "setting"))
    hand = room.state.round.hands[2]
    assert hand.has("by_dealer") and hand.has("helped")
    room.refused("ask_help", person(2), 2)


@clause("ca.fpgp.set.house_way_request")
def test_the_dealer_sets_no_hand_of_a_player_who_has_not_asked() -> None:
    room = banked("$200", TWO_BETS).deals(HANDS)
    room.do("look", person(2), 2)
    assert room.refused("set", DEALER, 2, setting=setting(HANDS[2])) == ("ca.fpgp.set.house_way_request",)
    room.do("ask_help", person(2), 2)
    room.do("set", DEALER, 2, setting=house_way(room, 2))


@clause("ca.fpgp.set.house_way_request")
def test_for_a_player_who_asked_the_dealer_places_the_house_way_and_nothing_else() -> None:
    law, cards = "ca.fpgp.set.house_way_request", "Jh Jd 5s 5c Ad 8h 3c"
    for own in (False, True):
        room = banked("$200", TWO_BETS).deals({2: cards})
        room.do("look", person(2), 2)
        room.do("ask_help", person(2), 2)
        for other in ("Jh Jd Ad 8h 3c / 5s 5c", "Jh Jd 5s 5c 8h / Ad 3c"):
            assert law in room.refused("set", DEALER, 2, setting=setting(other))
        if own:  # told the house way, the player may still set the hand as they like
            room.do("set", person(2), 2, setting=setting("Jh Jd Ad 8h 3c / 5s 5c"))
        else:
            room.do("set", DEALER, 2, setting=setting("3c 5c 5s Jd Jh / 8h Ad"))


def test_no_foul_setting_is_taken_and_none_of_other_cards() -> None:
    room = banked("$200", TWO_BETS).deals({2: "As Kh Qh 5c 2s 9s 9c"})
    for wrong in ("As Kh Qh 5c 2s / 9s 9c", "9s Qh 5c 2s Kh / As 9c", "9s 9c As Kh / Qh 5c 2s"):
        room.refused("set", person(2), 2, setting=setting(wrong))
    room.refused("set", person(2), 2, setting=setting("Ad Kh Qh 5c 2s / 9s 9c"))
    room.refused("set", person(4), 2, setting=setting("9s 9c Qh 5c 2s / As Kh"))
    room.do("set", person(2), 2, setting=setting("9s 9c Qh 5c 2s / As Kh"))
    room.refused("set", person(2), 2, setting=setting("9s 9c Kh 5c 2s / As Qh"))


def test_equal_pairs_in_both_parts_are_no_foul() -> None:
    room = banked("$200", TWO_BETS).deals({2: "Ks Kd Kh Kc 5d 4s 3h"})
    room.do("set", person(2), 2, setting=setting("Kh Kc 5d 4s 3h / Ks Kd"))


@clause("ca.fpgp.set.pd_exposed_after")
def test_the_player_dealers_hand_is_turned_over_when_all_have_set() -> None:
    law = "ca.fpgp.set.pd_exposed_after"
    room = banked("$200", TWO_BETS).deals(HANDS)
    assert law in room.refused("turn_over")
    room.do("set", person(2), 2, setting=setting(HANDS[2]))
    assert law in room.refused("turn_over")
    for who in (DEALER, person(2), person(6)):
        room.hidden(who, 6)
    room.refused("set_dealer")
    room.do("set", person(4), 4, setting=setting(HANDS[4]))
    assert law in room.do("turn_over")[0].clauses
    assert room.sees(person(2), 6) == parse_cards(BANKER.replace("/", ""))


# --- the player-dealer --------------------------------------------------------------------------------


def turned() -> Cardroom:
    """The player-dealer's hand lies open and is to be set."""
    room = banked("$200", TWO_BETS)
    held = {2: "Ks Kd 9c 7c 2s / As Th", 4: "9h 9s 6s 5d 2d / Tc 7h"}
    room.deals({6: TWO_PAIRS} | held).set_all(held)
    room.do("turn_over")
    return room


@clause("ca.fpgp.set.pd_set")
def test_the_dealer_sets_the_player_dealers_hand_the_house_way() -> None:
    law = "ca.fpgp.set.pd_set"
    room = turned()
    room.refused("set_dealer", person(6))
    assert law in room.refused("set_dealer", setting=setting(ANOTHER))
    event = room.do("set_dealer")[0]
    assert law in event.clauses
    assert [set(part) for part in value_of(event, "setting")] == parts(TWO_PAIRS)
    assert room.state.phase is Phase.SETTLING


@clause("ca.fpgp.pd_set.reset")
def test_then_he_may_set_it_as_he_likes_until_the_first_hand_is_exposed() -> None:
    law = "ca.fpgp.pd_set.reset"
    room = turned()
    room.refused("reset_bank", person(6), 6, setting=setting(ANOTHER))
    room.do("set_dealer")
    room.refused("reset_bank", person(2), 2, setting=setting(ANOTHER))
    room.refused("reset_bank", DEALER, 6, setting=setting(ANOTHER))
    assert law in room.do("reset_bank", person(6), 6, setting=setting(ANOTHER))[0].clauses
    assert room.state.round.dealer_setting == setting(ANOTHER)
    room.do("reset_bank", person(6), 6, setting=setting(TWO_PAIRS))
    room.do("reset_bank", person(6), 6, setting=setting(ANOTHER))
    room.do("reveal", at=2, parts=("two-card",))
    assert law in room.refused("reset_bank", person(6), 6, setting=setting(TWO_PAIRS))
    assert room.state.round.dealer_setting == setting(ANOTHER)


@clause("ca.fpgp.pd_set.reset")
def test_both_settings_are_on_record_and_the_second_one_counts() -> None:
    room = turned()
    room.do("set_dealer")
    assert "ca.fpgp.pd_set.reset" in room.do("reset_bank", person(6), 6, setting=setting(ANOTHER))[0].clauses
    this_round = room.finished()
    assert results(this_round) == {"Bob": "$0", "Dan": "-$30", "Finn": "$30"}
    record = room.live.record
    assert record is not None
    done = [event for turn in record.turns for event in turn.events]
    kept = {e.step: value_of(e, "setting") for e in done if e.step in ("set_dealer", "reset_bank")}
    assert {step: [set(part) for part in held] for step, held in kept.items()} == {
        "set_dealer": parts(TWO_PAIRS),
        "reset_bank": parts(ANOTHER),
    }
    played = verify_replay(record).last
    assert played is not None and played.dealer_setting == setting(ANOTHER)
    check_record(room.live, whole_text=True)


def test_left_as_the_house_way_has_it_the_same_hand_only_ties() -> None:
    room = turned()
    room.do("set_dealer")
    assert results(room.finished()) == {"Bob": "$0", "Dan": "$0", "Finn": "$0"}


def test_a_foul_or_other_cards_are_refused_to_him_too() -> None:
    room = turned()
    room.do("set_dealer")
    for wrong in (FOUL, "8h 8d Qd Jh / 3c 4s 4c", "8h 8d Qd Jh 3c / 4s 4h"):
        room.refused("reset_bank", person(6), 6, setting=setting(wrong))
    assert "ca.fpgp.pd_set.no_foul" in room.refused("reset_bank", person(6), 6, setting=setting(FOUL))
    assert room.state.round.dealer_setting is not None
    assert [set(part) for part in room.state.round.dealer_setting] == parts(TWO_PAIRS)


# --- a table where the cards are typed in --------------------------------------------------------------


def typed(*seats: int, **wagers: str) -> Cardroom:
    """Cards are entered when they lie open: the player-dealer's are, and his hand is set."""
    room = Cardroom(source=CardOrigin.TYPED).banks(6).bets(*seats, **wagers or {"main": "$20"}).closed()
    room.diced()
    room.play_on(Phase.DEALER)
    room.do("enter_hand", at=6, setting=setting(BANKER))
    room.do("confirm_entry", at=6)
    room.do("set_dealer")
    return room


def entered(room: Cardroom, at: int, text: str) -> None:
    room.do("enter_hand", at=at, setting=setting(text))
    room.do("confirm_entry", at=at)


def test_typed_hands_are_compared_and_settled_like_dealt_ones() -> None:
    room = typed(2, 4)
    entered(room, 2, WINS[0])
    entered(room, 4, LOSES[0])
    assert results(room.finished()) == {"Bob": "$20", "Dan": "-$20", "Finn": "$0"}


def test_hands_are_entered_and_opened_one_by_one() -> None:
    room = typed(2, 4)
    entered(room, 2, WINS[0])
    assert value_of(room.do("reveal", at=2)[0], "announced") == "win"


def test_a_foul_found_when_the_hand_is_opened_stops_the_round() -> None:
    room = typed(2)
    entered(room, 2, "As Kh Qh 5c 2s / 9s 9c")
    room.do("reveal", at=2)
    assert room.state.round.stopped


def foul(*more: int, **wagers: str) -> Cardroom:
    """A foul lies open at seat 2: its pair is in front, and the round stands still."""
    room = typed(2, *more, **wagers)
    entered(room, 2, "As Kh Qh 5c 2s / 9s 9c")
    room.do("reveal", at=2)
    return room


def test_a_foul_may_be_ruled_to_lose_the_game_wager_and_nothing_else() -> None:
    room = foul(main="$20", fortune="$10")
    room.do("rule_round", FLOOR, ruling="foul loses", reason="the pair lay in front")
    this_round = room.finished()
    assert this_round.hands[2].status is Status.FOULED
    assert (results(this_round, "main"), results(this_round, "fortune")) == ({"Bob": "-$20"}, {"Bob": "-$10"})
    check_record(room.live, whole_text=True)


def test_a_foul_ruled_to_lose_leaves_the_others_as_they_are() -> None:
    room = foul(4)
    room.do("rule_round", FLOOR, ruling="foul loses", reason="the pair lay in front")
    room.do("settle", at=2, wager="all")
    entered(room, 4, LOSES[1])
    assert results(room.finished()) == {"Bob": "-$20", "Dan": "-$20", "Finn": "$40"}


def test_a_foul_may_be_ruled_to_void_the_round() -> None:
    room = foul()
    room.do("rule_round", FLOOR, ruling="void", reason="the dealer had touched the hand")
    this_round = room.state.last
    assert this_round is not None and this_round.void is not None
    assert results(this_round) == {"Bob": "$0", "Finn": "$0"}


def test_a_foul_is_not_played_on_and_nothing_else_loses_as_one() -> None:
    room = foul()
    room.refused("rule_round", FLOOR, ruling="play on", reason="nobody minded")
    other = typed(2)
    other.do("stop_round", reason="the lights went out")
    other.refused("rule_round", FLOOR, ruling="foul loses", reason="nobody minded")
    other.do("rule_round", FLOOR, ruling="play on", reason="they came on again")


def test_a_hand_entered_anew_counts_with_its_new_cards() -> None:
    room = typed(2, 4)
    entered(room, 2, WINS[0])
    entered(room, 4, LOSES[0])
    room.do("reveal", at=2)
    room.do("reopen_entry", FLOOR, 4, reason="misread")
    entered(room, 4, WINS[1])
    assert results(room.finished())["Dan"] == "$20"
