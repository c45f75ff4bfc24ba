"""What moves a tray: every account in its place, to the cent, and awards paid away past it."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from houseway.chips import Tray, apply_movements, award_reports, movements_of, stakes_of, standard_config
from houseway.chips.reports import awards_of
from houseway.ledger import (
    CAGE,
    DROP,
    INVENTORY,
    SEED,
    VARIANCE,
    Account,
    AccountKind,
    Movement,
    pending,
    player,
    pocket,
    units,
)
from houseway.money import Cents
from houseway.rounds.outcomes import Moves
from houseway.rounds.roles import Role
from houseway.rounds.state import Hand, Round, Table
from houseway.rounds.step import Actor, Event
from houseway.rounds.steps.settle import Settle, Settled
from houseway.settlement import Bettor
from houseway.settlement.model import Payment, PaymentKind

ANN, WAGER = player("Ann"), pending(2, "Ann", "main")
METER, RESERVE = Account(AccountKind.METER, "link"), Account(AccountKind.RESERVE, "link")
BANK, COLLECTIONS = Account(AccountKind.BANK, "Ann"), Account(AccountKind.COLLECTIONS)
CENT = 10_000
"""A cent in the units of the ledger."""
PLACES = {
    ANN: "people",
    WAGER: "layout",
    BANK: "layout",
    DROP: "box",
    INVENTORY: "value",
    METER: "value",
    RESERVE: "value",
    SEED: "value",
    COLLECTIONS: "value",
    CAGE: "away",
    pocket("Ann"): "away",
    VARIANCE: "away",
}


def amounts(tray: Tray) -> dict[str, int]:
    """Return what a tray has in each place that has something."""
    every = {
        "value": tray.value,
        "layout": tray.layout,
        "box": tray.box,
        "people": sum(tray.people.values()),
    }
    return {place: amount for place, amount in every.items() if amount}


def test_every_kind_of_account_has_its_place_at_a_table() -> None:
    assert {account.kind for account in PLACES} == set(AccountKind)


@pytest.mark.parametrize(("account", "place"), PLACES.items(), ids=str)
@pytest.mark.parametrize(("moved", "cents"), [(CENT - 1, 0), (CENT, 1), (CENT + 1, 1), (2 * CENT, 2)])
def test_what_moves_is_counted_in_whole_cents_where_it_lies(
    account: Account, place: str, moved: int, cents: int
) -> None:
    away = pocket("Bob")
    came = apply_movements(Tray(), [Movement(moved, away, account, "play")])
    assert amounts(came) == ({place: cents} if cents and place != "away" else {})
    if cents:
        assert apply_movements(came, [Movement(cents * CENT, account, away, "play")]) == Tray()


def test_a_tray_begins_with_nothing() -> None:
    tray = Tray()
    assert amounts(tray) == {} and tray.total == 0 and tray.in_play == 0 and not tray.inventory
    assert (tray.shift, tray.fills, tray.credits) == (0, 0, 0)
    figures = tray.figures
    assert (figures.opener, figures.fills, figures.credits, figures.cash_in) == (0, 0, 0, 0)
    assert (figures.cash_out, figures.closer, figures.variance, figures.win) == (0, 0, 0, 0)


def test_the_tray_is_listed_by_what_was_counted_and_what_moved_since() -> None:
    tray = Tray(counted={100: 5, 500: 2}, moved={500: -1, 2500: 3}, value=Cents(84_01))
    assert tray.inventory == {100: 5, 500: 1, 2500: 3} and tray.in_play == -99


# --- what an event of a round moves -------------------------------------------------------------------


def payment(kind: PaymentKind, cents: int, source: Account, to: Account, wager: str = "main") -> Payment:
    return Payment(kind, units(cents), source, to, 2, "Ann", wager, "because")


def event(outcome: Moves) -> Event[Settle, Moves]:
    by = Actor("Deb", Role.DEALER)
    at = datetime(2026, 1, 4, 12, tzinfo=UTC)
    return Event(seq=1, cause="c", round=1, at=at, by=by, action=Settle(2), outcome=outcome)


def settled(*payments: Payment, away: bool) -> Event[Settle, Moves]:
    return event(Settled(wagers=("main",), payments=payments, paid_away=away))


@pytest.mark.parametrize("source", [CAGE, METER, RESERVE, SEED, INVENTORY, WAGER], ids=str)
@pytest.mark.parametrize("to", [ANN, COLLECTIONS, BANK], ids=str)
@pytest.mark.parametrize("away", [False, True])
def test_an_award_paid_away_goes_from_the_cage_to_a_pocket_and_nothing_else_does(
    source: Account, to: Account, away: bool
) -> None:
    (movement,) = movements_of(settled(payment(PaymentKind.PAY, 5_00, source, to), away=away))
    award = away and to == ANN and source in (CAGE, METER, RESERVE)
    assert (movement.source, movement.to) == ((CAGE, pocket("Ann")) if award else (source, to))
    assert movement.units == units(5_00)


def test_stakes_payments_and_movements_of_an_event_all_move() -> None:
    stake = payment(PaymentKind.STAKE, 10_00, ANN, WAGER)
    fee = payment(PaymentKind.FEE, 1_00, ANN, COLLECTIONS)
    seed = Movement(units(7), SEED, METER, "seed")
    outcome = Moves(stakes=(stake,), payments=(fee,), movements=(seed,))
    assert movements_of(event(outcome)) == (stake.movement(), fee.movement(), seed)


@pytest.mark.parametrize("kind", PaymentKind)
def test_of_payments_only_fees_are_staked_by_a_person(kind: PaymentKind) -> None:
    outcome = Moves(payments=(payment(kind, 1_00, ANN, COLLECTIONS),))
    assert stakes_of([event(outcome)]) == ({"Ann": 1_00} if kind is PaymentKind.FEE else {})


@pytest.mark.parametrize(("back", "staked"), [(0, 10_00), (9_99, 1), (10_00, None), (10_01, None)])
def test_a_person_stakes_what_they_put_up_less_what_they_take_off(back: int, staked: int | None) -> None:
    up = payment(PaymentKind.STAKE, 10_00, ANN, WAGER)
    down = payment(PaymentKind.RETURN, back, WAGER, ANN)
    stakes = (up, down) if back else (up,)
    assert stakes_of([event(Moves(stakes=stakes))]) == ({"Ann": staked} if staked else {})


@pytest.mark.parametrize(("moved", "staked"), [(1, 0), (CENT - 1, 0), (CENT, 1), (CENT + 1, 1)])
def test_what_is_staked_is_counted_in_whole_cents(moved: int, staked: int) -> None:
    up = Payment(PaymentKind.STAKE, moved, ANN, WAGER, 2, "Ann", "main", "")
    assert stakes_of([event(Moves(stakes=(up,)))]) == {"Ann": staked}


@pytest.mark.parametrize(("up", "staked"), [(CENT, 0), (CENT + 1, 1), (2 * CENT, 1), (2 * CENT + 1, 2)])
def test_what_is_taken_off_first_counts_to_the_last_unit(up: int, staked: int) -> None:
    down = Payment(PaymentKind.RETURN, 1, WAGER, ANN, 2, "Ann", "main", "")
    again = Payment(PaymentKind.STAKE, up, ANN, WAGER, 2, "Ann", "main", "")
    assert stakes_of([event(Moves(stakes=(down, again)))]) == {"Ann": staked}


def test_nobody_stakes_by_an_event_that_moves_no_money() -> None:
    still = Event(
        seq=1,
        cause="c",
        round=1,
        at=datetime(2026, 1, 4, tzinfo=UTC),
        by=Actor("Deb", Role.DEALER),
        action=Settle(2),
        outcome=None,
    )
    assert stakes_of([still]) == {} and movements_of(still) == ()
    assert awards_of(Table("t1", "", ""), still) == ()


# --- what an event awards -----------------------------------------------------------------------------


def betting(wagers: dict[str, Cents]) -> Table:
    """Return a table where Ann has wagers at position 2, and Bob and Cat bet behind her."""
    behind = (Bettor("Cat", {"main": Cents(7_00)}), Bettor("Bob", {"main": Cents(3_00)}))
    return Table("t1", "", "", round=Round(number=1, hands={2: Hand(2, "Ann", wagers, behind=behind)}))


MAIN = {"main": Cents(10_00)}


@pytest.mark.parametrize("kind", PaymentKind)
def test_only_what_pays_a_player_is_an_award(kind: PaymentKind) -> None:
    won = awards_of(betting({}), settled(payment(kind, 5_00, INVENTORY, ANN), away=False))
    paying = kind in (PaymentKind.PAY, PaymentKind.ENVY, PaymentKind.RETURN)
    assert [(one.person, one.position, one.wager, one.won) for one in won] == [
        ("Ann", 2, "main", 5_00)
    ] * paying
    assert not awards_of(betting({}), settled(payment(kind, 5_00, INVENTORY, WAGER), away=False))


@pytest.mark.parametrize(("paid", "won"), [(9_99, []), (10_00, []), (10_01, [1]), (25_00, [15_00])])
def test_an_award_is_what_was_paid_beyond_the_wager_to_the_cent(paid: int, won: list[int]) -> None:
    awards = awards_of(betting(MAIN), settled(payment(PaymentKind.PAY, paid, INVENTORY, ANN), away=False))
    assert [(one.won, one.staked) for one in awards] == [(amount, 10_00) for amount in won]


def test_payments_on_one_wager_add_up_and_those_on_another_do_not() -> None:
    paid = (
        payment(PaymentKind.RETURN, 10_00, WAGER, ANN),
        payment(PaymentKind.PAY, 4_00, INVENTORY, ANN),
        payment(PaymentKind.PAY, 2_00, INVENTORY, ANN, "bonus"),
    )
    awards = awards_of(betting(MAIN), settled(*paid, away=False))
    assert {one.wager: (one.won, one.staked) for one in awards} == {"main": (4_00, 10_00), "bonus": (2_00, 0)}


@pytest.mark.parametrize(("person", "staked"), [("Ann", 10_00), ("Bob", 3_00), ("Cat", 7_00), ("Dan", 0)])
def test_everybody_at_a_hand_is_compared_with_their_own_wager(person: str, staked: int) -> None:
    paid = payment(PaymentKind.PAY, 20_00, INVENTORY, player(person))
    (award,) = awards_of(betting(MAIN), settled(paid, away=False))
    assert (award.won, award.staked) == (20_00 - staked, staked)


def test_who_has_no_hand_at_the_position_staked_nothing() -> None:
    paid = payment(PaymentKind.ENVY, 20_00, INVENTORY, ANN)
    (award,) = awards_of(Table("t1", "", ""), settled(paid, away=False))
    assert (award.won, award.staked) == (20_00, 0)


@pytest.mark.parametrize("to", [CAGE, INVENTORY], ids=str)
@pytest.mark.parametrize("kind", [PaymentKind.REVERSAL, PaymentKind.COLLECT])
def test_what_was_paid_by_hand_before_is_no_part_of_the_award(kind: PaymentKind, to: Account) -> None:
    paid = payment(PaymentKind.PAY, 20_00, INVENTORY, ANN)
    back = payment(kind, 15_00, ANN, to)
    (award,) = awards_of(betting({}), settled(paid, back, away=False))
    reversed_ = kind is PaymentKind.REVERSAL and to == CAGE
    assert award.won == (5_00 if reversed_ else 20_00)
    (earlier,) = awards_of(betting({}), settled(back, paid, away=False))
    assert earlier.won == award.won


@pytest.mark.parametrize(("paid", "won"), [(2 * CENT - 1, 1), (2 * CENT, 2), (2 * CENT + 1, 2)])
@pytest.mark.parametrize("back", [0, 3 * CENT])
def test_an_award_is_counted_in_whole_cents(paid: int, won: int, back: int) -> None:
    by_hand = Payment(PaymentKind.REVERSAL, back, ANN, CAGE, 2, "Ann", "main", "")
    award = Payment(PaymentKind.PAY, paid + back, INVENTORY, ANN, 2, "Ann", "main", "")
    moved = settled(*[by_hand] * bool(back), award, away=False)
    assert [one.won for one in awards_of(betting({}), moved)] == [won]


@pytest.mark.parametrize(("won", "reports"), [(1_999_99, []), (2_000_00, [2_000_00]), (2_000_01, [2_000_01])])
def test_the_reports_of_an_event_are_about_what_it_awards(won: int, reports: list[int]) -> None:
    paid = settled(payment(PaymentKind.PAY, won + 10, INVENTORY, ANN), away=False)
    table = betting({"main": Cents(10)})
    due = award_reports(standard_config().thresholds, date(2026, 1, 1), table, paid)
    assert [(one.threshold, one.amount) for one in due] == [("winnings", amount) for amount in reports]
