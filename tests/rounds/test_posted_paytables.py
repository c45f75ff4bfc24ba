"""At the table a hand is paid by the best posted line that it makes, what that line pays."""

from __future__ import annotations

import pytest

from houseway.ledger import units
from houseway.money import cents
from houseway.rounds.state import Phase
from houseway.settlement import PaymentKind
from tests.games.support import Changes, refused
from tests.games.test_closed_submissions import own
from tests.rounds.california import BANKER, Cardroom
from tests.rounds.table import DEALER, TestTable, setting
from tests.rounds.washington import PLAIN_METER, awards, dealt, showing

clause = pytest.mark.clause
LOW = "Ts Tc 6c 4s 3c Qd 2s"
"""The dealer's cards, none of which the other hands need."""
WHOLE, MIXED = (
    ("seven_card_straight_flush", "100% of meter"),
    ("seven_card_straight_flush_joker", "500 for 1"),
)


def paid(table: TestTable, at: int, wager: str) -> list[str]:
    """Return what a wager was paid in the round just over, each payment's reason."""
    last = table.play_on(rounds=1).live.table.last
    assert last is not None
    return [
        payment.reason
        for payment in last.payments
        if (payment.position, payment.wager, payment.kind) == (at, wager, PaymentKind.PAY)
    ]


def progressive(hand: str, changes: Changes) -> TestTable:
    """Deal a hand with the Progressive wager of $1, on a meter that shows $10,000."""
    return dealt({1: LOW, 4: hand}, {4: {"progressive": "$1"}}, changes=PLAIN_METER | changes)


@pytest.mark.parametrize("joker", ["semi", "full"])
def test_a_straight_flush_with_the_joker_is_paid_its_own_line_and_not_the_meter(joker: str) -> None:
    posted = own("progressive", WHOLE, MIXED, ("straight_flush", "100 for 1"), joker=joker)
    table = progressive("9h 8h 7h Jk 5h 4h 3h", posted)
    assert paid(table, 4, "progressive") == ["seven card straight flush joker pays 500 for 1"]
    assert showing(table) == cents("$10,000")


def test_the_natural_one_is_paid_the_meter() -> None:
    posted = own("progressive", WHOLE, MIXED)
    table = progressive("9h 8h 7h 6h 5h 4h 3h", posted).play_on(rounds=1)
    last = table.live.table.last
    assert last is not None
    assert [payment.units for payment in awards(last.payments)] == [units(cents("$10,000"))]


QUADS_OVER_HOUSE = (("four_of_a_kind", "75 for 1"), ("full_house", "40 for 1"))
POSTED = {
    "no quads are posted": (
        (("full_house", "40 for 1"),),
        "7h 7d 7c Jk Jc 5h 4d",
        "full house pays 40 for 1",
    ),
    "quads are posted": (QUADS_OVER_HOUSE, "7h 7d 7c Jk Jc 5h 4d", "four of a kind pays 75 for 1"),
    "four and the joker": ((("full_house", "40 for 1"),), "7h 7d 7c 7s Jc Jk 2d", "full house pays 40 for 1"),
    "two pair alone": ((("two_pair", "9 for 1"),), "7h 7d 7c Jk Jc 5h 4d", "two pair pays 9 for 1"),
    "a pair of anything": ((("pair", "2 for 1"),), "Kh 9d 7c Jk Jc 5h 2d", "pair pays 2 for 1"),
}


@clause("wa.prog.2.joker_full")
@pytest.mark.parametrize(("lines", "hand", "said"), POSTED.values(), ids=[*POSTED])
def test_a_fully_wild_joker_makes_the_best_of_the_posted_hands(
    lines: tuple[tuple[str, str], ...], hand: str, said: str
) -> None:
    table = progressive(hand, own("progressive", *lines, joker="full"))
    assert paid(table, 4, "progressive") == [said]


TRIPS_AND_STRAIGHT = "9s 9h 9d 8c 7h 6s 5d"
FORTUNE = {4: {"fortune": "$5"}}


@pytest.mark.parametrize(
    ("lines", "reading", "said"),
    [
        ((("straight", "4 to 1"), ("three_of_a_kind", "3 to 1")), "best_paying", "straight pays 4 to 1"),
        ((("three_of_a_kind", "3 to 1"), ("straight", "4 to 1")), "best_paying", "straight pays 4 to 1"),
        (
            (("three_of_a_kind", "3 to 1"), ("straight", "2 to 1")),
            "best_paying",
            "three of a kind pays 3 to 1",
        ),
        ((("straight", "4 to 1"), ("three_of_a_kind", "3 to 1")), "poker_order", "straight pays 4 to 1"),
        ((("straight", "2 to 1"), ("three_of_a_kind", "3 to 1")), "poker_order", "straight pays 2 to 1"),
    ],
)
def test_trips_and_straight_are_paid_the_better_paying_line_as_it_is_posted(
    lines: tuple[tuple[str, str], ...], reading: str, said: str
) -> None:
    changes = own("fortune", *lines) | {"readings.wa_trips_and_straight": reading}
    assert paid(dealt({1: LOW, 4: TRIPS_AND_STRAIGHT}, FORTUNE, changes=changes), 4, "fortune") == [said]


def test_an_amount_on_which_a_line_is_part_of_a_cent_is_not_taken() -> None:
    table = TestTable("wa-fap", own("fortune", ("flush", "3 to 2"))).opened().seat((4,))
    (problem,) = table.problems("wager", at=4, wagers={"main": cents("$10"), "fortune": cents("$1.01")})
    assert problem.reason == "3 to 2 for a flush is part of a cent on this amount"
    assert not table.problems("wager", at=4, wagers={"main": cents("$10"), "fortune": cents("$1.02")})


# --- California's house way, at the table -----------------------------------------------------------------


def test_the_dealer_sets_by_the_printed_way_and_the_player_dealer_as_he_likes() -> None:
    assert refused("ca-fpgp", {"house_way": "foxwoods"}, "ca.fpgp.set.pd_set")
    room = Cardroom().banks(6).bets(2, main="$100")
    room.deals({2: "9c 9h 6s 5s 3c 8h 4c"}).play_on(Phase.DEALER, without=["set_dealer", "reset_bank"])
    other = setting("Ts Th 8c 6c 9d / Qd 3s")
    assert room.refused("set_dealer", DEALER, setting=other) == ("ca.fpgp.set.pd_set",)
    room.do("set_dealer", DEALER, setting=setting(BANKER))
    assert room.problems("reset_bank", room.at(6), 6, setting=other) == ()
    foul = setting("Qd 9d 8c 6c 3s / Ts Th")
    assert "ca.fpgp.pd_set.no_foul" in room.refused("reset_bank", room.at(6), 6, setting=foul)
    room.do("reset_bank", room.at(6), 6, setting=other)


# --- a reserve in Pennsylvania, where a reading allows it ---------------------------------------------------


@pytest.mark.parametrize(("amount", "set_aside"), [("$1", "$0.05"), ("$5", "$0.25")])
def test_670a_a_reserve_set_aside_moves_that_part_of_each_wager_and_nothing_else(
    amount: str, set_aside: str
) -> None:
    seed = {"$1": "$5,000", "$5": "$25,000"}[amount]
    meter: Changes = {
        "progressive.amount": amount,
        "progressive.initial": seed,
        "progressive.reset": seed,
        "readings.six_meter_reserve": "set_aside",
    }
    found = {}
    for reserve in ("0%", "5%"):
        table = TestTable("pa-670a", meter | {"progressive.reserve": reserve})
        table.betting(2, main="$10", progressive=amount).play_on(rounds=1)
        assert table.state.meter is not None
        found[reserve] = table.state.meter
    assert found["5%"].reserve - found["0%"].reserve == units(cents(set_aside))
    assert found["5%"].value == found["0%"].value
