"""What holds of every settlement, whatever the table."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from houseway.errors import IllegalError
from houseway.ledger import (
    COLLECTIONS,
    INVENTORY,
    SEED,
    AccountKind,
    Ledger,
    LedgerEntry,
    Movement,
    WagerState,
    open_wagers,
    player,
    total,
    units,
)
from houseway.settlement import Payment, PaymentKind, settle
from tests.settlement.oracle import CENT, Table, bank_owes, envy, fees, settle_by_hand
from tests.settlement.support import post
from tests.settlement.tables import GAMES, Dealt, deal
from tests.settlement.test_oracle import held_by, staked

ROUND = "round 1"
METERED = GAMES[1:4]
seeds = st.integers(min_value=0, max_value=10**9)
often = settings(max_examples=60, deadline=None)


def opened(dealt: Dealt) -> Ledger:
    """A ledger whose meter and reserve hold what they hold before the round."""
    meter = dealt.round.meter
    if meter is None:
        return Ledger()
    held = ((meter.value, meter.terms.account), (meter.reserve, meter.terms.reserve_account))
    return Ledger().post(
        LedgerEntry("open", tuple(Movement(n, SEED, to, "as before") for n, to in held if n))
    )


def posted(dealt: Dealt) -> Ledger:
    return post(opened(dealt), ROUND, dealt.round, settle(dealt.round))


def decided_by_the_law(dealt: Dealt, payment: Payment) -> bool:
    """Whether a payment decides a wager by a rule, and not by a void or a decision of the floor."""
    if payment.kind not in (PaymentKind.PAY, PaymentKind.COLLECT, PaymentKind.ENVY) or dealt.table.void:
        return False
    return "abandoned" not in payment.reason and "void" not in payment.reason


@pytest.mark.parametrize("game", GAMES)
@often
@given(seed=seeds)
def test_a_posted_settlement_balances_and_ends_every_wager(game: str, seed: int) -> None:
    dealt = deal(game, seed)
    ledger = posted(dealt)
    assert total(ledger) == 0
    assert open_wagers(ledger) == ()
    placed = sum(len(bet.wagers) for hand in dealt.table.hands for bet in hand.bets)
    ended = WagerState.VOIDED if dealt.table.void else WagerState.POSTED
    assert list(ledger.wagers.values()) == [ended] * placed
    assert all(ledger.balance(account) == 0 for account in ledger.wagers)
    assert all(held == 0 for account, held in ledger.balances.items() if account.kind is AccountKind.BANK)


@pytest.mark.parametrize("game", GAMES)
@often
@given(seed=seeds)
def test_the_ledger_holds_what_the_settlement_says(game: str, seed: int) -> None:
    dealt = deal(game, seed)
    ledger, meter = posted(dealt), settle(dealt.round).meter
    wanted = settle_by_hand(dealt.table)
    due = fees(dealt.table) if dealt.table.banker else {}
    for person, net in wanted.people.items():
        assert ledger.balance(player(person)) == net - units(due.get(person, 0))
    assert ledger.balance(COLLECTIONS) == units(sum(due.values()))
    assert ledger.balance(INVENTORY) == wanted.house
    if meter:
        assert ledger.balance(meter.terms.account) == meter.value
        assert ledger.balance(meter.terms.reserve_account) == meter.reserve


@pytest.mark.parametrize("game", GAMES)
@often
@given(seed=seeds)
def test_a_round_is_settled_once(game: str, seed: int) -> None:
    dealt = deal(game, seed)
    ledger = posted(dealt)
    entries, balances, wagers = ledger.entries, dict(ledger.balances), dict(ledger.wagers)
    with pytest.raises(IllegalError):
        post(ledger, ROUND, dealt.round, settle(dealt.round))
    with pytest.raises(IllegalError):
        ledger.settle(LedgerEntry("settle again", ()), tuple(ledger.wagers))
    assert (ledger.entries, dict(ledger.balances), dict(ledger.wagers)) == (entries, balances, wagers)


@pytest.mark.parametrize("game", GAMES)
@often
@given(seed=seeds)
def test_every_payment_moves_something_and_says_why(game: str, seed: int) -> None:
    for payment in settle(deal(game, seed).round).payments:
        assert payment.units > 0
        assert payment.reason
        assert payment.source != payment.to


@pytest.mark.parametrize("game", GAMES)
@often
@given(seed=seeds)
def test_every_decided_wager_cites_a_clause(game: str, seed: int) -> None:
    dealt = deal(game, seed)
    for payment in settle(dealt.round).payments:
        assert payment.clauses or not decided_by_the_law(dealt, payment), payment


@pytest.mark.parametrize("game", GAMES)
@often
@given(seed=seeds)
def test_settling_again_gives_the_same(game: str, seed: int) -> None:
    dealt, again = deal(game, seed), deal(game, seed)
    assert dealt == again
    assert settle(dealt.round) == settle(dealt.round) == settle(again.round)


@pytest.mark.parametrize("game", GAMES)
@often
@given(seed=seeds)
def test_the_net_of_all_accounts_is_nothing(game: str, seed: int) -> None:
    settlement = settle(deal(game, seed).round)
    accounts = {account for p in settlement.payments for account in (p.source, p.to)}
    assert sum(held_by(account, settlement) for account in accounts) == 0


@pytest.mark.parametrize("game", GAMES)
@often
@given(seed=seeds)
def test_a_void_round_returns_every_stake_and_leaves_the_meter(game: str, seed: int) -> None:
    dealt = deal(game, seed)
    settlement, banker = settle(replace(dealt.round, void="misdeal")), dealt.round.banker
    for person, stake in staked(dealt.table).items():
        assert settlement.net(person) == units(stake)
    if banker:
        assert settlement.net(banker.person) == units(banker.stake)
    assert held_by(INVENTORY, settlement) == held_by(SEED, settlement) == 0
    assert settlement.meter == dealt.round.meter
    assert settlement.races == {}


@pytest.mark.parametrize("game", METERED)
@often
@given(seed=seeds)
def test_a_share_of_the_meter_is_never_paid_from_the_inventory(game: str, seed: int) -> None:
    for payment in settle(deal(game, seed).round).payments:
        if "of the meter" in payment.reason:
            assert payment.source.kind is AccountKind.METER


@often
@given(seed=seeds)
def test_the_player_dealer_stays_within_his_wager(seed: int) -> None:
    dealt = deal("ca-fpgp", seed)
    settlement, banker = settle(dealt.round), dealt.round.banker
    assert banker is not None
    put_up = units(banker.stake)
    collected = sum(p.units for p in settlement.payments if p.to == banker.account)
    paid = sum(p.units for p in settlement.payments if p.source == banker.account and p.wager != "bank")
    assert -put_up <= collected - paid <= put_up
    assert settlement.net(banker.person) - put_up == collected - paid
    if dealt.table.coverage == "ledger":
        assert collected + paid <= put_up


@often
@given(seed=seeds)
def test_the_house_has_no_interest_in_a_player_dealer_round(seed: int) -> None:
    settlement = settle(deal("ca-fpgp", seed).round)
    kinds = {account.kind for p in settlement.payments for account in (p.source, p.to)}
    assert kinds <= {AccountKind.PENDING, AccountKind.PLAYER, AccountKind.BANK}


def owed_by_the_bank(table: Table) -> Counter[tuple[int, str]]:
    """What an ample bank would pay, at each seat to each person."""
    owed: Counter[tuple[int, str]] = Counter()
    for hand in table.hands if not table.void else ():
        for bet in hand.bets if hand.status != "void" else ():
            for wager, stake in bet.wagers.items():
                owed[hand.position, bet.person] += max(0, bank_owes(table, hand, wager, stake)) * CENT
    for hand, cents in envy(table, "fortune") if not table.void else ():
        owed[hand.position, hand.person] += cents * CENT
    return owed


@often
@given(seed=seeds)
def test_nobody_gets_more_than_he_is_owed(seed: int) -> None:
    dealt = deal("ca-fpgp", seed)
    settlement, owed = settle(dealt.round), owed_by_the_bank(dealt.table)
    paid: Counter[tuple[int, str]] = Counter()
    for payment in settlement.payments:
        if payment.kind in (PaymentKind.PAY, PaymentKind.ENVY):
            paid[payment.position, payment.person] += payment.units
    short: Counter[tuple[int, str]] = Counter()
    for missing in settlement.shortfalls:
        assert missing.paid < missing.owed
        short[missing.position, missing.person] += units(missing.owed - missing.paid)
    assert paid + short == +owed
