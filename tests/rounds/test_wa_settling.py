"""Washington's dealer's hand set and compared, wagers settled seat by seat, envy last, clause by clause."""

from __future__ import annotations

from datetime import datetime

import pytest

from houseway.cards import parse_cards
from houseway.ledger import units
from houseway.money import cents
from houseway.rng import SeededEntropy
from houseway.rounds.state import Phase
from houseway.settlement import PaymentKind
from tests.games.support import Changes
from tests.rounds.books import agrees_with_settlement, gained, net
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import house_way
from tests.rounds.table import TestTable, player, setting
from tests.rounds.washington import WAYS, bets_down, by_way, dealt, looked, opened_up, set_own, spot, whole

clause = pytest.mark.clause
FORTUNE = {"fortune": "$5"}
EVERY_SIDE = {"fortune": "$5", "insurance": "$5", "progressive": "$1"}
THREE = {spot(1): "winner", spot(2): "loser", spot(3): "two_pair"}


def settling(
    hands: dict[int, str],
    bets: dict[int, dict[str, str]] | None = None,
    way: str = "iverify_hwv",
    changes: Changes | None = None,
) -> TestTable:
    """Play until the first hand is to be opened."""
    return dealt(hands, bets, way, changes).play_on(Phase.SETTLING)


def paid(table: TestTable, wager: str, kind: PaymentKind, at: int) -> list[tuple[int, str]]:
    """Return the amounts of one kind that moved on a wager at a position, with what was said."""
    found = table.state.round.payments or (table.state.last.payments if table.state.last else ())
    return [(p.units, p.reason) for p in found if (p.wager, p.kind, p.position) == (wager, kind, at)]


# --- the dealer's hand -------------------------------------------------------------------------------


@by_way(
    iverify_hwv="wa.fap.iverify.8.reveal",
    iverify="wa.fap.iverify_nohwv.x1.reveal",
    led="wa.fap.led.7",
    dice_cup="wa.fap.dice.7",
)
def test_the_dealers_cards_are_turned_over_when_all_hands_are_set(way: str, law: str) -> None:
    table = looked(THREE, way=way)
    for at in THREE:
        assert law in table.refused("turn_over")
        table.hidden(player(at), 1)
        set_own(table, at)
    (event,) = table.do("turn_over")
    assert law in event.clauses
    assert table.sees(player(spot(1)), 1) == table.state.round.dealer_cards


@by_way(
    iverify_hwv="wa.fap.iverify.8.press",
    iverify="wa.fap.iverify_nohwv.x1.reveal",
    led="wa.fap.led.7",
    dice_cup="wa.fap.dice.7",
)
def test_a_dealers_hand_set_otherwise_than_the_house_way_is_not_accepted(way: str, law: str) -> None:
    table = dealt({4: "loser"}, way=way).play_on(Phase.DEALER)
    for wrong in ("QsQh8c8h / 7c3h / 2s", "8c8h3h2s / QsQh / 7c"):
        assert law in table.refused("set_dealer", setting=setting(wrong))
    table.refused("set_dealer", setting=setting("QsQh3h / 8c8h2s / 7c"))
    table.do("set_dealer", setting=setting("QhQs2s3h / 8h8c / 7c"))
    pressed = dealt({4: "loser"}, way=way).play_on(Phase.DEALER)
    pressed.do("set_dealer")
    assert pressed.state.round.dealer_setting == house_way(pressed, 1)


@clause("wa.fap.iverify_nohwv.x1.reveal")
def test_no_hand_is_compared_before_the_dealers_is_set() -> None:
    law = "wa.fap.iverify_nohwv.x1.reveal"
    table = looked({4: "winner"}, way="iverify")
    assert law in table.refused("reveal", at=4)
    set_own(table, 4).do("turn_over")
    assert law in table.refused("reveal", at=4)
    table.do("set_dealer")
    assert value_of(table.do("reveal", at=4)[0], "announced") == "win"


@clause("wa.fap.iverify.8.show")
def test_the_display_names_the_low_and_the_mid_cards_and_the_rest_is_high() -> None:
    cards = "9s 9h 4d 2c Kd 8c Qh"
    table = dealt({1: cards, 4: "Jc Tc 7h 6c 5h 3c 2h"}).play_on(Phase.DEALER)
    (event,) = table.do("set_dealer")
    assert "wa.fap.iverify.8.show" in event.clauses
    high, mid, low = value_of(event, "setting")
    assert (set(low), set(mid)) == (set(parse_cards("Qh")), set(parse_cards("Kd 8c")))
    assert set(high) == set(parse_cards(cards)) - set(low) - set(mid) == set(parse_cards("9s 9h 4d 2c"))


# --- the Fortune Bonus and its lammers ---------------------------------------------------------------


@clause("wa.fap.fortune.a")
def test_a_qualifying_hand_is_paid_by_the_posted_paytable() -> None:
    own = {
        "name": "our own",
        "wager": "fortune",
        "version": "1",
        "effective": datetime(2016, 1, 1),
        "lines": [{"hand": "flush", "pays": "6 to 1"}],
    }
    posted: Changes = {"wagers.fortune": {"min": "$1", "max": "$100", "own_paytable": own}}
    cases: tuple[tuple[Changes, str, str], ...] = (({}, "4 to 1", "$20"), (posted, "6 to 1", "$30"))
    for changes, odds, won in cases:
        table = opened_up(settling({4: "flush"}, {4: FORTUNE}, changes=changes), 4)
        (event,) = table.do("settle", at=4, wager="fortune")
        assert "wa.fap.fortune.a" in event.clauses
        assert paid(table, "fortune", PaymentKind.PAY, 4) == [(units(cents(won)), f"flush pays {odds}")]
        assert net(value_of(event, "payments"))["inventory"] == -units(cents(won))
        assert whole(table.play_on(rounds=1))


@clause("wa.fap.fortune.b")
def test_a_hand_that_does_not_qualify_loses_the_fortune_bet() -> None:
    for held in ("Ks Kd 9h 9c 5s 4d 2h", "loser"):
        table = opened_up(settling({4: held}, {4: FORTUNE}), 4)
        (event,) = table.do("settle", at=4, wager="fortune")
        assert "wa.fap.fortune.b" in event.clauses
        assert [units_ for units_, _ in paid(table, "fortune", PaymentKind.COLLECT, 4)] == [
            units(cents("$5"))
        ]
        assert not paid(table, "fortune", PaymentKind.PAY, 4)
        table.refused("settle", at=4, wager="fortune")
        assert whole(table.play_on(rounds=1))


@clause("wa.fap.fortune.a.i")
def test_the_lammer_stays_beside_a_fortune_bet_that_was_paid() -> None:
    table = opened_up(settling({2: "flush", 6: "loser"}, {2: FORTUNE}), 2)
    table.do("settle", at=2, wager="fortune")
    assert paid(table, "fortune", PaymentKind.PAY, 2) and table.state.round.lammers == {2}
    table.refused("clear_lammers")
    table.do("rack", at=2)
    assert table.state.round.lammers == {2}
    table.play_on(without=["clear_lammers"])
    assert table.state.round.lammers == {2}
    assert "wa.fap.fortune.a.i" in table.do("clear_lammers")[0].clauses


@clause("wa.fap.fortune.a.i.hold")
@pytest.mark.parametrize("way", WAYS)
def test_no_lammer_is_picked_up_before_every_wager_is_reconciled(way: str) -> None:
    law = "wa.fap.fortune.a.i.hold"
    bets = {2: EVERY_SIDE, 4: EVERY_SIDE}
    table = settling({2: "loser", 4: "quads", 6: "winner"}, bets, way)
    for at in (2, 4, 6):
        assert law in table.refused("clear_lammers")
        opened_up(table, at)
        for wager in ("fortune", "insurance", "progressive"):
            if at != 6:
                assert law in table.refused("clear_lammers")
                table.do("settle", at=at, wager=wager)
        table.play_on(without=["reveal", "clear_lammers", "pay_envy", "close_round"])
    assert law in table.refused("clear_lammers")  # envy is still owed
    table.do("pay_envy", wager="fortune")
    table.play_on(without=["clear_lammers"])
    table.refused("close_round")
    table.do("clear_lammers")
    table.do("close_round")
    assert whole(table)


@clause("wa.fap.fortune.b.i")
@pytest.mark.parametrize(("loser", "holder"), [(spot(2), spot(5)), (spot(5), spot(2))])
def test_a_lost_fortune_bet_still_earns_envy(loser: int, holder: int) -> None:
    law = "wa.fap.fortune.b.i"
    table = settling({loser: "loser", holder: "quads"}, {loser: FORTUNE})
    for at in sorted((loser, holder)):
        unsettled = "fortune" not in table.state.round.hands[loser].settled
        assert (law in table.refused("pay_envy", wager="fortune")) is unsettled
        table.do("reveal", at=at)
        table.play_on(without=["reveal", "pay_envy"])
    assert paid(table, "fortune", PaymentKind.COLLECT, loser) and table.state.round.lammers == {loser}
    table.do("pay_envy", wager="fortune")
    assert [amount for amount, _ in paid(table, "fortune", PaymentKind.ENVY, loser)] == [units(cents("$5"))]
    table.play_on(without=["clear_lammers"])
    assert law in table.do("clear_lammers")[0].clauses
    assert agrees_with_settlement(table.play_on(rounds=1))


def test_envy_waits_for_the_last_fortune_bet_and_is_paid_for_every_other_players_hand() -> None:
    hands = {2: "quads", 4: "9d 8d 7d 6d 5d Kc 2d", 6: "Jc 9h 7h 6c 5h 3c 2h"}
    table = settling(hands, dict.fromkeys(hands, FORTUNE))
    table.play_on(without=["pay_envy", "settle"])
    table.do("settle", at=2, wager="all")
    table.refused("pay_envy", wager="fortune")
    table.play_on(without=["pay_envy"])
    table.do("pay_envy", wager="fortune")
    envy = {at: sum(amount for amount, _ in paid(table, "fortune", PaymentKind.ENVY, at)) for at in hands}
    assert envy == {2: units(cents("$20")), 4: units(cents("$5")), 6: units(cents("$25"))}
    table.refused("pay_envy", wager="fortune")
    assert agrees_with_settlement(table.play_on(rounds=1))


# --- seat by seat ------------------------------------------------------------------------------------


@clause("wa.fap.insurance.timing", "wa.prog.7.same_time")
@pytest.mark.parametrize("way", WAYS)
def test_a_seat_is_closed_when_all_its_wagers_are_settled_and_then_the_next_is_opened(way: str) -> None:
    laws = {"wa.fap.insurance.timing", "wa.prog.7.same_time"}
    table = settling({2: "loser", 5: "two_pair"}, {2: EVERY_SIDE, 5: FORTUNE}, way)
    table.refused("reveal", at=5)
    table.do("reveal", at=2)
    for wager in ("main", "fortune", "insurance", "progressive"):
        assert laws <= set(table.refused("rack", at=2))
        assert laws <= set(table.refused("reveal", at=5))
        table.do("settle", at=2, wager=wager)
        if wager == "main":
            table.do("rearrange", at=2)
    table.do("rack", at=2)
    table.do("reveal", at=5)
    table.refused("settle", at=5, wager="fortune")  # the main wager comes first
    assert agrees_with_settlement(table.play_on(rounds=1))


@pytest.mark.parametrize("way", WAYS)
def test_seats_are_settled_from_the_dealers_right_each_whole(way: str) -> None:
    everybody = {at: {"main": "$10", **EVERY_SIDE} for at in range(2, 8)}
    for seed in range(4):
        table = bets_down(everybody, way)
        table.live.entropy = table.live.vault.entropy = SeededEntropy(f"{way} {seed}")
        table.play_on(rounds=1)
        done = [event.position for event in table.log if event.step in ("reveal", "settle")]
        assert done == sorted(done, key=lambda at: at or 0) and set(done) == set(range(2, 8))
        assert agrees_with_settlement(table) and whole(table)


# --- money -------------------------------------------------------------------------------------------


MONEY_LAW = {
    "iverify_hwv": ("wa.fap.iverify.11", "wa.fap.iverify.12"),
    "iverify": ("wa.fap.iverify_nohwv.9", "wa.fap.iverify_nohwv.10"),
    "led": ("wa.fap.led.10", "wa.fap.led.11"),
    "dice_cup": ("wa.fap.dice.10", "wa.fap.dice.11"),
}
PAID: dict[int, tuple[str, dict[str, str], str]] = {
    2: ("winner", {"main": "$25", "fortune": "$5"}, "$55"),  # main 1 to 1, and envy of the quads
    3: ("loser", {"main": "$25", "insurance": "$5"}, "$55"),  # jack-high: insurance 10 to 1
    4: ("quads", {"main": "$10", "fortune": "$5", "progressive": "$1"}, "$205"),  # 25 to 1, and 75 for 1
    5: ("flush", {"main": "$10", "fortune": "$5"}, "$50"),  # main 1 to 1, 4 to 1, and envy of the quads
    6: ("two_pair", {"main": "$100", "insurance": "$5", "progressive": "$1"}, "$200"),  # main 1 to 1
}
"""What each hand holds and bets, and what its player has in hand when the round is over."""


@pytest.mark.parametrize("way", [pytest.param(way, marks=clause(*law)) for way, law in MONEY_LAW.items()])
def test_every_player_is_paid_to_the_cent_by_every_procedure(way: str) -> None:
    wins, loses = MONEY_LAW[way]
    table = dealt({at: row[0] for at, row in PAID.items()}, {at: row[1] for at, row in PAID.items()}, way)
    table.play_on(rounds=1)
    for at, (_, _, paid_out) in PAID.items():
        assert gained(table, at) == cents(paid_out), at
    assert table.state.last is not None
    moved = net(table.state.last.payments)
    bets = sum(cents(amount) for _, wagers, _ in PAID.values() for amount in wagers.values())
    house = bets - sum(cents(paid_out) for _, _, paid_out in PAID.values())
    kept = sum(moved.get(account, 0) for account in ("inventory", "meter:progressive", "reserve:progressive"))
    assert kept == units(house)
    main = {p.position: p for p in table.state.last.payments if p.wager == "main"}
    assert wins in main[2].clauses and loses in main[3].clauses
    assert agrees_with_settlement(table) and whole(table)


@pytest.mark.parametrize("way", WAYS)
def test_a_share_of_the_meter_is_paid_to_the_cent_by_every_procedure(way: str) -> None:
    table = dealt({4: "five_aces"}, {4: {"progressive": "$1"}}, way).play_on(rounds=1)
    assert gained(table, 4) == cents("$20") + cents("$1,000.02")
    assert table.state.meter is not None and table.state.meter.showing == cents("$9,000.22")


# --- fouls -------------------------------------------------------------------------------------------


FOULS = {
    "iverify_hwv": ("As 9s 6s 3s 2s 5h 5d", "As9s6s5h / 3s2s / 5d", "$20"),
    "iverify": ("9s 9h 9d Kc 7d 4h 2s", "Kc7d4h2s / 9s9h / 9d", "$15"),
    "led": ("8s 8h 8d 8c Kd 5h 2s", "Kd8s5h2s / 8h8d / 8c", "$125"),
    "dice_cup": ("9s 8h 7d 6c 5s Kd 2h", "9s8h6c2h / 7d5s / Kd", "$10"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_foul_loses_the_main_bet_and_nothing_else(way: str) -> None:
    cards, how, won = FOULS[way]
    dealers = "Th Tc 4c 3c 3d Jc 7c"
    table = looked({1: dealers, 4: cards, 5: "Qc Jd 9c 7h 6h 4s 2c"}, {4: EVERY_SIDE, 5: FORTUNE}, way)
    table.do("set", player(4), 4, setting=setting(how))
    table.play_on(without=["clear_lammers"])
    race = table.state.round.hands[4].race
    assert race is not None and race.fouls and race.result == "lose"
    assert [units_ for units_, _ in paid(table, "main", PaymentKind.COLLECT, 4)] == [units(cents("$10"))]
    assert [units_ for units_, _ in paid(table, "fortune", PaymentKind.PAY, 4)] == [units(cents(won))]
    assert 4 in table.state.round.lammers
    if way == "led":  # four of a kind: the progressive pays its 75 for 1, and the other player envies it
        assert [units_ for units_, _ in paid(table, "progressive", PaymentKind.PAY, 4)] == [
            units(cents("$75"))
        ]
        assert [units_ for units_, _ in paid(table, "fortune", PaymentKind.ENVY, 5)] == [units(cents("$5"))]
    assert agrees_with_settlement(table.play_on(rounds=1))


@pytest.mark.parametrize(("reading", "won"), [("stays", "$30"), ("loses", "$0")])
def test_insurance_on_a_fouled_hand_follows_the_reading_that_was_chosen(reading: str, won: str) -> None:
    changes: Changes = {"readings.wa_foul_insurance": reading}
    hands = {4: "Kd Jc 9d 7h 5h 3c 4s"}
    table = looked(hands, {4: {"insurance": "$5"}}, changes=changes)
    table.do("set", player(4), 4, setting=setting("Jc5h4s3c / Kd9d / 7h"))
    assert agrees_with_settlement(table.play_on(rounds=1))
    assert gained(table, 4) == cents(won)


def test_a_fouled_hand_with_a_lammer_is_paid_envy_too() -> None:
    table = looked({2: "two_pair", 4: "quads"}, {2: FORTUNE})
    table.do("set", player(2), 2, setting=setting("9h9c5s4d / KsKc / Js"))
    table.play_on(rounds=1)
    assert gained(table, 2) == cents("$5")
    assert agrees_with_settlement(table)
