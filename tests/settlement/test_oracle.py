"""``settle`` and the oracle agree on who gets what."""

from __future__ import annotations

from collections import Counter

import pytest

from houseway.ledger import INVENTORY, SEED, Account, units
from houseway.settlement import Settlement, settle
from tests.settlement.oracle import Answer, Table, settle_by_hand
from tests.settlement.tables import GAMES, Dealt, deal

TABLES = 2_000
MANY = 100_000
SHARD = 5_000


def held_by(account: Account, settlement: Settlement) -> int:
    gained = sum(p.units for p in settlement.payments if p.to == account)
    return gained - sum(p.units for p in settlement.payments if p.source == account)


def staked(table: Table) -> Counter[str]:
    placed: Counter[str] = Counter()
    for hand in table.hands:
        for bet in hand.bets:
            placed[bet.person] += sum(bet.wagers.values())
    return placed


def answer_of(dealt: Dealt) -> Answer:
    """Read the same figures off a settlement."""
    table, settlement = dealt.table, settle(dealt.round)
    people = {person: settlement.net(person) - units(stake) for person, stake in staked(table).items()}
    meter, banker = settlement.meter, dealt.round.banker
    return Answer(
        people,
        house=held_by(INVENTORY, settlement),
        seed=held_by(SEED, settlement),
        meter=meter.value if meter else None,
        reserve=meter.reserve if meter else None,
        player_dealer=settlement.net(banker.person) - units(banker.stake) if banker else None,
    )


def check(game: str, seeds: range) -> None:
    for seed in seeds:
        dealt = deal(game, seed)
        assert answer_of(dealt) == settle_by_hand(dealt.table), f"{game}, seed {seed}: {dealt.table}"


@pytest.mark.parametrize("game", GAMES)
def test_settlement_and_the_oracle_agree(game: str) -> None:
    check(game, range(TABLES))


@pytest.mark.exhaustive
@pytest.mark.parametrize("start", range(0, MANY, SHARD))
@pytest.mark.parametrize("game", GAMES)
def test_settlement_and_the_oracle_agree_on_many_tables(game: str, start: int) -> None:
    check(game, range(start, start + SHARD))
