"""Any play at a cardroom's table: money whole, the bank held to its wager, every replay the same."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import settings

from houseway.law.problems import RefusedError
from tests.rounds.california import Cardroom, banked, person, somebody
from tests.rounds.play.machines import USUAL, CardroomTable
from tests.rounds.table import DEALER, FLOOR, money


class FortunePaiGowPoker(CardroomTable):
    """Hypothesis draws by the text of this class: a change of the helpers leaves it as it is."""


TestCardroom = FortunePaiGowPoker.TestCase
TestCardroom.settings = settings(USUAL, max_examples=30, stateful_step_count=50)


# --- what a machine comes upon only rarely --------------------------------------------------------------


def banks_a_round(room: Cardroom, at: int) -> Cardroom:
    """Play one round that a seat banks, seat 5 betting against it."""
    room.put_up(at, "$200").bets(5, main="$20").finished()
    return room


def from_a_second_seat() -> None:
    room = Cardroom(seats=(2, 5))
    room.do("sit", somebody("Bob"), 3)
    banks_a_round(room.banks(2), 2)
    room.do("offer_bank", at=3)
    room.do("accept_bank", somebody("Bob"), 3)
    banks_a_round(banks_a_round(room, 3), 3)


def after_getting_up() -> None:
    room = Cardroom(seats=(1, 5))
    banks_a_round(banks_a_round(room.banks(1), 1), 1)
    room.do("leave", person(1), 1)
    room.do("sit", person(1), 1)
    room.do("offer_bank", at=1)
    room.do("accept_bank", person(1), 1)
    banks_a_round(room, 1)


@pytest.mark.parametrize("third_round", [from_a_second_seat, after_getting_up])
def test_nobody_banks_a_third_round_before_the_others_were_asked(third_round: Callable[[], None]) -> None:
    with pytest.raises(RefusedError):
        third_round()


@pytest.mark.parametrize("where", ["another seat", "behind a seat"])
def test_nobody_takes_the_bank_against_a_wager_of_his_own(where: str) -> None:
    room = Cardroom(seats=(2, 5)).bets(5, main="$20")
    if where == "another seat":
        room.do("sit", somebody("Bob"), 3)
        room.bets(3, main="$20")
    else:
        room.behind("Bob", 5, main="$20")
    with pytest.raises(RefusedError):
        room.banks(2).do("no_more_bets")


def test_who_leaves_in_mid_round_leaves_no_offer_of_the_bank_behind() -> None:
    room = Cardroom(seats=(2, 5, 6)).banks(2).bets(5, 6, main="$20")
    room.do("offer_bank", at=5)
    room.closed().do("leave", person(5), 5)
    room.do("rule_round", FLOOR, ruling="void", reason="as seen")
    assert room.live.due()
    room.do("offer_bank", at=6)


def test_the_house_neither_sits_nor_bets_by_the_dealers_hand() -> None:
    room = Cardroom(seats=(2, 5)).banks(2)
    room.refused("sit", somebody("House"), 6)
    room.refused("wager", DEALER, 6, wagers=money(main="$20"))


@pytest.mark.parametrize("bank", [None, 6])
def test_a_round_stopped_before_no_more_bets_may_be_voided_or_the_ruling_is_refused(bank: int | None) -> None:
    room = banked("$200", {2: {"main": "$20"}}, bank=bank) if bank else Cardroom().bets(2, main="$20")
    room.do("stop_round", DEALER, reason="a quarrel about a seat")
    with suppress(RefusedError):
        room.do("rule_round", FLOOR, ruling="void", reason="as seen")
        assert not room.state.round.hands
