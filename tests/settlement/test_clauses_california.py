"""What a player-dealer collects and pays, clause by clause: the bank's cover, Fortune and Envy."""

from __future__ import annotations

import pytest

from houseway.ledger import COLLECTIONS, INVENTORY, player, show_units
from houseway.settlement import Area, Showdown, take_fees
from tests.settlement.support import backline, clause, deal, envy, gain, rules, seat, settled

CA = "ca-fpgp"
BANKER = "Ts Th 9d 6c 3s / Qd 8c"
"""A pair of tens and queen-eight: the hand that the next ones win, lose and push against."""
WINS = ("Jc Js 7d 5h 2c / Ah 4s", "Jd Jh 7s 5c 2d / As 4h", "Qc Qs 7h 6d 2s / Ad 3h")
LOSES = ("9c 9h 6s 5s 3c / 8h 4c", "8s 8d 6h 3d 2h / 7c 5d", "7d 7s 5c 4d 2c / 9s 3h")
PUSH = "Kd Kh 7h 6d 2s / Tc 5s"
STRONG = "Ac Ad Ah As Jk / Kc Kd"
"""Five aces and a pair of kings: nobody beats this banker."""
QUADS = "8s 8h 8d 8c 4d / Qh Js"
STRAIGHT_FLUSH = "9h 7h 6h 5h 4h / 8h Tc"
ROYAL = "As Ks Qs Js Ts / 4c 2d"
FLUSH = "Ks 9s 7s 4s 2s / Jd 8h"
FULL_HOUSE = "Kh Ks Kc 7h 7s / Ad 9c"
PLAIN = ("Qd Td 9c 5c 3c / Jh 6s", "Qc Jc 9s 5d 3d / Th 6c", "Kh Jd 9d 5s 3s / Qs 7c")
"""Hands that make nothing for the Fortune Bonus."""


def bank(amount: str, *areas: Area, dealer: str = BANKER, action: int = 1) -> Showdown:
    """A round against a player-dealer who put up an amount, settled from the Action seat."""
    return deal(rules(CA), dealer, *areas, bank=amount, action=action)


def bank_gain(table: Showdown) -> str:
    """What the player-dealer wins or loses."""
    assert table.banker is not None
    closing = sum(p.units for p in settled(table).payments if p.to == player("dealer"))
    return show_units(closing - table.banker.stake * 10_000)


def wins(*stakes: str) -> list[Area]:
    """Seats in order whose game wagers win."""
    return [seat(n, WINS[n - 1], main=stake) for n, stake in enumerate(stakes, start=1)]


def loses(*stakes: str) -> list[Area]:
    """Seats in order whose game wagers lose."""
    return [seat(n, LOSES[n - 1], main=stake) for n, stake in enumerate(stakes, start=1)]


# --- the cover ----------------------------------------------------------------------------------


@clause("ca.fpgp.type.pd_cap_loss")
def test_the_bank_loses_no_more_than_was_put_up() -> None:
    table = bank("$100", *wins("$60", "$60", "$20"))
    assert gain(table) == {"p1": "$60", "p2": "$40", "p3": "$0"}
    assert bank_gain(table) == "-$100"
    assert [(s.person, s.owed, s.paid) for s in settled(table).shortfalls] == [
        ("p2", 6000, 4000),
        ("p3", 2000, 0),
    ]


@clause("ca.fpgp.type.pd_cap_win")
def test_the_bank_wins_no_more_than_was_put_up() -> None:
    table = bank("$100", *loses("$60", "$60", "$20"))
    assert gain(table) == {"p1": "-$60", "p2": "-$40", "p3": "$0"}
    assert bank_gain(table) == "$100"


@clause("ca.fpgp.type.exhausted_return")
def test_what_the_bank_does_not_cover_goes_back() -> None:
    table = bank(
        "$100",
        seat(1, LOSES[0], main="$60"),
        seat(2, WINS[1], main="$60"),
        seat(3, LOSES[1], main="$30"),
    )
    assert gain(table) == {"p1": "-$60", "p2": "$40", "p3": "$0"}
    assert bank_gain(table) == "$20"


@clause("ca.fpgp.deal.settle.exhausted")
def test_a_loser_after_the_cover_is_gone_keeps_his_wager() -> None:
    table = bank("$50", seat(1, WINS[0], main="$50"), seat(2, LOSES[0], main="$25"))
    assert gain(table) == {"p1": "$50", "p2": "$0"}


@pytest.mark.parametrize(("put_up", "paid"), [("$59.99", "$59.99"), ("$60", "$60"), ("$60.01", "$60")])
def test_the_cover_to_the_cent(put_up: str, paid: str) -> None:
    assert gain(bank(put_up, *wins("$60"))) == {"p1": paid}
    assert gain(bank(put_up, *loses("$60"))) == {"p1": f"-{paid}"}


@clause("ca.fpgp.type.bank_includes_bonus")
def test_one_cover_for_game_and_fortune() -> None:
    table = bank("$100", *wins("$85"), seat(2, FULL_HOUSE, main="$5", fortune="$5"))
    assert (gain(table, "main"), gain(table, "fortune")) == ({"p1": "$85", "p2": "$5"}, {"p2": "$10"})


@clause("ca.fpgp.type.house_no_interest")
def test_the_house_earns_the_same_whatever_the_cards() -> None:
    fees = []
    for hand in (WINS[0], LOSES[0]):
        table = bank("$100", seat(1, hand, main="$60", fortune="$10"))
        touched = {a for p in settled(table).payments for a in (p.source, p.to)}
        assert not touched & {INVENTORY, COLLECTIONS}
        fees.append([(fee.person, show_units(fee.units)) for fee in take_fees(table)])
    assert fees == [[("p1", "$1"), ("dealer", "$0.50")]] * 2


@clause("ca.fpgp.settle.push.returned")
def test_a_push_comes_back_and_uses_no_cover() -> None:
    table = bank(
        "$100", seat(1, PUSH, main="$60"), seat(2, WINS[0], main="$60"), seat(3, WINS[1], main="$60")
    )
    assert gain(table) == {"p1": "$0", "p2": "$60", "p3": "$40"}


def test_settlement_starts_at_the_action_seat_and_goes_clockwise() -> None:
    table = bank("$100", *wins("$60", "$60", "$20"), action=2)
    assert gain(table) == {"p1": "$20", "p2": "$60", "p3": "$20"}


# --- the Fortune Bonus --------------------------------------------------------------------------


@clause("ca.fpgp.bonus.independent")
def test_the_bonus_stands_when_the_game_wager_loses() -> None:
    table = bank("$100", seat(1, FLUSH, main="$10", fortune="$5"), dealer=STRONG)
    assert (gain(table, "main"), gain(table, "fortune")) == ({"p1": "-$10"}, {"p1": "$20"})


@clause("ca.fpgp.bonus.extent")
def test_the_bonus_is_paid_as_far_as_the_cover_goes() -> None:
    table = bank("$100", seat(1, STRAIGHT_FLUSH, main="$10", fortune="$5"), dealer=STRONG)
    assert (gain(table, "main"), gain(table, "fortune")) == ({"p1": "-$10"}, {"p1": "$90"})


@clause("ca.fpgp.bonus.exhausted")
def test_without_cover_every_fortune_wager_comes_back() -> None:
    table = bank(
        "$10",
        seat(1, FLUSH, main="$10", fortune="$5"),
        seat(2, PLAIN[0], main="$10", fortune="$5"),
        dealer=STRONG,
    )
    assert gain(table, "main") == {"p1": "-$10", "p2": "$0"}
    assert gain(table, "fortune") == {"p1": "$0", "p2": "$0"}


# --- Envy ---------------------------------------------------------------------------------------


def button(number: int, hand: str, fortune: str = "$5", main: str = "$5") -> Area:
    """Return a seat with a Fortune wager that earns a button."""
    return seat(number, hand, main=main, fortune=fortune)


def envious(*areas: Area, dealer: str = STRONG, put_up: str = "$10,000") -> dict[str, str]:
    """Return the Envy paid by a bank large enough for it."""
    return envy(bank(put_up, *areas, dealer=dealer))


@clause("ca.fpgp.settle.envy_multi")
def test_several_hands_give_several_envies() -> None:
    paid = envious(button(2, PLAIN[0]), button(4, QUADS), button(5, "9h 7h 6h 5h 4h / 3h 2d"))
    assert paid == {"p2": "$25", "p4": "$20", "p5": "$5"}


@clause("ca.fpgp.envy.multiple")
def test_two_quads_give_each_other_envy_and_a_third_button_both() -> None:
    queens = "Qs Qc Qh Qd 4c / 7s 7h"
    paid = envious(
        button(2, "Jd Td 9c 5c 3c / 9h 6s"), button(4, "8s 8h 8d 8c 4d / 6h Js"), button(5, queens)
    )
    assert paid == {"p2": "$10", "p4": "$5", "p5": "$5"}


@clause("ca.fpgp.settle.envy_not_own", "ca.fpgp.envy.not_own")
def test_no_envy_for_ones_own_hand() -> None:
    assert envious(button(4, QUADS)) == {}
    assert envious(button(5, ROYAL), dealer="Ac Ad Ah 2c 2h / Kc Kd") == {}


@clause("ca.fpgp.settle.envy_not_pd")
def test_no_envy_for_the_player_dealers_hand() -> None:
    kings = "Ks Kh Kd Kc 9h / As Ad"
    assert envious(button(2, PLAIN[0]), button(3, "Qc Jc 9s 5d 3d / Th 6c"), dealer=kings) == {}


@clause("ca.fpgp.envy.trigger_has_bonus")
def test_only_a_hand_with_a_fortune_wager_gives_envy() -> None:
    assert envious(button(2, PLAIN[0]), seat(4, QUADS, main="$5")) == {}
    assert envious(button(2, PLAIN[0]), button(4, QUADS, fortune="$3")) == {"p2": "$5"}


@clause("ca.fpgp.envy.seated_only")
def test_a_backline_bettor_holds_no_button() -> None:
    behind = (backline("back", fortune="$25", main="$5"),)
    third = seat(3, PLAIN[0], main="$5", behind=behind)
    assert envious(third, button(4, QUADS)) == {}


@clause("ca.fpgp.envy.all_buttons_win")
def test_every_button_wins() -> None:
    banker = "Ac Ad Ah 2c 2h / Kc Kd"
    buttons = [
        button(n, hand) for n, hand in enumerate((PLAIN[0], PLAIN[1], "Kh 8d 7d 7h 4h / Qh 8c"), start=1)
    ]
    assert envious(*buttons, button(5, ROYAL), dealer=banker) == {"p1": "$50", "p2": "$50", "p3": "$50"}


@clause("ca.fpgp.envy.fixed")
def test_envy_is_a_fixed_sum() -> None:
    assert envious(button(2, PLAIN[0], fortune="$100"), button(4, STRAIGHT_FLUSH)) == {"p2": "$20"}


@clause("ca.fpgp.envy.independent")
def test_envy_is_paid_whatever_became_of_the_game_wager() -> None:
    table = bank("$10,000", button(2, PLAIN[0]), button(4, QUADS), dealer=STRONG)
    assert gain(table, "main") == {"p2": "-$5", "p4": "-$5"}
    assert envy(table) == {"p2": "$5"}


@clause("ca.fpgp.envy.extent")
def test_envy_is_paid_as_far_as_the_cover_goes_from_the_action_seat() -> None:
    areas = (
        button(2, PLAIN[0]),
        button(3, "Kh Jd 9d 5s 3s / Ts 7c"),
        seat(4, QUADS, main="$5", fortune="$1"),
    )
    used = 15 + 10 + 25  # three game wagers and two bonuses collected, the quads paid 25 to 1
    table = bank(f"${used + 7}", *areas, dealer=STRONG, action=3)
    assert envy(table) == {"p3": "$5", "p2": "$2"}


@clause("ca.fpgp.envy.exhausted")
def test_without_cover_no_envy_is_paid_and_the_shortfall_is_recorded() -> None:
    aces = button(4, "Ac Ad Ah As Jk / 4c 2c", fortune="$1")
    table = bank("$5", button(2, PLAIN[0]), aces, dealer="Kc Kd Ks Kh 9h / 8c 8d")
    assert envy(table) == {}
    last = settled(table).shortfalls[-1]
    assert (last.person, last.owed, last.paid) == ("p2", 25000, 0)


@pytest.mark.parametrize(("stake", "paid"), [("$4.99", {}), ("$5", {"p2": "$5"}), ("$5.01", {"p2": "$5"})])
def test_a_button_is_earned_from_five_dollars_to_the_cent(stake: str, paid: dict[str, str]) -> None:
    assert envious(button(2, PLAIN[0], fortune=stake), button(4, QUADS, fortune="$1")) == paid


# --- larger tables ------------------------------------------------------------------------------


def test_a_table_of_nine_seats_is_settled_clockwise_from_the_action_seat_too() -> None:
    nine = rules(CA, {"table.seats": 9, "table.larger": True})
    areas = [seat(n, hand, main="$60") for n, hand in zip((8, 9, 1), WINS, strict=True)]
    table = deal(nine, BANKER, *areas, bank="$100", action=8)
    assert gain(table) == {"p8": "$60", "p9": "$40", "p1": "$0"}
