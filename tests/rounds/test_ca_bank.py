"""California's bank: one player holds it, two rounds running at most, never beyond what he put up."""

from __future__ import annotations

import pytest

from houseway.ledger import COLLECTIONS, INVENTORY, Account, AccountKind
from houseway.money import Cents, cents
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.bank import next_offer
from houseway.settlement import PaymentKind
from tests.games.support import Changes, submission
from tests.rounds.california import (
    CA,
    LOSES,
    PUSHES,
    WINS,
    Cardroom,
    banked,
    clockwise_from,
    fees,
    moved,
    on_schedule,
    person,
    results,
    somebody,
)
from tests.rounds.table import DEALER, FLOOR, money

clause = pytest.mark.clause
TWO_BETS = {2: {"main": "$20"}, 4: {"main": "$30"}}


# --- who banks ------------------------------------------------------------------------------------


def test_at_a_new_table_nobody_has_banked_a_round() -> None:
    banking = Cardroom().state.banking
    assert (banking.seat, banking.person, banking.rounds) == (None, None, 0)


@clause("ca.fpgp.type.player_dealer")
def test_a_round_has_one_player_dealer_who_is_one_of_the_seated() -> None:
    law = "ca.fpgp.type.player_dealer"
    room = Cardroom(seats=(2, 4, 6)).bets(4, main="$20")
    assert law in room.refused("no_more_bets")
    assert law in room.refused("put_up", person(2), 2, stake=cents("$100"))
    room.do("offer_bank", at=2)
    assert law in room.do("accept_bank", person(2), 2)[0].clauses
    room.put_up(2, "$100")
    assert law in room.refused("put_up", person(6), 6, stake=cents("$100"))
    room.refused("accept_bank", person(6), 6)
    room.refused("wager", person(2), 2, wagers=money(main="$20"))
    room.do("no_more_bets")
    this_round = room.state.round
    assert (this_round.bank_seat, this_round.stake) == (2, cents("$100")) and 2 not in this_round.hands


@clause("ca.fpgp.type.player_dealer")
def test_a_second_player_dealer_takes_the_place_of_the_first() -> None:
    room = Cardroom(seats=(2, 4, 6)).banks(2)
    room.do("offer_bank", at=4)
    assert room.state.round.bank_seat == 2
    assert "ca.fpgp.type.player_dealer" in room.do("accept_bank", person(4), 4)[0].clauses
    assert (room.state.round.bank_seat, room.state.round.stake) == (4, 0)
    room.refused("put_up", person(2), 2, stake=cents("$100"))
    room.put_up(4, "$100").bets(2, 6, main="$20").do("no_more_bets")


HOLDER = "Example Cardroom"
HOUSE = ["house", "House", " the  house", HOLDER, "EXAMPLE CARDROOM", DEALER.id]
"""The house, whoever holds the licence, and the dealer on duty."""


@clause("ca.fpgp.type.house_not_player")
@pytest.mark.parametrize("name", HOUSE)
@pytest.mark.parametrize("shown", [True, False])
def test_the_house_never_sits_banks_or_bets(name: str, shown: bool) -> None:
    law, room = "ca.fpgp.type.house_not_player", Cardroom(seats=(2, 4))
    who = Actor("p-17", Role.PLAYER, name) if shown else somebody(name)
    assert room.rules.submission.holder == HOLDER
    assert law in room.refused("sit", who, 6)
    room.offers(until=2)
    assert law in room.refused("accept_bank", who, 2)
    room.refused("accept_bank", DEALER, 2)
    room.do("accept_bank", person(2), 2)
    room.put_up(2, "$100").bets(4, main="$20")
    assert law in room.refused("bet_behind", who, 4, wagers=money(main="$20"))
    assert law in room.refused("wager", who, 4, wagers=money(main="$20"))
    room.do("correct_wager", DEALER, 4, wagers=money(main="$30"), reason="another chip lies there")


@clause("ca.fpgp.type.house_not_player")
@pytest.mark.parametrize("who", [person(4), Actor("p-17", Role.PLAYER, "Dan")], ids=["known as", "shown as"])
def test_who_comes_to_hold_the_licence_banks_and_bets_no_more(who: Actor) -> None:
    law, room = "ca.fpgp.type.house_not_player", Cardroom(seats=(2, 5)).banks(2)
    room.do("sit", who, 4)
    room.do("adopt_rules", FLOOR, submission=submission(CA, {"holder": "Dan", "reference": "RS-CA-2"}))
    assert law in room.refused("wager", who, 4, wagers=money(main="$20"))
    assert law in room.refused("correct_wager", DEALER, 4, wagers=money(main="$20"), reason="as it lies")
    room.do("offer_bank", at=4)
    assert law in room.refused("accept_bank", who, 4)
    room.do("decline_bank", who, 4)
    room.bets(5, main="$20")


@clause("ca.fpgp.type.house_not_player")
def test_whoever_plays_at_the_table_does_not_deal_it() -> None:
    law = "ca.fpgp.type.house_not_player"
    room = Cardroom(seats=(2, 4)).banks(2).bets(4, main="$20").behind("Zoe", 4, main="$20")
    for name in ("Dan", "Zoe"):
        assert law in room.refused("relieve", Actor(name, Role.DEALER), training="on file")
    room.do("bet_behind", somebody("Zoe"), 4, wagers=money(main="$0"))
    room.do("relieve", Actor("Zoe", Role.DEALER), training="on file")
    room.do("log_off", Actor("Zoe", Role.DEALER))
    assert law in room.refused("log_on", Actor("Dan", Role.DEALER), training="on file")
    room.do("log_on", training="on file")


# --- how long -------------------------------------------------------------------------------------


def after_rounds(
    rounds: int,
    seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7),
    bank: int = 2,
    changes: Changes | None = None,
) -> Cardroom:
    """A table at which one seat has banked so many rounds running; the next bets are placed."""
    room = Cardroom(changes, seats=seats).banks(bank)
    better = next(at for at in seats if at != bank)
    for _ in range(rounds):
        room.put_up(bank, "$200").bets(better, main="$20").finished()
    return room.ready().put_up(bank, "$200").bets(better, main="$20")


@clause("ca.fpgp.type.two_rounds")
def test_after_two_rounds_the_bank_is_offered_on_before_a_third() -> None:
    law = "ca.fpgp.type.two_rounds"
    for rounds in (0, 1):
        assert not after_rounds(rounds).problems("no_more_bets")
    room = after_rounds(2)
    assert room.state.banking.rounds == 2
    assert law in room.refused("no_more_bets")
    for at in (3, 4, 5, 6, 7):
        room.do("offer_bank", at=at)
        room.do("decline_bank", person(at), at)
        assert law in room.refused("no_more_bets")
    room.do("offer_bank", at=1)
    room.do("decline_bank", person(1), 1)
    room.do("no_more_bets")
    room.finished()
    room.put_up(2, "$200").bets(1, main="$20").finished()
    room.ready().put_up(2, "$200").bets(1, main="$20")
    assert law in room.refused("no_more_bets")


@clause("ca.fpgp.type.offer_clockwise")
def test_the_bank_goes_clockwise_and_every_refusal_is_on_record() -> None:
    law = "ca.fpgp.type.offer_clockwise"
    room = after_rounds(2)
    assert law in room.refused("offer_bank", at=5)
    assert law in room.refused("offer_bank", at=2)
    assert law in room.do("offer_bank", at=3)[0].clauses
    room.refused("accept_bank", person(4), 4)
    room.refused("offer_bank", at=4)
    assert law in room.do("decline_bank", person(3), 3)[0].clauses
    assert law in room.refused("offer_bank", at=3)
    room.do("offer_bank", at=4)
    room.do("accept_bank", person(4), 4)
    assert (room.state.banking.seat, room.state.banking.rounds) == (4, 0)
    kept = [(e.step, e.position, e.by.id) for e in room.log if e.step.endswith("_bank")]
    assert kept[-4:] == [
        ("offer_bank", 3, "Dora"),
        ("decline_bank", 3, "Cleo"),
        ("offer_bank", 4, "Dora"),
        ("accept_bank", 4, "Dan"),
    ]


@clause("ca.fpgp.type.offer_clockwise")
def test_when_all_decline_the_same_player_may_bank_again() -> None:
    room = after_rounds(2)
    assert room.offers() == [3, 4, 5, 6, 7, 1]
    assert (room.state.banking.seat, room.state.banking.rounds) == (2, 0)
    assert room.refused("offer_bank", at=4) == ("ca.fpgp.type.offer_clockwise",)
    room.do("no_more_bets")
    assert room.state.round.bank_seat == 2


@clause("ca.fpgp.type.two_rounds")
def test_by_the_other_reading_no_round_is_played_until_another_takes_the_bank() -> None:
    law = "ca.fpgp.type.two_rounds"
    room = after_rounds(2, (2, 5, 7), changes=on_schedule(40, ca_all_decline_bank="play_stops"))
    for _ in range(2):
        assert room.offers() == [5, 7]
        assert law in room.refused("no_more_bets")
    room.offers(until=7)
    room.do("accept_bank", person(7), 7)
    room.put_up(7, "$200").do("no_more_bets")


@clause("ca.fpgp.type.offer_clockwise")
@pytest.mark.parametrize("first", [1, 2, 5, 7])
def test_the_first_bank_is_offered_to_whom_the_dealer_likes_and_then_clockwise(first: int) -> None:
    room = Cardroom()
    room.do("offer_bank", at=first)
    room.do("decline_bank", person(first), first)
    for at in clockwise_from(first)[1:]:
        for other in set(clockwise_from(first)) - {at}:
            assert "ca.fpgp.type.offer_clockwise" in room.refused("offer_bank", at=other)
        room.do("offer_bank", at=at)
        if at != clockwise_from(first)[-1]:
            room.do("decline_bank", person(at), at)
    room.do("accept_bank", person(at), at)


@clause("ca.fpgp.type.offer_clockwise")
def test_who_declined_an_offer_made_too_early_is_asked_again_when_it_is_due() -> None:
    law = "ca.fpgp.type.offer_clockwise"
    room = Cardroom().banks(2)
    for _ in range(2):
        room.put_up(2, "$200").bets(1, main="$20")
        room.do("offer_bank", at=3)  # the player-dealer may bank on, and would rather not
        room.do("decline_bank", person(3), 3)
        assert law in room.refused("offer_bank", at=3)
        room.finished()
    assert law in room.refused("offer_bank", at=4)
    assert room.offers() == [3, 4, 5, 6, 7, 1]


@clause("ca.fpgp.type.offer_clockwise")
@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("declined", [0, 2])
def test_when_the_player_dealer_gets_up_the_bank_goes_on_from_their_seat(rounds: int, declined: int) -> None:
    law = "ca.fpgp.type.offer_clockwise"
    room = Cardroom().banks(4)
    for _ in range(rounds):
        room.put_up(4, "$200").bets(1, main="$20").finished()
    order = [5, 6, 7, 1, 2, 3]
    for at in order[:declined]:
        room.do("offer_bank", at=at)
        room.do("decline_bank", person(at), at)
    room.do("leave", person(4), 4)
    room.do("sit", somebody("Zoe"), 4)
    assert law in room.refused("offer_bank", at=1)
    assert room.offers() == [*order[declined:], 4]
    room.do("offer_bank", at=5)


def test_when_the_player_dealer_leaves_during_the_round_the_bank_goes_on_from_their_seat() -> None:
    room = banked("$200", {2: {"main": "$20"}}).closed()
    room.do("leave", person(6), 6)
    room.do("rule_round", FLOOR, ruling="void", reason="the bank has left")
    assert 6 not in room.state.seats and next_offer(room.rules, room.live.table) == 7
    room.do("offer_bank", at=7)


def test_empty_seats_are_passed_over() -> None:
    assert after_rounds(2, seats=(2, 5, 7)).offers() == [5, 7]


def test_who_takes_the_bank_first_takes_his_wager_back() -> None:
    room = after_rounds(2, seats=(2, 3, 4))
    room.bets(3, main="$20").offers(until=3)
    room.refused("accept_bank", person(3), 3)
    room.do("wager", person(3), 3, wagers={"main": Cents(0)})
    room.do("accept_bank", person(3), 3)


def test_where_nobody_wants_to_begin_the_bank_is_offered_round_again() -> None:
    room = Cardroom(seats=(2, 4))
    assert room.offers() == [2, 4]
    assert next_offer(room.rules, room.live.table) == 2
    room.do("offer_bank", at=2)


@pytest.mark.parametrize("asked", [True, False])
def test_the_offer_is_complete_when_the_last_to_be_asked_leaves(asked: bool) -> None:
    room = after_rounds(2, seats=(2, 3, 4))
    room.do("offer_bank", at=3)
    room.do("decline_bank", person(3), 3)
    if asked:
        room.do("offer_bank", at=4)
    room.do("leave", person(4), 4)
    room.do("no_more_bets")


def test_a_player_at_two_seats_still_banks_two_rounds_running_at_most() -> None:
    room = Cardroom(seats=(2, 4))
    room.do("sit", somebody("Bob"), 3)
    room.banks(2)
    for _ in range(2):
        room.put_up(2, "$200").bets(4, main="$20").finished()
    room.refused("offer_bank", at=3)
    room.do("offer_bank", at=4)


def test_who_sits_down_in_the_player_dealers_seat_does_not_get_the_bank() -> None:
    room = Cardroom(seats=(2, 4)).banks(2)
    room.do("leave", person(2), 2)
    room.do("sit", somebody("Zoe"), 2)
    room.refused("put_up", somebody("Zoe"), 2, stake=cents("$50"))


# --- the stake ------------------------------------------------------------------------------------


@clause("ca.fpgp.deal.bets")
def test_no_cards_before_the_player_dealer_has_put_up_a_wager() -> None:
    law = "ca.fpgp.deal.bets"
    room = Cardroom()
    room.offers(until=2)
    room.do("accept_bank", person(2), 2)
    room.bets(4, main="$20")
    assert law in room.refused("no_more_bets")
    assert law in room.refused("put_up", person(2), 2, stake=Cents(0))
    assert law in room.refused("put_up", person(2), 2, stake=Cents(-100))
    assert law in room.do("put_up", person(2), 2, stake=Cents(1))[0].clauses
    room.do("no_more_bets")
    assert room.state.phase is Phase.STARTING
    room.refused("put_up", person(2), 2, stake=cents("$100"))


@clause("ca.fpgp.deal.bets")
def test_a_stake_is_for_one_round() -> None:
    room = banked("$100", TWO_BETS)
    room.finished()
    room.ready().bets(2, main="$20")
    assert "ca.fpgp.deal.bets" in room.refused("no_more_bets")
    room.put_up(6, "$50").do("no_more_bets")


@clause("ca.fpgp.type.pd_collects")
def test_a_losing_wager_goes_to_the_player_dealer_not_to_the_house() -> None:
    room = banked("$100", {2: {"main": "$20"}}).opened_up({2: LOSES[0]})
    room.do("reveal", at=2)
    event = room.do("settle", at=2, wager="main")[0]
    assert "ca.fpgp.type.pd_collects" in event.clauses
    assert moved(event.outcome.payments, Account(AccountKind.BANK, "Finn")) == "$20"
    this_round = room.finished()
    assert results(this_round) == {"Bob": "-$20", "Finn": "$20"}
    assert moved(this_round.payments, INVENTORY) == "$0"
    assert moved(this_round.payments, COLLECTIONS) == "$1" and fees(this_round) == {
        "Bob": "$0.50",
        "Finn": "$0.50",
    }


@clause("ca.fpgp.type.pd_pays")
def test_a_winning_wager_is_paid_by_the_player_dealer_not_by_the_house() -> None:
    room = banked("$100", {2: {"main": "$20"}}).opened_up({2: WINS[0]})
    room.do("reveal", at=2)
    event = room.do("settle", at=2, wager="main")[0]
    assert "ca.fpgp.type.pd_pays" in event.clauses
    assert moved(event.outcome.payments, Account(AccountKind.BANK, "Finn")) == "-$20"
    this_round = room.finished()
    assert results(this_round) == {"Bob": "$20", "Finn": "-$20"}
    assert moved(this_round.payments, INVENTORY) == "$0" and moved(this_round.payments, COLLECTIONS) == "$1"


COVERS: list[tuple[str, tuple[str, ...], dict[str, str]]] = [
    ("$49", (WINS[0], WINS[1]), {"Bob": "$20", "Dan": "$29", "Finn": "-$49"}),
    ("$50", (WINS[0], WINS[1]), {"Bob": "$20", "Dan": "$30", "Finn": "-$50"}),
    ("$51", (WINS[0], WINS[1]), {"Bob": "$20", "Dan": "$30", "Finn": "-$50"}),
    ("$49", (LOSES[0], LOSES[1]), {"Bob": "-$20", "Dan": "-$29", "Finn": "$49"}),
    ("$51", (LOSES[0], LOSES[1]), {"Bob": "-$20", "Dan": "-$30", "Finn": "$50"}),
    ("$20", (PUSHES, WINS[0]), {"Bob": "$0", "Dan": "$20", "Finn": "-$20"}),
]


@pytest.mark.parametrize("reading", ["ledger", "net_balance"])
@pytest.mark.parametrize(("stake", "hands", "expected"), COVERS)
def test_the_bank_wins_and_loses_no_more_than_was_put_up(
    stake: str, hands: tuple[str, ...], expected: dict[str, str], reading: str
) -> None:
    room = banked(stake, TWO_BETS, on_schedule(40, ca_coverage=reading))
    room.opened_up(dict(zip((2, 4), hands, strict=True)))
    this_round = room.finished()
    assert results(this_round) == expected
    assert moved(this_round.payments, Account(AccountKind.BANK, "Finn")) == f"-{stake}"


@pytest.mark.parametrize(("reading", "paid"), [("ledger", "$5"), ("net_balance", "$30")])
def test_whether_what_was_collected_covers_later_winners_is_a_reading(reading: str, paid: str) -> None:
    room = banked("$25", TWO_BETS, on_schedule(40, ca_coverage=reading))
    this_round = room.opened_up({2: LOSES[0], 4: WINS[0]}).finished()
    assert results(this_round)["Dan"] == paid
    back = [p for p in this_round.payments if p.wager == "bank" and p.kind is PaymentKind.RETURN]
    assert [p.person for p in back] == ["Finn"]


@pytest.mark.parametrize("step", ["accept_bank", "decline_bank"])
def test_nobody_answers_for_the_player_who_is_offered_the_bank(step: str) -> None:
    room = Cardroom()
    room.do("offer_bank", at=1)
    for other in (person(2), Actor("a stranger", Role.PLAYER)):
        assert "is for the player there" in [one.reason for one in room.problems(step, other, 1)]
    assert "is for the player there" not in [one.reason for one in room.problems(step, person(1), 1)]


def test_only_the_player_dealer_puts_up_the_bank() -> None:
    room = Cardroom()
    room.do("offer_bank", at=1)
    room.do("accept_bank", person(1), 1)
    room.refused("put_up", person(2), 1, stake=cents("$200"))
    room.do("put_up", person(1), 1, stake=cents("$200"))
