"""What each payment cites: the narrowest sentence that decides it, and no other."""

from __future__ import annotations

from functools import partial

import pytest

from houseway.settlement import Area, Payment, PaymentKind
from tests.rounds.washington import WAYS
from tests.settlement.support import abandoned, deal, rules, seat, settled

ASIA, SIX, WA, CA = "pa-659a", "pa-670a", "wa-fap", "ca-fpgp"
DEALER = "Ad Qh Td 6c / Kc 7d / 4d"
SIX_DEALER = "9s 9h 7c 5d 2d / 8h"
FOUL = "Kd 9d 5h 2s / 9s 9h / 5c"
SIX_HAND = "Ac Jh 9c 8d 3d / Td"


def cited(payments: tuple[Payment, ...], wager: str) -> list[tuple[str, ...]]:
    """Return the clauses of each payment of a wager, in order."""
    return [payment.clauses for payment in payments if payment.wager == wager]


# --- a player who left --------------------------------------------------------------------------------


SEVEN_LEFT, SIX_LEFT = partial(abandoned, 2, FOUL), partial(abandoned, 2, SIX_HAND)


@pytest.mark.parametrize(
    ("game", "dealer", "left", "law"),
    [
        ("pa-575", DEALER, SEVEN_LEFT(main="$5", bonus="$5"), "pa575.7.b.s3"),
        (ASIA, DEALER, SEVEN_LEFT(main="$5", fortune="$5", insurance="$5"), "pa659a.7.b.s3"),
        (SIX, SIX_DEALER, SIX_LEFT(main="$5", double_down="$5", fortune="$5"), "pa670a.7.b.s3"),
    ],
)
def test_wagers_held_abandoned_are_lost_by_the_sentence_on_players_who_leave(
    game: str, dealer: str, left: Area, law: str
) -> None:
    payments = settled(deal(rules(game), dealer, left)).payments
    assert sorted(p.wager for p in payments) == sorted(left.bettor.wagers)
    assert {p.clauses for p in payments} == {(law,)}


# --- a foul -------------------------------------------------------------------------------------------


def test_a_side_wager_that_a_foul_forfeits_cites_the_foul() -> None:
    hand = seat(2, FOUL, main="$5", fortune="$5", insurance="$5")
    payments = settled(deal(rules(ASIA, None, foul_keeps_side_wagers="forfeits"), DEALER, hand)).payments
    assert "pa659a.11.f.1.iii" in payments[0].clauses
    assert {p.clauses for p in payments} == {payments[0].clauses}


def test_insurance_that_a_foul_loses_in_washington_cites_the_foul_and_the_fortune_bonus_its_own() -> None:
    hand = seat(2, FOUL, main="$5", fortune="$5", insurance="$5")
    payments = settled(deal(rules(WA, None, wa_foul_insurance="loses"), DEALER, hand)).payments
    assert cited(payments, "insurance") == cited(payments, "main")
    assert "wa.fap.iverify.6.foul" in cited(payments, "main")[0]
    assert all("wa.fap.iverify.6.foul" not in law for law in cited(payments, "fortune"))


# --- ties ---------------------------------------------------------------------------------------------

TIES = {
    "iverify_hwv": ("wa.fap.overview.ties", "wa.fap.iverify.10", "wa.fap.iverify.12.a"),
    "iverify": ("wa.fap.overview.ties", "wa.fap.iverify_nohwv.8", "wa.fap.iverify_nohwv.10.a"),
    "led": ("wa.fap.overview.ties", "wa.fap.led.9", "wa.fap.led.11.a"),
    "dice_cup": ("wa.fap.overview.ties", "wa.fap.dice.9", "wa.fap.dice.11.a"),
}


@pytest.mark.parametrize(
    ("hand", "tie_decides"),
    [
        ("Ks Qd 9c 5d / Jh 7s / 3c", False),
        ("Ks Qd 9c 5d / Jh 7s / 4c", False),
        ("As Qd Tc 5d / Kh 9s / 2c", False),
        ("As Qd Tc 5d / Kh 9s / 4c", True),
        ("As Qd Tc 6d / Kh 7s / 9c", True),
        ("As Qd Tc 6d / Kh 7s / 3c", True),
        ("As Qd Tc 6d / Kh 7s / 4c", True),
    ],
    ids=["LLL", "LLT", "LWL", "LWT", "TTW", "TTL", "TTT"],
)
@pytest.mark.parametrize("way", sorted(TIES))
def test_a_loss_in_washington_cites_the_tie_rule_where_a_tie_decides_and_only_there(
    way: str, hand: str, tie_decides: bool
) -> None:
    table = deal(rules(WA, WAYS[way]), DEALER, seat(2, hand, main="$5"))
    ((law),) = cited(settled(table).payments, "main")
    ties = TIES[way]
    assert [one in law for one in ties] == [tie_decides] * len(ties)
    assert "wa.fap.overview.main_loses" in law


# --- the Double Down ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "dealer", "law"),
    [
        ("Ts Th Kc 4d 3d / 9c", SIX_DEALER, [("pa670a.11.g.1",), ("pa670a.11.g.1", "pa670a.12.a.s2")]),
        ("Ts Th Kc 4d 3d / 6c", SIX_DEALER, [("pa670a.11.g.1",)]),
        ("6s 6h Kc 4d 3d / Tc", SIX_DEALER, [("pa670a.11.g.1",)]),
        ("6s 6h Kc 4d 3d / 2c", SIX_DEALER, [("pa670a.11.g.1",)]),
        ("Ts Th Kc 4d 3d / 9c", "7s 7h 6c 5d 2d / 8h", [("pa670a.11.g.2",)]),
    ],
    ids=["win", "tie, low", "tie, high", "loss", "no pair of eights"],
)
def test_a_double_down_cites_the_odds_only_for_what_they_pay(
    hand: str, dealer: str, law: list[tuple[str, ...]]
) -> None:
    table = deal(rules(SIX), dealer, seat(2, hand, main="$5", double_down="$5"))
    assert cited(settled(table).payments, "double_down") == law


# --- the Envy Bonus ---------------------------------------------------------------------------------------

QUADS, STRAIGHT_FLUSH = "8s 8h 8d 8c / Kd 5c / 2s", "6h 5h 4h 3h / 7h Qc / Tc"
SEVERAL = {ASIA: "pa659a.11.h.1.ii.s3", WA: "wa.fap.fortune.envy_multiple"}


@pytest.mark.parametrize("game", SEVERAL)
def test_only_from_the_second_on_an_envy_bonus_rests_on_the_sentence_on_several(game: str) -> None:
    envious = seat(2, "Ks Qd 9c 5d / Jh 7s / 4c", main="$5", fortune="$5")
    areas = envious, seat(4, QUADS, main="$5"), seat(5, STRAIGHT_FLUSH, main="$5")
    payments = settled(deal(rules(game), DEALER, *areas)).payments
    laws = [payment.clauses for payment in payments if payment.kind is PaymentKind.ENVY]
    assert [SEVERAL[game] in law for law in laws] == [False, True]


# --- a bank that does not cover a winner ----------------------------------------------------------------

BANKER = "Ts Th 9d 6c 3s / Qd 8c"
WINS = ("Jc Js 7d 5h 2c / Ah 4s", "Jd Jh 7s 5c 2d / As 4h", "Qc Qs 7h 6d 2s / Ad 3h")
EXHAUSTED = ("ca.fpgp.type.exhausted_return", "ca.fpgp.deal.settle.exhausted")


def test_a_winner_that_the_bank_does_not_cover_gets_the_wager_back_by_the_exhaustion_sentence() -> None:
    areas = [seat(at, WINS[at - 1], main=amount) for at, amount in ((1, "$60"), (2, "$60"), (3, "$20"))]
    payments = settled(deal(rules(CA), BANKER, *areas, bank="$100", action=1)).payments
    whole, part, none = ([p for p in payments if p.position == at] for at in (1, 2, 3))
    assert all("ca.fpgp.settle.win" in p.clauses and not set(EXHAUSTED) & {*p.clauses} for p in whole)
    assert [p.reason.endswith("stake back") for p in whole] == [True, False]
    back, paid = part
    assert "as far as the bank covers it" in paid.reason and paid.clauses[-2:] == EXHAUSTED
    assert "ca.fpgp.settle.win" in paid.clauses and back.clauses[-2:] == EXHAUSTED
    (returned,) = none
    assert (returned.reason, returned.clauses) == ("not covered by the bank: stake back", EXHAUSTED)


def test_a_loser_that_the_bank_does_not_cover_gets_the_rest_back_by_the_exhaustion_sentence() -> None:
    loses = "9c 9h Kd 5s 3c / 8h 4c"
    areas = seat(1, loses, main="$60", fortune="$60"), seat(2, WINS[0], main="$20")
    payments = settled(deal(rules(CA), BANKER, *areas, bank="$100", action=1)).payments
    lost = [(p.wager, p.kind.value, p.clauses) for p in payments if p.position == 1]
    assert [(wager, kind) for wager, kind, _ in lost] == [
        ("main", "collect"),
        ("fortune", "collect"),
        ("fortune", "return"),
    ]
    assert lost[-1][2] == ("ca.fpgp.bonus.exhausted",)
    (taken, back) = settled(
        deal(rules(CA), BANKER, seat(1, loses, main="$60"), bank="$40", action=1)
    ).payments[:2]
    assert (taken.kind.value, back.kind.value, back.clauses) == ("collect", "return", EXHAUSTED)
    assert not set(EXHAUSTED) & {*taken.clauses}


def test_a_fortune_bonus_and_an_envy_bonus_that_the_bank_does_not_cover_cite_their_own_sentences() -> None:
    quads, straight = "8s 8h 8d 8c 4d / Qh Js", "Ks Qc Jc Tc 9h / 5c 3d"
    areas = (seat(1, quads, main="$5", fortune="$10"), seat(2, straight, main="$5", fortune="$10"))
    settlement = settled(deal(rules(CA), "Ac Ad Ah 7s Jk / Kc Kd", *areas, bank="$110", action=1))
    fortune = [p for p in settlement.payments if p.wager == "fortune"]
    part = [p for p in fortune if p.position == 1 and p.kind == "pay"]
    assert [p.clauses[-1] for p in part] == ["ca.fpgp.bonus.exhausted"]
    assert [p.clauses for p in fortune if p.position == 2] == [("ca.fpgp.bonus.exhausted",)]
    unpaid = {short.kind.value: short.clauses for short in settlement.shortfalls}
    assert unpaid == {"pay": ("ca.fpgp.bonus.exhausted",), "envy": ("ca.fpgp.envy.exhausted",)}
