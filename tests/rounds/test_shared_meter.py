"""Several tables share one meter: whoever plays in between, meter, ledger and records agree exactly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial

import pytest

from houseway.ledger import SEED, Account, AccountKind, Ledger, player, total, units
from houseway.meters import Meter, MeterState, MeterTerms, contribute, reverse_contribution
from houseway.money import Cents, cents
from houseway.rounds.books import posted
from houseway.rounds.replay import difference
from tests.games.support import NOTHING, Changes, submission
from tests.rounds.shared_meter import Pair
from tests.rounds.support import FLOOR, Floor
from tests.support.shards import in_parts

LAYOUTS: dict[str, tuple[str, Changes]] = {
    "pa-659a": ("pa-659a", {}),
    "pa-659a, one card at a time": ("pa-659a", {"table.shuffler": "manual", "table.dealing": "manual_shoe"}),
    "pa-670a": ("pa-670a", {}),
    "wa-fap": ("wa-fap", {}),
}
ROUNDS, ALL_ROUNDS, SHARD = 1_000, 10_000, 250


def play(layout: str, rounds: int, seed: str) -> Counter[str]:
    """Play so many rounds at two tables of a layout."""
    pair = Pair(*LAYOUTS[layout], seed)
    met = pair.play(rounds, every=10)
    pair.ledger.verify()
    assert total(pair.ledger) == 0
    return met


@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_tables_on_one_meter_keep_it_the_ledger_and_the_records_in_step(layout: str) -> None:
    met = play(layout, ROUNDS // len(LAYOUTS), f"usual {layout}")
    assert met["moves"] > ROUNDS // len(LAYOUTS)
    assert met["falls"] and met["void"] and met["replayed"]


def shard(layout: str, index: int) -> Counter[str]:
    """Play one part of the exhaustive run."""
    return play(layout, SHARD, f"shard {index} of {layout}")


@pytest.mark.exhaustive
@pytest.mark.parted
@pytest.mark.parametrize("layout", LAYOUTS)
def test_ten_thousand_interleaved_rounds_agree_to_the_ten_thousandth_of_a_cent(
    layout: str, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = ALL_ROUNDS // len(LAYOUTS) // SHARD
    met = in_parts(partial(shard, layout), parts, f"{layout}: {parts * SHARD:,} rounds on one meter", capfd)
    assert met["rounds"] >= ALL_ROUNDS // len(LAYOUTS)


WITHOUT: Changes = {"wagers.progressive": NOTHING, "progressive": NOTHING}


@pytest.mark.parametrize("running", [True, False])
def test_new_rules_share_the_meter_that_runs_and_open_one_only_where_none_does(running: bool) -> None:
    floor = Floor("pa-659a", WITHOUT)
    assert floor.live.table.meter is None
    if running:
        floor.live.meters["progressive"] = MeterState(123_456_789, 5)
    (event,) = floor.do("adopt_rules", FLOOR, submission=submission("pa-659a", {"reference": "RS-2"}))
    held = floor.live.meters["progressive"]
    assert floor.live.table.meter == "progressive"
    if running:
        assert event.outcome.meter is None and held == MeterState(123_456_789, 5)
    else:
        assert event.outcome.meter.before is None and event.outcome.meter.after == held
        assert sum(movement.units for movement in event.outcome.movements) == held.value > 0


def test_a_void_gives_back_what_a_winner_elsewhere_has_taken_since() -> None:
    terms = MeterTerms("progressive", Cents(0), Fraction(1, 2), Fraction(1, 4))
    filled, taken = contribute(Meter(terms, 0), Cents(100))
    assert reverse_contribution(filled, taken, "void")[0] == Meter(terms, 0)
    won = Meter(terms, filled.value - 1)
    left, back = reverse_contribution(won, taken, "void")
    assert left == Meter(terms, 0)
    assert sum(movement.units for movement in back) == sum(movement.units for movement in taken)
    assert sum(m.units for m in back if m.source == SEED) == 1 + filled.reserve


def washington(name: str, meters: dict[str, MeterState]) -> Floor:
    """Return a Washington table with wagers down that shares a meter, which two people may empty."""
    floor = Floor("wa-fap", {"readings.wa_meter_adjusted_down": "to_nothing"})
    floor.live.meters = meters
    floor.force(id=name)
    floor.live.before = floor.live.table
    floor.live.turns.clear()
    return floor.betting(2, 3, main="$10", progressive="$1")


def test_a_round_whose_booked_wagers_were_ruled_out_replays_whatever_the_other_table_did() -> None:
    meters = {"progressive": MeterState(100_000_000, 0)}
    one, other = washington("one", meters), washington("other", meters)
    one.do("coin_in")
    one.do("rule_count", FLOOR, without=(2, 3), reason="no chips lie there")
    other.do("coin_in")
    one.play_on(rounds=1)
    assert one.live.record is not None and difference(one.live.record) is None


def test_what_is_ruled_out_comes_back_whole_from_a_meter_that_was_lowered_since() -> None:
    meters = {"progressive": MeterState(0, 0)}
    one, other = washington("one", meters), washington("other", meters)
    (booked,) = one.do("coin_in")
    in_meter = meters["progressive"].value
    lowered = Cents(-(in_meter // 10_000))
    other.do("adjust_meter", FLOOR, amount=lowered, reason="misread", second="Max")
    (event,) = one.do("rule_count", FLOOR, without=(2, 3), reason="no chips lie there")
    ledger = Ledger()
    for table, done in (("one", booked), ("other", other.log[-1]), ("one", event)):
        if table == "one" and done is booked:
            for bet in [e for e in one.log if e.step == "wager"]:
                ledger = posted(ledger, "one", bet)
        ledger = posted(ledger, table, done)
    assert ledger.balance(Account(AccountKind.METER, "progressive")) == meters["progressive"].value
    assert ledger.balance(player("Ann")) == ledger.balance(player("Bob")) == -units(cents("$10"))
