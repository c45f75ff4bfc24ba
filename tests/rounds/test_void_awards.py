"""A round found void after it had won the meter: meter, reserve and ledger are what they were before it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from houseway.ledger import (
    SEED,
    Account,
    AccountKind,
    Ledger,
    LedgerEntry,
    Movement,
    Units,
    open_wagers,
    player,
    units,
)
from houseway.meters import MeterState
from houseway.money import cents
from houseway.rounds.books import posted
from houseway.rounds.replay import difference
from houseway.rounds.state import Phase
from houseway.rounds.steps.ruling import RoundVoided
from tests.games.support import Changes
from tests.rounds.pennsylvania import EVERY_WAGER, HANDS
from tests.rounds.table import DEALER, FLOOR, TestTable
from tests.rounds.washington import arrange, start

METER = Account(AccountKind.METER, "progressive")
RESERVE = Account(AccountKind.RESERVE, "progressive")
BETS = (2, 4, 6)
WAGERS = EVERY_WAGER | {"wa-fap": EVERY_WAGER["pa-659a"]}
WINS = {
    "pa-659a": {"seven_card_straight_flush": True, "five_aces": False},
    "pa-670a": {"five_aces": True, "royal_flush": False},
    "wa-fap": {"seven_card_straight_flush": True, "five_aces": False},
}
"""Hands that win the whole meter, so that the reserve goes into it, and a part of it."""
LOSERS = {"pa-659a": {"loser": "Jc 9h 8c 6c 4h 2h Td"}, "pa-670a": {}}
"""A hand that loses and has no card of a winner's."""
KEEPS_A_RESERVE: Changes = {"progressive.reserve": "3%"}
SET_ASIDE: Changes = {"readings.six_meter_reserve": "set_aside"}
"""The reading by which a reserve is permitted where the law prints one rate only."""


def keeping_a_reserve(game: str) -> Changes:
    """Return what a table of a game changes to have a reserve beside its meter."""
    return KEEPS_A_RESERVE | (SET_ASIDE if game == "pa-670a" else {})


LAW = {"pa-659a": "pa659a.13.x1", "pa-670a": "pa670a.13.x1"}
CASES = [
    pytest.param(game, held, whole, marks=[pytest.mark.clause(LAW[game])] if game in LAW else [])
    for game, wins in WINS.items()
    for held, whole in wins.items()
]


def booked(table: TestTable, ledger: Ledger, since: int = 0) -> Ledger:
    """Return the ledger with everything that was done since."""
    for event in table.log[since:]:
        ledger = posted(ledger, table.live.table.id, event)
    return ledger


def opened(table: TestTable) -> Ledger:
    """Return a ledger in which the meter is opened as the table found it."""
    assert table.state.meter is not None
    return Ledger().post(LedgerEntry("opened", (Movement(table.state.meter.value, SEED, METER, "opened"),)))


def held_by(ledger: Ledger) -> Mapping[Account, Units]:
    """Return what every account holds or owes."""
    return {account: amount for account, amount in ledger.balances.items() if amount}


def bets_placed(game: str, table: TestTable) -> TestTable:
    """Place every wager at three positions."""
    table.opened().seat(BETS)
    for at in BETS:
        table.bet(at, **WAGERS[game])
    return table


def won(game: str, table: TestTable, held: str) -> None:
    """Play a round until the hand at 4 has won its part of the meter."""
    bets_placed(game, table)
    hands = {1: "dealer", 2: "loser", 4: held}
    if game == "wa-fap":
        arrange(start(table.play_on(without=["press_start"])), hands)
    else:
        cards = HANDS[game] | LOSERS[game]
        table.play_on(Phase.STARTING).arranged({at: cards[name] for at, name in hands.items()})
        table.play_on(without=["draw_number"]).start_at_dealer()
    for event in table.live.proceed():
        table.log.append(event)
        if awarded(table):
            break


def awarded(table: TestTable) -> bool:
    """Whether a part of the meter was paid in this round."""
    return any(p.source == METER and p.to.kind is AccountKind.PLAYER for p in table.state.round.payments)


def made_void(game: str, table: TestTable) -> None:
    """Let the round be found void: by a wrong count, or by ruling of the floor."""
    if game == "wa-fap":
        table.do("stop_round", DEALER, reason="a card is missing")
        table.do("rule_round", FLOOR, ruling="void", reason="nothing else is fair")
    else:
        cards = table.rules.game.hand_cards
        table.do("count_hands", counts=dict.fromkeys(range(1, 8), cards) | {5: cards + 1})


@pytest.mark.parametrize("later", [False, True], ids=["at once", "before the round closes"])
@pytest.mark.parametrize(("game", "held", "whole"), CASES)
def test_a_void_after_an_award_leaves_meter_reserve_and_ledger_as_before_the_round(
    game: str, held: str, whole: bool, later: bool
) -> None:
    table = TestTable(game, keeping_a_reserve(game))
    ledger = opened(table)
    ledger = booked(bets_placed(game, table).play_on(rounds=1), ledger)
    done, before, meter = len(table.log), held_by(ledger), table.live.meters["progressive"]
    assert meter.reserve > 0 and (ledger.balance(METER), ledger.balance(RESERVE)) == (
        meter.value,
        meter.reserve,
    )
    won(game, table, held)
    if later:
        table.play_on(without=["close_round"])
    assert (table.live.meters["progressive"].reserve == 0) is whole
    made_void(game, table)
    after = booked(table, ledger, done)
    assert table.live.meters["progressive"] == meter
    assert held_by(after) == before
    assert not open_wagers(after)
    assert table.live.record is not None and difference(table.live.record) is None


@pytest.mark.parametrize("game", WINS)
def test_the_round_after_such_a_void_wins_what_the_void_one_would_have(game: str) -> None:
    held = next(iter(WINS[game]))
    table = bets_placed(game, TestTable(game, keeping_a_reserve(game))).play_on(rounds=1)
    won(game, table, held)
    first = [p for p in table.state.round.payments if p.source in (METER, RESERVE)]
    made_void(game, table)
    won(game, table, held)
    assert [p for p in table.state.round.payments if p.source in (METER, RESERVE)] == first
    table.play_on(rounds=1)
    assert table.live.meters["progressive"].reserve == 0


@pytest.mark.parametrize("everything", [False, True], ids=["but its seed", "everything"])
@pytest.mark.parametrize("game", WINS)
def test_what_a_winner_elsewhere_took_of_a_meter_since_is_the_houses_to_give_back(
    game: str, everything: bool
) -> None:
    held = next(iter(WINS[game]))
    table = TestTable(game, keeping_a_reserve(game))
    seed, large = table.live.meters["progressive"].value, units(cents("$500,000"))
    before = MeterState(units(cents("$100")), large)
    table.live.meters["progressive"] = before
    opening = (
        Movement(before.value, SEED, METER, "opened"),
        Movement(large, SEED, RESERVE, "opened"),
    )
    ledger = Ledger().post(LedgerEntry("opened", opening))
    won(game, table, held)
    reseeded = table.live.meters["progressive"]
    assert reseeded.value > large and reseeded.reserve == 0
    left = Units(0) if everything else seed
    elsewhere = Movement(Units(reseeded.value - left), METER, player("Zoe"), "won at another table")
    table.live.meters["progressive"] = MeterState(left)
    ledger = booked(table, ledger).post(LedgerEntry("elsewhere", (elsewhere,)))
    done = len(table.log)
    made_void(game, table)
    ledger = booked(table, ledger, done)
    after = table.live.meters["progressive"]
    assert (after.value, after.reserve) == (0, before.reserve)
    voided = table.last("void_round").outcome
    assert isinstance(voided, RoundVoided) and all(payment.units > 0 for payment in voided.payments)
    assert (ledger.balance(METER), ledger.balance(RESERVE)) == (after.value, after.reserve)
    assert all(ledger.balance(player(name)) == 0 for name in ("Ann", "Cleo", "Eve"))
    assert not open_wagers(ledger)
