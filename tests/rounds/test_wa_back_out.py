"""An award recorded in error: backed out by two people before the key is back at RUN or after, and once."""

from __future__ import annotations

import pytest

from houseway.ledger import Account, AccountKind, Ledger, player, total
from houseway.meters import MeterState
from houseway.money import Cents, cents
from houseway.rounds.books import posted
from houseway.rounds.explain import explain
from houseway.rounds.options import options
from houseway.rounds.replay import difference
from houseway.rounds.state import JackpotWin, Phase
from tests.rounds.books import meters_opened, net
from tests.rounds.commands import value_of
from tests.rounds.table import TestTable
from tests.rounds.washington import (
    PLAIN_METER,
    SAM,
    SUE,
    adjust,
    claim,
    jackpot,
    not_adjusted,
    opened_up,
    payables,
    record,
    showing,
    spot,
    whole,
)

clause = pytest.mark.clause
LAW = "wa.prog.8.i"
SAID = {"second": "Sue", "reason": "the joker was misread"}
HELD = ("five_aces", "seven_card_straight_flush")
WHEN = ("before RUN", "after RUN", "after it was paid")


def recorded(held: str = "five_aces") -> tuple[TestTable, MeterState]:
    """Return a table whose supervisor has just pressed J-POT, and the meter as it stood then."""
    table = claim(jackpot({4: held}), hand=held)
    record(table)
    return table, table.live.meters["progressive"]


def gone_on(table: TestTable, when: str) -> TestTable:
    """Let the key go back to RUN, and the prize be paid, if that comes first."""
    if when != "before RUN":
        table.do("turn_key", SAM, to="RUN")
    if when == "after it was paid":
        table.do("pay_jackpot", SAM, 4, reference="HP-1")
    return table


def the_win(table: TestTable) -> JackpotWin:
    """Return the win of the round in progress, or of the one just over."""
    state = table.live.table
    played = state.round if state.round.wins else state.last
    assert played is not None
    (win,) = played.wins
    return win


def ledger_of(table: TestTable) -> Ledger:
    """Return the ledger of everything done at a table."""
    opened = TestTable("wa-fap", dealer=False).live
    ledger = meters_opened(opened)
    for event in table.log:
        ledger = posted(ledger, table.live.table.id, event)
    ledger.verify()
    return ledger


def in_step(table: TestTable) -> bool:
    """Whether the ledger holds what the meter and its reserve hold, and nothing came from nowhere."""
    ledger, held = ledger_of(table), table.live.meters["progressive"]
    kept = [ledger.balance(Account(kind, "progressive")) for kind in (AccountKind.METER, AccountKind.RESERVE)]
    return kept == [held.value, held.reserve] and total(ledger) == 0


@clause(LAW)
@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("when", WHEN)
def test_an_award_in_error_is_backed_out_and_its_player_keeps_nothing_of_it(when: str, held: str) -> None:
    table, meter = recorded(held)
    amount = the_win(table).amount
    event = adjust(gone_on(table, when), amount, SAM, win=4, **SAID)
    assert LAW in event.clauses and table.live.meters["progressive"] == meter
    win = the_win(table)
    assert win.backed_out and all(word in win.backed_out for word in ("misread", "Sam", "Sue"))
    assert payables(table) == []
    assert LAW in not_adjusted(table, amount, SAM, win=4, **SAID)
    assert table.live.meters["progressive"] == meter
    if when == "before RUN":
        table.refused("rack", at=4)  # nothing goes on until the key is back at RUN
        table.do("turn_key", SAM, to="RUN")
    table.refused("pay_jackpot", SAM, 4, reference="HP-2")
    table.do("rack", at=4)
    assert whole(table.play_on(rounds=1)) and table.live.meters["progressive"] == meter
    assert table.state.last is not None and in_step(table)
    assert net(table.state.last.payments)["player:Cleo"] == 20 * 1_000_000
    assert table.live.record is not None and difference(table.live.record) is None


@clause(LAW)
@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("when", WHEN)
def test_a_round_void_after_an_award_was_backed_out_leaves_the_meter_as_it_found_it(
    when: str, held: str
) -> None:
    table = jackpot({4: held})
    found = table.state.round.meter_before
    record(claim(table, hand=held))
    adjust(gone_on(table, when), the_win(table).amount, SAM, win=4, **SAID)
    table.do("stop_round", SAM, reason="a card too many")
    table.do("rule_round", SAM, ruling="void", reason="a card too many")
    assert table.live.meters["progressive"] == found and in_step(table)
    assert ledger_of(table).balance(player("Cleo")) == 0
    assert LAW in not_adjusted(table, the_win(table).amount, SAM, win=4, **SAID)


def test_the_award_of_a_void_round_is_undone_already() -> None:
    table, _ = recorded()
    gone_on(table, "after RUN")
    table.do("stop_round", SAM, reason="a card too many")
    table.do("rule_round", SAM, ruling="void", reason="a card too many")
    amount = the_win(table).amount
    found = table.problems("adjust_meter", SAM, None, amount=amount, win=4, **SAID)
    assert any("was void" in problem.reason for problem in found)


@clause(LAW)
def test_an_award_of_the_last_round_is_backed_out_whatever_happens_to_this_one() -> None:
    table, meter = recorded()
    amount = the_win(table).amount
    table.play_on(rounds=1)
    table.bet(4, main="$10").play_on(Phase.SETTING)
    event = adjust(table, amount, SAM, win=4, **SAID)
    assert LAW in event.clauses and table.live.meters["progressive"] == meter
    table.do("stop_round", SAM, reason="a card too many")
    table.do("rule_round", SAM, ruling="void", reason="a card too many")
    assert table.live.meters["progressive"] == meter and in_step(table)
    assert table.live.record is not None and difference(table.live.record) is None
    assert any("backed out the award of $1,000.02" in line for line in explain(table.live.record))


@clause(LAW)
def test_an_award_is_backed_out_whole() -> None:
    for when in WHEN:
        table, _ = recorded()
        amount = the_win(table).amount
        for other in (Cents(amount - 1), Cents(amount + 1), Cents(-amount), Cents(0)):
            assert LAW in not_adjusted(gone_on(table, "before RUN"), other, SAM, win=4, **SAID)
        adjust(gone_on(table, when), amount, SAM, win=4, **SAID)


@clause(LAW)
@pytest.mark.parametrize("when", WHEN)
def test_the_story_of_the_round_tells_who_backed_an_award_out_and_why(when: str) -> None:
    table, _ = recorded()
    adjust(gone_on(table, when), the_win(table).amount, SAM, win=4, **SAID)
    (page,) = table.do("print_win", SUE, 4)
    assert "Backed out: the joker was misread" in value_of(page, "page")
    table.play_on(rounds=1)
    assert table.live.record is not None
    for story in (list(explain(table.live.record)), list(explain(table.live.record, 4))):
        (said,) = (line for line in story if line.startswith("Sam and Sue backed out"))
        assert "$1,000.02 at position 4" in said and "the joker was misread" in said and "8.i" in said
        back = [line for line in story if "$1,000.02 was taken back" in line]
        assert len(back) == (when != "before RUN")
    told = list(explain(table.live.record))
    assert told[-1] == "The meter stood at $10,000 before the round and at $10,000.24 after it."


def test_one_award_is_not_backed_out_between_the_record_and_the_key_of_another() -> None:
    first, second = spot(5), spot(2)
    table = jackpot({first: "five_aces", second: "seven_card_straight_flush"}, PLAIN_METER)
    record(claim(table, first), first)
    table.do("turn_key", SAM, to="RUN")
    table.do("pay_jackpot", SAM, first, reference="HP-1")
    table.do("rack", at=first)
    record(claim(opened_up(table, second), second, "seven_card_straight_flush"), second)
    not_adjusted(table, cents("$1,000"), SAM, win=first, **SAID)
    table.do("turn_key", SAM, to="RUN")
    adjust(table, cents("$1,000"), SAM, win=first, **SAID)
    assert showing(table) == cents("$11,000")
    assert table.live.table.round.wins[1].amount == cents("$9,000")


def test_where_only_an_award_can_be_adjusted_the_option_asks_which() -> None:
    table, _ = recorded()
    live = table.live
    (option,) = (
        one for one in options(live.rules, live.table, SAM, live.moment) if one.step == "adjust_meter"
    )
    (asked,) = (field for field in option.fields if field.name == "win")
    assert option.open and asked.needed and asked.choices == (4,)
    adjust(table, the_win(table).amount, SAM, win=4, **SAID)
    (option,) = (
        one for one in options(live.rules, live.table, SAM, live.moment) if one.step == "adjust_meter"
    )
    assert "win" not in {field.name for field in option.fields}


@clause("wa.prog.8.g.meter")
@pytest.mark.parametrize(("since", "from_house"), [("$10,005", 0), ("$400", 9_600), ("$0", 10_000)])
def test_the_key_pays_what_jpot_recorded_whatever_other_tables_did_since(since: str, from_house: int) -> None:
    held = "seven_card_straight_flush"
    table = claim(jackpot({4: held}, PLAIN_METER), hand=held)
    record(table)
    table.live.meters = {"progressive": MeterState(cents(since) * 10_000, 0)}
    (event,) = table.do("turn_key", SAM, to="RUN")
    prize = [p for p in value_of(event, "payments") if p.to == player("Cleo")]
    assert sum(p.units for p in prize) == cents("$10,000") * 10_000
    assert sum(p.units for p in prize if p.source.kind is AccountKind.SEED) == from_house * 1_000_000
    assert showing(table) == cents("$10,000")  # reseeded
