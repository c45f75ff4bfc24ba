"""``settle`` and the oracle agree on who gets what."""

from __future__ import annotations

from collections import Counter

import pytest

from houseway.ledger import INVENTORY, SEED, Account, units
from houseway.settlement import Settlement, settle
from tests.settlement.oracle import Answer, Table, envy, line_made, settle_by_hand
from tests.settlement.tables import GAMES, Dealt, deal, takes_a_share

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


RARE = {"four_of_a_kind", "royal_flush", "five_aces"}
RAREST = {"royal_flush_royal_match", "seven_card_straight_flush", "seven_card_straight_flush_joker"}


@pytest.mark.parametrize("game", GAMES)
def test_the_random_tables_meet_what_is_rare(game: str) -> None:
    met: Counter[str] = Counter()
    for seed in range(400):
        table = deal(game, seed).table
        wager = "bonus" if game == "pa-575" else "fortune"
        met.update(line_made(game, wager, table.paytables.get(wager), h.cards)[0] for h in table.hands)
        earned = Counter(hand.position for hand, _ in envy(table, "fortune"))
        met["two envy hands"] += max(earned.values(), default=0) > 1
        met["two shares of the meter"] += sum(takes_a_share(game, hand) for hand in table.hands) > 1
    wanted = RARE | (RAREST if game in ("pa-659a", "wa-fap", "ca-fpgp") else set())
    wanted |= {"two envy hands"} if game != "pa-575" else set()
    wanted |= {"two shares of the meter"} if game in ("pa-659a", "pa-670a", "wa-fap") else set()
    assert wanted <= {name for name, times in met.items() if times}


@pytest.mark.exhaustive
@pytest.mark.parametrize("start", range(0, MANY, SHARD))
@pytest.mark.parametrize("game", GAMES)
def test_settlement_and_the_oracle_agree_on_many_tables(game: str, start: int) -> None:
    check(game, range(start, start + SHARD))
