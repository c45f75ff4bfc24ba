"""Mistakes with money that public pai gow code has made, each a test of ours."""

from __future__ import annotations

import pytest

from houseway.money import Odds, cents
from houseway.settlement import settle
from tests.games.support import rules
from tests.settlement.support import deal, seat

DEALER = "Ks Kh Kd 8c / As Qc / Jh"


def nets(wager: str) -> dict[str, int]:
    """Return what each person gains on a wager beyond the stake."""
    table = deal(rules("pa-659a"), DEALER, seat(2, "3s 3h 8d 4h / Qd 5c / 7s", main="$10", fortune="$5"))
    gained: dict[str, int] = {}
    for payment in settle(table).payments:
        if payment.wager == wager:
            gained[str(payment.kind)] = payment.units // 10_000
    return gained


def test_a_lost_main_wager_does_not_touch_the_bonus() -> None:
    hand = seat(2, "9s 9h 4d 4c / 6h 5c / 3s", main="$10", fortune="$5")
    flush = seat(3, "Qs 8s 7h 6c / Js Ts / 2s", main="$10", fortune="$5")
    found = settle(deal(rules("pa-659a"), DEALER, hand, flush))
    by_area = {(p.position, p.wager, str(p.kind)): p.units // 10_000 for p in found.payments}
    assert by_area[(3, "main", "collect")] == cents("$10")
    assert by_area[(3, "fortune", "pay")] == cents("$20")
    assert by_area[(3, "fortune", "return")] == cents("$5")


def test_to_one_leaves_the_stake_out_and_for_one_has_it_in() -> None:
    stake = cents("$5")
    assert Odds.parse("4 to 1").returned(stake) == cents("$25")
    assert Odds.parse("4 for 1").returned(stake) == cents("$20")


def test_a_copy_is_lost_and_never_pushed() -> None:
    copied = seat(2, "Ac Kc Td 6d / Qd 9c / 8d", main="$10")
    found = settle(deal(rules("pa-659a"), "Ad Kd Th 6h / Qh 9h / 8h", copied))
    assert [str(p.kind) for p in found.payments] == ["collect"]


@pytest.mark.parametrize("wager", ["main", "fortune"])
def test_a_losing_wager_is_collected_once_and_whole(wager: str) -> None:
    assert nets(wager) == {"collect": {"main": 1000, "fortune": 500}[wager]}
