"""Collection fees at a table: who pays, on what, and that nothing else of the round touches them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace as changed

from houseway.games import rules_for
from houseway.ledger import COLLECTIONS, Ledger, total, units
from houseway.money import cents
from houseway.rng import SeededEntropy
from houseway.rounds.auto import auto_round
from houseway.rounds.explain import finished_round
from houseway.rounds.replay import verify_replay
from houseway.settlement import (
    Area,
    Banker,
    Bettor,
    PaymentKind,
    Showdown,
    all_payments,
    settle,
    take_fees,
)
from tests.games.support import Changes, submission
from tests.settlement.support import post


def table(schedule: int, bank: str = "$2,000", **readings: str) -> Showdown:
    """Six seats with $20 on the game and $10 on the bonus under a schedule."""
    changes: Changes = {"collection_schedule": schedule, "readings": readings}
    changes["acknowledged"] = ["ca.fpgp.collect.review.zero"]
    rules = rules_for(submission("ca-fpgp", changes))
    played = verify_replay(auto_round(rules, SeededEntropy(schedule))).last
    assert played is not None
    found = finished_round(rules, played)
    wagers = {"main": cents("$20"), "fortune": cents("$10")}
    areas = tuple(changed(a, bettor=Bettor(a.person, wagers)) for a in found.areas)
    return changed(found, areas=areas, banker=Banker("Ann", cents(bank)))


def fees(round_: Showdown) -> dict[tuple[int, str], int]:
    return {(p.position, p.person): p.units // 10_000 for p in take_fees(round_)}


def test_each_player_and_the_player_dealer_pay_by_the_schedule() -> None:
    found = fees(table(40))
    assert found[(0, "Ann")] == cents("$1")  # total action $180
    assert {fee for (seat, _), fee in found.items() if seat} == {cents("$0.50")}  # $30 a player
    assert set(fees(table(37))) == {
        (0, "Ann"),
        *((n, name) for n, name in enumerate(["Bob", "Cleo", "Dan", "Eve", "Finn", "Gus"], 2)),
    }


def test_players_pay_nothing_under_a_zero_collection_schedule() -> None:
    assert set(fees(table(7))) == {(0, "Ann")}


def test_a_fee_on_each_wager_or_on_their_sum_is_a_reading() -> None:
    two = table(37, ca_player_fee_basis="each_wager")
    assert fees(two)[(2, "Bob")] == cents("$1")
    assert fees(table(37))[(2, "Bob")] == cents("$0.50")


def seats_of_one(round_: Showdown) -> Showdown:
    first, second = round_.areas[:2]
    return changed(round_, areas=(first, changed(second, bettor=Bettor(first.person, second.bettor.wagers))))


def test_two_seats_of_one_person_pay_one_fee_or_two_as_read() -> None:
    assert fees(seats_of_one(table(37)))[(2, "Bob")] == cents("$1")  # $60 together
    apart = take_fees(seats_of_one(table(37, ca_player_fee_several_seats="per_seat")))
    assert [p.units for p in apart if p.position] == [units(cents("$0.50"))] * 2


def backed(round_: Showdown) -> Showdown:
    behind = Bettor("Zoe", {"main": cents("$40")}, backline=True)
    first: Area = changed(round_.areas[0], behind=(behind,))
    return changed(round_, areas=(first,))


def test_a_backline_bettor_pays_his_own_fee_or_with_the_seat_as_read() -> None:
    assert fees(backed(table(37))) == {(2, "Bob"): 50, (2, "Zoe"): 50, (0, "Ann"): 50}
    assert fees(backed(table(37, ca_backline_fee="with_seat"))) == {(2, "Bob"): 100, (0, "Ann"): 50}


def test_action_below_the_first_band_opens_no_round_unless_read_otherwise() -> None:
    small = {"main": cents("$4")}
    for reading, opens in (("refuse", False), ("no_fee", True)):
        found = table(2, ca_action_below_first_band=reading)
        one = changed(found, areas=(changed(found.areas[0], bettor=Bettor("Bob", small)),))
        if opens:
            assert take_fees(one) == ()
        else:
            with pytest.raises(Exception, match="no posted player dealer rate"):
                take_fees(one)


def test_action_in_the_first_band_pays_its_fee_however_less_is_read() -> None:
    for reading in ("refuse", "no_fee"):
        found = table(2, ca_action_below_first_band=reading)
        least = changed(found.areas[0], bettor=Bettor("Bob", {"main": cents("$5")}))
        assert fees(changed(found, areas=(least,))) == {(0, "Ann"): cents("$0.50")}


def test_fees_go_to_the_collections_and_use_up_no_coverage() -> None:
    found = table(40, bank="$30")
    ledger = post(Ledger(), "r", found, settle(found))
    assert total(ledger) == 0
    assert ledger.balance(COLLECTIONS) == sum(p.units for p in take_fees(found))
    assert all(p.kind is PaymentKind.FEE for p in take_fees(found))


def test_a_wager_without_action_keeps_or_loses_its_fee_as_read() -> None:
    for reading, back in (("no_refund", False), ("refund", True)):
        found = table(40, bank="$1", ca_fee_without_action=reading)
        ledger = post(Ledger(), "r", found, settle(found))
        assert (ledger.balance(COLLECTIONS) < sum(p.units for p in take_fees(found))) is back
        refunded = {p.kind for p in all_payments(found, settle(found)) if p.source == COLLECTIONS}
        assert refunded == ({PaymentKind.RETURN} if back else set())


def test_coverage_within_a_seat_is_for_the_seated_player_first_or_in_proportion() -> None:
    for reading, collected in (("seated_first", [30, 0]), ("pro_rata", [10, 20])):
        found = backed(table(40, bank="$30", ca_backline_coverage=reading))
        loser = next(
            changed(found, areas=(changed(found.areas[0], cards=a.cards, setting=a.setting),))
            for a in table(40).areas
            if settle(changed(found, areas=(changed(found.areas[0], cards=a.cards, setting=a.setting),)))
            .races[2]
            .result
            == "lose"
        )
        bettors = (changed(loser.areas[0].bettor, wagers={"main": cents("$20")}), *loser.areas[0].behind)
        area = changed(loser.areas[0], bettor=bettors[0], behind=bettors[1:])
        taken = [p for p in settle(changed(loser, areas=(area,))).payments if p.kind is PaymentKind.COLLECT]
        amounts = {p.person: p.units // 1_000_000 for p in taken}
        seated = min(20, collected[0]) if reading == "seated_first" else collected[0]
        assert (amounts["Bob"], amounts["Zoe"]) == (seated, 30 - seated)
